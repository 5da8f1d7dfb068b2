"""Dependency trees: immutable, checked when they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from numbers import Integral
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

import attrs

from deptrees.messages import counted, of_type, quoted
from deptrees.trees.deps import deps_of
from deptrees.trees.extra_tokens import check_extra_tokens, multiword_span, words_before
from deptrees.trees.graph import DependencyGraph, GraphError
from deptrees.trees.heads import TreeError, check_heads, heads_are_projective, projective_components, projective_order
from deptrees.trees.token import ROOT, Token, TokenRecord
from deptrees.trees.token_lists import comments_in, is_token_list, token_list, tokens_in

if TYPE_CHECKING:
    from conllu import TokenList
    from typing_extensions import TypeIs

    from deptrees.drawing.diagram import ArcDiagram

__all__ = [
    "AnyTree",
    "DependencyTree",
    "Sentence",
    "TreeError",
    "TreeItem",
    "TreeOrGraph",
    "TreeRecord",
    "as_tree",
    "comment_value",
    "is_tree",
    "sentences_of",
    "trees_of",
]

TreeItem = Token | tuple[int | None, str] | tuple[int | None, str, str | None]


def _numbered(items: Iterable[TreeItem]) -> tuple[Token, ...]:
    """The tokens with their positions as ids."""
    if isinstance(items, str) or not isinstance(items, Iterable):
        raise TypeError(f"tokens is {quoted(items)}: give a list, with a Token or a tuple (head, form) for each word")
    tokens = []
    for position, item in enumerate(items, 1):
        if not isinstance(item, Token):
            item = _token(item, position)
        elif item.id is None:
            item = attrs.evolve(item, id=position)
        elif item.id != position or type(item.id) is not int:
            raise TreeError(position, f"word {position} has the id {quoted(item.id)}: ids must run 1, 2, 3, ...")
        if type(item.head) is not int and item.head is not None:
            item = attrs.evolve(item, head=_as_integer(item.head, position))
        tokens.append(item)
    return tuple(tokens)


def _token(item: tuple[int | None, str] | tuple[int | None, str, str | None], position: int) -> Token:
    if not isinstance(item, (tuple, list)) or not 2 <= len(item) <= 3:
        form = "a Token or a tuple (head, form) or (head, form, label)"
        raise TypeError(f"word {position} of tokens is {quoted(item)}: give {form}")
    return Token(item[1], item[0], item[2] if len(item) > 2 else None, id=position)


def _as_integer(head: object, position: int) -> int:
    """A head that is an integer of another kind, such as numpy's, as Python's own."""
    if isinstance(head, bool) or not isinstance(head, Integral):
        raise TreeError(position, f"the head of word {position} is {quoted(head)}, which is not an integer")
    return int(head)


def _comments(lines: Iterable[str]) -> tuple[str, ...]:
    """Comments as they are kept; a TypeError if they are one text, a ValueError if one is no comment of one line."""
    if isinstance(lines, str):
        raise TypeError(f"comments is {quoted(lines)}: give a list of lines")
    lines = tuple(lines)
    for line in lines:
        if not isinstance(line, str) or not line.startswith("#") or "\n" in line or "\r" in line:
            raise ValueError(f"not a comment of one line that begins with #: {quoted(line)}")
    return lines


def comment_value(comments: Iterable[str], key: str) -> str | None:
    """The value of the first comment ``# key = value``.

    >>> comment_value(["# newdoc", "# sent_id = a-1"], "sent_id")
    'a-1'
    """
    entries = (line[1:].partition("=") for line in comments)
    return next((value.strip() for name, equals, value in entries if equals and name.strip() == key), None)


class TreeRecord(TypedDict):
    """A tree, as data for JSON.

    Args:
        comments: the comment lines of the sentence, including ``#``.
        tokens: words, multiword tokens and empty nodes, in the order in which CoNLL-U has them.
    """

    comments: Sequence[str]
    tokens: Sequence[TokenRecord]


@attrs.frozen(repr=False, str=False)
class DependencyTree:
    """A sentence and the head of each of its words.

    Words are numbered from 1, as in CoNLL-U; position 0 is ``ROOT``. Several words may depend on ROOT. Heads may be
    missing (``None``): such a tree is partially annotated. Copy with changes by ``attrs.evolve`` or ``reattach``.

    Args:
        tokens: for each word, a ``Token`` or a tuple ``(head, form)`` or ``(head, form, label)``.
        comments: the comment lines of the sentence, including ``#``.
        extra_tokens: multiword tokens and empty nodes, each with the number of words before it.

    Raises:
        TreeError: a head is not an integer, is out of range, is the word itself, or is part of a cycle; a token's id is
            not its position; or an extra token's id is not that of a multiword token or an empty node at its place.
        TypeError: tokens or comments are something else, such as one string.
        ValueError: a comment is not one line that begins with ``#``.

    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> len(tree), tree[2].form, tree[0] is ROOT, tree.heads
    (4, 'saw', True, (2, 0, 4, 2))
    >>> print(tree)
    ┌──────── 0 ROOT
    │     ┌─► 1 I
    └─►┌──└── 2 saw
       │  ┌─► 3 a
       └─►└── 4 dog
    >>> DependencyTree([(2, "round"), (1, "round")])
    Traceback (most recent call last):
    deptrees.trees.heads.TreeError: words 1 ← 2 ← 1 form a cycle
    """

    tokens: tuple[Token, ...] = attrs.field(converter=_numbered)
    comments: tuple[str, ...] = attrs.field(default=(), converter=_comments)
    extra_tokens: tuple[tuple[int, Token], ...] = attrs.field(default=(), converter=tuple[tuple[int, Token], ...])

    def __attrs_post_init__(self) -> None:
        check_heads(self.heads)
        check_extra_tokens(self.extra_tokens, len(self))

    @classmethod
    def from_tokens(cls, tokens: Iterable[Token], comments: Iterable[str] = ()) -> DependencyTree:
        """The tree of `all_tokens`: of words, whose ids are numbers, and of other tokens, whose ids are texts.

        Raises:
            TreeError: the ids, heads or extra tokens are not those of a tree.

        >>> DependencyTree.from_tokens([Token("du", id="1-2"), Token("de", id=1), Token("le", id=2)]).extra_tokens[0][0]
        0
        """
        words: list[Token] = []
        extra_tokens: list[tuple[int, Token]] = []
        for token in tokens:
            of_type("tokens", token, Token, "a list of tokens")
            if isinstance(token.id, int):
                words.append(token)
            else:
                extra_tokens.append((len(words), token))
        return cls(words, comments, extra_tokens)

    @property
    def all_tokens(self) -> tuple[Token, ...]:
        """The words, multiword tokens and empty nodes, in the order in which CoNLL-U has them.

        >>> du = Token("du", id="1-2")
        >>> [token.form for token in DependencyTree([(None, "de"), (None, "le")], extra_tokens=[(0, du)]).all_tokens]
        ['du', 'de', 'le']
        """
        if not self.extra_tokens:
            return self.tokens
        places = [*self.extra_tokens, *enumerate(self.tokens)]  # sorting is stable: what is before a word comes first
        return tuple([token for _, token in sorted(places, key=itemgetter(0))])

    @property
    def multiword_tokens(self) -> tuple[tuple[int, Token], ...]:
        """The extra tokens without the empty nodes."""
        return tuple([pair for pair in self.extra_tokens if multiword_span(pair[1])])

    @classmethod
    def from_token_list(cls, token_list: TokenList) -> DependencyTree:
        r"""The tree of a token list of the package conllu.

        A token list can stand for its tree where sentences are expected, such as in `deptrees.Parser.parse`.

        Raises:
            TreeError: the ids, heads or extra tokens are not those of a tree.

        >>> import conllu
        >>> [token_list] = conllu.parse("1\tSing\tsing\tVERB\t_\tMood=Imp\t0\troot\t_\t_\n\n")
        >>> DependencyTree.from_token_list(token_list)
        DependencyTree([(0, 'Sing', 'root')])
        """
        if not is_token_list(token_list):
            raise TypeError(f"token_list is a TokenList of the package conllu, not {quoted(token_list)}")
        return cls.from_tokens(tokens_in(token_list), comments_in(token_list))

    @classmethod
    def from_dict(cls, record: TreeRecord) -> DependencyTree:
        """The tree of a record that `to_dict` returned.

        Raises:
            TreeError: the ids, heads or extra tokens are not those of a tree.
            TypeError: it is no such record: a key is missing or not known, or a value has another type.
            ValueError: a comment is not one line that begins with ``#``.

        >>> DependencyTree.from_dict({"comments": [], "tokens": [{"id": 1, "form": "Sing", "head": 0}]})
        DependencyTree([(0, 'Sing')])
        """
        if not isinstance(record, Mapping) or record.keys() != {"comments", "tokens"}:
            raise TypeError(f"{quoted(record)} is no record of a tree: give one with comments and tokens")
        return cls.from_tokens([Token(**token) for token in record["tokens"]], record["comments"])

    def to_dict(self) -> TreeRecord:
        """The tree as data for JSON, without loss; `from_dict` makes it a tree again.

        >>> import json
        >>> json.dumps(DependencyTree([(2, "Birds"), (0, "sing", "root")]).to_dict()["tokens"])
        '[{"id": 1, "form": "Birds", "head": 2}, {"id": 2, "form": "sing", "head": 0, "label": "root"}]'
        """
        return {"comments": self.comments, "tokens": [token.to_dict() for token in self.all_tokens]}

    def to_token_list(self) -> TokenList:
        """The tree as a token list of the package conllu, as ``conllu.parse`` reads it, but without loss.

        Where that reading would lose something, such as the second ``=`` of a value in MISC, the column is the text as
        it is. A comment that has no key of its own is a key without a value; one that is there twice is there once.

        >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")], ["# sent_id = a-1"])
        >>> token_list = tree.to_token_list()
        >>> token_list, token_list[0]["head"], token_list.metadata
        (TokenList<Birds, sing, metadata={sent_id: "a-1"}>, 2, {'sent_id': 'a-1'})
        """
        return token_list(self.all_tokens, self.comments)

    @classmethod
    def _deferred(
        cls, source: Callable[[], DependencyTree], heads: tuple[int | None, ...], labels: tuple[str | None, ...]
    ) -> DependencyTree:
        """A tree that its source makes when more of it is needed than these: reading and parsing make millions.

        The heads must form a tree; this is not checked.
        """
        tree = cls.__new__(cls)
        tree._set(_source=source, heads=heads, labels=labels)
        return tree

    @cached_property
    def _source(self) -> Callable[[], DependencyTree] | None:
        """The function that makes the tree, if the tree is deferred and not made yet."""
        return None

    if not TYPE_CHECKING:  # type checkers would take any name for an attribute

        def __getattr__(self, name: str) -> Any:
            """The tokens, comments or extra tokens of a deferred tree."""
            source = self._source
            if source is not None:  # another thread may have made it meanwhile
                tree = source()
                self._set(extra_tokens=tree.extra_tokens, comments=tree.comments, tokens=tree.tokens, _source=None)
            return object.__getattribute__(self, name)

    def _set(self, **attributes: object) -> None:
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    @cached_property
    def heads(self) -> tuple[int | None, ...]:
        """The head of each word; ``heads[0]`` is the head of word 1, and ``None`` means that it is not annotated."""
        return tuple([token.head for token in self.tokens])

    @cached_property
    def is_annotated(self) -> bool:
        """Whether every word has a head."""
        return None not in self.heads

    @cached_property
    def _is_projective(self) -> bool:  # what deptrees.is_projective answers, worked out once
        return heads_are_projective(self.heads)

    @cached_property
    def labels(self) -> tuple[str | None, ...]:
        """The label of each word's arc."""
        return tuple([token.label for token in self.tokens])

    @cached_property
    def arcs(self) -> tuple[tuple[int, int], ...]:
        """The arcs as (head, dependent) pairs, in the order of the dependents."""
        return tuple((head, word) for word, head in enumerate(self.heads, 1) if head is not None)

    @cached_property
    def graph(self) -> DependencyGraph:
        """The graph that DEPS of the words and empty nodes describes; without any DEPS it has no arcs.

        Raises:
            GraphError: DEPS is malformed, or has a head that does not exist.

        >>> DependencyTree([Token("Birds", 2, deps="2:nsubj"), Token("sing", 0, deps="0:root")]).graph
        DependencyGraph(['Birds', 'sing'], [(2, 1, 'nsubj'), (0, 2, 'root')])
        """
        try:
            return DependencyGraph.from_tokens(self.all_tokens)
        except GraphError as error:
            raise GraphError(error.node, f"{self.name}: {error}") from None

    def with_graph(self, graph: DependencyGraph) -> DependencyTree:
        """A copy with the arcs of a graph in DEPS, and with its empty nodes; everything else stays.

        Raises:
            ValueError: the graph has more or fewer words.

        >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
        >>> [token.deps for token in tree.with_graph(DependencyGraph(["Birds", "sing"], [(2, 1, "nsubj")]))]
        ['2:nsubj', None]
        """
        nodes = [attrs.evolve(node, deps=deps) for node, deps in zip(graph, graph.deps, strict=True)]
        deps_of_words = [node.deps for node in nodes if isinstance(node.id, int)]
        if len(deps_of_words) != len(self):
            raise ValueError(f"{self.name} has {counted(len(self), 'word')}, and the graph {len(deps_of_words)}")
        empty_nodes = [(words_before(node.id), node) for node in nodes if isinstance(node.id, str)]
        return attrs.evolve(
            self,
            tokens=[attrs.evolve(token, deps=deps) for token, deps in zip(self, deps_of_words, strict=True)],
            extra_tokens=sorted([*empty_nodes, *self.multiword_tokens], key=itemgetter(0)),
        )

    def without_empty_nodes(self) -> DependencyTree:
        """A copy without empty nodes; in DEPS of the words, paths through them are arcs with labels such as conj>nsubj.

        Raises:
            GraphError: there are empty nodes, and DEPS is malformed, or has a head that does not exist.
            TooLarge: there are far too many paths through them.

        >>> words = [Token("tea", 0, deps="0:root"), Token("he", 1, deps="1.1:nsubj")]
        >>> tree = DependencyTree(words, extra_tokens=[(1, Token("drinks", id="1.1", deps="1:conj"))])
        >>> tree.without_empty_nodes()[2].deps
        '1:conj>nsubj'
        """
        if len(self.multiword_tokens) == len(self.extra_tokens):
            return self
        arcs: list[list[tuple[str, str]]] = [[] for _ in range(len(self) + 1)]
        for head, word, labels in self.graph.paths:
            arcs[word].append((str(head), ">".join(labels)))
        tokens = [attrs.evolve(token, deps=deps_of(arcs[word])) for word, token in enumerate(self, 1)]
        return attrs.evolve(self, tokens=tokens, extra_tokens=self.multiword_tokens)

    @cached_property
    def words(self) -> tuple[Token, ...]:
        """The tokens as a parser may see them: without heads, labels and enhanced dependencies."""
        return tuple(
            [
                token
                if token.head is None and token.label is None and token.deps is None
                else token.attached(None, None)
                for token in self.tokens
            ]
        )

    @cached_property
    def _dependents(self) -> tuple[tuple[int, ...], ...]:
        dependents: list[list[int]] = [[] for _ in range(len(self) + 1)]
        for head, dependent in self.arcs:
            dependents[head].append(dependent)
        return tuple(map(tuple, dependents))

    @cached_property
    def head_bits(self) -> tuple[int, ...]:
        """For each position (0 to n), the set of its head, which may be empty, as the bits of an integer."""
        return (0, *[0 if head is None else 1 << head for head in self.heads])

    @cached_property
    def dependent_bits(self) -> tuple[int, ...]:
        """For each position (0 to n), the set of its dependents as the bits of an integer.

        >>> DependencyTree([(2, "I"), (0, "saw"), (2, "her")]).dependent_bits == (1 << 2, 0, 1 << 1 | 1 << 3, 0)
        True
        """
        dependents = [0] * (len(self) + 1)
        for head, word in self.arcs:
            dependents[head] |= 1 << word
        return tuple(dependents)

    @cached_property
    def projective_order(self) -> tuple[int, ...]:
        """For each position (0 to n), its rank in the order that makes the tree projective (Nivre 2009, section 3.1).

        Each word is in the same order with its dependents as in the sentence, and its descendants are contiguous. If
        missing heads can be chosen so that the tree is projective, words stay where they are; otherwise those without a
        head count as dependents of ROOT.

        >>> DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]).projective_order
        (0, 1, 3, 4, 5, 2)
        """
        return projective_order(self.heads)

    @cached_property
    def projective_components(self) -> tuple[int, ...]:
        """For each position (0 to n), the root of its maximal projective component (Nivre, Kuhlmann & Hall 2009).

        The components are the largest subtrees that can be built without moving a word.

        >>> DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]).projective_components
        (0, 1, 4, 4, 4, 5)
        """
        return projective_components(self.heads)

    @cached_property
    def passing_bits(self) -> tuple[int, ...]:
        """For each position (0 to n), the later words that come before it in the projective order, as bits.

        >>> DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]).passing_bits
        (0, 0, 32, 32, 32, 0)
        """
        if self._is_projective:
            return (0,) * (len(self) + 1)
        order = self.projective_order
        words = range(1, len(order))
        return (0, *[sum([1 << later for later in words[word:] if order[later] < order[word]]) for word in words])

    @property
    def roots(self) -> tuple[int, ...]:
        """The words whose head is ROOT."""
        return self.dependents(0)

    @property
    def name(self) -> str:
        """Its name in messages: its ``sent_id`` or, without one, its first words.

        >>> DependencyTree([(2, "Birds"), (0, "sing")]).name
        "sentence 'Birds sing'"
        """
        words = " ".join([token.form for token in self.tokens[:8]]) + (" ..." if len(self) > 8 else "")
        return f"sentence {self.sent_id or words!r}"

    @property
    def sent_id(self) -> str | None:
        """The value of the comment ``# sent_id = ...``, if there is one."""
        return comment_value(self.comments, "sent_id")

    @property
    def text(self) -> str | None:
        """The value of the comment ``# text = ...``, if there is one."""
        return comment_value(self.comments, "text")

    def dependents(self, position: int) -> tuple[int, ...]:
        """The positions of the words whose head is at ``position``, from left to right.

        Raises:
            IndexError: there is no such word.

        >>> DependencyTree([(2, "I"), (0, "saw"), (2, "her")]).dependents(2)
        (1, 3)
        """
        try:
            if position >= 0:
                return self._dependents[position]
        except IndexError:  # looked at only then, for this is called for every word
            raise self._missing(position) from None
        raise self._missing(position)

    def left_dependents(self, position: int) -> tuple[int, ...]:
        """The dependents to the left of their head.

        >>> DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")]).left_dependents(2)
        (1,)
        """
        return tuple(dependent for dependent in self.dependents(position) if dependent < position)

    def right_dependents(self, position: int) -> tuple[int, ...]:
        """The dependents to the right of their head.

        >>> DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")]).right_dependents(2)
        (4,)
        """
        return tuple(dependent for dependent in self.dependents(position) if dependent > position)

    def has_arc(self, head: int, dependent: int) -> bool:
        """Whether the word at ``dependent`` has its head at ``head``.

        >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
        >>> tree.has_arc(2, 4), tree.has_arc(4, 2)
        (True, False)
        """
        return 0 < dependent <= len(self) and self.heads[dependent - 1] == head

    def subtree(self, position: int) -> tuple[int, ...]:
        """The word and all its descendants, in sentence order.

        >>> DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")]).subtree(4)
        (3, 4)
        """
        found = [position]
        for word in found:  # which grows meanwhile
            found += self.dependents(word)
        return tuple(sorted(found))

    def span(self, position: int) -> tuple[int, int]:
        """The first and the last position of the word's subtree.

        >>> DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")]).span(4)
        (3, 4)
        """
        subtree = self.subtree(position)
        return subtree[0], subtree[-1]

    def reattach(self, heads: Sequence[int | None], labels: Sequence[str | None] | None = None) -> DependencyTree:
        """A copy with other heads and, if given, other labels; everything else stays.

        Raises:
            TreeError: the heads do not form a tree.
            ValueError: there are not as many heads or labels as words.

        >>> DependencyTree([(2, "I"), (0, "saw")]).reattach([0, 1], ["root", "dep"]).heads
        (0, 1)
        """
        labels = self.labels if labels is None else labels
        columns = zip(self.tokens, heads, labels, strict=True)
        tokens = [attrs.evolve(token, head=head, label=label) for token, head, label in columns]
        return attrs.evolve(self, tokens=tokens)

    def attached(self, heads: Iterable[int | None], labels: Iterable[str | None]) -> DependencyTree:
        """The sentence with the arcs that a parser found, and without DEPS and empty nodes, as it had another tree.

        Raises: see ``reattach``.

        >>> DependencyTree([Token("Sing", deps="0:root")]).attached([0], ["root"])[1].deps is None
        True
        """
        arcs = zip(self.tokens, heads, labels, strict=True)
        tokens = [token.attached(head, label) for token, head, label in arcs]
        return attrs.evolve(self, tokens=tokens, extra_tokens=self.multiword_tokens)

    def draw(self, *, labels: bool = False, enhanced: bool = False, ascii: bool = False) -> str:  # noqa: A002
        """The drawing that ``print(tree)`` shows.

        Args:
            labels: whether to write the labels after the words.
            enhanced: whether to show the graph as well: empty nodes, and after a plus the arcs that the tree does not
                have, as in DEPS.
            ascii: whether to draw in plain ASCII.

        Raises:
            GraphError: the graph is to be shown, and DEPS describes none.

        >>> print(DependencyTree([(2, "I", "nsubj"), (0, "saw", "root")]).draw(labels=True, ascii=True))
        .----- 0 ROOT
        |  .-> 1 I    nsubj
        '->'-- 2 saw  root
        """
        from deptrees.trees.pictures import draw

        return draw(self, labels=labels, enhanced=enhanced, ascii=ascii)

    def diagram(
        self, *, labels: bool = True, tags: bool = False, gold: DependencyTree | None = None, enhanced: bool = False
    ) -> ArcDiagram:
        """The tree as a diagram, which `deptrees.drawing` turns into pictures: SVG, LaTeX and others.

        Args:
            labels: whether to write the labels on the arcs.
            tags: whether to write the universal parts of speech below the words.
            gold: the tree to compare with, if given: arcs that are not gold, or whose labels are not if labels are
                shown, are marked as wrong, and the gold ones are drawn below the words.
            enhanced: whether to show the graph as well: empty nodes in brackets, the labels of the graph where they say
                more than those of the tree, and below the words the arcs that the tree does not have.

        Raises:
            ValueError: the gold tree has more or fewer words, or there is one and the graph is to be shown.
            GraphError: the graph is to be shown, and DEPS describes none.

        >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
        >>> [(arc.head, arc.dependent, arc.kind) for arc in tree.diagram(gold=tree.reattach([0, 1])).arcs]
        [(2, 1, 'wrong'), (0, 1, 'missed'), (0, 2, 'wrong'), (1, 2, 'missed')]
        """
        from deptrees.trees.pictures import diagram

        return diagram(self, labels=labels, tags=tags, gold=gold, enhanced=enhanced)

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from deptrees.drawing.html import scrolling
        from deptrees.drawing.svg import svg

        return scrolling(svg(self.diagram()), self.name)

    def __len__(self) -> int:
        return len(self.heads)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    def __getitem__(self, position: int) -> Token:
        if position == 0:
            return ROOT
        try:
            if 0 < position <= len(self.tokens):
                return self.tokens[position - 1]
        except TypeError:
            fault = f"position is the number of one word, not {quoted(position)}; several are a slice of tree.tokens"
            raise TypeError(fault) from None
        raise self._missing(position)

    def _missing(self, position: int) -> IndexError:
        return IndexError(f"there is no word {quoted(position)}: words are numbered from 1 to {len(self)}, 0 is ROOT")

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        items = [(token.head, token.form, *([] if token.label is None else [token.label])) for token in self]
        return f"DependencyTree({items!r})"


