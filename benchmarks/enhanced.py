"""ELAS and EULAS of enhanced dependencies that are made of trees, gold ones and those of a parser, beside baselines.

python benchmarks/enhanced.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu --models english.model
"""

from collections.abc import Callable, Iterator, Sequence
from time import process_time

from measuring import Timer, arguments

from deptrees import DependencyGraph, DependencyTree, Treebank, load_parser
from deptrees.enhanced import Enhancer
from deptrees.evaluation import evaluate_enhanced, evaluate_ud
from deptrees.parser import learned_enhancer
from deptrees.treebanks.batch import Batch
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


def report(name: str, gold: list[DependencyTree], batch: Batch, enhancer: Enhancer, timer: Timer) -> None:
    """Print the scores of the baselines and of the enhancer, and how fast it is."""
    trees = batch.trees
    las = evaluate_ud(gold, trees).row("LAS")["f1"]
    print(f"{name}: LAS {las:.2%}, without subtypes of labels")
    for baseline, arcs in BASELINES.items():
        _print_scores(baseline, gold, [tree.with_graph(DependencyGraph(tree, arcs(tree))) for tree in trees])
    _print_scores("learned", gold, enhancer(batch).trees)
    rate = timer.rate("the enhancer", lambda: enhancer(batch).conllu(), batch.n_words, repetitions=3)
    print(f"  from columns to text: {rate:,.0f} words/s of processor time")


def _print_scores(how: str, gold: list[DependencyTree], trees: Sequence[DependencyTree]) -> None:
    scores = evaluate_enhanced(gold, trees)
    elas, eulas = (scores.row(score)["F1"] for score in ("ELAS", "EULAS"))
    print(f"  {how}: ELAS {elas:.2%}, EULAS {eulas:.2%}", flush=True)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--models", nargs="*", default=[], help="of parsers, from gold tokens")
    given = parser.parse_args()
    timer, test = Timer(), list(Treebank(given.test))
    start = process_time()
    learned = learned_enhancer(Treebank(given.train))
    print(f"trained in {process_time() - start:.0f} s of the processor")
    plain = Batch.of([tree.reattach(tree.heads, tree.labels) for tree in test])
    report("gold trees", test, plain, learned, timer)
    for model in given.models:
        report(model, test, load_parser(model)(plain), learned, timer)
