import io
import pickle
import re
import string
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import (
    ConlluError,
    DependencyTree,
    Token,
    Treebank,
    TreebankWarning,
    TreeError,
    from_conllu,
    to_conllu,
    to_conllx,
    write_treebank,
)
from deptrees.treebanks.conllu import SentenceText, parse_sentence, sentence_faults, sentence_texts
from deptrees.trees.tree import TreeItem
from tests.gold_trees import every_treebank, head_vectors


def conllu(*lines: str) -> str:
    """A sentence in CoNLL-U; columns are separated by blanks in the arguments, comments stay as they are."""
    return "\n".join(line if line.startswith("#") else "\t".join(line.split(" ")) for line in lines) + "\n\n"


def read(text: str) -> list[DependencyTree]:
    return [parse_sentence(sentence) for sentence in filter(None, sentence_texts(io.StringIO(text), "test.conllu"))]


RICH = conllu(
    "# newdoc id = d1",
    "# sent_id = d1-1",
    "# text = Il va au marché, elle à Rome",
    "#no space, no value",
    "0.1 Hé hé INTJ _ _ _ _ 2:discourse CopyOf=2",
    "1 Il il PRON CL Gender=Masc|Person=3 2 nsubj 2:nsubj|7.1:x _",
    "2 va aller VERB V Mood=Ind 0 root 0:root _",
    "3-4 au _ _ _ _ _ _ _ Gloss=to_the",
    "3 à à ADP P _ 5 case 5:case _",
    "4 le le DET D _ 5 det 5:det _",
    "5 marché marché NOUN N Gender=Masc 2 obl 2:obl:à SpaceAfter=No",
    "6 , , PUNCT PUNCT _ 7 punct 7.1:punct _",
    "7 elle elle PRON CL _ 2 conj 7.1:nsubj _",
    "7.1 va aller VERB V _ _ _ 2:conj _",
    "7.2 bien bien ADV ADV _ _ _ 7.1:advmod _",
    "8-9 à_Rome _ _ _ _ _ _ _ _",
    "8 à à ADP P _ 9 case 9:case _",
    "9 Rome Rome PROPN N _ 7 orphan 7.1:obl:à Lang=it|X==y",
    "9.1 . . PUNCT _ _ _ _ 2:punct _",
)


def test_everything_in_a_sentence_is_kept() -> None:
    [tree] = read(RICH)
    assert (tree.sent_id, tree.text) == ("d1-1", "Il va au marché, elle à Rome")
    assert tree.comments == tuple(RICH.splitlines()[:4])
    assert [token.form for token in tree] == ["Il", "va", "à", "le", "marché", ",", "elle", "à", "Rome"]
    assert tree.heads == (2, 0, 5, 5, 2, 7, 2, 9, 7)
    assert tree[1] == Token(
        *("Il", 2, "nsubj"),
        lemma="il",
        upos="PRON",
        xpos="CL",
        feats="Gender=Masc|Person=3",
        deps="2:nsubj|7.1:x",
        id=1,
    )
    assert tree[9].misc == "Lang=it|X==y"
    assert [(before, token.id, token.form) for before, token in tree.extra_tokens] == [
        *[
            (0, "0.1", "Hé"),
            (2, "3-4", "au"),
            (7, "7.1", "va"),
            (7, "7.2", "bien"),
            (7, "8-9", "à_Rome"),
            (9, "9.1", "."),
        ]
    ]
    assert tree.extra_tokens[1][1].misc == "Gloss=to_the"
    assert tree.extra_tokens[2][1].deps == "2:conj"
    assert to_conllu(tree) == RICH


def test_other_heads_leave_all_else_as_it_was() -> None:
    [tree] = read(RICH)
    other = tree.reattach([0, 1, 5, 5, 2, 7, 2, 9, 7])
    pairs = zip(RICH.splitlines(), to_conllu(other).splitlines(), strict=True)
    assert [line.split("\t")[1] for line, changed in pairs if line != changed] == ["Il", "va"]
    assert to_conllu(other.reattach(tree.heads)) == RICH


