"""A tagger that keeps a weight for each feature and value, as text, and sums all averages up."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from operator import itemgetter
from typing import Any

import numpy as np

from deptrees import DependencyTree
from deptrees.tagger import Hyperparameters


def shape(form: str) -> str:
    def kind(c: str) -> str:
        return "X" if c.isupper() else "x" if c.islower() else "0" if c.isdigit() else "a" if c.isalpha() else c

    return re.sub(r"(.)\1+", r"\1\1", "".join(map(kind, form)), flags=re.DOTALL)


ATTRIBUTE: dict[str, Callable[[str], str]] = {
    "form": str,
    "lower": str.lower,
    **{f"suffix{n}": lambda form, n=n: form.lower()[-n:] for n in range(1, 9)},  # type: ignore[misc]
    **{f"prefix{n}": lambda form, n=n: form.lower()[:n] for n in range(1, 9)},  # type: ignore[misc]
    "shape": shape,
}

Weights = defaultdict[str, dict[str, Any]]
"""For each feature and what it has found, and each value of a tag, a number."""


def values_of(tag: str | None, column: str) -> list[str]:
    """What a tag consists of: features are independent of each other in FEATS."""
    return [tag or ""] if column != "feats" else tag.split("|") if tag else []


class PlainColumn:
    """What is known of a column, and its perceptron."""

    def __init__(self, column: str, settings: Hyperparameters, words: list[tuple[str, str | None]]) -> None:
        self.column, self.features = column, settings.features[column]  # type: ignore[index]
        self.tags = sorted({tag for _, tag in words}, key=str)
        found = {value for tag in self.tags for value in values_of(tag, column)}
        names = sorted({value.partition("=")[0] for value in found}, key=str.lower) if column == "feats" else []
        self.values = [
            sorted({next((v for v in values_of(tag, column) if v.startswith(f"{name}=")), "") for tag in self.tags})
            for name in names
        ] or [sorted(found)]
        self.weights: Weights = defaultdict(Counter)
        self.totals: Weights = defaultdict(Counter)
        self.time = 1
        self.share, self.margin = settings.known_share, np.float32(settings.margin)
        self.lower = [(form.lower(), tag) for form, tag in words]
        self.dictionary = {}
        for form in {form for form, _ in words}:
            (best, count), total = self.tags_of(form, words).most_common(1)[0], self.tags_of(form, words).total()
            if total >= settings.dictionary_count and count >= settings.dictionary_share * total:
                self.dictionary[form] = best

    @staticmethod
    def tags_of(form: str, words: list[tuple[str, str | None]]) -> Counter[str | None]:
        return Counter(tag for other, tag in words if other == form)

    def known(self, form: str, *without: str | None) -> str:
        counts = self.tags_of(form.lower(), self.lower) - Counter(without)
        often = [tag for tag, count in counts.items() if count >= self.share * counts.total()]
        return str(sorted(often, key=lambda tag: (-counts[tag], str(tag))))

    def part(
        self, text: str, tree: DependencyTree, position: int, tags: dict[str, list[str | None]], learning: bool
    ) -> str | None:
        name, _, offset = text.rstrip("]").partition("[")
        at = position + int(offset or 0)
        if not 1 <= at <= len(tree):
            return None
        if name in tags:
            return f"tag {tags[name][at - 1]}"
        if name == "known":
            return self.known(tree[at].form, *([getattr(tree[at], self.column)] if learning else []))
        return ATTRIBUTE[name](tree[at].form)

    def found(
        self, tree: DependencyTree, position: int, tags: dict[str, list[str | None]], learning: bool
    ) -> list[str]:
        parts = [re.findall(r"\w+(?:\[.\d\])?", feature) for feature in self.features]
        found = [[self.part(part, tree, position, tags, learning) for part in several] for several in parts]
        return [f"{feature}: {values}" for feature, values in zip(self.features, found, strict=True)]

    def row(self, tag: str | None) -> list[str]:
        """For each feature of tags the value that a tag has."""
        mine = values_of(tag, self.column)
        return [next((value for value in values if value in mine), "") for values in self.values]

    def scores(self, found: list[str], weights: Weights) -> dict[tuple[int, str], np.float32]:
        return {
            (number, value): sum(
                (np.float32(weights[text].get(f"{number} {value}", 0)) for text in found), np.float32(0)
            )
            for number, values in enumerate(self.values)
            for value in values
        }

    def best(self, found: list[str], weights: Weights) -> str | None:
        scores = self.scores(found, weights)
        alone = [max(values, key=lambda v, n=n: scores[n, v]) for n, values in enumerate(self.values)]  # type: ignore[misc]
        sums = {tag: sum((scores[at] for at in enumerate(self.row(tag))), np.float32(0)) for tag in self.tags}
        return next((tag for tag in self.tags if self.row(tag) == alone), max(self.tags, key=sums.__getitem__))

    def learn(self, tree: DependencyTree, tags: dict[str, list[str | None]]) -> tuple[int, int]:
        asked = wrong = 0
        for position, token in enumerate(tree, 1):
            if token.form in self.dictionary:
                tags[self.column].append(self.dictionary[token.form])
                continue
            found, gold = self.found(tree, position, tags, learning=True), getattr(token, self.column)
            tags[self.column].append(self.best(found, self.weights))
            scores = self.scores(found, self.weights)
            asked += 1
            wrong += tags[self.column][-1] != gold
            pairs = zip(self.row(gold), self.row(tags[self.column][-1]), strict=True)
            for number, (right, chosen) in enumerate(pairs):
                others = [(scores[number, value], value) for value in self.values[number] if value != right]
                highest, rival = max(others, key=itemgetter(0), default=(-np.inf, right))
                if right != chosen:
                    rival = chosen
                if right != chosen or scores[number, right] - highest < self.margin:
                    for text in found:
                        self.weights[text][f"{number} {right}"] += 1
                        self.weights[text][f"{number} {rival}"] -= 1
            self.time += 1
            for text, weights in self.weights.items():
                for value, weight in weights.items():
                    self.totals[text][value] += weight
        return asked, wrong

    def averages(self) -> Weights:
        """The mean of the weights at all times; rounded as where the changes are summed up instead."""
        found: Weights = defaultdict(dict)
        for text, weights in self.weights.items():
            for value, weight in weights.items():
                change = weight * self.time - self.totals[text][value]
                found[text][value] = np.float32(weight) - np.float32(change) / np.float32(self.time)
        return found

    def rows(self) -> list[list[float]]:
        """The averages as rows of a table."""
        names = [f"{number} {value}" for number, values in enumerate(self.values) for value in values]
        return [[float(row.get(name, 0)) for name in names] for row in self.averages().values()]


class PlainTagger:
    """Averaged perceptrons that say what they do."""

    def __init__(self, settings: Hyperparameters, trees: list[DependencyTree]) -> None:
        self.columns = [
            PlainColumn(name, settings, [(token.form, getattr(token, name)) for tree in trees for token in tree])
            for name in settings.features
        ]

    def epoch(self, trees: list[DependencyTree]) -> tuple[int, int]:
        counts = []
        for tree in trees:
            tags: dict[str, list[str | None]] = {}
            for column in self.columns:
                tags[column.column] = []
                counts.append(column.learn(tree, tags))
        asked, wrong = zip(*counts, strict=True)
        return sum(asked), sum(wrong)

    def tag(self, tree: DependencyTree) -> dict[str, list[str | None]]:
        tags: dict[str, list[str | None]] = {}
        for column in self.columns:
            mine, averages = tags.setdefault(column.column, []), column.averages()
            for position, token in enumerate(tree, 1):
                is_fixed = token.form in column.dictionary
                mine.append(
                    column.dictionary[token.form]
                    if is_fixed
                    else column.best(column.found(tree, position, tags, learning=False), averages)
                )
        return tags
