"""How often the oracle that spaCy ships is wrong, against exact costs: in all configurations of a few words.

python benchmarks/shipped_oracles.py

Needs spaCy. Gold trees are the projective ones with a single root, and there is no Break. Costs of spaCy's that are
negative count as 0.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from measuring import arguments
from spacy.pipeline._parser_internals.arc_eager import ArcEager
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from deptrees import DependencyTree, projective_trees
from deptrees.transition import LeftArc, Reduce, RightArc, Shift, SpacyArcEager, Transition, cost, reachable

NAMES: dict[Transition, str] = {Shift(): "S", Reduce(): "D", LeftArc(): "L-dep", RightArc(): "R-dep"}
"""What spaCy calls the transitions."""

Costs = dict[Transition, int]


class Shipped:
    """spaCy's transition system and its oracle, through its Python interface."""

    def __init__(self) -> None:
        self._vocab = Vocab()
        self._moves = ArcEager(self._vocab.strings, ArcEager.get_actions())
        self._numbers = {self._moves.class_name(number): number for number in range(self._moves.n_moves)}

    def costs(self, history: Iterable[Transition], possible: Sequence[Transition], tree: DependencyTree) -> Costs:
        """What the possible transitions cost after others, as spaCy says."""
        words = [token.form for token in tree.tokens]
        heads = [word if head == 0 else head - 1 for word, head in enumerate(tree.heads) if head is not None]
        deps = ["dep" if head else "ROOT" for head in tree.heads]
        example = Example.from_dict(Doc(self._vocab, words=words), {"words": words, "heads": heads, "deps": deps})
        [state] = self._moves.init_batch([example.predicted])
        for transition in history:
            self._moves.transition(state, NAMES[transition])
        gold = self._moves.init_gold(state, example)
        gold.update(state)
        numbers = {transition: self._numbers[NAMES[transition]] for transition in possible}
        return {each: max(0, int(self._moves.get_cost(state, gold, number))) for each, number in numbers.items()}


def compare(exact: Costs, shipped: Costs) -> Counter[str]:
    """Where the costs of one pair of a configuration and a gold tree differ."""
    free, called_free = ({each for each, price in costs.items() if price == 0} for costs in (exact, shipped))
    return Counter(
        pairs=1,
        costs=len(exact),
        losing=bool(called_free - free),
        missed=bool(free - called_free),
        none=not called_free,
        different=sum(exact[each] != shipped[each] for each in exact),
    )


def report(n: int) -> None:
    """Two lines for a length: all heads counted, and all but the root's."""
    shipped, found = Shipped(), {"all heads": Counter[str](), "but the root's": Counter[str]()}
    for cfg in reachable(SpacyArcEager(), n):
        possible = cfg.possible_transitions()
        for tree in projective_trees(n) if not cfg.is_final else ():
            if len(tree.roots) == 1:
                theirs = shipped.costs(cfg.history, possible, tree)
                without_root = tree.reattach([head or None for head in tree.heads])
                for name, gold in zip(found, (tree, without_root), strict=True):
                    found[name] += compare({each: cost(each, cfg, gold) for each in possible}, theirs)
    for name, counts in found.items():
        pairs = [counts[what] / counts["pairs"] for what in ("losing", "missed", "none")]
        cells = [f"{share:.1%}" for share in (*pairs, counts["different"] / counts["costs"])]
        print(f"| {n} | {counts['pairs']:,} | {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    parser: Any = arguments(__doc__)
    parser.parse_args()
    print("| words | pairs | counted | losing called free | free not called so | none called free | costs differ |")
    print("|---|---|---|---|---|---|---|")
    for length in (2, 3, 4):
        report(length)