def test_a_tree_made_by_hand_is_written_with_underscores_for_what_is_missing() -> None:
    tree = DependencyTree([(2, "It", "nsubj"), (None, "is"), Token("so", 0, misc="X=1")], ["# sent_id = 1"])
    assert to_conllu(tree) == conllu(
        "# sent_id = 1", "1 It _ _ _ _ 2 nsubj _ _", "2 is _ _ _ _ _ _ _ _", "3 so _ _ _ _ 0 _ _ X=1"
    )


@pytest.mark.parametrize("column", ["lemma", "upos", "xpos", "feats", "head", "label", "deps", "misc"])
def test_an_underscore_means_that_a_column_is_missing(column: str) -> None:
    [tree] = read("1\ta" + "\t_" * 8 + "\n\n")
    assert getattr(tree[1], column) is None


def test_a_form_may_be_an_underscore_or_contain_blanks() -> None:
    text = "1\t_\t_" + "\t_" * 7 + "\n2\t10 000\t10 000" + "\t_" * 7 + "\n\n"
    [tree] = read(text)
    assert [token.form for token in tree] == ["_", "10 000"]
    assert tree[2].lemma == "10 000"
    assert to_conllu(tree) == text


CONLLX = conllu(
    "1 Cathy Cathy N N eigen|ev 2 su _ _", "2 zag zie V V trans 0 ROOT _ _", "3 hen hen Pron Pron _ 2 obj1 2 obj1"
)


def test_conllx_is_read_and_written() -> None:
    [tree] = read(CONLLX)
    assert tree.heads == (2, 0, 2)
    assert (tree[1].upos, tree[1].xpos, tree[1].feats) == ("N", "N", "eigen|ev")
    assert (tree[3].deps, tree[3].misc) == ("2", "obj1")
    assert to_conllx(tree) == CONLLX


def test_conllx_has_words_only() -> None:
    [tree] = read(RICH)
    text = to_conllx(tree)
    assert [line.split("\t")[0] for line in text.splitlines()] == [*map(str, range(1, 10)), ""]
    assert list(read(text)[0]) == list(tree)


def test_sentences_are_numbered_by_their_first_lines() -> None:
    text = "\n\n" + CONLLX + "\n \n" + RICH + CONLLX.rstrip("\n")
    sentences = list(filter(None, sentence_texts(io.StringIO(text), "x")))
    assert [sentence.first_line for sentence in sentences] == [3, 9, 29]
    assert [sentence.sent_id for sentence in sentences] == [None, "d1-1", None]
    assert "".join(to_conllu(parse_sentence(sentence)) for sentence in sentences) == CONLLX + RICH + CONLLX


FIRST, LAST = conllu("# sent_id = first", "1 a _ _ _ _ 0 _ _ _"), conllu("# sent_id = last", "1 z _ _ _ _ 0 _ _ _")
HUGE = "9" * 5000  # more digits than int() takes

