"""Training by iterative parameter mixing: shards of a treebank are learned from separately, and weights averaged.

After each epoch, the shards' weights are averaged, and the next epoch starts from the average (McDonald, Hall & Mann
2010, figure 3). So many processes train a perceptron and exchange only weights, once per epoch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import attrs
import numpy as np
from more_itertools import distribute

from deptrees.distributed.workers import Runner, Workers
from deptrees.engine.mixing import mix
from deptrees.engine.model import Model
from deptrees.engine.trainer import Trainer
from deptrees.features import FAST, Templates
from deptrees.parser import Parser
from deptrees.training.inputs import EXPLORATION, Exploration, rate_in, whole_number
from deptrees.training.records import DEFAULT_SYSTEM
from deptrees.transition import System
from deptrees.transition.oracles import OracleFunction
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

__all__ = ["train_by_mixing"]

_Result = TypeVar("_Result")


@attrs.frozen
class _Start:
    """What an epoch begins with."""

    model: Model
    oracle: OracleFunction | str | None
    exploration: float
    seed: int
    epoch: int


def train_by_mixing(
    treebank: Iterable[DependencyTree],
    shards: int,
    system: System | type[System] | str = DEFAULT_SYSTEM,
    oracle: OracleFunction | str | None = None,
    epochs: int = 10,
    seed: int = 1,
    *,
    exploration: Exploration = EXPLORATION,
    templates: Templates = FAST,
    beam: int = 1,
    joint: bool = False,
    bits: tuple[int, int] | None = None,
    run: Runner = Workers(),  # noqa: B008  a value
) -> Parser:
    """Train a parser by iterative parameter mixing; see `deptrees.Parser.train` for the arguments that both have.

    The sentences are dealt out to the shards one by one, so that the shards are similar. The parser has the average of
    the weights at all times, in all shards. The result depends on the number of shards, not on who does the work.

    Args:
        treebank: the trees to learn from.
        shards: how many parts to learn from separately.
        system: the transition system, one that the engine can run.
        oracle: an oracle function that the engine has, or its name; by default the one that the system learns best
            from.
        epochs: the number of passes over the treebank.
        seed: determines the order of the sentences and the exploration.
        exploration: how often training continues with the model's prediction.
        templates: what the model looks at.
        beam: how many derivations to follow at a time.
        joint: whether each transition is chosen together with its label.
        bits: the size of the tables of weights (see `deptrees.engine.Shape`), which processes exchange.
        run: who does the work.

    Raises:
        TrainingError: the system can build no tree of some shard.
        WorkerDied: no process survived to the end of its epoch.

    >>> from deptrees import sample_treebank
    >>> parser = train_by_mixing(sample_treebank("train"), shards=2, epochs=2, bits=(14, 12))
    >>> len(list(parser.parse(sample_treebank("dev"))))
    16
    """
    whole_number("shards", shards, 1)
    whole_number("epochs", epochs, 1)
    trees = [*treebank]
    whole = Trainer(trees, system, templates, oracle=oracle, beam=beam, joint=joint, bits=bits)  # knows all labels
    items = [(number, Columns.encode(part)) for number, part in enumerate(distribute(shards, trees))]
    current = average = whole.model()
    for epoch in range(1, epochs + 1):
        start = _Start(current, oracle, rate_in(exploration, epoch), seed, epoch)
        learnt = [_result(found) for found in run(_learn, start, items)]
        current = mix([latest for latest, _ in learnt])
        average = mix([average, mix([averaged for _, averaged in learnt])], [epoch - 1, 1])
    return Parser(average)


def _learn(start: _Start, item: tuple[int, Columns]) -> tuple[Model, Model]:
    """An epoch in a shard: the weights at its end, and their average over the time that it took."""
    number, columns = item
    shape = start.model.shape
    trainer = Trainer(
        columns,
        shape.system,
        shape.templates,
        oracle=start.oracle,
        exploration=(start.exploration,),
        beam=shape.beam,
        joint=shape.joint,
        start=start.model,
        seed=int(np.random.SeedSequence([start.seed, start.epoch, number]).generate_state(1)[0]),
    )
    trainer.epoch()
    return trainer.latest(), trainer.model()


def _result(found: _Result | Exception) -> _Result:
    """What was found, unless it is an error."""
    if isinstance(found, Exception):
        raise found
    return found
