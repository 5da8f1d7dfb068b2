"""The enhancer: it makes the enhanced graph of a sentence from its tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.enhanced.features import ROWS, feature_rows
from deptrees.enhanced.labels import LabelPattern, Labels, spelling
from deptrees.enhanced.markers import Markers
from deptrees.enhanced.paths import BASIC, DOWN, UP, Forest, Path, Paths
from deptrees.files.models import ModelFile, Part, Saved
from deptrees.files.parts import ENHANCER
from deptrees.files.records import to_record
from deptrees.files.sparse import SparseArray
from deptrees.messages import counted, of_type
from deptrees.training.records import TrainingError
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import AnyTree, DependencyTree, trees_of

__all__ = ["Enhancer"]

_EPOCHS, _AT_ONCE, _PREDICTED_AT_ONCE = 6, 128, 4096
_MARGIN = 10
_FEWEST_ARCS = 2  # with a path of some kind, for it to be considered
_FEWEST_LABELS = 5  # that a pattern makes, for it to be learned
_BASIC_LABEL = LabelPattern(0)

_Integers = npt.NDArray[np.intp]
_Arc = tuple[int, int, str]


def _as_paths(given: Iterable[Iterable[Iterable[str]]]) -> tuple[Path, ...]:
    paths = []
    for path in given:
        up, down = (tuple(labels) for labels in path)
        paths.append((up, down))
    return tuple(paths)


@attrs.frozen
class _Record:
    """What is saved of an enhancer besides its weights."""

    kinds: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = attrs.field(converter=_as_paths)
    patterns: tuple[LabelPattern, ...]
    spelled: Mapping[str, str]

    def __attrs_post_init__(self) -> None:
        if BASIC not in self.kinds or _BASIC_LABEL not in self.patterns:
            raise ValueError("it cannot keep the arcs of a tree")
        if any(len(up) > UP or len(down) > DOWN for up, down in self.kinds):
            raise ValueError(f"there are paths of more than {UP} steps up or {DOWN} down")


def _dense(weights: SparseArray) -> npt.NDArray[np.float32]:
    of_type("weights", weights, SparseArray, "a SparseArray")
    return weights.dense()


@attrs.frozen(eq=False, repr=False)
class Enhancer(Saved):
    """Makes the enhanced graphs of sentences from their trees: what DEPS has in Universal Dependencies.

    An arc of the graph may lead to a word from any other that is a few steps away in the tree, if training had arcs
    along such paths. In each place, one transition is taken: none of the arcs, or an arc with a label that is made in
    one of some ways; a perceptron chooses. Every arc counts alone, so that the gold transition is the one that a
    dynamic oracle would choose, too. A word that no arcs lead to from ROOT keeps its arc of the tree.

    Args:
        kinds: the paths along which there may be arcs.
        patterns: how labels can be made.
        spelled: what marking words are in labels, by their forms.
        weights: those of each feature for no arc, and for each pattern.

    >>> from deptrees import DependencyTree, Token
    >>> words = [("I", 2, "nsubj"), ("want", 0, "root"), ("to", 4, "mark"), ("sing", 2, "xcomp")]
    >>> deps = ["2:nsubj|4:nsubj:xsubj", "0:root", "4:mark", "2:xcomp"]
    >>> tree = DependencyTree([Token(*word, deps=arcs) for word, arcs in zip(words, deps)])
    >>> enhancer = Enhancer.train([tree] * 10)
    >>> [token.deps for token in enhancer(Batch.of([tree.reattach(tree.heads, tree.labels)])).trees[0]]
    ['2:nsubj|4:nsubj:xsubj', '0:root', '4:mark', '2:xcomp']
    """

    kinds: tuple[Path, ...]
    patterns: tuple[LabelPattern, ...]
    spelled: Mapping[str, str]
    weights: SparseArray
    _table: npt.NDArray[np.float32] = attrs.field(
        init=False, default=attrs.Factory(lambda self: _dense(self.weights), takes_self=True)
    )

    def __repr__(self) -> str:
        return f"<enhancer of {len(self.kinds)} kinds of paths>"

    @classmethod
    def train(cls, treebank: Iterable[AnyTree], seed: int = 1, parsed: Iterable[DependencyTree] = ()) -> Enhancer:
        """Learn from trees with enhanced dependencies; arcs through empty nodes are left out.

        From trees that a parser found, it learns which arcs are right where the trees may be wrong. What is wrong in
        them is not to be repaired: nothing is learned about an arc of the tree itself that is wrong.

        Args:
            treebank: the trees; they are held in memory.
            seed: determines the order in which arcs are learned from.
            parsed: the same sentences as a parser finds them that has not learned from them, to learn from as well.

        Raises:
            TrainingError: no word has enhanced dependencies.
            GraphError: DEPS of a sentence is no graph.
            ValueError: there are some parsed sentences, but not as many as trees.
        """
        gold_trees, parsed = list(trees_of(treebank)), list(trees_of(parsed))
        if parsed and len(parsed) != len(gold_trees):
            trees = counted(len(gold_trees), "gold tree")
            raise ValueError(f"there are {trees} and {len(parsed):,} parsed ones: give as many, or none")
        found = [tree.reattach(it.heads, it.labels) for tree, it in zip(gold_trees, parsed, strict=False)]
        forest, n = Forest(Columns.encode([*gold_trees, *found])), sum(map(len, gold_trees))
        gold = _gold_arcs([*gold_trees, *found], forest.n_words)
        if not gold:
            raise TrainingError("no word has enhanced dependencies, in DEPS: there is nothing to learn them from")
        kinds = _kinds(forest, [arc for arc in gold if arc[0] < n])
        markers, paths = Markers(forest), Paths.find(forest, kinds)
        paths = paths.some(_are_learned_from(forest, paths, n))
        patterns, spelled, classes = _patterns(markers, paths, gold, n)
        rows = feature_rows(markers, paths, kinds)
        possible = _with_none(Labels(markers, paths, spelled).possible(patterns))
        possible[np.arange(len(classes)), classes] = True
        table = _learned(rows, possible, classes, np.random.default_rng(seed))
        return cls(kinds, patterns, spelled, SparseArray.of(table))

    def __call__(self, batch: Batch) -> Batch:
        """The same sentences with the enhanced graphs of their trees in DEPS."""
        forest = Forest(batch.columns)
        markers, paths = Markers(forest), Paths.find(forest, self.kinds)
        labels = Labels(markers, paths, self.spelled)
        rows, possible = feature_rows(markers, paths, self.kinds), _with_none(labels.possible(self.patterns))
        chosen = np.empty(len(rows), np.intp)
        for start in range(0, len(rows), _PREDICTED_AT_ONCE):
            some = slice(start, start + _PREDICTED_AT_ONCE)
            chosen[some] = _best(self._table, rows[some], possible[some])
        return batch.with_deps(*_deps(forest, paths, self._connected(forest, paths, chosen), labels, self.patterns))

    def _connected(self, forest: Forest, paths: Paths, chosen: _Integers) -> _Integers:
        """What is chosen, with the tree's arcs of words that no arcs lead to from ROOT."""
        basic = paths.kinds == self.kinds.index(BASIC)
        reached = np.arange(len(forest.heads)) >= forest.n_words
        arcs = np.flatnonzero(chosen)
        while True:
            new = paths.dependents[arcs][reached[paths.heads[arcs]]]
            if reached[new].all():
                break
            reached[new] = True
        return np.where(basic & ~reached[paths.dependents], 1 + self.patterns.index(_BASIC_LABEL), chosen)

    def part(self) -> Part:
        """What is saved; a parser's file can hold it beside the parser."""
        record = _Record(self.kinds, self.patterns, self.spelled)
        return Part(ENHANCER, to_record(record), {"enhancer.weights": self.weights})

    @classmethod
    def read(cls, file: ModelFile) -> Enhancer:
        """Read an enhancer from an open file.

        Raises:
            ModelError: there is none in it.
        """
        record = file.read(ENHANCER, _Record)
        weights = file.sparse_array("enhancer.weights", (ROWS, 1 + len(record.patterns)))
        return cls(record.kinds, record.patterns, record.spelled, weights)


