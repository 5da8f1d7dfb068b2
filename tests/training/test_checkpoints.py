"""Training that was stopped goes on from its checkpoint with the same result as if it had not been."""

import random
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from typer.testing import CliRunner

from deptrees import DependencyTree, Parser, Tagger, Tokenizer, sample_treebank, write_treebank
from deptrees.cli import app
from deptrees.engine.spec import ModelSpec
from deptrees.engine.trainer import Trainer
from deptrees.features import DELEXICALIZED, Templates
from deptrees.files.models import ModelError, save_model
from deptrees.tagger import Hyperparameters
from deptrees.training import Checkpoint, Epoch, TrainingError
from deptrees.training.resumable import ResumableTraining
from deptrees.transition import ArcHybrid, EasyFirst, System
from tests.files.edits import ModelContent, array_edits, byte_edits, outcomes, record_edits, some, without_checksum
from tests.tiers import slow
from tests.training.kills import killed

TREES = [*sample_treebank("train")][:12]
DEV = [*sample_treebank("dev")][:4]

Train = Callable[..., Any]

KINDS: dict[str, Train] = {
    "greedy": lambda **more: Parser.train(TREES, epochs=4, templates=DELEXICALIZED, **more),
    "dev": lambda **more: Parser.train(TREES, dev=DEV, epochs=4, templates=DELEXICALIZED, **more),
    "beam": lambda **more: Parser.train(TREES, system=ArcHybrid(), epochs=3, beam=3, templates=DELEXICALIZED, **more),
    "subsample": lambda **more: Parser.train(TREES, epochs=3, subsample=0.7, templates=DELEXICALIZED, **more),
    "step by step": lambda **more: Parser.train(
        TREES[:4], system=EasyFirst(), epochs=3, templates=DELEXICALIZED, **more
    ),
    "seeds": lambda **more: Parser.train(TREES, dev=DEV, epochs=2, seeds=2, templates=DELEXICALIZED, **more),
    "tagger": lambda **more: Tagger.train(
        TREES, dev=DEV, epochs=3, seeds=2, hyperparameters=Hyperparameters(bits=10), **more
    ),
}


class Stopped(Exception):
    """Training was stopped."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small portions, and small tables, which are saved sooner."""
    monkeypatch.setattr("deptrees.engine.trainer.ModelSpec", _small_spec)
    monkeypatch.setattr(Trainer, "_words_in_portion", 30)
    monkeypatch.setattr("deptrees.tagger.training._WORDS_IN_PORTION", 30)


def _small_spec(system: System, templates: Templates, labels: tuple[str, ...], joint: bool, *others: Any) -> ModelSpec:
    _, *more = others
    return ModelSpec(system, templates, labels, joint, (10, 8), *more)


def content(model: Any, folder: Path) -> bytes:
    model.save(folder / "content")
    return (folder / "content").read_bytes()


@pytest.mark.parametrize("kind", ["dev", "tagger", *map(slow, sorted(KINDS.keys() - {"dev", "tagger"}))])
def test_training_that_is_stopped_again_and_again_ends_with_the_same_model(kind: str, tmp_path: Path) -> None:
    train, rng, epochs, again = KINDS[kind], random.Random(1), list[Epoch](), list[Epoch]()
    expected = content(train(on_epoch=epochs.append), tmp_path)
    stops = 0
    while True:
        countdown = iter(range(rng.randrange(1, 6), 0, -1))
        try:
            with pytest.MonkeyPatch.context() as patch:
                _stop_after(patch, countdown)
                found = train(checkpoint=Checkpoint(tmp_path / "c", resume=True, seconds=0), on_epoch=again.append)
            break
        except Stopped:
            stops += 1
    assert stops > 2
    assert content(found, tmp_path) == expected
    assert [epoch for epoch in again if epoch in epochs] == again  # some are told of twice
    assert [*dict.fromkeys(again)] == epochs


def _stop_after(patch: pytest.MonkeyPatch, countdown: Any) -> None:
    """Stop after some portions have been saved, before the next is learned from."""
    original = ResumableTraining.part

    def part(self: ResumableTraining[Any]) -> Any:
        if next(countdown, None) is None:
            raise Stopped
        return original(self)

    patch.setattr(ResumableTraining, "part", part)


