"""Write a file of each format, as this version writes it, for later ones to read.

python -m tests.files.write_formats

The folder of a version that was released is never written again. Models are compressed, and beside each are trees as it
parses them.
"""

import gzip
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs

from deptrees import (
    Columns,
    DependencyTree,
    Ensemble,
    Parser,
    TransitionEnsemble,
    load_parser,
    sample_treebank,
    train_pipeline,
    write_treebank,
)
from deptrees.annotation import Document, SetHead
from deptrees.distributed import LoadedModel, parse_file
from deptrees.features import Templates
from deptrees.packages import Card
from deptrees.training import Checkpoint
from deptrees.treebanks.conllu import to_conllu
from tests.cli.running import run

FORMATS = Path(__file__).parent / "formats"
FOLDER = FORMATS / "1.0"

TRAIN = [
    attrs.evolve(tree, tokens=[attrs.evolve(token, deps=f"{token.head}:{token.label}") for token in tree])
    for tree in [*sample_treebank("train")][:6]
]
DEV = [*sample_treebank("dev")][:4]
FEW = Templates(["s0.form", "b0.form", "s0.upos+b0.upos", "s1.upos+s0.upos+b0.upos"])
TEXT = "The old dog sleeps. A bird\nsings!"


def linear(**options: Any) -> Parser:
    """A small parser."""
    return Parser.train(TRAIN, **{"system": "arc-hybrid", "epochs": 3, "templates": FEW, **options})


def neural(system: str) -> Parser:
    """A very small neural parser."""
    from deptrees.torch import Architecture, BiLSTM, NeuralParser, Transitions, Words

    encoder = BiLSTM(Words(form=2, tags=2, character=2, spelling=2), hidden=2)
    architecture = Architecture(encoder=encoder, decoder=Transitions(hidden=4))
    return NeuralParser.train(TRAIN, system=system, epochs=1, **architecture.arguments())


def generative() -> Any:
    """A very small generative parser."""
    from deptrees.torch import GenerativeParser
    from deptrees.transition import ArcHybrid

    return GenerativeParser.train(TRAIN, ArcHybrid(), size=2, epochs=1)


MODELS: Mapping[str, Callable[[], Any]] = {
    "linear": linear,
    "compact": linear,
    "joint": lambda: linear(system="arc-eager", joint=True, beam=2),
    "stepwise": lambda: linear(system="easy-first"),
    "calibrated": lambda: linear().calibrate(DEV),
    "enhanced": lambda: linear(enhanced=True),
    "pipeline": lambda: train_pipeline(TRAIN, epochs=2, seeds=1, beam=1, templates=FEW),
    "ensemble": lambda: Parser(Ensemble([linear(seed=seed) for seed in (1, 2)])),
    "transition-ensemble": lambda: Parser(TransitionEnsemble([linear(seed=seed) for seed in (1, 2)])),
    "neural": lambda: neural("arc-hybrid"),
    "generative": generative,
}
COMPACT = {"compact", "stepwise", "pipeline"}
"""Those that are saved so."""
OF_TORCH = {"neural", "generative"}
"""Those that need PyTorch."""


def load(name: str, path: Path) -> Any:
    """Load the model of this name."""
    if name != "generative":
        return load_parser(path)
    from deptrees.torch import GenerativeParser

    return GenerativeParser.load(path)


class Stopped(Exception):
    """Training was stopped."""


def train_checkpoint(path: Path, **options: Any) -> Parser:
    """Train with a checkpoint, which the training goes on from if it is there."""
    return linear(epochs=6, checkpoint=Checkpoint(path, resume=True, seconds=0), **options)


def stop(epoch: Any) -> None:
    """Stop the training that tells of this epoch after three."""
    if epoch.number == 3:
        raise Stopped


def write_models() -> None:
    """Models of each kind, what they parse, and a checkpoint."""
    for name, make in MODELS.items():
        with packed(name) as path:
            make().save(path, **({"compact": True} if name in COMPACT else {}))
            model = load(name, path)
            write_treebank(FOLDER / f"{name}.conllu", model.parse(DEV))
            if name == "pipeline":
                write_treebank(FOLDER / f"{name}.text.conllu", model.parse_text(TEXT))
    with packed("checkpoint") as path, suppress(Stopped):
        train_checkpoint(path, on_epoch=stop)


@contextmanager
def packed(name: str) -> Iterator[Path]:
    """Where to write a file that is kept compressed."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        yield path
        (FOLDER / f"{name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def unpacked(name: str, folder: Path, version: str = FOLDER.name) -> Path:
    """A copy of such a file of a version in another folder, as it was written."""
    path = folder / name
    path.write_bytes(gzip.decompress((FORMATS / version / f"{name}.gz").read_bytes()))
    return path


def write_others() -> None:
    """A treebank in columns, a card, a file that is being annotated, a configuration, and a manifest."""
    Columns.encode(TRAIN).save(FOLDER / "columns")
    Card(name="small", licence="CC0-1.0", scores={"tags": {"LAS": 0.5}}, size=7).write(FOLDER)
    sentence = DependencyTree([(None, "Birds"), (None, "sing"), (None, "loudly")])
    document = Document.read(to_conllu(sentence)).act(0, SetHead(1, 2), lambda it: it.proposed((2, 0, 2), (None,) * 3))
    (FOLDER / "annotated.conllu").write_text(document.text, "utf-8")
    (FOLDER / "templates.txt").write_text("\n".join(map(str, FEW.templates)), "utf-8")
    command = ["train", "train.conllu", "-o", "model", "--beam", "2", "--exploration", "0,0.5", "--print-config"]
    (FOLDER / "train.toml").write_text(run(*command).stdout, "utf-8")
    model = LoadedModel.load(unpacked("linear", FOLDER))
    write_treebank(FOLDER / "source.conllu", DEV)
    parse_file(model, FOLDER / "source.conllu", FOLDER / "target.conllu")
    (FOLDER / "linear").unlink()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True)
    write_models()
    write_others()