# The rows of a broken sentence, the number of the faulty row, words of the message.
BROKEN: dict[str, tuple[str, int, list[str]]] = {
    "head out of range": (
        conllu("1 a _ _ _ _ 2 _ _ _", "2 b _ _ _ _ 3 _ _ _"),
        2,
        ["head", "word 2", "is 3", "0 to 2"],
    ),
    "negative head": (conllu("1 a _ _ _ _ -1 _ _ _"), 1, ["head", "word '1'", "-1"]),
    "head on itself": (conllu("1 a _ _ _ _ 0 _ _ _", "2 b _ _ _ _ 2 _ _ _"), 2, ["word 2", "its own head"]),
    "cycle": (
        conllu("1 a _ _ _ _ 2 _ _ _", "2 b _ _ _ _ 3 _ _ _", "3 c _ _ _ _ 2 _ _ _"),
        2,
        ["2 ← 3 ← 2", "cycle"],
    ),
    "cycle after a multiword token": (
        conllu("1-2 ab _ _ _ _ _ _ _ _", "1 a _ _ _ _ 2 _ _ _", "2 b _ _ _ _ 1 _ _ _"),
        2,
        ["1 ← 2 ← 1", "cycle"],
    ),
    "repeated id": (conllu("1 a _ _ _ _ 0 _ _ _", "1 b _ _ _ _ 0 _ _ _"), 2, ["id", "'1'", "2 was expected"]),
    "skipped id": (conllu("1 a _ _ _ _ 0 _ _ _", "3 b _ _ _ _ 0 _ _ _"), 2, ["id", "'3'", "2 was expected"]),
    "first id is 2": (conllu("2 a _ _ _ _ 0 _ _ _"), 1, ["id", "'2'", "1 was expected"]),
    "id 0": (conllu("0 a _ _ _ _ 0 _ _ _"), 1, ["id", "'0'", "1 was expected"]),
    "no id": (conllu("_ a _ _ _ _ 0 _ _ _"), 1, ["id", "'_'", "1 was expected"]),
    "id is no number": (conllu("a b _ _ _ _ 0 _ _ _"), 1, ["id", "'a'"]),
    "range backwards": (conllu("2-1 a _ _ _ _ _ _ _ _", "1 a _ _ _ _ 0 _ _ _"), 1, ["'2-1'", "no words"]),
    "huge id": (conllu(f"{HUGE} a _ _ _ _ 0 _ _ _"), 1, ["id"]),
    "missing column": (conllu("1 a _ _ _ _ 0 _ _ _", "2 b _ _ _ _ 1 _ _"), 2, ["10 columns", "found 9"]),
    "a column too many": (conllu("1 a _ _ _ _ 0 _ _ _ _"), 1, ["10 columns", "found 11"]),
    "spaces in place of tabs": ("1 a _ _ _ _ 0 _ _ _\n\n", 1, ["10 columns", "tabs"]),
    "empty form": (conllu("1  _ _ _ _ 0 _ _ _"), 1, ["empty"]),
    "empty head": (conllu("1 a _ _ _ _  _ _ _"), 1, ["empty"]),
    "empty lemma": (conllu("1 a  _ _ _ 0 _ _ _"), 1, ["empty"]),
    "head is no number": (conllu("1 a _ _ _ _ two _ _ _"), 1, ["head", "'two'"]),
    "head is a fraction": (conllu("1 a _ _ _ _ 1.5 _ _ _"), 1, ["head", "'1.5'"]),
    "huge head": (conllu(f"1 a _ _ _ _ {HUGE} _ _ _"), 1, ["head"]),
    "head with zeros": (conllu("1 a _ _ _ _ 00 _ _ _"), 1, ["head", "word '1'", "'00'"]),
    "head with a sign": (conllu("1 a _ _ _ _ +0 _ _ _"), 1, ["head", "'+0'"]),
    "id with zeros": (conllu("01 a _ _ _ _ 0 _ _ _"), 1, ["id", "'01'", "1 was expected"]),
    "comment after a word": (conllu("1 a _ _ _ _ 0 _ _ _", "# text = a"), 2, ["comment", "before the words"]),
    "comment after an empty node": (conllu("0.1 a _ _ _ _ _ _ _ _", "#", "1 a _ _ _ _ 0 _ _ _"), 2, ["comment"]),
    "range beyond the end": (conllu("1-2 a _ _ _ _ _ _ _ _", "1 a _ _ _ _ 0 _ _ _"), 1, ["'1-2'", "1 to 1"]),
    "range after its words": (conllu("1 a _ _ _ _ 0 _ _ _", "1-1 a _ _ _ _ _ _ _ _"), 2, ["'1-1'", "after 0"]),
    "empty node too late": (conllu("1 a _ _ _ _ 0 _ _ _", "0.1 a _ _ _ _ _ _ _ _"), 2, ["'0.1'", "after 0"]),
    "empty node with a head": (conllu("1 a _ _ _ _ 0 _ _ _", "1.1 a _ _ _ _ 7 _ _ _"), 2, ["head 7", "0 to 1"]),
    "no words": ("\n", 0, ["no words"]),
    "only an empty node": (conllu("0.1 a _ _ _ _ _ _ _ _"), 0, ["no words"]),
    "not UTF-8": (conllu("1 a _ _ _ _ 2 _ _ _", "2 \udce9t\udce9 _ _ _ _ 0 _ _ _"), 2, ["0xe9", "UTF-8"]),
    "comment not UTF-8": (conllu("# text = a\udcff", "1 a _ _ _ _ 0 _ _ _"), 1, ["0xff", "UTF-8"]),
}


