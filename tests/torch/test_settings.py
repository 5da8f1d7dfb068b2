"""What is chosen of neural parsers: whatever is accepted can be saved, and what cannot is refused before training."""

import re
import subprocess
import sys
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from deptrees.features.embeddings import Embeddings  # noqa: E402
from deptrees.files.models import Part, save_model  # noqa: E402
from deptrees.parser import TrainingError  # noqa: E402
from deptrees.torch import BiLSTM, Joined, LabeledTransitions, Learning, NeuralParser, Transitions, Words  # noqa: E402
from deptrees.torch import training as torch_training  # noqa: E402
from deptrees.training import Checkpoint, Epoch  # noqa: E402
from tests.torch.architectures import DEV, FORWARD, TRAIN  # noqa: E402

FEW = TRAIN[:6]


def state(parser: Any) -> dict[str, Any]:
    found: dict[str, Any] = parser.model.network.state_dict()
    return found


def test_numbers_of_numpy_are_saved_as_others_are(tmp_path: Path) -> None:
    def train(whole: Any, real: Any, checkpoint: Path) -> Any:
        words = Words(form=whole(8), tags=whole(8), character=whole(4), spelling=whole(4), rare=real(0.25))
        return NeuralParser.train(
            FEW,
            epochs=whole(1),
            seed=whole(3),
            seeds=whole(2),
            beam=whole(2),
            encoder=BiLSTM(words, hidden=whole(6), layers=whole(1), dropout=real(0.25)),
            decoder=Transitions(hidden=whole(8), dropout=real(0.25)),
            learning=Learning(batch_words=whole(40), learning_rate=real(0.125), averaging=real(0.5)),
            checkpoint=Checkpoint(checkpoint, seconds=real(0)),
        )

    train(np.int64, np.float32, tmp_path / "one").save(tmp_path / "model")
    train(int, float, tmp_path / "other").save(tmp_path / "expected")
    assert (tmp_path / "model").read_bytes() == (tmp_path / "expected").read_bytes()


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (Learning, "mixed_precision", np.bool_(True)),
        (Learning, "mixed_precision", "no"),
        (Learning, "learning_rate", float("inf")),
        (Learning, "learning_rate", float("nan")),
        (Learning, "learning_rate", 0),
        (Learning, "learning_rate", "0.1"),
        (Learning, "averaging", 1 + 0j),
        (Learning, "batch_words", 1.5),
        (Words, "form", "100"),
        (Words, "rare", np.array([0.5, 0.5])),
        (Words, "dropout", 1),
        (BiLSTM, "layers", 65),
        (LabeledTransitions, "label", None),
    ],
)
def test_what_cannot_be_saved_is_refused_with_its_name(kind: Any, name: str, value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=name):
        kind(**{name: value})


