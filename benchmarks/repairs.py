r"""What parsers do that learn from exact costs or from spaCy's oracle, in `SpacyArcEager`: how often they repair.

    python benchmarks/repairs.py path/to/treebanks hu_szeged

Everything is as in ``shipped_in_training.py``; spaCy's oracle is the shipped one. A third way to learn has the exact
costs, too, and of what costs nothing it takes no detour where there is another way: neither Reduce that puts a word
back, nor an arc that is not gold, nor Shift of a word that has a gold arc with one on the stack.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from measuring import arguments
from shipped_in_training import BITS, SYSTEMS, Setting, shipped

from deptrees import DependencyTree
from deptrees.engine.stepwise.trainer import StepwiseTrainer
from deptrees.search import BeamSearch
from deptrees.training import LinearOptions
from deptrees.transition import (
    ExplorationPolicy,
    LeftArc,
    Reduce,
    Shift,
    SpacyArcEagerConfiguration,
    Transition,
    dynamic_oracle,
)
from deptrees.transition.labels import Label

SYSTEM = "SpacyArcEager"


def without_detours(cfg: SpacyArcEagerConfiguration, tree: DependencyTree, label: Label) -> tuple[Transition, ...]:
    """Of the transitions that cost nothing those that are no detours; all if there are no others."""
    free = dynamic_oracle(cfg, tree, label)
    return tuple([transition for transition in free if not _is_detour(cfg, tree, transition)]) or free


def _is_detour(cfg: SpacyArcEagerConfiguration, tree: DependencyTree, transition: Transition) -> bool:
    if isinstance(transition, Shift):
        b0 = cfg.buffer[0]
        return any(tree.has_arc(b0, word) or tree.has_arc(word, b0) for word in cfg.stack)
    arc = cfg.added(transition)
    return (arc is not None and not tree.has_arc(*arc)) or _repairs(cfg, transition) == "words put back"


def _repairs(cfg: SpacyArcEagerConfiguration, transition: Transition) -> str | None:
    """What a transition undoes."""
    if isinstance(transition, Reduce) and cfg.goes_back:
        return "words put back"
    if isinstance(transition, LeftArc) and cfg.heads[cfg.stack[-1] - 1] is not None:
        return "heads replaced"
    return None


EXPLORING = {"policy": ExplorationPolicy(k=1, p=0.9)}
"""As the others: with an oracle of one's own, training does not explore by itself."""

WAYS: dict[str, dict[str, Any]] = {
    "shipped, not explored": shipped(SYSTEM) | {"policy": None},
    "shipped": shipped(SYSTEM),
    "exact, without detours": {"oracle": without_detours} | EXPLORING,
    "exact": {"oracle": "dynamic"},
}


def report(treebank: str, folder: Path, seed: int, way: str) -> None:
    """One line for a parser: what it does with a word of the test data, and its LAS."""
    train, test = [
        Setting(treebank, SYSTEM, 1.0).sentences(folder / f"{treebank}-{part}.conllu", count)
        for part, count in (("train", 200), ("test", 300))
    ]
    options = LinearOptions.chosen(system=SYSTEMS[SYSTEM], epochs=3, seed=seed, on_error="aggressive", **WAYS[way])
    trainer = StepwiseTrainer(train, options, bits=BITS)
    for _ in range(3):
        trainer.epoch()
    found = [*map(BeamSearch(trainer.model().ranking, 1).best, test)]
    steps = [step for hypothesis in found for step in hypothesis.derivation()]
    counts, words = Counter(_repairs(*step) for step in steps), sum(map(len, test))
    right = sum(
        parsed.head == gold.head and parsed.label == gold.label
        for tree, hypothesis in zip(test, found, strict=True)
        for gold, parsed in zip(tree, hypothesis.tree(), strict=True)
    )
    cells = [f"{len(steps) / words:.2f}", *[f"{counts[each] / words:.3f}" for each in REPAIRS], f"{right / words:.2%}"]
    print(f"{treebank:12}{seed:>5}  {way:24}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


REPAIRS = "words put back", "heads replaced"

if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--seeds", type=int, default=2)
    given = parser.parse_args()
    print(f"{'':43}" + "".join(f"{name:>16}" for name in ("steps a word", *REPAIRS, "LAS")))
    for treebank in given.treebanks:
        for seed in range(1, given.seeds + 1):
            for way in WAYS:
                report(treebank, given.folder, seed, way)
