"""A generative parser: Shift predicts the next word, so that sentences have probabilities, and words surprisal."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain
from math import log
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812  its name everywhere
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from deptrees.files.limits import SIZE
from deptrees.files.models import Part, open_model, save_model
from deptrees.files.parts import GENERATIVE
from deptrees.files.records import to_record
from deptrees.inference import ENTROPY, Chart, ChartNotDefined, chart
from deptrees.inference.deduction import deduction
from deptrees.search import Beam, BeamSearch, Hypothesis, Ranking, WeightedSet
from deptrees.torch.defaults import pytorch_defaults
from deptrees.torch.layers import Dropout, PlaceScorer, read
from deptrees.torch.log_sums import check_lengths, log_sum
from deptrees.torch.parts import size as size_field
from deptrees.torch.training import minibatches
from deptrees.training.inputs import whole_number
from deptrees.training.records import TrainingError
from deptrees.transition import System
from deptrees.transition.systems.registry import GivenSystem, as_system, system_from
from deptrees.transition.systems.stack_buffer import StackBufferConfiguration
from deptrees.trees.tree import AnyTree, DependencyTree, Sentence, as_tree, sentences_of, trees_of

__all__ = ["GenerativeParser"]

_END, _UNKNOWN, _KNOWN = range(3)
"""The numbers of the end, which is the beginning, too, of unknown words, and of the first known one."""
_BATCH_WORDS = 100
_LEARNING_RATE = 3e-3
_LONGEST_GRADIENT = 5.0
_DROPOUT = 0.33
_PAIRS_AT_ONCE = 1 << 13
"""In so many pairs of s0 and b0 words are predicted in one go: there is a number for each known word."""


@attrs.frozen(eq=False)
class GenerativeParser:
    """A joint distribution over sentences and their derivations (Titov & Henderson 2007, Buys & Blunsom 2018).

    Where s0 is on top of the stack and b0 in front of the buffer, a transition has a probability among those that are
    possible, and a transition that pushes b0 also predicts the word that comes in front then, or the end. Both depend
    on s0, on b0, and on the words before them as an LSTM has read them; no word is seen before it is predicted. This is
    what Buys & Blunsom call *buffer-next*. As with them, LeftArc and Reduce of arc-eager are one choice, to remove s0:
    only one of them is ever possible. So a chart has all derivations. There are no labels.

    Args:
        system: one in which s0 and b0 tell what is possible: ``ArcHybrid()``, ``ArcEager(root="last")``,
            ``ArcHybridPartial()``, ``NonMonotonicArcEager()``, or a table of your own.
        forms: the words that it knows, in lower case. All others are one word, as probable as all of them together.
        network: gives the probabilities.

    >>> from deptrees import sample_treebank
    >>> from deptrees.transition import ArcHybrid
    >>> parser = GenerativeParser.train(sample_treebank("train"), ArcHybrid(), epochs=2)
    >>> [row["form"] for row in parser.surprisals([["Birds", "sing"]], beam=4) if row["surprisal"] > 0]
    ['Birds', 'sing']
    >>> [len(tree.arcs) for tree in parser.parse([["Birds", "sing"]])]
    [2]
    """

    system: System
    forms: tuple[str, ...] = attrs.field(converter=tuple[str, ...], repr=False)
    network: _Network = attrs.field(repr=False)

    @classmethod
    def train(
        cls,
        treebank: Iterable[AnyTree],
        system: System,
        *,
        least: int = 2,
        size: int = 100,
        epochs: int = 10,
        seed: int = 1,
    ) -> GenerativeParser:
        """Learn to give a high probability to sentences together with all derivations of their trees.

        Trees may be of any kind: the derivations are those that end as near to a tree as any (``Chart.restricted``). In
        arc-hybrid and arc-eager, of a sentence without heads these are all: it is learned from as plain text.

        Args:
            treebank: the trees; they are held in memory.
            system: the transition system.
            least: how often a word occurs that is known.
            size: the size of vectors and layers.
            epochs: how often to learn from each tree.
            seed: what random numbers begin with.

        Raises:
            ChartNotDefined: the system is none of those.
            TrainingError: there are no words.
            TooLarge: a sentence is too long for marginals (``Chart.marginals``).
            ValueError: a number is out of range, or not whole.
        """
        system, least = as_system(system), whole_number("least", least, 1)
        size, epochs = whole_number("size", size, 1, SIZE), whole_number("epochs", epochs, 1)
        seed = whole_number("seed", seed, 0, (1 << 64) - 1)
        trees = [tree for tree in trees_of(treebank) if len(tree)]
        if not trees:
            raise TrainingError("no sentence has a word: there is nothing to learn from")
        counts = Counter(word.form.lower() for tree in trees for word in tree)
        forms = [form for form, count in counts.items() if count >= least]
        check_lengths(system, trees)
        with pytorch_defaults(), torch.random.fork_rng([]):
            torch.manual_seed(seed)
            parser = cls(system, forms, _Network(system, len(forms), size))
            random, lengths = np.random.default_rng(seed), [*map(len, trees)]
            plan = chain.from_iterable(minibatches(lengths, _BATCH_WORDS, random) for _ in range(epochs))
            parser._learn([[trees[number] for number in batch.tolist()] for batch in plan])
        return parser

    def _learn(self, batches: Sequence[Sequence[DependencyTree]]) -> None:
        network = self.network.train()
        adam = torch.optim.Adam(network.parameters(), _LEARNING_RATE)
        down_to_0 = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.0, len(batches))
        for batch in batches:
            loss = torch.stack([self._loss(tree) for tree in batch]).sum() / sum(map(len, batch))
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), _LONGEST_GRADIENT)
            adam.step()
            down_to_0.step()

    def _loss(self, tree: DependencyTree) -> Tensor:
        first, scores = self.network(self._numbers(tree))
        return -first - log_sum(self.system, scores, tree=tree)

    @cached_property
    def _form_numbers(self) -> dict[str, int]:
        return {form: number for number, form in enumerate(self.forms, _KNOWN)}

    def _numbers(self, tree: DependencyTree) -> Tensor:
        return torch.tensor([_END, *(self._form_numbers.get(word.form.lower(), _UNKNOWN) for word in tree), _END])

    def _scores(self, tree: DependencyTree) -> tuple[float, npt.NDArray[np.float64]]:
        """How probable the first word is, and the scores of a chart."""
        deduction(self.system).check_length(len(tree), axes=2)
        with pytorch_defaults(), torch.inference_mode():
            first, scores = self.network.eval()(self._numbers(tree))
        return first.item(), scores.double().numpy()

    def chart(self, sentence: Sentence) -> Chart:
        """All derivations of a sentence, whose scores are logarithms of probabilities, the first word's left out.

        Args:
            sentence: a tree, whose heads do not matter, or words.

        >>> from deptrees import sample_treebank
        >>> from deptrees.inference import COUNTING
        >>> from deptrees.transition import ArcHybrid
        >>> parser = GenerativeParser.train(sample_treebank("train"), ArcHybrid(), epochs=2)
        >>> found = parser.chart(["The", "dog", "barks"])
        >>> found.value(COUNTING), len(found.best().transitions)
        (13, 6)
        """
        return chart(self.system, self._scores(as_tree(sentence))[1])

    def prefixes(self, sentence: Sentence) -> npt.NDArray[np.float64]:
        """At [t] the logarithm of the probability that a sentence begins with the first t words of this one.

        The last one, after those of all words, is that of the sentence itself: that it ends there.

        >>> from deptrees import sample_treebank
        >>> from deptrees.transition import ArcHybrid
        >>> parser = GenerativeParser.train(sample_treebank("train"), ArcHybrid(), epochs=2)
        >>> one, other = parser.prefixes(["The", "dog", "barks"]), parser.prefixes(["The", "dog"])
        >>> len(one), bool((np.diff(one) < 0).all()), bool(np.allclose(one[:3], other[:3]))
        (5, True, True)
        """
        first, scores = self._scores(as_tree(sentence))
        return np.array([0.0, *(first + chart(self.system, scores).beginnings())])

    def surprisals(self, sentences: Iterable[Sentence], beam: int | None = None) -> Iterator[dict[str, Any]]:
        """What reading each word of some sentences brings: rows of a data frame.

        The columns are the ``sentence``, by its ``sent_id`` or number; the number of the ``word``, and its ``form``;
        whether it is ``known``; its ``surprisal``, which is -log p of the word given those before it; the ``entropy``
        of the derivations up to this word, and the ``entropy_reduction``, by how much it was greater before; and how
        many derivations are ``kept``, ``None`` for all. Surprisal and entropy are in bits.

        Args:
            sentences: trees, whose heads do not matter, or lists of words.
            beam: how many derivations to keep at each word. The sum of the surprisal up to a word is then an upper
                bound of the exact sum; that of a single word need not be. By default, all.

        Raises:
            ValueError: the beam is less than 1.
        """
        if beam is not None:
            beam = whole_number("beam", beam, 1)
        for number, tree in enumerate(sentences_of(sentences), 1):
            before, uncertain = 0.0, 0.0
            for word, (total, entropy, kept) in zip(tree, self._readings(tree, beam), strict=True):
                yield {
                    "sentence": tree.sent_id or str(number),
                    "word": word.id,
                    "form": word.form,
                    "known": word.form.lower() in self._form_numbers,
                    "surprisal": (before - total) / log(2),
                    "entropy": entropy,
                    "entropy_reduction": uncertain - entropy,
                    "kept": kept,
                }
                before, uncertain = total, entropy

    def _readings(self, tree: DependencyTree, beam: int | None) -> Iterator[tuple[float, float, int | None]]:
        """Of the derivations that have just predicted each word the log of the sum, the entropy, how many are kept."""
        first, scores = self._scores(tree)
        if beam is None:
            for total, entropy in chart(self.system, scores).beginnings(ENTROPY).T[:-1].tolist():
                yield first + total, entropy / log(2), None
        else:
            for kept in self._beams(tree, scores, beam):
                found = WeightedSet(kept, [first + hypothesis.score for hypothesis in kept])
                yield found.log_sum, found.entropy, len(found)

    def _beams(self, tree: DependencyTree, scores: npt.NDArray[np.float64], size: int) -> Iterator[Beam]:
        def of_places(configurations: Sequence[StackBufferConfiguration]) -> npt.NDArray[np.float64]:
            places = [(cfg.stack_position(0), cfg.buffer_position(0)) for cfg in configurations]
            s0, b0 = np.maximum(places, 0).T
            return scores[s0, np.where(b0, b0, len(tree) + 1)]

        search = BeamSearch(Ranking(self.system, of_places), size)
        beam: Beam = (Hypothesis(self.system.initial(tree)),)
        for left in range(len(tree), 0, -1):
            beam = search.until(beam, lambda cfg: (cfg.buffer_bits >> 1).bit_count() <= left)  # noqa: B023  called here
            yield beam

    def parse(self, sentences: Iterable[Sentence]) -> Iterator[DependencyTree]:
        """The tree of each sentence that has the most right heads on average (``Chart.least_risk``), without labels."""
        for tree in sentences_of(sentences):
            yield tree.reattach(self.chart(tree).least_risk(), [None] * len(tree))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the parser to a file, in the format of all models.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import sample_treebank
        >>> from deptrees.transition import ArcHybrid
        >>> parser = GenerativeParser.train(sample_treebank("train"), ArcHybrid(), epochs=1)
        >>> with TemporaryDirectory() as folder:
        ...     parser.save(f"{folder}/model")
        ...     loaded = GenerativeParser.load(f"{folder}/model")
        >>> bool((loaded.prefixes(["Birds", "sing"]) == parser.prefixes(["Birds", "sing"])).all())
        True
        """
        weights = {name: tensor.numpy() for name, tensor in self.network.state_dict().items()}
        save_model(path, Part(GENERATIVE, to_record(_Record(self.system, self.forms, self.network.size)), weights))

    @classmethod
    def load(cls, path: str | os.PathLike[str], system: GivenSystem | None = None) -> GenerativeParser:
        """Load a parser; see ``save``.

        Args:
            path: the file.
            system: the system, if it is not one of the library's own: see `Parser.load`.

        Raises:
            ModelError: the file is not a generative parser of this version of the library, or is damaged.
        """
        with open_model(path) as file, pytorch_defaults(), torch.random.fork_rng([]):
            system = system_from(file.record(GENERATIVE).get("system"), system)
            record = file.read(GENERATIVE, _Record, system=system)
            with torch.device("meta"):  # where tensors have shapes, and take no memory
                shapes = _Network(system, len(record.forms), record.size).state_dict()
            weights = {name: torch.from_numpy(file.array(name, tensor.shape)) for name, tensor in shapes.items()}
            network = _Network(system, len(record.forms), record.size)
            network.load_state_dict(weights)
            return cls(system, record.forms, network)


