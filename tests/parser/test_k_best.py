"""The k best trees of a sentence."""

from typing import Any

import pytest

from deptrees import sample_treebank
from deptrees.parser import Parser
from deptrees.transition import ArcEager, Constraints, EasyFirst, System

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))


def test_k_best_gives_different_trees_lazily_and_the_best_one_first(parser: Parser) -> None:
    found = parser.k_best(iter(DEV), 5, beam=5)
    first = next(found)
    everything = [first, *found]
    assert len(everything) == len(DEV)
    for scored in everything:
        assert 1 <= len(scored) <= 5
        assert len({(tree.heads, tree.labels) for tree, _ in scored}) == len(scored)
        assert [score for _, score in scored] == sorted((score for _, score in scored), reverse=True)
    assert [scored[0].tree for scored in everything] == list(parser.parse(DEV, beam=5))
    assert parser.k_best(DEV[0], 5, beam=5) == first
    for k in (1, 5):  # without a beam, the first is what the parser finds greedily
        assert [scored[0].tree for scored in parser.k_best(DEV, k)] == list(parser.parse(DEV))
    assert list(parser.k_best(DEV, 4, threads=3)) == list(parser.k_best(DEV, 4))


@pytest.mark.parametrize(("k", "beam"), [(0, None), (65, None), (1, 65)])
def test_impossible_numbers_of_trees_are_told_at_once(parser: Parser, k: int, beam: int | None) -> None:
    with pytest.raises(ValueError, match=r"(k|beam) is a whole number, "):
        parser.k_best(DEV, k, beam=beam)


@pytest.mark.parametrize("constraints", [{"heads": {1: 4}}, {"heads": {1: (2, 4)}, "spans": [(2, 3)]}])
@pytest.mark.parametrize("system", [ArcEager(root="last"), EasyFirst()], ids=repr)
def test_the_k_best_trees_obey(system: System, constraints: Any) -> None:
    known = Constraints(**constraints)
    parser = Parser.train(TRAIN[:3], system=system, epochs=1)
    found = list(parser.k_best(DEV[:2], k=3, beam=8, constraints=lambda _: known))
    assert max(map(len, found)) > 1
    assert not any(known.broken_by(tree.heads) for trees in found for tree, _ in trees)
    [parsed] = parser.parse(DEV[:1], beam=8, constraints=lambda _: known)
    assert parsed == found[0][0].tree
