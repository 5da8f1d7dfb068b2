import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deptrees.features.embeddings import Embeddings, EmbeddingsError, read_embeddings

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
