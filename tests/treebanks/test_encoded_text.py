"""The compiled reader: the readable one and `Columns.encode` are its judges."""

import gzip
import io
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from deptrees import ConlluError, DependencyTree, Treebank, TreebankWarning, sample_treebank, to_conllu
from deptrees.treebanks import encoded_text
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.hashes import text_hash
from deptrees.treebanks.lines import arriving_bytes
from deptrees.treebanks.passages import Passage, passages
from deptrees.trees.token import COLUMNS
from tests.gold_trees import every_dev_treebank
from tests.tiers import slow

SAMPLE = Path(sample_treebank("dev").paths[0]).read_bytes()
RICH = "\n".join(
    line if line.startswith("#") else line.replace(" ", "\t")
    for line in [
        "# sent_id = rich",
        "0.1 Hé hé INTJ _ _ _ _ 2:discourse CopyOf=2",
        "1 Il il PRON CL Gender=Masc|Person=3 2 nsubj 2:nsubj|7.1:x _",
        "2 va aller VERB V Mood=Ind 0 root 0:root _",
        "3-4 au _ _ _ _ _ _ _ Gloss=to_the",
        "3 à à ADP P _ 5 case 5:case _",
        "4 le le DET D _ _ _ 5:det _",
        "5 _ marché NOUN N Gender=Masc 2 obl 2:obl:à SpaceAfter=No",
        "5.1 va aller VERB V _ 5 conj 2:conj _",
        "6 𝔘 . PUNCT PUNCT _ 4 punct 7.1:punct _",
        "",
        "",
    ]
).encode()
SPITE = [
    *[
        b"\0",
        b"\t",
        b"\n",
        b"\r",
        b"\r\n",
        b" ",
        b"\n \n",
        b"\n\t\n",
        b"\n\x1c\n",
        b"\n\xc2\xa0\n",
        b"\n\xe2\x80\xa8\n",
    ],
    *[b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xe0\x80\x80", b"\xf0\x9d\x94\x98"],
    *[b"\xef\xbb\xbf", b"_", b"#", b"0", b"1", b"2", b"00", b"01", b"-1", b"1-2", b"2-1", b"0.1", b"1.0", b"3.1"],
    *[b"9" * 9, b"9" * 10, b"\t_", b"\n# more\n", b"1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n"],
]


def written(tree: DependencyTree) -> bytes:
    """A parsed tree as it is written, with its own heads and labels."""
    return to_conllu(tree.attached(tree.heads, tree.labels)).encode()


def reattached(batch: Batch) -> bytes:
    """The same of a batch with the heads and labels that it has."""
    columns = batch.columns
    return batch.with_arcs(columns.heads, columns.labels, columns.vocabularies["deprel"]).conllu()


def by_lines(treebank: Treebank) -> Iterator[DependencyTree]:
    """The trees as they are read where there is no compiled reader."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, encoded_text.__name__, None)
        yield from treebank


def outcome(results: Iterator[Any]) -> tuple[list[Any], ConlluError | None, list[str]]:
    """What comes, and the error or the warnings at the end."""
    found: list[Any] = []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            found.extend(results)
        except ConlluError as error:
            return found, error, []
    return found, None, [str(warning.message) for warning in warned]


def check(treebank: Treebank) -> bool:
    """Compare both readers; whether there is nothing wrong with the treebank."""
    trees, error, warned = outcome(by_lines(treebank))
    batches, same_error, same_warnings = outcome(treebank.batches())
    assert (str(same_error), same_warnings) == (str(error), warned)
    deferred = [tree for batch in batches for tree in batch.trees]
    assert [(tree.heads, tree.labels) for tree in deferred] == [(tree.heads, tree.labels) for tree in trees]
    assert [to_conllu(tree) for tree in deferred] == [to_conllu(tree) for tree in trees]
    assert b"".join(map(reattached, batches)) == b"".join(map(written, trees))
    assert deferred == trees
    if error:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TreebankWarning)
        assert_same(Columns.encode(treebank), Columns.encode(trees))
        assert_same(Columns.encode(list(treebank)), Columns.encode(trees))
    return not warned


def assert_same(found: Columns, expected: Columns) -> None:
    assert found.vocabularies == expected.vocabularies
    for name, texts in expected.vocabularies.items():
        assert found.hashes(name).tolist() == [*map(text_hash, texts)]
    pairs = [(getattr(found, name), getattr(expected, name)) for name in ("offsets", "heads", "labels", "projective")]
    pairs += [(found.words[name], column) for name, column in expected.words.items()]
    for ours, theirs in pairs:
        assert ours.dtype == theirs.dtype
        assert ours.tolist() == theirs.tolist()


def spoiled(text: bytes, chance: random.Random) -> bytes:
    """A text that somebody has worked on."""
    for _ in range(chance.choice([0, 1, 1, 1, 2, 4])):
        start, length = chance.randrange(len(text) + 1), chance.choice([0, 0, 1, 1, 2, 30])
        if chance.random() < 0.5:  # a column, or what is before it
            start = text.rfind(b"\t", 0, start) + 1
        middle = chance.choice([b"", chance.choice(SPITE), chance.choice(SPITE), text[start : start + 30] * 2])
        text = text[:start] + middle + text[start + length :]
    return text


def test_columns_are_those_of_tokens() -> None:
    assert {name: place for place, name in enumerate(COLUMNS)} == encoded_text.PLACES


def test_hashes_of_long_texts() -> None:
    """A block has 128 bytes; the last one of a text may be full."""
    forms = [letters * length for letters in ("a", "\u0151", "a\U0001f600") for length in range(1, 300)]
    row = "1\t{}\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    assert_same(
        Columns.encode(Treebank.from_bytes("".join(map(row.format, forms)).encode())),
        Columns.encode([DependencyTree([(0, form, "root")]) for form in forms]),
    )


def test_texts_have_at_least_so_many_bytes() -> None:
    content = SAMPLE.rstrip() + b"\n\n"
    treebank = Treebank.from_bytes(content * 9)
    for least, most_texts in ((1, 9), (2 * len(content), 4), (9 * len(content), 1)):
        texts = [batch.conllu() for batch in treebank.batches(least) if len(batch)]
        assert 1 <= len(texts) <= most_texts
        assert all(len(text) >= least for text in texts[:-1])
        assert b"".join(texts) == content * 9


@pytest.mark.parametrize("content", [b"\xef", b"\xef\xbb", b"\xef\xbb\xbf", b"\xef\xbb\xbf" * 2 + SAMPLE])
def test_the_beginning_of_a_byte_order_mark_is_none(content: bytes) -> None:
    assert check(Treebank.from_bytes(content)) == (content == b"\xef\xbb\xbf")


def test_the_sample_and_a_sentence_with_everything() -> None:
    assert check(Treebank.from_bytes(SAMPLE))
    assert check(Treebank.from_bytes(RICH * 3))
    assert not check(Treebank.from_bytes(RICH + RICH[1:]))


@every_dev_treebank
def test_real_treebanks(path: Path) -> None:
    assert check(Treebank(path))


@pytest.mark.parametrize("rounds", [100, slow(2_000)])
def test_spoiled_texts_give_the_same_trees_or_the_same_error(rounds: int) -> None:
    chance, valid = random.Random(rounds), 0
    sentences = [*SAMPLE.split(b"\n\n")[:3], *[RICH[:-2]] * 2]
    for _ in range(rounds):
        text = b"\n\n".join(chance.choices(sentences, k=chance.choice([1, 1, 2]))) + chance.choice(
            [b"", b"\n", b"\n\n"]
        )
        text = spoiled(text, chance)
        valid += check(Treebank.from_bytes(text))
        check(Treebank.from_bytes(text, strict=False))
    assert 0.2 * rounds < valid < 0.8 * rounds


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("blank", [b"\n", b" \t\n", b"\n\n", b"\xe3\x80\x80\n"])
def test_line_ends_and_empty_lines_of_all_kinds(end: bytes, blank: bytes) -> None:
    sentences = b"\xef\xbb\xbf" + blank + (RICH[:-1] + blank) * 40 + RICH.strip()
    assert check(Treebank.from_bytes(sentences.replace(b"\n", end)))


class Trickle(io.BytesIO):
    """A stream of which a few bytes arrive at a time."""

    def __init__(self, content: bytes, size: Callable[[], int]) -> None:
        super().__init__(content)
        self._size = size

    def seekable(self) -> bool:
        return False

    def read1(self, size: int | None = -1, /) -> bytes:
        return self.read(self._size())


def test_passages_are_the_same_however_the_bytes_arrive() -> None:
    chance = random.Random(1)
    text = b"\xef\xbb\xbf" + (SAMPLE + RICH).replace(b"\n\n", b"\n \t\n").replace(b"\n", b"\r\n")
    for _ in range(20):
        found = [*filter(None, passages(Trickle(text, lambda: chance.choice([1, 2, 3, 50, 5000])), "x"))]
        assert b"".join(passage.content for passage in found) == text[3:].replace(b"\r\n", b"\n")
        assert [passage.first_line for passage in found[1:]] == [
            passage.first_line + passage.content.count(b"\n") for passage in found[:-1]
        ]
        assert all(passage.content.endswith(b"\n \t\n") for passage in found)


def test_a_byte_order_mark_is_none_behind_the_first_passage() -> None:
    content = (b"\xef\xbb\xbf" + RICH) * 100
    found = [*filter(None, passages(io.BytesIO(content), "x"))]
    assert len(found) > 1
    assert b"".join(passage.content for passage in found) == content[3:]


def test_sentences_come_when_they_have_arrived() -> None:
    sentence = b"1\tHi\n\n"
    found = [*passages(Trickle(sentence * 2, lambda: len(sentence)), "x")]
    assert found == [None, Passage("x", 1, sentence), None, Passage("x", 3, sentence), None]


@pytest.mark.skipif(os.name == "nt", reason="it cannot be told there whether a pipe has more")
def test_what_has_arrived_in_a_pipe_is_read_at_once() -> None:
    read, write = os.pipe()
    with open(read, "rb") as stream, open(write, "wb", buffering=0) as sender:
        sender.write(b"x")
        arriving = arriving_bytes(stream, "file")
        assert next(arriving) == b"x"
        assert next(arriving) is None


def test_errors_behind_odd_empty_lines_name_their_own_line() -> None:
    assert not check(Treebank.from_bytes(RICH[:-1] + b"\xe3\x80\x80\n\n\n" + RICH + b"1\n"))


def test_compressed_files_that_are_damaged(tmp_path: Path) -> None:
    path, chance = tmp_path / "damaged.conllu.gz", random.Random(1)
    whole = gzip.compress((SAMPLE + RICH) * 20)
    for _ in range(20):
        damaged = bytearray(whole[: chance.choice([len(whole), chance.randrange(20, len(whole))])])
        damaged[chance.randrange(12, len(damaged))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        for strict in True, False:
            check(Treebank(path, strict=strict))


def test_more_bytes_than_there_are_numbers_for_are_an_error_that_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "long.conllu").write_bytes(RICH)
    monkeypatch.setattr(encoded_text, "_MOST_BYTES", len(RICH))
    with pytest.raises(ConlluError, match=r"long\.conllu:1: more than 4 GiB at once: put an empty line"):
        list(Treebank(tmp_path / "long.conllu"))
