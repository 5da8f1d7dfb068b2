"""What is found in a treebank, compared with the trees and with all projective trees."""

import json
from collections import Counter
from math import isnan
from pathlib import Path

from hypothesis import given

from deptrees import DependencyTree, Token, Treebank, all_trees, is_projective, sample_treebank, to_conllu
from deptrees.evaluation import diagnose
from tests.cli.running import run
from tests.gold_trees import trees

TRAIN, DEV = (list(sample_treebank(part)) for part in ("train", "dev"))


@given(trees(min_words=1, max_words=5, annotated=False))
def test_the_heads_that_no_projective_system_finds_are_the_fewest_that_any_projective_tree_gets_wrong(
    tree: DependencyTree,
) -> None:
    heads = [other.heads for other in all_trees(len(tree)) if is_projective(other)]
    right = max(sum(a == b for a, b in zip(tree.heads, other, strict=True)) for other in heads)
    assert diagnose([tree]).row("heads that no projective system finds")["value"] == len(tree.arcs) - right


def test_labels_seen_once_sentences_seen_twice_and_those_of_both_parts_are_counted() -> None:
    odd = DependencyTree([(0, "Alas", "vocative"), (1, "!", "vocative:once")])
    table = diagnose([*TRAIN, odd, TRAIN[0]], [*DEV, odd, TRAIN[1]])
    labels = Counter(label for tree in (*TRAIN, odd, TRAIN[0]) for label in tree.labels)
    assert table.row("labels seen once")["value"] == list(labels.values()).count(1)
    assert diagnose([odd]).row("labels seen once")["what follows"] == "hardly learned: vocative, vocative:once"
    assert table.row("sentences that are there twice")["value"] == 1 + len(TRAIN) - len({tree.words for tree in TRAIN})
    learned = {tuple(token.form for token in tree) for tree in TRAIN}
    shared = 2 + sum(tuple(token.form for token in tree) in learned for tree in DEV)
    assert table.row("sentences of dev that are in train")["value"] == shared
    assert table.row("words without HEAD")["what follows"] == ""


def test_what_is_missing_is_said_with_what_follows() -> None:
    bare = DependencyTree([Token("Birds", head=2, label="nsubj"), Token("sing", head=None, feats="Tense=Pres")])
    table = diagnose([bare])
    assert table.row("words without UPOS") == {"value": 2, "share": 1.0, "what follows": "no UPOS is predicted"}
    assert table.row("words without FEATS") == {"value": 1, "share": 0.5, "what follows": ""}
    assert table.row("words without HEAD")["value"] == 1
    assert table.row('sentences without "# text"')["what follows"] == "no tokenizer"
    assert isnan(table.row("words")["share"])


def test_the_command_that_is_shown_trains_a_parser(tmp_path: Path) -> None:
    train, dev = tmp_path / "my train.conllu", tmp_path / "dev.conllu"
    train.write_text("".join(map(to_conllu, TRAIN)) + "1\tbroken\n\n", "utf-8")
    dev.write_text("".join(map(to_conllu, DEV)), "utf-8")
    shown = run("diagnose", train, dev)
    assert f"deptrees train '{train}' --pipeline --dev {dev} --output MODEL" in shown.stdout
    assert "skipped 1 of" in shown.stderr
    assert "my train.conllu has faults, which deptrees validate lists" in " ".join(shown.stderr.split())
    rows = json.loads(run("diagnose", dev, "--json").stdout)
    assert rows["words"]["value"] == sum(map(len, Treebank(dev)))


def test_a_treebank_without_tags_is_not_for_a_pipeline_and_one_with_many_roots_needs_an_option(tmp_path: Path) -> None:
    path = tmp_path / "bare.conllu"
    path.write_text(to_conllu(DependencyTree([(0, "Birds", "root"), (0, "sing", "root")])), "utf-8")
    command = run("diagnose", path).stdout.splitlines()[-1]
    assert command == f"deptrees train {path} --no-single-root --output MODEL"
