"""Training with a beam in the engine: its updates are those of the functional layer."""

from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, evaluate, sample_treebank
from deptrees.engine import ModelSpec, Trainer
from deptrees.engine.core import GlobalLearning
from deptrees.features import Templates
from deptrees.parser import Parser
from deptrees.search import BeamSearch, Ranking
from deptrees.training import UPDATE_RULES, GlobalTraining, LinearOptions, TrainingError
from deptrees.transition import (
    ArcEager,
    ArcEagerPartial,
    ArcHybrid,
    ArcStandard,
    ArcStandardSwap,
    Oracle,
    StackBufferSystem,
    dynamic_oracle,
    static_oracle,
)
from deptrees.transition.labels import typed
from deptrees.treebanks.columns import Columns
from tests.engine.engine import LABELS, HashedPerceptron, sentences
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
TEMPLATES = Templates(
    ["s0.form", "b0.form", "s0.form+b0.upos", "s1.upos+s0.deprel", "s0.left_labels", "b1.lemma", "history1"]
)
BITS = 16
UPDATES = list(UPDATE_RULES)


@pytest.mark.parametrize("count", [3, slow(24)])
@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize(
    ("system", "oracle", "labels", "exploration", "time_limit"),
    [
        (ArcHybrid(), "dynamic", (), None, None),
        (ArcHybrid(root="last"), "dynamic", LABELS, 0.0, None),
        (ArcEager(), "dynamic", (), 1.0, None),
        (ArcEager(root="last"), "dynamic", LABELS, 1.0, None),
        (ArcEager(root="last"), "static", (), 0.0, None),
        (ArcEagerPartial(), "dynamic", (), 1.0, None),
        (ArcStandard(), "dynamic", (), 1.0, None),
        (ArcStandard(root="last"), "static", LABELS, None, None),
        (ArcStandardSwap(), "static", (), 0.0, None),
        (ArcEager(root="last"), "dynamic", LABELS, 1.0, 4),
        (ArcStandard(), "dynamic", (), None, 1),
    ],
)
def test_updates_are_those_of_the_functional_layer(
    system: StackBufferSystem,
    oracle: str,
    labels: tuple[str, ...],
    exploration: float | None,
    update: Any,
    time_limit: int | None,
    count: int,
) -> None:
    trees = [tree for tree in sentences(count, 13, 7) if oracle == "dynamic" or None not in tree.heads]
    trees = [tree for tree in trees if oracle == "dynamic" or system.obstacle(tree) is None]
    spec = ModelSpec(system, TEMPLATES, labels, joint=True, bits=(BITS, 4))
    weights = spec.weights()
    machine, data = spec.assemble(Columns.encode(trees))
    options = LinearOptions(beam=3, update=update, restart=exploration is not None, time_limit=time_limit)
    engine = GlobalLearning(weights, machine, data, oracle, options)

    space = system.transition_space(labels)
    model = HashedPerceptron(space, TEMPLATES, BITS)
    functional = GlobalTraining(
        Oracle(system, dynamic_oracle if oracle == "dynamic" else static_oracle, typed),
        BeamSearch(Ranking(system, model, labels), 3),
        update,
        restart=exploration is not None,
        time_limit=time_limit,
        p=exploration or 0.0,
    )
    updates = 0
    for _ in range(3):
        for number, tree in enumerate(trees):
            pair, one = engine.pair(number), next(iter(functional(tree)), None)
            assert (pair is None) == (one is None) or time_limit  # the first update may be that of a later search
            if pair is not None and one is not None:
                assert [[space[choice] for choice in choices] for choices in pair] == [
                    [transition for _, transition in derivation] for derivation in (one.positive, one.negative)
                ]
            made = 0
            for one in functional(tree):
                model.update(one)
                made += 1
            assert engine.learn(np.array([number]), exploration or 0.0, 1)[1] == made
            updates += made
        assert (weights.arrays[0] == model.weights).all()
    assert updates > len(trees)


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("joint", [False, True])
def test_every_strategy_learns(update: str, restart: bool, joint: bool) -> None:
    columns = Columns.encode(TRAIN)
    trainer = Trainer(
        columns,
        LinearOptions(system=ArcHybrid(), beam=4, update=update, restart=restart, joint=joint, oracle="dynamic"),
        bits=(16, 14),
    )
    epochs = [trainer.epoch() for _ in range(8)]
    assert epochs[-1].errors < epochs[0].errors / 2
    model = trainer.model()
    heads, labels = model.parse(columns)
    gold = [model.spec.labels.index(columns.vocabularies["deprel"][number]) for number in columns.labels]
    assert ((heads == columns.heads) & (labels == gold)).mean() > 0.9


def test_a_parser_parses_with_the_beam_that_it_was_trained_with(tmp_path: Any) -> None:
    parser = Parser.train(TRAIN[:20], epochs=2, beam=4)
    parser.save(tmp_path / "model")
    loaded = Parser.load(tmp_path / "model")
    assert loaded.model.spec.beam == 4
    assert list(loaded.parse(DEV)) == list(parser.parse(DEV, beam=4)) != list(parser.parse(DEV, beam=1))


def test_the_same_seed_gives_the_same_model() -> None:
    columns = Columns.encode(TRAIN[:10])
    trainers = [
        Trainer(columns, LinearOptions(system=ArcEager(), beam=2, seed=seed), bits=(14, 10)) for seed in (1, 1, 2)
    ]
    for trainer in trainers:
        trainer.epoch()
    weights = [trainer.model().arrays[0] for trainer in trainers]
    assert (weights[0] == weights[1]).all()
    assert (weights[0] != weights[2]).any()


@pytest.mark.parametrize("system", [ArcEager(root="last"), ArcHybrid(), ArcStandard()], ids=repr)
def test_partial_and_non_projective_trees_are_learned_from(system: StackBufferSystem) -> None:
    partial = [
        tree.reattach([None if position % 3 == 0 else head for position, head in enumerate(tree.heads)], tree.labels)
        for tree in TRAIN
    ]
    parser = Parser.train(partial, system=system, epochs=3, beam=4)
    assert evaluate(TRAIN, parser.parse(TRAIN)).uas > 0.7


def test_what_beams_cannot_do_is_an_error() -> None:
    columns = Columns.encode(TRAIN)
    with pytest.raises(ValueError, match="no update 'late': choose one of early, max_violation"):
        Trainer(columns, LinearOptions(system=ArcHybrid(), beam=2, update="late"))
    with pytest.raises(ValueError, match="beam is a whole number, from 1 to 64"):
        Trainer(columns, LinearOptions(system=ArcHybrid(), beam=65))
    with pytest.raises(TrainingError, match="train on whole trees with a static oracle"):
        Trainer(columns, LinearOptions(system=ArcStandardSwap(), beam=2, oracle="dynamic"))
    with pytest.raises(TrainingError, match="train on whole trees with a static oracle"):
        Trainer(
            Columns.encode([DependencyTree([(2, "a"), (None, "b")]), *TRAIN]),
            LinearOptions(system=ArcStandardSwap(), beam=2, oracle="static"),
        )
