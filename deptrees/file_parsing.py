"""How files are parsed: what is in them, what is asked of the parser, and what is written."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Literal

import attrs

from deptrees.parser import Parser, ScoredTree
from deptrees.transition import Constraints
from deptrees.treebanks.batch import Batch, in_order
from deptrees.treebanks.completion import completed
from deptrees.treebanks.conllu import to_conllu
from deptrees.treebanks.treebank import Treebank, TreebankWarning

if TYPE_CHECKING:
    from deptrees.enhanced import Enhancer
    from deptrees.trees.tree import DependencyTree

__all__ = ["FileParsing"]

ConstraintsName = Literal["given", "marked"]


@attrs.frozen(kw_only=True)
class FileParsing:
    """How files are parsed, as the command ``parse`` and its workers need to know.

    Args:
        text: whether the files are raw text, which the parser's tokenizer divides.
        lines: whether each line of raw text is a sentence.
        ranges: whether to write into MISC where each token is in the raw text; see ``Parser.parse_text``.
        words: whether they have no columns but a sentence on each line; see `deptrees.Treebank`.
        strict: if false, sentences that are not valid are skipped.
        beam: how many derivations to follow at a time; by default as many as in training.
        constraints: what is known before parsing, by the name of a method of `deptrees.transition.Constraints`.
        confidence: whether to write into MISC how probable each arc is.
        k_best: how many trees to write of each sentence, with their ranks and scores as comments; ``None`` for one tree
            without.
        complete: whether to give a head to words that the system leaves without one.
        keep_deps: whether sentences keep DEPS and empty nodes if the parser finds the heads and labels that they have.

    >>> from deptrees import sample_treebank
    >>> parser = Parser.train(sample_treebank("train"), epochs=2)
    >>> parsing = FileParsing(k_best=2)
    >>> batch = next(parsing(parser, sample_treebank("dev").batches()))
    >>> [tree.comments[-2] for tree in batch.trees[:2]]
    ['# rank = 1', '# rank = 2']
    """

    text: bool = False
    lines: bool = False
    ranges: bool = False
    words: bool = False
    strict: bool = True
    beam: int | None = None
    constraints: ConstraintsName | None = None
    confidence: bool = False
    k_best: int | None = None
    complete: bool = False
    keep_deps: bool = False

    def __attrs_post_init__(self) -> None:
        if self.text and self.words:
            raise ValueError("a file is raw text, or has a sentence on each line: choose text or words")
        if (self.lines or self.ranges) and not self.text:
            raise ValueError("lines and ranges are those of raw text: choose them with text")
        if self.confidence and self.k_best:
            raise ValueError("probabilities are those of the best tree: choose confidence or k_best")
        if self.keep_deps and self.k_best:
            raise ValueError("DEPS is kept with one tree: choose keep_deps or k_best")

    def treebank(self, parser: Parser, *paths: str, document: str = "") -> Treebank:
        """The sentences in files.

        Args:
            parser: the parser, which may have to divide raw text.
            paths: the files.
            document: the name of a single file of raw text, with which the ids of its sentences begin.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: they are raw text, and the parser has no tokenizer.
        """
        tokenizer = parser.tokenizer if self.text else None
        if self.text and tokenizer is None:
            raise ValueError("the model has no tokenizer to divide raw text: train it with --pipeline")
        if tokenizer is not None:
            tokenizer = attrs.evolve(tokenizer, lines=self.lines, ranges=self.ranges, document=document)
        heads = self.constraints is not None or self.keep_deps  # which are not looked at otherwise
        return Treebank(*paths, strict=self.strict, words=self.words, tokenizer=tokenizer, heads=heads)

    def __call__(self, parser: Parser, batches: Iterable[Batch], threads: int = 1) -> Iterator[Batch]:
        """Parse sentences, lazily; errors that come from options come at once."""
        known = None if self.constraints is None else getattr(Constraints, self.constraints)
        parse: Callable[[Batch], Batch]
        ask: Callable[..., object]
        if self.k_best is None:
            ask = parse = partial(parser, beam=self.beam, constraints=known, confidence=self.confidence)
        else:
            ask = rank = partial(parser.ranked, k=self.k_best, beam=self.beam, constraints=known)
            parse = lambda batch: Batch.read(_as_text(rank(batch)))  # noqa: E731
        ask(Batch.of([]), threads=threads)  # which tells at once if a number is out of range
        sentences = parser.watched(batches, fewest=1)
        if parser.enhancer is None:
            sentences = self._watched(sentences)
        return in_order(partial(self._parsed, parse, parser.enhancer), sentences, threads)

    def _parsed(self, parse: Callable[[Batch], Batch], enhancer: Enhancer | None, batch: Batch) -> Batch:
        parsed = parse(batch)
        if self.complete:
            parsed = completed(parsed)
            parsed = parsed if enhancer is None else enhancer(parsed)
        return parsed.keeping_deps(batch) if self.keep_deps else parsed

    def _watched(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """The sentences, with a warning if there are enhanced dependencies that are not kept."""
        silent = self.keep_deps or self.constraints == "marked"  # which has its marks in DEPS
        for batch in batches:
            if not silent and batch.has_deps:
                silent = True
                message = "DEPS and empty nodes are left out: the new trees are others; see --keep-deps"
                warnings.warn(message, TreebankWarning, stacklevel=4)
            yield batch


def _as_text(ranked: Iterable[Iterable[ScoredTree]]) -> bytes:
    """The trees of sentences in CoNLL-U, each with its rank and its score as comments."""
    return "".join(
        [_with_rank(tree, rank, score) for trees in ranked for rank, (tree, score) in enumerate(trees, 1)]
    ).encode()


def _with_rank(tree: DependencyTree, rank: int, score: float) -> str:
    lines = to_conllu(tree).split("\n")
    others = [line for line in lines if line.startswith("#") and _key(line) not in ("rank", "score")]
    rows = [line for line in lines if not line.startswith("#")]
    return "\n".join([*others, f"# rank = {rank}", f"# score = {score:.4f}", *rows])


def _key(comment: str) -> str:
    return comment[1:].partition("=")[0].strip()
