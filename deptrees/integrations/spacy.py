"""spaCy: our parsers as a component of its pipelines, and trees as its documents.

spaCy imports this module for every pipeline, by its entry point: what takes long to import waits until it parses.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, starmap, takewhile
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from more_itertools import flatten, take

from deptrees.extras import require

require("spacy", "deptrees.integrations.spacy needs spaCy", "spacy")

from spacy.attrs import DEP, HEAD
from spacy.language import Language
from spacy.pipeline import Pipe, Sentencizer
from spacy.pipeline.dep_parser import parser_score
from spacy.scorer import Scorer
from spacy.tokens import Doc, Span
from spacy.tokens import Token as SpacyToken
from spacy.training import Example
from spacy.util import minibatch
from spacy.vocab import Vocab

from deptrees.messages import of_type, quoted
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.completion import completed
from deptrees.treebanks.raw_text import SurfaceToken, surface_tokens, white_space_in_misc
from deptrees.trees.extra_tokens import multiword_span
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree, trees_of

if TYPE_CHECKING:
    from deptrees.parser import Parser
    from deptrees.training.known_tags import TagWatch

__all__ = ["ParserComponent", "from_doc", "make_component", "to_doc"]

_NO_LABEL = "dep"
"""The label of arcs that have none: spaCy takes a word without a label for one without a head."""
_MULTIWORD = "multiword"
"""The group of spans that are multiword tokens."""


@Language.factory(
    "deptrees",
    default_config={"model": None, "threads": 1, "beam": None},
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    default_score_weights={
        "dep_uas": 0.5,
        "dep_las": 0.5,
        "dep_las_per_type": None,
        "sents_p": None,
        "sents_r": None,
        "sents_f": 0.0,
    },
)
def make_component(
    nlp: Language, name: str, model: str | None, threads: int = 1, beam: int | None = None
) -> ParserComponent:
    """What ``nlp.add_pipe("deptrees", config={"model": path})`` makes: see `ParserComponent` for the configuration."""
    of_type("nlp", nlp, Language, "a pipeline of spaCy")
    return ParserComponent(nlp.vocab, name, model, threads, beam)


class ParserComponent(Pipe):  # type: ignore[misc, unused-ignore]
    """A parser as a component of a pipeline: it sets heads, labels, sentence starts, and tags if it has a tagger.

    The sentences are those that components before it have marked; where none has, spaCy's ``Sentencizer`` marks them,
    by punctuation. Tokens that are nothing but white space are no words: each depends on the word before it.

    Args:
        vocab: the vocabulary of the pipeline.
        name: what the pipeline calls the component.
        model: a file made by ``deptrees train`` or ``Parser.save``, loaded when needed; none for ``from_disk``.
        threads: the number of threads; the result does not depend on it.
        beam: how many derivations to follow at a time; if not given, as many as in training.

    >>> import spacy
    >>> from tempfile import TemporaryDirectory
    >>> from deptrees import Parser, sample_treebank
    >>> nlp = spacy.blank("en")
    >>> with TemporaryDirectory() as folder:
    ...     Parser.train(sample_treebank("train")).save(f"{folder}/model")
    ...     component = nlp.add_pipe("deptrees", config={"model": f"{folder}/model"})
    ...     doc = nlp("The old dog sleeps. A bird sings.")
    >>> [len(sentence) for sentence in doc.sents], doc[3].head.text in ("dog", "sleeps")
    ([5, 4], True)
    """

    def __init__(
        self, vocab: Vocab, name: str = "deptrees", model: str | None = None, threads: int = 1, beam: int | None = None
    ) -> None:
        self.vocab, self.name, self.model, self.threads, self.beam = vocab, name, model, threads, beam
        self._parser: Parser | None = None
        self._watch: TagWatch | None = None
        self._sentencizer = Sentencizer()

    @property
    def parser(self) -> Parser:
        """The parser.

        Raises:
            ValueError: the component was added without a model.
            FileNotFoundError: there is no such file; it is not needed before, as ``from_disk`` may load the model.
            ModelError: the file is not a model.
        """
        if self._parser is None:
            if self.model is None:
                advice = "nlp.add_pipe('deptrees', config={'model': PATH})"
                raise ValueError(f"the component {self.name!r} has no model: add it by {advice}")
            self._load(self.model)
        assert self._parser is not None
        return self._parser

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that the parser gives to arcs; none before it is loaded."""
        return () if self._parser is None else self._parser.labels

    def __call__(self, doc: Doc) -> Doc:
        """Parse a document in place."""
        try:
            self._annotate([doc])
            return doc
        except Exception as error:
            self.get_error_handler()(self.name, self, [doc], error)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Parse documents in place, many at a time.

        If one cannot be parsed, all of its batch are one by one, so that spaCy's error handler gets that one only.
        """
        _ = self.parser  # if it cannot be loaded, it is not the documents that are wrong
        for docs in minibatch(stream, batch_size):
            try:
                self._annotate(docs)
            except Exception:
                docs = [doc for doc in map(self, docs) if doc is not None]
            yield from docs

    def _annotate(self, docs: Sequence[Doc]) -> None:
        for doc in docs:
            if not doc.has_annotation("SENT_START"):
                self._sentencizer(doc)
        sentences = [[*filter(None, map(_words, doc.sents))] for doc in docs]
        parts = [_multiword_tokens(doc) for doc in docs]
        untagged = Batch.of(
            DependencyTree(_token(word, word.i in multiword) for word in words)
            for multiword, found in zip(parts, sentences, strict=True)
            for words in found
        )
        if self._watch is not None:
            self._watch.see(untagged.columns)
        parsed = iter(completed(self.parser(untagged, threads=self.threads, beam=self.beam)).trees)
        tagger = self.parser.tagger
        for doc, found in zip(docs, sentences, strict=True):
            arcs = [*zip(found, take(len(found), parsed), strict=True)]
            _attach(doc, arcs)
            if tagger is not None:
                _tag(arcs, tagger.columns)

    def score(self, examples: Iterable[Example], **options: Any) -> dict[str, Any]:
        """Attachment scores without punctuation and the F1 of sentences, as spaCy's own parser is scored.

        With a tagger the accuracy of what it fills in, too: ``pos_acc``, ``tag_acc``, ``morph_acc`` and ``lemma_acc``.
        """
        examples = list(examples)
        scores: dict[str, Any] = parser_score(examples, **options)
        tagger = self.parser.tagger
        for column in () if tagger is None else tagger.columns:
            scores.update(Scorer.score_token_attr(examples, _ATTRIBUTES[column], getter=_text_of))
        return scores

    def to_disk(self, path: str | os.PathLike[str], *, exclude: Iterable[str] = ()) -> None:
        """Save the model: a file, which ``deptrees.load_parser`` loads, too."""
        self.parser.save(path)

    def from_disk(self, path: str | os.PathLike[str], *, exclude: Iterable[str] = ()) -> ParserComponent:
        """Load the model that was saved; the one that the component was added with is not asked for."""
        self._load(path)
        return self

    def _load(self, path: str | os.PathLike[str]) -> None:
        from deptrees.parser import load_parser
        from deptrees.training.known_tags import TagWatch

        self._parser = load_parser(path)
        expected = self._parser.expected_tags
        self._watch = None if expected is None else TagWatch(expected)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The bytes of the file that ``to_disk`` writes."""
        with TemporaryDirectory() as folder:
            self.to_disk(Path(folder, "model"))
            return Path(folder, "model").read_bytes()

    def from_bytes(self, content: bytes, *, exclude: Iterable[str] = ()) -> ParserComponent:
        """Load the model from what ``to_bytes`` gave."""
        with TemporaryDirectory() as folder:
            Path(folder, "model").write_bytes(content)
            return self.from_disk(Path(folder, "model"))