@attrs.frozen
class _Record:
    """What is saved of a parser besides numbers."""

    system: System
    forms: tuple[str, ...]
    size: int = size_field(100)


class _Network(nn.Module):
    """The probabilities of choices and of words, by what an LSTM has read up to s0 and up to b0."""

    possible: Tensor
    choice_of_row: Tensor
    pushes: Tensor

    def __init__(self, system: System, words: int, size: int) -> None:
        super().__init__()
        self.size = size
        choice_of_row, possible, pushes = _choices(system)
        self.register_buffer("choice_of_row", torch.tensor(choice_of_row), persistent=False)
        self.register_buffer("possible", torch.tensor(possible), persistent=False)
        self.register_buffer("pushes", torch.tensor(pushes), persistent=False)
        self.words = nn.Embedding(_KNOWN + words, size)
        self.reader = nn.LSTM(size, size)
        self.dropout = Dropout(_DROPOUT)
        self.choice = PlaceScorer([(size, 2)], size, possible.shape[-1], _DROPOUT)
        self.next_word = PlaceScorer([(size, 2)], size, _KNOWN + words, _DROPOUT)

    def forward(self, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """The log probability of the first word, and the scores of a chart.

        Args:
            numbers: those of the words, with the end before and after them.
        """
        size = len(numbers)
        vectors = self.dropout(read(self.reader, self.dropout(self.words(numbers))[:, None])[:, 0])
        tables = self.choice.tables(vectors), self.next_word.tables(vectors)
        s0, b0 = torch.triu_indices(size, size, 1)  # no other pairs are ever met
        blocks = [*zip(s0.split(_PAIRS_AT_ONCE), b0.split(_PAIRS_AT_ONCE), strict=True)]
        again = self.training and len(blocks) > 1  # what the way back needs is then computed again, not kept
        of_pairs = partial(checkpoint, self._of_pairs, use_reentrant=False) if again else self._of_pairs
        scores = torch.cat([of_pairs(numbers, tables, *block) for block in blocks])
        before_all = numbers.new_tensor([[0, 1]])  # the first word comes after nothing
        first = -F.cross_entropy(self.next_word(tables[1], before_all), numbers[1:2])
        return first, vectors.new_zeros(size, size, scores.shape[1]).index_put((s0, b0), scores)

    def _of_pairs(self, numbers: Tensor, tables: Sequence[list[Tensor]], s0: Tensor, b0: Tensor) -> Tensor:
        """The scores of all rows where these are s0 and b0."""
        pairs, is_end = 1 + torch.stack([s0, b0], 1), b0 == len(numbers) - 1
        possible = self.possible[(s0 > 0).long(), is_end.long()]
        choices = self.choice(tables[0], pairs).masked_fill(~possible, -torch.inf).log_softmax(1)
        following = self.next_word(tables[1], pairs[~is_end])
        predicted = -F.cross_entropy(following, numbers[1 + b0[~is_end]], reduction="none")
        of_words = choices.new_zeros(len(pairs)).masked_scatter(~is_end, predicted)
        return choices[:, self.choice_of_row] + self.pushes * of_words[:, None]


def _choices(system: System) -> tuple[list[int], npt.NDArray[np.bool_], list[bool]]:
    """What a system chooses between.

    Rows that remove s0 are the same choice if it depends on the head of s0 which of them is possible.

    Returns:
        The choice that each row is; at [whether s0 is a word, whether b0 is the end, choice] whether it is possible;
        whether each row pushes.

    Raises:
        ChartNotDefined: what is possible depends on more than s0 and b0, as far as they are known.
    """
    rules = deduction(system)
    leaves, first = rules.leaves[:, :-1], len(rules.pushing)
    choice = dict.fromkeys(rules.leaving, first) | dict(zip(rules.pushing, range(first), strict=True))
    for ways in leaves[:, :, 1, 0]:
        choice |= {rules.leaving[way]: first + rank for rank, way in enumerate(np.flatnonzero(ways).tolist())}
    possible = np.zeros((2, 3, 1 + max(choice.values())), np.int_)
    possible[..., :first] = np.moveaxis(rules.pushes, 1, -1).any(axis=0)
    removals = np.zeros((len(leaves), 2, 3, possible.shape[-1] - first), np.int_)
    for way, row in enumerate(rules.leaving):
        removals[..., choice[row] - first] += leaves[:, way]
    possible[1, :, first:] = removals[0, 0]
    if (
        (removals != removals[0, 0]).any()
        or removals.max() > 1
        or not rules.leaves.any(1).all()
        or (possible[:, 0] != possible[:, 1]).any()
        or possible[:, 2, :first].any()
        or rules.system.longest_arc is not None
    ):
        raise ChartNotDefined(f"{system} has no generative parser: s0 and b0 alone do not tell what is possible")
    possible[~possible.any(-1)] = 1  # where parsing has ended
    rows = range(len(rules.system.rows))
    return [choice[row] for row in rows], possible[:, 1:] > 0, [row in rules.pushing for row in rows]
