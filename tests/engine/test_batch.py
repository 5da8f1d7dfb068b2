"""Derivations as arrays where the engine does not run the system; where it does, see test_engine_batches."""

from importlib import import_module
from typing import Any

import attrs
import numpy as np
import pytest

from deptrees import DependencyTree, is_projective, sample_treebank
from deptrees.engine import Batch, Model, batches, train
from deptrees.features import ZHANG_NIVRE, Templates
from deptrees.training import IncompleteOracle
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandardSwap,
    ArcSwift,
    Attardi,
    EasyFirst,
    ListBasedNonLocal,
    ListBasedNonMonotonic,
    ListBasedNonProjective,
    ListBasedProjective,
    LRSpines,
    Oracle,
    OracleNotDefined,
    PointerNonProjective,
    PointerProjective,
    StackBufferSystem,
    StackPointerNonProjective,
    StackPointerProjective,
    System,
    Transition,
    TwoPlanar,
    approximate_dynamic_oracle,
    nondeterministic_oracle,
    typed,
)
from deptrees.transition.oracles import BY_NAME
from deptrees.treebanks.columns import Columns

TRAIN = [tree for tree in sample_treebank("train") if len(tree) <= 9][:12]
CROSSING = DependencyTree([(3, "a", "x"), (4, "b", None), (0, "c", "root"), (3, "d", "x")])
FEATURES = Templates(["s0.form+b0.upos", "distance(s0,b0)", "s0.right.deprel", "history1+history2"])


class Mine(ListBasedProjective):
    """A system of a user's own."""


SYSTEMS = [
    ArcSwift(),
    EasyFirst(),
    LRSpines(),
    ListBasedNonLocal(),
    ListBasedNonMonotonic(),
    ListBasedNonProjective(),
    ListBasedProjective(),
    TwoPlanar(),
    PointerNonProjective(),
    PointerProjective(),
    PointerProjective("outside_in"),
    StackPointerNonProjective(),
    StackPointerProjective(),
    Mine(),
]

DTYPES = ["int64", "bool", "bool", "int32", "int32", "int32", "int32"]


def joined(found: list[Batch]) -> dict[str, Any]:
    """Batches one after the other; where they have fewer columns than others, there are zeros."""
    arrays = {}
    for field in attrs.fields(Batch):
        parts = [getattr(batch, field.name) for batch in found]
        widest = max(part[0].size for part in parts)
        wide = [np.pad(part, ((0, 0), (0, widest - part.shape[1]))) if part.ndim == 2 else part for part in parts]
        arrays[field.name] = np.concatenate(wide)
    return arrays


