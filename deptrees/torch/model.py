"""Neural models, saved, loaded, and searched with for many sentences together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import attrs
import numpy as np
import torch
from more_itertools import chunked

from deptrees.engine.confidence import MARGINALS, Confidence
from deptrees.engine.finding import AnyModel, Found, SearchOptions
from deptrees.features.embeddings import Embeddings
from deptrees.files.limits import BEAM, NETWORKS
from deptrees.files.models import ModelFile, Part
from deptrees.files.parts import NEURAL
from deptrees.files.records import to_record
from deptrees.inference import Chart, ChartNotDefined
from deptrees.torch import records  # noqa: F401  tells how architectures are written
from deptrees.torch.architecture import Architecture
from deptrees.torch.defaults import pytorch_defaults
from deptrees.torch.exact import ExactSearch
from deptrees.torch.network import Network, NetworkEnsemble
from deptrees.torch.parts import size
from deptrees.torch.pieces import guarded
from deptrees.torch.search import Search
from deptrees.torch.vocabulary import Vocabulary
from deptrees.transition import System
from deptrees.transition.labels import LabelHeads
from deptrees.transition.systems.registry import GivenSystem, system_from
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree, Sentence, as_tree

__all__ = ["NeuralModel", "NotWithBeam", "device_of"]

_EMBEDDINGS = "embeddings"
_DERIVATIONS_AT_ONCE = 1024
_SENTENCE = DependencyTree([(None, "Sing")])
"""What a network that is read must have vectors of."""


class NotWithBeam(ValueError):
    """A neural model is asked how clear its choices are while it follows several derivations."""

    def __init__(self) -> None:
        super().__init__("a neural parser tells how probable arcs are without a beam only: ask for a beam of 1")


@attrs.frozen(eq=False)
class NeuralModel(AnyModel):
    """A neural network, and the words that it knows.

    It follows as many derivations as in training unless asked for another number, and says how clear its choices are
    only if it follows one. The number of threads makes no difference: PyTorch has threads of its own, see
    ``torch.set_num_threads``.

    Args:
        architecture: what the network is made of, and how it has learned.
        vocabulary: the words that it knows.
        network: what it has learned; with several seeds, one network of each.
        beam: how many derivations were followed in training.
    """

    architecture: Architecture
    vocabulary: Vocabulary = attrs.field(repr=False)
    network: Network | NetworkEnsemble = attrs.field(repr=False)
    beam: int = 1

    @property
    def system(self) -> System:
        return self.network.extractor.system

    @property
    def labels(self) -> tuple[str, ...]:
        return self.vocabulary.labels

    @property
    def label_heads(self) -> LabelHeads:
        return self.vocabulary.label_heads

    @property
    def looks_at(self) -> frozenset[str]:
        return frozenset(self.vocabulary.columns)

    @property
    def calibration(self) -> Confidence | None:
        return MARGINALS if self.architecture.decoder.is_exact else None

    @property
    def own_settings(self) -> Mapping[str, object]:
        return {"system": self.system}

    def check(self, options: SearchOptions) -> None:
        if options.width(self.beam) > 1 and options.margins:
            raise NotWithBeam

    def find(self, batch: Batch, options: SearchOptions = SearchOptions()) -> Found:
        """See `AnyModel`. Sentences of about the same length are searched together."""
        options = options.about_labels(batch, self)
        self.check(options)
        width, columns = options.width(self.beam), batch.columns
        found = Found.empty(columns.offsets, width, margins=options.margins)
        by_length = np.argsort(np.diff(columns.offsets), kind="stable")
        for chosen in chunked(by_length.tolist(), max(1, _DERIVATIONS_AT_ONCE // width)):
            known = options.constraints and [options.constraints[number] for number in chosen]
            some = columns.take(np.array(chosen)) if known is None else [batch.trees[number] for number in chosen]
            kind = ExactSearch if self.architecture.decoder.is_exact else Search
            search = kind(self.network, self.labels, self.label_heads, some, known)
            found.insert(chosen, search.find(width, ranked=options.k is not None, margins=options.margins))
        if options.begins_with_parse(self.beam):  # a beam finds higher scores, and not better trees
            found.put_first(self.find(batch, attrs.evolve(options, k=1)))
        return found

    def chart(self, sentence: Sentence) -> Chart:
        """All derivations of a sentence, with their scores, if the decoder is `ExactTransitions`.

        Args:
            sentence: a tree, whose heads do not matter, or words.

        Raises:
            ChartNotDefined: the decoder is another one.

        >>> from deptrees import sample_treebank
        >>> from deptrees.torch import BiLSTM, ExactTransitions, NeuralParser
        >>> encoder, decoder = BiLSTM(hidden=10), ExactTransitions(hidden=10)
        >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, encoder=encoder, decoder=decoder)
        >>> heads = parser.model.chart(["Birds", "sing"]).marginals().heads
        >>> heads.shape, heads[:, 1:].sum(axis=0).round(6).tolist()
        ((4, 3), [1.0, 1.0])
        """
        if not self.architecture.decoder.is_exact:
            raise ChartNotDefined("the parser has no chart: train it with decoder=ExactTransitions()")
        [found] = ExactSearch(self.network, self.labels, self.label_heads, [as_tree(sentence)]).charts()
        return found

    def part(self) -> Part:
        embeddings = self.vocabulary.embeddings
        several = len(self.network.networks) if isinstance(self.network, NetworkEnsemble) else 1
        record = _Record(
            self.system, self.architecture, self.vocabulary, embeddings.words, embeddings.size, several, self.beam
        )
        weights = {name: tensor.cpu().numpy() for name, tensor in self.network.state_dict().items()}
        return Part(NEURAL, to_record(record), {**weights, _EMBEDDINGS: embeddings.vectors})

    @classmethod
    def read(
        cls, file: ModelFile, system: GivenSystem | None = None, *, device: str | torch.device | None = None
    ) -> NeuralModel:
        system = system_from(file.record(NEURAL).get("system"), system)
        record = file.read(NEURAL, _Record, system=system)
        vectors = file.array(_EMBEDDINGS, (len(record.embedded), record.embedding_size))
        vocabulary = attrs.evolve(record.vocabulary, embeddings=Embeddings(record.embedded, vectors))
        networks = list[Network]()
        with pytorch_defaults(), torch.random.fork_rng([]), torch.no_grad():
            with torch.device("meta"):  # where tensors have shapes, and take no memory
                shapes = record.architecture.network(system, vocabulary).state_dict()
            for number in range(record.networks):
                prefix = f"networks.{number}." if record.networks > 1 else ""
                arrays = {name: file.array(prefix + name, tensor.shape) for name, tensor in shapes.items()}
                network = record.architecture.network(system, vocabulary)
                network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
                networks.append(network.to(device_of(device)).eval())
                guarded("the network", partial(network.forward, Columns.encode([_SENTENCE])))
        several = NetworkEnsemble(networks) if record.networks > 1 else networks[0]
        return cls(record.architecture, vocabulary, several, record.beam)


@attrs.frozen
class _Record:
    """What is saved of a neural model besides numbers."""

    system: System
    architecture: Architecture
    vocabulary: Vocabulary
    embedded: tuple[str, ...]
    embedding_size: int
    networks: int = size(1, NETWORKS)
    beam: int = size(1, BEAM)


def device_of(given: str | torch.device | None) -> torch.device:
    """Where a network works: a GPU, if there is one and nothing else is said."""
    return torch.device(given or ("cuda" if torch.cuda.is_available() else "cpu"))
