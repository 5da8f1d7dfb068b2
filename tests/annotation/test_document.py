"""Documents: whatever is done, the file is valid, all else in it stays as it is, and undoing it leaves every byte."""

import random
from typing import Any

import pytest

from deptrees import sample_treebank
from deptrees.annotation import (
    Accept,
    Action,
    ActionError,
    AnnotatedSentence,
    Dismiss,
    Document,
    Helper,
    Join,
    Reopen,
    SetColumn,
    SetHead,
    SetLabel,
    Split,
)
from deptrees.parser import Parser
from deptrees.treebanks.conllu import ConlluError, to_conllu
from deptrees.treebanks.validation import faults_in
from tests.annotation.sentences import without_arcs

TREES = [*sample_treebank("dev")]
TEXT = "\n" + "".join(map(to_conllu, [*TREES[:4], *map(without_arcs, TREES[4:8])])).replace("_\n", "Other=1|X\n", 9)
OURS = {6, 7, 9}
"""The columns that an arc and its state are in."""


def any_action(sentence: AnnotatedSentence, chance: random.Random) -> Action:
    n = len(sentence.tree)
    word, other = chance.randint(1, n), chance.randint(0, n)
    form = sentence.tree[word].form
    splits = [("a", "b"), (form[:1], form[1:])] if len(form) > 1 else [("a", "b", "c")]
    kinds: list[Action] = [
        *[SetHead(word, other)] * 4,
        SetLabel(word, "obj"),
        Accept(()),
        Accept((word,)),
        Reopen((word,)),
        SetColumn(word, "upos", chance.choice(["NOUN", "VERB"])),
        Dismiss(word, "rel-upos-det", f"because {chance.random()}"),
        Split(word, chance.choice(splits)),
        Join(word),
    ]
    return chance.choice(kinds)


@pytest.mark.parametrize("helps", [False, True])
def test_whatever_is_done_the_file_is_valid_and_undoing_it_leaves_every_byte(helps: bool, parser: Parser) -> None:
    chance = random.Random(5)
    helped: Any = Helper(parser).helped if helps else lambda sentence: sentence
    document, texts = Document.read(TEXT), list[str]()
    refused = 0
    while len(texts) < (40 if helps else 150):
        number = chance.randrange(len(document.sentences))
        action = any_action(document.sentences[number], chance)
        before = document.text
        try:
            document = document.act(number, action, helped)
        except ActionError:
            refused += 1
            assert document.text == before
            continue
        texts.append(before)
        faults = [*faults_in(document.text.splitlines(), "a document", unfinished=True)]
        assert [fault.line for fault in faults] == [1], faults  # the blank line at the top
        assert Document.read(document.text).sentences == document.sentences
    assert refused
    for text in reversed(texts):
        document = document.undo()
        assert document.text == text
    assert document.text == TEXT
    with pytest.raises(ActionError, match="nothing to undo"):
        document.undo()


def test_other_columns_comments_and_sentences_stay_as_they_are(parser: Parser) -> None:
    document, helper = Document.read(TEXT), Helper(parser)
    after = document.act(5, SetHead(1, 0), helper.helped).act(5, SetLabel(1, "root"), helper.helped)
    pairs = [*zip(document.text.split("\n"), after.text.split("\n"), strict=True)]
    changed = [(one.split("\t"), other.split("\t")) for one, other in pairs if one != other]
    assert len(changed) == len(document.sentences[5].tree)
    for one, other in changed:
        assert {place for place in range(10) if one[place] != other[place]} <= OURS
        assert one[9] in (other[9].replace("Proposed=Arc", "_"), other[9].replace("|Proposed=Arc", ""))


def test_what_is_proposed_is_told_from_what_is_decided_and_survives_in_the_file(parser: Parser) -> None:
    document = Document.read(TEXT).act(4, SetHead(2, 1), Helper(parser).helped)
    found = Document.read(document.text).sentences[4]
    assert [found.has_head[1], found.has_label[1], sum(found.has_head)] == [True, False, 1]
    assert None not in found.tree.heads
    assert found.known.heads == (None, 1, *[None] * (len(found.tree) - 2))
    everything = document.act(4, Accept()).sentences[4]
    assert "Proposed" not in "".join(everything.lines)
    assert everything.known == everything.tree


@pytest.mark.parametrize(
    ("text", "line"), [("", 1), ("1\tGo\t_\n", 1), ("\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\r\n\n", 2), ("#\n# x\n\n", 1)]
)
def test_what_is_not_valid_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(ConlluError) as raised:
        Document.read(text, "a.conllu")
    assert (raised.value.file, raised.value.line) == ("a.conllu", line)


@pytest.mark.parametrize(
    "action",
    [
        *(SetHead(1, 1), SetHead(1, 99), SetHead(99, 1), SetHead(0, 1), SetLabel(1, "a b"), SetLabel(99, "obj")),
        *(SetColumn(1, "form", "x"), SetColumn(1, "upos", "A\tB"), Dismiss(1, "rel-upos-det", " "), Accept((99,))),
        *(Split(1, ("a",)), Split(1, ("a", "")), Split(99, ("a", "b")), Join(99), Join(0), Accept(())),
    ],
)
def test_what_cannot_be_done_is_refused(action: Action) -> None:
    with pytest.raises(ActionError):
        Document.read(TEXT).act(0, action)


def test_a_label_needs_a_head() -> None:
    with pytest.raises(ActionError, match="no head yet"):
        Document.read(TEXT).act(5, SetLabel(1, "obj"))
