"""Which target arcs can be built together in Attardi's system (Attardi 2006; Sartorio 2015, section 4.1.6) and MH₄.

**The problem.** LeftArc and RightArc with k connect the top of the stack and the k-th element below it, for k up to the
system's degree. No simple property says which trees can be built this way, so it is tried. One try is enough.

**The invariant.** As soon as a complete word can be attached to its target head, or to any head if it is free, this is
no worse than any other transition. The word is no longer needed; without it, no two elements of the stack are further
apart, so all arcs that could be built over it still can. MH₄ and its relatives have arcs between other places, but this
is so of them, too: if there is an arc between two places, there is one between those that they become when something
between them is gone. A free word can always be attached to a neighbor in its turn.

**The algorithm.** Take a safe arc (`safe_arcs`) if there is one, otherwise Shift. All target arcs can be built if, and
only if, this ends in a final configuration, after at most two steps for each word. A minimal conflict takes as many
tries as it has words, times the logarithm of the number of words; one that was found in another configuration takes a
single try, and is mostly still a conflict.

**Example.** With degree 1 this is arc-standard. It cannot build the arc from *What* to *about* over *discuss*, which
waits for *What*; with degree 2, *about* is attached over it.

>>> from deptrees import DependencyTree
>>> from deptrees.transition import Attardi
>>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
>>> cfg = Attardi(degree=1).initial(tree)
>>> targets = TargetArcs.remaining(cfg, tree.heads)
>>> sorted(BuildableArcs().find_conflict(cfg, targets)())
[1, 5]
>>> BuildableArcs().can_build(Attardi(degree=2).initial(tree), targets)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from deptrees.transition.losses.conflicts import FindConflict, minimal_conflict
from deptrees.transition.losses.target_arcs import TargetArcs, safe_arcs
from deptrees.transition.losses.work import count_work
from deptrees.transition.transitions import Shift

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration

__all__ = ["BuildableArcs", "attardi_conflicts"]

_REMEMBERED = 8  # how many conflicts are looked at again before others are searched for
_STEP = 20  # the work of a step of a try, in units of `limited_work`


class BuildableArcs:
    """Which target arcs of one gold tree can be built together: remembered for all configurations on the way."""

    def __init__(self) -> None:
        self._ends: dict[tuple[int, int, int], bool] = {}
        """Whether tries have succeeded, by the bits of stack, which is in order, buffer and waiting words."""
        self._conflicts: list[frozenset[int]] = []
        """Those found in other configurations, the latest first."""

    def can_build(self, cfg: StackBufferConfiguration, targets: TargetArcs) -> bool:
        """Whether all target arcs can be built together from a configuration."""
        places: list[tuple[int, int, int]] = []
        succeeds: bool | None = None
        now: StackBufferConfiguration | None = cfg
        while now is not None and succeeds is None:
            count_work(_STEP)
            places.append((now.stack_bits, now.buffer_bits, targets.waiting & (now.stack_bits | now.buffer_bits)))
            succeeds = now.is_final or self._ends.get(places[-1])
            now = _best_successor(now, targets) if succeeds is None else now
        self._ends.update(dict.fromkeys(places, bool(succeeds)))
        return bool(succeeds)

    def find_conflict(self, cfg: StackBufferConfiguration, targets: TargetArcs) -> Callable[[], frozenset[int]] | None:
        """``None`` if all target arcs can be built, otherwise a function that finds a conflict."""
        if self.can_build(cfg, targets):
            return None
        return lambda: self._conflict(cfg, targets)

    def _conflict(self, cfg: StackBufferConfiguration, targets: TargetArcs) -> frozenset[int]:
        def is_conflict(words: Iterable[int]) -> bool:
            return not self.can_build(cfg, targets.of(words))

        known = (words for words in self._conflicts if words <= targets.heads.keys() and is_conflict(words))
        found = next(known, None) or minimal_conflict(targets.heads, is_conflict)
        self._conflicts = [found, *[words for words in self._conflicts if words != found]][:_REMEMBERED]
        return found


def _best_successor(cfg: StackBufferConfiguration, targets: TargetArcs) -> StackBufferConfiguration | None:
    """The configuration that a try goes on with, ``None`` if there is none."""
    for _, after in safe_arcs(cfg, targets):
        return after
    return Shift()(cfg) if Shift().is_possible(cfg) else None


def attardi_conflicts() -> FindConflict:
    """A function that finds conflicts between the arcs of one gold tree."""
    return BuildableArcs().find_conflict