AnyTree: TypeAlias = "DependencyTree | TokenList"
"""What is taken as a tree: one of ours, or a token list of the package conllu."""

TreeOrGraph: TypeAlias = "DependencyTree | DependencyGraph"
"""What the library's systems build, and what their oracles take as gold."""

Sentence: TypeAlias = "AnyTree | Iterable[str | Token]"
"""What can be tagged and parsed: a tree, of which only the words count, or words: strings or tokens."""


def is_tree(value: object) -> TypeIs[AnyTree]:
    """Whether something is taken as a tree.

    >>> is_tree(DependencyTree([(0, "Sing")])), is_tree(["Sing"])
    (True, False)
    """
    return isinstance(value, DependencyTree) or is_token_list(value)


def as_tree(source: Sentence) -> DependencyTree:
    """The sentence as a tree; words become a tree without heads, and a token list keeps its own.

    Raises:
        TypeError: it is something else, such as a word where a sentence is expected.

    >>> as_tree(["Birds", "sing"]).heads
    (None, None)
    """
    if isinstance(source, DependencyTree):
        return source
    if is_token_list(source):
        return DependencyTree.from_token_list(source)
    if isinstance(source, str | Token | Mapping) or not isinstance(source, Iterable):
        cure = "put the words of each sentence in a list of its own, or give texts to parse_texts"
        raise TypeError(f"{quoted(source)} is not a sentence: {cure}")
    return DependencyTree(Token(word) if isinstance(word, str) else word for word in source)


