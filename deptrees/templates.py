"""Feature templates: what a linear model looks at, in a small language.

A template is one or more parts joined by ``+``. A part names a word and what is looked at in it, as in ``s0.form`` or
``s0.left.deprel``:

=================== ==================================================================================================
a word              ``s0``, ``s1``, ... (the stack, its top first), ``b0``, ``b1``, ... (the buffer, its front first);
                    in systems without them, what stands to the left and right of the place where they work
from there on       ``.head``; ``.left``, ``.right`` (the outermost dependent on that side), ``.left2``, ``.right2``
                    (the next one)
then one of         ``.form``, ``.lemma``, ``.upos``, ``.xpos``, ``.feats``, ``.feats.Case`` (or any other feature);
                    ``.cluster`` (what the set's ``clusters`` say of the form); ``.deprel`` (the label of its arc so
                    far); ``.left_valency``, ``.right_valency`` (how many dependents it has on that side so far),
                    ``.left_labels``, ``.right_labels`` (their labels, in any order)
other parts         ``distance(s0,b0)`` (from one word to the other, at most 10); ``history1``, ``history2``, ... (the
                    last transition, the one before it, ..., up to 4)
=================== ==================================================================================================

A feature is a template with the values found; a model sees it as a number of 64 bits that depends on nothing else, so
that models outlive the process and the treebank they were made with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import TypeVar, Union

import attrs

from deptrees.token import Token
from deptrees.transition.configuration import Configuration
from deptrees.transition.transitions import ArcTransition, Transition

__all__ = [
    "CLUSTER",
    "COLUMNS",
    "DELEXICALIZED",
    "FAST",
    "LONGEST_HISTORY",
    "MISSING",
    "MORPHOLOGICAL",
    "NOTHING",
    "RELATIONS",
    "ROOT_VALUE",
    "STATES",
    "WITH_FEATS",
    "ZHANG_NIVRE",
    "Attribute",
    "Distance",
    "History",
    "Node",
    "Part",
    "Template",
    "TemplateError",
    "Templates",
    "View",
    "cluster_value",
    "column_value",
    "feature_value",
    "known_of",
    "number_hash",
    "text_hash",
]

COLUMNS = ("form", "lemma", "upos", "xpos", "feats")
"""What a word has before parsing."""
CLUSTER = "cluster"
"""What clusters of forms add to the columns."""
STATES = ("deprel", "left_valency", "right_valency", "left_labels", "right_labels")
"""What parsing gives it."""
_DEPENDENTS = {"left": 0, "right": -1, "left2": 1, "right2": -2}
"""Where they stand among all dependents of a word."""
RELATIONS = ("head", *_DEPENDENTS)
LONGEST_HISTORY = 4

NOTHING = None
"""The value of everything where there is no word."""
MISSING = "_"
"""The value of a column in which a word has nothing, and of the label of a word that has none."""
ROOT_VALUE = "ROOT"
"""The value of ROOT's columns and label."""

Value = Union[str, int, tuple[str, ...], None]  # noqa: UP007  Python 3.10 cannot write a type with None otherwise

_Known = TypeVar("_Known")
_PLACE = re.compile(r"([sb])(\d+)")
_LONGEST_DISTANCE = 10
_ALL_BITS = (1 << 64) - 1


class TemplateError(ValueError):
    """A feature template is not one; the message names the part and says what may stand there."""


@attrs.frozen
class Node:
    """A word, by the way to it.

    Args:
        side: ``"s"`` for the stack, ``"b"`` for the buffer.
        index: how far from the top or the front.
        path: the relations to follow from there.

    >>> Node.read("s0.left.head").path
    ('left', 'head')
    """

    side: str
    index: int
    path: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> Node:
        """The word that a text describes.

        Raises:
            TemplateError: it describes none.
        """
        return _node(text.split("."), text)

    def __str__(self) -> str:
        return ".".join([f"{self.side}{self.index}", *self.path])