def write_broken(path: Path, sentence: str, line_end: str = "\n") -> None:
    text = f"{FIRST}\n# sent_id = bad\n{sentence}{LAST}"
    path.write_bytes(text.replace("\n", line_end).encode(errors="surrogateescape"))


@pytest.mark.parametrize(("sentence", "row", "words"), list(BROKEN.values()), ids=BROKEN)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_an_error_says_where_and_what(tmp_path: Path, sentence: str, row: int, words: list[str], line_end: str) -> None:
    path = tmp_path / "broken.conllu"
    write_broken(path, sentence, line_end)
    line = 5 + row  # the first sentence takes lines 1 to 3, line 4 is blank, line 5 is the comment
    reading = iter(Treebank(path))
    assert next(reading).sent_id == "first"
    with pytest.raises(ConlluError) as caught:
        next(reading)
    error = caught.value
    assert (error.file, error.line, error.sent_id) == (str(path), line, "bad")
    assert str(error) == f"{path}:{line}: sentence 'bad': {error.reason}"
    assert [word for word in words if word.lower() not in error.reason.lower()] == []
    assert isinstance(error, ValueError)


@pytest.mark.parametrize("sentence", [sentence for sentence, _, _ in BROKEN.values()], ids=BROKEN)
def test_a_broken_sentence_can_be_skipped(tmp_path: Path, sentence: str) -> None:
    path = tmp_path / "broken.conllu"
    write_broken(path, sentence)
    with pytest.warns(TreebankWarning, match=rf"skipped 1 of 3 sentences.*{re.escape(str(path))}:\d+: sentence 'bad'"):
        assert [tree.sent_id for tree in Treebank(path, strict=False)] == ["first", "last"]


def test_a_sentence_without_a_name_is_found_by_its_line() -> None:
    with pytest.raises(ConlluError, match=r"^test\.conllu:1: the head") as caught:
        read("1\ta\t_\t_\t_\t_\t7\t_\t_\t_\n")
    assert caught.value.sent_id is None


@pytest.mark.parametrize(
    "error", [ConlluError("x.conllu", 3, "s1", "no words"), TreeError(2, "word 2 is its own head")]
)
def test_errors_travel_between_processes(error: ValueError) -> None:
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert vars(twin) == vars(error)


@pytest.mark.parametrize(
    "tree",
    [
        DependencyTree([]),
        DependencyTree([(0, "")]),
        DependencyTree([(0, "a\tb")]),
        DependencyTree([(0, "a\nb")]),
        DependencyTree([(0, "a\rb")]),
        DependencyTree([Token("a", 0, misc="X=1\n")]),
        DependencyTree([(0, "a", "")]),
        DependencyTree([(0, "a\ud800")], comments=["# text = a"]),
        DependencyTree([(0, "a")], comments=["# text = \udcff"]),
        DependencyTree([(0, "a")], extra_tokens=[(0, Token("a\tb", id="1-1"))]),
    ],
    ids=repr,
)
def test_what_the_format_cannot_carry_is_not_written(tree: DependencyTree) -> None:
    with pytest.raises(ValueError, match=r"tab|line|empty|UTF-8|words"):
        to_conllu(tree)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), min_size=1, max_size=6)