def _gold_arcs(trees: Sequence[DependencyTree], n_words: int) -> list[_Arc]:
    """The arcs between words, and from ROOT, by places in the forest; the first where there are several labels."""
    found: dict[tuple[int, int], str] = {}
    first = 0
    for sentence, tree in enumerate(trees):
        graph = tree.graph
        places = [n_words + sentence, *[first + node.id - 1 if isinstance(node.id, int) else -1 for node in graph]]
        for head, dependent, label in graph.arcs:
            if places[head] >= 0 and places[dependent] >= 0 and label:
                found.setdefault((places[dependent], places[head]), label)
        first += len(tree)
    return [(dependent, head, label) for (dependent, head), label in found.items()]


def _are_learned_from(forest: Forest, paths: Paths, n: int) -> npt.NDArray[np.bool_]:
    """Which paths to learn from: all but the wrong arcs of trees that a parser found, whose words come after n others.

    An arc is right if its head and the universal part of its label are those of the gold tree.
    """
    columns, words = forest.columns, np.arange(forest.n_words)
    universal = np.array([*[text.partition(":")[0] for text in columns.vocabularies["deprel"]], ""])[columns.labels]
    is_right = (columns.heads == columns.heads[words % n]) & (universal == universal[words % n])
    of_tree = forest.heads[paths.dependents] == paths.heads
    return np.asarray(~of_tree | is_right[paths.dependents])


