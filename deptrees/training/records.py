"""Records of training: its settings, what happened in an epoch, why it is impossible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from zlib import crc32

import attrs

from deptrees.features import Template, Templates
from deptrees.features.embeddings import Embeddings
from deptrees.files.models import ModelError, ModelFile, Part
from deptrees.files.records import registers_fields, to_record
from deptrees.training.inputs import Exploration, rates_of
from deptrees.transition import ArcEager, System
from deptrees.transition.systems.registry import REGISTRY, system_from, system_record

if TYPE_CHECKING:
    from cattrs import Converter

    from deptrees.evaluation import Scores

__all__ = [
    "DEFAULT_SYSTEM",
    "Epoch",
    "Settings",
    "TrainingError",
    "read_settings",
    "read_system",
    "settings_part",
]

_FORMAT = "deptrees settings 2"

DEFAULT_SYSTEM = ArcEager(root="last", single_root=True)
"""The system of parsers for which none is chosen."""


class TrainingError(ValueError):
    """There is nothing to learn from, or no way to learn it."""


@attrs.frozen
class Epoch:
    """What happened in one pass over a treebank, whatever was trained.

    Args:
        number: the number of the pass, from 1.
        sentences: the sentences learned from.
        skipped: the sentences left out because the system cannot build their trees.
        steps: how many predictions the model made: one per configuration, step of a beam or, for a tagger, word.
        errors: how often it was wrong.
        scores: a parser's scores on the development data, ``None`` if there are none.
        accuracy: a tagger's accuracy on the development data, or a tokenizer's F1, the mean of those of tokens and of
            sentences; ``None`` if there are none.
    """

    number: int
    sentences: int
    skipped: int
    steps: int
    errors: int
    scores: Scores | None = None
    accuracy: float | None = None

    @property
    def score(self) -> float:
        """The score for choosing the best epoch: a parser's LAS, otherwise the accuracy; 0 without development data."""
        return (self.accuracy or 0.0) if self.scores is None else self.scores.las


def _floats(exploration: Exploration) -> Exploration:
    """The same in one form, so that equal settings are saved alike.

    Raises:
        TypeError: it is neither a number nor numbers.
        ValueError: a number is out of range, or there is none.
    """
    rates_of(exploration)
    return float(exploration) if isinstance(exploration, (int, float)) else tuple(map(float, exploration))


@attrs.frozen(kw_only=True, repr=False)
class Settings:
    """How a parser was trained: all that was chosen, except the treebank and what a network is made of.

    What does not apply to a kind of parser is ``None``.

    Args:
        system: the transition system.
        oracle: the name of the oracle.
        epochs: the number of passes over the treebank; of a linear model with development data, until the best one.
        seed: the seed.
        seeds: of how many seeds, this one and those after it, a linear model has the average of the weights, and a
            neural one the networks.
        exploration: how often training went on with the model's own transition from the second epoch on, or in each
            epoch, if the oracle is complete.
        on_error: without a beam, what was done after an update.
        templates: what a linear model looks at.
        beam: how many derivations are followed at a time.
        update: with a beam, when there is an update; of a rule of your own what it is written as.
        policy: what a policy that was given in place of ``exploration`` is written as.
        restart: with a beam, whether learning goes on after an update.
        time_limit: with a beam, after how many steps it begins anew.
        joint: whether each transition is chosen together with its label.
        subsample: which share of the heads is learnt from in each epoch.

    >>> Settings(system=ArcEager(), oracle="static", epochs=5, seed=1, exploration=0.9)
    Settings(system=ArcEager(root='first'), oracle='static', epochs=5, seed=1, exploration=0.9)
    """

    system: System
    oracle: str
    epochs: int
    seed: int
    seeds: int | None = None
    exploration: Exploration = attrs.field(converter=_floats)
    on_error: str | None = None
    templates: Templates | None = None
    beam: int | None = None
    update: str | None = None
    policy: str | None = None
    restart: bool | None = None
    time_limit: int | None = None
    joint: bool | None = None
    subsample: float | None = None

    def arguments(self) -> dict[str, Any]:
        """What to call ``train`` with to train such a parser again.

        >>> from deptrees import Parser, sample_treebank
        >>> trees = [*sample_treebank("train")][:5]
        >>> parser = Parser.train(trees, epochs=1)
        >>> again = Parser.train(trees, **parser.settings.arguments())
        >>> again.settings == parser.settings
        True
        """
        return attrs.asdict(self, recurse=False, filter=lambda _, value: value is not None)

    def __repr__(self) -> str:
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in self.arguments().items())})"


