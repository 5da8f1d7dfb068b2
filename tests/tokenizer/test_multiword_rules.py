"""How tokens are divided into words, compared with a search through all that was counted."""

from collections import Counter
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from deptrees.tokenizer.multiword_rules import Division, MultiwordRules, division

FORMS = st.text("abA'", min_size=1, max_size=6)


@st.composite
def tokens(draw: st.DrawFn) -> tuple[str, tuple[str, ...]]:
    """A token that is one word, or some, which may be parts of it."""
    form = draw(FORMS)
    cuts = sorted(draw(st.sets(st.integers(1, max(1, len(form) - 1)), max_size=2)))
    if draw(st.integers(0, 5)) == 0:
        return form, ("x", "y")
    bounds = [0, *(cut for cut in cuts if cut < len(form)), len(form)]
    return form, tuple(form[start:stop] for start, stop in pairwise(bounds))


@given(tokens())
def test_a_division_makes_the_words_again(token: tuple[str, tuple[str, ...]]) -> None:
    form, words = token
    found = division(form, words).apply(form)
    assert found is not None
    assert [word.lower() for word in found] == [*words] if words == ("x", "y") else found == words


def searched(counted: list[tuple[str, tuple[str, ...]]], form: str) -> set[tuple[str, ...]]:
    """The words of a token by the most specific tokens that it is like; all that are equally frequent there."""
    weighed = Counter({(one, division(one, words)): count for (one, words), count in Counter(counted).items()})
    lower = form.lower()
    kinds = [
        {one: count for one, count in weighed.items() if one[0] == form != lower},
        {one: count for one, count in weighed.items() if one[0].lower() == lower},
        *(
            {one: 1 for one in weighed if not one[1].words and one[0].lower().endswith(lower[len(lower) - length :])}
            for length in range(min(6, len(lower)), -1, -1)
        ),
    ]
    for kind in kinds:
        votes: Counter[Division] = Counter()
        for (_, divided), count in kind.items():
            votes[divided] += count
        most = [divided for divided, count in votes.items() if count == max(votes.values())]
        found = {words for divided in most if (words := divided.apply(form))}
        if found and len(found) == len(most):
            return found
        if found:
            return {*found, *searched_without(counted, form)}
    return {(form,)}


def searched_without(counted: list[tuple[str, tuple[str, ...]]], form: str) -> set[tuple[str, ...]]:
    """All that any token would make of it: where a tie may be broken either way."""
    return {words for one, parts in counted if (words := division(one, parts).apply(form))} | {(form,)}


@given(st.lists(tokens(), min_size=1, max_size=12), FORMS)
@example([("A", ("x", "y")), ("a", ("a",))], "a")  # tokens in small letters count for one clue, whatever their case
def test_the_most_specific_clue_decides(counted: list[tuple[str, tuple[str, ...]]], form: str) -> None:
    assert MultiwordRules.count(counted).words(form) in searched(counted, form)


def test_large_letters_are_kept() -> None:
    divisions = MultiwordRules.count(
        [("du", ["de", "le"]), ("don't", ["do", "n't"]), ("dog", ["dog"]), ("xx", ["y", "y"])]
    )
    assert divisions.words("XX") == ("Y", "Y")
    forms = ["DU", "Du", "du", "DON'T", "Mustn't", "dog"]
    assert [divisions.words(form) for form in forms] == [
        ("DE", "LE"), ("De", "le"), ("de", "le"), ("DO", "N'T"), ("Must", "n't"), ("dog",)
    ]  # fmt: skip
