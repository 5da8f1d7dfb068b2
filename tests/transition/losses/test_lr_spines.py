from random import Random

import pytest

from deptrees import random_projective_tree
from deptrees.transition import LRSpines
from deptrees.transition.losses.arc_costs import gold_costs
from deptrees.transition.losses.lr_spines import LRSpinesLoss
from tests.transition.configurations import random_tree


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("projective", [False, True])
def test_the_chart_that_grows_agrees_with_least_costs_in_long_sentences(projective: bool, single_root: bool) -> None:
    loss, system, rng = LRSpinesLoss(), LRSpines(single_root=single_root), Random(6)
    for n in (10, 20, 30):
        tree = random_projective_tree(n, n) if projective else random_tree(n, rng)
        least_costs = loss.least_costs(gold_costs(tree.heads), system)
        cfg = system.initial(tree)
        while not cfg.is_final:
            assert loss(cfg, tree) == least_costs(cfg)
            cfg = rng.choice(loss.zero_cost(cfg, tree) if rng.random() < 0.7 else cfg.possible_transitions())(cfg)
        assert loss(cfg, tree) == least_costs(cfg)
