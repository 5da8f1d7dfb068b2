"""DEPS, the column of enhanced dependencies: its syntax, and what Universal Dependencies allows in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

__all__ = ["arcs_in", "deps_of", "is_in_order", "is_relation", "reached"]

Node = TypeVar("Node", bound=Hashable)

_PLAIN = re.compile("[a-z]+")
_RELATIONS = re.compile(
    "acl|advcl|advmod|amod|appos|aux|case|cc|ccomp|clf|compound|conj|cop|csubj|dep|det|discourse|dislocated|expl|fixed|"
    "flat|goeswith|iobj|list|mark|nmod|nsubj|nummod|obj|obl|orphan|parataxis|punct|ref|reparandum|root|vocative|xcomp"
)


def arcs_in(deps: str | None) -> list[tuple[str, str]]:
    """The ids of the heads in DEPS, and the labels of their arcs; what is missing of an entry is an empty text.

    >>> arcs_in("2:nsubj|8.1:conj:and|x")
    [('2', 'nsubj'), ('8.1', 'conj:and'), ('x', '')]
    """
    if deps in (None, "_", ""):
        return []
    return [(head, label) for head, _, label in [entry.partition(":") for entry in deps.split("|")]]


def deps_of(arcs: Iterable[tuple[str, str]]) -> str | None:
    """DEPS of a node with these arcs: ids of heads, and labels.

    >>> deps_of([("2", "nsubj"), ("8.1", "conj:and")]), deps_of([])
    ('2:nsubj|8.1:conj:and', None)
    """
    return "|".join([f"{head}:{label}" for head, label in arcs]) or None


def is_in_order(arcs: Iterable[tuple[str, str]]) -> bool:
    """Whether arcs are sorted by their heads, and those from the same head by their labels, and each is there once.

    >>> is_in_order(arcs_in("2:obj|8.9:obj|8.10:nsubj|8.10:obj")), is_in_order(arcs_in("10:obj|9:obj"))
    (True, False)
    """
    return all(before < after for before, after in pairwise((_place(head), label) for head, label in arcs))


def _place(id_: str) -> list[tuple[int, str]]:
    """What sorts ids by their numbers, of which Python reads none of thousands of digits."""
    return [(len(number.lstrip("0")), number.lstrip("0")) for number in id_.split(".") if number.isdecimal()]


@lru_cache(maxsize=1 << 14)
def is_relation(label: str) -> bool:
    """Whether a label is a relation of UD with, after colons, a subtype, a preposition in any script and a case.

    >>> is_relation("nmod:of"), is_relation("obl:ανά:acc"), is_relation("link")
    (True, True, False)
    """
    first, *others = label.split(":")
    plain = [bool(_PLAIN.fullmatch(part)) for part in others]
    if len(others) > 1 and not (plain[0] and plain[-1] if len(others) == 3 else any(plain)):
        return False
    return bool(_RELATIONS.fullmatch(first)) and len(others) <= 3 and all(map(_is_preposition, others))


def _is_preposition(text: str) -> bool:
    """Whether a text has letters without upper case, and underscores only between them."""
    return all(text.split("_")) and all(
        character == "_" or unicodedata.category(character) in ("Ll", "Lm", "Lo", "Mn", "Mc", "Me")
        for character in text
    )


def reached(root: Node, heads: Mapping[Node, Iterable[Node]]) -> set[Node]:
    """The nodes that arcs lead to from the root, and the root, given the heads of each other node.

    >>> reached(0, {1: [0, 3], 2: [1], 3: [4], 4: [3]})
    {0, 1, 2}
    """
    dependents: dict[Node, list[Node]] = {}
    for node, above in heads.items():
        for head in above:
            dependents.setdefault(head, []).append(node)
    found, todo = {root}, [root]
    while todo:
        new = {*dependents.get(todo.pop(), ())} - found
        found |= new
        todo += new
    return found