@pytest.mark.parametrize("system", [ArcEager(), ArcHybrid(root="last"), Attardi(), ArcStandardSwap()], ids=repr)
def test_both_layers_write_the_same_arrays(system: StackBufferSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = Columns.encode([*TRAIN, CROSSING])
    templates = Templates([*ZHANG_NIVRE, "history1+history4"])
    compiled = list(batches(columns, system, templates, oracle="static", size=50))
    monkeypatch.setattr(import_module("deptrees.engine.batch"), "uncompiled", lambda *_: "pretended")
    stepwise = list(batches(columns, system, templates, oracle="static", size=50))
    for ours, theirs in zip(compiled, stepwise, strict=True):
        for field in attrs.fields(Batch):
            one, other = getattr(ours, field.name), getattr(theirs, field.name)
            assert one.dtype == other.dtype
            assert np.array_equal(one, other)


@pytest.mark.parametrize("oracle", ["static", "dynamic"])
@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_batches_are_the_steps_of_the_functional_layer(system: System, oracle: str) -> None:
    trees = [*TRAIN, CROSSING]
    columns = Columns.encode(trees)
    function = Oracle(system, BY_NAME[oracle], typed)
    space = system.transition_space()

    def number(transition: Any) -> int:
        k = getattr(transition, "k", 1)
        bare = type(transition)() if hasattr(transition, "k") else transition
        return (k - 1) * len(space) + space.index(bare)

    found = list(batches(columns, system, FEATURES, oracle=oracle, size=30))
    assert [str(getattr(found[0], field.name).dtype) for field in attrs.fields(Batch)] == DTYPES
    assert {len(batch.taken) for batch in found[:-1]} == {30}
    arrays = joined(found)
    taken = iter(arrays["taken"].tolist())
    row = 0
    for sentence, tree in enumerate(trees):

        def follow(cfg: Any, possible: tuple[Transition, ...], gold: tuple[Transition, ...]) -> Transition:
            wanted = next(taken)
            return next(transition for transition in gold if number(transition) == wanted)

        for index, step in enumerate(function(tree, follow).steps()):
            assert np.flatnonzero(arrays["possible"][row]).tolist() == sorted(map(number, step.possible))
            assert np.flatnonzero(arrays["gold"][row]).tolist() == sorted(map(number, step.gold))
            assert (arrays["sentence"][row], arrays["step"][row]) == (sentence, index)
            label = getattr(step.taken, "label", None)
            assert arrays["labels"][row] == (columns.vocabularies["deprel"].index(label) if label else -1)
            cfg: Any = step.config
            places = range(1, max(getattr(transition, "k", 1) for transition in step.possible) + 1)
            features = [found >> 1 for k in places for found in FEATURES.hashes(cfg, k=k)]
            assert arrays["features"][row].tolist()[: len(features)] == features
            assert not arrays["features"][row][len(features) :].any()
            row += 1
    assert row == len(arrays["taken"])
    assert (arrays["possible"].shape[1] > len(space)) == system.has_any_k


def test_trees_and_oracle_functions_are_taken_as_columns_and_names_are() -> None:
    system = EasyFirst()
    named = joined(list(batches(Columns.encode(TRAIN), system, FEATURES, oracle="nondeterministic")))
    own = joined(list(batches(iter(TRAIN), system, FEATURES, oracle=lambda *given: nondeterministic_oracle(*given))))
    assert all(np.array_equal(named[name], own[name]) for name in named)
    with pytest.raises(TypeError, match="not a treebank"):
        list(batches("train.conllu", system))  # type: ignore[arg-type]


def test_with_a_model_exploration_is_that_of_training() -> None:
    model = train(TRAIN, system=ArcEager(), templates=FEATURES, epochs=1)
    for oracle, rate in (("dynamic", 0.9), ("static", 0.0)):
        options: dict[str, Any] = {"oracle": oracle, "model": model}
        given = joined(list(batches(TRAIN, ArcEager(), exploration=rate, **options)))
        assert np.array_equal(joined(list(batches(TRAIN, ArcEager(), **options)))["taken"], given["taken"])


def test_sentences_that_cannot_be_built_are_left_out() -> None:
    columns = Columns.encode([TRAIN[0], CROSSING, DependencyTree([]), TRAIN[1]])
    [batch] = batches(columns, EasyFirst(), FEATURES, oracle="static")
    assert set(batch.sentence.tolist()) == {number for number in (0, 3) if is_projective(columns.tree(number))}
    assert list(batches(Columns.encode([CROSSING]), EasyFirst(), FEATURES, oracle="static")) == []


def test_an_oracle_that_the_engine_lacks_is_written() -> None:
    system, tree = ArcStandardSwap(), CROSSING
    [batch] = batches(Columns.encode([tree]), system, FEATURES, oracle="approximate_dynamic")
    space, cfg = system.transition_space(), system.initial(tree)
    for gold, taken in zip(batch.gold, batch.taken.tolist(), strict=True):
        names = approximate_dynamic_oracle(cfg, tree)
        assert {space[column] for column in np.flatnonzero(gold)} == set(names)
        cfg = space[taken](cfg)
    assert cfg.is_final


@pytest.mark.parametrize("system", [EasyFirst(), ListBasedNonProjective()], ids=repr)
def test_exploring_leads_off_the_path_and_back(system: System) -> None:
    columns = Columns.encode(TRAIN[:8])
    model = train(columns, system=system, templates=FEATURES, epochs=1)
    for explorer in (None, model):
        options: dict[str, Any] = {"exploration": 0.5, "model": explorer, "seed": 3}
        steps = joined(list(batches(columns, system, FEATURES, **options)))
        right = steps["gold"][np.arange(len(steps["taken"])), steps["taken"]]
        assert steps["gold"].any(axis=1).all()
        assert 0.3 < right.mean() < 1
        assert np.array_equal(
            joined(list(batches(columns, system, FEATURES, size=7, **options)))["taken"], steps["taken"]
        )


def test_random_choices_are_made_for_each_sentence_apart() -> None:
    columns = [Columns.encode([TRAIN[0], tree, TRAIN[1]]) for tree in TRAIN[2:4]]
    steps = [joined(list(batches(c, EasyFirst(), FEATURES, exploration=0.5))) for c in columns]
    for sentence in (0, 2):
        first, second = [found["taken"][found["sentence"] == sentence].tolist() for found in steps]
        assert first == second
    [other] = batches(columns[0], EasyFirst(), FEATURES, exploration=0.5, seed=2)
    assert other.taken.tolist() != steps[0]["taken"].tolist()


def test_a_stepwise_model_explores_where_the_engine_could_run_the_system() -> None:
    columns = Columns.encode([CROSSING])
    model = train(columns, system=ArcStandardSwap(), templates=FEATURES, oracle="approximate_dynamic", epochs=3)
    [batch] = batches(columns, ArcStandardSwap(), model=model, exploration=1.0)
    assert batch.features.shape[1] == len(FEATURES)
    cfg = ArcStandardSwap().initial(CROSSING)
    for taken in batch.taken:
        cfg = ArcStandardSwap().transition_space()[taken](cfg)
    assert cfg.heads == tuple(model.parse(columns)[0].tolist())


def test_what_cannot_be_asked_is_an_error() -> None:
    columns = Columns.encode([CROSSING])
    with pytest.raises(OracleNotDefined, match="no static_lazy_swap oracle"):
        list(batches(columns, EasyFirst(), oracle="static_lazy_swap"))
    for system in (ArcEager(), EasyFirst()):
        with pytest.raises(IncompleteOracle, match="nondeterministic_oracle answers on the way to the gold tree only"):
            list(batches(columns, system, oracle="nondeterministic", exploration=0.1))
    with pytest.raises(ValueError, match="one step or more"):
        list(batches(columns, EasyFirst(), size=0))
    model = train(columns, system=ArcStandardSwap(), templates=FEATURES, oracle="static", epochs=1)
    assert isinstance(model, Model)
    with pytest.raises(ValueError, match="no approximate_dynamic oracle: train a model with it"):
        list(batches(columns, ArcStandardSwap(), oracle="approximate_dynamic", model=model))
