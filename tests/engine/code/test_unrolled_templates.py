"""Ready-made sets unrolled, judged by the interpreter, which runs any other set, and the functional layer."""

import pytest

from deptrees.features import Templates, ready_made
from deptrees.transition import ArcEager, ArcHybrid, ArcStandardSwap, StackBufferSystem
from tests.engine.engine import sentences, walks

EVERY_SET = pytest.mark.parametrize("templates", [getattr(ready_made, name) for name in ready_made.__all__], ids=repr)
SYSTEMS = [ArcEager(root="last"), ArcHybrid(), ArcStandardSwap()]


@EVERY_SET
@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_features_are_those_of_the_interpreter_and_of_the_functional_layer(
    system: StackBufferSystem, templates: Templates
) -> None:
    unrolled = walks(system, sentences(4, 7), 8, templates=templates)
    interpreted = walks(system, sentences(4, 7), 8, templates=Templates([*templates, "history1"]))
    for walk, other in zip(unrolled, interpreted, strict=True):
        if not walk.cfg.is_final:
            assert walk.engine.features() == other.engine.features()[:-1] == templates.hashes(walk.cfg)
