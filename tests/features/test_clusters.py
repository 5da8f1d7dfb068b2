import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import sample_treebank
from deptrees.engine import batches
from deptrees.features import DELEXICALIZED, WITH_FEATS, ZHANG_NIVRE, TemplateError, Templates
from deptrees.features.clusters import clusters
from deptrees.features.embeddings import Embeddings
from deptrees.parser import Parser
from deptrees.transition import ArcEager, EasyFirst, Oracle, static_oracle, untyped
from deptrees.treebanks.columns import Columns
from tests.features.test_templates import configuration

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
CLUSTERS = {word.form.lower(): str(len(word.form) % 5) for tree in TRAIN for word in tree}


# Clusters


def test_words_of_one_direction_are_in_one_cluster() -> None:
    rng = np.random.default_rng(1)
    directions, lengths = rng.normal(size=(6, 20)), rng.uniform(0.5, 5, size=(6, 10, 1))
    vectors = (directions[:, None] + 0.01 * rng.normal(size=(6, 10, 20))) * lengths
    embeddings = Embeddings(map(str, range(60)), vectors.reshape(60, 20))
    found = clusters(embeddings, n=6)
    groups = [{found[str(word)] for word in range(start, start + 10)} for start in range(0, 60, 10)]
    assert set.union(*groups) == {str(number) for number in range(6)}
    assert all(len(group) == 1 for group in groups)
    assert clusters(embeddings, n=9, seed=3) == clusters(embeddings, n=9, seed=3)
    assert len({*map(str, [sorted(clusters(embeddings, n=9, seed=seed).items()) for seed in range(5)])}) > 1


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=3, max_size=8), st.integers(0, 99))
def test_no_direction_is_nearer_to_the_mean_of_another_cluster(vectors: list[tuple[int, int]], seed: int) -> None:
    """What k-means ends with; the best of all clusterings it need not be."""
    embeddings = Embeddings(map(str, range(len(vectors))), vectors)
    numbers = np.array([*map(int, clusters(embeddings, 3, seed).values())])
    directions = np.array([vector / (np.linalg.norm(vector) or 1) for vector in embeddings.vectors])
    names = sorted({*numbers.tolist()})
    means = np.array([directions[numbers == name].mean(axis=0) for name in names])
    distances = np.linalg.norm(directions[:, None] - means, axis=2)
    own = distances[np.arange(len(vectors)), [names.index(number) for number in numbers]]
    assert (own <= distances.min(axis=1) + 1e-5).all()


def test_without_scikit_learn_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install '\.\[clusters\]'"):
        clusters(Embeddings(["a"], [[1.0]]), n=1)


def test_vectors_of_zeros_do_no_harm() -> None:
    assert clusters(Embeddings(["a", "b"], [[0.0], [0.0]]), n=2).keys() == {"a", "b"}


@pytest.mark.parametrize("n", [0, 3])
def test_there_are_at_most_as_many_clusters_as_words(n: int) -> None:
    with pytest.raises(ValueError, match=f"2 words make 1 to 2 clusters: not {n}"):
        clusters(Embeddings(["a", "b"], [[1.0], [2.0]]), n=n)


# Clusters as features


def test_templates_look_at_clusters() -> None:
    templates = Templates(
        ["s0.cluster", "s0.head.cluster+b0.cluster", "s2.cluster", "s3.cluster", "s1.left.cluster"],
        {"me": "1", "ME": "2", "saw": "3", "Dog": "4"},
    )
    assert templates.values(configuration()) == [("1",), ("3", "_"), ("ROOT",), (None,), ("_",)]


def test_twins_come_after_the_templates_with_forms() -> None:
    with_clusters = ZHANG_NIVRE.with_clusters(CLUSTERS)
    twins = [str(template).replace(".form", ".cluster") for template in ZHANG_NIVRE if ".form" in str(template)]
    assert [str(template) for template in with_clusters] == [*map(str, ZHANG_NIVRE), *twins]
    assert with_clusters.clusters == CLUSTERS
    assert with_clusters.with_clusters({"a": "b"}) == ZHANG_NIVRE.with_clusters({"a": "b"})
    assert hash(with_clusters) == hash(ZHANG_NIVRE.with_clusters(CLUSTERS))
    assert with_clusters != ZHANG_NIVRE.with_clusters({"a": "b"})
    assert list(DELEXICALIZED.with_clusters(CLUSTERS)) == list(DELEXICALIZED)


def test_clusters_that_are_asked_for_must_be_there() -> None:
    with pytest.raises(TemplateError, match=r"'b0.cluster' looks at clusters, and there are none"):
        Templates([*ZHANG_NIVRE, "b0.cluster"])
    with pytest.raises(TypeError):
        ZHANG_NIVRE.with_clusters({"a": 1})  # type: ignore[dict-item]


@pytest.mark.parametrize("templates", [ZHANG_NIVRE, WITH_FEATS], ids=["ZHANG_NIVRE", "WITH_FEATS"])
def test_the_engine_sees_the_same_clusters(templates: Templates) -> None:
    templates = templates.with_clusters(CLUSTERS)
    found = features(templates)
    for tree in DEV:
        for cfg, _ in Oracle(ArcEager(), static_oracle, untyped)(tree):
            assert next(found) == [number >> 1 for number in templates.hashes(cfg)]
    assert next(found, None) is None


def features(templates: Templates) -> Iterator[list[int]]:
    bare = [tree.reattach(tree.heads, [None] * len(tree)) for tree in DEV]
    for batch in batches(Columns.encode(bare), ArcEager(), templates, oracle="static"):
        yield from batch.features.tolist()


def test_a_parser_with_clusters_knows_words_by_their_clusters(tmp_path: Path) -> None:
    forms = {word.form for tree in TRAIN for word in tree}
    clusters = {**{form: form for form in forms}, "blorks": "dog"}
    parser = Parser.train(TRAIN, templates=Templates(["s0.cluster+b0.cluster", "s1.cluster+s0.cluster"], clusters))
    parser.save(tmp_path / "model")
    loaded = Parser.load(tmp_path / "model")
    assert loaded.model.spec.templates == parser.model.spec.templates
    for one in (parser, loaded):
        known, strange = one.parse([["The", "dog", "sleeps"], ["The", "Blorks", "sleeps"]])
        assert known.heads == strange.heads
        assert known.labels == strange.labels


def test_what_the_engine_cannot_run_has_clusters_too(tmp_path: Path) -> None:
    templates = Templates(["s0.cluster+b0.cluster", "s0.upos+b0.upos"], CLUSTERS)
    parser = Parser.train(TRAIN[:10], system=EasyFirst(), templates=templates, epochs=2)
    parser.save(tmp_path / "model")
    assert list(Parser.load(tmp_path / "model").parse(DEV)) == list(parser.parse(DEV))