def _kinds(forest: Forest, gold: Sequence[_Arc]) -> tuple[Path, ...]:
    """The paths along which there are arcs, in order."""
    columns, counts = forest.columns, Counter[Path]()
    texts = [*columns.vocabularies["deprel"], ""]
    for dependent, head, _ in gold:
        path = forest.path(dependent, head)
        if path is not None:
            up, down = (tuple(texts[columns.labels[word]] for word in words) for words in path)
            counts[up, down] += len(up) + len(down) > 1 or not up
    return BASIC, *sorted(path for path, count in counts.items() if count >= _FEWEST_ARCS)


def _patterns(
    markers: Markers, paths: Paths, gold: Sequence[_Arc], n: int
) -> tuple[tuple[LabelPattern, ...], dict[str, str], _Integers]:
    """The patterns that make the labels, how labels spell words, and for each path the number of its pattern, or 0.

    The patterns are those of the first n words, whose trees are gold ones.
    """
    labels = Labels(markers, paths, {})
    number = {pair: path for path, pair in enumerate(zip(paths.dependents.tolist(), paths.heads.tolist(), strict=True))}
    counts, fits, spelled = Counter[LabelPattern](), dict[int, LabelPattern](), list[tuple[str, str]]()
    for dependent, head, label in gold:
        path = number.get((dependent, head))
        if path is not None:
            pattern, form = next(labels.fitting(path, label), (_BASIC_LABEL, None))
            fits[path] = pattern
            counts[pattern] += dependent < n
            if form is not None:
                spelled.append((form, label.rpartition(":")[2]))
    patterns = tuple(
        dict.fromkeys([_BASIC_LABEL, *[it for it, count in counts.most_common() if count >= _FEWEST_LABELS]])
    )
    classes = {pattern: 1 + place for place, pattern in enumerate(patterns)}
    found = np.zeros(len(paths.kinds), np.intp)
    for path, pattern in fits.items():
        found[path] = classes.get(pattern, classes[_BASIC_LABEL] if paths.words[path, 0] >= 0 else 0)
    return patterns, spelling(spelled), found


def _with_none(possible: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """What is possible, with no arc as the first choice."""
    return np.concatenate([np.ones((len(possible), 1), np.bool_), possible], axis=1)


def _best(table: npt.NDArray[np.float32], rows: _Integers, possible: npt.NDArray[np.bool_]) -> _Integers:
    return np.asarray(np.where(possible, table[rows].sum(axis=1), -np.inf).argmax(axis=1))


def _learned(
    rows: _Integers, possible: npt.NDArray[np.bool_], classes: _Integers, random: np.random.Generator
) -> npt.NDArray[np.float32]:
    """The average of a perceptron's weights. Whole numbers are added up, so they are the same everywhere.

    It learns from each choice that is not better than all others by a margin.
    """
    table = np.zeros((ROWS, possible.shape[1]), np.float32)
    sums, steps = np.zeros(table.shape), 1
    for _ in range(_EPOCHS):
        order = random.permutation(len(rows))
        for start in range(0, len(order), _AT_ONCE):
            some = order[start : start + _AT_ONCE]
            others, each = possible[some], np.arange(len(some))
            others[each, classes[some]] = False
            scores = table[rows[some]].sum(axis=1)
            found = np.where(others, scores, -np.inf).argmax(axis=1)
            wrong = others[each, found] & (scores[each, classes[some]] <= scores[each, found] + _MARGIN)
            features = rows[some][wrong]
            for which, sign in ((classes[some][wrong], 1), (found[wrong], -1)):
                np.add.at(table, (features, which[:, None]), sign)
                np.add.at(sums, (features, which[:, None]), sign * steps)
            steps += 1
    return (table - sums / steps).astype(np.float32)


def _deps(
    forest: Forest, paths: Paths, chosen: _Integers, labels: Labels, patterns: Sequence[LabelPattern]
) -> tuple[npt.NDArray[np.int32], list[str]]:
    """DEPS of each word: numbers of texts, -1 where there is none, and the texts."""
    numbers, names = labels.texts(patterns, chosen - 1)
    arcs = np.flatnonzero(chosen)
    dependents, heads = paths.dependents[arcs], paths.heads[arcs]
    first = forest.columns.offsets[:-1][forest.sentence[dependents]]
    positions = np.where(heads < forest.n_words, heads - first + 1, 0)
    order = np.lexsort((positions, dependents))  # there is one arc between two words at most
    different, which = np.unique(positions[order] * len(names) + numbers[arcs[order]], return_inverse=True)
    texts = [f"{code // len(names)}:{names[code % len(names)]}" for code in different.tolist()]
    of_words = np.full(forest.n_words, -1, np.int32)
    of_words[dependents[order]] = which
    known: dict[str, int] = {}
    several = np.bincount(dependents, minlength=forest.n_words)[dependents[order]] > 1
    pairs = zip(dependents[order][several].tolist(), which[several].tolist(), strict=True)
    for word, above in groupby(pairs, key=itemgetter(0)):
        joined = "|".join([texts[arc] for _, arc in above])
        of_words[word] = known.setdefault(joined, len(texts) + len(known))
    return of_words, [*texts, *known]