COLUMN = TEXT.filter(lambda text: text.strip() and text != "_")


@st.composite
def rich_trees(draw: st.DrawFn) -> DependencyTree:
    optional = st.none() | COLUMN

    def token(head: int | None, id_: int | str) -> Token:
        columns = {name: draw(optional) for name in ("lemma", "upos", "xpos", "feats", "deps", "misc")}
        return Token(draw(COLUMN | st.just("_")), head, draw(optional), **columns, id=id_)

    heads = draw(head_vectors(min_words=1, max_words=4, annotated=False))
    extra_tokens: list[tuple[int, Token]] = []
    for before in range(len(heads) + 1):
        extra_tokens += [(before, token(None, f"{before}.{n}")) for n in range(1, 1 + draw(st.integers(0, 2)))]
        if before < len(heads) and draw(st.booleans()):
            extra_tokens.append((before, token(None, f"{before + 1}-{len(heads)}")))
    comments = ["#" + comment for comment in draw(st.lists(st.just("") | TEXT, max_size=3))]
    return DependencyTree([token(head, word) for word, head in enumerate(heads, 1)], comments, extra_tokens)


@given(st.lists(rich_trees(), max_size=3))
def test_written_trees_are_read_back(trees: list[DependencyTree]) -> None:
    text = "".join(map(to_conllu, trees))
    assert read(text) == trees


ODD = [None, True, 0, 1, 9, -1, 0.0, np.int64(1), np.bool_(True), "", "_", "#", " ", "1", "00", "a\tb", "a\n", "\r"]
ODD += [
    "\x85",
    "\u2028",
    "\ufeff",
    "\udcff",
    "\0",
    "# x",
    "#\r",
    "#\x0b",
    "1-1",
    "1-2",
    "2-1",
    "0.1",
    "1.1",
    "01.1",
    "1.0",
]


@given(rich_trees(), st.data())
def test_a_tree_with_an_odd_value_is_not_made_or_not_written_or_read_back(
    tree: DependencyTree, data: st.DataObject
) -> None:
    odd: Any = data.draw(st.sampled_from(ODD))
    parts: dict[str, list[Any]] = {name: list(getattr(tree, name)) for name in ("tokens", "comments", "extra_tokens")}
    name = data.draw(st.sampled_from([name for name, part in parts.items() if part]))
    part = parts[name]
    number = data.draw(st.integers(0, len(part) - 1))
    column = data.draw(st.sampled_from([field.name for field in attrs.fields(Token)]))
    with suppress(ValueError, TypeError):
        if name == "tokens":
            part[number] = attrs.evolve(part[number], **{column: odd})
        elif name == "comments":
            part[number] = odd
        else:
            before, token = part[number]
            moved = data.draw(st.booleans())
            part[number] = (odd, token) if moved else (before, attrs.evolve(token, **{column: odd}))
        made = DependencyTree(**parts)
        text = to_conllu(made)
        assert read(text) == [from_conllu(text)] == [made]
        assert repr(from_conllu(text)) == repr(made)
        assert repr(from_conllu(text).extra_tokens) == repr(made.extra_tokens)


@pytest.mark.parametrize(
    ("tokens", "columns"),
    [
        ([Token("a", 0, label="_", lemma="_", upos="_", xpos="_", feats="_", deps="_", misc="_")], {}),
        ([(0, "a", "_")], {}),
        ([Token("a", 0).with_misc({})], {}),
        ([(np.int64(0), "a")], {}),
        ([(2, "a"), (0, "b")], {"extra_tokens": [(0, Token("ab", id="1-2")), (2, Token("c", 1, id="2.1"))]}),
        ([(None, "_")], {"extra_tokens": [(0, Token("_", id="0.1")), (0, Token("x", id="1-1"))]}),
    ],
    ids=repr,
)
def test_what_is_constructed_is_read_back(tokens: list[TreeItem], columns: dict[str, Any]) -> None:
    tree = DependencyTree(tokens, **columns)
    assert from_conllu(to_conllu(tree)) == tree
    assert repr(from_conllu(to_conllu(tree))) == repr(tree)