@attrs.frozen
class Attribute:
    """What is looked at in a word: a column, a feature of the column FEATS, or what parsing gave it."""

    node: Node
    name: str

    def __str__(self) -> str:
        return f"{self.node}.{self.name}"


@attrs.frozen
class Distance:
    """How far the second word stands behind the first."""

    start: Node
    end: Node

    def __str__(self) -> str:
        return f"distance({self.start},{self.end})"


@attrs.frozen
class History:
    """The transition taken so many steps ago, counted from 1."""

    steps: int

    def __str__(self) -> str:
        return f"history{self.steps}"


Part = Attribute | Distance | History


@attrs.frozen
class Template:
    """A feature template: parts whose values make one feature together.

    Args:
        parts: the parts.

    >>> str(Template.read(" s0.left.deprel + distance(s0, b0)"))
    's0.left.deprel+distance(s0,b0)'
    >>> Template.read("s0.left.size")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    deptrees.templates.TemplateError: 'size' in the template 's0.left.size': here may stand head, left, right, ...
    """

    parts: tuple[Part, ...]

    @classmethod
    def read(cls, text: str) -> Template:
        """The template that a text describes.

        Raises:
            TemplateError: it describes none.
        """
        bare = re.sub(r"\s", "", text)
        return cls(tuple([_part(part, text) for part in bare.split("+")]))

    def __str__(self) -> str:
        return "+".join(map(str, self.parts))


def _part(part: str, template: str) -> Part:
    if match := re.fullmatch(r"history(\d+)", part):
        if not 1 <= int(match[1]) <= LONGEST_HISTORY:
            raise _error(part, template, f"history1 to history{LONGEST_HISTORY}")
        return History(int(match[1]))
    if match := re.fullmatch(r"distance\((.*?)(?:,(.*))?\)", part):
        ends = [_node(name.split("."), template) for name in match.groups() if name]
        if len(ends) != 2:
            raise _error(part, template, "two words, as in distance(s0,b0)")
        return Distance(*ends)
    names = part.split(".")
    if "feats" in names and len(names) - names.index("feats") == 2:
        names[-2:] = [".".join(names[-2:])]
    *way, name = names
    if not way:
        raise _error(part, template, "a word and what is looked at in it, as in s0.form, or distance(s0,b0), history1")
    node = _node(way, template)
    if name not in (*COLUMNS, CLUSTER, *STATES) and not re.fullmatch(r"feats\.[^.]+", name):
        raise _error(name, template, ", ".join([*RELATIONS, *COLUMNS, "feats.Case", CLUSTER, *STATES]))
    return Attribute(node, name)


def _node(names: Sequence[str], template: str) -> Node:
    place, *path = names
    match = _PLACE.fullmatch(place)
    if match is None:
        raise _error(place, template, "s0, s1, ..., b0, b1, ...")
    for name in path:
        if name not in RELATIONS:
            raise _error(name, template, ", ".join(RELATIONS))
    return Node(match[1], int(match[2]), tuple(path))


def _error(part: str, template: str, allowed: str) -> TemplateError:
    return TemplateError(f"{part!r} in the template {template!r}: here may stand {allowed}")


def _read_all(templates: Iterable[Template | str]) -> tuple[Template, ...]:
    return tuple([Template.read(template) if isinstance(template, str) else template for template in templates])


def _copy(clusters: Mapping[str, str]) -> dict[str, str]:
    return dict(clusters)


def _name(part: Part) -> str | None:
    return part.name if isinstance(part, Attribute) else None


def _twin(template: Template) -> Template:
    """The template with clusters in the place of forms."""
    return Template(
        tuple(
            Attribute(part.node, CLUSTER) if isinstance(part, Attribute) and part.name == "form" else part
            for part in template.parts
        )
    )


