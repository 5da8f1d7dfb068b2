"""Systems that the engine does not run, by the same calls."""

import pickle
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, evaluate, is_projective, sample_treebank
from deptrees.engine import EngineError, StepwiseModel, StepwiseTrainer, Trainer, batches
from deptrees.engine.stepwise.trainer import trainer_for
from deptrees.features import Templates
from deptrees.features.embeddings import Embeddings
from deptrees.files.models import ModelError
from deptrees.parser import Parser
from deptrees.training import UPDATE_RULES, Epoch, IncompleteOracle, LinearOptions, TrainingError, Update, UpdateRule
from deptrees.training.checkpoints import Checkpoint
from deptrees.training.inputs import MeaninglessOption
from deptrees.transition import (
    AlwaysExplore,
    ArcEager,
    ArcStandardSwap,
    ArcSwift,
    EasyFirst,
    ExplorationPolicy,
    ListBasedNonLocal,
    ListBasedNonMonotonic,
    ListBasedNonProjective,
    ListBasedProjective,
    LRSpines,
    NeverExplore,
    OracleNotDefined,
    PointerNonProjective,
    PointerProjective,
    SecondBest,
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
FEW = TRAIN[:5]
SYSTEMS = [
    ArcSwift(),
    ArcSwift(root="last"),
    EasyFirst(),
    ListBasedNonLocal(),
    ListBasedNonMonotonic(),
    ListBasedNonProjective(),
    ListBasedProjective(),
    LRSpines(),
    PointerNonProjective(),
    PointerProjective(),
    PointerProjective("outside_in"),
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
    parser = Parser.train(trees, system=system, epochs=6, templates=FEATURES)
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
    parser = Parser.train(TRAIN[:8], system=ArcSwift(root="last"), oracle=oracle, epochs=4, templates=FEATURES)  # type: ignore[arg-type]
    assert evaluate(TRAIN[:8], parser.parse(TRAIN[:8])).las > 0.7


def test_an_oracle_that_the_engine_lacks_teaches() -> None:
    parser = Parser.train(
        TRAIN[:2], system=ArcStandardSwap(), oracle=approximate_dynamic_oracle, epochs=10, templates=FEATURES
    )
    assert evaluate(TRAIN[:2], parser.parse(TRAIN[:2])).las > 0.7


def test_whole_derivations_are_learned_with_a_beam() -> None:
    parser = Parser.train(TRAIN[:8], system=EasyFirst(), epochs=3, templates=FEATURES, beam=3)
    assert parser.model.spec.beam == 3
    assert evaluate(TRAIN[:8], parser.parse(TRAIN[:8])).las > 0.7


def test_epochs_tell_what_happened() -> None:
    crossing = DependencyTree([(3, "a", "x"), (4, "b", "x"), (0, "c", "root"), (3, "d", "x")])
    epochs: list[Epoch] = []
    trees = [tree for tree in TRAIN if is_projective(tree)]
    Parser.train(
        [*trees, crossing],
        system=EasyFirst(),
        oracle=static_oracle,
        epochs=2,
        templates=FEATURES,
        on_epoch=epochs.append,
    )
    assert [(epoch.number, epoch.sentences, epoch.skipped) for epoch in epochs] == [
        (1, len(trees), 1),
        (2, len(trees), 1),
    ]
    assert epochs[0].errors > epochs[1].errors > 0
    assert epochs[0].steps >= sum(map(len, trees))


@pytest.mark.parametrize(
    ("named", "own"),
    [
        ({"exploration": 0.9}, {"policy": ExplorationPolicy(k=1, p=0.9, rng=Random(5))}),
        ({"exploration": 0.0}, {"policy": lambda cfg, possible, gold: gold[0]}),
        ({"beam": 2, "update": "early"}, {"beam": 2, "update": UPDATE_RULES["early"]}),
    ],
)
def test_policies_and_rules_of_ones_own_teach_as_those_with_names_do(named: Any, own: Any) -> None:
    first, second = [
        Parser.train(TRAIN[:3], system=EasyFirst(), templates=FEATURES, epochs=3, **options)
        .model.part()
        .arrays["perceptron"]
        for options in (named, own)
    ]
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("policy", "exploration"),
    [(ExplorationPolicy(k=1, p=0.9), None), (NeverExplore(), 0), (AlwaysExplore(), (1,))],
    ids=repr,
)
def test_a_policy_that_is_exploration_is_compiled(policy: Any, exploration: Any) -> None:
    options: dict[str, Any] = {"templates": FEATURES, "epochs": 3}
    trainer = trainer_for(TRAIN[:3], LinearOptions(policy=policy, **options))
    assert isinstance(trainer, Trainer)
    first, second = [
        Parser.train(TRAIN, **options, **chosen) for chosen in ({"policy": policy}, {"exploration": exploration})
    ]
    assert first.settings == second.settings
    assert [*first.parse(TRAIN)] == [*second.parse(TRAIN)]


def test_settings_say_what_was_used() -> None:
    static = Parser.train(TRAIN[:3], epochs=1, oracle=static_oracle).settings
    assert static is not None
    assert static.exploration is None
    second_best = Parser.train(TRAIN[:3], epochs=1, templates=FEATURES, policy=SecondBest(k=0, p=0.5)).settings
    assert isinstance(second_best, LinearOptions)
    assert (second_best.exploration, second_best.joint) == (None, True)
    options: list[Any] = [{"exploration": 0.9}, {"policy": ExplorationPolicy(k=1, p=0.9)}]
    for option in options:
        with pytest.raises(MeaninglessOption, match="with the static oracle"):
            LinearOptions.chosen(oracle="static", **option)


def test_labels_are_never_chosen_apart_step_by_step() -> None:
    with pytest.raises(MeaninglessOption, match="joint means nothing step by step"):
        Parser.train(TRAIN[:3], system=EasyFirst(), joint=False)


def test_what_is_chosen_takes_systems_of_the_engine_step_by_step() -> None:
    options: list[Any] = [
        {"policy": SecondBest(k=0, p=0.5)},
        {"update": UpdateRule(UPDATE_RULES["full"].length), "beam": 2},
        {"on_update": print},
        {"on_sentence": print},
    ]
    for option in options:
        assert isinstance(trainer_for(TRAIN[:2], LinearOptions(templates=FEATURES, **option)), StepwiseTrainer)
    with pytest.raises(TrainingError, match="step by step: use trainer_for"):
        Trainer(TRAIN[:2], LinearOptions(policy=SecondBest(k=0, p=0.5)))


def test_hooks_see_what_is_learned_from() -> None:
    epochs: list[Epoch] = []
    sentences: list[DependencyTree] = []
    updates: list[Update] = []
    Parser.train(
        TRAIN[:3],
        templates=FEATURES,
        epochs=2,
        on_epoch=epochs.append,
        on_sentence=sentences.append,
        on_update=updates.append,
    )
    assert len(updates) == sum(epoch.errors for epoch in epochs) > 0
    assert {tree.words for tree in sentences[:3]} == {tree.words for tree in sentences[3:]}
    assert len(sentences) == 6
    assert {update.positive[0][0].tokens for update in updates} <= {tree.words for tree in sentences}


def test_a_hook_says_what_is_learned_from_instead() -> None:
    def blind(tree: DependencyTree) -> DependencyTree:
        return tree.reattach([None] * len(tree), [None] * len(tree))

    epochs: list[Epoch] = []
    Parser.train(TRAIN[:3], templates=FEATURES, epochs=1, on_sentence=blind, on_epoch=epochs.append)
    assert epochs[0].errors == 0


def test_a_policy_that_leaves_the_gold_path_needs_a_dynamic_oracle() -> None:
    with pytest.raises(IncompleteOracle, match="use dynamic_oracle"):
        Parser.train(TRAIN[:2], oracle=static_oracle, templates=FEATURES, policy=SecondBest(k=0, p=1))


def test_the_same_seed_gives_the_same_parser() -> None:
    parts = [Parser.train(TRAIN[:6], system=EasyFirst(), epochs=2, seed=seed, templates=FEATURES) for seed in (3, 3)]
    first, second = [parser.model.part().arrays["perceptron"] for parser in parts]
    np.testing.assert_array_equal(first, second)


def test_what_cannot_be_learned_is_told() -> None:
    crossing = DependencyTree([(3, "a", "x"), (4, "b", "x"), (0, "c", "root"), (3, "d", "x")])
    with pytest.raises(TrainingError, match="can build none of 1 tree"):
        Parser.train([crossing], system=EasyFirst(), oracle=static_oracle)
    with pytest.raises(OracleNotDefined, match="static_lazy_swap"):
        Parser.train(TRAIN, system=EasyFirst(), oracle=static_oracle_lazy_swap)


def test_models_of_own_systems_are_loaded_with_the_system(tmp_path: Path) -> None:
    class Mine(ListBasedProjective):
        pass

    model = StepwiseTrainer(TRAIN[:2], LinearOptions(system=Mine(), templates=FEATURES)).model()
    model.save(tmp_path / "model")
    assert StepwiseModel.load(tmp_path / "model", Mine()).spec == model.spec
    with pytest.raises(ModelError, match="pass a system of this class when you load the model"):
        StepwiseModel.load(tmp_path / "model")


@pytest.mark.parametrize("system", variants_slow(SYSTEMS), ids=repr)
def test_a_step_by_step_parser_pickles(system: System) -> None:
    parser = Parser.train(TRAIN[:2], system=system, templates=FEATURES, epochs=1)
    twin = pickle.loads(pickle.dumps(parser))
    assert list(twin.parse(TRAIN[:5])) == list(parser.parse(TRAIN[:5]))
    assert list(twin.parse(TRAIN[:2], beam=2)) == list(parser.parse(TRAIN[:2], beam=2))


def numeric(*vectors: Any) -> Templates:
    """Templates with the numbers of embeddings."""
    embeddings = Embeddings(["dog", "the"], vectors or [[0.5, 1.0], [1.0, 0.0]])
    return Templates([*FEATURES, "s0.embedding", "b0.embedding+s0.upos"], embeddings=embeddings)


@pytest.mark.parametrize("system", [ArcEager(), EasyFirst()], ids=repr)
def test_a_parser_with_embeddings_is_saved_with_them(system: System, tmp_path: Path) -> None:
    parser = Parser.train(FEW, system=system, templates=numeric(), epochs=1)
    other = Parser.train(FEW, system=system, templates=numeric([0, 1], [1, 1]), epochs=1)
    assert isinstance(parser.model, StepwiseModel)
    assert not np.array_equal(parser.model.weights, other.model.weights)
    parser.save(tmp_path / "model")
    loaded = Parser.load(tmp_path / "model")
    assert loaded.model.spec.templates == parser.model.spec.templates
    assert loaded.model.spec.templates.embeddings == parser.model.spec.templates.embeddings
    assert loaded.settings == parser.settings
    assert list(loaded.parse(FEW)) == list(parser.parse(FEW))


def test_training_goes_on_with_the_same_embeddings(tmp_path: Path) -> None:
    start = Parser.train(FEW, templates=numeric(), epochs=1)
    more = Templates([*numeric(), "b1.embedding"], embeddings=numeric().embeddings)
    assert Parser.train(FEW, templates=more, epochs=1, start=start).model.spec.templates == more
    with pytest.raises(TrainingError, match="other embeddings"):
        Parser.train(FEW, templates=numeric([1, 1], [1, 1]), epochs=1, start=start)
    checkpoint = Checkpoint(tmp_path / "checkpoint", resume=True)
    once = Parser.train(FEW, templates=numeric(), epochs=2)
    Parser.train(FEW, templates=numeric(), epochs=1, checkpoint=checkpoint)
    again = Parser.train(FEW, templates=numeric(), epochs=2, checkpoint=checkpoint)
    assert np.array_equal(once.model.weights, again.model.weights)
    with pytest.raises(TrainingError, match="another templates"):
        Parser.train(FEW, templates=numeric([1, 1], [1, 1]), epochs=2, checkpoint=checkpoint)


def test_numbers_are_not_for_the_engine() -> None:
    with pytest.raises(EngineError, match=r"the template 's0.embedding' has numbers.*trainer_for"):
        Trainer(FEW, LinearOptions(templates=numeric()))
    for system in ArcEager(), EasyFirst():
        with pytest.raises(ValueError, match=r"leave out the template 's0.embedding'"):
            next(batches(FEW, system, numeric()))