def sentences_of(sentences: Iterable[Sentence]) -> Iterator[DependencyTree]:
    """The sentences as trees, one by one, or a ``TypeError``.

    >>> next(sentences_of("Sing"))
    Traceback (most recent call last):
    TypeError: 'Sing' is no list of sentences: give lists of words, such as [['Birds']]
    """
    if isinstance(sentences, str) or not isinstance(sentences, Iterable):
        raise TypeError(f"{quoted(sentences)} is no list of sentences: give lists of words, such as [['Birds']]")
    yield from map(as_tree, sentences)


def trees_of(treebank: Iterable[AnyTree]) -> Iterator[DependencyTree]:
    """The trees of a treebank, one by one, or a ``TypeError``.

    >>> next(trees_of("train.conllu"))
    Traceback (most recent call last):
    TypeError: 'train.conllu' is not a treebank: give an iterable of trees, such as Treebank(path) for a file
    """
    if isinstance(treebank, str) or not isinstance(treebank, Iterable):
        raise _no_treebank(treebank)
    for tree in treebank:
        if not is_tree(tree):
            raise _no_treebank(treebank if is_tree(treebank) else tree)
        yield as_tree(tree)


def _no_treebank(found: object) -> TypeError:
    if is_tree(found):
        return TypeError(f"{quoted(found)} is one tree, and a treebank is an iterable of trees: give [tree]")
    return TypeError(f"{quoted(found)} is not a treebank: give an iterable of trees, such as Treebank(path) for a file")
