"""Requests that are not in the language, or in a part of it that is not supported."""

import pytest

from deptrees.query import Request, RequestError

SAME = [
    "pattern { V [upos=VERB, Mood=Ind|Imp]; V -[aux:pass|nsubj]-> S; S << V }",
    """
    pattern{V[upos="VERB",Mood = "Ind"|Imp,];V-[ "aux:pass" | nsubj ]->S; S<<V;}   % a comment
    """,
    "pattern { V -[nsubj|aux:pass]-> S; V [upos=VERB] } pattern { S << V; V [Mood=Imp|Ind] }",
]


@pytest.mark.parametrize("text", SAME)
def test_space_order_and_quotes_do_not_matter(text: str) -> None:
    request = Request(text)
    assert (request.names, request.edges) == (("V", "S"), (("V", "S"),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("patern { X [] }", "line 1, column 1: expected pattern, with or without, found patern"),
        ("pattern { X [] ", "line 1, column 16: expected }, found the end"),
        ("pattern {\n  X -[nsubj> Y }", "line 2, column 12: expected ]->, found >"),
        ("pattern { X -> }", "line 1, column 16: expected the name of a node, found }"),
        ("pattern { X [upos=] }", "line 1, column 19: expected a value, found ]"),
        ("pattern { X [upos=PRP$] }", "line 1, column 19: a value with $ is in quotes"),
        ("pattern { X [form=être] }", "line 1, column 19: unexpected 'ê'"),
        ("pattern { X [lemma=/(/] }", "line 1, column 20: not a regular expression"),
        ("pattern { X.lemma = a|b }", "line 1, column 22: there can be no | in a comparison"),
        ('pattern { X [lemma=re"a|b"] }', "line 1, column 24: | in re"),
        ("global { is_projective }", "line 1, column 1: constraints of the whole sentence are not supported"),
        ("pattern { e: X -> Y }", "line 1, column 12: names of edges are not supported"),
        ("pattern { X$ -> Y }", "line 1, column 11: nodes that may be the same as others"),
        ("pattern { X -[1=nsubj, deep=a]-> Y }", "line 1, column 24: the parts of a label are 1 and 2, not deep"),
        ("pattern { X -[E:nsubj]-> Y }", "line 1, column 15: enhanced dependencies are not supported"),
        ("pattern { X [textform=a] }", "line 1, column 14: the feature textform is not supported"),
        ("pattern { X.__id__ < Y.__id__ }", "line 1, column 11: the feature __id__ is not supported"),
        ("pattern { delta(X, Y) = 2 }", "line 1, column 16: length, delta and id are not supported"),
        ("pattern { e.label = f.label }", "line 1, column 11: constraints of edges are not supported"),
        ('pattern { X -[^re"a"]-> Y }', "line 1, column 16: ^ before a regular expression is not supported"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, message: str) -> None:
    with pytest.raises(RequestError) as raised:
        Request(text)
    assert str(raised.value).startswith(message)


def test_a_request_is_a_text() -> None:
    with pytest.raises(TypeError, match="request is a text"):
        Request(3)  # type: ignore[arg-type]
