"""Two layers, one meaning: the functional layer and the arrays of the engine, side by side.

    python -m proof.layers                              # 20 random walks with each system
    python -m proof.layers --walks 16000                # a million with all systems
    python -m proof.layers --treebanks --every 1        # all sentences of the treebanks, with each system
    python -m proof.layers --walks 1000 --systems ArcEager Attardi

A random walk goes through a random tree of up to 12 words, annotated in full or in part, in any direction or towards
the gold tree: stack, buffer, arcs, labels, possible transitions, what each costs, the oracles and the features are
compared. In treebanks, which are looked for where tests look for them, derivations lead off the path now and then:
possible transitions, what the oracle names, labels and, of each tenth step, features are compared.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from deptrees import Columns, DependencyTree
from deptrees.engine import batches
from deptrees.engine.system_code import compile_system
from deptrees.engine.trainer import is_compiled
from deptrees.features import FAST
from deptrees.transition import cost, dynamic_oracle, static_oracle
from deptrees.transition.configuration import typed
from deptrees.transition.systems.registry import REGISTRY
from proof.names import one_of
from tests.engine.engine import DEPTH, LABELS, TEMPLATES, Walk, sentences, walks
from tests.gold_trees import TREEBANK_FILES
from tests.transition.configurations import SEARCHED

__all__ = ["SYSTEMS", "Agreement", "main", "on_treebank", "on_walks"]

SYSTEMS: list[Any] = [
    system for registered in REGISTRY.values() for system in registered.variants if is_compiled(system, dynamic_oracle)
]
"""Every system that the engine runs, with all of its options."""
_AT_ONCE = 50


@attrs.frozen
class Agreement:
    """What came of comparing the layers.

    Args:
        system: the system.
        derivations: how many derivations were compared.
        steps: how many steps they had.
        findings: where the layers differ.
    """

    system: str
    derivations: int
    steps: int
    findings: tuple[str, ...]


def on_walks(system: Any, count: int, seed: int = 1) -> Agreement:
    """Compare the layers on so many random walks, a half of which go towards the gold tree nine times of ten."""
    derivations, steps = 0, 0
    findings: list[str] = []
    while derivations < count and len(findings) < 10:
        number = seed * 1_000_003 + derivations
        trees = sentences(min(_AT_ONCE, count - derivations), number, 6 if system in SEARCHED else 12)
        derivations += len(trees)
        for walk in walks(system, trees, number, random.Random(number).choice([1.0, 0.1])):
            steps += 1
            if found := difference(walk):
                findings.append(f"{found} at {walk.cfg} of {walk.tree!r}")
    return Agreement(repr(system), derivations, steps, tuple(findings))


def difference(walk: Walk) -> str:
    """In what the layers differ; nothing if they do not."""
    engine, cfg = walk.engine, walk.cfg
    if engine.is_final or cfg.is_final:
        return "" if engine.is_final == cfg.is_final else "the end"
    costs = {row: cost(walk.rows[row], cfg, walk.tree) for row in engine.costs()}
    pairs: dict[str, tuple[object, object]] = {
        "stack": (engine.stack, cfg.stack[-DEPTH:]),
        "buffer": (engine.buffer, cfg.buffer[:DEPTH]),
        "possible transitions": (engine.possible(), walk.bits(cfg.possible_transitions())),
        "heads": (tuple(None if head < 0 else head for head in engine.heads), cfg.heads),
        "labels": (tuple(None if label < 0 else LABELS[label] for label in engine.labels), cfg.labels),
        "costs": (engine.costs(), costs),
        "features": (engine.features(), TEMPLATES.hashes(cfg)),
    }
    for name in ("static", "static_prefer_shift", "nondeterministic", "dynamic"):
        if (oracle := getattr(cfg.system.oracles, name)) is not None and (name != "static" or _on_path(costs)):
            pairs[f"{name} oracle"] = engine.gold(name), walk.bits(oracle(cfg, walk.tree, typed))
    return ", ".join(name for name, (ours, theirs) in pairs.items() if ours != theirs)


def _on_path(costs: dict[int, int]) -> bool:
    return 0 in costs.values()


def on_treebank(system: Any, path: Path, every: int, seed: int = 1) -> Agreement:
    """Compare the layers on each so-manieth sentence of a treebank."""
    columns = _read(path)
    columns = columns.take(np.arange(seed % every, len(columns), every))
    searched = system in SEARCHED
    found = batches(
        columns,
        system,
        FAST,
        oracle="static" if searched else "dynamic",
        exploration=0.0 if searched else 0.1,
        seed=seed,
    )
    rows = (row for batch in found for row in _rows(batch))
    space, findings, steps, derivations = compile_system(system).transitions, list[str](), 0, 0
    oracle, labels = static_oracle if searched else dynamic_oracle, columns.vocabularies["deprel"]
    last, tree, cfg = -1, DependencyTree([]), None
    for gold, possible, taken, label, sentence, step, features in rows:
        if sentence != last:
            last, tree = sentence, columns.tree(sentence)
            cfg, derivations = system.initial(tree), derivations + 1
        assert cfg is not None
        steps += 1
        transitions = cfg.possible_transitions()
        named = oracle(cfg, tree, typed) if searched else oracle(cfg, tree)
        pairs = [
            ("possible transitions", [space[row] for row in np.flatnonzero(possible)], [*transitions]),
            ("oracle", [space[row] for row in np.flatnonzero(gold)], _bare(named)),
        ]
        if step % 10 == 0:
            pairs.append(("features", features.tolist(), FAST.hashes(cfg)))
        if differing := [name for name, ours, theirs in pairs if ours != theirs]:
            findings.append(f"{', '.join(differing)} in sentence {sentence} of {path.name}, step {step}")
        transition: Any = space[taken]
        if cfg.dependent(transition) is not None:
            transition = type(transition)(labels[label] if label >= 0 else None, k=transition.k)
        cfg = transition(cfg)
    return Agreement(repr(system), derivations, steps, tuple(findings[:10]))


@cache
def _read(path: Path) -> Columns:
    return Columns.read(path)


def _rows(batch: Any) -> Iterator[tuple[Any, ...]]:
    columns = (batch.gold, batch.possible, batch.taken.tolist(), batch.labels.tolist(), batch.sentence.tolist())
    return zip(*columns, batch.step.tolist(), batch.features, strict=True)


def _bare(named: Any) -> list[Any]:
    """The transitions that an oracle names, without labels."""
    transitions = named if isinstance(named, tuple) else (named,)
    return [type(one)(k=one.k) if hasattr(one, "k") else one for one in transitions]


def main(arguments: list[str] | None = None) -> int:
    """Compare what the command line names; how many differences there were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--walks", type=int, default=20, help="how many random walks with each system")
    parser.add_argument("--treebanks", action="store_true", help="compare on the treebanks instead")
    parser.add_argument("--every", type=int, default=100, help="each so-manieth sentence of them")
    names = dict.fromkeys(type(system).__name__ for system in SYSTEMS)
    parser.add_argument("--systems", nargs="*", type=one_of(names), help="the names of systems; all, if there are none")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    found = 0
    for system in SYSTEMS:
        if given.systems and type(system).__name__ not in given.systems:
            continue
        begin = time.monotonic()
        if given.treebanks:
            done = [on_treebank(system, path, given.every, given.seed) for path in TREEBANK_FILES]
        else:
            done = [on_walks(system, given.walks, given.seed)]
        derivations, steps = (sum(getattr(one, name) for one in done) for name in ("derivations", "steps"))
        findings = [finding for one in done for finding in one.findings]
        print(f"{system}: {derivations:,} derivations, {steps:,} steps, {time.monotonic() - begin:.0f} s", flush=True)
        for finding in findings[:10]:
            print(f"    {finding}", flush=True)
        found += len(findings)
    return found


if __name__ == "__main__":
    sys.exit(bool(main()))
