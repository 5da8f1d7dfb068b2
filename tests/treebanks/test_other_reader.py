"""Another reader of CoNLL-U, the package conllu, reads the same trees."""

from importlib.resources import files
from pathlib import Path
from typing import Any

import conllu
import pytest

from deptrees import DependencyTree, Token, Treebank
from tests.gold_trees import every_dev_treebank

SAMPLES = [Path(str(files("deptrees.treebanks") / "data" / f"sample-{part}.conllu")) for part in ("train", "dev")]


def in_order(*columns: Any) -> tuple[Any, ...]:
    return tuple(None if column == "_" else column for column in columns)  # conllu tells the lemma _ from none


def columns(token: Token) -> tuple[Any, ...]:
    return in_order(token.form, token.lemma, token.upos, token.xpos, token.head, token.label)


def check(path: Path) -> None:
    with path.open(encoding="utf-8") as stream:
        for ours, theirs in zip(Treebank(path), conllu.parse_incr(stream), strict=True):
            words = [token for token in theirs if isinstance(token["id"], int)]
            names = ("form", "lemma", "upos", "xpos", "head", "deprel")
            assert [columns(token) for token in ours] == [in_order(*map(token.get, names)) for token in words]
            assert [token.feats for token in ours] == [written(token["feats"]) for token in words]
            assert len(ours.extra_tokens) == len(theirs) - len(words)
            assert same_comments(ours, theirs.metadata)


def written(feats: dict[str, str] | None) -> str | None:
    return None if feats is None else "|".join(f"{name}={value}" for name, value in feats.items())


def same_comments(ours: DependencyTree, theirs: dict[str, str | None]) -> bool:
    return ours.sent_id == theirs.get("sent_id") and ours.text == theirs.get("text")


@pytest.mark.parametrize("path", SAMPLES, ids=["train", "dev"])
def test_the_sample(path: Path) -> None:
    check(path)


@every_dev_treebank
def test_real_treebanks(path: Path) -> None:
    check(path)
