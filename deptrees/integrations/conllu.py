"""The package conllu: trees as its token lists."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

if find_spec("conllu") is None:
    raise ImportError("deptrees.integrations.conllu needs the package conllu: pip install 'deptrees[conllu]'")

from conllu.models import Metadata, Token, TokenList
from conllu.parser import DEFAULT_FIELD_PARSERS, DEFAULT_FIELDS, parse_comment_line
from conllu.serializer import serialize_field

from deptrees.treebanks.conllu import from_conllu, to_conllu
from deptrees.trees.tree import DependencyTree

__all__ = ["from_token_list", "to_token_list"]


def to_token_list(tree: DependencyTree) -> TokenList:
    """A tree as a token list, as ``conllu.parse`` reads it, but without loss.

    Where that reading would lose something, such as the second ``=`` of a value in MISC, the column is the text as it
    is. A comment that has no key of its own is a key without a value; one that is there twice is there once.

    Raises:
        ValueError: CoNLL-U cannot say it; see `deptrees.to_conllu`.

    >>> token_list = to_token_list(DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")], ["# sent_id = a-1"]))
    >>> token_list, token_list[0]["head"], token_list.metadata
    (TokenList<Birds, sing, metadata={sent_id: "a-1"}>, 2, {'sent_id': 'a-1'})
    """
    lines = to_conllu(tree).removesuffix("\n\n").split("\n")
    metadata = Metadata()
    for line in dict.fromkeys(tree.comments):
        [(key, value)] = parse_comment_line(line) or [(line, None)]
        if key in metadata or line != f"# {key} = {value}":
            key, value = line.removeprefix("#").removeprefix(" "), None
        metadata[key] = value
    return TokenList([_token(line.split("\t")) for line in lines[len(tree.comments) :]], metadata, DEFAULT_FIELDS)


def _token(columns: list[str]) -> Token:
    token = Token()
    for number, (field, text) in enumerate(zip(DEFAULT_FIELDS, columns, strict=True)):
        parse = DEFAULT_FIELD_PARSERS.get(field)
        value: Any = text if parse is None else parse(columns, number)
        token[field] = value if serialize_field(value) == text else text
    return token


def from_token_list(token_list: TokenList) -> DependencyTree:
    """The tree of a token list.

    Raises:
        ConlluError: what it says is not a tree in CoNLL-U.

    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
    >>> from_token_list(to_token_list(tree)) == tree
    True
    """
    return from_conllu(token_list.serialize())
