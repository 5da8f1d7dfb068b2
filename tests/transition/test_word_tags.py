"""Tags of words stand for trees: for all that a system builds, and whatever the tags are."""

import random
from typing import Any

import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.transition import (
    REGISTRY,
    NotLeftToRight,
    System,
    as_system,
    decode,
    encode,
    untyped,
)
from deptrees.trees.enumeration import all_trees
from tests.tiers import slow, variants_slow

READING = [
    "ArcStandard",
    "ArcEager",
    "ArcHybrid",
    "NonMonotonicArcEager",
    "ArcSwift",
    "ArcEagerPartial",
    "ArcHybridPartial",
    "ArcEagerSpan",
    "ArcHybridSpan",
    "Attardi",
    "MH4",
    "AttardiAllDegree1",
    "AttardiAll",
    "TwoPlanar",
    "ListBasedNonProjective",
    "ListBasedProjective",
    "ListBasedNonLocal",
    "ListBasedNonMonotonic",
    "LRSpines",
    "LeftCorner",
    "StanzaAttach",
    "JointTags",
    "ArcEagerEdit",
]
"""The systems that read words from left to right; of any others it must be known why they do not."""
SYSTEMS = variants_slow(system for name in READING for system in REGISTRY[name].variants)


@pytest.mark.parametrize("n", [3, slow(4)])
@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_every_tree_that_a_system_builds_is_decoded_again(system: System, n: int) -> None:
    seen = 0
    for length in range(1, n + 1):
        for tree in all_trees(length):
            if system.obstacle(tree) is None:
                tags = encode(system, tree, untyped)
                assert len(tags) == length
                assert decode(system, tags, tree).heads == system.gold_heads(tree)
                seen += 1
    assert seen > 4


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_any_tags_give_a_tree_that_the_system_builds(system: System) -> None:
    rng = random.Random(0)
    kinds = [repr(transition).partition("(")[0] for transition in system.transition_space()]
    for _ in range(50):
        n = rng.randint(0, 5)
        tags = ["+".join(rng.choices(kinds, k=rng.randint(1, 4))) for _ in range(n)]
        found = decode(system, tags, ["w"] * n)
        assert len(found) == n
        if not system.leaves_words:
            assert found.is_annotated
            assert system.obstacle(found) is None


def test_tags_are_parts_of_the_derivation_that_begin_with_reading() -> None:
    tree = next(iter(sample_treebank("train")))
    for name in ("arc-hybrid", "arc-standard"):  # where nothing but Shift reads
        assert all(tag.startswith("Shift") and tag.count("Shift") == 1 for tag in encode(name, tree))
        assert sum(tag.count("Arc:") for tag in encode(name, tree)) == len(tree)


@pytest.mark.parametrize("name", ["arc-eager", "arc-standard", "list-based-non-projective", "stanza-attach"])
def test_trees_of_a_treebank_are_decoded_with_their_labels(name: str) -> None:
    system = as_system(name)
    trees = [tree for tree in sample_treebank("dev") if system.obstacle(tree) is None]
    assert trees
    for tree in trees:
        found = decode(system, encode(system, tree), tree)
        assert (found.heads, found.labels) == (tree.heads, tree.labels)


@pytest.mark.parametrize("label", ["a+b", "100%", "%2B", "nsubj:pass", "", "é", "x-2"])
def test_labels_may_have_any_characters(label: str) -> None:
    tree = DependencyTree([(2, "a", label), (0, "b", "root"), (2, "c", label)])
    assert decode("arc-eager", encode("arc-eager", tree), tree).labels == tree.labels


@pytest.mark.parametrize("name", sorted(REGISTRY.keys() - {*READING}))
def test_other_systems_are_refused(name: str) -> None:
    tree = DependencyTree([(0, "Sing")])
    why = r"it has no buffer|\w+\(\) makes the buffer \(.*\) of \(.*\)"
    for work in (lambda system: encode(system, tree), lambda system: decode(system, ["Shift"], tree)):
        with pytest.raises(NotLeftToRight, match=rf"{name}.* does not read words from left to right: ({why})"):
            work(REGISTRY[name].example)


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        (["Shift"], "there are 1 tags for 2 words"),
        (["Shift", "Swap"], "'Swap', in the tag 'Swap', is none of the transitions LeftArc, RightArc, Shift"),
        (["Shift", "Shift+"], "'', in the tag 'Shift\\+', is none of"),
        (["Shift-2", "Shift"], "'Shift-2', in the tag"),
    ],
)
def test_what_no_tag_is_is_refused(tags: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        decode("arc-hybrid", tags, ["Birds", "sing"])


def test_a_tree_that_the_system_cannot_build_has_no_tags() -> None:
    crossing: Any = DependencyTree([(3, "a"), (4, "b"), (0, "c"), (3, "d")])
    with pytest.raises(ValueError, match=r"there are no tags for the tree: .*builds projective trees only"):
        encode("arc-hybrid", crossing)
