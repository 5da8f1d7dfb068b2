"""A tagger that keeps a weight for each feature, as text, and sums all averages up."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
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
    **{f"suffix{n}": lambda form, n=n: form.lower()[-n:] for n in range(1, 5)},  # type: ignore[misc]
    **{f"prefix{n}": lambda form, n=n: form.lower()[:n] for n in range(1, 5)},  # type: ignore[misc]
    "shape": shape,
}


Weights = defaultdict[str, dict[str, Any]]
"""For each feature and value, and each tag, a number."""


class PlainTagger:
    """An averaged perceptron that says what it does."""

    def __init__(self, settings: Hyperparameters, trees: list[DependencyTree]) -> None:
        self.features = settings.features
        self.tags = sorted({token.upos or "" for tree in trees for token in tree})
        self.weights: Weights = defaultdict(Counter)
        self.totals: Weights = defaultdict(Counter)
        self.time = 1
        words = [(token.form, token.upos or "") for tree in trees for token in tree]
        self.dictionary, self.known = {}, {}
        for form in {form for form, _ in words}:
            (best, count), total = self.tags_of(form, words).most_common(1)[0], self.tags_of(form, words).total()
            if total >= settings.dictionary_count and count >= settings.dictionary_share * total:
                self.dictionary[form] = best
        words = [(form.lower(), tag) for form, tag in words]
        for form in {form for form, _ in words}:
            counts = self.tags_of(form, words)
            if counts.total() >= settings.known_count:
                least = settings.known_share * counts.total()
                self.known[form] = str([tag for tag, count in counts.most_common() if count >= least])

    @staticmethod
    def tags_of(form: str, words: list[tuple[str, str]]) -> Counter[str]:
        return Counter(tag for other, tag in words if other == form)

    def part(self, text: str, tree: DependencyTree, position: int, tags: list[str]) -> str | None:
        name, _, offset = text.rstrip("]").partition("[")
        at = position + int(offset or 0)
        if not 1 <= at <= len(tree):
            return None
        if name == "tag":
            return tags[at - 1]
        form = tree[at].form
        return self.known.get(form.lower(), "[]") if name == "known" else ATTRIBUTE[name](form)

    def values(self, tree: DependencyTree, position: int, tags: list[str]) -> list[str]:
        parts = [re.findall(r"\w+(?:\[.\d\])?", feature) for feature in self.features]
        found = [[self.part(part, tree, position, tags) for part in several] for several in parts]
        return [f"{feature}: {values}" for feature, values in zip(self.features, found, strict=True)]

    def best(self, values: list[str], weights: Weights) -> str:
        scores = {
            tag: sum((np.float32(weights[value].get(tag, 0)) for value in values), np.float32(0)) for tag in self.tags
        }
        return max(self.tags, key=scores.__getitem__)

    def epoch(self, trees: list[DependencyTree]) -> tuple[int, int]:
        asked = wrong = 0
        for tree in trees:
            tags: list[str] = []
            for position, token in enumerate(tree, 1):
                if token.form in self.dictionary:
                    tags.append(self.dictionary[token.form])
                    continue
                values = self.values(tree, position, tags)
                tags.append(self.best(values, self.weights))
                asked += 1
                if tags[-1] != token.upos:
                    wrong += 1
                    for value in values:
                        self.weights[value][token.upos or ""] += 1
                        self.weights[value][tags[-1]] -= 1
                self.time += 1
                for value, weights in self.weights.items():
                    for tag, weight in weights.items():
                        self.totals[value][tag] += weight
        return asked, wrong

    def averages(self) -> Weights:
        """The mean of the weights at all times; rounded as where the changes are summed up instead."""
        found: Weights = defaultdict(dict)
        for value, weights in self.weights.items():
            for tag, weight in weights.items():
                change = weight * self.time - self.totals[value][tag]
                found[value][tag] = np.float32(weight) - np.float32(change) / np.float32(self.time)
        return found

    def tag(self, tree: DependencyTree) -> list[str]:
        averages = self.averages()
        tags: list[str] = []
        for position, token in enumerate(tree, 1):
            known = self.dictionary.get(token.form)
            tags.append(known or self.best(self.values(tree, position, tags), averages))
        return tags
