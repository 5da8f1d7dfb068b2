from pathlib import Path
from typing import Any

import pytest

from deptrees import sample_treebank
from proof import layers
from proof.layers import SYSTEMS, on_treebank, on_walks
from tests.tiers import variants_slow

SAMPLE = Path(sample_treebank("train").paths[0])


@pytest.mark.parametrize("system", variants_slow(SYSTEMS), ids=repr)
def test_the_layers_agree(system: Any) -> None:
    walked, read = on_walks(system, 2), on_treebank(system, SAMPLE, every=20)
    assert (walked.derivations, walked.findings, read.findings) == (2, (), ())
    assert walked.steps > walked.derivations
    assert read.steps > read.derivations > 1


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "cost", lambda *_: 7)
    assert "costs at " in on_walks(SYSTEMS[0], 3).findings[0]


def test_a_difference_on_a_treebank_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "dynamic_oracle", lambda *_: ())
    assert "oracle in sentence" in on_treebank(SYSTEMS[0], SAMPLE, every=20).findings[0]
