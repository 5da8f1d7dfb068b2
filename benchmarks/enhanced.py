"""ELAS and EULAS of baselines that make enhanced dependencies of trees: gold ones, and those of a parser.

python benchmarks/enhanced.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu
"""

from collections.abc import Callable, Iterator

from measuring import arguments

from deptrees import DependencyGraph, DependencyTree, Parser, Treebank, evaluate
from deptrees.evaluation import evaluate_enhanced
from deptrees.trees.graph import GraphArc

MARKERS = {
    "nmod": ("case",),
    "obl": ("case",),
    "acl": ("mark", "case"),
    "advcl": ("mark", "case"),
    "conj": ("cc",),
}
"""The relations whose labels have the lemma of a dependent, and the relations of that dependent."""


def copied(tree: DependencyTree) -> Iterator[GraphArc]:
    """The arcs of the tree."""
    for word, (head, label) in enumerate(zip(tree.heads, tree.labels, strict=True), 1):
        yield head or 0, word, label


def with_lemmas(tree: DependencyTree) -> Iterator[GraphArc]:
    """The arcs of the tree, with the lemmas of prepositions, of other markers and of conjunctions in the labels."""
    for head, word, label in copied(tree):
        marked = [word]
        if label == "conj":  # of "a, b and c", the conjunction is that of c
            marked = [each for each in tree.dependents(head) if each >= word and tree.labels[each - 1] == "conj"]
        lemmas = [lemma for each in marked for lemma in markers(tree, each, MARKERS.get(label or "", ()))]
        yield head, word, ":".join([label or "_", *lemmas[:1]])


def markers(tree: DependencyTree, word: int, relations: tuple[str, ...]) -> Iterator[str]:
    """The lemmas of the dependents of a word with these relations, each with the words that are fixed to it."""
    for each in tree.dependents(word):
        if tree.labels[each - 1] in relations:
            fixed = [part for part in tree.dependents(each) if tree.labels[part - 1] == "fixed"]
            yield "_".join([(tree[part].lemma or tree[part].form).lower() for part in (each, *fixed)])


BASELINES: dict[str, Callable[[DependencyTree], Iterator[GraphArc]]] = {
    "the tree copied": copied,
    "with lemmas by rule": with_lemmas,
}


def report(name: str, gold: list[DependencyTree], trees: list[DependencyTree]) -> None:
    """Print the scores of the baselines."""
    print(f"{name}: LAS {evaluate(gold, trees).las:.2%}")
    for baseline, arcs in BASELINES.items():
        scores = evaluate_enhanced(gold, [tree.with_graph(DependencyGraph(tree, arcs(tree))) for tree in trees])
        elas, eulas = (scores.row(score)["F1"] for score in ("ELAS", "EULAS"))
        print(f"  {baseline}: ELAS {elas:.2%}, EULAS {eulas:.2%}")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("test")
    given = parser.parse_args()
    test = list(Treebank(given.test))
    report("gold trees", test, test)
    report("predicted trees", test, list(Parser.train(Treebank(given.train)).parse(test)))
