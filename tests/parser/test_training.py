"""What a parser learns, with each option of training."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, evaluate, is_projective, sample_treebank
from deptrees.engine import train
from deptrees.features import Templates
from deptrees.files.sparse import SparseArray
from deptrees.parser import Epoch, Parser
from deptrees.training import ON_ERROR, subsample
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Constraints,
    EasyFirst,
    OracleNotDefined,
    StackBufferSystem,
    System,
    Transition,
    dynamic_oracle,
    nondeterministic_oracle,
    static_oracle,
)
from deptrees.transition.labels import Label
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))


def test_the_default_parser_learns_its_training_data_and_more(parser: Parser) -> None:
    assert evaluate(TRAIN, parser.parse(TRAIN)).uas > 0.9
    assert evaluate(DEV, parser.parse(DEV)).las > 0.6


@pytest.mark.parametrize(
    ("system", "oracle"),
    [
        (ArcStandard(), static_oracle),
        (ArcStandard(root="last"), dynamic_oracle),
        (ArcHybrid(), dynamic_oracle),
        (ArcHybrid(root="last"), dynamic_oracle),
        (ArcEager(), static_oracle),
        (ArcEager(root="last"), dynamic_oracle),
    ],
)
def test_every_system_learns(system: StackBufferSystem, oracle: Any) -> None:
    parser = Parser.train(TRAIN, system=system, oracle=oracle)
    assert evaluate(TRAIN, parser.parse(TRAIN)).las > 0.85


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("system", [ArcEager(root="last"), EasyFirst()], ids=repr)
def test_labels_can_be_chosen_with_transitions(system: System, beam: int, tmp_path: Path) -> None:
    trees = TRAIN[:2]
    parser = Parser.train(trees, system=system, epochs=6, beam=beam, joint=True)
    assert parser.model.spec.joint
    assert evaluate(trees, parser.parse(trees)).las > 0.85
    parser.save(tmp_path / "model")
    assert list(Parser.load(tmp_path / "model").parse(DEV[:3])) == list(parser.parse(DEV[:3]))


def test_the_same_seed_gives_the_same_parser() -> None:
    parsers = [Parser.train(TRAIN[:10], epochs=2, seed=seed) for seed in (4, 4, 5)]
    weights = [parser.model.part().arrays["transitions"] for parser in parsers]
    assert weights[0] == weights[1] != weights[2]


@pytest.mark.parametrize(
    ("system", "beam"), [(ArcEager(root="last"), 1), (ArcEager(root="last"), 2), (EasyFirst(), 1), slow(EasyFirst(), 2)]
)
def test_a_rate_of_exploration_is_a_schedule_that_begins_with_the_second_epoch(system: System, beam: int) -> None:
    def weights(exploration: float | tuple[float, ...]) -> Any:
        trees = TRAIN[:4] if isinstance(system, StackBufferSystem) else TRAIN[:2]
        model = train(trees, system=system, epochs=3, beam=beam, exploration=exploration, bits=(12, 10))
        found = next(iter(model.part().arrays.values()))
        return found.dense() if isinstance(found, SparseArray) else found

    expected = weights(0.9)
    assert (weights((0, 0.9)) == expected).all()
    assert (weights((0, 0.9, 0.9, 0.1)) == expected).all()
    assert (weights((1, 0.9)) != expected).any()


@pytest.mark.parametrize("system", [ArcEager(root="last"), EasyFirst()], ids=repr)
def test_training_stays_or_leaves_after_an_error_if_that_is_asked_for(system: System) -> None:
    steps = {}
    for on_error in ON_ERROR:
        epochs: list[Epoch] = []
        Parser.train(TRAIN[:4], system=system, epochs=1, on_error=on_error, on_epoch=epochs.append)
        steps[on_error] = epochs[0].steps
    assert steps["early"] < steps["go_on"] < steps["aggressive"]


def test_treebanks_without_labels_train_unlabeled_parsers() -> None:
    bare = [tree.reattach(tree.heads, [None] * len(tree)) for tree in TRAIN]
    parser = Parser.train(bare, epochs=2)
    assert parser.labels == ()
    assert set(next(parser.parse(DEV)).labels) == {None}


ANNOTATIONS = {
    "partial": [
        tree.reattach(
            [None if position % 3 == 0 else head for position, head in enumerate(tree.heads)],
            [None if position % 3 == 0 else label for position, label in enumerate(tree.labels)],
        )
        for tree in TRAIN
    ],
    "subsampled": [subsample(tree, 0.7, Random(number)) for number, tree in enumerate(TRAIN)],
    "crossing": [tree for tree in TRAIN if not is_projective(tree)],
}


@pytest.mark.parametrize("beam", [1, 8])
@pytest.mark.parametrize("annotation", ANNOTATIONS)
def test_every_kind_of_annotation_teaches(annotation: str, beam: int) -> None:
    trees, epochs = ANNOTATIONS[annotation], list[Epoch]()
    parser = Parser.train(trees, epochs=4, beam=beam, on_epoch=epochs.append)
    assert {(epoch.sentences, epoch.skipped) for epoch in epochs} == {(len(trees), 0)}
    assert None not in parser.labels
    gold = trees if annotation == "crossing" else TRAIN
    assert evaluate(gold, parser.parse(gold)).uas > 0.7


@pytest.mark.parametrize(("beam", "epochs"), [(1, 12), (4, 8)])
def test_a_part_of_each_sentence_at_a_time_teaches(beam: int, epochs: int) -> None:
    found: dict[float, list[Epoch]] = {1.0: [], 0.3: []}
    for share, seen in found.items():
        parser = Parser.train(TRAIN[:30], epochs=epochs, beam=beam, subsample=share, on_epoch=seen.append)
        assert evaluate(TRAIN[:30], parser.parse(TRAIN[:30])).uas > 0.85
    assert found[0.3][0].errors < found[1.0][0].errors  # where there is no head there is no error


def test_the_best_epoch_on_the_development_data_is_kept() -> None:
    epochs: list[Epoch] = []
    parser = Parser.train(TRAIN, dev=DEV, epochs=4, on_epoch=epochs.append)
    scores = [epoch.scores.las for epoch in epochs if epoch.scores]
    assert len(scores) == 4
    assert evaluate(DEV, parser.parse(DEV)).las == max(scores)


@pytest.mark.parametrize("system", [ArcEager(root="last"), EasyFirst()], ids=repr)
def test_several_seeds_have_the_average_of_their_weights(system: System) -> None:
    trees, templates = TRAIN[:4], Templates(["s0.upos+b0.upos", "s0.form"])
    parser = Parser.train(trees, system=system, dev=DEV[:4], epochs=3, seed=5, seeds=3, templates=templates)
    assert parser.settings is not None
    again = Parser.train(trees, **parser.settings.arguments())
    epochs = parser.settings.epochs
    alone = [Parser.train(trees, system=system, epochs=epochs, seed=seed, templates=templates) for seed in (5, 6, 7)]
    for name in parser.model.part().arrays:
        [found, same, *single] = [_dense(one.model.part().arrays[name]) for one in (parser, again, *alone)]
        np.testing.assert_allclose(found, np.mean(single, axis=0), atol=1e-5)
        np.testing.assert_array_equal(found, same)
        assert (single[0] != single[1]).any()


def _dense(array: Any) -> Any:
    return array.dense() if isinstance(array, SparseArray) else array


def test_epochs_are_reported_with_what_was_skipped() -> None:
    epochs: list[Epoch] = []
    Parser.train(TRAIN, oracle=static_oracle, epochs=2, on_epoch=epochs.append)
    assert [(epoch.number, epoch.sentences + epoch.skipped) for epoch in epochs] == [(1, len(TRAIN)), (2, len(TRAIN))]
    assert all(epoch.skipped > 0 and epoch.steps > epoch.errors > 0 for epoch in epochs)


def test_templates_are_chosen_and_saved(tmp_path: Path) -> None:
    templates = Templates(["s0.upos+b0.upos", "s0.form+b0.form"])
    parser = Parser.train(TRAIN, epochs=2, templates=templates)
    assert parser.model.spec.templates == templates
    parser.save(tmp_path / "model")
    assert list(Parser.load(tmp_path / "model").parse(DEV)) == list(parser.parse(DEV))


def mine(cfg: Any, tree: DependencyTree, label: Label) -> tuple[Transition, ...]:
    """An oracle of a user's own."""
    return nondeterministic_oracle(cfg, tree, label)


