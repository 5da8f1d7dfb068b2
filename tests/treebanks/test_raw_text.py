"""Raw text, and sentences made of it."""

from hypothesis import given
from hypothesis import strategies as st

from deptrees import DependencyTree, Token, from_conllu, sample_treebank
from deptrees.treebanks.raw_text import SurfaceToken, raw_text, sentence_rows, surface_tokens

SPACES = st.text(" \t\r\n\xa0\u2028\x85|\\", max_size=4)


def test_the_raw_text_of_a_sentence_is_its_comment() -> None:
    for tree in sample_treebank("train"):
        assert raw_text([tree]).removesuffix(" ") == tree.text


def test_paragraphs_are_apart() -> None:
    def tree(form: str, *comments: str) -> DependencyTree:
        return DependencyTree([(None, form)], comments)

    trees = [tree("a", "# newdoc id = 1", "# newpar"), tree("b"), tree("c", "# newpar id = x"), tree("d", "#newdoc")]
    assert raw_text(trees) == "a b\n\nc\n\nd "
    assert raw_text([tree("a"), tree("b", "# newpar_text = b", "# text = newpar")]) == "a b "


def test_what_misc_tells_counts() -> None:
    tokens = [Token("a", misc=r"SpacesAfter=\u00a0\s\p\\"), Token("b", misc=r"SpacesBefore=\n|X=y|SpaceAfter=No")]
    assert raw_text([DependencyTree(tokens), DependencyTree([Token("c")])]) == "a\xa0 |\\\nbc "


@given(st.lists(st.tuples(st.text("ab", min_size=1), st.integers(1, 3), SPACES, SPACES), min_size=1))
def test_rows_tell_of_tokens_as_they_are(drawn: list[tuple[str, int, str, str]]) -> None:
    tokens = [SurfaceToken(form, [form] if n == 1 else ["x"] * n, after, before) for form, n, after, before in drawn]
    tree = from_conllu("\n".join(sentence_rows(tokens)))
    [found] = surface_tokens([tree])
    assert found == tokens


def test_spaces_in_a_token_are_those_of_the_text() -> None:
    spaces = {"50 000": r"50\s\s000", "sinh vi\u00ean": "sinh\\nvi\u00ean"}
    tokens = [Token(form, misc=f"SpacesInToken={text}") for form, text in spaces.items()]
    assert raw_text([DependencyTree(tokens)]) == "50  000 sinh\nvi\u00ean "
    [found] = surface_tokens([DependencyTree(tokens)])
    assert [token.words for token in found] == [["50 000"], ["sinh vi\u00ean"]]


def test_rows_tell_where_tokens_are() -> None:
    tokens = [SurfaceToken("du", ["de", "le"], "  ", "\t"), SurfaceToken("caf\u00e9", ["caf\u00e9"], "")]
    rows = [row.split("\t") for row in sentence_rows(tokens, 10)[1:]]
    assert [row[-1] for row in rows] == [
        r"SpacesBefore=\t|SpacesAfter=\s\s|TokenRange=11:13",
        "_",
        "_",
        "SpaceAfter=No|TokenRange=15:19",
    ]
