"""Derivations as records and tables: what they say agrees with costs, with best trees and with the gold tree."""

import json
import random
from itertools import combinations
from typing import Any, get_args
from xml.etree import ElementTree

import pytest

from deptrees import DependencyTree, evaluate, is_projective
from deptrees.search import BeamSearch, Ranking
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcHybridSwap,
    ArcStandard,
    Attardi,
    ExplorationPolicy,
    Oracle,
    OracleSequence,
    Step,
    System,
    TwoPlanar,
    UnparsableTree,
    cost,
    dynamic_oracle,
    exhaustive_oracle,
    static_oracle,
    typed,
)
from deptrees.transition.notation import Blank, choices, derivation_record, derivation_table
from tests.tiers import variants_slow
from tests.transition.configurations import EVERY_SYSTEM, random_tree

TREE = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])


def derivation(system: System, tree: DependencyTree = TREE) -> OracleSequence:
    sequence = Oracle(system, static_oracle, typed)(tree)
    assert isinstance(sequence, OracleSequence)
    return sequence


@pytest.mark.parametrize("system", variants_slow(EVERY_SYSTEM), ids=repr)
def test_choices_agree_with_costs_and_heads(system: System) -> None:
    gold = system.gold_heads(TREE)  # empty where the gold arc is longer than the arcs of the system
    for step in derivation(system).steps():
        found = choices(step, TREE, costs=True)
        assert [choice.transition for choice in found] == list(step.possible)
        assert [choice.transition for choice in found if choice.is_taken] == [step.taken]
        for choice in found:
            after = choice.transition(step.config)
            assert choice.cost == cost(choice.transition, step.config, TREE)
            assert bool(choice.lost) == bool(choice.cost)
            assert set(choice.lost) <= {(head, word) for word, head in enumerate(gold, 1)}
            known = [
                (head, word)
                for head, word in choice.arcs
                if gold[word - 1] is not None or not system.empty_means_unknown
            ]
            assert choice.is_wrong == any(gold[word - 1] != head for head, word in known)
            new = {(head, word) for head, word in {*after.arcs} - {*step.config.arcs} if head}
            assert new <= {*choice.arcs} <= {*after.arcs}  # without ROOT, a word becomes its dependent by itself


@pytest.mark.parametrize("system", variants_slow(EVERY_SYSTEM), ids=repr)
def test_records_and_tables_end_in_the_final_configuration(system: System) -> None:
    record = json.loads(json.dumps(derivation_record(derivation(system), costs=True)))
    gold = system.gold_heads(TREE)
    assert tuple(record["steps"][-1]["heads"]) == gold
    assert record["steps"][-1]["transitions"] == []
    for step in record["steps"][:-1]:
        assert [choice["cost"] for choice in step["transitions"] if choice["taken"]] == [0]
    table = derivation_table(derivation(system), arcs=True, costs=True)
    assert len(table.groups) == len(record["steps"])
    assert [column.title for column in table.columns][-4:] == ["transition", "adds", "cost", "loses"]
    cells = [row[-3].text for rows in table.groups for row in rows if row[-4].mark == "strong"]
    added = {arc for cell in cells for arc in cell.split(", ")}
    assert added >= {f"{TREE[head].form} → {TREE[word].form}" for word, head in enumerate(gold, 1) if head}


BLANKS: list[tuple[Blank, ...]] = [some for size in range(5) for some in combinations(get_args(Blank), size)]
TITLES = {"configurations": {"σ", "β"}, "transitions": {"transition"}, "arcs": {"adds"}, "costs": {"cost", "loses"}}
ARCS = {"arcs", "wrong"}
KEYS = {"transitions": {"transition", "gold", "taken"} | ARCS, "arcs": ARCS, "costs": {"cost", "lost"}}


@pytest.mark.parametrize("blank", BLANKS, ids=" ".join)
def test_exercise_sheets_are_solutions_without_what_is_blank(blank: tuple[Blank, ...]) -> None:
    sheet, solution = (
        derivation_table(derivation(ArcEager()), arcs=True, costs=True, blank=some) for some in (blank, ())
    )
    titles = {title for name in blank for title in TITLES[name]}
    for step, (ours, theirs) in enumerate(zip(sheet.groups, solution.groups, strict=True)):
        for choice, (left, right) in enumerate(zip(ours, theirs, strict=True)):
            for column, cell, solved in zip(sheet.columns, left, right, strict=True):
                is_part = column.title in TITLES["configurations"]
                is_there = step > 0 and choice == 0 if is_part else step < len(sheet.groups) - 1
                assert (cell.mark == "blank") == (column.title in titles and is_there)
                assert cell == solved or (cell.mark, cell.text) == ("blank", "")
    for name in "text", "markdown", "html", "latex":
        writing = {"text": "__", "markdown": r"\_\_", "html": " blank", "latex": r"\underline"}[name]
        assert (writing in getattr(sheet, name)()) == bool(blank)


