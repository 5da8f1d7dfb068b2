"""The matches of requests are those that a search through all bindings finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import Columns, DependencyTree, Token
from deptrees.messages import TooLarge
from deptrees.query import Request
from deptrees.treebanks.matches import matches

Words = dict[str, int]
Check = Callable[[DependencyTree, Words], bool]


@attrs.frozen
class Clause:
    """A clause as it is written, its names, and what it means."""

    text: str
    names: tuple[str, ...]
    holds: Check


def value(tree: DependencyTree, position: int, feature: str) -> str | None:
    """The feature of a node."""
    if position == 0:
        return "__0__" if feature == "form" else None
    token = tree[position]
    if feature in ("form", "lemma", "upos"):
        found: str | None = getattr(token, feature)
        return found
    entries = dict(entry.split("=") for column in (token.misc, token.feats) if column for entry in column.split("|"))
    return entries.get(feature.replace("__psor", "[psor]"))


def heads_above(tree: DependencyTree, position: int) -> Iterator[int]:
    while position and (head := tree[position].head) is not None:
        yield head
        position = head


def label_fits(text: str, label: str | None) -> bool:
    """What a clause asks of a label, in the ways that the tests write."""
    before, _, after = (label or "").partition(":")
    return {
        "->": True,
        "-[a]->": label == "a",
        "-[a|b:c]->": label in ("a", "b:c"),
        "-[^a]->": label not in (None, "a"),
        '-[re"b.*"]->': label is not None and label.startswith("b"),
        "-[1=b]->": before == "b",
        "-[1=b, !2]->": label == "b",
        "-[2=*]->": bool(after),
        "-[2<>c]->": bool(after) and after != "c",
    }[text]


LABELS = ["->", "-[a]->", "-[a|b:c]->", "-[^a]->", '-[re"b.*"]->', "-[1=b]->", "-[1=b, !2]->", "-[2=*]->", "-[2<>c]->"]
FEATURES = ["form", "lemma", "upos", "Case", "Number__psor", "Gloss"]
VALUES = ["x", "y"]


def edge(first: str, second: str, label: str) -> Clause:
    def holds(tree: DependencyTree, words: Words) -> bool:
        head, dependent = words[first], words[second]
        return dependent > 0 and tree[dependent].head == head and label_fits(label, tree[dependent].label)

    return Clause(f"{first} {label} {second}", (first, second), holds)


def half_edge(name: str, label: str, outgoing: bool) -> Clause:
    def holds(tree: DependencyTree, words: Words) -> bool:
        arcs = [(head, it, tree[it].label) for head, it in tree.arcs]
        return any((head if outgoing else it) == words[name] and label_fits(label, its) for head, it, its in arcs)

    return Clause(f"{name} {label} *" if outgoing else f"* {label} {name}", (name,), holds)


def order(first: str, second: str, sign: str) -> Clause:
    def holds(tree: DependencyTree, words: Words) -> bool:
        left, right = words[first], words[second]
        return {"<": right == left + 1, "<<": left < right, "->>": left in heads_above(tree, right)}[sign]

    return Clause(f"{first} {sign} {second}", (first, second), holds)


def comparison(first: str, its: str, second: str, others: str, sign: str) -> Clause:
    def holds(tree: DependencyTree, words: Words) -> bool:
        left, right = value(tree, words[first], its), value(tree, words[second], others)
        return left is not None and right is not None and (left == right) == (sign == "=")

    return Clause(f"{first}.{its} {sign} {second}.{others}", (first, second), holds)


def fits(asked: str, found: str | None) -> bool:
    """What a condition asks of a value, in the ways that the tests write."""
    return {
        "{} = x": found == "x",
        "{} = x|y": found in ("x", "y"),
        '{} <> "x"': found not in (None, "x"),
        "{}": found is not None,
        "{} = *": found is not None,
        "!{}": found is None,
        "{} = /X|Z/i": found is not None and re.fullmatch("[xXzZ]", found) is not None,
    }[asked]


CONDITIONS = ["{} = x", "{} = x|y", '{} <> "x"', "{}", "{} = *", "!{}", "{} = /X|Z/i"]


def features(name: str, alternatives: Sequence[Sequence[tuple[str, str]]]) -> Clause:
    def holds(tree: DependencyTree, words: Words) -> bool:
        return any(all(fits(asked, value(tree, words[name], it)) for it, asked in one) for one in alternatives)

    written = ("[" + ", ".join(asked.format(it) for it, asked in one) + "]" for one in alternatives)
    return Clause(f"{name} {'|'.join(written)}", (name,), holds)


def clauses(names: Sequence[str]) -> st.SearchStrategy[Clause]:
    name, feature = st.sampled_from(names), st.sampled_from(FEATURES)
    conditions = st.lists(st.tuples(feature, st.sampled_from(CONDITIONS)), max_size=2)
    return st.one_of(
        st.builds(edge, name, name, st.sampled_from(LABELS)),
        st.builds(half_edge, name, st.sampled_from(LABELS[1:]), st.booleans()),
        st.builds(order, name, name, st.sampled_from(["<", "<<", "->>"])),
        st.builds(comparison, name, feature, name, feature, st.sampled_from(["=", "<>"])),
        st.builds(features, name, st.lists(conditions, min_size=1, max_size=2)),
    )


PATTERNS = st.lists(clauses("ABC"), max_size=4)
FILTERS = st.lists(st.tuples(st.booleans(), st.lists(clauses("ABCD"), min_size=1, max_size=2)), max_size=2)


@st.composite
def trees(draw: st.DrawFn) -> DependencyTree:
    """Trees, of which some lack heads."""
    n = draw(st.integers(1, 6))
    order = draw(st.permutations(range(1, n + 1)))
    heads: dict[int, int | None] = {}
    for place, word in enumerate(order):
        heads[word] = draw(st.sampled_from([0, None, *order[:place], *order[:place]]))
    text, maybe = st.sampled_from(VALUES), st.sampled_from([None, *VALUES])
    feats = st.sampled_from([None, "Case=x", "Case=y|Number[psor]=x"])
    return DependencyTree(
        Token(
            draw(text),
            heads[word],
            draw(st.sampled_from(["a", "b", "b:c", "b:d", None])),
            lemma=draw(maybe),
            upos=draw(maybe),
            feats=draw(feats),
            misc=draw(st.sampled_from([None, "Gloss=x", "Case=x|Gloss=Z"])),
        )
        for word in range(1, n + 1)
    )


def names_of(clauses: Sequence[Clause]) -> list[str]:
    return [*dict.fromkeys(name for clause in clauses for name in clause.names)]


def bindings(tree: DependencyTree, names: Sequence[str], known: Words) -> Iterator[Words]:
    """All ways to give names that are not known positions of their own."""
    missing = [name for name in names if name not in known]
    free = {*range(len(tree) + 1)} - {*known.values()}
    for positions in permutations(sorted(free), len(missing)):
        yield known | dict(zip(missing, positions, strict=True))


def all_matches(
    tree: DependencyTree, pattern: Sequence[Clause], filters: Sequence[tuple[bool, Sequence[Clause]]]
) -> list[Words]:
    """The matches by trying all bindings, as the language defines them."""

    def found(clauses: Sequence[Clause], known: Words) -> list[Words]:
        all_of_them = bindings(tree, names_of(clauses), known)
        return [words for words in all_of_them if all(clause.holds(tree, words) for clause in clauses)]

    return [
        words
        for words in found(pattern, {})
        if all(bool(found(clauses, words)) == wanted for wanted, clauses in filters)
    ]


def written(pattern: Sequence[Clause], filters: Sequence[tuple[bool, Sequence[Clause]]]) -> str:
    """The request."""
    items = [("pattern", pattern), *(("with" if wanted else "without", its) for wanted, its in filters)]
    return " ".join(f"{word} {{ {'; '.join(clause.text for clause in its)} }}" for word, its in items)


@given(st.lists(trees(), max_size=3), PATTERNS, FILTERS)
def test_the_matches_of_random_requests_are_those_among_all_bindings(
    sentences: list[DependencyTree],
    pattern: list[Clause],
    filters: list[tuple[bool, list[Clause]]],
) -> None:
    expected = [
        (number, words)
        for number, tree in enumerate(sentences, 1)
        for words in all_matches(tree, pattern, filters)
    ]
    found = [*matches(sentences, written(pattern, filters))]
    assert [(match.sentence, dict(match.words)) for match in found] == expected
    assert all(match.tree == sentences[match.sentence - 1] for match in found)
