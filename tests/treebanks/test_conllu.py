import io
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
    DependencyTree,
    Token,
    Treebank,
    from_conllu,
    to_conllu,
    to_conllx,
    write_treebank,
)
from deptrees.treebanks.conllu import sentence_texts
from deptrees.trees.tree import TreeItem
from tests.gold_trees import every_treebank, head_vectors
from tests.treebanks.samples import conllu, read

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
    words = [attrs.evolve(token, deps=None, misc=None, form=token.form.replace(" ", "_")) for token in tree]
    assert list(read(text)[0]) == [
        attrs.evolve(word, lemma=word.lemma and word.lemma.replace(" ", "_")) for word in words
    ]


def test_conllx_has_no_spaces_and_no_columns_of_conllu() -> None:
    [tree] = read("1\t10 000\t10 000\tNUM\t_\t_\t0\troot\t0:root\tSpaceAfter=No\n")
    assert to_conllx(tree) == conllu("1 10_000 10_000 NUM _ _ 0 root _ _")


def test_sentences_are_numbered_by_their_first_lines() -> None:
    text = "\n\n" + CONLLX + "\n \n" + RICH + CONLLX.rstrip("\n")
    sentences = list(filter(None, sentence_texts(io.StringIO(text), "x")))
    assert [sentence.first_line for sentence in sentences] == [3, 9, 29]
    assert [sentence.sent_id for sentence in sentences] == [None, "d1-1", None]
    assert "".join(to_conllu(sentence.tree()) for sentence in sentences) == CONLLX + RICH + CONLLX


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
