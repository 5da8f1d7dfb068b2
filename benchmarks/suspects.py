"""Whether errors are among the suspects: errors that are planted, and those that maintainers corrected.

    python benchmarks/suspects.py planted path/to/hu_szeged-dev.conllu path/to/en_ewt-dev.conllu
    python benchmarks/suspects.py corrected path/to/en_ewt-dev-2.12.conllu path/to/en_ewt-dev.conllu

Planted errors are none of those that the suspects learn from: labels are confused by a list of what annotators confuse,
and heads are moved to the head of the right one or to the word beside it, unless that is punctuation.
"""

import random
from collections import Counter
from collections.abc import Iterable

from measuring import arguments

from deptrees import DependencyTree, Treebank, TreeError
from deptrees.evaluation import Table
from deptrees.suspects import suspects

CONFUSED = """
    nmod-obl nmod-appos nmod-compound nmod-nummod nmod-amod amod-compound amod-advmod obl-obj obl-advmod obj-nsubj
    obj-iobj nsubj-expl nsubj-dislocated ccomp-xcomp ccomp-advcl xcomp-advcl xcomp-obl acl-advcl acl-amod conj-parataxis
    conj-list conj-appos advmod-discourse advmod-cc mark-case mark-advmod det-nmod det-amod aux-cop flat-compound
    flat-appos parataxis-discourse vocative-discourse root-parataxis csubj-ccomp
"""
"""Universal labels that annotators confuse."""

Word = tuple[int, int]
"""The numbers of a sentence and of a word in it, from 1."""


def confusions(labels: Counter[str]) -> dict[str, list[str]]:
    """What each label of a treebank can be confused with; of each universal label, the most frequent subtype."""
    usual: dict[str, str] = {}
    for label, _ in labels.most_common():
        usual.setdefault(label.partition(":")[0], label)
    pairs = [pair.split("-") for pair in CONFUSED.split()]
    others: dict[str, list[str]] = {}
    for one, other in [*pairs, *([other, one] for one, other in pairs)]:
        others.setdefault(one, []).extend([usual[other]] if other in usual else [])
    return {label: others.get(label.partition(":")[0], []) for label in labels}


def with_errors(trees: list[DependencyTree], share: float, seed: int) -> tuple[list[DependencyTree], set[Word]]:
    """The trees with errors in some words, half of them in heads and half in labels, and which words these are."""
    chance, found, planted = random.Random(seed), [*trees], set[Word]()
    confused = confusions(Counter(label for tree in trees for label in tree.labels if label))
    words = [(number, word) for number, tree in enumerate(trees, 1) for word in range(1, len(tree) + 1)]
    chance.shuffle(words)
    for number, word in words:
        if len(planted) >= share * len(words):
            break
        tree = found[number - 1]
        heads, labels = [*tree.heads], [*tree.labels]
        if len(planted) % 2:
            others = confused.get(labels[word - 1] or "", [])
            if not others:
                continue
            labels[word - 1] = chance.choice(others)
        elif head := heads[word - 1]:
            near = [it for it in (heads[head - 1], head - 1, head + 1) if it and it != word and it <= len(tree)]
            near = [it for it in near if labels[it - 1] != "punct"]
            if not near:
                continue
            heads[word - 1] = chance.choice(near)
        else:
            continue
        try:
            found[number - 1] = tree.reattach(heads, labels)
        except TreeError:
            continue
        planted.add((number, word))
    return found, planted


def ranked(trees: Iterable[DependencyTree]) -> tuple[list[Word], Table]:
    """The words of a treebank, the most suspect ones first."""
    table = suspects(trees)
    return [*zip(table["sentence"], table["word"], strict=True)], table  # type: ignore[list-item]


def of_planted(path: str, share: float, seeds: int) -> None:
    """How many of planted errors are found by those who read some of the words."""
    trees = [*Treebank(path)]
    for seed in range(1, seeds + 1):
        found, planted = with_errors(trees, share, seed)
        words, _ = ranked(found)
        first = (planted & {*words[: round(read * len(words))]} for read in (0.02, 0.05, 0.1, 0.2))
        print(f"{path}, seed {seed}: {len(planted)} errors in {len(words)} words;", end=" ")
        print("read 2, 5, 10, 20 %: " + ", ".join(f"{len(it) / len(planted):.1%}" for it in first), flush=True)


def of_corrected(before: str, after: str) -> None:
    """How many of the first suspects were changed in a later release."""
    old, new = [*Treebank(before)], {tuple(it.form for it in tree): tree for tree in Treebank(after)}
    later = {number: new.get(tuple(it.form for it in tree)) for number, tree in enumerate(old, 1)}
    changed = {
        (number, word)
        for number, tree in enumerate(old, 1)
        if (other := later[number]) is not None
        for word, pair in enumerate(zip(zip(tree.heads, tree.labels), zip(other.heads, other.labels)), 1)  # noqa: B905
        if pair[0] != pair[1]
    }
    words, table = ranked(old)
    is_mark = [label == "punct" for label in table["label"]]
    by = {
        "all": words,
        "no punctuation": [word for word, mark in zip(words, is_mark, strict=True) if not mark],
        "punctuation": [word for word, mark in zip(words, is_mark, strict=True) if mark],
    }
    for name, its in by.items():
        known = [word for word in its if later[word[0]] is not None]
        shares = [sum(word in changed for word in known[:n]) / n for n in (100, 300, 1000, len(known))]
        print(f"{name}: changed of the first 100, 300, 1000 and all: " + ", ".join(f"{it:.1%}" for it in shares))


def main() -> None:
    """Measure what is asked for."""
    parser = arguments(__doc__)
    parser.add_argument("what", choices=["planted", "corrected"])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--share", type=float, default=0.02, help="of words with a planted error")
    parser.add_argument("--seeds", type=int, default=1)
    given = parser.parse_args()
    if given.what == "corrected":
        of_corrected(*given.files)
    else:
        for path in given.files:
            of_planted(path, given.share, given.seeds)


if __name__ == "__main__":
    main()
