"""The loss of the system of Stanza's parser.

**What is reachable.** Words of the buffer can get any head and any dependents: each of their arcs is built when the
later end is s0. So can roots on the stack, but for one thing: to be attached to a word that has been shifted, a root
has to be s0, or that word, if it is a root itself. Neither will ever be if the root of the whole tree, which stays on
the stack to the end, is above it. So a tree is reachable if and only if the stack is empty, or has an element m such
that

* the roots below m get heads from the buffer, m itself or a root above m; and
* m is the root of the whole tree; or that is a word of the buffer that comes after a word t, and m is s0 when t has
  been shifted and all above m is gone, for that has heads up to t. (Now, t is the last word before the buffer.)

**The loss.** For each m and t, these are conditions on the heads of single words, and a maximum spanning tree is the
best tree that meets them. Where gold heads for all words that have none meet one of the conditions, it is not looked
for.

In the following configuration, the tree in which 1 is the head of 2, and 3 the root, can be built no longer: to be
attached to 1, word 2 would have to be s0, but 3 stays above it.

>>> from deptrees import DependencyTree
>>> from deptrees.transition import Shift, StanzaAttach
>>> words = ["He", "sings", "well"]
>>> cfg = Shift()(Shift()(Shift()(StanzaAttach().initial(words))))
>>> [StanzaAttachLoss()(cfg, DependencyTree(zip(heads, words))) for heads in [(2, 0, 2), (0, 1, 1), (3, 1, 0)]]
[0, 0, 1]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from deptrees.transition.losses.arc_costs import ArcCosts, TargetsLoss, best_tree, cost_to_come, gold_costs
from deptrees.transition.transitions import Transition
from deptrees.trees.heads import count_cycles
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.stanza_attach import StanzaAttachConfiguration

__all__ = ["StanzaAttachLoss"]

_Choices = Callable[[int], range | set[int]]
"""The heads that a word may get."""


class StanzaAttachLoss(TargetsLoss["StanzaAttachConfiguration"]):
    """The loss of the system of Stanza's parser, exact for every gold tree."""

    def targets(self, cfg: StanzaAttachConfiguration, tree: DependencyTree) -> Sequence[int | None]:
        return [gold if head is None else head for head, gold in zip(cfg.heads, tree.heads, strict=True)]

    def given_up(self, cfg: StanzaAttachConfiguration, tree: DependencyTree, targets: Sequence[int | None]) -> int:
        return 0 if _is_reachable(targets, cfg) else self.cost_to_come(cfg, gold_costs(tree.heads))

    def must_give_up(self, cfg: StanzaAttachConfiguration, tree: DependencyTree, targets: Sequence[int | None]) -> bool:
        return not _is_reachable(targets, cfg) and (tree.is_annotated or self.given_up(cfg, tree, targets) > 0)

    def free(self, cfg: StanzaAttachConfiguration, tree: DependencyTree) -> Iterable[Transition]:
        now = self(cfg, tree)
        return [transition for transition in cfg.possible_transitions() if self.is_free(transition, cfg, tree, now)]

    def cost_to_come(self, cfg: StanzaAttachConfiguration, costs: ArcCosts) -> int:
        if cfg.is_final:
            return 0
        elements = range(len(cfg.heads) + 1)
        best = best_tree(cfg, costs, lambda word: elements)
        if not _is_reachable(best, cfg):
            found = (best_tree(cfg, costs, choices) for choices in _conditions(cfg))
            return min(cost_to_come(cfg, heads, costs) for heads in found)
        return cost_to_come(cfg, best, costs)


def _is_reachable(heads: Sequence[int | None], cfg: StanzaAttachConfiguration) -> bool:
    """Whether some heads, of which those that a configuration has are a part, make a tree that it can become."""
    if None in heads or heads.count(0) != 1 or count_cycles(heads):
        return False
    words = [(word, heads[word - 1]) for word in (*cfg.stack, *cfg.buffer)]
    return cfg.is_final or any(all(head in choices(word) for word, head in words) for choices in _conditions(cfg))


def _conditions(cfg: StanzaAttachConfiguration) -> Iterator[_Choices]:
    """The conditions on the heads of words of which those of some m and t must hold."""
    stack, n, last = cfg.stack, len(cfg.heads), cfg.front - 1
    if not stack:
        yield lambda word: range(n + 1)
    for place, m in enumerate(stack):
        above = {*stack[place:], *cfg.buffer}
        yield _under_root(m, above, n)
        for t in range(last, n)[: 1 if m == stack[-1] else None]:
            yield _under_later_root(m, above, t, n)


def _under_root(m: int, above: set[int], n: int) -> _Choices:
    """Those of trees with the root m."""
    return lambda word: {0} if word == m else above if word < m else range(1, n + 1)


def _under_later_root(m: int, above: set[int], t: int, n: int) -> _Choices:
    """Those of trees whose root comes after the word t, after which m is s0."""

    def choices(word: int) -> range | set[int]:
        if word < m:
            return above
        return range(1, (n if word == m else t) + 1) if word <= t else range(n + 1)

    return choices
