"""gymnasium: parsing as an environment, in which each transition costs what the exact loss says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deptrees.extras import require

require("gymnasium", "deptrees.integrations.gymnasium needs gymnasium", "gymnasium")

import gymnasium
import numpy as np
import numpy.typing as npt

from deptrees.engine import Derivations
from deptrees.transition.hamming import HammingLoss
from deptrees.transition.oracles import cost
from deptrees.transition.systems.registry import GivenSystem, as_tree_system
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import AnyTree, DependencyTree

__all__ = ["ParsingEnv"]

_Info = dict[str, npt.NDArray[np.generic]]

_OTHERS, _NO_WORD = 3, 1
"""How many numbers there are after those of texts, and which of them is that of no word: see `Derivations.words_at`."""


class ParsingEnv(gymnasium.Env[npt.NDArray[np.int64], np.int64]):
    """A sentence that is parsed, one transition a step: an episode is a derivation.

    The reward of a transition is the negative of its cost, which is exact against any gold tree. So rewards are
    immediate, the best that can still be gained is always 0, and those of an episode add up to the heads that are wrong
    at its end and need not have been; with ``labeled=True`` to the words of which the head or the label is.

    An action is the number of a transition in ``space``. An observation has, for each column and each node, the number
    of a text in the treebank's vocabulary, as in ``Derivations.words_at``; at the end all are those of no word.
    ``info`` has arrays with an element for each action: under ``"possible"`` whether it is possible, and under
    ``"costs"`` what it costs, -1 if it is not.

    Args:
        treebank: the gold trees.
        system: the system, or its name: one with a dynamic oracle, and with a bound on the k of its transitions.
        nodes: the words that are observed, as in templates: ``"s0"``, ``"b1.left"``.
        columns: what is observed of them: ``"form"``, ``"upos"`` and so on.
        vocabularies: the texts of the numbers, such as those of the treebank that was learned from.
        labeled: whether transitions have the labels of the treebank, and costs count them: see `HammingLoss`.
        render_mode: ``"ansi"`` if ``render`` is to show the tree as text.

    Raises:
        OracleNotDefined, UnknownSystem: there is no such system, or it has no dynamic oracle.
        ValueError: nothing bounds the number of its transitions, or there is no tree.

    >>> from deptrees import DependencyTree
    >>> env = ParsingEnv([DependencyTree([(2, "Birds"), (0, "sing")])], "arc-hybrid", columns=["form"])
    >>> _, info = env.reset(seed=1)
    >>> env.space, info["possible"].tolist()
    ((LeftArc(), RightArc(), Shift()), [False, False, True])
    >>> observation, reward, ended, _, info = env.step(2)
    >>> reward, ended, info["costs"].tolist()
    (0.0, False, [0, -1, 2])
    >>> env.step(2)[1], [env.step(1)[1:3] for _ in range(2)], env.tree().heads
    (-2.0, [(0.0, False), (0.0, True)], (0, 1))
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012  as in the base class

    def __init__(
        self,
        treebank: Columns | Iterable[AnyTree],
        system: GivenSystem = "arc-hybrid",
        *,
        nodes: Sequence[str] = ("s1", "s0", "b0", "b1"),
        columns: Sequence[str] = ("upos",),
        vocabularies: Mapping[str, Sequence[str]] | None = None,
        labeled: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        numbers = treebank if isinstance(treebank, Columns) else Columns.encode([*treebank])
        system = as_tree_system(system)
        if system.has_any_k:
            raise ValueError(f"{system} has more transitions the longer the sentence, and an environment as many")
        if not len(numbers):
            raise ValueError("there is no tree to parse")
        self._sentences, self._columns = len(numbers), tuple(columns)
        self._vocabularies = vocabularies or numbers.vocabularies
        self._derivations = Derivations.open(
            numbers,
            system,
            sentences=[0],
            nodes=nodes,
            vocabularies=self._vocabularies,
            labeled=labeled,
            cost=HammingLoss(labeled=True).cost if labeled else cost,
        )
        self.space = self._derivations.space.transitions
        """The transitions, by the numbers of actions."""
        self.action_space = gymnasium.spaces.Discrete(len(self.space))
        texts = np.repeat([len(self._vocabularies[column]) for column in self._columns], len(nodes))
        self.observation_space = gymnasium.spaces.MultiDiscrete(texts + _OTHERS)
        self._nothing = texts + _NO_WORD

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int64], _Info]:
        """Begin a sentence: any, or that of the number ``options["sentence"]``."""
        super().reset(seed=seed)
        chosen = (options or {}).get("sentence")
        self._derivations.restart([int(self.np_random.integers(self._sentences)) if chosen is None else chosen])
        return self._observed()

    def step(self, action: np.int64 | int) -> tuple[npt.NDArray[np.int64], float, bool, bool, _Info]:
        """Take a transition; see the class for what is returned.

        Raises:
            IllegalTransition: it is not possible.
            ValueError: the derivation has come to its end.
        """
        if not self._derivations:
            raise ValueError("the derivation is final: reset the environment")
        paid = int(self._costs[action])
        self._derivations.take([int(action)])
        observation, info = self._observed()
        return observation, float(-paid), not self._derivations, False, info

    def _observed(self) -> tuple[npt.NDArray[np.int64], _Info]:
        """The observation and what is known besides."""
        if not self._derivations:
            self._costs = np.full(len(self.space), -1, np.int32)
            return self._nothing.copy(), self._info()
        positions, self._costs = self._derivations.positions(), self._derivations.costs()[0]
        seen = [self._derivations.words_at(column, positions)[0] for column in self._columns]
        return np.concatenate(seen).astype(np.int64), self._info()

    def _info(self) -> _Info:
        """What is known besides an observation, in arrays that nothing else changes."""
        return {"possible": self._costs >= 0, "costs": self._costs.copy()}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask of the possible actions, by the name that learners with masks ask for."""
        return self._costs >= 0

    def tree(self) -> DependencyTree:
        """The sentence with the heads found so far."""
        return self._derivations.trees()[0]

    def render(self) -> str | None:
        """The tree so far as text, if the mode is ``"ansi"``."""
        return str(self.tree()) if self.render_mode == "ansi" else None
