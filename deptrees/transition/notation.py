"""Derivations as records and as tables, in the notation of the literature."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, TypedDict

import attrs

from deptrees.drawing.table import DrawnCell, DrawnColumn, DrawnTable
from deptrees.messages import written
from deptrees.transition.configuration import Configuration
from deptrees.transition.explanation import Arc, explain, lost_arcs
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.losses.work import WORK, limited_work
from deptrees.transition.oracles import OracleNotDefined, cost
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.sequence import OracleSequence, Step

__all__ = [
    "Blank",
    "Choice",
    "ChoiceRecord",
    "DerivationRecord",
    "StepRecord",
    "arcs_in_words",
    "choices",
    "derivation_record",
    "derivation_table",
    "part_column",
]

Blank = Literal["configurations", "transitions", "arcs", "costs"]
"""What an exercise sheet leaves out."""

_TITLES = {"transitions": ("transition",), "arcs": ("adds",), "costs": ("cost", "loses")}
_TO_FILL_IN = DrawnCell("", "blank")


@attrs.frozen
class Choice:
    """A possible transition in a step of a derivation, and what it means.

    Args:
        is_gold: whether the oracle returns it.
        is_taken: whether the derivation continues with it.
        arcs: the arcs that it adds.
        is_wrong: whether any of them is not in the gold tree.
        cost: its cost; ``None`` if that is not wanted, or would take too long to find.
        lost: the gold arcs that it makes unreachable, if its cost is wanted: those in its row of the system's table or,
            if there are none, those that a best tree has before it but not after it.
    """

    transition: Transition
    is_gold: bool
    is_taken: bool
    arcs: tuple[tuple[int, int], ...]
    is_wrong: bool
    cost: int | None
    lost: tuple[Arc, ...]


def choices(step: Step, tree: DependencyTree, *, costs: bool = False) -> tuple[Choice, ...]:
    """The possible transitions of a step, each with its meaning for the gold tree; costs and lost arcs if wanted.

    >>> from deptrees.transition import ArcHybrid, Oracle, dynamic_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> _, step, *_ = Oracle(ArcHybrid(), dynamic_oracle)(tree).steps()
    >>> for choice in choices(step, tree, costs=True):
    ...     print(choice.transition, choice.cost, choice.arcs, choice.lost)
    LeftArc() 0 ((2, 1),) ()
    RightArc() 1 ((0, 1),) ((2, 1),)
    Shift() 2 () ((2, 1), (0, 2))
    """
    found = [*step.possible, *([] if step.taken in step.possible else [step.taken])]
    return tuple([_choice(transition, step, tree, costs) for transition in found])


def _choice(transition: Transition, step: Step, tree: DependencyTree, costs: bool) -> Choice:
    cfg, arcs = step.config, step.config.added_arcs(transition)
    wrong = not all(cfg.system.is_gold_arc(arc, tree) for arc in arcs)
    price, lost = _price(transition, cfg, tree) if costs else (None, ())
    return Choice(transition, transition in step.gold, transition == step.taken, arcs, wrong, price, lost)


def _price(transition: Transition, cfg: Configuration, tree: DependencyTree) -> tuple[int | None, tuple[Arc, ...]]:
    """The cost and the lost arcs, if they can be found with some work."""
    try:
        with limited_work(WORK):
            price = cost(transition, cfg, tree)
            told = {arc for arcs in lost_arcs(transition, cfg, tree).values() for arc in arcs} if price else set()
            given_up = explain(transition, cfg, tree).given_up if price and not told else ()
            return price, tuple(sorted(told, key=itemgetter(1))) or given_up
    except (LossNotFound, OracleNotDefined):
        return None, ()


class _Choice(TypedDict):
    transition: str | None
    gold: bool | None
    taken: bool | None
    arcs: Sequence[Arc] | None
    wrong: bool | None


class ChoiceRecord(_Choice, total=False):
    """A possible transition, as data for JSON; what an exercise sheet leaves out is ``null``.

    Args:
        transition: its name with its parameters.
        gold: whether the oracle returns it.
        taken: whether the derivation continues with it.
        arcs: the arcs that it adds, as pairs of head and dependent.
        wrong: whether any of them is not in the gold tree.
        cost: its cost, ``null`` if it would take too long to find; missing if it is not wanted.
        lost: the gold arcs that it makes unreachable; missing if the cost is.
    """

    cost: int | None
    lost: Sequence[Arc] | None


class StepRecord(TypedDict):
    """A configuration of a derivation, as data for JSON; what an exercise sheet leaves out is ``null``.

    Args:
        configuration: its parts, by the symbols of the literature.
        heads: the head of each word so far.
        labels: the label of each word so far.
        transitions: the possible transitions; none in the final configuration.
    """

    configuration: Mapping[str, object] | None
    heads: Sequence[int | None] | None
    labels: Sequence[str | None] | None
    transitions: Sequence[ChoiceRecord]


class DerivationRecord(TypedDict):
    """A derivation, as data for JSON.

    Args:
        sent_id: the comment of this name, if the tree has one.
        words: the forms.
        heads: the gold head of each word.
        labels: the gold label of each word.
        system: the transition system.
        oracle: the function that returns gold transitions.
        steps: each configuration; the last one is final.
    """

    sent_id: str | None
    words: Sequence[str]
    heads: Sequence[int | None]
    labels: Sequence[str | None]
    system: str
    oracle: str
    steps: Sequence[StepRecord]


def derivation_record(
    sequence: OracleSequence, *, costs: bool = False, blank: Collection[Blank] = ()
) -> DerivationRecord:
    """A derivation as data for JSON: positions instead of words, and all possible transitions of each step.

    The last step is the final configuration. Costs and lost arcs are found if ``costs`` is true. What is ``blank`` is
    ``None``; the initial configuration never is.

    >>> from deptrees.transition import ArcHybrid, Oracle, static_oracle, typed
    >>> tree = DependencyTree([(0, "Sing", "root")])
    >>> record = derivation_record(Oracle(ArcHybrid(), static_oracle, typed)(tree))
    >>> record["system"], record["oracle"], len(record["steps"])
    ("ArcHybrid(root='first')", 'static_oracle', 3)
    >>> record["steps"][1]["configuration"]
    {'σ': (0, 1), 'β': ()}
    >>> record["steps"][1]["transitions"]
    [{'transition': "RightArc('root')", 'gold': True, 'taken': True, 'arcs': ((0, 1),), 'wrong': False}]
    """
    tree = sequence.tree
    has_heads = {*blank} <= {"costs"}  # for they tell all but the costs
    return {
        "sent_id": tree.sent_id,
        "words": [token.form for token in tree],
        "heads": tree.heads,
        "labels": tree.labels,
        "system": repr(sequence.oracle.system),
        "oracle": written(sequence.oracle.function),
        "steps": [
            {
                "configuration": cfg.parts if shown else None,
                "heads": cfg.heads if has_heads or not number else None,
                "labels": cfg.labels if has_heads or not number else None,
                "transitions": [_choice_record(choice, costs, blank) for choice in found],
            }
            for number, (cfg, found, shown) in enumerate(_walk(sequence, costs, blank))
        ],
    }


def _choice_record(choice: Choice, costs: bool, blank: Collection[Blank]) -> ChoiceRecord:
    is_told, has_arcs, is_priced = [name not in blank for name in ("transitions", "arcs", "costs")]
    has_arcs &= is_told  # for they tell it
    record: ChoiceRecord = {
        "transition": repr(choice.transition) if is_told else None,
        "gold": choice.is_gold if is_told else None,
        "taken": choice.is_taken if is_told else None,
        "arcs": choice.arcs if has_arcs else None,
        "wrong": choice.is_wrong if has_arcs else None,
    }
    if not costs:
        return record
    return {**record, "cost": choice.cost if is_priced else None, "lost": choice.lost if is_priced else None}


def _walk(
    sequence: OracleSequence, costs: bool, blank: Collection[Blank]
) -> Iterator[tuple[Configuration, tuple[Choice, ...], bool]]:
    """Each configuration with its choices and whether it is shown; the final one, which has no choices, too."""
    cfg, shown = sequence.oracle.system.initial(sequence.tree), True
    for step in sequence.steps():
        yield step.config, choices(step, sequence.tree, costs=costs), shown
        cfg, shown = step.taken(step.config), "configurations" not in blank
    yield cfg, (), shown


def derivation_table(
    sequence: OracleSequence,
    *,
    arcs: bool = False,
    costs: bool = False,
    blank: Collection[Blank] = (),
    title: str = "",
) -> DrawnTable:
    """A derivation as a table: a configuration in each step, and the gold transitions there.

    If there is a choice, the transition taken is emphasized.

    Args:
        sequence: the derivation.
        arcs: whether to show which arc a transition adds; ✗ says that it is not a gold arc.
        costs: whether to show all possible transitions with what they cost, or ``?`` if that would take too long to
            find, and the gold arcs that they lose.
        blank: what is left for students to fill in; the initial configuration is always shown.
        title: the title above it.

    >>> from deptrees.transition import ArcEager, Oracle, static_oracle
    >>> sequence = Oracle(ArcEager(root="last"), static_oracle)(DependencyTree([(2, "Birds"), (0, "sing")]))
    >>> print(derivation_table(sequence, costs=True).text())
       σ  β                transition    cost  loses
    -  -----  ---------------  ------------  ----  -------------------------
    1         Birds sing ROOT  ▸ Shift()     0
    2  Birds  sing ROOT        ▸ LeftArc()   0
                                 RightArc()  2     sing → Birds, ROOT → sing
                                 Shift()     1     sing → Birds
    3         sing ROOT        ▸ Shift()     0
    4   sing  ROOT             ▸ LeftArc()   0
    5         ROOT
    >>> print(derivation_table(sequence, blank=["configurations"]).text())
                  σ  β                transition
    -  ------------  ---------------  ----------
    1                Birds sing ROOT  Shift()
    2  ____________  ____________     LeftArc()
    3  ____________  ____________     Shift()
    4  ____________  ____________     LeftArc()
    5  ____________  ____________
    """
    words = ["ROOT", *[token.form for token in sequence.tree]]
    names = list(sequence.oracle.system.initial(sequence.tree).parts)
    more = ["transition", *["adds"] * arcs, *["cost", "loses"] * costs]
    left_out: dict[str, DrawnCell | str] = {
        title: _TO_FILL_IN for name, titles in _TITLES.items() if name in blank for title in titles
    }
    groups = []
    for number, (cfg, found, is_shown) in enumerate(_walk(sequence, costs, blank), 1):
        shown = [choice for choice in found if costs or choice.is_gold or choice.is_taken]
        cells = [_cells(choice, words, costs or len(shown) > 1) | left_out for choice in shown] or [{}]
        parts = cfg.parts_in_words().values() if is_shown else [_TO_FILL_IN] * len(names)
        starts = [[str(number), *parts], *[[""] * (1 + len(names))] * (len(cells) - 1)]
        rows = zip(starts, cells, strict=True)
        groups.append([[*start, *[row.get(title, "") for title in more]] for start, row in rows])
    columns = [DrawnColumn("", "right"), *map(part_column, names), *map(DrawnColumn, more)]
    return DrawnTable([attrs.evolve(column, group=title) for column in columns], groups)


def part_column(name: str) -> DrawnColumn:
    """The column for a part of configurations, such as σ; it is aligned at the end where transitions work."""
    return DrawnColumn(name, "right" if name in ("σ", "σ'", "λ1") else "left", can_be_cut=True)


def _cells(choice: Choice, words: Sequence[str], is_choice: bool) -> dict[str, DrawnCell | str]:
    """What the columns say of a choice, by their titles."""
    added = arcs_in_words(choice.arcs, words)
    return {
        "transition": DrawnCell(repr(choice.transition), "strong" if is_choice and choice.is_taken else "plain"),
        "adds": DrawnCell(f"{added} ✗", "wrong") if choice.is_wrong else added,
        "cost": "?" if choice.cost is None else str(choice.cost),
        "loses": arcs_in_words(choice.lost, words),
    }


def arcs_in_words(arcs: Iterable[Arc], words: Sequence[str]) -> str:
    """Arcs with forms instead of positions.

    >>> arcs_in_words([(2, 1), (None, 2)], ["ROOT", "Birds", "sing"])
    'sing → Birds, ∅ → sing'
    """
    return ", ".join(f"{'∅' if head is None else words[head]} → {words[dependent]}" for head, dependent in arcs)