def _words(sentence: Span) -> list[SpacyToken]:
    """The words of a sentence; white space is none."""
    return [token for token in sentence if not token.is_space]


def _multiword_tokens(doc: Doc) -> dict[int, Span]:
    """The multiword token of each word that is in one, by the word's position."""
    return {word.i: span for span in doc.spans.get(_MULTIWORD, ()) for word in span}


def _token(word: SpacyToken, is_part: bool) -> Token:
    """A word, which may be a part of a multiword token, with all that its document says about it but its arc."""
    return Token(
        word.norm_ if is_part else word.text,
        lemma=word.lemma_ or None,
        upos=word.pos_ or None,
        xpos=word.tag_ or None,
        feats=str(word.morph) or None,
    )


_Arcs = Sequence[tuple[Sequence[SpacyToken], DependencyTree]]
"""The words of each sentence of a document, and their tree."""


def _attach(doc: Doc, arcs: _Arcs) -> None:
    """Set heads and labels, and by them the starts of sentences."""
    found: dict[int, tuple[int, str]] = {}
    for words, tree in arcs:
        for word, head, label in zip(words, tree.heads, tree.labels, strict=True):
            assert head is not None
            found[word.i] = words[head - 1].i if head else word.i, label or _NO_LABEL
    latest, rows = min(found, default=0), []
    for position in range(len(doc)):
        latest = position if position in found else latest
        at, name = found.get(position, (latest, _NO_LABEL))
        rows.append([(at - position) % 2**64, doc.vocab.strings.add(name)])
    if rows:
        doc.from_array([HEAD, DEP], np.array(rows, np.uint64))


