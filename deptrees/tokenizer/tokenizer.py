"""The tokenizer: trained, saved, loaded and used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import sha256
from itertools import chain, compress, pairwise, repeat
from typing import ClassVar

import attrs
import numpy as np

from deptrees.engine import core
from deptrees.files.models import ModelFile, Part, Saved
from deptrees.files.parts import TOKENIZER
from deptrees.files.records import to_record
from deptrees.files.sparse import SparseArray
from deptrees.messages import of_type, quoted
from deptrees.tokenizer.divider import Divider, KnownTokens
from deptrees.tokenizer.model import Hyperparameters, perceptron, places_data
from deptrees.tokenizer.places import Certain, Places
from deptrees.tokenizer.streaming import Sentence, divided
from deptrees.tokenizer.texts import Lexicon, looked_up
from deptrees.training.declarations import Kind, option, takes
from deptrees.training.options import Options
from deptrees.training.records import Epoch
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.conllu import wrong_characters
from deptrees.treebanks.raw_text import sentence_rows, surface_tokens
from deptrees.trees.tree import AnyTree, DependencyTree, trees_of

__all__ = ["Tokenizer", "TokenizerOptions"]


@attrs.frozen
class _Record:
    """What is saved of a tokenizer besides its weights."""

    hyperparameters: Hyperparameters
    certain: Certain
    lexicon: Lexicon
    known: KnownTokens


@attrs.frozen(kw_only=True, repr=False)
class TokenizerOptions(Options):
    """The options of training a tokenizer."""

    of: ClassVar[str] = "a tokenizer"

    hyperparameters: Hyperparameters | None = option(
        None, "Everything else that can be chosen.", Kind(Hyperparameters, "of the class Hyperparameters")
    )


@attrs.frozen(eq=False)
class Tokenizer(Saved):
    """A sentence splitter and tokenizer, learned from a treebank.

    Args:
        hyperparameters: what was chosen before it was trained.
        certain: about which places nothing need be asked.
        lexicon: the words that are known where words run together.
        divider: what divides tokens into words.
        weights: those that are not 0 in an array (rows × decisions).
        lines: whether each line of a text is a sentence; not saved.
        ranges: whether to write into MISC where each token is in its text, in characters; not saved.
        document: the name of a text that is given without one; not saved.

    >>> from deptrees import sample_treebank
    >>> tokenizer = Tokenizer.train(sample_treebank("train"))
    >>> for tree in tokenizer.tokenize("The dog sleeps. Who's there?"):
    ...     print(*(token.form for token in tree))
    The dog sleeps .
    Who 's there ?
    """

    hyperparameters: Hyperparameters = attrs.field(repr=False)
    certain: Certain = attrs.field(repr=False)
    lexicon: Lexicon = attrs.field(repr=False)
    divider: Divider = attrs.field(repr=False)
    weights: SparseArray = attrs.field(repr=False)
    lines: bool = attrs.field(default=False, kw_only=True)
    ranges: bool = attrs.field(default=False, kw_only=True)
    document: str = attrs.field(default="", kw_only=True)

    @classmethod
    @takes(TokenizerOptions)
    def train(cls, treebank: Iterable[AnyTree], options: TokenizerOptions) -> Tokenizer:
        """Train a tokenizer.

        Of the epochs, that one is best that has the greatest mean of the F1 of tokens and sentences, in the text of the
        trees to evaluate on.

        Args:
            treebank: the trees to learn from; they are held in memory. MISC tells where there are spaces between their
                tokens, and paragraphs begin where the comments ``newpar`` and ``newdoc`` are.
            options: those of `TokenizerOptions`, as keywords.

        Raises:
            TrainingError: there is no token, or the checkpoint is that of another training.
            EvaluationError: there is no token in the development data.
            TypeError: the treebank or an option is something else.
            ValueError: a number is out of range.
            FileExistsError: there is a checkpoint, and training should not resume from it.
            OSError: the checkpoint cannot be written.
        """
        from deptrees.evaluation.segmentation import segmentation
        from deptrees.tokenizer.training import TokenizerTraining, in_running_text
        from deptrees.training.checkpoints import identity
        from deptrees.training.run import run

        trees, dev = list(trees_of(treebank)), None if options.dev is None else list(trees_of(options.dev))
        text = "".join([token.text for sentence in in_running_text(surface_tokens(dev or [])) for token in sentence])
        hyperparameters = options.hyperparameters or Hyperparameters()

        def evaluated(tokenizer: Tokenizer, epoch: Epoch) -> Epoch:
            assert dev is not None
            found = segmentation(dev, tokenizer.tokenize(text))
            return attrs.evolve(epoch, accuracy=(found.tokens + found.sentences) / 2)

        return run(
            options,
            lambda seed: TokenizerTraining(trees, hyperparameters, seed),
            model=lambda training, _: cls(
                training.hyperparameters, training.certain, training.lexicon, training.divider, training.weights()
            ),
            mean=lambda found: attrs.evolve(found[0], weights=SparseArray.mean([one.weights for one in found])),
            evaluated=None if dev is None else evaluated,
            about=lambda seed: {
                **identity(hyperparameters, trees, dev),
                "seed": seed,
                "text": _fingerprint(trees, dev),
            },
            load=cls.load,
        )

    def tokenize(self, text: str | Iterable[str]) -> Iterator[DependencyTree]:
        r"""The sentences of a text, lazily and in order, as trees without heads.

        A sentence ends at a blank line, too. MISC records all white space but single spaces, as UDPipe writes it, so
        that `raw_text` makes the text again. No token ends inside of a grapheme cluster, and texts that look the same
        are divided in the same way; what is written is as it was.

        Args:
            text: the text, or its pieces, such as a file that is open. Where it is cut into pieces does not matter.

        Raises:
            TypeError: it is something else.
            ValueError: it has half of a surrogate pair, which is no character.

        >>> from deptrees import sample_treebank
        >>> from deptrees.treebanks.raw_text import raw_text
        >>> tokenizer = Tokenizer.train(sample_treebank("train"), epochs=1)
        >>> trees = list(tokenizer.tokenize("\tBirds  sing.\n\nDogs"))
        >>> [(tree.text, tree[1].misc) for tree in trees], raw_text(trees)
        ([('Birds sing.', 'SpacesBefore=\\t|SpacesAfter=\\s\\s'), ('Dogs', 'SpaceAfter=No')], '\tBirds  sing.\n\nDogs')
        """
        return (tree for batch in self.batches(text) for tree in batch.trees)

    def batches(self, text: str | Iterable[str | None], name: str = "") -> Iterator[Batch]:
        """The sentences of a text, many at a time; see ``tokenize``.

        Args:
            text: the text, or its pieces, and ``None`` where the next one has not arrived yet: what is there up to the
                latest blank line is answered, and then there is a batch without sentences.
            name: that of the document, which the ids of its sentences begin with.
        """
        if isinstance(text, bytes) or not isinstance(text, Iterable):
            raise TypeError(f"text is {quoted(text)}: give a text, or an iterable of its pieces")
        document = name or self.document
        of_type("document", document, str, "the name of a text")
        if fault := wrong_characters(document):
            raise ValueError(f"document is {quoted(document)}, which is not a name: {fault}")
        return self._batches([text] if isinstance(text, str) else text, document)

    def _batches(self, text: Iterable[str | None], name: str) -> Iterator[Batch]:
        at, number, begins = 0, 0, [f"# newdoc id = {name}" if name else "# newdoc", "# newpar"]
        prefix = name and f"{name}-"
        for sentences in divided(text, self._sentences):
            rows: list[str] = []
            words = iter(self.divider.words([form for sentence in sentences or () for form in sentence.forms]))
            for sentence in sentences or ():
                number += 1
                before = chain([sentence.before], repeat(""))
                tokens = zip(sentence.forms, words, sentence.spaces, before, strict=False)
                start, at = at if self.ranges else None, at + len(sentence.text)
                rows += [*begins, f"# sent_id = {prefix}{number}", *sentence_rows(tokens, start), ""]
                begins = ["# newpar"] if sentence.spaces[-1].count("\n") > 1 else []
            yield Batch.read("\n".join(rows).encode())

    @cached_property
    def _perceptron(self) -> core.tagging.TaggerPerceptron:
        return perceptron(self.hyperparameters, self.weights, learning=False)

    def _sentences(self, text: str) -> list[Sentence]:
        """The sentences of a text, which does not consist of white space alone."""
        known, positions = looked_up(text)
        places = Places(known, self.certain, self.lexicon)
        bounds = places.paragraph_bounds
        decisions = np.empty(len(places.where), np.int32)
        self._perceptron.tag(places_data(places, bounds), 0, len(bounds) - 1, decisions)
        *bounds_of_tokens, is_last = places.tokens(decisions, lines=self.lines)
        starts, stops = (positions[found].tolist() for found in bounds_of_tokens)
        forms = [text[start:stop] for start, stop in zip(starts, stops, strict=True)]
        spaces = [text[stop:start] for stop, start in zip(stops, [*starts[1:], len(text)], strict=True)]
        cuts = pairwise([0, *compress(range(1, len(forms) + 1), is_last)])
        sentences = [Sentence(forms[start:stop], spaces[start:stop]) for start, stop in cuts]
        sentences[0] = attrs.evolve(sentences[0], before=text[: starts[0]])
        return sentences

    def part(self) -> Part:
        """What is saved; another model's file can hold it beside that model."""
        record = _Record(self.hyperparameters, self.certain, self.lexicon, self.divider.known)
        return Part(TOKENIZER, to_record(record), {"tokenizer": self.weights, "divider": self.divider.weights})

    @classmethod
    def read(cls, file: ModelFile) -> Tokenizer:
        """Read a tokenizer from an open file.

        Raises:
            ModelError: there is none in it.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import sample_treebank
        >>> tokenizer = Tokenizer.train(sample_treebank("train"), epochs=1)
        >>> with TemporaryDirectory() as folder:
        ...     tokenizer.save(f"{folder}/tokenizer")
        ...     [tree.text for tree in Tokenizer.load(f"{folder}/tokenizer").tokenize("Birds sing. Dogs sleep.")]
        ['Birds sing.', 'Dogs sleep.']
        """
        record = file.read(TOKENIZER, _Record)
        weights = file.sparse_array("tokenizer", record.hyperparameters.table_shape())
        divider = Divider(record.known, file.sparse_array("divider", record.known.table_shape()))
        return cls(record.hyperparameters, record.certain, record.lexicon, divider, weights)


def _fingerprint(*treebanks: Iterable[DependencyTree] | None) -> str:
    """A text that distinguishes what a tokenizer learns from, which includes comments and multiword tokens."""
    return sha256(b"".join([Batch.of(trees or ()).conllu() for trees in treebanks])).hexdigest()
