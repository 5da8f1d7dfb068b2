"""Token lists of the package conllu, which is imported when one is made."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from deptrees.trees.token import COLUMNS, Token

if TYPE_CHECKING:
    import conllu.models
    from typing_extensions import TypeIs

__all__ = ["comments_in", "is_token_list", "token_list", "tokens_in"]


def is_token_list(value: object) -> TypeIs[conllu.models.TokenList]:
    """Whether something is a token list; if the package has not been imported, it is none.

    >>> is_token_list([(0, "Sing")])
    False
    """
    models = sys.modules.get("conllu.models")
    return models is not None and isinstance(value, models.TokenList)


def tokens_in(found: conllu.models.TokenList) -> Iterator[Token]:
    """The words, multiword tokens and empty nodes of a token list, in their order.

    >>> import conllu
    >>> [token.form for token in tokens_in(conllu.TokenList([{"id": 1, "form": "Sing", "head": 0}]))]
    ['Sing']
    """
    from conllu.parser import DEFAULT_FIELDS
    from conllu.serializer import serialize_field

    for token in found:
        columns: dict[str, Any] = {COLUMNS[name]: token.get(name) for name in DEFAULT_FIELDS}
        for name, value in columns.items():
            columns[name] = value if isinstance(value, int) else serialize_field(value)
        yield Token(**{**columns, "head": None if columns["head"] == "_" else columns["head"]})


def comments_in(found: conllu.models.TokenList) -> Iterator[str]:
    """The comments of a token list, as it writes them.

    >>> import conllu
    >>> [*comments_in(conllu.TokenList([], conllu.Metadata({"sent_id": "a-1", "newdoc": None})))]
    ['# sent_id = a-1', '# newdoc']
    """
    for key, value in found.metadata.items():
        yield f"# {key} = {value}" if value else f"# {key}"


def token_list(tokens: Iterable[Token], comments: Iterable[str]) -> conllu.models.TokenList:
    """A token list of all tokens of a tree, in their order; see `DependencyTree.to_token_list`.

    >>> token_list([Token("Sing", 0, id=1)], ["# sent_id = a-1"])
    TokenList<Sing, metadata={sent_id: "a-1"}>
    """
    from conllu.models import Metadata, TokenList
    from conllu.parser import DEFAULT_FIELDS, parse_comment_line

    metadata = Metadata()
    for line in dict.fromkeys(comments):
        [(key, value)] = parse_comment_line(line) or [(line, None)]
        if key in metadata or line != f"# {key} = {value}":
            key, value = line.removeprefix("#").removeprefix(" "), None
        metadata[key] = value
    return TokenList([*map(_token, tokens)], metadata, DEFAULT_FIELDS)


def _token(token: Token) -> conllu.models.Token:
    from conllu.models import Token as TheirToken
    from conllu.parser import DEFAULT_FIELD_PARSERS, DEFAULT_FIELDS
    from conllu.serializer import serialize_field

    columns = [getattr(token, COLUMNS[name]) for name in DEFAULT_FIELDS]
    texts = ["_" if column is None else str(column) for column in columns]
    found = TheirToken()
    for number, (name, text) in enumerate(zip(DEFAULT_FIELDS, texts, strict=True)):
        parse = DEFAULT_FIELD_PARSERS.get(name)
        value: Any = text if parse is None else parse(texts, number)
        found[name] = value if serialize_field(value) == text else text
    return found
