"""Words that look the same are parsed in the same way, and written as they were."""

from unicodedata import normalize

import attrs
import pytest

from deptrees import DependencyTree, Parser, Tagger, Treebank
from deptrees.features import Templates
from deptrees.features.embeddings import Embeddings
from deptrees.transition import ArcHybrid

ROWS = """\
# text = \u00c9t\u00e9 dort l\u00e0
1\t\u00c9t\u00e9\t\u00e9t\u00e9\tNOUN\t_\t_\t2\tnsubj\t_\tX=\u00e9
2\tdort\tdormir\tVERB\t_\t_\t0\troot\t_\t_
3\tl\u00e0\tl\u00e0\tADV\t_\t_\t2\tadvmod\t_\t_

# text = L\u00e0 dort \u00e9t\u00e9
1\tL\u00e0\tl\u00e0\tADV\t_\t_\t2\tadvmod\t_\t_
2\tdort\tdormir\tVERB\t_\t_\t0\troot\t_\t_
3\t\u00e9t\u00e9\t\u00e9t\u00e9\tNOUN\t_\t_\t2\tnsubj\t_\t_

"""
COMPOSED, DECOMPOSED = (normalize(form, ROWS).encode() for form in ("NFC", "NFD"))
TREES, OTHERS = (list(Treebank.from_bytes(content)) for content in (COMPOSED, DECOMPOSED))
FORMS = Templates(["s0.form", "b0.form", "s0.form+b0.form", "s0.lemma"])


def columns(content: bytes, *places: int) -> list[list[str]]:
    rows = [line.split("\t") for line in content.decode().split("\n") if line[:1].isdigit()]
    return [[row[place] for place in places] for row in rows]


@pytest.mark.parametrize("trained_on", [TREES, OTHERS], ids=["composed", "decomposed"])
def test_a_parser_and_a_tagger_see_no_difference(trained_on: list[DependencyTree]) -> None:
    parser = Parser.train(trained_on, templates=FORMS, epochs=3)
    parser = attrs.evolve(parser, tagger=Tagger.train(trained_on, epochs=3))
    composed, decomposed = parser.parse_bytes(COMPOSED), parser.parse_bytes(DECOMPOSED)
    assert columns(composed, 6, 7, 3) == columns(decomposed, 6, 7, 3) == columns(COMPOSED, 6, 7, 3)
    assert columns(decomposed, 1, 9) == columns(DECOMPOSED, 1, 9)
    assert columns(composed, 2) == columns(decomposed, 2) == columns(COMPOSED, 2)


def test_step_by_step_there_is_no_difference_either() -> None:
    for tree, other in zip(TREES, OTHERS, strict=True):
        one, two = (ArcHybrid().initial(found) for found in (tree, other))
        assert FORMS.hashes(one) == FORMS.hashes(two)
        assert FORMS.values(one) == FORMS.values(two)


def test_clusters_and_embeddings_are_found_however_they_are_written() -> None:
    embeddings = Embeddings([normalize("NFD", "\u00e9t\u00e9"), "dort"], [[0.5], [1.0]])
    templates = Templates(
        ["b0.cluster", "b0.embedding"], {normalize("NFD", "\u00e9t\u00e9"): "7"}, embeddings=embeddings
    )
    found = [templates.values(ArcHybrid().initial(tree)) for tree in (TREES[0], OTHERS[0])]
    assert found[0] == found[1]
    assert ("7",) in found[0]
