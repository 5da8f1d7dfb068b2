"""Arrays of numbers that the engine is given are checked before anything is looked up by them."""

from typing import Any

import attrs
import numpy as np
import pytest

from deptrees import Columns, DependencyTree, Tagger, sample_treebank
from deptrees.engine import batches, core
from deptrees.engine.code.features import compile_places
from deptrees.engine.lock_step import Derivations
from deptrees.features import FAST
from deptrees.tagger.lexicon import words_to_tag
from deptrees.training import LinearOptions
from deptrees.transition import ArcEager, ArcStandardSwap, Oracle
from deptrees.treebanks.batch import Batch
from tests.engine.engine import train

COLUMNS = Columns.encode(sample_treebank("dev"))
WORDS = len(COLUMNS.heads)
CROSSING = Columns.encode([DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])])


def changed(name: str, place: int, number: int) -> Columns:
    """The treebank with another number in one of its arrays."""
    if name in COLUMNS.words:
        array = COLUMNS.words[name].copy()
        array[place] = number
        return attrs.evolve(COLUMNS, words={**COLUMNS.words, name: array})
    array = getattr(COLUMNS, name).copy()
    array[place] = number
    return attrs.evolve(COLUMNS, **{name: array})


WRONG = [
    (changed("heads", 0, 1 << 20), "heads of sentence 0 are not those of a tree"),
    (changed("heads", 2, 3), "heads of sentence 0 are not those of a tree"),
    (changed("labels", 5, -2), "labels are from -2 to"),
    (changed("labels", -1, 1 << 30), "labels are from -1 to|labels are from 0 to"),
    (changed("form", 0, 1 << 20), "numbers of words are from 0 to 1048576"),
    (changed("upos", 3, -1), "numbers of words are from -1 to"),
    (changed("offsets", 1, 1 << 40), "offsets of sentences should rise"),
    (changed("offsets", -1, WORDS + 1), f"which is {WORDS}"),
    (changed("offsets", 0, 1), "offsets of sentences should rise"),
    (attrs.evolve(COLUMNS, labels=COLUMNS.labels[1:]), f"there are {WORDS - 1} labels, and should be {WORDS}"),
    (attrs.evolve(COLUMNS, projective=COLUMNS.projective[1:]), "sentences that are projective or not, and should be"),
    (attrs.evolve(CROSSING, projective=~CROSSING.projective), "sentence 0 is said to be projective, and is not"),
]


@pytest.mark.parametrize(("columns", "message"), WRONG, ids=range(len(WRONG)))
def test_a_treebank_with_a_number_out_of_range_is_refused(columns: Columns, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Derivations.open(columns, "arc-eager", templates=FAST, labels=columns.vocabularies["deprel"])


def test_heads_in_a_cycle_are_refused_before_ranks_are_made_of_them() -> None:
    heads = COLUMNS.heads.copy()
    heads[:2] = 2, 1
    with pytest.raises(ValueError, match="heads of sentence 0"):
        Derivations.open(attrs.evolve(COLUMNS, heads=heads), ArcStandardSwap())


@pytest.mark.parametrize("number", [-1, len(COLUMNS)])
def test_a_number_of_no_sentence_is_refused(number: int) -> None:
    model = train(COLUMNS, system=ArcEager(), epochs=1)
    system, data = model.spec.assemble(COLUMNS)
    wrong = np.array([number])
    weights = model.spec.weights()
    learning = core.GlobalLearning(weights, system, data, "dynamic", LinearOptions(beam=2))
    heads, labels = np.zeros((2, 1, WORDS), np.int32)
    how: Any = ("dynamic", 0.0, 1, None, False)
    for ask in (
        lambda: core.Steps(system, data, wrong, *how),
        lambda: core.learn(weights, system, data, wrong, "dynamic", LinearOptions(), 0.0, 1),
        lambda: learning.learn(wrong, 0.0, 1),
        lambda: learning.pair(number),
        lambda: core.parse(weights, system, data, number, number + 1, heads, labels, None, None, -1, 1, False),
    ):
        with pytest.raises(IndexError, match=f"there are {len(COLUMNS)} sentences"):
            ask()


def test_arrays_without_room_for_what_is_found_are_refused() -> None:
    model = train(COLUMNS, system=ArcEager(), epochs=1)
    system, data = model.spec.assemble(COLUMNS)
    weights = model.spec.quantized(model.tables)
    heads, scores = np.zeros((3, WORDS), np.int32), np.zeros((3, len(COLUMNS)), np.float32)
    wrong: list[tuple[Any, str]] = [
        ((heads[:1, :-1], heads[:1, :-1], None, None), "no room for 1 derivations"),
        ((heads[:2], heads[:2], scores, None), "no room for 3 derivations"),
        ((heads, heads, scores[:2], None), "no room for 3 scores"),
        ((heads, heads, scores, np.zeros((2, WORDS - 1), np.float32)), "no room for two margins"),
    ]
    for (found, labels, of_found, margins), what in wrong:
        with pytest.raises(ValueError, match=what):
            core.parse(weights, system, data, 0, 1, found, labels, of_found, margins, -1, 3, False)


def test_weights_of_another_shape_are_refused() -> None:
    model = train(COLUMNS, system=ArcEager(), epochs=1)
    other = attrs.evolve(model, tables=model.tables[::-1])
    with pytest.raises(ValueError, match="the tables of weights should have the shapes"):
        other.parse(COLUMNS)


def test_a_tagger_looks_up_no_form_that_is_not_there(tagger: Tagger) -> None:
    with pytest.raises(ValueError, match="numbers of forms are from 0 to"):
        tagger(Batch((), changed("form", 0, 1 << 20)))
    with pytest.raises(ValueError, match="offsets of sentences should rise"):
        tagger(Batch((), changed("offsets", -1, WORDS + 7)))


def test_what_a_tagger_is_to_learn_is_checked(tagger: Tagger) -> None:
    forms = COLUMNS.vocabularies["form"]
    data = words_to_tag([model.lexicon for model in tagger.models], COLUMNS.offsets, COLUMNS.words["form"], forms)
    perceptron = tagger._perceptrons[0]
    with pytest.raises(ValueError, match="gold tags are from 0 to 999"):
        perceptron.learn(data, 0, np.full(WORDS, 999, np.int32) * (np.arange(WORDS, dtype=np.int32) > 0))
    with pytest.raises(IndexError, match="there are 16 sentences: not from 16 to 17"):
        perceptron.learn(data, 16, np.zeros(WORDS, np.int32))
    with pytest.raises(ValueError, match=f"there are {WORDS - 1} tags, and should be {WORDS}"):
        perceptron.tag(data, 0, 1, np.zeros(WORDS - 1, np.int32))


def test_gold_trees_that_were_not_checked_are_not_followed() -> None:
    spec = train(COLUMNS, system=ArcEager(), epochs=1).spec
    system, data = spec.assemble(COLUMNS, gold=False)
    with pytest.raises(ValueError, match="sentence 0 has no gold tree"):
        core.Derivations(system, data, np.arange(1), compile_places(()), with_gold=True)


def test_right_ones_are_taken() -> None:
    [found] = batches(COLUMNS, ArcEager(), oracle="static")
    oracle = Oracle(ArcEager(), "static")
    assert len(found.features) == sum(len([*oracle(tree)]) for tree in sample_treebank("dev") if oracle(tree))
    heads, _ = train(COLUMNS, system=ArcEager(), epochs=5).parse(COLUMNS)
    assert (heads == COLUMNS.heads).mean() > 0.9
