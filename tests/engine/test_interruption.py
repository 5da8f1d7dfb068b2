"""Ctrl-C is answered within a second, however long a sentence is."""

import gc
import os
import signal
import threading
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.engine import SearchOptions
from deptrees.parser import Parser
from deptrees.training import Checkpoint
from deptrees.transition import ArcEager, ArcHybrid, ArcStandard, System
from deptrees.treebanks.batch import Batch
from tests.tiers import slow

WORDS = [word.form for tree in sample_treebank("train") for word in tree.words]


def seconds_until_interrupted(work: Callable[[], object], after: float) -> float:
    """How long some work goes on after Ctrl-C, by the time of the processor, which others may be using."""
    sent = []

    def interrupt() -> None:
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, interrupt)
    gc.disable()  # what is raised in a callback of the garbage collector, such as Hypothesis has, is lost
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        timer.cancel()  # if the work has failed before
        gc.enable()
    return time.process_time() - sent[0]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.train(sample_treebank("train"), system=ArcEager(), oracle="static", epochs=1)


@pytest.mark.parametrize("threads", [1, slow(2)])
@pytest.mark.parametrize("options", [{"beam": 64}, {"k": 64}, {"margins": True}], ids=str)
def test_a_sentence_of_many_words_can_be_interrupted(options: Any, threads: int, parser: Parser) -> None:
    model = parser.model
    batch = Batch.of([[*islice(cycle(WORDS), 100_000)]])
    _ = batch.columns
    assert seconds_until_interrupted(lambda: model.find(batch, SearchOptions(threads=threads, **options)), 0.2) < 1


@pytest.mark.filterwarnings("ignore::deptrees.TreebankWarning")  # the words have no tags
def test_threads_that_parse_batches_can_be_interrupted(parser: Parser) -> None:
    long = [*islice(cycle(WORDS), 20_000)]
    assert seconds_until_interrupted(lambda: [*parser.parse([long] * 4, beam=64, threads=2)], 1) < 1


def chain(words: int) -> DependencyTree:
    return DependencyTree((word, "w", "dep" if word else "root") for word in range(words))


CROSSING = [(3, "w", "dep"), (4, "w", "dep"), (0, "w", "root"), (3, "w", "dep")]


@pytest.mark.parametrize("beam", [1, slow(4)])
@pytest.mark.parametrize("system", [ArcHybrid(single_root=True), ArcHybrid(), ArcStandard()], ids=repr)
def test_a_long_sentence_is_learned_in_little_time(system: System, beam: int) -> None:
    crosses = system == ArcHybrid()  # otherwise its rows tell costs in no time
    tree = DependencyTree([*CROSSING, *chain(4000).words[4:]]) if crosses else chain(4000)
    began = time.process_time()
    with pytest.warns(UserWarning, match="4,000 words, and exact costs are computed for up to 1,000"):
        Parser.train([tree], system=system, epochs=2, beam=beam, exploration=0.9)
    assert time.process_time() - began < 30  # with exact losses it would take minutes


def test_training_on_a_long_sentence_is_saved_when_it_is_interrupted(tmp_path: Path) -> None:
    def work() -> None:
        checkpoint = Checkpoint(tmp_path / "checkpoint")
        Parser.train([chain(900)] * 3, system=ArcHybrid(single_root=True), epochs=100_000, checkpoint=checkpoint)

    seconds_until_interrupted(work, 1.5)
    assert Checkpoint(tmp_path / "checkpoint").is_saved
