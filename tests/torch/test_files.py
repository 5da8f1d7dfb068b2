"""Neural parsers in files, and files that are refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")


from deptrees.parser import ModelError
from deptrees.torch import Architecture, LabeledTransitions, NeuralParser, Words
from deptrees.transition import ArcHybrid
from tests.files.test_models import Record, change
from tests.torch.architectures import DEV, FORWARD, NETWORKS, TRAIN


@NETWORKS
def test_saved_parsers_keep_their_architecture(architecture: Architecture, tmp_path: Path) -> None:
    parser = NeuralParser.train(TRAIN[:5], epochs=1, **architecture.arguments())
    parser.save(tmp_path / "model")
    loaded = NeuralParser.load(tmp_path / "model")
    assert (loaded.model.architecture, loaded.model.vocabulary) == (parser.model.architecture, parser.model.vocabulary)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            lambda record: record["system"].update(name="ArcMagic"),
            "newer version .*'ArcMagic' is not one of",
        ),
        (lambda record: record["architecture"]["encoder"].update(name="GRU"), "damaged, or of a newer .*encoder"),
        (lambda record: record.update(architecture="Transformer"), "damaged, or of a newer version"),
        (lambda record: record["architecture"]["decoder"].update(hidden=7), "damaged, or of a newer .*shape"),
        (
            lambda record: record["architecture"]["encoder"].update(size=7),
            "not known: 'size' @ record.architecture.encoder",
        ),
        (lambda record: record["vocabulary"].pop("tags"), "missing @ record.vocabulary.tags"),
    ],
)
def test_records_of_what_is_not_known_are_refused(
    how: Callable[[Record], object], message: str, tmp_path: Path
) -> None:
    NeuralParser.train(TRAIN[:5], epochs=1, **FORWARD.arguments()).save(tmp_path / "model")
    change(tmp_path / "model", how)
    with pytest.raises(ModelError, match=message):
        NeuralParser.load(tmp_path / "model")


def test_parsers_with_own_networks_are_not_saved(tmp_path: Path) -> None:
    class Wider(LabeledTransitions):
        pass

    parser = NeuralParser.train(TRAIN[:5], epochs=1, encoder=Words(), decoder=Wider())
    with pytest.raises(ModelError, match="Wider is not one of the library's networks"):
        parser.save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_parsers_with_own_systems_are_loaded_with_the_system(tmp_path: Path) -> None:
    class Mine(ArcHybrid):
        pass

    parser = NeuralParser.train(TRAIN[:5], system=Mine(), epochs=1, **FORWARD.arguments())
    parser.save(tmp_path / "model")
    loaded = NeuralParser.load(tmp_path / "model", system=Mine())
    assert loaded.settings == parser.settings
    assert list(loaded.parse(DEV)) == list(parser.parse(DEV))
    for other in (None, ArcHybrid(), Mine(root="last")):  # no module has a class that is local to a function
        with pytest.raises(ModelError, match=r"trained with .*Mine\(root='first'\), (not with|a system that is not)"):
            NeuralParser.load(tmp_path / "model", system=other)
