"""Two layers, one meaning: the functional layer and the arrays of the engine, side by side.

    python -m proof.layers                              # 20 random walks with each system
    python -m proof.layers --walks 16130                # a million with all systems
    python -m proof.layers --treebanks --every 1        # all sentences of the treebanks, with each system
    python -m proof.layers --walks 1000 --systems ArcEager Attardi

Random walks go through random trees of up to twelve words, most of them of up to four, annotated in full or in part, in
any direction or toward the gold tree: stack, buffer, arcs, labels, possible transitions, what each attaches and what
it costs and the oracles are compared in every step, and the features in each eighth, for many walks at once. The same
is compared in treebanks, which are looked for where tests look for them: derivations go toward the gold tree, and off
the path now and then, and the variants of a system take turns, 32 sentences each. Where words swap, derivations stay on
the path there, and costs and the oracles that need them are left out.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import cycle, groupby
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from deptrees import DependencyTree, Treebank
from deptrees.engine.code.system import compile_system
from deptrees.transition import cost
from deptrees.transition.labels import typed
from deptrees.transition.systems.registry import REGISTRY
from proof.names import one_of
from proof.processes import in_processes
from tests.engine.engine import DEPTH, LABELS, TEMPLATES, derivations, sentences
from tests.gold_trees import TREEBANK_FILES
from tests.transition.configurations import ATTARDI_SYSTEMS, SEARCHED

__all__ = ["SYSTEMS", "VARIANTS", "Agreement", "main", "on_treebank", "on_treebanks", "on_walks"]

SYSTEMS: list[Any] = [
    system for registered in REGISTRY.values() if registered.is_compiled for system in registered.variants
]
"""Every system that the engine runs, with all of its options."""
VARIANTS = {name: [*variants] for name, variants in groupby(SYSTEMS, lambda system: type(system).__name__)}
"""The same by the names of the systems."""
_AT_ONCE = 32
"""How many walks go together: losses remember what they found out about so many trees."""
_LONGEST = (4, 4, 4, 6, 12)
"""How many words the trees of some walks have at most."""
_FEATURES_EVERY = 8
"""In one of how many steps features are compared, for they take longer than all else."""
_OWN_TABLES = ("static_lazy_swap", "static_dynamic")
"""The oracles that the engine has tables of their own for."""
_WITHOUT_COSTS = ("static_prefer_shift", *_OWN_TABLES, "static")
_ORACLES = (*_WITHOUT_COSTS, "nondeterministic", "dynamic")
_Compared = tuple[str, list[Any], list[Any], list[int]]
"""What is compared: its name, the rows of the engine and of configurations, the numbers of the walks they are of."""


@attrs.frozen
class Agreement:
    """What came of comparing the layers.

    Args:
        system: the system, or its name if its variants took turns.
        derivations: how many derivations were compared.
        steps: how many steps they had.
        findings: where the layers differ.
    """

    system: str
    derivations: int
    steps: int
    findings: tuple[str, ...]


def on_walks(system: Any, count: int, seed: int = 1) -> Agreement:
    """Compare the layers on so many random walks, of which half mostly go toward gold, up to the first difference."""
    walked, steps = 0, 0
    findings: list[str] = []
    while walked < count and not findings:
        chance = random.Random(seed * 1_000_003 + walked)
        longest = min(chance.choice(_LONGEST), 6 if system in [*SEARCHED, *ATTARDI_SYSTEMS] else max(_LONGEST))
        walks = Walks(system, sentences(min(_AT_ONCE, count - walked), chance.randrange(1 << 30), longest))
        walked, findings = walked + len(walks.cfgs), walks.differ(chance, chance.choice([1.0, 0.1]))
        steps += walks.steps
    return Agreement(repr(system), walked, steps, tuple(findings))


def on_treebank(systems: Iterator[Any], path: Path, every: int, seed: int = 1) -> Agreement:
    """Compare the layers on each so-manieth sentence of a treebank, up to the first difference.

    The systems take turns, for as many sentences as go together.
    """
    trees, chance = _trees(path)[seed % every :: every], random.Random(seed)
    followed, steps, name = 0, 0, ""
    findings: list[str] = []
    while followed < len(trees) and not findings:
        system = next(systems)
        name, searched = type(system).__name__, system in SEARCHED
        walks = Walks(system, trees[followed : followed + _AT_ONCE], with_costs=not searched)
        found = walks.differ(chance, 0.0 if searched else 0.1)
        findings = [f"{one} in {path.name} with {system}" for one in found]
        followed, steps = followed + len(walks.cfgs), steps + walks.steps
    return Agreement(name, followed, steps, tuple(findings))


def on_treebanks(name: str, every: int, seed: int = 1) -> Agreement:
    """Compare the layers on each so-manieth sentence of all treebanks, with the variants of a system in turn."""
    turns = cycle(VARIANTS[name])
    done = [on_treebank(turns, path, every, seed) for path in TREEBANK_FILES]
    findings = [finding for one in done for finding in one.findings]
    followed, steps = sum(one.derivations for one in done), sum(one.steps for one in done)
    return Agreement(name, followed, steps, tuple(findings))


@cache
def _trees(path: Path) -> list[DependencyTree]:
    return list(Treebank(path))


class Walks:
    """Random walks in lock step, in the engine and as configurations.

    Args:
        system: the system.
        trees: the gold trees, with a walk for each.
        with_costs: whether costs are compared, and the oracles that need them. Without, all walks lead to gold trees.
    """

    def __init__(self, system: Any, trees: list[DependencyTree], with_costs: bool = True) -> None:
        self.system, self.trees, self.engine = system, trees, derivations(system, trees)
        self.others = {
            name: derivations(system, trees, oracle=name) for name in _OWN_TABLES if name in system.oracles.names
        }
        self.cfgs: list[Any] = [system.initial(tree) for tree in trees]
        self.space: list[Any] = [*compile_system(system).transitions]
        self.rows = {_unlabeled(transition): row for row, transition in enumerate(self.space)}
        self.oracles = _ORACLES if with_costs else _WITHOUT_COSTS
        self.possible = self.gold = np.empty((0, 0), bool)  # what the engine answered last
        self.taken, self.steps = 0, 0

    @property
    def going(self) -> list[int]:
        """The numbers of those that are not at their end."""
        return [number for number, cfg in enumerate(self.cfgs) if not cfg.is_final]

    def differ(self, chance: random.Random, astray: float) -> list[str]:
        """Go to the end, off the path as often as ``astray`` says; in what the layers differ on the way."""
        findings = self.differences()
        while self.going and not findings:
            self.steps += len(self.going)
            self.go_on(chance, astray)
            findings = self.differences()
        return findings

    def differences(self) -> list[str]:
        """In what the layers differ, array by array; nothing if they do not."""
        going = self.going
        if self.engine.going.tolist() != going:
            return [f"the end at {self.cfgs}"]
        found: list[_Compared] = [(*pair, going) for pair in self._arrays(going)]
        heads, labels = (array.tolist() for array in self.engine.arcs(_NUMBERS["root"]))
        made = [-1 if head is None else head for cfg in self.cfgs for head in cfg.heads]
        given = [_NUMBERS[label] for cfg in self.cfgs for label in cfg.labels]
        of_words = [number for number, tree in enumerate(self.trees) for _ in tree.heads]
        found += [("heads", heads, made, of_words), ("labels", labels, given, of_words), self._features(going)]
        return [self._told(*each) for each in found if each[1] != each[2]]

    def _features(self, going: list[int]) -> _Compared:
        """The features of some of the walks, of others in the next step."""
        some = slice(self.taken % _FEATURES_EVERY, None, _FEATURES_EVERY)
        hashes = [TEMPLATES.hashes(self.cfgs[number]) for number in going[some]]
        return "features", self.engine.features()[some].tolist(), hashes, going[some]

    def _told(self, name: str, ours: list[Any], theirs: list[Any], numbers: list[int]) -> str:
        """The first difference between two arrays, which have rows for walks of these numbers."""
        rows = zip(ours, theirs, numbers, strict=True)
        number = next(number for one, other, number in rows if one != other)
        return f"{name} at {self.cfgs[number]} of {self.trees[number]!r}"

    def _arrays(self, going: list[int]) -> Iterator[tuple[str, list[Any], list[Any]]]:
        """What has a row for each walk that goes on, by name: of the engine, and of configurations."""
        engine, walks = self.engine, [(self.cfgs[number], self.trees[number]) for number in going]
        sides = [[*_top(cfg.stack[::-1]), *_top(cfg.buffer)] for cfg, _ in walks]
        yield "stack and buffer", engine.positions().tolist(), sides
        self.possible = engine.possible()
        possible = [self._named(cfg.possible_transitions()) for cfg, _ in walks]
        yield "possible transitions", self.possible.tolist(), possible
        dependents = [self._of_possible(cfg, _dependent) for cfg, _ in walks]
        yield "dependents", engine.dependents().tolist(), dependents
        if self.oracles is _ORACLES:
            yield "costs", engine.costs().tolist(), [self._of_possible(cfg, cost, tree) for cfg, tree in walks]
        for name in self.oracles:
            if (oracle := getattr(self.system.oracles, name)) is not None:
                named = [self._named(oracle(cfg, tree, typed)) for cfg, tree in walks]
                self.gold = self.others.get(name, engine).gold(name)
                yield f"{name} oracle", self.gold.tolist(), named

    def _named(self, transitions: Any) -> list[bool]:
        """For each row whether it is among some transitions, with or without labels."""
        named = [False] * len(self.space)
        for transition in transitions if isinstance(transitions, tuple) else (transitions,):
            named[self.rows[_unlabeled(transition)]] = True
        return named

    def _of_possible(self, cfg: Any, asked: Callable[..., int], *of: Any) -> list[int]:
        """What is asked of each row, -1 where it is not possible."""
        return [asked(row, cfg, *of) if cfg.is_possible(row) else -1 for row in self.space]

    def go_on(self, chance: random.Random, astray: float) -> None:
        """Take a transition in each: as often as ``astray`` says any possible one, and else what an oracle names."""
        going = self.going
        rows, labels = np.empty(len(going), np.int64), np.empty(len(going), np.int32)
        for at, number in enumerate(going):
            cfg, choice = self.cfgs[number], (self.possible if chance.random() < astray else self.gold)[at]
            rows[at], labels[at] = chance.choice(np.flatnonzero(choice)), chance.randrange(-1, len(LABELS))
            self.cfgs[number] = _labeled(self.space[rows[at]], cfg, labels[at], LABELS)(cfg)
        for engine in (self.engine, *self.others.values()):
            assert engine.take(rows, labels) == -1
        self.taken += 1


_NUMBERS: dict[str | None, int] = {None: -1, **{label: number for number, label in enumerate((*LABELS, "root"))}}
"""The numbers of labels, those that arcs get and the one that systems without ROOT give."""


def _top(elements: tuple[int, ...]) -> list[int]:
    return [*elements[:DEPTH], *[-1] * (DEPTH - len(elements))]


def _dependent(transition: Any, cfg: Any) -> int:
    dependent = cfg.dependent(transition)
    return -1 if dependent is None else dependent


def _unlabeled(transition: Any) -> tuple[type, int]:
    """What a transition is but for its label."""
    return type(transition), getattr(transition, "k", 1)


def _labeled(transition: Any, cfg: Any, label: int, labels: Sequence[str]) -> Any:
    """A transition, with a label if it adds an arc."""
    if cfg.dependent(transition) is None:
        return transition
    return type(transition)(labels[label] if label >= 0 else None, k=transition.k)


def main(arguments: list[str] | None = None) -> int:
    """Compare what the command line names; how many differences there were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--walks", type=int, default=20, help="how many random walks with each system")
    parser.add_argument("--treebanks", action="store_true", help="compare on the treebanks instead")
    parser.add_argument("--every", type=int, default=100, help="each so-manieth sentence of them")
    parser.add_argument("--systems", nargs="*", type=one_of(VARIANTS), help="their names; all, if there are none")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    names = given.systems or [*VARIANTS]
    work: Callable[[Any], Agreement]
    if given.treebanks:
        work, chosen = partial(on_treebanks, every=given.every, seed=given.seed), names
    else:
        work = partial(on_walks, count=given.walks, seed=given.seed)
        chosen = [system for name in names for system in VARIANTS[name]]
    found = 0
    for done in in_processes(work, chosen):
        print(f"{done.system}: {done.derivations:,} derivations, {done.steps:,} steps", flush=True)
        for finding in done.findings:
            print(f"    {finding}", flush=True)
        found += len(done.findings)
    return found


if __name__ == "__main__":
    sys.exit(bool(main()))
