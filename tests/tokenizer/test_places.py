"""What is looked at, compared with the same in plain Python, with texts in place of hashes."""

import re
from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deptrees.tokenizer.places import ATTRIBUTES, Certain, Decision, Places
from deptrees.tokenizer.texts import WITHIN_WORDS, Lexicon

TEXTS = st.text('aB1 .\n"(@)', min_size=1, max_size=40).filter(lambda text: not text.isspace())
EVERYWHERE = Certain(divided=tuple(product(WITHIN_WORDS, repeat=2)))
LEXICON = {"a": 1, "ab": 2, "ba b": 1, "b": 40, "bab": 8}
ROUGHLY = {1: 1, 2: 2, 8: 3, 40: 4}


OF = {"a": "lower", "B": "upper", "1": "digit", ".": "terminal", "(": "open", ")": "close"}


def kinds(text: str) -> tuple[str, ...]:
    """What the characters of a text are."""
    return tuple("space" if character.isspace() else OF.get(character, "other punctuation") for character in text)


def shape(text: str, start: int, stop: int) -> list[str]:
    """The kinds in a part of a text, without characters that have two of the same kind before them."""
    known = kinds(text)
    return [known[at] for at in range(start, stop) if at < 2 or not known[at - 2] == known[at - 1] == known[at]]


def looked_at(text: str) -> Iterator[dict[str, object]]:
    """For each place of a text its attributes."""
    bounds = [0, *(found.end(1) for found in re.finditer(r"(?=(\n[^\S\n]*)\n)", text)), len(text)]
    for begin, end in pairwise(bounds):
        own = text[begin:end]
        chunks = [(found.start(), found.end()) for found in re.finditer(r"\S+", own)]
        for at in range(1, len(own) + 1):
            if own[at - 1].isspace():
                continue
            number = next(number for number, (start, stop) in enumerate(chunks) if start < at <= stop)
            start, stop = chunks[number]
            padded = [(0, 0), *chunks, (0, 0), (0, 0)]
            around = {offset: padded[number + 1 + offset] for offset in (-1, 1, 2)}
            near = {offset: own[slice(*chunk)] for offset, chunk in around.items()}
            found: dict[str, object] = {}
            for k in range(1, 5):
                found[f"before{k}"] = own[at - k].replace("\n", " ") if at >= k else ""
                found[f"after{k}"] = own[at + k - 1].replace("\n", " ") if at + k <= len(own) else ""
                found[f"kind_before{k}"] = kinds(own[at - k]) if at >= k else ""
                found[f"kind_after{k}"] = kinds(own[at + k - 1]) if at + k <= len(own) else ""
            for k in (3, 4, 5, 6):
                found[f"ending{k}"] = own[max(0, at - k) : at].lower()
            found["beginning3"] = own[at : at + 3].lower()
            head, tail = own[start:at], own[at:stop]
            found |= {"head": head, "tail": tail, "lower_head": head.lower(), "lower_tail": tail.lower()}
            found |= {"head_kinds": kinds(head), "tail_kinds": kinds(tail)}
            found |= {"head_length": min(len(head), 12), "tail_length": min(len(tail), 12)}
            found |= {"previous": near[-1].lower(), "next": near[1].lower(), "second": near[2].lower()}
            found |= {"previous_kinds": kinds(near[-1]), "next_kinds": kinds(near[1])}
            shapes = {"head": (start, at), "tail": (at, stop), "next": around[1]}
            found |= {f"{name}_shape": tuple(shape(own, *part)) for name, part in shapes.items()}
            found["marks"] = tuple(mark in own[start:stop] for mark in "@/:._")
            found["nested"] = own[:at].count("(") > own[:at].count(")")
            found["quoted"] = own[:at].count('"') % 2
            lower = own.lower().replace("\n", "\t")
            words = [
                (i, j) for i in range(len(own)) for j in range(i + 1, i + 5) if lower[i:j] in LEXICON and j <= len(own)
            ]
            longest = {
                "before": max([(j - i, i) for i, j in words if j == at], default=None),
                "after": max([(j - i, i) for i, j in words if i == at], default=None),
                "across": max([(j - i, at - i) for i, j in words if i < at < j], default=None),
            }
            for name, word in longest.items():
                found[f"known_{name}"] = word if name == "across" else word and word[0]
            ends = {"before": [w for w in words if w[1] == at], "after": [w for w in words if w[0] == at]}
            for name, some in ends.items():
                i, j = max(some, key=lambda word: word[1] - word[0], default=(0, 0))
                found[f"often_{name}"] = ROUGHLY.get(LEXICON.get(lower[i:j], 0), 0)
            across = [ROUGHLY[LEXICON[lower[i:j]]] for i, j in words if i < at < j]
            found["often_across"] = max(across, default=0)
            yield found


@example(")(")
@example('a\n\n" "')
@given(TEXTS)
def test_hashes_are_the_same_where_texts_are(text: str) -> None:
    places = Places(text, EVERYWHERE, Lexicon(LEXICON))
    expected, hashes = list(looked_at(text)), places.attributes()
    assert len(expected) == len(hashes)
    for number, name in enumerate(ATTRIBUTES):
        values = [place[name] for place in expected]
        found = hashes[:, number].tolist()
        assert len({*values}) == len({*found}) == len({*zip(values, found, strict=True)}), name


def test_tokens_do_not_count_for_what_is_known_of_them() -> None:
    places, n = Places("abab", EVERYWHERE, Lexicon({"ab": 1, "b": 2})), ATTRIBUTES.index("known_before")
    assert places.attributes()[:, n].tolist() == [0, 2, 0, 2]
    assert places.attributes((np.array([0, 3]), np.array([2, 4])))[:, n].tolist() == [0, 1, 0, 2]
    assert places.attributes((np.array([0, 2]), np.array([2, 4])))[:, n].tolist() == [0, 1, 0, 1]


@given(TEXTS, st.lists(st.sampled_from(Decision), min_size=40, max_size=40))
def test_tokens_end_where_it_was_decided_and_before_white_space(text: str, drawn: list[Decision]) -> None:
    places = Places(text, Certain(plain=(("lower", "lower"),)))
    decisions = np.array(drawn[: len(places.where)], np.int32)
    starts, stops, is_last = (found.tolist() for found in places.tokens(decisions))
    decided = dict(zip((places.where + 1).tolist(), decisions.tolist(), strict=True))
    ends = {stop for stop, decision in decided.items() if decision != Decision.INSIDE}
    ends |= {found.start() for found in re.finditer(r"(?<=\S)(\s\s|\n|\s*$)", text)}
    ends |= {found.start() for found in re.finditer(r"(?<=a)\s(?=a)", text)}
    assert stops == sorted(ends)
    assert is_last == [decided.get(stop) == Decision.SENTENCE for stop in stops]
    assert [text[start:stop] for start, stop in zip(starts, stops, strict=True)] == [
        text[before:stop].lstrip() for before, stop in zip([0, *stops], stops, strict=False)
    ]


def test_kinds_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match=r"pairs of kinds of characters, .* not \('space', 'lower'\)"):
        Certain(divided=(("space", "lower"),))
    with pytest.raises(ValueError, match=r"pairs of kinds of characters, .* not \('small', 'lower'\)"):
        Certain(plain=(("small", "lower"),))
