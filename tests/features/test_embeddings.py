import gzip
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deptrees import sample_treebank
from deptrees.engine import batches, train
from deptrees.engine.model import Shape
from deptrees.features import DELEXICALIZED, WITH_FEATS, ZHANG_NIVRE, TemplateError, Templates
from deptrees.features.embeddings import Embeddings, EmbeddingsError, clusters, k_means, read_embeddings
from deptrees.parser import Parser
from deptrees.transition import ArcEager, EasyFirst, Oracle, static_oracle, untyped
from deptrees.treebanks.columns import Columns
from tests.features.test_templates import configuration

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
CLUSTERS = {word.form.lower(): str(len(word.form) % 5) for tree in TRAIN for word in tree}
Points = npt.NDArray[np.float64]


# Vectors of words


def test_embeddings_are_values() -> None:
    given = np.array([[1, 2], [3, 4]], np.float32)
    embeddings = Embeddings(["a", "b"], given)
    given[0, 0] = 9
    assert embeddings["a"].tolist() == [1, 2]
    same, other = (Embeddings(["a", "b"], [[1, 2], [3, last]]) for last in (4, 5))
    assert embeddings == same != other
    assert hash(embeddings) == hash(same)
    with pytest.raises(ValueError, match="read-only"):
        embeddings["a"][0] = 5
    with pytest.raises(KeyError):
        embeddings["c"]