@attrs.frozen
class Templates:
    """A set of feature templates.

    Args:
        templates: the templates; texts are read.
        clusters: the cluster of each form, for templates that look at clusters. A form is looked up as it is written,
            and if it is not there, in lower case.

    Raises:
        TemplateError: a text is not a template, or one looks at clusters and there are none.
        TypeError: a form or a cluster is not a text.

    >>> from deptrees.transition import ArcEager
    >>> templates = Templates(["s0.form+b0.form", "b0.left_valency", "b2.form"])
    >>> templates.values(ArcEager().initial(["Birds", "sing"]))
    [('ROOT', 'Birds'), (0,), (None,)]
    >>> Templates(["b0.cluster", "b1.cluster"], {"birds": "7"}).values(ArcEager().initial(["Birds", "sing"]))
    [('7',), ('_',)]
    """

    templates: tuple[Template, ...] = attrs.field(converter=_read_all)
    clusters: Mapping[str, str] = attrs.field(
        factory=dict,
        converter=_copy,
        hash=False,
        repr=False,
        validator=attrs.validators.deep_mapping(attrs.validators.instance_of(str), attrs.validators.instance_of(str)),
    )

    def __attrs_post_init__(self) -> None:
        asking = [str(template) for template in self.templates if CLUSTER in map(_name, template.parts)]
        if asking and not self.clusters:
            raise TemplateError(f"the template {asking[0]!r} looks at clusters, and there are none: give some")

    def with_clusters(self, clusters: Mapping[str, str]) -> Templates:
        """The same templates, and for each that looks at forms its twin, which looks at clusters in their place.

        So Koo, Carreras & Collins 2008 (section 3.2) use the clusters of Brown et al. 1992.
        `deptrees.embeddings.clusters` makes some from embeddings, as Guo et al. 2014 do. Any others will do too.

        Args:
            clusters: the cluster of each form.

        >>> [str(template) for template in Templates(["s0.form+b0.upos", "b0.upos"]).with_clusters({"birds": "7"})]
        ['s0.form+b0.upos', 'b0.upos', 's0.cluster+b0.upos']
        """
        return Templates(dict.fromkeys([*self, *map(_twin, self)]), clusters)

    def values(self, cfg: Configuration, history: Sequence[Transition] = (), *, k: int = 1) -> list[tuple[Value, ...]]:
        """The values of each template in a configuration.

        Args:
            cfg: the configuration, of any system: s0, s1, ... and b0, b1, ... are its ``neighbours``.
            history: the transitions that led to it, as far as the templates ask for them.
            k: from where to look: the place where transitions with this k work, if that depends on k.
        """
        view = View(cfg, history, k, self.clusters)
        return [tuple([view(part) for part in template.parts]) for template in self.templates]

    def hashes(self, cfg: Configuration, history: Sequence[Transition] = (), *, k: int = 1) -> list[int]:
        """The features of a configuration, each as a number of 64 bits; see ``values``."""
        features = []
        for template, values in zip(self.templates, self.values(cfg, history, k=k), strict=True):
            feature = text_hash(str(template))
            for value in values:
                feature = (feature ^ value_hash(value)) * 0x9E3779B97F4A7C15 & _ALL_BITS
                feature ^= feature >> 29
            features.append(feature)
        return features

    def __len__(self) -> int:
        return len(self.templates)

    def __iter__(self) -> Iterator[Template]:
        return iter(self.templates)