def test_own_oracle_functions_teach_step_by_step(tmp_path: Path) -> None:
    trees = [tree for tree in TRAIN if is_projective(tree)][:3]
    parser = Parser.train(trees, oracle=mine, epochs=6)
    assert evaluate(trees, parser.parse(trees)).las > 0.8
    parser.save(tmp_path / "model")
    settings = Parser.load(tmp_path / "model").settings
    assert settings == parser.settings
    assert settings is not None
    with pytest.raises(
        OracleNotDefined, match=r"there is no oracle 'tests.parser.test_training.mine'; choose one of static"
    ):
        Parser.train(trees, **settings.arguments())
    assert Parser.train(trees, **{**settings.arguments(), "oracle": mine}).settings == settings


@pytest.mark.parametrize(("system", "epochs"), [(ArcEager(root="last"), 3), (EasyFirst(), 6)])
def test_templates_see_what_is_known(system: System, epochs: int) -> None:
    def first_label(tree: DependencyTree) -> Constraints:
        return Constraints(labels={1: tree.labels[0] or ""})

    # A word has the label that is known of the one before.
    trees = [DependencyTree([(2, "a", label), (0, "b", label)]) for label in "xyz" * 4]
    blind = Templates(["s0.form+b0.form"])
    seeing = Templates([*blind, *(f"{word}.misc.KnownLabel" for word in ("s0", "b0", "s0.left", "b0.left"))])
    las = []
    for templates in (blind, seeing):
        seen: list[Epoch] = []
        options: Any = {"epochs": epochs, "dev": trees, "on_epoch": seen.append}
        parser = Parser.train(trees, system=system, templates=templates, constraints=first_label, **options)
        parsed = list(parser.parse(trees, constraints=first_label))
        assert [tree.words for tree in parsed] == [tree.words for tree in trees]  # MISC stays as it was
        assert evaluate(trees, parsed) in [epoch.scores for epoch in seen]
        las.append(evaluate(trees, parsed).las)
    assert las[0] < las[1] == 1
