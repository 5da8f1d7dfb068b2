"""The options of training: each declared once, with its default, check and meaning, and what it needs to mean anything.

All else derives from the declarations: what ``train`` takes and what its documentation says of it, the command line,
what model files record, and the error for an option that would change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import attrs

from deptrees.features import FAST, TAGGED, Templates
from deptrees.files.limits import BEAM, PLACE
from deptrees.files.models import ModelFile, Part
from deptrees.files.parts import LINEAR_SETTINGS, SETTINGS
from deptrees.files.records import registers_fields, to_record
from deptrees.messages import quoted, written
from deptrees.training.declarations import (
    FLAG,
    FUNCTION,
    Kind,
    Need,
    OneOf,
    Share,
    Whole,
    declarations,
    declared,
    option,
)
from deptrees.training.inputs import (
    ON_ERROR,
    RATE,
    Exploration,
    MeaninglessOption,
    development_trees,
    exploration_of,
    is_complete,
    oracle_for,
    oracle_name,
    rates_of,
)
from deptrees.training.update_rules import UPDATE_RULES, UpdateRule
from deptrees.transition.oracles import NamedOracle, OracleFunction
from deptrees.transition.system import System
from deptrees.transition.systems.registry import as_tree_system
from deptrees.trees.tree import AnyTree, DependencyTree

if TYPE_CHECKING:
    from cattrs import Converter

    from deptrees.engine.model import SavedModel
    from deptrees.training.checkpoints import Checkpoint
    from deptrees.training.records import Epoch
    from deptrees.training.updates import OnSentence, OnUpdate
    from deptrees.transition.constraints import Known
    from deptrees.transition.sequence import AnyPolicy

__all__ = ["LinearOptions", "Options", "ParserOptions", "read_settings", "settings_part"]


BEAM_OF_SEVERAL = Need(
    lambda options: options.beam > 1, lambda _: "without a beam: leave it out, or ask for a beam of 2 or more"
)
BEAM_OF_ONE = Need(
    lambda options: options.beam == 1,
    lambda _: "with a beam, which compares whole derivations: leave it out, or ask for a beam of 1",
)
EXPLORING = Need(
    lambda options: is_complete(options.function) or not any(rates_of(options.exploration)),
    lambda options: (
        f"with the {oracle_name(options.function)} oracle, after which training never explores: "
        "leave it out, or take the dynamic oracle"
    ),
)
NO_POLICY = Need(
    lambda options: getattr(options, "policy", None) is None,
    lambda _: "beside policy, which takes its place: leave one of them out",
)

FOLLOWING = Need(
    lambda options: not getattr(getattr(options, "decoder", None), "is_exact", False),
    lambda _: "with a decoder that learns from all derivations at once: leave it out",
)


def _ignore(epoch: Epoch) -> None:
    """Do nothing; unlike a lambda it can be pickled with the settings of a parser."""


_Given = TypeVar("_Given", bound="Options")
_Settings = TypeVar("_Settings", bound="ParserOptions")
_Linear = TypeVar("_Linear", bound="LinearOptions")


@attrs.frozen(kw_only=True, repr=False)
class Options:
    """The options of any training.

    >>> options = LinearOptions(epochs=3, beam=2)
    >>> options.epochs, options.beam, options.seed
    (3, 2, 1)
    >>> options
    LinearOptions(epochs=3, seed=1, seeds=1, system=ArcEager(root='last', single_root=True), beam=2, on_error='go_on',
                  templates=Templates(53 templates), update='max_violation', restart=True, subsample=1.0)
    """

    of: ClassVar[str] = "a model"
    """What is trained."""

    epochs: int = option(10, "The number of passes over the treebank.", Whole(1), stored=int)
    seed: int = option(1, "Determines all that is random: the same seed gives the same model.", Whole(0), stored=int)
    seeds: int = option(
        1,
        "How many models to train, with this seed and the following ones. The average of their weights is more "
        "accurate than one model, and not slower.",
        Whole(1),
        stored=int,
        in_pipeline=3,
    )
    dev: Iterable[AnyTree] | None = option(
        None, "Trees to evaluate on after each epoch; the best epoch is kept, otherwise the last."
    )
    checkpoint: Checkpoint | None = option(
        None, "Where to save the training, so that it can be stopped and resumed with the same result."
    )
    on_epoch: Callable[[Epoch], object] = option(_ignore, "Called with a record of each epoch when it ends.", FUNCTION)

    @classmethod
    def chosen(cls: type[_Given], **given: Any) -> _Given:
        """The options that are given, checked, and the defaults of the others.

        Raises:
            MeaninglessOption: an option would change nothing because of the others. It is a ``ValueError``.
            TypeError: there is no such option, or it has a value of a wrong type.
            ValueError: a value is wrong.

        >>> LinearOptions.chosen(update="early")
        Traceback (most recent call last):
        deptrees.training.inputs.MeaninglessOption: update means nothing without a beam: leave it out, or ask for a beam
        of 2 or more
        """
        for name in given.keys() - declarations(cls).keys():
            if name in declarations(LinearOptions):
                raise MeaninglessOption(name, f"to {cls.of}: leave it out")
            raise TypeError(f"there is no option {quoted(name)}: choose one of {', '.join(declarations(cls))}")
        return cls(**given).checked()

    def checked(self: _Given) -> _Given:
        """The same options, if they are as they should be; see ``chosen`` for the errors."""
        given = {name: getattr(self, name) for name in declarations(type(self))}
        for name, (field, it) in declarations(type(self)).items():
            if not (given[name] is None and field.default is None):
                given[name] = it.check(name, given[name])
            for need in it.needs:
                if given[name] != field.default and not need.is_met(self):
                    raise MeaninglessOption(name, need.otherwise(self))
        return attrs.evolve(self, **given)

    def arguments(self) -> dict[str, Any]:
        """What is recorded of the options: what to call ``train`` with to train such a model again.

        >>> from deptrees import Parser, sample_treebank
        >>> trees = [*sample_treebank("train")][:5]
        >>> parser = Parser.train(trees, epochs=1)
        >>> again = Parser.train(trees, **parser.settings.arguments())
        >>> again.settings == parser.settings
        True
        """
        return {name: value for name, value in self._stored() if value is not None}

    def _stored(self) -> Iterator[tuple[str, object]]:
        return ((name, getattr(self, name)) for name, (_, it) in declarations(type(self)).items() if it.stored)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.arguments().items())})"


def _floats(exploration: Exploration | None) -> Exploration | None:
    """The same in one form, so that equal settings are saved alike."""
    if exploration is None:
        return None
    rates_of(exploration)
    return float(exploration) if isinstance(exploration, (int, float)) else tuple(map(float, exploration))


@attrs.frozen(kw_only=True, repr=False)
class ParserOptions(Options):
    """The options of training any parser: with those that are recorded, the settings of a parser that was trained."""

    of: ClassVar[str] = "a parser"

    system: System = attrs.field(  # whose converter types what is given
        default=as_tree_system("arc-eager"),
        converter=as_tree_system,
        metadata=declared(
            "The transition system, such as arc-eager, 'Attardi(3)', or your own: module:Class. A name without options "
            "stands for the variant that parses best.",
            stored=System,
        ),
    )
    oracle: OracleFunction | str | None = option(
        None,
        "The oracle; by default the one that the system learns best from. Only dynamic ones explore.",
        needs=(FOLLOWING,),
        stored=str,
    )
    beam: int = option(
        1,
        "How many derivations to follow at a time. With more than one, whole derivations are learned: slower, more "
        "accurate.",
        Whole(1, BEAM),
        needs=(FOLLOWING,),
        stored=int,
        in_pipeline=8,
    )
    exploration: Exploration | None = option(
        None,
        "How often training continues with a prediction, right or wrong, from the second epoch on; or the rate of "
        f"each epoch, the last for all that follow. By default {RATE}, if the oracle is dynamic.",
        needs=(FOLLOWING, EXPLORING, NO_POLICY),
        stored=Exploration | None,
        converter=_floats,
    )
    enhanced: bool = option(
        False,
        "Learn enhanced dependencies, too: to fill in DEPS of the words of each parsed tree.",
        FLAG,
    )

    @property
    def function(self) -> OracleFunction:
        """The oracle function."""
        return oracle_for(self.system, self.oracle)

    @property
    def rate(self) -> Exploration | None:
        """How often training explores, asked for or by default; ``None`` if it never does, or where a policy says.

        >>> LinearOptions(system="arc-hybrid").rate, LinearOptions(system="arc-hybrid", oracle="static").rate
        (0.9, None)
        """
        if self.exploration is not None:
            return self.exploration
        explores = is_complete(self.function) and FOLLOWING.is_met(self) and NO_POLICY.is_met(self)
        return RATE if explores else None

    def trees_to_evaluate_on(self) -> list[DependencyTree] | None:
        """The development data, held in memory; see `deptrees.training.inputs.development_trees`."""
        return None if self.dev is None else development_trees(self.dev)

    def settings(self, kind: type[_Settings], **changed: Any) -> _Settings:
        """What is recorded of these options, in which your own functions are named.

        >>> LinearOptions(system="arc-hybrid").settings(ParserOptions, epochs=2)
        ParserOptions(epochs=2, seed=1, seeds=1, system=ArcHybrid(root='first', single_root=True), oracle='dynamic',
                      beam=1, exploration=0.9)
        """
        if not isinstance(kind, type) or not issubclass(kind, ParserOptions):
            raise TypeError(f"kind is a class of options, such as ParserOptions, not {quoted(kind)}")
        recorded = {name: value for name, value in self._stored() if name in declarations(kind)}
        for name in ("update", "policy"):
            if not isinstance(recorded.get(name), str | None):
                recorded[name] = written(recorded[name])
        return kind(**{**recorded, "oracle": oracle_name(self.function), "exploration": self.rate, **changed})


@attrs.frozen(kw_only=True, repr=False)
class LinearOptions(ParserOptions):
    """The options of training a linear parser."""

    of: ClassVar[str] = "a linear parser"

    on_error: str = option(
        "go_on",
        "What to do after an update (Sartorio 2015, section 4.2.2; Goldberg & Nivre 2013 train easy-first with "
        "aggressive).",
        OneOf(ON_ERROR),
        needs=(BEAM_OF_ONE,),
        stored=str,
    )
    templates: Templates = option(
        FAST,
        "What the model looks at. With templates that have numbers, training runs step by step.",
        Kind(Templates, "a set of templates, such as FAST or Templates([...])"),
        stored=Templates,
        in_pipeline=TAGGED,
    )
    lookahead: int | None = option(
        None,
        "How many words after b0 the parser may look at, to parse word by word. Without other templates, those of FAST "
        "are taken that see no further.",
        Whole(0, PLACE),
    )
    update: str | UpdateRule = option(
        "max_violation",
        "When to update, with a beam.",
        OneOf(tuple(UPDATE_RULES), UpdateRule),
        needs=(BEAM_OF_SEVERAL,),
        stored=str,
    )
    restart: bool = option(
        True,
        "Continue after an update to the end of the sentence (Aufrant, Wisniewski & Yvon 2017).",
        FLAG,
        needs=(BEAM_OF_SEVERAL,),
        stored=bool,
    )
    time_limit: int | None = option(
        None,
        "With a beam, begin anew after this many steps without an error (Aufrant & Wisniewski 2017, section 4.3).",
        Whole(1),
        needs=(BEAM_OF_SEVERAL,),
        stored=int | None,
    )
    joint: bool | None = option(
        None,
        "Choose each transition together with its label: slower, more accurate, above all with a beam. "
        "By default only where training runs step by step, which always does.",
        FLAG,
        stored=bool,
        in_pipeline=True,
    )
    subsample: float = option(
        1.0,
        "The share of the heads to learn from, drawn anew for each epoch (Aufrant & Wisniewski 2017, section 4.4).",
        Share(),
        stored=float,
    )
    policy: AnyPolicy | str | None = option(
        None,
        "Which transition training continues with, in place of exploration, such as SecondBest(k=1, p=0.1). "
        "Training then runs step by step, unless exploration says the same.",
        FUNCTION,
        needs=(BEAM_OF_ONE,),
        stored=str | None,
    )
    constraints: Known | None = option(
        None,
        "What is known about each sentence before it is parsed, for templates that look at it (see "
        "Constraints.in_misc); trees to evaluate on are parsed under it.",
        Kind(Callable, "a function, such as Constraints.given"),
    )
    start: Any = option(
        None,
        "A parser to continue from, of the same system and the same joint; the templates must include its own. "
        "Its tokenizer and its tagger do not continue: a pipeline keeps them.",
    )
    on_sentence: OnSentence | None = option(
        None,
        "Called with each sentence before it is learned from; a tree that it returns replaces the sentence. "
        "Training then runs step by step.",
        FUNCTION,
    )
    on_update: OnUpdate | None = option(
        None, "Called with each update once it has been learned from. Training then runs step by step.", FUNCTION
    )

    @classmethod
    def chosen(cls: type[_Given], **given: Any) -> _Given:
        """See `Options`; what looks further ahead than it may is a ``ValueError``, too.

        >>> LinearOptions.chosen(lookahead=1).templates
        Templates(51 templates)
        >>> LinearOptions.chosen(lookahead=1, templates=FAST)
        Traceback (most recent call last):
        ValueError: leave out the templates with a lookahead of more than 1: b2.upos, b0.upos+b1.upos+b2.upos
        """
        found: Any = super().chosen(**given)
        most = found.lookahead
        if most is None:
            return found  # type: ignore[no-any-return]
        if found.system.lookahead is None:
            raise ValueError(f"{found.system} does not read words from left to right: choose another system")
        if found.system.lookahead > most:
            ahead = f"{found.system} has a lookahead of {found.system.lookahead}, which is more than {most}"
            raise ValueError(f"{ahead}: choose another system, such as arc-hybrid")
        if "templates" not in given:
            return attrs.evolve(found, templates=found.templates.within(most))  # type: ignore[no-any-return]
        if further := [str(template) for template in found.templates if template.lookahead > most]:
            raise ValueError(f"leave out the templates with a lookahead of more than {most}: {', '.join(further)}")
        return found  # type: ignore[no-any-return]

    def checked(self: _Linear) -> _Linear:
        """See `Options`; a policy that is nothing but exploration becomes that, for which there is a compiled form.

        With an oracle of one's own, which nothing else knows to answer off its path, it stays what it is.

        >>> from deptrees.transition import ExplorationPolicy
        >>> options = LinearOptions.chosen(policy=ExplorationPolicy(k=2, p=0.5))
        >>> options.policy, options.exploration
        (None, (0.0, 0.0, 0.5))
        """
        found: _Linear = super().checked()
        exploration = exploration_of(found.policy)
        is_own = not isinstance(found.function, NamedOracle) and not is_complete(found.function)
        if exploration is None or is_own:
            return found
        return attrs.evolve(found, policy=None, exploration=exploration).checked()

    @property
    def without_compiled_form(self) -> str | None:
        """What is chosen that the engine cannot do; ``None`` if there is nothing."""
        own = [name for name in ("policy", "on_sentence", "on_update") if getattr(self, name)]
        own += ["update"] if isinstance(self.update, UpdateRule) else []
        own += ["numbers in templates"] if self.templates.numeric else []
        return own[0] if own else None

    @property
    def started_from(self) -> SavedModel | None:
        """The model to continue from."""
        found: SavedModel | None = getattr(self.start, "model", self.start)
        return found


@cache
def _record(kind: Any) -> Any:
    """A class with what is recorded of options."""
    fields = {name: attrs.field(type=it.stored) for name, (_, it) in declarations(kind).items() if it.stored}
    return attrs.make_class(kind.__name__, fields, frozen=True, kw_only=True)


_FORMATS: Mapping[str, Any] = {SETTINGS: ParserOptions, LINEAR_SETTINGS: LinearOptions}


def settings_part(settings: ParserOptions, *known: str) -> Part:
    """What is saved of settings: all but those fields that other parts of the file have."""
    [name] = [name for name, kind in _FORMATS.items() if kind is type(settings)]
    return Part(name, {name: value for name, value in to_record(settings).items() if name not in known}, {})


def read_settings(file: ModelFile, **known: Any) -> ParserOptions | None:
    """The settings in a file, ``None`` if there are none; ``known`` are fields that other parts of the file have."""
    for name, kind in _FORMATS.items():
        if name in file:
            found: ParserOptions = kind(**attrs.asdict(file.read(name, _record(kind), **known), recurse=False))
            return found
    return None


@registers_fields
def _fields(converter: Converter) -> None:
    converter.register_unstructure_hook_func(
        lambda kind: isinstance(kind, type) and issubclass(kind, Options),
        lambda options: {name: converter.unstructure(value) for name, value in options._stored()},
    )
    converter.register_structure_hook(
        Exploration | None,
        lambda record, _: (
            None
            if record is None
            else converter.structure(record, tuple[float, ...] if isinstance(record, list) else float)
        ),
    )
