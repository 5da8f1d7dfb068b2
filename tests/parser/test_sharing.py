"""One model in many threads and processes: each finds what it finds alone."""

import multiprocessing
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest

from deptrees import DependencyTree, Parser, Tagger, Tokenizer, sample_treebank
from deptrees.transition import EasyFirst
from tests.tiers import PATIENCE

DEV = list(sample_treebank("dev"))
THREADS = 8


@pytest.fixture(scope="module")
def stepwise() -> Parser:
    return Parser.train(list(sample_treebank("train"))[:5], system=EasyFirst(), epochs=1)


def parsed(parser: Parser, beam: int | None = None) -> list[DependencyTree]:
    return list(parser.parse(DEV, beam=beam))


def tagged(tagger: Tagger) -> list[DependencyTree]:
    return list(tagger.tag(DEV))


def together(work: Callable[[], object]) -> list[object]:
    """What comes of the same work in many threads, which begin at the same moment."""
    barrier = Barrier(THREADS)

    def at_once(_: int) -> object:
        barrier.wait()
        return work()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(at_once, range(THREADS)))


@pytest.mark.parametrize("beam", [1, 4])
def test_threads_share_a_parser(parser: Parser, beam: int) -> None:
    alone = parsed(parser, beam)
    new = pickle.loads(pickle.dumps(parser))  # whose tables are not yet filled
    assert together(partial(parsed, new, beam)) == [alone] * THREADS


def test_threads_share_a_parser_that_goes_step_by_step(stepwise: Parser) -> None:
    alone = parsed(stepwise)
    new = pickle.loads(pickle.dumps(stepwise))
    assert together(partial(parsed, new)) == [alone] * THREADS


def test_threads_share_a_tagger_and_a_tokenizer(tagger: Tagger, tokenizer: Tokenizer) -> None:
    text = " ".join(token.form for tree in DEV for token in tree)
    tags, sentences = tagged(tagger), list(tokenizer.tokenize(text))
    assert together(partial(tagged, pickle.loads(pickle.dumps(tagger)))) == [tags] * THREADS
    assert together(lambda: list(tokenizer.tokenize(text))) == [sentences] * THREADS


@pytest.mark.processes
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # threads of other tests may still be there
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_share_a_parser_and_a_tagger(parser: Parser, tagger: Tagger, stepwise: Parser, method: str) -> None:
    models = [partial(parsed, parser), partial(parsed, parser, 4), partial(tagged, tagger), partial(parsed, stepwise)]
    alone = [model() for model in models]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        futures = [pool.submit(model) for model in models * 2]
        assert [future.result(timeout=PATIENCE) for future in futures] == alone * 2


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_process_is_forked_while_threads_parse(parser: Parser) -> None:
    alone = parsed(parser)
    with ThreadPoolExecutor(2) as threads:
        busy = [threads.submit(parsed, parser) for _ in range(20)]
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
            assert pool.submit(parsed, parser).result(timeout=PATIENCE) == alone
        assert [future.result() for future in busy] == [alone] * 20
