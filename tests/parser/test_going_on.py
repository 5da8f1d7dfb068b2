"""Training that goes on from a parser."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deptrees import evaluate, sample_treebank
from deptrees.engine import StepwiseModel, Trainer, train
from deptrees.features import Templates
from deptrees.parser import Epoch, Parser, TrainingError
from deptrees.training import LinearOptions
from deptrees.transition import ArcEager, ArcHybrid, EasyFirst, StackBufferSystem, System

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
FEW = Templates(["s0.upos+b0.upos", "s1.upos+s0.upos", "s0.deprel"])
MORE = Templates(["s0.form+b0.form", *reversed([*FEW])])


@pytest.mark.parametrize(
    ("system", "joint"), [(ArcEager(root="last"), False), (ArcEager(root="last"), True), (EasyFirst(), True)]
)
def test_training_goes_on_with_what_was_learned(system: System, joint: bool, tmp_path: Path) -> None:
    count = 40 if isinstance(system, StackBufferSystem) else 8
    trees, others, bits = TRAIN[:count], TRAIN[:count][::2], (14, 12)
    Parser(train(trees, system=system, templates=FEW, epochs=3, joint=joint, bits=bits)).save(tmp_path / "model")
    start = Parser.load(tmp_path / "model")
    before = list(start.parse(DEV[:5]))
    epochs: list[Epoch] = []
    options: dict[str, Any] = {"epochs": 1, "joint": joint, "bits": bits, "on_epoch": epochs.append}
    models = [train(others, system=system, templates=MORE, start=one, **options) for one in (start.model, None)]
    assert epochs[0].errors < epochs[1].errors
    assert evaluate(others, Parser(models[0]).parse(others)).las > evaluate(others, start.parse(others)).las
    assert list(start.parse(DEV[:5])) == before


@pytest.mark.parametrize("joint", [True, False])
def test_labels_that_are_new_are_added(joint: bool) -> None:
    renamed = [tree.reattach(tree.heads, [f"{label}:new" for label in tree.labels]) for tree in TRAIN[:5]]
    first = Trainer(TRAIN[5:20], LinearOptions(joint=joint), bits=(12, 10))
    first.epoch()
    start = first.model()
    trainer = Trainer(renamed, LinearOptions(joint=joint, start=start))
    tables = start.tables_for(trainer.spec)
    for label in start.spec.labels:
        columns = [spec.labels.index(label) for spec in (trainer.spec, start.spec)]
        if joint:
            columns = [
                spec.classes.index((0, column))
                for spec, column in zip((trainer.spec, start.spec), columns, strict=True)
            ]
        assert (tables[not joint][:, columns[0]] == start.arrays[not joint][:, columns[1]]).all()
    epochs = [trainer.epoch() for _ in range(4)]
    assert epochs[-1].errors < epochs[0].errors
    parser = Parser(trainer.model())
    assert set(parser.labels) == {*start.spec.labels, *(label for tree in renamed for label in tree.labels)}
    assert evaluate(renamed, parser.parse(renamed)).las > 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"system": ArcHybrid()}, "parses with ArcEager"),
        ({"joint": True}, "give the same joint="),
        ({"templates": MORE}, "include all of its templates"),
    ],
)
def test_a_parser_that_cannot_be_gone_on_from_is_told(parser: Parser, options: Any, message: str) -> None:
    with pytest.raises(TrainingError, match=message):
        Parser.train(TRAIN[:3], start=parser, **{"joint": False, **options})


def test_step_by_step_new_labels_are_added_too() -> None:
    renamed = [tree.reattach(tree.heads, [f"{label}:new" for label in tree.labels]) for tree in TRAIN[:4]]
    start = Parser.train(TRAIN[4:8], system=EasyFirst(), epochs=2)
    parser = Parser.train(renamed, system=EasyFirst(), epochs=3, start=start)
    assert set(parser.labels) == {*start.labels, *(label for tree in renamed for label in tree.labels)}
    assert evaluate(renamed, parser.parse(renamed)).las > 0.5
    assert isinstance(start.model, StepwiseModel)
    table, spaces = start.model.table_for(parser.model.spec), [one.model.ranking.space for one in (start, parser)]
    for number, transition in enumerate(spaces[0].transitions):
        np.testing.assert_array_equal(table[:, spaces[1].column(transition)], start.model.weights[:, number])
    assert np.count_nonzero(table) == np.count_nonzero(start.model.weights)
