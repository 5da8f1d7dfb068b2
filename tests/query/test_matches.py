"""The matches of requests are those that a search through all bindings finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, permutations
from random import Random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import DependencyTree, Token, sample_treebank
from deptrees.messages import TooLarge
from deptrees.query import Request, RequestError
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


def random_tree(random: Random) -> DependencyTree:
    """A tree in which some words may lack heads, and others have several roots above them."""
    n = random.randint(1, 6)
    order = random.sample(range(1, n + 1), n)
    heads = {word: random.choice([0, None, *order[:place], *order[:place]]) for place, word in enumerate(order)}
    return DependencyTree(
        Token(
            random.choice(VALUES),
            heads[word],
            random.choice(["a", "b", "b:c", "b:d", None]),
            lemma=random.choice([None, *VALUES]),
            upos=random.choice([None, *VALUES]),
            feats=random.choice([None, "Case=x", "Case=y|Number[psor]=x"]),
            misc=random.choice([None, "Gloss=x", "Case=x|Gloss=Z"]),
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


def check(
    trees: Sequence[DependencyTree], pattern: Sequence[Clause], filters: Sequence[tuple[bool, Sequence[Clause]]] = ()
) -> list[tuple[int, Words]]:
    """The matches, which are those among all bindings."""
    found = [*matches(trees, written(pattern, filters))]
    numbered = enumerate(trees, 1)
    expected = [(number, words) for number, tree in numbered for words in all_matches(tree, pattern, filters)]
    assert [(match.sentence, match.words) for match in found] == expected
    assert all(match.tree is trees[match.sentence - 1] for match in found)
    return expected


@given(st.lists(st.builds(random_tree, st.randoms(use_true_random=False)), max_size=3), PATTERNS, FILTERS)
def test_the_matches_of_random_requests_are_those_among_all_bindings(
    trees: list[DependencyTree], pattern: list[Clause], filters: list[tuple[bool, list[Clause]]]
) -> None:
    check(trees, pattern, filters)


TREES = [*map(random_tree, map(Random, range(6)))]
EACH = [
    *(edge("A", "B", label) for label in LABELS),
    *(half_edge("A", label, outgoing) for label in LABELS[1:] for outgoing in (True, False)),
    *(order("A", "B", sign) for sign in ("<", "<<", "->>")),
    *(comparison("A", "form", other, "lemma", sign) for sign in ("=", "<>") for other in "AB"),
    *(features("A", [[(feature, asked)]]) for feature in FEATURES[1:] for asked in ("{} = x", "!{}")),
    *(features("A", [[("lemma", asked)]]) for asked in CONDITIONS),
    features("A", [[("lemma", "{} = x"), ("upos", "{}")], [("form", "{} = x")]]),
]


@pytest.mark.parametrize("clause", EACH, ids=lambda clause: clause.text)
def test_each_clause_has_the_matches_that_it_has_among_all_bindings(clause: Clause) -> None:
    anything = [features(name, [[]]) for name in "AB"]
    found = check(TREES, [clause])
    assert 0 < len(found) < len(check(TREES, anything[: len({*clause.names})]))
    check(TREES, [edge("B", "C", "->")], [(False, [clause])])


def star(n: int) -> DependencyTree:
    return DependencyTree([(0, "hub", "root"), *[(1, "spoke", "dep")] * n])


def test_a_request_of_many_nodes_that_have_many_candidates_takes_no_longer_than_its_matches() -> None:
    """A search that binds one after the other would try 30 ** 20 bindings."""
    names = [f"N{number}" for number in range(20)]
    edges = "; ".join(f"H -> {name}" for name in names)
    in_order = "; ".join(f"{left} < {right}" for left, right in pairwise(names))
    found = [*matches([star(30)], f"pattern {{ {edges}; {in_order} }}")]
    assert [match.words["N0"] for match in found] == [*range(2, 13)]
    assert [*matches([star(30)], f"pattern {{ {edges}; Z [form=none]; H -> Z }}")] == []


def test_what_has_too_many_partial_matches_is_an_error_that_names_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    request = "pattern { H -> A; H -> B; H -> C; H -> D }"
    with pytest.raises(TooLarge, match="sentence 2 has more than 1,000,000 partial matches of the request"):
        [*matches([star(4), star(40), star(4)], request)]
    monkeypatch.setattr("deptrees.query.constraints.MOST", 150)
    assert len([*matches([star(4)] * 9, request)]) == 9 * 4 * 3 * 2 * 1  # which are not searched together


def test_treebanks_in_memory_and_in_files_have_the_same_matches() -> None:
    trees = [*sample_treebank("train")]
    request = 'pattern { V [upos=VERB]; V -[nsubj]-> S } without { V -[re"obj|obl.*"]-> O }'
    with pytest.raises(RequestError):
        sample_treebank("train").query(request)
    request = request.replace('re"obj|obl.*"', "/obj|obl.*/")
    found = [*sample_treebank("train").query(request)]
    assert found == [*matches(trees, Request(request))]
    assert {tree.sent_id for tree in trees} > {match.tree.sent_id for match in found}
