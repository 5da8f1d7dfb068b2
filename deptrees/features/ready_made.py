"""Ready-made sets of feature templates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from deptrees.features.language import Template
from deptrees.features.sets import Templates

__all__ = ["DELEXICALIZED", "FAST", "LR_SPINES", "MORPHOLOGICAL", "TAGGED", "WITH_FEATS", "WITH_XPOS", "ZHANG_NIVRE"]


def _set(text: str, others: Iterable[Template] = ()) -> Templates:
    return Templates([*others, *text.split()])


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
    return Templates(template for template in templates if not {"form", "lemma"} & template.names)


DELEXICALIZED = _without_words(ZHANG_NIVRE)
"""The same without words: for parsing a language with what was learned from another."""

WITH_FEATS = _set(
    """
    s0.feats b0.feats s0.feats+b0.feats s0.upos+s0.feats b0.upos+b0.feats b1.upos+b1.feats
    s0.upos+s0.feats+b0.upos s0.upos+b0.upos+b0.feats s0.upos+s0.feats+b0.upos+b0.feats
    s1.upos+s1.feats+s0.upos+s0.feats b0.upos+b0.feats+b1.upos+b1.feats
    s0.left.feats+s0.upos+b0.upos s0.right.feats+s0.upos+b0.upos b0.left.feats+s0.upos+b0.upos
    """,
    ZHANG_NIVRE,
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

WITH_XPOS = _set("s0.xpos+b0.xpos s1.xpos+s0.xpos b0.xpos+b1.xpos", FAST)
"""FAST with the column XPOS: what to take where a large treebank distinguishes more parts of speech there."""

TAGGED = _set(
    """
    s0.lemma b0.lemma s1.lemma b1.lemma s0.lemma+b0.upos s0.upos+b0.lemma s0.lemma+b0.lemma s0.lemma+b0.feats
    s0.right.lemma s0.left.lemma b0.left.lemma s0.lemma+s0.right_labels b0.lemma+b0.left_labels
    distance(s0,b0)+s0.lemma
    """,
    FAST,
)
"""FAST with lemmas: what to take where a tagger fills them in."""

MORPHOLOGICAL = _set(
    """
    s0.feats.Case b0.feats.Case s0.upos+s0.feats.Case s0.feats.Case+b0.upos s0.upos+b0.feats.Case
    s0.feats.Case+b0.feats.Case s0.upos+s0.feats.Case+b0.upos s0.upos+b0.upos+b0.feats.Case s1.feats.Case+s0.feats.Case
    s0.lemma+b0.feats.Case s0.feats.Case+b0.lemma s0.feats.NumType b0.feats.NumType
    s0.feats.Number+b0.feats.Number s0.feats.Gender+b0.feats.Gender s0.feats.Person+b0.feats.Person
    s0.feats.VerbForm+b0.feats.VerbForm
    """,
    TAGGED,
)
"""TAGGED with single features of FEATS: what to take where there are few trees, or words have many forms."""


def _at(places: Mapping[str, str], templates: Iterable[Template]) -> list[str]:
    """The templates with other words in the places of s0, b0, ..."""
    return [re.sub(r"\b[sb]\d", lambda place: places[place[0]], str(template)) for template in templates]


_AROUND_AN_ARC = [
    *ZHANG_NIVRE,
    *_set("""
        b0.head.form b0.head.upos b0.deprel b0.deprel+b0.upos b0.head.head.form b0.head.head.upos b0.head.deprel
        b0.head.upos+b0.upos+s0.upos b0.upos+b0.head.upos+b0.head.head.upos
        b0.right.form b0.right.upos b0.right.deprel b0.right2.form b0.right2.upos b0.right2.deprel
        b0.upos+b0.right.upos+s0.upos b0.upos+b0.right.upos+b0.right2.upos b0.right_valency+b0.form
        b0.right_valency+b0.upos b0.form+b0.right_labels b0.upos+b0.right_labels
    """),
]
_OF_LEFT_ARCS = {"s0": "s1", "s1": "s2", "s2": "s3", "b0": "b0", "b1": "b0.beyond", "b2": "b0.beyond.beyond"}
_OF_RIGHT_ARCS = {"s0": "s0", "s1": "s0.beyond", "s2": "s0.beyond.beyond", "b0": "b1", "b1": "b2", "b2": "b3"}
LR_SPINES = Templates(
    dict.fromkeys(template for places in (_OF_LEFT_ARCS, _OF_RIGHT_ARCS) for template in _at(places, _AROUND_AN_ARC))
)
"""ZHANG_NIVRE around the two words that an arc of LR-spines would join (Sartorio 2015, section 6.2): in the context of
LeftArc(k), and in that of RightArc(k). The head's own head and its head are looked at too, and right dependents. Where
table 6.1 is misprinted, it is the grandparent and the great-grandparent of the dependent that the text asks for. With
k = 1 the contexts are the same, and are also that of Shift."""
