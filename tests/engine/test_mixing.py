"""Averages of the weights of several models."""

import numpy as np
import pytest

from deptrees import sample_treebank
from deptrees.engine import Trainer
from deptrees.engine.mixing import mix
from deptrees.features import Templates
from deptrees.training.options import LinearOptions

TEMPLATES = Templates(["s0.upos+b0.upos", "s0.form", "b0.form"])
TREES = [*sample_treebank("train")][:40]


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
    with pytest.raises(ValueError, match="models with different specs"):
        mix([one, other])
    with pytest.raises(ValueError, match="there are 2 models and 1 share"):
        mix([one, one], [1])
