"""Hooks that watch and change training while it runs."""

from __future__ import annotations

from collections.abc import Callable

from deptrees.training.updates import Update
from deptrees.trees.tree import DependencyTree

__all__ = ["OnSentence", "OnUpdate"]

OnSentence = Callable[[DependencyTree], DependencyTree | None]
"""Is given each sentence before it is learned from; a tree that it returns takes the place of the sentence."""

OnUpdate = Callable[[Update], object]
"""Is given each update when it has been learned from."""