_ATTRIBUTES = {"upos": "pos", "xpos": "tag", "feats": "morph", "lemma": "lemma"}
"""What spaCy calls the columns that a tagger fills in."""


def _tag(arcs: _Arcs, columns: Sequence[str]) -> None:
    """Set the tags and lemmas that a tagger has found."""
    for words, tree in arcs:
        for word, token in zip(words, tree, strict=True):
            for column in columns:
                tag = getattr(token, column) or ""
                if column == "feats":
                    word.set_morph(tag)
                else:
                    setattr(word, f"{_ATTRIBUTES[column]}_", tag)


def _text_of(word: SpacyToken, attribute: str) -> str:
    """A tag of a word as text: numbers of features differ between vocabularies."""
    return str(word.morph) if attribute == "morph" else getattr(word, f"{attribute}_")


def from_doc(doc: Doc) -> Iterator[DependencyTree]:
    """The sentences of a document as trees, without the white space among their words, which MISC tells.

    Args:
        doc: the document; if neither its sentences are marked nor heads are set, it is one sentence.

    >>> import spacy
    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
    >>> doc = to_doc([tree, tree], spacy.blank("en").vocab)
    >>> [(sentence.heads, sentence.labels) for sentence in from_doc(doc)]
    [((2, 0), ('nsubj', 'root')), ((2, 0), ('nsubj', 'root'))]
    """
    of_type("doc", doc, Doc, "a document of spaCy")
    multiword, is_first = _multiword_tokens(doc), True
    for sentence in doc.sents if doc.has_annotation("SENT_START") else [doc[:]]:
        words = _words(sentence)
        if words:
            yield _tree(words, multiword, doc[: words[0].i].text_with_ws if is_first else "")
            is_first = False


def _tree(words: Sequence[SpacyToken], multiword: Mapping[int, Span], before: str) -> DependencyTree:
    """The tree of a sentence with white space before it."""
    positions = {word.i: position for position, word in enumerate(words, 1)}
    tokens, text = list[Token](), ""
    for _, group in groupby(words, key=lambda word: multiword.get(word.i, word)):
        parts = [*group]
        form = words[0].doc[parts[0].i : parts[-1].i + 1].text
        after = _white_space_after(parts[-1])
        misc, before = white_space_in_misc(after, before) or None, ""
        text += f"{form} " if after else form
        if len(parts) > 1:
            tokens.append(Token(form, id=f"{positions[parts[0].i]}-{positions[parts[-1].i]}", misc=misc))
            misc = None
        for word in parts:
            token = attrs.evolve(_token(word, word.i in multiword), id=positions[word.i], misc=misc)
            tokens.append(_with_head(token, word, positions))
    return DependencyTree.from_tokens(tokens, [f"# text = {text.rstrip(' ')}"])