class View:
    """What templates see of one configuration.

    Args:
        cfg: the configuration.
        history: the transitions that led to it.
        k: from where to look; see ``Templates.values``.
        clusters: the cluster of each form.

    >>> from deptrees.transition import ArcHybrid, LeftArc, Shift
    >>> view = View(LeftArc("nsubj")(Shift()(ArcHybrid().initial(["Birds", "sing"]))))
    >>> view.position(Node.read("b0.left")), view.position(Node.read("b0.right"))
    (1, -1)
    >>> view.attribute(1, "deprel")
    'nsubj'
    """

    def __init__(
        self,
        cfg: Configuration,
        history: Sequence[Transition] = (),
        k: int = 1,
        clusters: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._sides = dict(zip("sb", cfg.neighbours(k), strict=True))
        self._history = history
        self._cfg = cfg
        self._clusters = clusters

    def __call__(self, part: Part) -> Value:
        """The value of a part of a template."""
        if isinstance(part, History):
            return _transition_value(self._history[-part.steps]) if part.steps <= len(self._history) else NOTHING
        if isinstance(part, Distance):
            start, end = self.position(part.start), self.position(part.end)
            if start < 0 or end < 0:
                return NOTHING
            return max(-_LONGEST_DISTANCE, min(_LONGEST_DISTANCE, end - start))
        return self.attribute(self.position(part.node), part.name)

    def position(self, node: Node) -> int:
        """The position of a word in the sentence, 0 for ROOT, -1 if there is none."""
        elements = self._sides[node.side]
        position = elements[node.index] if node.index < len(elements) else -1
        for relation in node.path:
            position = self._related(position, relation)
        return position

    def attribute(self, position: int, name: str) -> Value:
        """The value of an attribute of the word at a position."""
        if position < 0:
            return NOTHING
        if name.startswith(("left_", "right_")):
            side, what = name.split("_")
            dependents = self._dependents(position, side)
            if what == "valency":
                return len(dependents)
            return tuple(sorted(self._labels[word - 1] or MISSING for word in dependents))
        if position == 0:
            return ROOT_VALUE
        if name == "deprel":
            return self._labels[position - 1] or MISSING
        word = self._cfg.tokens[position - 1]
        return cluster_value(word.form, self._clusters) if name == CLUSTER else column_value(word, name)

    def _related(self, position: int, relation: str) -> int:
        if position < 0:
            return -1
        if relation == "head":
            head = self._heads[position - 1] if position else None
            return -1 if head is None else head
        dependents, index = self._all_dependents[position], _DEPENDENTS[relation]
        if max(index, ~index) >= len(dependents):
            return -1
        dependent = dependents[index]
        return dependent if (dependent < position) == (index >= 0) else -1

    def _dependents(self, position: int, side: str) -> list[int]:
        return [word for word in self._all_dependents[position] if (word < position) == (side == "left")]

    @cached_property
    def _heads(self) -> tuple[int | None, ...]:
        return self._cfg.heads

    @cached_property
    def _labels(self) -> tuple[str | None, ...]:
        return self._cfg.labels

    @cached_property
    def _all_dependents(self) -> list[list[int]]:
        dependents: list[list[int]] = [[] for _ in range(len(self._heads) + 1)]
        for word, head in enumerate(self._heads, 1):
            if head is not None:
                dependents[head].append(word)
        return dependents


def column_value(word: Token, name: str) -> str:
    """What a word has in a column, or as a feature in the column FEATS.

    >>> column_value(Token("dogs", feats="Case=Nom|Number=Plur"), "feats.Number")
    'Plur'
    """
    if name.startswith("feats."):
        return feature_value(word.feats or MISSING, name.removeprefix("feats."))
    value: str | None = getattr(word, name)
    return MISSING if value is None else value


def cluster_value(form: str, clusters: Mapping[str, str]) -> str:
    """The cluster of a form."""
    return known_of(form, clusters) or MISSING


def known_of(form: str, known: Mapping[str, _Known]) -> _Known | None:
    """What is known of a form as it is written, or, if there is nothing, of the form in lower case.

    >>> known_of("Birds", {"birds": 1, "Birds": 2}), known_of("BIRDS", {"birds": 1}), known_of("Sing", {})
    (2, 1, None)
    """
    found = known.get(form)
    return known.get(form.lower()) if found is None else found


@lru_cache(maxsize=1 << 14)
def feature_value(feats: str, name: str) -> str:
    """What the column FEATS says of one feature."""
    for feature in feats.split("|"):
        key, equals, value = feature.partition("=")
        if key == name and equals:
            return value
    return MISSING


def _transition_value(transition: Transition) -> tuple[str, ...]:
    if not isinstance(transition, ArcTransition):
        return (repr(transition),)
    bare = repr(type(transition)(k=transition.k))
    return (bare,) if transition.label is None else (bare, transition.label)


# Numbers for values


@lru_cache(maxsize=1 << 16)
def text_hash(text: str | None) -> int:
    """A number of 64 bits for a text, or for nothing: the same in every process and on every machine."""
    encoded = b"\0" if text is None else text.encode(errors="surrogatepass")
    return int.from_bytes(blake2b(encoded, digest_size=8).digest(), "little")


def number_hash(number: int) -> int:
    """A number of 64 bits for a small number."""
    return _mixed((number + 0x9E3779B9) & _ALL_BITS)


def value_hash(value: Value) -> int:
    """A number of 64 bits for any value."""
    if isinstance(value, int):
        return number_hash(value)
    if isinstance(value, tuple):
        return sum(_mixed(text_hash(text)) for text in value) & _ALL_BITS
    return text_hash(value)


def _mixed(value: int) -> int:
    """The finalizer of SplitMix64 (Steele, Lea & Flood 2014): every bit depends on every bit."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & _ALL_BITS
    value = (value ^ value >> 27) * 0x94D049BB133111EB & _ALL_BITS
    return value ^ value >> 31


# Ready-made sets


def _set(text: str) -> Templates:
    return Templates(text.split())


ZHANG_NIVRE = _set("""
    s0.form s0.upos s0.form+s0.upos
    s1.form s1.upos s1.form+s1.upos
    s2.upos
    b0.form b0.upos b0.form+b0.upos
    b1.form b1.upos b1.form+b1.upos
    b2.form b2.upos
    s0.form+s0.upos+b0.form+b0.upos s0.form+s0.upos+b0.form s0.form+b0.form+b0.upos s0.form+s0.upos+b0.upos
    s0.upos+b0.form+b0.upos s0.form+b0.form s0.upos+b0.upos
    b0.upos+b1.upos s1.upos+s0.upos s1.upos+s0.form s1.form+s0.upos s1.form+s0.form s1.upos+b0.upos
    b0.upos+b1.upos+b2.upos s0.upos+b0.upos+b1.upos s1.upos+s0.upos+b0.upos s2.upos+s1.upos+s0.upos
    s0.head.upos+s0.upos+b0.upos s0.upos+s0.left.upos+b0.upos s0.upos+s0.right.upos+b0.upos
    s0.upos+b0.upos+b0.left.upos s1.upos+s0.upos+s0.left.upos s1.upos+s0.upos+s0.right.upos
    s1.upos+s1.left.upos+s0.upos s1.upos+s1.right.upos+s0.upos s1.left.deprel+s1.right.deprel
    distance(s0,b0)+s0.form distance(s0,b0)+s0.upos distance(s0,b0)+b0.form distance(s0,b0)+b0.upos
    distance(s0,b0)+s0.form+b0.form distance(s0,b0)+s0.upos+b0.upos
    s0.right_valency+s0.form s0.right_valency+s0.upos s0.left_valency+s0.form s0.left_valency+s0.upos
    b0.left_valency+b0.form b0.left_valency+b0.upos
    s0.head.form s0.head.upos s0.deprel s0.deprel+s0.upos s1.deprel
    s0.left.form s0.left.upos s0.left.deprel s0.right.form s0.right.upos s0.right.deprel
    b0.left.form b0.left.upos b0.left.deprel
    s0.head.head.form s0.head.head.upos s0.head.deprel
    s0.left2.form s0.left2.upos s0.left2.deprel s0.right2.form s0.right2.upos s0.right2.deprel
    b0.left2.form b0.left2.upos b0.left2.deprel
    s0.upos+s0.left.upos+s0.left2.upos s0.upos+s0.right.upos+s0.right2.upos s0.upos+s0.head.upos+s0.head.head.upos
    b0.upos+b0.left.upos+b0.left2.upos
    s0.form+s0.right_labels s0.upos+s0.right_labels s0.form+s0.left_labels s0.upos+s0.left_labels
    b0.form+b0.left_labels b0.upos+b0.left_labels
""")
"""The features of Zhang & Nivre 2011, and their like for the second element of the stack."""


def _without_words(templates: Iterable[Template]) -> Templates:
    return Templates(template for template in templates if not {"form", "lemma"} & set(map(_name, template.parts)))


DELEXICALIZED = _without_words(ZHANG_NIVRE)
"""The same without words: for parsing a language with what was learnt from another."""

WITH_FEATS = Templates(
    [
        *ZHANG_NIVRE,
        *_set("""
            s0.feats b0.feats s0.feats+b0.feats s0.upos+s0.feats b0.upos+b0.feats b1.upos+b1.feats
            s0.upos+s0.feats+b0.upos s0.upos+b0.upos+b0.feats s0.upos+s0.feats+b0.upos+b0.feats
            s1.upos+s1.feats+s0.upos+s0.feats b0.upos+b0.feats+b1.upos+b1.feats
            s0.left.feats+s0.upos+b0.upos s0.right.feats+s0.upos+b0.upos b0.left.feats+s0.upos+b0.upos
        """),
    ]
)
"""ZHANG_NIVRE with the column FEATS: what to take where words have morphological features."""

FAST = _set("""
    s0.form s0.upos s1.form+s1.upos b0.upos b0.form+b0.upos b1.form b1.upos b1.form+b1.upos b2.upos
    s0.form+s0.upos+b0.upos s0.upos+b0.form+b0.upos s1.upos+s0.form s1.upos+b0.upos b0.upos+b1.upos
    b0.upos+b1.upos+b2.upos s0.upos+b0.upos+b1.upos s1.upos+s0.upos+b0.upos
    s0.head.upos+s0.upos+b0.upos s0.upos+s0.left.upos+b0.upos s0.upos+b0.upos+b0.left.upos
    s1.upos+s0.upos+s0.left.upos s1.upos+s0.upos+s0.right.upos b0.upos+b0.left.upos+b0.left2.upos
    distance(s0,b0)+s0.form distance(s0,b0)+b0.form distance(s0,b0)+b0.upos b0.left_valency+b0.upos
    s0.deprel s0.left.form s0.left.deprel s0.right.form s0.left2.upos s0.left2.deprel s0.right2.upos
    b0.left.form b0.left.upos b0.left.deprel b0.left2.form b0.left2.upos b0.left2.deprel
    s0.form+s0.right_labels s0.upos+s0.left_labels b0.form+b0.left_labels b0.upos+b0.left_labels
    s0.feats b0.feats s0.feats+b0.feats s0.upos+s0.feats b0.upos+b0.feats b1.upos+b1.feats
    s0.upos+s0.feats+b0.upos b0.upos+b0.feats+b1.upos+b1.feats b0.left.feats+s0.upos+b0.upos
""")
"""Half of WITH_FEATS, and nearly twice as fast: what is left after leaving out, again and again, the templates without
which English is parsed best. It is as accurate there, and on other languages about as accurate."""

MORPHOLOGICAL = Templates(
    [
        *ZHANG_NIVRE,
        *_set("""
            s0.lemma b0.lemma s0.lemma+b0.lemma s0.feats b0.feats s1.feats s0.feats+b0.feats s1.feats+s0.feats
            s0.upos+s0.feats.Case s0.feats.Case+b0.upos s0.upos+b0.feats.Case s0.feats.Case+b0.feats.Case
            s1.feats.Case+s0.feats.Case s0.feats.Number+b0.feats.Number s0.feats.Gender+b0.feats.Gender
            s0.feats.Person+b0.feats.Person s0.feats.VerbForm+b0.feats.VerbForm
        """),
    ]
)
"""ZHANG_NIVRE with lemmas and morphology."""