def test_taggers_that_have_been_trained_are_not_trained_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deptrees.tagger.hyperparameters._MOST_WEIGHTS", 1 << 12)
    write_treebank(tmp_path / "trees", TREES)
    command = ["train", str(tmp_path / "trees"), "--pipeline", "--epochs", "2", "--seeds", "1"]
    command += ["--templates", "DELEXICALIZED"]
    resumed = [*command, "-o", str(tmp_path / "model"), "--checkpoint", str(tmp_path / "c"), "--resume"]
    assert CliRunner().invoke(app, [*command, "-o", str(tmp_path / "uninterrupted")]).exit_code == 0
    stops, code = 0, 1
    while code:
        with monkeypatch.context() as patch:
            _stop_after(patch, iter(range(2 * stops + 1)))  # those that were whole are saved, too
            code = CliRunner().invoke(app, resumed).exit_code
            stops += bool(code)
    assert stops > 2
    assert (tmp_path / "model").read_bytes() == (tmp_path / "uninterrupted").read_bytes()
    monkeypatch.setattr("deptrees.tagger.training.TaggerTraining._learn", None)
    monkeypatch.setattr(Trainer, "_learn", None)
    assert CliRunner().invoke(app, resumed).exit_code == 0
    assert (tmp_path / "model").read_bytes() == (tmp_path / "uninterrupted").read_bytes()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("where", ["within an epoch", "between epochs"])
def test_signals_save_the_training_before_they_do_what_they_did(
    number: signal.Signals, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    received = list[int]()
    before = signal.signal(number, lambda *_: _interrupt(received, number))
    checkpoint = tmp_path / "c"
    try:
        if where == "within an epoch":
            _raise_in(monkeypatch, number, portion=5)
            with pytest.raises(Stopped):
                KINDS["dev"](checkpoint=Checkpoint(checkpoint))
        else:
            with pytest.raises(Stopped):
                KINDS["dev"](checkpoint=Checkpoint(checkpoint), on_epoch=lambda _: signal.raise_signal(number))
    finally:
        signal.signal(number, before)
    assert received == [number]
    assert checkpoint.exists()


def _interrupt(received: list[int], number: int) -> None:
    received.append(number)
    raise Stopped


def _raise_in(patch: pytest.MonkeyPatch, number: signal.Signals, portion: int) -> None:
    learn, portions = Trainer._learn, iter(range(1000))

    def learn_and_raise(self: Trainer, order: Any) -> tuple[int, int]:
        if next(portions) == portion:
            signal.raise_signal(number)  # it waits until the portion has been learned from
        return learn(self, order)

    patch.setattr(Trainer, "_learn", learn_and_raise)


def test_an_ignored_signal_saves_the_training_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    save = save_model
    saved: list[None] = []
    monkeypatch.setattr("deptrees.training.checkpoints.save_model", lambda *args: saved.append(save(*args)))
    _raise_in(monkeypatch, signal.SIGINT, portion=2)
    try:
        KINDS["greedy"](checkpoint=Checkpoint(tmp_path / "c"))
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(saved) == 2  # and at the end


def test_handlers_of_signals_are_given_back(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    KINDS["greedy"](checkpoint=Checkpoint(tmp_path / "c"))
    assert signal.getsignal(signal.SIGTERM) is before


def test_other_threads_train_too(tmp_path: Path) -> None:
    found = list[Any]()
    checkpoint = Checkpoint(tmp_path / "c")
    thread = threading.Thread(target=lambda: found.append(KINDS["greedy"](checkpoint=checkpoint)))
    thread.start()
    thread.join()
    assert content(found[0], tmp_path) == content(KINDS["greedy"](), tmp_path)


@pytest.mark.parametrize("kind", ["dev", "tagger"])
@pytest.mark.parametrize("kills", [2, slow(10)])
def test_a_process_that_is_killed_again_and_again(kills: int, kind: str, tmp_path: Path) -> None:
    def train(checkpoint: Checkpoint | None) -> Any:
        return KINDS[kind](checkpoint=checkpoint)

    assert not any(killed(train, kills, tmp_path, random.Random(kills)))


def test_more_epochs_can_be_added(tmp_path: Path) -> None:
    Parser.train(TREES, epochs=2, checkpoint=Checkpoint(tmp_path / "c"))
    more = Parser.train(TREES, epochs=3, checkpoint=Checkpoint(tmp_path / "c", resume=True))
    assert content(more, tmp_path) == content(Parser.train(TREES, epochs=3), tmp_path)
    with pytest.raises(TrainingError, match="that of 3 epochs: ask for as many, or more"):
        Parser.train(TREES, epochs=2, checkpoint=Checkpoint(tmp_path / "c", resume=True))


def test_the_best_model_so_far_is_a_model(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "c")
    parser = KINDS["dev"](checkpoint=checkpoint)
    assert [*Parser.load(checkpoint.best).parse(DEV)] == [*parser.parse(DEV)]


def test_the_best_model_is_the_one_of_its_checkpoint(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "c", resume=True)
    whole = content(KINDS["dev"](checkpoint=checkpoint), tmp_path)
    best, saved = checkpoint.best.read_bytes(), checkpoint.path.read_bytes()
    KINDS["greedy"](seed=2).save(checkpoint.best)
    with pytest.raises(TrainingError, match=r"c\.best is not the best model of the training in .*c: put that back"):
        KINDS["dev"](checkpoint=checkpoint)
    # A process that was killed between the checkpoint and the best model has left that under another name.
    (tmp_path / "c.best.new").write_bytes(best)
    assert content(KINDS["dev"](checkpoint=checkpoint), tmp_path) == whole
    # One that was killed between the best model and the checkpoint has left a model that will be found again.
    KINDS["greedy"](seed=2).save(tmp_path / "c.best.new")
    assert content(KINDS["dev"](checkpoint=checkpoint), tmp_path) == whole
    assert (checkpoint.best.read_bytes(), checkpoint.path.read_bytes()) == (best, saved)


def test_a_checkpoint_is_not_overwritten_by_chance(tmp_path: Path) -> None:
    KINDS["greedy"](checkpoint=Checkpoint(tmp_path / "c"))
    with pytest.raises(FileExistsError, match=r"go on from it \(resume=True, --resume\), or remove it"):
        KINDS["greedy"](checkpoint=Checkpoint(tmp_path / "c"))


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"treebank": TREES[1:]}, "treebank"),
        ({"dev": DEV}, "development data"),
        ({"seed": 2}, "seed"),
        ({"system": "ArcHybrid"}, "system"),
    ],
    ids=["treebank", "dev", "seed", "system"],
)
def test_a_checkpoint_of_another_training_says_what_is_other(
    changed: dict[str, Any], what: str, tmp_path: Path
) -> None:
    Parser.train(TREES, epochs=1, checkpoint=Checkpoint(tmp_path / "c"))
    treebank = changed.pop("treebank", TREES)
    with pytest.raises(TrainingError, match=f"is the checkpoint of a training with another {what}"):
        Parser.train(treebank, epochs=1, **changed, checkpoint=Checkpoint(tmp_path / "c", resume=True))


