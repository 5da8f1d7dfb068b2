"""Neural models in files that are edited are refused, or parse, as other models are: see `tests.files.edits`."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from deptrees import DependencyTree, Parser, sample_treebank
from deptrees.features.embeddings import Embeddings
from deptrees.files.models import ModelError
from deptrees.torch import Architecture, BiLSTM, LabeledTransitions, NeuralParser, Transitions, Words
from deptrees.training import Checkpoint, TrainingError
from tests.files.edits import (
    ModelContent,
    array_edits,
    byte_edits,
    outcomes,
    record_edits,
    some,
    without_checksum,
)
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train"))[:6], list(sample_treebank("dev"))[:2]
WORDS = Words(form=4, tags=4, character=4, spelling=4)
LSTM = Architecture(encoder=BiLSTM(WORDS, hidden=4, layers=1), decoder=Transitions(hidden=4))
FORWARD = Architecture(encoder=WORDS, decoder=LabeledTransitions(label=4, hidden=4))


@pytest.fixture(scope="module", params=[LSTM, FORWARD], ids=["BiLSTM", "Words"])
def saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    architecture: Architecture = request.param
    path = tmp_path_factory.mktemp("saved") / "model"
    embeddings = Embeddings(["dog", "cat"], np.ones((2, 3)))
    NeuralParser.train(TRAIN, epochs=1, embeddings=embeddings, **architecture.arguments()).save(path)
    return path


def parse(path: Path) -> list[DependencyTree]:
    return list(NeuralParser.load(path).parse(DEV))


def test_records(saved: Path, tmp_path: Path) -> None:
    found = outcomes(saved, some(record_edits(ModelContent.read(saved).record), 200), parse, tmp_path)
    assert found["refused"] > 150


def test_arrays(saved: Path, tmp_path: Path) -> None:
    found = outcomes(saved, some(array_edits(ModelContent.read(saved)), 120), parse, tmp_path)
    assert found["refused"] > 70


def test_without_the_right_checksum_nothing_parses_otherwise(saved: Path, tmp_path: Path) -> None:
    content = ModelContent.read(saved)
    edits = map(without_checksum, [*record_edits(content.record), *array_edits(content)])
    assert outcomes(saved, some(edits, 60), parse, tmp_path).keys() <= {"refused", "same"}


def test_bytes(saved: Path, tmp_path: Path) -> None:
    assert outcomes(saved, byte_edits(saved.stat().st_size, 60), parse, tmp_path).keys() == {"refused"}


@pytest.mark.parametrize("n", [3, slow(40)], ids=["few", "many"])
def test_an_edited_checkpoint_is_refused_or_gone_on_from(n: int, tmp_path: Path) -> None:
    saved = tmp_path / "saved"

    def train(checkpoint: Checkpoint) -> Parser:
        return NeuralParser.train(TRAIN, epochs=1, checkpoint=checkpoint, **FORWARD.arguments())

    def go_on(path: Path) -> list[DependencyTree]:
        try:
            return [*train(Checkpoint(path, resume=True)).parse(DEV)]
        except (FileNotFoundError, TrainingError) as error:  # there is no best model, or another training is said
            raise ModelError(f"{path}: {error}") from None

    train(Checkpoint(saved))
    content = ModelContent.read(saved)
    edits = [*record_edits(content.record), *array_edits(content)]
    assert outcomes(saved, some(edits, n), go_on, tmp_path)["refused"]
    assert outcomes(saved, map(without_checksum, some(edits, n)), go_on, tmp_path).keys() <= {"refused", "same"}
    assert outcomes(saved, byte_edits(saved.stat().st_size, 4 * n), go_on, tmp_path).keys() == {"refused"}
