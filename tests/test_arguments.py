"""Arguments of the wrong type: the error names what was given, and is short however long that is."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from deptrees import DependencyTree
from deptrees.engine import Trainer, batches
from deptrees.parser import Parser
from deptrees.tagger import Tagger
from deptrees.transition import (
    ArcEager,
    ArcStandardSwap,
    EasyFirst,
    IllegalTransition,
    LeftArc,
    Oracle,
    OracleNotDefined,
    System,
    WrongDerivation,
    as_system,
    dynamic_oracle,
)

TREE = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
LONG = DependencyTree([(0, "word")] * 20_000)

OPTIONS = [
    *("templates", "on_error", "update", "restart", "joint", "policy", "constraints", "start", "checkpoint"),
    *("on_epoch", "on_sentence", "on_update"),
]


def train(name: str, given: Any) -> Parser:
    """Train a parser with one option."""
    return Parser.train([TREE], **{name: given})


WRONG: dict[str, tuple[Callable[[Any], object], str]] = {
    "treebank of a parser": (Parser.train, "treebank"),
    "treebank of a tagger": (Tagger.train, "treebank"),
    "treebank of a trainer": (Trainer, "treebank"),
    "treebank of batches": (lambda given: list(batches(given)), "treebank"),
    "development data": (lambda given: Parser.train([TREE], dev=given), "treebank"),
    "system of a parser": (lambda given: Parser.train([TREE], system=given), "system"),
    "system of an oracle": (lambda given: Oracle(given, dynamic_oracle), "system"),
    "oracle of a parser": (lambda given: Parser.train([TREE], oracle=given), "oracle"),
    "function of an oracle": (lambda given: Oracle(ArcEager(), given), "oracle"),
    **{f"{name} of a parser": (partial(train, name), name) for name in OPTIONS},
    "hyperparameters of a tagger": (lambda given: Tagger.train([TREE], hyperparameters=given), "hyperparameters"),
}


@pytest.mark.parametrize("given", [TREE, LONG, "x" * 1_000_000, 7, 2.5, [7] * 100_000], ids=lambda given: type(given))
@pytest.mark.parametrize(("call", "name"), WRONG.values(), ids=WRONG)
def test_an_error_names_what_is_wrong_in_a_few_words(call: Callable[[Any], object], name: str, given: Any) -> None:
    with pytest.raises((TypeError, ValueError, OracleNotDefined), match=name) as caught:
        call(given)
    assert len(str(caught.value)) < 800


@pytest.mark.parametrize("given", ["sing", 7, 2.5, TREE[1]])
def test_words_are_given_in_a_list(given: Any) -> None:
    with pytest.raises(TypeError, match="is not a sentence: put the words"):
        ArcEager().initial(given)


def test_a_class_stands_for_a_system() -> None:
    assert Parser.train([TREE], system=ArcEager, epochs=1).system == as_system("arc-eager")


@pytest.mark.parametrize("system", [ArcEager(), ArcStandardSwap(), EasyFirst()], ids=repr)
def test_an_impossible_transition_is_told_without_all_of_a_long_configuration(system: System) -> None:
    cfg = system.initial(["word"] * 5000)
    impossible = LeftArc(k=9999)
    with pytest.raises(IllegalTransition, match="requires") as caught:
        impossible(cfg)
    assert len(str(caught.value)) < 800


def test_a_wrong_derivation_is_told_without_all_of_a_long_sentence() -> None:
    error = WrongDerivation.of(Oracle(ArcEager(), dynamic_oracle), LONG, [None] * len(LONG))
    assert "word 5 has the head None, not 0, ...;" in str(error)
    assert len(str(error)) < 800
