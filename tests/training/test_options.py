"""Every option of training, from Python and from the command line: what it cannot be, where it means something."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import Parser, Tagger, Tokenizer, sample_treebank
from deptrees.cli import train as command
from deptrees.cli.declared import with_options
from deptrees.engine import train
from deptrees.features import DELEXICALIZED
from deptrees.files.sparse import SparseArray
from deptrees.training import UPDATE_RULES, LinearOptions, Options, ParserOptions
from deptrees.training.declarations import FUNCTION, Kind, OneOf, Share, Whole, declarations
from deptrees.training.inputs import MeaninglessOption
from deptrees.training.options import BEAM_OF_ONE, BEAM_OF_SEVERAL, EXPLORING, FOLLOWING, NO_POLICY
from deptrees.transition import Constraints, SecondBest
from tests.cli.running import GOOD, run

TRAIN = list(sample_treebank("train"))[:6]
NAMES = [*declarations(LinearOptions)]


def ignore(_: Any) -> None:
    """A hook that does nothing."""


OTHERS: dict[str, Any] = {
    "epochs": 3,
    "seed": 7,
    "seeds": 2,
    "dev": TRAIN[:2],
    "on_epoch": ignore,
    "system": "arc-hybrid",
    "oracle": "nondeterministic",
    "beam": 2,
    "exploration": 0.5,
    "on_error": "aggressive",
    "templates": DELEXICALIZED,
    "update": "early",
    "restart": False,
    "time_limit": 2,
    "joint": True,
    "subsample": 0.5,
    "policy": SecondBest(k=1, p=0.5),
    "constraints": Constraints.given,
    "on_sentence": lambda tree: tree.reattach([None] * len(tree)) if len(tree) > 3 else None,
    "on_update": ignore,
}
"""A value of each option that is not the default one."""
IN_ITS_PLACE = {BEAM_OF_SEVERAL: {"beam": 2}, BEAM_OF_ONE: {}, EXPLORING: {}, NO_POLICY: {}}
OUT_OF_PLACE: dict[Any, dict[str, Any]] = {
    BEAM_OF_SEVERAL: {},
    BEAM_OF_ONE: {"beam": 2},
    EXPLORING: {"oracle": "static"},
    NO_POLICY: {"policy": SecondBest(k=1, p=0.5)},
}
ON_THE_COMMAND_LINE = {"policy": "--second-best", "joint": "--joint-labels", "restart": "--no-restart"}
NEEDY = [
    (name, need)
    for name, (_, it) in declarations(LinearOptions).items()
    for need in it.needs
    if need is not FOLLOWING  # which all linear parsers meet; see tests/torch/test_exact.py
]


@pytest.mark.parametrize(("name", "need"), NEEDY, ids=lambda it: it if isinstance(it, str) else "")
def test_an_option_that_would_change_nothing_is_an_error(name: str, need: Any, tmp_path: Path) -> None:
    options = {**OUT_OF_PLACE[need], name: OTHERS[name]}
    with pytest.raises(MeaninglessOption, match=f"^{name} means nothing (with|beside)"):
        Parser.train(TRAIN, **options)
    with pytest.raises(MeaninglessOption):
        train(TRAIN, **options)
    given = []
    for option, value in options.items():
        said = ON_THE_COMMAND_LINE.get(option, f"--{option.replace('_', '-')}")
        given += [said] if isinstance(value, bool) else [said, value.p if option == "policy" else value]
    wrong = run("train", "-", "-o", tmp_path / "model", *given, input=GOOD)
    assert wrong.exit_code == 2
    assert f"it means nothing {'beside' if need is NO_POLICY else 'with'}" in " ".join(wrong.output.split())
    default = declarations(LinearOptions)[name][0].default
    LinearOptions.chosen(**{**options, name: default})  # naming the default is no choice


@pytest.mark.parametrize("name", [name for name in OTHERS if declarations(LinearOptions)[name][1].stored])
def test_an_option_that_is_accepted_changes_what_is_learned(name: str) -> None:
    around = {key: value for _, need in NEEDY if _ == name for key, value in IN_ITS_PLACE[need].items()}
    fewer = {"epochs": 2, "templates": DELEXICALIZED, **around}
    if name == "templates":
        del fewer["templates"]
    weights = []
    for options in (fewer, {**fewer, name: OTHERS[name]}):
        arrays = Parser.train(list(sample_treebank("train"))[:20], **options).model.part().arrays
        weights.append(
            [(array.numbers if isinstance(array, SparseArray) else array).tobytes() for array in arrays.values()]
        )
    assert weights[0] != weights[1]


def wrong_values() -> Iterator[tuple[str, Any]]:
    for name, (_, declared) in declarations(LinearOptions).items():
        check = declared.check
        if isinstance(check, Whole):
            yield from ((name, value) for value in ("2", 2.5, check.least - 1))
            if check.most is not None:
                yield name, check.most + 1
        elif isinstance(check, Share):
            yield from ((name, value) for value in ("2", 0, -1, 1.5, float("nan")))
        elif isinstance(check, OneOf):
            yield from ((name, value) for value in ("magic", 7))
        elif isinstance(check, Kind):
            yield name, "magic"


@pytest.mark.parametrize(("name", "value"), [*wrong_values()])
def test_what_an_option_cannot_be_is_told_with_its_name(name: str, value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=rf"\b{name}\b"):
        LinearOptions.chosen(**{name: value})


def test_options_that_are_not_there_are_told_with_those_that_are() -> None:
    with pytest.raises(TypeError, match="there is no option 'epoch': choose one of epochs, seed"):
        Parser.train(TRAIN, epoch=3)  # type: ignore[call-arg]
    kinds: Any = (Tagger, Tokenizer)
    for kind in kinds:
        with pytest.raises(MeaninglessOption, match="beam means nothing to a t"):
            kind.train(TRAIN, beam=4)
    learn: Any = Parser.train
    with pytest.raises(TypeError, match="'arc-eager' has no name: what comes after the treebank does"):
        learn(TRAIN, "arc-eager")


def test_help_names_every_option_with_its_meaning() -> None:
    for kind in (Parser, Tagger, Tokenizer):
        learn: Any = kind.train
        names = [*declarations(learn.options)]
        assert [*inspect.signature(learn).parameters] == ["treebank", *names]
        documentation = inspect.getdoc(learn) or ""
        assert all(f"    {name}: " in documentation for name in names)
        assert all(
            "\n" not in it.meaning and it.meaning.endswith(".") for _, it in declarations(learn.options).values()
        )


def test_options_have_one_order() -> None:
    for kind in (ParserOptions, LinearOptions):
        assert [*declarations(kind)][: len(declarations(Options))] == [*declarations(Options)]


def test_the_command_has_every_option_that_is_no_function() -> None:
    said_otherwise = {"policy": {"second_best", "sample"}, "on_epoch": {"as_json"}}
    functions = {name for name, (_, it) in declarations(LinearOptions).items() if it.check is FUNCTION}
    parameters = inspect.signature(with_options(command.train)).parameters
    for name in NAMES:
        if name not in functions or name in said_otherwise:
            assert said_otherwise.get(name, {name}) <= {*parameters}


def test_settings_are_options_and_can_be_given_again() -> None:
    options = LinearOptions(beam=2, update=UPDATE_RULES["early"], oracle="static")
    settings = options.settings(LinearOptions, epochs=4)
    assert (settings.epochs, settings.oracle, settings.dev) == (4, "static", None)
    assert str(settings.update).startswith("UpdateRule(")
    assert attrs.evolve(settings, update="early").arguments()["update"] == "early"
    assert LinearOptions.chosen(**LinearOptions().settings(LinearOptions).arguments()).oracle == "dynamic"
