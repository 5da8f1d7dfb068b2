"""The search for a way to build target arcs where words swap, for type checkers; see compiled_search.pyx."""

from deptrees.transition.losses.target_arcs import TargetArcs

class CompiledSearch:
    cost: int
    def __init__(self, *, is_hybrid: bool, has_single_root: bool) -> None: ...
    def __len__(self) -> int: ...
    @property
    def looked_at(self) -> int: ...
    def contracted(self, stack: tuple[int, ...], buffer: tuple[int, ...], targets: TargetArcs) -> tuple[int, ...]: ...
    def can_be_built(
        self,
        stack: tuple[int, ...],
        buffer: tuple[int, ...],
        targets: TargetArcs,
        effort: int,
        *,
        eager: int = 0,
    ) -> bool | None: ...
