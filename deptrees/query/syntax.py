"""The language of requests: the core of that of Grew, https://grew.fr/doc/request/."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import attrs

from deptrees.query.constraints import (
    Adjacent,
    Binary,
    Dominates,
    Edge,
    Features,
    HasDependent,
    HasHead,
    OtherFeature,
    Precedes,
    SameFeature,
    Unary,
)
from deptrees.query.nodes import Condition
from deptrees.query.search import Item
from deptrees.trees.token import canonical

__all__ = ["RequestError", "read"]

_TOKEN = re.compile(
    r"""(?P<space>(?:\s|%.*)+)
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<regex>re"(?:[^"\\]|\\.)*")
    |(?P<pcre>/(?:[^/\\\n]|\\.)+/i?)
    |(?P<name>[A-Za-z_](?:[\w'.-]*[\w'])?\$?)
    |(?P<number>[0-9]+(?:\.[0-9]+)?)
    |(?P<symbol>->>|->|-\[\^?|\]->|<<|<>|><|<=|>=|[][{}()<>=!*|:;,])""",
    re.VERBOSE | re.ASCII,
)
_WORDS = {"pattern", "with", "without", "global"}
_LABEL_PARTS = ("1", "2")
_UNSUPPORTED = {
    "global": "constraints of the whole sentence are not supported",
    ":": "names of edges are not supported",
    "><": "constraints of edges are not supported",
    "(": "length, delta and id are not supported",
    "->": "an arc without a label needs the names of both nodes",
}

_Holds = Callable[[str | None], bool]


class RequestError(ValueError):
    """A request that is not in the language, or in a part of it that is not supported; the message says where."""


@attrs.frozen
class _Token:
    kind: str
    text: str
    place: int


def read(text: str) -> tuple[Item, tuple[tuple[bool, Item], ...]]:
    """What a request asks for: of the nodes of a match, and of others that there must be, or must not be.

    Raises:
        RequestError: the request is not in the language, or in a part of it that is not supported.
    """
    return _Reader(text).request()


@attrs.define
class _Clauses:
    """What has been read of an item."""

    names: dict[str, None] = attrs.Factory(dict)
    unary: list[Unary] = attrs.Factory(list)
    binary: list[Binary] = attrs.Factory(list)

    def item(self) -> Item:
        return Item(tuple(self.names), tuple(self.unary), tuple(self.binary))


class _Reader:
    """Reads a request, a token at a time."""

    def __init__(self, text: str) -> None:
        self._text, self._place = text, 0
        self._token = self._next()

    def _fault(self, reason: str, place: int | None = None) -> RequestError:
        before = self._text[: self._token.place if place is None else place]
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        return RequestError(f"line {line}, column {column}: {reason}")

    def _next(self) -> _Token:
        while True:
            place = self._place
            if place == len(self._text):
                return _Token("end", "the end", place)
            found = _TOKEN.match(self._text, place)
            if not found:
                raise self._fault(f"unexpected {self._text[place]!r}", place)
            self._place = found.end()
            if found.lastgroup != "space":
                return _Token(found.lastgroup or "name", found[0], place)

    def _take(self) -> str:
        """The text of the token, and on to the next one."""
        text, self._token = self._token.text, self._next()
        return text

    def _takes(self, text: str) -> bool:
        """Whether the token is this symbol or word, after which comes the next one."""
        found = self._token.kind in ("symbol", "name") and self._token.text == text
        if found:
            self._take()
        return found

    def _expect(self, text: str) -> None:
        if not self._takes(text):
            raise self._fault(f"expected {text}, found {self._token.text}")

    def request(self) -> tuple[Item, tuple[tuple[bool, Item], ...]]:
        """The whole request."""
        pattern, filters = _Clauses(), []
        while self._token.kind != "end":
            word, place = self._token.text, self._token.place
            if word not in _WORDS:
                raise self._fault(f"expected pattern, with or without, found {word}")
            self._take()
            clauses = pattern if word == "pattern" else _Clauses()
            if word == "global":
                raise self._fault(_UNSUPPORTED[word], place)
            self._item(clauses)
            if word != "pattern":
                filters.append((word == "with", clauses.item()))
        return pattern.item(), tuple(filters)

    def _item(self, clauses: _Clauses) -> None:
        self._expect("{")
        while not self._takes("}"):
            self._clause(clauses)
            if not self._takes(";"):
                self._expect("}")
                return

    def _clause(self, clauses: _Clauses) -> None:
        if self._takes("*"):
            conditions = self._label()
            clauses.unary.append(HasHead(self._node(clauses), conditions))
            return
        if self._token.kind == "name" and "." in self._token.text:
            self._comparison(clauses)
            return
        name, symbol = self._node(clauses), self._token.text
        if symbol == "[":
            clauses.unary.append(Features(name, (*self._alternatives(),)))
        elif symbol in ("-[", "-[^"):
            conditions = self._label()
            if self._takes("*"):
                clauses.unary.append(HasDependent(name, conditions))
            else:
                clauses.binary.append(Edge(name, self._node(clauses), conditions))
        elif symbol in _BETWEEN:
            self._take()
            clauses.binary.append(_BETWEEN[symbol](name, self._node(clauses)))
        else:
            raise self._fault(_UNSUPPORTED.get(symbol, f"expected [, ->, -[, ->>, < or <<, found {symbol}"))

    def _node(self, clauses: _Clauses) -> str:
        """The name of a node."""
        text = self._token.text
        if self._token.kind != "name":
            raise self._fault(f"expected the name of a node, found {text}")
        if text.endswith("$"):
            raise self._fault("nodes that may be the same as others, such as X$, are not supported")
        if "." in text:
            raise self._fault(f"expected the name of a node, found {text}, which has a dot")
        clauses.names[text] = None
        return self._take()

    def _alternatives(self) -> Iterator[tuple[Condition, ...]]:
        """``[upos=VERB]|[upos=AUX]``."""
        while True:
            self._expect("[")
            conditions: list[Condition] = []
            while not self._takes("]"):
                conditions.append(self._condition())
                if not self._takes(","):
                    self._expect("]")
                    break
            yield tuple(conditions)
            if not self._takes("|"):
                return

    def _condition(self) -> Condition:
        """What is asked of a feature of a node."""
        is_undefined, name = self._takes("!"), self._token.text
        if self._token.kind != "name":
            raise self._fault(f"expected the name of a feature, found {name}")
        self._check_feature(name, self._token.place)
        self._take()
        if is_undefined:
            return Condition(name, _is_undefined)
        if self._token.text in ("=", "<>"):
            return Condition(name, self._value(self._take(), self._text_value, many=True))
        return Condition(name, _is_defined)

    def _check_feature(self, name: str, place: int) -> None:
        if name.startswith("__") or name in ("textform", "wordform"):
            raise self._fault(f"the feature {name} is not supported", place)

    def _comparison(self, clauses: _Clauses) -> None:
        """``X.lemma = Y.lemma``, or a value in the place of the second one."""
        name, feature = self._feature(clauses)
        equals = self._token.text
        if equals not in ("=", "<>"):
            raise self._fault(_UNSUPPORTED.get(equals, f"expected = or <>, found {equals}"))
        self._take()
        if self._token.kind == "name" and "." in self._token.text:
            other, its = self._feature(clauses)
            kind = SameFeature if equals == "=" else OtherFeature
            clauses.binary.append(kind(name, other, (feature, its)))
        else:
            holds = self._value(equals, self._text_value, many=False)
            clauses.unary.append(Features(name, ((Condition(feature, holds),),)))

    def _feature(self, clauses: _Clauses) -> tuple[str, str]:
        name, _, feature = self._token.text.partition(".")
        if feature in ("label", "length", "delta"):
            raise self._fault("constraints of edges are not supported")
        if not feature or "." in feature:
            raise self._fault(f"expected a node and its feature, such as X.lemma, found {self._token.text}")
        self._check_feature(feature, self._token.place)
        clauses.names[name] = None
        self._take()
        return name, feature

    def _value(self, equals: str, value: Callable[[], str], many: bool) -> _Holds:
        """What is asked of a value: to be one of some, none of them, any, or like a regular expression."""
        kind, text = self._token.kind, self._token.text
        if kind in ("regex", "pcre"):
            if equals != "=":
                raise self._fault("<> before a regular expression is not supported")
            return self._like(kind, text)
        if equals == "=" and self._takes("*"):
            return _is_defined
        values = [value()]
        while self._token.text == "|" and self._token.kind == "symbol":
            if not many:
                raise self._fault("there can be no | in a comparison: write X [lemma=a|b]")
            self._take()
            values.append(value())
        if equals == "=":
            return frozenset(values).__contains__
        return lambda found: found is not None and found not in values

    def _text_value(self) -> str:
        """A value of a feature."""
        kind, text = self._token.kind, self._token.text
        if kind not in ("name", "number", "string"):
            raise self._fault(f"expected a value, found {text}: values with other signs than letters are in quotes")
        if kind == "name" and text.endswith("$"):
            raise self._fault(f"a value with $ is in quotes: {text!r}")
        self._take()
        return canonical(re.sub(r'\\(["\\])', r"\1", text[1:-1]) if kind == "string" else text)

    def _like(self, kind: str, text: str) -> _Holds:
        """``re".*ing"`` or ``/.*ing/i``: the whole value is like it."""
        if kind == "regex" and (found := re.search(r"[\\|(){}]", text)):
            fault = f'{found[0]} in re"..." means something else than in other regular expressions: write /.../'
            raise self._fault(fault, self._token.place + found.start())
        body = text[3:-1] if kind == "regex" else text[1:].rpartition("/")[0].replace(r"\/", "/")
        try:
            pattern = re.compile(canonical(body), re.IGNORECASE if kind == "pcre" and text.endswith("i") else 0)
        except (re.error, OverflowError) as error:
            raise self._fault(f"not a regular expression: {error}") from None
        self._take()
        return lambda found: found is not None and pattern.fullmatch(found) is not None

    def _label(self) -> tuple[Condition, ...]:
        """``-[nsubj|obj]->``, ``-[^root]->``, ``-[re".*subj"]->`` or ``-[1=aux, 2=pass]->``."""
        start = self._token.text
        if start not in ("-[", "-[^"):
            raise self._fault(_UNSUPPORTED.get(start, f"expected -[, found {start}"))
        self._take()
        conditions = [self._label_condition(start == "-[^")]
        if conditions[0].feature != "label":
            while self._takes(","):
                conditions.append(self._label_part(self._takes("!")))
        self._expect("]->")
        return tuple(conditions)

    def _label_condition(self, negated: bool) -> Condition:
        is_undefined = not negated and self._takes("!")
        if is_undefined or (not negated and self._token.kind == "number"):
            return self._label_part(is_undefined)
        if negated and self._token.kind in ("regex", "pcre"):
            raise self._fault("^ before a regular expression is not supported")
        return Condition("label", self._value("<>" if negated else "=", self._label_text, many=True))

    def _label_part(self, is_undefined: bool) -> Condition:
        """What is asked of the part of a label before or after its colon."""
        name = self._token.text
        if name not in _LABEL_PARTS:
            raise self._fault(f"the parts of a label are 1 and 2, not {name}")
        self._take()
        if is_undefined:
            return Condition(name, _is_undefined)
        equals = self._token.text
        if equals not in ("=", "<>"):
            raise self._fault(f"expected = or <>, found {equals}: any value is {name}=*")
        self._take()
        return Condition(name, self._value(equals, self._label_text, many=True))

    def _label_text(self) -> str:
        """A label or a part of one, in which colons may stand."""
        if self._token.text == "E":
            raise self._fault("enhanced dependencies are not supported")
        text = self._text_value()
        while self._takes(":"):
            text += f":{self._text_value()}"
        return text


def _is_defined(value: str | None) -> bool:
    return value is not None


def _is_undefined(value: str | None) -> bool:
    return value is None


_BETWEEN: dict[str, Callable[[str, str], Binary]] = {"->": Edge, "->>": Dominates, "<": Adjacent, "<<": Precedes}
