"""Systems that the engine does not run, behind the same calls."""

import pickle
from pathlib import Path

import pytest

from deptrees import DependencyTree, evaluate, is_projective, sample_treebank
from deptrees.engine import StepwiseModel, StepwiseTrainer
from deptrees.features import Templates
from deptrees.files.models import ModelError
from deptrees.parser import Parser
from deptrees.training import Epoch, TrainingError
from deptrees.transition import (
    ArcStandardSwap,
    ArcSwift,
    EasyFirst,
    ListBasedNonProjective,
    ListBasedProjective,
    LRSpines,
    OracleNotDefined,
    PointerNonProjective,
    PointerProjective,
    StackPointerNonProjective,
    StackPointerProjective,
    System,
    TwoPlanar,
    approximate_dynamic_oracle,
    dynamic_oracle,
    nondeterministic_oracle,
    static_oracle,
    static_oracle_lazy_swap,
)
from tests.tiers import slow, variants_slow

TRAIN = [tree for tree in sample_treebank("train") if len(tree) <= 9][:20]
SYSTEMS = [
    ArcSwift(),
    ArcSwift(root="last"),
    EasyFirst(),
    ListBasedNonProjective(),
    ListBasedProjective(),
    LRSpines(),
    PointerNonProjective(),
    PointerProjective(),
    StackPointerNonProjective(),
    StackPointerProjective(),
    TwoPlanar(),
]
FEATURES = Templates(
    [
        *("s0.form+b0.form", "s0.upos+b0.upos", "s1.upos+s0.upos+b0.upos+b1.upos"),
        *("distance(s0,b0)", "s0.deprel", "s0.right.deprel", "history1+history2"),
    ]
)


@pytest.mark.parametrize("system", variants_slow(SYSTEMS), ids=repr)
@pytest.mark.parametrize(("count", "las"), [(2, 0.6), slow(20, 0.8)])
def test_every_system_learns_and_is_saved(system: System, count: int, las: float, tmp_path: Path) -> None:
    trees = TRAIN[:count]
    parser = Parser.train(trees, system, epochs=6, templates=FEATURES)
    assert isinstance(parser.model, StepwiseModel)
    parsed = list(parser.parse(trees))
    assert evaluate(trees, parsed).las > las
    assert list(parser.parse(trees, threads=2, beam=1)) == parsed
    parser.save(tmp_path / "model")
    loaded = Parser.load(tmp_path / "model")
    assert loaded.system == system
    assert list(loaded.parse(trees)) == parsed


@pytest.mark.parametrize("oracle", [static_oracle, nondeterministic_oracle, dynamic_oracle])
def test_every_oracle_teaches(oracle: object) -> None:
    parser = Parser.train(TRAIN[:8], ArcSwift(root="last"), oracle, epochs=4, templates=FEATURES)  # type: ignore[arg-type]
    assert evaluate(TRAIN[:8], parser.parse(TRAIN[:8])).las > 0.7


def test_an_oracle_that_the_engine_lacks_teaches() -> None:
    parser = Parser.train(TRAIN[:2], ArcStandardSwap(), approximate_dynamic_oracle, epochs=6, templates=FEATURES)
    assert evaluate(TRAIN[:2], parser.parse(TRAIN[:2])).las > 0.7


def test_whole_derivations_are_learnt_with_a_beam() -> None:
    parser = Parser.train(TRAIN[:8], EasyFirst(), epochs=3, templates=FEATURES, beam=3)
    assert parser.model.shape.beam == 3
    assert evaluate(TRAIN[:8], parser.parse(TRAIN[:8])).las > 0.7


def test_epochs_tell_what_happened() -> None:
    crossing = DependencyTree([(3, "a", "x"), (4, "b", "x"), (0, "c", "root"), (3, "d", "x")])
    epochs: list[Epoch] = []
    trees = [tree for tree in TRAIN if is_projective(tree)]
    Parser.train([*trees, crossing], EasyFirst(), static_oracle, epochs=2, templates=FEATURES, on_epoch=epochs.append)
    assert [(epoch.number, epoch.sentences, epoch.skipped) for epoch in epochs] == [
        (1, len(trees), 1),
        (2, len(trees), 1),
    ]
    assert epochs[0].errors > epochs[1].errors > 0
    assert epochs[0].steps >= sum(map(len, trees))


def test_the_same_seed_gives_the_same_parser() -> None:
    parts = [Parser.train(TRAIN[:6], EasyFirst(), epochs=2, seed=seed, templates=FEATURES) for seed in (3, 3)]
    first, second = [parser.model.part().arrays["perceptron"] for parser in parts]
    assert (first == second).all()


def test_what_cannot_be_learnt_is_told() -> None:
    crossing = DependencyTree([(3, "a", "x"), (4, "b", "x"), (0, "c", "root"), (3, "d", "x")])
    with pytest.raises(TrainingError, match="can build none of the 1 trees"):
        Parser.train([crossing], EasyFirst(), static_oracle)
    with pytest.raises(OracleNotDefined, match="static_lazy_swap"):
        Parser.train(TRAIN, EasyFirst(), static_oracle_lazy_swap)


def test_models_of_own_systems_are_loaded_with_the_system(tmp_path: Path) -> None:
    class Mine(ListBasedProjective):
        pass

    model = StepwiseTrainer(TRAIN[:2], Mine(), FEATURES).model()
    model.save(tmp_path / "model")
    assert StepwiseModel.load(tmp_path / "model", Mine()).shape == model.shape
    with pytest.raises(ModelError, match=r"pass it when you load the model, as system=Mine\(\)"):
        StepwiseModel.load(tmp_path / "model")


@pytest.mark.parametrize("system", variants_slow(SYSTEMS), ids=repr)
def test_a_step_by_step_parser_pickles(system: System) -> None:
    parser = Parser.train(TRAIN[:2], system=system, templates=FEATURES, epochs=1)
    twin = pickle.loads(pickle.dumps(parser))
    assert list(twin.parse(TRAIN[:5])) == list(parser.parse(TRAIN[:5]))
    assert list(twin.parse(TRAIN[:2], beam=2)) == list(parser.parse(TRAIN[:2], beam=2))