def test_a_checkpoint_of_a_training_that_began_elsewhere_says_so(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "c", resume=True)
    first, second = (Parser.train(TREES, epochs=1, seed=seed, templates=DELEXICALIZED) for seed in (1, 2))
    KINDS["greedy"](start=first, checkpoint=checkpoint)
    KINDS["greedy"](start=first.model, checkpoint=checkpoint)
    for start in second, None:
        with pytest.raises(TrainingError, match="is the checkpoint of a training with another start"):
            KINDS["greedy"](start=start, checkpoint=checkpoint)


def test_a_checkpoint_of_a_tokenizer_that_learned_from_another_text_says_so(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "c", resume=True)
    Tokenizer.train(TREES, epochs=1, checkpoint=checkpoint)
    trees = [attrs.evolve(tree, comments=("# newpar", *tree.comments)) for tree in TREES]
    with pytest.raises(TrainingError, match="is the checkpoint of a training with another text"):
        Tokenizer.train(trees, epochs=1, checkpoint=checkpoint)


def test_what_is_no_checkpoint(tmp_path: Path) -> None:
    KINDS["greedy"]().save(tmp_path / "parser")
    (tmp_path / "text").write_text("text")
    for name in "parser", "text":
        with pytest.raises(ModelError):
            KINDS["greedy"](checkpoint=Checkpoint(tmp_path / name, resume=True))


@pytest.mark.parametrize("n", [2, slow(30)], ids=["few", "many"])
@pytest.mark.parametrize("kind", ["dev", "beam", "step by step", "tagger"])
def test_an_edited_checkpoint_is_refused_or_gone_on_from(kind: str, n: int, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    with pytest.MonkeyPatch.context() as patch:
        _stop_after(patch, iter(range(4)))
        with pytest.raises(Stopped):
            KINDS[kind](checkpoint=Checkpoint(saved, seconds=0))

    def go_on(path: Path) -> list[DependencyTree]:
        try:
            trained = KINDS[kind](checkpoint=Checkpoint(path, resume=True))
        except (FileNotFoundError, TrainingError) as error:  # there is no best model, or another training is said
            raise ModelError(f"{path}: {error}") from None
        return [*(trained.tag(DEV) if isinstance(trained, Tagger) else trained.parse(DEV))]

    edits = [*record_edits(ModelContent.read(saved).record), *array_edits(ModelContent.read(saved))]
    assert outcomes(saved, some(edits, n), go_on, tmp_path)["refused"]
    unnoticed = outcomes(saved, map(without_checksum, some(edits, n)), go_on, tmp_path)
    assert unnoticed.keys() <= {"refused", "same"}
    assert outcomes(saved, byte_edits(saved.stat().st_size, 2 * n), go_on, tmp_path).keys() == {"refused"}


def test_a_checkpoint_that_cannot_be_written_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoint = tmp_path / "c"
    KINDS["greedy"](checkpoint=Checkpoint(checkpoint))
    whole = checkpoint.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("deptrees.training.checkpoints.save_model", full)
    with pytest.raises(OSError, match="No space left"):
        Parser.train(TREES, epochs=6, templates=DELEXICALIZED, checkpoint=Checkpoint(checkpoint, resume=True))
    assert checkpoint.read_bytes() == whole
