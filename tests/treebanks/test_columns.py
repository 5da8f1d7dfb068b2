"""Treebanks as numbers."""

import pickle
from collections.abc import Callable
from pathlib import Path
from unicodedata import is_normalized, normalize

import numpy as np
import pytest

from deptrees import DependencyTree, Treebank, is_projective, sample_treebank
from deptrees.engine import batches
from deptrees.transition import ArcHybrid
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.hashes import text_hash
from tests.engine.engine import sentences, train

TRAIN = list(sample_treebank("train"))


def test_columns_keep_what_parsing_needs(tmp_path: Path) -> None:
    trees = sentences(20, 11)
    columns = Columns.encode(trees)
    columns.save(tmp_path)
    for kept in (columns, Columns.load(tmp_path)):
        assert len(kept) == len(trees)
        assert [kept.tree(number) for number in range(len(kept))] == trees
        assert kept.projective.tolist() == [is_projective(tree) for tree in trees]


def test_other_heads_of_the_same_words_have_another_fingerprint() -> None:
    heads = (2, 0), (0, 1)
    trees = [DependencyTree([(first, "Birds", "dep"), (second, "sing", "dep")]) for first, second in heads]
    one, other = (Columns.encode([tree]) for tree in trees)
    assert one.vocabularies == other.vocabularies
    assert one.fingerprint() != other.fingerprint()


def test_columns_that_are_found_when_asked_for_can_be_kept(tmp_path: Path) -> None:
    found = Columns.encode(sample_treebank("dev"))
    found.save(tmp_path)
    assert Columns.load(tmp_path).fingerprint() == found.fingerprint()
    twin = pickle.loads(pickle.dumps(found))
    assert twin.vocabularies == found.vocabularies == Columns.encode(list(sample_treebank("dev"))).vocabularies
    assert [twin.tree(number) for number in range(len(twin))] == [found.tree(number) for number in range(len(found))]
    with pytest.raises(KeyError, match="deps"):
        found.words["deps"]


@pytest.mark.parametrize("number", [-(1 << 31), -7, -2, 6, 29, (1 << 31) - 1])
@pytest.mark.parametrize("name", ["offsets", "heads", "labels", "form", "upos"])
def test_damaged_treebanks_are_refused(name: str, number: int, tmp_path: Path) -> None:
    Columns.encode([DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root"), (2, ".", "punct")])]).save(tmp_path)
    array = np.load(tmp_path / f"{name}.npy")
    array[1] = number
    np.save(tmp_path / f"{name}.npy", array)
    with pytest.raises(ValueError, match=f"{tmp_path} is a damaged treebank, save it again: "):
        Columns.load(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: np.save(folder / "heads.npy", np.array([2, 1], np.int32)),
        lambda folder: np.save(folder / "heads.npy", np.array([2, 0], np.int64)),
        lambda folder: np.save(folder / "heads.npy", np.array([2], np.int32)),
        lambda folder: np.save(folder / "more.npy", np.array([2], np.int32)),
        lambda folder: (folder / "heads.npy").unlink(),
        lambda folder: (folder / "heads.npy").write_bytes((folder / "heads.npy").read_bytes()[:-1]),
        lambda folder: (folder / "vocabularies.json").write_text("[]"),
        lambda folder: (folder / "vocabularies.json").write_text('{"form": "Birds sing"}'),
        lambda folder: (folder / "vocabularies.json").write_text("{}"),
    ],
)
def test_treebanks_with_other_files_are_refused(change: Callable[[Path], object], tmp_path: Path) -> None:
    Columns.encode([DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])]).save(tmp_path)
    change(tmp_path)
    with pytest.raises(ValueError, match=f"{tmp_path} is a damaged treebank, save it again: "):
        Columns.load(tmp_path)


def test_a_cycle_is_found_in_any_sentence(tmp_path: Path) -> None:
    Columns.encode([DependencyTree([(2, "Birds"), (0, "sing")])] * 2).save(tmp_path)
    np.save(tmp_path / "heads.npy", np.array([2, 0, 2, 1], np.int32))
    with pytest.raises(ValueError, match="heads go round in a cycle"):
        Columns.load(tmp_path)


def test_sentences_are_taken_in_any_order() -> None:
    trees = sentences(4, 13)
    taken = Columns.encode(trees).take(np.array([3, 0, 2]))
    assert [taken.tree(number) for number in range(3)] == [trees[3], trees[0], trees[2]]


def test_subsamples_have_some_of_the_heads_with_their_labels() -> None:
    columns = Columns.encode(sentences(40, 12))
    part = columns.subsample(0.3, np.random.default_rng(1))
    kept = part.heads >= 0
    assert 0.2 < kept.sum() / (columns.heads >= 0).sum() < 0.4
    assert (part.heads[kept] == columns.heads[kept]).all()
    assert (part.labels[kept] == columns.labels[kept]).all()
    assert (columns.subsample(0.3, np.random.default_rng(2)).heads != part.heads).any()
    assert all(is_projective(part.tree(number)) for number in np.flatnonzero(part.projective).tolist())


def test_an_empty_treebank_is_a_treebank() -> None:
    columns = Columns.encode([])
    assert len(columns) == 0
    model = train(Columns.encode(TRAIN[:3]), system=ArcHybrid(), epochs=1)
    assert model.parse(columns)[0].shape == (0,)
    assert list(batches(columns, ArcHybrid())) == []


def test_empty_sentences_are_parsed() -> None:
    model = train(Columns.encode(TRAIN[:3]), system=ArcHybrid(), epochs=1)
    heads, _ = model.parse(Columns.encode([DependencyTree([]), TRAIN[0], DependencyTree([])]))
    assert len(heads) == len(TRAIN[0])


def test_words_that_look_the_same_have_the_same_number() -> None:
    rows = "1\tcaf\u00e9\tCaf\u00e9\t_\t_\t_\t0\troot\t_\tX=\u00e9\n2\ta\ta\t_\t_\t_\t1\tdep\t_\t_\n\n"
    both = (rows + normalize("NFD", rows)).encode()
    read, made = Columns.encode(Treebank.from_bytes(both)), Columns.of_trees(list(Treebank.from_bytes(both)))
    for columns in (read, made):
        for name, text in ("form", "caf\u00e9"), ("lemma", "Caf\u00e9"):
            assert columns.vocabularies[name] == (text, "a")
            assert columns.words[name].tolist() == [0, 1, 0, 1]
            assert columns.hashes(name).tolist() == [text_hash(text), text_hash("a")]
        assert columns.vocabularies["misc"] == ("X=\u00e9", "_", "X=e\u0301")
    batch = Batch.read(both)
    assert batch.with_arcs(batch.columns.heads, batch.columns.labels, ["root", "dep"]).conllu() == both


def test_the_first_characters_need_no_look() -> None:
    first = "".join(map(chr, range(1, 0x300)))
    assert all(is_normalized("NFC", one + other) for one in first for other in first[::16])
    assert "\u0300".encode()[0] == 0xCC


def test_columns_with_other_arcs_are_saved_and_loaded(tmp_path: Path) -> None:
    columns = Columns.encode([DependencyTree([(2, "Birds"), (0, "sing")])])
    parsed = columns.with_arcs(np.array([0, 1]), np.array([0, 1]), ["root", "conj"])
    parsed.save(tmp_path)
    assert (
        Columns.load(tmp_path).tree(0) == parsed.tree(0) == DependencyTree([(0, "Birds", "root"), (1, "sing", "conj")])
    )