def _white_space_after(word: SpacyToken) -> str:
    """The space that belongs to a word and the tokens of white space that follow it."""
    following = takewhile(attrgetter("is_space"), word.doc[word.i + 1 :])
    return "".join([word.whitespace_, *[space.text_with_ws for space in following]])


def _with_head(token: Token, word: SpacyToken, positions: Mapping[int, int]) -> Token:
    if not word.has_head():
        return token
    head = word.head
    while head.is_space and head.head.i != head.i:
        head = head.head
    is_root = head.i == word.i or head.is_space
    return attrs.evolve(token, head=0 if is_root else positions[head.i], label=word.dep_)


def to_doc(trees: Iterable[DependencyTree], vocab: Vocab) -> Doc:
    """Trees as the sentences of one document, whose text is the one that they were divided from.

    Each multiword token is in ``doc.spans["multiword"]``. Its words have their forms in ``norm_``, and share its text.

    Args:
        trees: the trees, all of them with all heads or none with any.
        vocab: the vocabulary of a pipeline, ``nlp.vocab``.

    Raises:
        ValueError: some words have heads and others none, UPOS or FEATS are not those of Universal Dependencies, or a
            multiword token has more words than characters.

    >>> import spacy
    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
    >>> doc = to_doc([tree], spacy.blank("en").vocab)
    >>> doc[0].head, doc[0].dep_, doc.text
    (sing, 'nsubj', 'Birds sing ')
    """
    of_type("vocab", vocab, Vocab, "the vocabulary of a pipeline")
    trees = [*trees_of(trees)]
    has_heads = any(tree.arcs for tree in trees)
    if has_heads and not all(tree.is_annotated for tree in trees):
        name = next(tree.name for tree in trees if not tree.is_annotated)
        reason = "has a word without a head, and others have heads: see deptrees.treebanks.completion"
        raise ValueError(f"{name} {reason}")
    sentences = [_pieces(tree, tokens) for tree, tokens in zip(trees, surface_tokens(trees), strict=True)]
    pieces = [*flatten(sentences)]
    tokens = [token or Token(text) for text, _, token in pieces]
    doc = Doc(
        vocab,
        [text for text, _, _ in pieces],
        [space for _, space, _ in pieces],
        lemmas=[token.lemma or "" for token in tokens],
        pos=[token.upos or "" for token in tokens],
        tags=[token.xpos or "" for token in tokens],
        morphs=[token.feats or "" for token in tokens],
        sent_starts=None if has_heads else [not number for some in sentences for number in range(len(some))],
    )
    words = (doc[position] for position, (_, _, token) in enumerate(pieces) if token)
    arcs = [(take(len(tree), words), tree) for tree in trees]
    doc.spans[_MULTIWORD] = [*flatten(starmap(_multiword_spans, arcs))]
    if has_heads:
        _attach(doc, arcs)
    return doc


def _pieces(tree: DependencyTree, tokens: Iterable[SurfaceToken]) -> list[tuple[str, bool, Token | None]]:
    """The texts that spaCy takes for tokens, whether a space follows each, and the word that it is, if any."""
    pieces, words = list[tuple[str, bool, Token | None]](), iter(tree)
    for token in tokens:
        if token.before:
            pieces.append((token.before, False, None))
        rest = token.form
        if len(rest) < len(token.words):
            raise ValueError(f"{tree.name} has more words than characters in {quoted(rest)}")
        for later, form in zip(range(len(token.words) - 1, -1, -1), token.words, strict=True):
            stop = min(len(form), len(rest) - later) if later else len(rest)  # a character at least for each later word
            pieces.append((rest[:stop], not later and token.after[:1] == " ", next(words)))
            rest = rest[stop:]
        if after := token.after.removeprefix(" "):
            pieces.append((after, False, None))
    return pieces


def _multiword_spans(words: Sequence[SpacyToken], tree: DependencyTree) -> Iterator[Span]:
    """The multiword tokens of a sentence, whose words keep their forms."""
    for span in filter(None, (multiword_span(token) for _, token in tree.extra_tokens)):
        for position in span:
            words[position - 1].norm_ = tree[position].form
        first, last = words[span[0] - 1], words[span[-1] - 1]
        yield first.doc[first.i : last.i + 1]
