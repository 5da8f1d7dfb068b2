"""How many actions annotation takes with a parser that parses again around what is decided, by a simulated annotator.

    python benchmarks/annotation.py path/to/en_ewt-train.conllu path/to/hu_szeged-train.conllu

A parser learns from 100 trees, and others, as many as ``--sentences``, are annotated until 95 % of their words have the
right head and label. The annotator makes no errors, and sets the heads that are wrong from left to right, and then the
labels. An action sets a head, sets a label, or accepts a sentence in which all is right. There are three ways:

* correcting: all sentences are parsed once, and corrected in the order of the file;
* without parsing again: the least certain sentences come first; the parser learns anew as often as in the desk, and
  parses all that are not done yet;
* the desk: the same, and after each action the sentence is parsed again around what is decided or has been read.
"""

import random
import time
from collections.abc import Iterator
from itertools import islice

import attrs
from measuring import arguments

from deptrees import DependencyTree, Treebank
from deptrees.annotation import Accept, Action, AnnotatedSentence, Helper, SetHead, SetLabel
from deptrees.desk.work import MORE
from deptrees.treebanks.conllu import to_conllu

FIRST, GOAL = 100, 0.95


def lines(tree: DependencyTree) -> tuple[str, ...]:
    """A tree as lines, without anything but words, tags, heads and labels."""
    bare = [attrs.evolve(token, deps=None, misc=None) for token in tree]
    return tuple(to_conllu(DependencyTree(bare)).rstrip("\n").split("\n"))


@attrs.define
class Annotator:
    """One who annotates, and knows what is right.

    Args:
        first: trees to begin with.
        gold: those to be annotated.
        orders: whether the least certain come first, and the parser learns as it goes.
        again: whether sentences are parsed again around what is decided.
    """

    first: list[DependencyTree]
    gold: list[DependencyTree]
    orders: bool
    again: bool
    actions: int = 0
    accepted: int = 0
    seconds: list[float] = attrs.field(factory=list)
    begun: list[AnnotatedSentence] = attrs.field(init=False)
    sentences: list[AnnotatedSentence] = attrs.field(init=False)
    open: list[int] = attrs.field(init=False)
    sure: dict[int, tuple[float, ...]] = attrs.field(init=False)
    helper: Helper = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.begun = [AnnotatedSentence(lines(tree)) for tree in self.first]
        self.helper = Helper.of(self.begun)
        empty = [tree.reattach([None] * len(tree), [None] * len(tree)) for tree in self.gold]
        self.sentences = [AnnotatedSentence(lines(tree)) for tree in empty]
        self.open = [*range(len(self.gold))]
        self.parse()

    def parse(self) -> None:
        """Propose anew for all that is not done."""
        found = self.helper.propose([self.sentences[number] for number in self.open])
        self.sure = {number: proposal.confidence or () for number, proposal in zip(self.open, found, strict=True)}
        for number, proposal in zip(self.open, found, strict=True):
            self.sentences[number] = self.sentences[number].proposed(proposal.heads, proposal.labels)

    def wrong(self, number: int) -> list[int]:
        """The words of a sentence that are wrong."""
        rows = zip(self.sentences[number].tree, self.gold[number], strict=True)
        return [word for word, (its, gold) in enumerate(rows, 1) if (its.head, its.label) != (gold.head, gold.label)]

    @property
    def is_done(self) -> bool:
        """Whether enough words are right."""
        return sum(len(self.wrong(number)) for number in self.open) <= (1 - GOAL) * sum(map(len, self.gold))

    def run(self) -> None:
        """Annotate until enough is right."""
        learned_from = sum(map(len, self.first))
        while True:
            told = [self.sentences[number] for number in range(len(self.gold)) if number not in self.open]
            known = sum(sentence.n_decided for sentence in (*self.begun, *told))
            if self.orders and known > learned_from * (1 + MORE):
                learned_from, self.helper = known, Helper.of([*self.begun, *told])
                self.parse()
            number = min(self.open, key=self.certainty) if self.orders else self.open[0]
            for _ in self.corrections(number):
                if self.is_done:
                    return
            self.accepted += 1
            self.sentences[number] = Accept()(self.sentences[number])
            self.open.remove(number)

    def certainty(self, number: int) -> float:
        """How many of the words of a sentence are right, as the parser has it."""
        return sum(self.sure[number]) / len(self.sure[number])

    def corrections(self, number: int) -> Iterator[None]:
        """Correct a sentence, one action at a time."""
        yield None
        while wrong := self.wrong(number):
            tree, gold = self.sentences[number].tree, self.gold[number]
            word = next((word for word in wrong if tree[word].head != gold[word].head), 0)
            if word:
                self.act(number, SetHead(word, gold[word].head or 0))
            else:
                self.act(number, SetLabel(wrong[0], gold[wrong[0]].label or "_"))
            yield None

    def act(self, number: int, action: Action) -> None:
        """One action, and what follows from it."""
        self.actions += 1
        before = self.sentences[number]
        after = action(before)
        begin = time.perf_counter()
        if self.again and after.is_open:
            [proposal] = self.helper.propose([after])
            after = after.proposed(proposal.heads, proposal.labels)
            self.sure[number] = proposal.confidence or ()
        elif not self.again:  # a word that lost its head to the latest decision keeps it until it is corrected
            after = after.proposed(before.tree.heads, before.tree.labels) if self.is_tree(before, after) else after
        self.seconds.append(time.perf_counter() - begin)
        self.sentences[number] = after

    @staticmethod
    def is_tree(before: AnnotatedSentence, after: AnnotatedSentence) -> bool:
        """Whether the proposals of before can stay after an action."""
        pairs = zip(after.has_head, before.tree.heads, after.tree.heads, strict=True)
        heads = [its if known else was for known, was, its in pairs]
        try:
            before.tree.reattach(heads)
        except ValueError:
            return False
        return True


WAYS = {"correcting": (False, False), "without parsing again": (True, False), "the desk": (True, True)}


def main() -> None:
    """Annotate in all ways."""
    parser = arguments(__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--sentences", type=int, default=500, help="how many are annotated")
    parser.add_argument("--seed", type=int, default=1, help="which sentences these are")
    given = parser.parse_args()
    for path in given.files:
        trees = [tree for tree in Treebank(path) if len(tree) > 1]
        random.Random(given.seed).shuffle(trees)
        first, gold = trees[:FIRST], [*islice(trees, FIRST, FIRST + given.sentences)]
        words = sum(map(len, gold))
        print(f"{path}: {len(gold)} sentences, {words:,} words")
        for name, (orders, again) in WAYS.items():
            annotator = Annotator(first, gold, orders, again)
            share = 1 - sum(len(annotator.wrong(number)) for number in range(len(gold))) / words
            annotator.run()
            seconds = sorted(annotator.seconds)
            middle, slow = seconds[len(seconds) // 2], seconds[len(seconds) * 19 // 20]
            print(
                f"  {name}: {share:.1%} right at first, {annotator.actions:,} heads and labels set, "
                f"{annotator.accepted} sentences accepted, {annotator.actions + annotator.accepted:,} actions; "
                f"after each, {middle:.3f} s, of 95 % at most {slow:.3f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
