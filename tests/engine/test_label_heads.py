"""Labels that only arcs from ROOT have, and labels that only arcs from words have, in parses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, Parser, sample_treebank
from deptrees.engine.model import Model
from deptrees.engine.spec import ModelSpec
from deptrees.engine.stepwise.model import StepwiseModel
from deptrees.engine.stepwise.perceptron import TemplatePerceptron
from deptrees.features import Templates
from deptrees.transition import Constraints, System
from deptrees.transition.labels import ANY_LABELS, LabelHeads
from deptrees.transition.systems.registry import REGISTRY
from tests.tiers import variants_slow

FEW = Templates(["s0.form+b0.form", "s1.upos+s0.upos", "s0.deprel+b0.upos"])
LABELS = ("both", "dep", "nsubj", "root")
HEADS = LabelHeads(of_root=("both", "root"), of_words=("both", "dep", "nsubj"))
DEV = sorted(sample_treebank("dev"), key=len)[:2]
SYSTEMS = variants_slow(system for registered in REGISTRY.values() for system in registered.variants)


def models(system: System, heads: LabelHeads, joint: bool, seed: int) -> Iterator[Any]:
    """Models with weights at random, so that all labels are wanted everywhere."""
    rng = np.random.default_rng(seed)
    spec = ModelSpec(system, FEW, LABELS, joint, (8, 8), label_heads=heads)
    if system.is_table and not system.has_any_k:
        yield Model.of(spec, *[rng.standard_normal(shape).astype(np.float32) for shape in spec.table_shapes])
    if joint:
        yield StepwiseModel(spec, rng.standard_normal(TemplatePerceptron.shape_of_weights(spec)).astype(np.float32))


def parses(parser: Parser) -> Iterator[DependencyTree]:
    """By every search."""
    for beam in (None, 3):
        yield from parser.parse(DEV, beam=beam)
        yield from parser.parse(DEV, beam=beam, constraints=lambda _: Constraints(heads={1: 0}, labels={2: "dep"}))
    for trees in parser.k_best(DEV, 3):
        yield from [tree for tree, _ in trees]


def disagreeing(trees: Iterator[DependencyTree]) -> set[tuple[bool, str]]:
    """The labels that arcs from ROOT, or from words, should not have."""
    wrong = {(True, "dep"), (True, "nsubj"), (False, "root")}
    return {
        (head == 0, label) for tree in trees for head, label in zip(tree.heads, tree.labels, strict=True) if label
    } & wrong


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_labels_and_heads_agree_in_every_search(system: System, joint: bool) -> None:
    for model in models(system, HEADS, joint, seed=1):
        assert not disagreeing(parses(Parser(model)))
    for model in models(system, ANY_LABELS, joint, seed=1):
        assert disagreeing(parses(Parser(model)))
