"""What breaks the rules of Universal Dependencies in a sentence, under the names that ``udvalidate`` gives them.

These are the rules that look at heads, labels and universal tags alone, in any language, and all faults of the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from deptrees.annotation.sentences import AnnotatedSentence
from deptrees.treebanks.validation import faults_in
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree

__all__ = ["Finding", "dismissed", "dismissing", "findings_in"]

_TAGS = {
    "det": {"DET", "PRON"},
    "nummod": {"NUM", "NOUN", "SYM"},
    "advmod": {"ADV", "ADJ", "CCONJ", "DET", "PART", "SYM"},
    "expl": {"PRON", "DET", "PART"},
    "aux": {"AUX"},
    "cop": {"AUX", "PRON", "DET", "SYM"},
    "punct": {"PUNCT"},
}
"""The tags that words with a label have."""
_OTHER_TAGS = {
    "case": {"PROPN", "ADJ", "PRON", "DET", "NUM", "AUX"},
    "mark": {"NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "AUX", "INTJ"},
    "cc": {"NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "VERB", "AUX", "INTJ"},
}
"""The tags that words with a label do not have."""
_TO_THE_RIGHT = {"conj", "fixed", "flat", "goeswith", "appos"}
"""The labels of words that come after their heads."""
_DISMISSED = re.compile(r"#\s*dismissed\s*=\s*(?P<word>\d+) (?P<rule>\S+): (?P<reason>.*)")


@attrs.frozen
class Finding:
    """Something that is probably wrong.

    Args:
        word: the word that it is about, 0 for the whole sentence.
        rule: the name of the rule, or ``format``.
        message: what is wrong.
        reason: why it was dismissed; ``None`` if it was not.
    """

    word: int
    rule: str
    message: str
    reason: str | None = None


def findings_in(sentence: AnnotatedSentence) -> tuple[Finding, ...]:
    r"""All that is found in a sentence, also what was dismissed, in the order of the words.

    >>> rows = "1\tA\t_\tDET\t_\t_\t2\tpunct\t_\t_", "2\tdog\t_\tNOUN\t_\t_\t0\troot\t_\t_"
    >>> [(finding.word, finding.rule) for finding in findings_in(AnnotatedSentence(rows))]
    [(1, 'rel-upos-punct')]
    """
    reasons = dismissed(sentence)
    found = [*_faults(sentence), *_roots(sentence.tree)]
    for word, token in enumerate(sentence.tree, 1):
        found += [Finding(word, *it) for it in (*_of_word(word, token), *_of_dependents(word, sentence.tree))]
    kept = [attrs.evolve(it, reason=reasons.get((it.word, it.rule))) for it in found]
    return tuple(sorted(kept, key=lambda it: it.word))


def dismissed(sentence: AnnotatedSentence) -> dict[tuple[int, str], str]:
    """Why findings were dismissed, by word and rule."""
    matches = map(_DISMISSED.fullmatch, sentence.tree.comments)
    return {(int(it["word"]), it["rule"]): it["reason"] for it in matches if it}


def dismissing(word: int, rule: str, reason: str) -> str:
    """The comment that dismisses a finding."""
    return f"# dismissed = {word} {rule}: {reason}"


def _faults(sentence: AnnotatedSentence) -> Iterator[Finding]:
    words = {index + 1: word for word, index in sentence.rows.items()}
    for fault in faults_in([*sentence.lines, ""], "<sentence>", unfinished=True):
        yield Finding(words.get(fault.line, 0), "format", fault.reason)


def _roots(tree: DependencyTree) -> Iterator[Finding]:
    if len(tree.roots) > 1:
        yield Finding(0, "multiple-roots", f"words {', '.join(map(str, tree.roots))} are all below ROOT")


def _universal(label: str | None) -> str:
    return (label or "").partition(":")[0]


def _of_word(word: int, token: Token) -> Iterator[tuple[str, str]]:
    """The rules that a word breaks by its tag, its label and where its head is."""
    label = _universal(token.label)
    if not label or token.head is None:
        return
    if (token.head == 0) != (label == "root"):
        is_below_root = token.head == 0
        yield (
            ("0-is-not-root", f"the word below ROOT has the label {token.label}")
            if is_below_root
            else ("root-is-not-0", "the label is root, and the head is a word")
        )
    if label in _TO_THE_RIGHT and word < token.head:
        yield f"right-to-left-{label}", f"a word with the label {label} comes after its head"
    features = dict(entry.partition("=")[::2] for entry in (token.feats or "").split("|"))
    tag = features.get("ExtPos") or token.upos
    if tag is None:
        return
    if (label in _TAGS and tag not in _TAGS[label]) or tag in _OTHER_TAGS.get(label, ()):
        yield f"rel-upos-{label}", f"a word with the tag {tag} does not have the label {label}"
    if tag == "PUNCT" and label not in ("punct", "root"):
        yield "upos-rel-punct", f"a punctuation mark has the label punct, not {token.label}"


def _of_dependents(word: int, tree: DependencyTree) -> Iterator[tuple[str, str]]:
    """The rules that the dependents of a word break together."""
    dependents = [(it, tree[it]) for it in tree.dependents(word)]
    subjects = [it for it, token in dependents if _is_subject(token)]
    objects = [it for it, token in dependents if _universal(token.label) == "obj"]
    for rule, several in ("too-many-subjects", subjects), ("too-many-objects", objects):
        if len(several) > 1:
            yield rule, f"words {', '.join(map(str, several))} are all {rule.rpartition('-')[2]} of it"


def _is_subject(token: Token) -> bool:
    is_outer = token.label in ("nsubj:outer", "csubj:outer") or token.misc_values.get("Subject") == "Outer"
    return _universal(token.label) in ("nsubj", "csubj") and not is_outer
