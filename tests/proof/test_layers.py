from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from deptrees import sample_treebank
from proof import layers
from proof.layers import SYSTEMS, on_treebank, on_walks
from tests.engine.engine import derivations
from tests.tiers import variants_slow

SAMPLE = Path(sample_treebank("train").paths[0])


@pytest.mark.parametrize("system", variants_slow(SYSTEMS), ids=repr)
def test_the_layers_agree(system: Any) -> None:
    walked, read = on_walks(system, 2), on_treebank(repeat(system), SAMPLE, every=20)
    assert (walked.derivations, walked.findings, read.findings) == (2, (), ())
    assert walked.steps > walked.derivations
    assert read.steps > read.derivations > 1


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "cost", lambda *_: 7)
    assert "costs at " in on_walks(SYSTEMS[0], 3).findings[0]


@pytest.mark.parametrize(
    "array", ["positions", "possible", "dependents", "costs", "features", "gold", "heads", "labels"]
)
def test_a_difference_in_one_number_of_any_array_is_found(array: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        def __init__(self, engine: Any) -> None:
            self.engine = engine

        def __getattr__(self, name: str) -> Any:
            asked = getattr(self.engine, name)
            return (lambda *of: changed(asked(*of))) if name == array else asked

        def arcs(self, root: int) -> tuple[Any, Any]:
            heads, labels = self.engine.arcs(root)
            (heads if array == "heads" else labels)[-1] -= array in ("heads", "labels")
            return heads, labels

    def changed(answer: Any) -> Any:
        answer[-1, -1] ^= 1
        return answer

    monkeypatch.setattr(layers, "derivations", lambda *of: Wrong(derivations(*of)))
    found = on_walks(SYSTEMS[0], 1)
    assert len(found.findings) == (4 if array == "gold" else 1)
    assert found.steps == 0


def test_a_difference_on_a_treebank_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "cost", lambda *_: 7)
    [finding] = on_treebank(repeat(SYSTEMS[0]), SAMPLE, every=20).findings
    assert finding.startswith("costs at ")
    assert finding.endswith(f" in {SAMPLE.name} with {SYSTEMS[0]}")