@given(st.lists(rich_trees(), max_size=3), st.sampled_from(["x.conllu", "x.conllu.gz"]))
def test_written_files_are_read_back(trees: list[DependencyTree], name: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        assert write_treebank(path, trees) == len(trees)
        assert list(Treebank(path)) == trees


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u3000", "\x85", "\x1f"], ids=ascii)
def test_blanks_at_the_end_of_the_last_row_are_kept(blank: str) -> None:
    text = f"1\ta{blank}\t_\t_\t_\t_\t0\troot\t_\tGloss=a{blank}\n\n"
    [tree] = read(text)
    assert (tree[1].form, tree[1].misc) == (f"a{blank}", f"Gloss=a{blank}")
    assert to_conllu(tree) == text


FUZZ_COLUMN = st.sampled_from(
    [
        "_",
        "",
        "0",
        "1",
        "2",
        "3",
        "-1",
        "1-2",
        "2-1",
        "1.1",
        "0.1",
        "1-",
        "٣",
        "1e3",
        "+1",
        "01",
        "#",
        " ",
        "\ud800",
    ]
) | st.text(string.printable, max_size=3)
FUZZ_ROW = st.lists(FUZZ_COLUMN, min_size=10, max_size=10).map("\t".join) | st.lists(FUZZ_COLUMN).map("\t".join)


@given(st.lists(FUZZ_ROW, max_size=4), st.booleans())
def test_whatever_the_text_the_answer_is_a_tree_or_a_conllu_error(lines: list[str], numbered: bool) -> None:
    if numbered:
        lines = [f"{number}\t{line.partition(chr(9))[2]}" for number, line in enumerate(lines, 1)]
    with suppress(ConlluError):
        assert all(map(len, read("\n".join(lines))))


@every_treebank
def test_real_treebanks_come_back_byte_by_byte(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    count = write_treebank(copy, Treebank(path))
    original = path.read_bytes()
    assert count == original.count(b"\n\n")
    assert copy.read_bytes() == original


def test_a_sentence_is_read_from_its_text() -> None:
    [tree] = read(RICH)
    for text in (RICH, RICH.strip(), "\n\n" + RICH + "\n \n", RICH.replace("\n", "\r\n")):
        assert from_conllu(text) == tree
    assert to_conllu(from_conllu(RICH)) == RICH


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "<text>:1: there is no sentence"),
        ("\n \n", "<text>:1: there is no sentence"),
        (conllu("1 Go _ _ _ _ 0 root _ _") * 3, "<text>:3: a second sentence begins here"),
        (conllu("1 Go _ _ _ _ 2 root _ _"), "<text>:1: the head of word 1 is 2"),
        ("train.conllu", "<text>:1: expected 10 columns, found 1: columns are separated by tabs"),
    ],
)
def test_what_is_not_one_sentence_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConlluError, match=f"^{re.escape(message)}"):
        from_conllu(text)


def test_every_line_with_a_bad_byte_is_a_fault() -> None:
    line = "1\tna\udcefve" + "\t_" * 8
    faults = sentence_faults(SentenceText("x", 1, (line, line.replace("1", "2"))))
    assert [(fault.line, "byte 0xef at character 5" in fault.reason) for fault in faults] == [(1, True), (2, True)]


def test_plain_text_is_suspected_only_where_there_is_no_tab() -> None:
    for line, expected in ("It is", True), ("1\tIt", False):
        with pytest.raises(ConlluError) as error:
            from_conllu(line)
        assert ("plain text" in str(error.value)) is expected
