"""Ready-made sets of feature templates."""

from __future__ import annotations

from collections.abc import Iterable

from deptrees.features.language import Template
from deptrees.features.sets import Templates

__all__ = ["DELEXICALIZED", "FAST", "MORPHOLOGICAL", "WITH_FEATS", "ZHANG_NIVRE"]


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
    return Templates(template for template in templates if not {"form", "lemma"} & template.names)


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
