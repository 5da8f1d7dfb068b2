"""The engine and the functional layer side by side, and what else tests of the engine share."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from deptrees import DependencyTree, Token, random_projective_tree
from deptrees.engine import Model
from deptrees.engine import train as train_any
from deptrees.engine.code.features import compile_places
from deptrees.engine.code.system import SystemCode, compile_system
from deptrees.engine.core import Derivations
from deptrees.engine.spec import ModelSpec
from deptrees.features import MORPHOLOGICAL, Node, Templates
from deptrees.training import Update
from deptrees.transition import Configuration, StackBufferConfiguration, StackBufferSystem, Transition
from deptrees.treebanks.columns import Columns
from tests.transition.configurations import random_tree

TEMPLATES = Templates(
    [
        *MORPHOLOGICAL,
        "history1",
        "history2+history4",
        "s0.head.left2.right.deprel",
        "s0.beyond.form+s1.beyond.beyond.upos+b0.beyond.form+b1.left.beyond.beyond.beyond.xpos",
        "b1.right_labels+s2.left_labels",
        "distance(b0,s0.head)",
        "s0.feats.Case+b0.feats",
        "s0.misc.KnownHead+b0.misc.KnownHead",
        "b3.xpos+s4.lemma",
        "s1.right_valency",
        "s0.cluster+b0.cluster+s0.head.cluster",
    ],
    clusters={"u": "1", "v": "2", "w": "1"},
)
LABELS = ("a", "b", "c")


def train(columns: Columns, **options: Any) -> Model:
    """A model of the engine."""
    model = train_any(columns, **options)
    assert isinstance(model, Model)
    return model


class HashedPerceptron:
    """The model that the engine has, in a few lines: a table of weights with a row for each hash."""

    def __init__(self, space: Sequence[Transition], templates: Templates, bits: int) -> None:
        self.columns = {transition: column for column, transition in enumerate(space)}
        self.templates, self.bits = templates, bits
        self.weights = np.zeros((1 << bits, -(-len(space) // 4) * 4), np.float32)

    def __call__(self, configurations: Sequence[Any]) -> Any:
        return [self.weights[self._rows(cfg)].sum(axis=0)[: len(self.columns)] for cfg in configurations]

    def update(self, update: Update) -> None:
        for derivation, by in (update.positive, 1), (update.negative, -1):
            for cfg, transition in derivation:
                np.add.at(self.weights, (self._rows(cfg), self.columns[transition]), by)

    def _rows(self, cfg: Any) -> Any:
        hashes = np.array(self.templates.hashes(cfg), np.uint64)
        return (hashes * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(64 - self.bits)).astype(np.int64)


def in_stack_and_buffer(cfg: Configuration) -> StackBufferConfiguration:
    assert isinstance(cfg, StackBufferConfiguration)
    return cfg


def sentences(count: int, seed: int, longest: int = 12) -> list[DependencyTree]:
    """Projective, non-projective and partially annotated trees over words with all columns."""
    rng = Random(seed)
    trees = []
    for number in range(count):
        n = rng.randint(1, longest)
        tree = random_projective_tree(n, rng) if number % 2 else random_tree(n, rng)
        known = 1.0 if number % 3 else 0.7
        trees.append(
            DependencyTree(
                Token(
                    rng.choice("uvwxyz"),
                    head if rng.random() < known else None,
                    rng.choice([*LABELS, None]),
                    lemma=rng.choice([None, "l", "m"]),
                    upos=rng.choice("NVAD"),
                    xpos=rng.choice([None, "n", "v"]),
                    feats=rng.choice([None, "Case=Nom", "Case=Acc|Number=Sing", "Person=1"]),
                    misc=[None, "KnownHead=left", "SpaceAfter=No|KnownHead=right"][(number + word) % 3],
                )
                for word, head in enumerate(tree.heads)
            )
        )
    return trees


DEPTH = 30
"""How many elements of the stack and of the buffer are compared."""


class Alone:
    """A derivation in the engine that goes forward alone."""

    def __init__(self, derivations: Derivations) -> None:
        self._all = derivations

    @property
    def is_final(self) -> bool:
        return not len(self._all.going)

    @property
    def stack(self) -> tuple[int, ...]:
        """What is on top of the stack."""
        return tuple(position for position in self._positions()[DEPTH - 1 :: -1] if position >= 0)

    @property
    def buffer(self) -> tuple[int, ...]:
        """What is at the front of the buffer."""
        return tuple(position for position in self._positions()[DEPTH:] if position >= 0)

    def _positions(self) -> list[int]:
        [positions] = self._all.positions().tolist()
        return positions  # type: ignore[no-any-return]

    @property
    def heads(self) -> tuple[int, ...]:
        return tuple(self._all.arcs(-1)[0].tolist())

    @property
    def labels(self) -> tuple[int, ...]:
        return tuple(self._all.arcs(-1)[1].tolist())

    def possible(self) -> int:
        """The possible rows, as bits."""
        return _bits(self._all.possible())

    def gold(self, oracle: str) -> int:
        """The rows that an oracle names, as bits."""
        return _bits(self._all.gold(oracle))

    def costs(self) -> dict[int, int]:
        """The cost of each possible row."""
        return {row: cost for row, cost in enumerate(self._all.costs()[0].tolist()) if cost >= 0}

    def features(self) -> list[int]:
        [features] = self._all.features().tolist()
        return features  # type: ignore[no-any-return]

    def take(self, row: int, label: int) -> None:
        assert self._all.take(np.array([row]), np.array([label], np.int32)) == -1


def _bits(rows: Any) -> int:
    return sum(1 << int(row) for row in np.flatnonzero(rows))


class Walk:
    """A derivation in the engine and the same one in the functional layer."""

    def __init__(self, system: StackBufferSystem, tree: DependencyTree, engine: Alone, code: SystemCode) -> None:
        self.cfg: Any = system.initial(tree)
        self.tree, self.engine, self.rows = tree, engine, code.transitions

    def take(self, row: int, label: int) -> None:
        kind = self.rows[row]
        transition: Any = kind
        if self.cfg.dependent(kind) is not None:
            transition = type(kind)(LABELS[label] if label >= 0 else None, k=kind.k)  # type: ignore[call-arg, attr-defined]
        self.cfg = transition(self.cfg)
        self.engine.take(row, label)

    def bits(self, transitions: Any) -> int:
        """Transitions, with or without labels, as bits of rows."""
        found = transitions if isinstance(transitions, tuple) else (transitions,)
        bare = {type(one)(k=one.k) if hasattr(one, "k") else one for one in found}
        return sum(1 << number for number, row in enumerate(self.rows) if row in bare)


def derivations(
    system: StackBufferSystem,
    trees: Sequence[DependencyTree],
    templates: Templates = TEMPLATES,
    oracle: str | None = None,
) -> Derivations:
    """Derivations of all trees in the engine, which looks at the ends of stack and buffer, and at features.

    An oracle with a table of its own has to be named.
    """
    columns = Columns.encode(trees)
    compiled, data = ModelSpec(system, templates, LABELS).assemble(columns, oracle)
    places = compile_places([Node(side, index) for side in "sb" for index in range(DEPTH)])
    return Derivations(compiled, data, np.arange(len(trees)), places, with_gold=True)


def walks(
    system: StackBufferSystem,
    trees: list[DependencyTree],
    seed: int,
    astray: float = 1.0,
    templates: Templates = TEMPLATES,
) -> Iterator[Walk]:
    """Walks, at each of their configurations: as often as ``astray`` says in any direction, and else toward gold."""
    rng = Random(seed)
    engine, code = derivations(system, trees, templates), compile_system(system)
    for number, tree in enumerate(trees):
        engine.open(np.array([number]))
        walk = Walk(system, tree, Alone(engine), code)
        yield walk
        while not walk.cfg.is_final:
            rows = walk.engine.possible() if rng.random() < astray else walk.engine.gold("dynamic")
            walk.take(rng.choice([row for row in range(32) if rows >> row & 1]), rng.randrange(-1, len(LABELS)))
            yield walk