@pytest.mark.parametrize(
    ("words", "vectors", "message"),
    [
        (["a"], [[1.0], [2.0]], "1 words need as many rows"),
        (["a"], [1.0], "1 words need as many rows"),
        (["a", "a"], [[1.0], [2.0]], "comes twice"),
        (["a", "b"], [[1.0], [np.nan]], "not finite"),
    ],
)
def test_what_is_no_matrix_of_words_is_refused(words: list[str], vectors: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Embeddings(words, vectors)


# Files


def read(folder: Path, text: str | bytes, words: list[str] | None = None) -> Embeddings:
    path = folder / "vectors.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_embeddings(path, words)


@pytest.mark.parametrize("header", ["", "3 2\n"])
@pytest.mark.parametrize("end", ["\n", " \n", "\r\n"])
def test_all_formats_are_read(tmp_path: Path, header: str, end: str) -> None:
    text = header + end.join(["the 0.5 -1", "Dog 1e-2 2", "at\u00a0all 3 4", ""])
    whole = Embeddings(["the", "Dog", "at\u00a0all"], [[0.5, -1.0], [0.01, 2.0], [3.0, 4.0]])
    assert read(tmp_path, text) == whole
    with gzip.open(tmp_path / "vectors.gz", "wb") as stream:
        stream.write(text.encode())
    assert read_embeddings(str(tmp_path / "vectors.gz")) == whole


def test_words_that_are_asked_for_are_kept(tmp_path: Path) -> None:
    text = "the 0.5 -1\nDog 1 2\ndog 3 4\ncat 5 x\n"
    assert read(tmp_path, text, ["The", "Dog", "cow"]).words == ("the", "Dog", "dog")
    nothing = read(tmp_path, text, [])
    assert (len(nothing), nothing.size) == (0, 2)


def test_the_first_vector_of_a_word_counts_and_words_may_have_spaces(tmp_path: Path) -> None:
    words = ["a", ". .", "to me@here.org", "1\u2028"]
    text = "a 1 2\na 3 4\n. . 5 6\nto me@here.org 7 8\n1\u2028 2 3\n"
    assert read(tmp_path, text) == Embeddings(words, [[1, 2], [5, 6], [7, 8], [2, 3]])


def test_words_cut_off_in_the_middle_of_a_character_do_no_harm(tmp_path: Path) -> None:
    assert read(tmp_path, b"\xc3 1 2\na 3 4\n")["a"].tolist() == [3, 4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected a word and its vector, found ''"),
        ("dog\n", "line 1: expected a word and its vector, found 'dog'"),
        ("1 0\ndog\n", "line 1: expected a word and its vector"),
        ("a 1 2\nb 3\n", "line 2: expected a word and 2 numbers, found 2 texts"),
        ("a 1 2\nb 3 4 5\n", "line 2: expected a word and 2 numbers, found 4 texts"),
        ("1 2\na 1 2 .5\n", "line 2: expected a word and 2 numbers, found 4 texts"),
        ("a 1 2\n\nb 3 4\n", "line 2: expected a word and 2 numbers, found 1 texts"),
        ("a 1 2\nb 3 four\n", "line 2: could not convert string to float: 'four'"),
        ("a 1 2\nb 3 nan\n", "line 2: a number is not finite"),
        ("3 2\na 1 2\nb 3 4\n", "line 3: the file ends after 2 words, the first line says 3"),
        ("1 2\na 1 2\nb 3 4\n", "line 3: the file ends after 2 words, the first line says 1"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(EmbeddingsError, match=f"vectors.txt, {message}"):
        read(tmp_path, text)


def test_broken_and_missing_files_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "vectors.gz"
    path.write_bytes(gzip.compress(b"a 1 2\n" * 9)[:-6])
    with pytest.raises(EmbeddingsError, match=r"vectors.gz, line \d+: the file cannot be decompressed"):
        read_embeddings(path)
    with pytest.raises(FileNotFoundError):
        read_embeddings(tmp_path / "nothing")


# Clusters


def cost(points: Points, nearest: npt.NDArray[np.intp]) -> float:
    """The sum of squared distances from the means of clusters."""
    return sum(
        float(np.square(points[nearest == cluster] - points[nearest == cluster].mean(0)).sum())
        for cluster in np.unique(nearest)
    )


@st.composite
def clouds(draw: st.DrawFn) -> Points:
    """Points, some of them in the same place."""
    rows = draw(st.lists(st.tuples(*[st.integers(-3, 3)] * 2), min_size=1, max_size=12))
    return np.array(rows, np.float64)


@given(clouds(), st.data())
def test_clusters_get_better_and_never_worse(points: Points, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, len(points)))
    found = list(k_means(points, n, np.random.default_rng(data.draw(st.integers(0, 9)))))
    costs = [cost(points, nearest) for nearest in found]
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(costs))
    assert all(len(nearest) == len(points) and set(nearest.tolist()) <= set(range(n)) for nearest in found)
    if n >= len(np.unique(points, axis=0)):
        assert costs[-1] == 0
    if n == 1:
        assert set(found[-1].tolist()) == {0}


def best_cost(points: Points, n: int) -> float:
    return min(cost(points, np.array(nearest)) for nearest in product(range(n), repeat=len(points)))


@settings(max_examples=25)
@given(clouds().filter(lambda points: len(points) <= 6))
def test_the_best_of_many_starts_is_the_best_of_all_clusterings(points: Points) -> None:
    n = min(3, len(points))
    found = [[*k_means(points, n, np.random.default_rng(seed))][-1] for seed in range(60)]
    assert min(cost(points, nearest) for nearest in found) == pytest.approx(best_cost(points, n), abs=1e-9)


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


def test_vectors_of_zeros_do_no_harm() -> None:
    assert clusters(Embeddings(["a", "b"], [[0.0], [0.0]]), n=2).keys() == {"a", "b"}


@pytest.mark.parametrize("n", [0, 3])
def test_there_are_at_most_as_many_clusters_as_words(n: int) -> None:
    with pytest.raises(ValueError, match=f"2 points make 1 to 2 clusters: not {n}"):
        clusters(Embeddings(["a", "b"], [[1.0], [2.0]]), n=n)


# Clusters as features


def test_templates_look_at_clusters() -> None:
    templates = Templates(
        ["s0.cluster", "s0.head.cluster+b0.cluster", "s2.cluster", "s3.cluster", "s1.left.cluster"],
        {"me": "1", "ME": "2", "saw": "3", "Dog": "4"},
    )
    assert templates.values(configuration()) == [("1",), ("3", "_"), ("ROOT",), (None,), ("_",)]


def test_twins_stand_behind_the_templates_with_forms() -> None:
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
    for tree in [*TRAIN, *DEV]:
        for cfg, _ in Oracle(ArcEager(), static_oracle, untyped)(tree):
            assert next(found) == templates.hashes(cfg)
    assert next(found, None) is None


def features(templates: Templates) -> Iterator[list[int]]:
    bare = [tree.reattach(tree.heads, [None] * len(tree)) for tree in [*TRAIN, *DEV]]
    for batch in batches(Columns.encode(bare), ArcEager(), templates, oracle="static"):
        yield from batch.features.tolist()


def test_a_parser_with_clusters_knows_words_by_their_clusters(tmp_path: Path) -> None:
    forms = {word.form for tree in TRAIN for word in tree}
    clusters = {**{form: form for form in forms}, "blorks": "dog"}
    parser = Parser.train(TRAIN, templates=Templates(["s0.cluster+b0.cluster", "s1.cluster+s0.cluster"], clusters))
    parser.save(tmp_path / "model")
    loaded = Parser.load(tmp_path / "model")
    assert loaded.templates == parser.templates
    for one in (parser, loaded):
        known, strange = one.parse([["The", "dog", "sleeps"], ["The", "Blorks", "sleeps"]])
        assert known.heads == strange.heads
        assert known.labels == strange.labels


def test_what_the_engine_cannot_run_has_clusters_too(tmp_path: Path) -> None:
    templates = Templates(["s0.cluster+b0.cluster", "s0.upos+b0.upos"], CLUSTERS)
    parser = Parser.train(TRAIN[:10], EasyFirst(), templates=templates, epochs=2)
    parser.save(tmp_path / "model")
    assert list(Parser.load(tmp_path / "model").parse(DEV)) == list(parser.parse(DEV))


def test_models_without_clusters_are_still_read() -> None:
    shape = train(Columns.encode(TRAIN[:3]), ArcEager(), epochs=1).shape
    record = shape.record()
    assert record.pop("clusters") == {}
    assert Shape.of(record) == Shape.of(shape.record()) == shape
