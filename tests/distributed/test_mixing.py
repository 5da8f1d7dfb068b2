"""Iterative parameter mixing: averages of weights, and training by it."""

import numpy as np
import pytest

from deptrees import DependencyTree, evaluate, sample_treebank
from deptrees.distributed import Workers, mix, train_by_mixing
from deptrees.engine import Model, Trainer
from deptrees.features import Templates
from deptrees.training import LinearOptions

TEMPLATES = Templates(["s0.upos+b0.upos", "s0.form", "b0.form"])
TREES = [*sample_treebank("train")][:40]


def weights(model: object) -> list[float]:
    assert isinstance(model, Model)
    return [float(table.sum(dtype=np.float64)) for table in model.arrays]


def test_a_mixture_is_the_average_of_weights() -> None:
    models = []
    for seed in (1, 2, 3):
        trainer = Trainer(TREES, LinearOptions(templates=TEMPLATES, seed=seed), bits=(8, 8))
        trainer.epoch()
        models.append(trainer.model())
    for shares in (None, [1, 2, 5]):
        for number, table in enumerate(mix(models, shares).arrays):
            expected = np.average([model.arrays[number] for model in models], axis=0, weights=shares)
            np.testing.assert_allclose(table, expected, rtol=1e-5, atol=1e-5)


def test_models_that_cannot_be_mixed() -> None:
    one, other = (Trainer(TREES, LinearOptions(templates=TEMPLATES), bits=(bits, 8)).model() for bits in (8, 9))
    with pytest.raises(ValueError, match="there are no models to mix"):
        mix([])
    with pytest.raises(ValueError, match="models of different shapes"):
        mix([one, other])
    with pytest.raises(ValueError, match="shorter"):
        mix([one, one], [1])


def test_one_shard_and_one_epoch_is_usual_training() -> None:
    """A computation of its own: the trainer itself, with the seed that the shard has."""
    seed = int(np.random.SeedSequence([7, 1, 0]).generate_state(1)[0])
    trainer = Trainer(TREES, LinearOptions(templates=TEMPLATES, seed=seed), bits=(12, 10))
    trainer.epoch()
    mixed = train_by_mixing(TREES, 1, templates=TEMPLATES, bits=(12, 10), epochs=1, seed=7).model
    assert isinstance(mixed, Model)
    assert all(map(np.array_equal, mixed.arrays, trainer.model().arrays))


@pytest.mark.parametrize("beam", [1, 4])
def test_what_is_learnt_is_learnt_by_mixing_too(beam: int) -> None:
    parser = train_by_mixing(TREES, 3, templates=TEMPLATES, bits=(12, 10), epochs=8, beam=beam)
    assert evaluate(TREES, parser.parse(TREES)).uas > 0.7


def test_a_shard_of_which_nothing_can_be_learnt_is_an_error() -> None:
    crossing = DependencyTree([(3, "a"), (4, "b"), (0, "c"), (3, "d")])
    with pytest.raises(ValueError, match="can build none"):
        train_by_mixing([TREES[0], crossing], 2, oracle="static", templates=TEMPLATES, bits=(12, 10), epochs=1)


@pytest.mark.processes
def test_who_does_the_work_makes_no_difference() -> None:
    here, there = [
        train_by_mixing(TREES, 3, templates=TEMPLATES, bits=(12, 10), epochs=2, run=run).model
        for run in (Workers(), Workers(2))
    ]
    assert isinstance(here, Model)
    assert isinstance(there, Model)
    assert all(map(np.array_equal, here.arrays, there.arrays))