@pytest.mark.parametrize("blank", BLANKS, ids=" ".join)
def test_records_of_exercises_are_those_of_solutions_without_what_is_blank(blank: tuple[Blank, ...]) -> None:
    sheet, solution = (
        dict[str, Any](derivation_record(derivation(ArcEager()), costs=True, blank=some)) for some in (blank, ())
    )
    keys = {key for name in blank for key in KEYS.get(name, ())}
    for number, (step, solved) in enumerate(zip(sheet.pop("steps"), solution.pop("steps"), strict=True)):
        expected = [choice | dict.fromkeys(keys) for choice in solved.pop("transitions")]
        assert step.pop("transitions") == expected
        hidden = {"configuration"} if "configurations" in blank else set[str]()
        if {*blank} - {"costs"}:
            hidden |= {"heads", "labels"}
        assert step == solved | dict.fromkeys(hidden if number else ())
    assert sheet == solution


def test_wrong_arcs_are_marked_where_an_explorer_takes_them() -> None:
    policy = ExplorationPolicy(k=0, p=1.0, model=lambda cfg, possible, gold: possible[0])
    sequence = Oracle(ArcEager(), dynamic_oracle)(TREE, policy)
    assert isinstance(sequence, OracleSequence)
    record = derivation_record(sequence)
    wrong = [
        choice for step in record["steps"] for choice in step["transitions"] if choice["taken"] and choice["wrong"]
    ]
    heads = TREE.reattach(record["steps"][-1]["heads"] or ())
    assert len(wrong) == len([arc for arc in heads.arcs if arc not in TREE.arcs]) > 0
    assert evaluate(TREE, heads).uas < 1
    assert "✗" in derivation_table(sequence, arcs=True).text()


@pytest.mark.parametrize("system", [ArcHybridSwap(), TwoPlanar(), Attardi()], ids=repr)
def test_costs_take_a_bounded_time_where_nearly_all_arcs_cross(system: System) -> None:
    tree, cfg = random_tree(40, random.Random(3)), system.initial([""] * 40)
    cfg = cfg.possible_transitions()[-1](cfg)
    step = Step(cfg, tuple(cfg.possible_transitions()), (), None, cfg.possible_transitions()[-1])
    assert None in {choice.cost for choice in choices(step, tree, costs=True)}


def test_costs_that_are_not_known_are_question_marks() -> None:
    class Unknown(ArcStandard):
        def loss(self) -> None:  # type: ignore[override]
            return None

    sequence = Oracle(Unknown(), exhaustive_oracle)(DependencyTree([(0, "Go")]))
    assert isinstance(sequence, OracleSequence)
    assert "?" in derivation_table(sequence, costs=True).text()


CROSSING = DependencyTree([(4, "What"), (4, "did"), (4, "<b>"), (0, "discuss"), (1, "about")])


@pytest.mark.parametrize("system", variants_slow(EVERY_SYSTEM), ids=repr)
def test_notebooks_show_well_formed_html(system: System) -> None:
    tree = TREE.reattach(TREE.heads)
    initial = system.initial(tree)
    shown = [
        tree,
        initial,
        system,
        derivation(system),
        Oracle(ArcEager(), static_oracle)(CROSSING),
        evaluate(TREE, TREE),
    ]
    for thing in shown:
        ElementTree.fromstring(f"<div>{thing._repr_html_()}</div>")
    assert not is_projective(CROSSING)
    unparsable = Oracle(ArcEager(), static_oracle)(CROSSING)
    assert isinstance(unparsable, UnparsableTree)
    assert "<b>" not in unparsable._repr_html_()
    assert "not projective" in unparsable._repr_html_()


def test_notebooks_show_hypotheses() -> None:
    search = BeamSearch(Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations)), size=2)
    shown = search.best(TREE)._repr_html_()
    assert shown is not None
    ElementTree.fromstring(f"<div>{shown}</div>")