def settings_part(settings: Settings, *known: str) -> Part:
    """What is saved of settings: all but those fields that other parts of the file have."""
    return Part(_FORMAT, {name: value for name, value in to_record(settings).items() if name not in known}, {})


def read_settings(file: ModelFile, **known: Any) -> Settings | None:
    """The settings in a file, ``None`` if there are none.

    Args:
        file: the file.
        known: the fields that other parts of the file have.

    Raises:
        ModelError: they are not settings of this version.
    """
    return file.read(_FORMAT, Settings, **known) if _FORMAT in file else None


def _system_record(system: System) -> dict[str, Any]:
    """A system as JSON can say it; of one that is not the library's own only what it is called."""
    registered = REGISTRY.get(type(system).__name__)
    own = registered is None or registered.kind is not type(system)
    return {"own": repr(system)} if own else system_record(system)


def read_system(record: object, given: System | None = None) -> System:
    """The system that a record describes.

    Args:
        record: the record.
        given: the system that whoever loads the model says it is; needed if it is not one of the library's own.

    Raises:
        ModelError: it is not one of the library's and none is given, or the one that is given is another one.
        UnknownSystem: there is no such system in the library.

    >>> read_system({"own": "Mine(root='last')"})
    Traceback (most recent call last):
    deptrees.files.models.ModelError: the model was trained with Mine(root='last'), a system that is not the library's
    own: pass it when you load the model, as system=Mine(root='last')
    """
    if not isinstance(record, Mapping) or "own" not in record:
        found = system_from(record)
        if given not in (None, found):
            raise ModelError(f"the model was trained with {found}, not with {given}: load it without system=")
        return found
    if given is None or repr(given) != record["own"]:
        other = "" if given is None else f", not {given}"
        raise ModelError(
            f"the model was trained with {record['own']}, a system that is not the library's own: pass it when you "
            f"load the model, as system={record['own']}{other}"
        )
    return given


def _is_system(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, System)


def _embeddings_record(embeddings: Embeddings) -> dict[str, Any]:
    """Embeddings as JSON can say them; their numbers are an array of the file."""
    return {"words": [*embeddings.words], "size": embeddings.size, "checksum": crc32(embeddings.vectors.tobytes())}


def _known_embeddings(record: Any, _: object) -> Embeddings:
    if not isinstance(record, Embeddings):
        raise TypeError("expected embeddings, whose numbers are an array of the file")
    return record


@registers_fields
def _fields(converter: Converter) -> None:
    from cattrs.gen import make_dict_unstructure_fn, override

    converter.register_unstructure_hook_func(_is_system, _system_record)
    converter.register_structure_hook_func(
        lambda kind: kind is System, lambda record, _: record if isinstance(record, System) else read_system(record)
    )
    converter.register_structure_hook(
        Exploration,
        lambda record, _: converter.structure(record, tuple[float, ...] if isinstance(record, list) else float),
    )
    converter.register_unstructure_hook(Template, str)
    converter.register_structure_hook(Template, lambda text, _: Template.read(text))
    converter.register_unstructure_hook(Embeddings, _embeddings_record)
    converter.register_structure_hook(Embeddings, _known_embeddings)
    converter.register_unstructure_hook(
        Templates, make_dict_unstructure_fn(Templates, converter, embeddings=override(omit_if_default=True))
    )