WRONG: dict[str, tuple[Any, Any, str]] = {
    "encoder": (partial(NeuralParser.train, FEW), BiLSTM, "an encoder of deptrees.torch, such as BiLSTM(), not <class"),
    "decoder": (partial(NeuralParser.train, FEW), BiLSTM(), "a decoder of deptrees.torch, such as Transitions(), not"),
    "checkpoint": (partial(NeuralParser.train, FEW), "x", "a Checkpoint, such as Checkpoint('parser.checkpoint'), not"),
    "of": (BiLSTM, "words", "of the type Encoder, not 'words'"),
    "encoders": (Joined, [Words], "a list of encoders, such as [Words()], not <class"),
    "mixed_precision": (Learning, "no", "of the type bool | None, not 'no'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_parts_of_another_type_are_named(name: str) -> None:
    call, value, message = WRONG[name]
    with pytest.raises(TypeError, match=re.escape(f"{name} is {message}")):
        call(**{name: value})


def test_numbers_that_no_model_is_loaded_with_are_not_saved(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not finite"):
        Embeddings(["dog"], [[1e31]])
    for wrong in np.nan, np.inf, 1e31:
        with pytest.raises(ValueError, match="'weights' has numbers"):
            save_model(tmp_path / "model", Part("part", {}, {"weights": np.array([wrong], np.float32)}))
    assert not [*tmp_path.iterdir()]


def until(updates: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the loss be no number after some updates."""
    countdown, whole = iter(range(updates)), torch_training._cross_entropy

    def cross_entropy(*arguments: Any) -> Any:
        return whole(*arguments) * (1.0 if next(countdown, None) is not None else torch.nan)

    monkeypatch.setattr(torch_training, "_cross_entropy", cross_entropy)


@pytest.mark.parametrize("dev", [None, DEV[:3]], ids=["last", "best"])
def test_training_that_diverges_stops_and_keeps_what_was_learned(
    dev: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    epochs = list[Epoch]()

    def train(**more: Any) -> Any:
        return NeuralParser.train(FEW, epochs=5, dev=dev, **FORWARD.arguments(), on_epoch=epochs.append, **more)

    train()
    assert all(epoch.loss is not None and epoch.loss > 0 for epoch in epochs)
    [losses, epochs[:]] = [epoch.loss for epoch in epochs], []
    until(3, monkeypatch)  # there are two updates in each epoch
    checkpoint = Checkpoint(tmp_path / "checkpoint", resume=True, seconds=0)
    for _ in range(2):  # the second time it goes on from the checkpoint
        with pytest.warns(UserWarning, match=r"after 3 updates, in epoch 2: lower Learning\.learning_rate"):
            parser = train(checkpoint=checkpoint)
    assert [epoch.loss for epoch in epochs] == losses[:1]
    assert all(tensor.isfinite().all() for tensor in state(parser).values())
    parser.save(tmp_path / "model")
    assert [*NeuralParser.load(tmp_path / "model").parse(DEV)] == [*parser.parse(DEV)]


def test_training_that_diverges_at_once_is_an_error() -> None:
    learning = Learning(learning_rate=1000, batch_words=20, mixed_precision=False)
    with pytest.raises(TrainingError, match=r"in epoch 1: lower Learning\.learning_rate"):
        NeuralParser.train(TRAIN, epochs=1, encoder=Words(), decoder=LabeledTransitions(), learning=learning)


def test_a_training_with_more_epochs_goes_on_from_a_checkpoint(tmp_path: Path) -> None:
    epochs = list[Epoch]()

    def train(number: int) -> Any:
        return NeuralParser.train(
            FEW,
            epochs=number,
            **FORWARD.arguments(),
            on_epoch=epochs.append,
            checkpoint=Checkpoint(tmp_path / "checkpoint", resume=True),
        )

    two, four = train(2), train(4)
    assert [epoch.number for epoch in epochs] == [1, 2, 2, 3, 4]  # the second is told of again
    assert four.settings.epochs == 4
    assert not all(torch.equal(tensor, state(two)[name]) for name, tensor in state(four).items())
    with pytest.raises(TrainingError, match="is that of 4 epochs: ask for as many, or more"):
        train(3)


class _Doubles(AbstractContextManager[None]):
    def __enter__(self) -> None:
        torch.set_default_dtype(torch.float64)

    def __exit__(self, *_: object) -> None:
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize(
    "around",
    [
        pytest.param(torch.no_grad, id="no_grad"),
        pytest.param(torch.inference_mode, id="inference_mode"),
        pytest.param(lambda: torch.autocast("cpu", torch.bfloat16), id="autocast"),
        pytest.param(lambda: torch.device("meta"), id="device"),
        pytest.param(_Doubles, id="double"),
    ],
)
def test_what_a_program_has_set_in_pytorch_makes_no_difference(around: Any, tmp_path: Path) -> None:
    expected = NeuralParser.train(FEW, epochs=1, **FORWARD.arguments())
    parses = [*expected.parse(DEV)]
    before = torch.get_rng_state()
    with around():
        parser = NeuralParser.train(FEW, epochs=1, **FORWARD.arguments())
        parser.save(tmp_path / "model")
        loaded = NeuralParser.load(tmp_path / "model", device="cpu")
        assert [*parser.parse(DEV)] == [*loaded.parse(DEV)] == [*expected.parse(DEV)] == parses
    assert torch.equal(torch.get_rng_state(), before)
    assert all(torch.equal(tensor, state(loaded)[name]) for name, tensor in state(expected).items())


@pytest.mark.parametrize(
    ("running", "before", "expected"),
    [
        ("1/99", "", "None"),
        ("999999/999999", "", "PASSIVE"),
        ("999999/999999", "os.environ['OMP_WAIT_POLICY'] = 'ACTIVE'", "ACTIVE"),
        ("999999/999999", "import torch", "None"),
        ("nothing", "", "PASSIVE"),
    ],
)
def test_threads_of_pytorch_wait_asleep_where_others_work(
    running: str, before: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT"):
        monkeypatch.delenv(name, raising=False)
    program = f"""
import builtins, io, os, sys, types
whole = builtins.open
builtins.open = lambda path, *more, **others: (
    io.StringIO("9 9 9 {running} 99") if path == "/proc/loadavg" else whole(path, *more, **others)
)
{before}
import deptrees.torch
print(os.environ.get("OMP_WAIT_POLICY"))
"""
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert process.stdout.split()[-1] == expected
