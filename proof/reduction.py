"""The reduction from 3SAT behind the conjecture that losses are NP-hard where words swap, built and replayed.

    python -m proof.reduction                     # 200 formulas
    python -m proof.reduction --formulas 4000

docs/swaps.md describes the construction, says why it is right where that is proved, and names the gap. Here each
formula, in which no clause has a variable twice, becomes words in an order, with their heads. For formulas that can be
satisfied, an explicit order of attachments is replayed; for small ones, the systems themselves go from the initial
configuration to these words and on to the gold tree.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import groupby, pairwise, product
from random import Random
from typing import Any

import attrs

from deptrees import DependencyTree
from deptrees.transition import ArcHybridSwap, ArcStandardSwap, LeftArc, RightArc, Shift, StackBufferSystem, Swap, loss
from deptrees.transition.losses.swaps.contractions import can_be_built_without_stack
from deptrees.transition.losses.target_arcs import TargetArcs

__all__ = [
    "SYSTEMS",
    "attachments",
    "contracted",
    "derived",
    "instance",
    "linked",
    "main",
    "random_formula",
    "replayed",
    "solved",
    "sweepers_agree",
]

Formula = Sequence[Sequence[int]]
"""Clauses of literals: variables are 1, 2, 3, ..., and -1 is the negation of 1."""
Values = Mapping[int, bool]
Words = tuple[int, ...]
_Occurrence = tuple[int, int]  # a clause, and a place in it
_Name = tuple[str, Any]  # K and g of a literal; i, c, a and j of an occurrence

SYSTEMS = ArcStandardSwap(), ArcHybridSwap()


@attrs.frozen
class Instance:
    """Words in an order, and the arcs to build: is there a way without a stack?

    Args:
        order: the words, each by its place in the sentence.
        heads: the head of each word.
        words: the word that stands for each K and g of a literal, and for each i, c, a and j of an occurrence.
    """

    order: Words
    heads: Mapping[int, int]
    words: Mapping[_Name, int]


def linked(formula: Formula, values: Values) -> tuple[list[list[int]], Values]:
    """The same with a variable of its own for each occurrence, and a cycle of implications between those of a variable.

    >>> linked([[1, 2], [1, -2]], {1: True, 2: False})
    ([[-2, 1], [-4, 3], [1, 3], [2, -4], [-1, 2], [-3, 4]], {1: True, 2: True, 3: False, 4: False})
    """
    literals = _literals(formula)
    by_variable = sorted(literals, key=lambda occurrence: abs(literals[occurrence]))
    new = {occurrence: number for number, occurrence in enumerate(by_variable, 1)}
    cycles = [[new[o] for o in own] for _, own in groupby(by_variable, lambda o: abs(literals[o]))]
    back = [[-own[-1], own[0]] for own in cycles if len(own) > 1]
    clauses = [
        [new[c, k] if literal > 0 else -new[c, k] for k, literal in enumerate(clause)]
        for c, clause in enumerate(formula)
    ]
    implications = [[-one, other] for own in cycles for one, other in pairwise(own)]
    return [*back, *clauses, *implications], {new[o]: values[abs(literals[o])] for o in by_variable}


def instance(formula: Formula) -> Instance:
    """The words that a formula becomes, in an order from which all arcs can be built only if it can be satisfied.

    >>> one = instance([[1], [-1]])
    >>> one.order
    (11, 1, 5, 2, 6, 8, 3, 12, 7, 9, 10, 4)
    >>> can_be_built_without_stack((0, *one.order), TargetArcs({**one.heads}))
    False
    """
    literals, following = _literals(formula), _following(formula)
    order, low, middle, high, heads = list[_Name](), list[_Name](), list[_Name](), list[_Name](), dict[_Name, _Name]()
    for variable in sorted({abs(literal) for literal in literals.values()}):
        positive = [occurrence for occurrence, literal in literals.items() if literal == variable]
        negative = [occurrence for occurrence, literal in literals.items() if literal == -variable][::-1]
        goes_back = {o: abs(literals[following[o]]) < variable for o in (*positive, *negative)}
        middle += [(kind, o) for o in negative for kind in "jic"]
        middle += [("g", variable), ("K", -variable), ("K", variable), ("g", -variable)]
        middle += [(kind, o) for o in positive for kind in "icj"]
        low += [("a", o) for o, back in goes_back.items() if not back]
        high += [("a", o) for o, back in goes_back.items() if back]
        for o, back in goes_back.items():
            order += [("c", o)] if back else [("c", o), ("a", o)]
        order += [("g", variable), ("K", variable), *[("j", o) for o in (*negative, *positive)]]
        order += [("K", -variable), ("g", -variable)]
        for o, back in goes_back.items():
            order += [("a", o), ("i", o)] if back else [("i", o)]
            heads |= {("i", o): ("c", o), ("c", o): ("a", o), ("a", o): ("j", following[o])}
            heads["j", o] = "K", -literals[o]
        heads |= {("K", literal): ("g", literal) for literal in (variable, -variable)}
    numbers = {name: number for number, name in enumerate(low + middle + high, 1)}
    return Instance(
        tuple([numbers[name] for name in order]),
        {number: numbers[heads[name]] if name in heads else 0 for name, number in numbers.items()},
        numbers,
    )


def _literals(formula: Formula) -> dict[_Occurrence, int]:
    return {(c, k): literal for c, clause in enumerate(formula) for k, literal in enumerate(clause)}


def _following(formula: Formula) -> dict[_Occurrence, _Occurrence]:
    """The next occurrence in the clause of each, after the last the first."""
    return {(c, k): (c, (k + 1) % len(clause)) for c, clause in enumerate(formula) for k in range(len(clause))}


def attachments(formula: Formula, values: Values) -> list[_Name]:
    """All words but those of ROOT, in the order in which they are attached if the values satisfy a linked formula.

    Dependents come before their heads; what else comes before what, docs/swaps.md lists.

    Raises:
        graphlib.CycleError: there is no such order.
    """
    literals, following = _literals(formula), _following(formula)
    before: dict[_Name, set[_Name]] = {("K", sign * variable): set() for variable in values for sign in (1, -1)}
    before |= {(kind, o): set() for kind in "icaj" for o in literals}
    outward = {o: (abs(literals[following[o]]) < abs(literal)) == (literal > 0) for o, literal in literals.items()}
    for o, literal in literals.items():
        before["c", o].add(("i", o))
        before["a", o].add(("c", o))
        before["j", following[o]].add(("a", o))
        before["K", -literal].add(("j", o))
        is_true = values[abs(literal)] == (literal > 0)
        if is_true:
            before["j", o].add(("K", literal))
        for other, its in literals.items():
            if is_true and its == -literal:
                before["i", other].add(("a", o))
                before["j", o].add(("a", other))
            elif is_true and its == literal and other < o:
                before["j", o].add(("j", other))
                before["i", o] |= {("a", other)} if outward[other] else set()
                before["i", other] |= set() if outward[o] else {("a", o)}
            elif not is_true and its == literal and other >= o:
                before["i", o].add(("j", other))
    sorter, ready, found = TopologicalSorter(before), list[_Name](), list[_Name]()
    sorter.prepare()
    while sorter.is_active():
        ready = sorted([*ready, *sorter.get_ready()], key=lambda name: name[0] in "caK")  # the last is next
        found.append(ready.pop())
        sorter.done(found[-1])
    return found


def contracted(order: Words, word: int, head: int) -> Words:
    """The order in which a word stands next to its head.

    Of the words between the two, only those pass the head that cannot pass the word
    (`deptrees.transition.losses.swaps.contractions`).

    Raises:
        AssertionError: a word can pass neither.

    >>> contracted((3, 1, 2), 3, 2)
    (3, 2, 1)
    """
    start, end = sorted((order.index(word), order.index(head)))
    between, sign = order[start + 1 : end], 1 if order[start] == word else -1
    passing = [other for other in between if sign * other < sign * word]
    assert all(sign * other < sign * head for other in passing), f"{word} cannot be attached to {head} in {order}"
    staying = [other for other in between if sign * other > sign * word]
    together = (*staying, word, head, *passing) if sign == 1 else (*passing, head, word, *staying)
    return (*order[:start], *together, *order[end + 1 :])


def replayed(formula: Formula, values: Values) -> int:
    """Attach everything as `attachments` says, without a stack; how many words there were.

    Raises:
        AssertionError: a word is in the way, or the order of attachments does not tell values that satisfy the formula.
    """
    clauses, chosen = linked(formula, values)
    one, names = instance(clauses), attachments(clauses, chosen)
    order = one.order
    for word in [one.words[name] for name in names]:
        order = tuple([other for other in contracted(order, word, one.heads[word]) if other != word])
    assert not any(one.heads[word] for word in order), f"{formula}: not everything is attached"
    told = {variable: names.index(("K", variable)) < names.index(("K", -variable)) for variable in chosen}
    assert _is_satisfied(clauses, told), f"{formula}: {told}"
    return len(one.order)


def derived(system: StackBufferSystem, formula: Formula, values: Values) -> int:
    """Go from the initial configuration through the instance to the gold tree; how many transitions that takes.

    Raises:
        IllegalTransition: one of them is not possible.
        AssertionError: it leads to another tree.

    >>> derived(ArcHybridSwap(), [[1, 2]], {1: False, 2: True})
    1704
    """
    clauses, chosen = linked(formula, values)
    one = instance(clauses)
    run = _Run(system, one.heads, one.order)
    for word in [one.words[name] for name in attachments(clauses, chosen)]:
        run.attach(word, one.heads[word])
    run.finish()
    assert run.cfg.is_final, f"{formula}: parsing has not come to its end"
    assert run.cfg.heads == run.tree.heads, f"{formula}: it leads to another tree"
    return run.steps


class _Run:
    """A derivation in which words stand in the buffer only, followed by sweepers: each operation takes one of them.

    It begins with exchanges of neighbors until the words are in the order that is given.
    """

    def __init__(self, system: StackBufferSystem, heads: Mapping[int, int], order: Words) -> None:
        n = len(order)
        self.tree = DependencyTree([(heads.get(word, 0), "") for word in range(1, n + 1 + n * (n + 1) // 2)])
        self.cfg: Any = system.initial(self.tree)
        self.steps = 0
        self._n, self._order, self._is_hybrid = n, list(range(1, n + 1)), system == ArcHybridSwap()
        self._rearrange(order)

    def attach(self, word: int, head: int) -> None:
        """Attach a word to its head, next to which it comes by exchanges."""
        goal = contracted(tuple(self._order), word, head)
        self._rearrange(goal)
        left = min(goal.index(word), goal.index(head))
        self._work(LeftArc() if goal[left] == word else RightArc(), left)
        self._order.remove(word)
        self._sweep()

    def _rearrange(self, goal: Words) -> None:
        place = {word: number for number, word in enumerate(goal)}
        for start in range(1, len(goal)):
            for right in range(start, 0, -1):
                one, other = self._order[right - 1 : right + 1]
                if place[one] > place[other]:
                    self._work(Swap(), right - 1)
                    self._order[right - 1 : right + 1] = other, one
                    self._sweep()

    def _work(self, transition: Any, left: int) -> None:
        """Take a transition that joins or exchanges a word and its right neighbor."""
        needs_right = not self._is_hybrid or transition == RightArc()
        self._take(Shift(), left + 1 + needs_right)
        self._take(transition)

    def _sweep(self) -> None:
        """Bring all words back into the buffer: the next sweeper passes them, and stays below them or is attached."""
        while (self.cfg.buffer_position(0) if self._is_hybrid else self.cfg.stack_cells[0]) <= self._n:
            self._take(Shift())
        while 0 < (self.cfg.stack_cells if self._is_hybrid else self.cfg.stack_cells[1])[0] <= self._n:
            self._take(Swap())
        self._take(Shift() if self._is_hybrid else RightArc())

    def finish(self) -> None:
        """Attach what is left to ROOT."""
        left = len(self.cfg.buffer) - self._is_hybrid
        if self._is_hybrid:
            self._take(Shift(), left)
            self._take(LeftArc(), len(self.cfg.stack))
        for _ in range(0 if self._is_hybrid else left):
            self._take(Shift())
            self._take(RightArc())

    def _take(self, transition: Any, times: int = 1) -> None:
        for _ in range(times):
            self.cfg = transition(self.cfg)
        self.steps += times


def sweepers_agree(rng: Random) -> bool:
    """Whether all arcs of random words can be built in both systems if and only if they can be without a stack."""
    n = rng.choice((3, 4))
    order, ranks = (tuple(rng.sample(range(1, n + 1), n)) for _ in range(2))
    heads = {word: rng.choice((0, *ranks[:i])) for i, word in enumerate(ranks)}
    answers = set()
    for system in SYSTEMS:
        run = _Run(system, heads, order)
        sequence = (*order, 0) if system.root == "last" else (0, *order)
        answers.add((can_be_built_without_stack(sequence, TargetArcs(heads)), loss(run.cfg, run.tree) == 0))
    return all(without_stack is in_system for without_stack, in_system in answers)


def solved(formula: Formula) -> Values | None:
    """Values that satisfy a formula; ``None`` if there are none.

    >>> solved([[1, 2], [-1]]), solved([[1], [-1]])
    ({1: False, 2: True}, None)
    """
    variables = sorted({abs(literal) for clause in formula for literal in clause})
    tried = (dict(zip(variables, chosen, strict=True)) for chosen in product((True, False), repeat=len(variables)))
    return next((values for values in tried if _is_satisfied(formula, values)), None)


def random_formula(rng: Random) -> Formula:
    """A formula of two or three variables in each clause, up to eight in all."""
    n = rng.randint(2, 8)
    lengths = [min(rng.choice((2, 3, 3)), n) for _ in range(rng.randint(1, 4 * n))]
    return [[rng.choice((-1, 1)) * v for v in rng.sample(range(1, n + 1), length)] for length in lengths]


def _is_satisfied(formula: Formula, values: Values) -> bool:
    return all(any(values[abs(literal)] == (literal > 0) for literal in clause) for clause in formula)


def main(arguments: list[str] | None = None) -> int:
    """Replay random formulas as the command line says; how many words the largest became."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--formulas", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    rng, sizes = Random(given.seed), list[int]()
    while len(sizes) < given.formulas:
        formula = random_formula(rng)
        if values := solved(formula):
            sizes.append(replayed(formula, values))
    print(f"{len(sizes):,} formulas that can be satisfied, of up to {max(sizes):,} words")
    return max(sizes)


if __name__ == "__main__":
    main()
    sys.exit(0)
