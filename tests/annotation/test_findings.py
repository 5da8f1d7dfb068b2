"""Findings: of the rules that are looked at, what the validator of Universal Dependencies finds."""

import io
import random
from functools import cache
from typing import Any

import attrs
import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.annotation import Dismiss, findings_in
from deptrees.treebanks.conllu import to_conllu
from deptrees.trees.heads import TreeError
from tests.annotation.sentences import sentence_of

LABELS = """
    det nummod advmod expl aux cop case mark cc punct nsubj nsubj:outer csubj obj conj fixed flat appos root
"""
TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
NOT_LOOKED_AT = {"rel-upos-fixed"}


@cache
def validator() -> Any:
    from udtools.validator import Validator

    return Validator(lang="ud", level=3, output=None)


def expected(tree: DependencyTree) -> set[tuple[str, int]]:
    """What udtools finds of the rules that are looked at."""
    from udtools.state import State

    state = State()
    validator().validate_file_handle(io.StringIO(to_conllu(tree)), state)
    first = len(tree.comments)
    rules = ("rel-upos", "upos-rel", "right-to-left", "too-many", "multiple-roots", "0-is-not-root", "root-is-not-0")
    found = {(it.testid, 0 if it.testid == "multiple-roots" else it.lineno - first) for it in state.error_tracker}
    return {(rule, word) for rule, word in found if rule.startswith(rules) and rule not in NOT_LOOKED_AT}


def changed(tree: DependencyTree, chance: random.Random) -> DependencyTree:
    """A tree with other labels, tags and heads."""
    tokens = [
        attrs.evolve(
            token,
            label=chance.choice([token.label, *chance.sample(LABELS.split(), 2)]),
            upos=chance.choice([token.upos, chance.choice(TAGS.split())]),
            head=chance.choice([token.head, token.head, chance.randint(0, len(tree))]),
        )
        for token in tree
    ]
    return DependencyTree(tokens, [*tree.comments, f"# text = {' '.join(token.form for token in tree)}"])


def test_they_are_those_of_the_validator() -> None:
    pytest.importorskip("udtools")
    chance, seen = random.Random(1), set[str]()
    for tree in [*sample_treebank("dev")] * 3:
        try:
            tree = changed(tree, chance)
        except TreeError:
            continue
        found = {(it.rule, it.word) for it in findings_in(sentence_of(tree)) if it.rule != "format"}
        wanted = expected(tree)
        if ("multiple-roots", 0) in wanted:  # after which it looks no further
            assert ("multiple-roots", 0) in found
            continue
        assert found == wanted
        seen |= {rule for rule, _ in found}
    assert len(seen) > 10


def test_a_dismissed_finding_has_its_reason_which_stays_in_the_file() -> None:
    sentence = sentence_of(DependencyTree([(2, "Birds", "root"), (0, "sing", "root")]))
    [finding] = findings_in(sentence)
    assert (finding.word, finding.rule, finding.reason) == (1, "root-is-not-0", None)
    after = Dismiss(1, finding.rule, "a   test:\nit is")(sentence)
    assert after.tree.comments == ("# dismissed = 1 root-is-not-0: a test: it is",)
    assert [it.reason for it in findings_in(after)] == ["a test: it is"]
