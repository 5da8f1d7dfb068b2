"""How many non-projective trees and lifted arcs come back from projectivizing, and sentences per second.

Every tree is made anew before each repetition, so that whatever a tree remembers is paid for. The best repetition
counts. All sentences of a treebank are timed, projective ones included.

    python benchmarks/pseudo_projectivity.py path/to/grc_proiel-dev.conllu path/to/hu_szeged-dev.conllu
"""

from collections.abc import Callable
from typing import get_args

from measuring import Timer, arguments

from deptrees import DependencyTree, Treebank, is_projective
from deptrees.trees.pseudo_projectivity import Encoding, deprojectivize, projectivize


def sentences_per_second(
    function: Callable[[DependencyTree, Encoding], DependencyTree], trees: list[DependencyTree], encoding: Encoding
) -> float:
    """How many trees the function takes in a second."""

    def work(fresh: list[DependencyTree]) -> None:
        for tree in fresh:
            function(tree, encoding)

    return Timer().rate_with_fresh_trees(f"{function.__name__}, {encoding}", work, trees, len(trees))


def report(path: str) -> None:
    """One line for each encoding."""
    trees = list(Treebank(path))
    non_projective = [tree for tree in trees if not is_projective(tree)]
    print(f"\n{path}: {len(non_projective)} of {len(trees)} trees are not projective")
    print("encoding      trees back           arcs back    projectivize/s  deprojectivize/s")
    for encoding in get_args(Encoding):
        trees_back = arcs_lifted = arcs_back = 0
        for tree in non_projective:
            projective = projectivize(tree, encoding)
            back = deprojectivize(projective, encoding)
            trees_back += back == tree
            for head, lifted_head, head_back in zip(tree.heads, projective.heads, back.heads, strict=True):
                arcs_lifted += lifted_head != head
                arcs_back += lifted_head != head == head_back
        there = sentences_per_second(projectivize, trees, encoding)
        back_again = sentences_per_second(deprojectivize, [projectivize(tree, encoding) for tree in trees], encoding)
        print(
            f"{encoding:9}  {share(trees_back, len(non_projective))}  {share(arcs_back, arcs_lifted)}"
            f"  {there:14,.0f}  {back_again:16,.0f}",
            flush=True,
        )


def share(part: int, whole: int) -> str:
    """The counts and the percentage."""
    return f"{part:5}/{whole:<4} {part / whole if whole else 1:7.2%}"


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("treebanks", nargs="+")
    for treebank in parser.parse_args().treebanks:
        report(treebank)
