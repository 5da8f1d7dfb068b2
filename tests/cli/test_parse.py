"""The command ``parse``."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import DependencyGraph, DependencyTree, Token, Treebank, from_conllu, to_conllu, write_treebank
from deptrees.parser import Parser
from deptrees.tagger import Tagger
from deptrees.tokenizer import Tokenizer
from deptrees.treebanks.conllu import tree_of_lines
from tests.cli.running import CYCLE, GOOD, SAMPLE, SHORT, SOME, TREES, run
from tests.tiers import slow
from tests.treebanks.test_validation import refusals


def test_parsing_is_the_same_from_a_file_from_a_stream_and_with_threads(sample: Path, model: Path) -> None:
    parsed = run("parse", model, sample).stdout
    assert parsed.count("\t") == SOME.count("\t")
    assert run("parse", model, "-", input=SOME).stdout == parsed
    assert run("parse", model, sample, "--threads", 2).stdout == parsed


def test_the_k_best_trees_are_written_one_after_the_other(
    model: Path, sample: Path, parser: Parser, tmp_path: Path
) -> None:
    output = tmp_path / "trees.conllu"
    assert run("parse", model, sample, "--k-best", 3, "-o", output).exit_code == 0
    written = list(Treebank(output))
    expected = [found for alternatives in parser.k_best(TREES, 3) for found in alternatives]
    assert [tree.heads for tree in written] == [tree.heads for tree, _ in expected]
    assert [tree.comments[-1] for tree in written] == [f"# score = {score:.4f}" for _, score in expected]
    assert [tree.comments[-2] for tree in written[:2]] == ["# rank = 1", "# rank = 2"]
    again = from_conllu(run("parse", model, "-", "--k-best", 1, input=to_conllu(written[1])).stdout)
    assert [line for line in again.comments if "rank" in line] == ["# rank = 1"]


@pytest.mark.parametrize("options", [[], ["--complete"], ["--threads", 2], ["--keep-deps"]])
def test_what_is_parsed_has_enhanced_dependencies_of_the_same_tree_or_none(
    model: Path, parser: Parser, tmp_path: Path, options: list[str]
) -> None:
    trees = [with_a_graph(tree) for tree in parser.parse(TREES)]
    trees[1::2] = [tree.reattach([0] * len(tree)) for tree in trees[1::2]]
    treebank = tmp_path / "enhanced.conllu"
    write_treebank(treebank, trees)
    result = run("parse", model, treebank, *options)
    content = result.stdout.encode()
    assert [*Treebank.from_bytes(content).faults()] == []
    refused = refusals(content)
    assert refused is not None
    assert {each for each in refused if "ENHANCED" in each} <= {"2 ENHANCED edeps-only-sometimes"}
    kept = [bool(tree.graph.arcs) for tree in Treebank.from_bytes(content)]
    told = "warning: DEPS and empty nodes are left out: the new trees are others; see --keep-deps\n"
    if "--keep-deps" in options:
        assert kept == [number % 2 == 0 for number in range(len(trees))]
        assert list(Treebank.from_bytes(content))[::2] == trees[::2]
    else:
        assert not any(kept)
        assert not any("." in str(token.id) for tree in Treebank.from_bytes(content) for token in tree.all_tokens)
    assert result.stderr == ("" if "--keep-deps" in options else told)


def with_a_graph(tree: DependencyTree) -> DependencyTree:
    """A tree with enhanced dependencies and an empty node."""
    nodes = [*tree, Token("_", id=f"{len(tree)}.1")]
    arcs = [(head, word, "root" if head == 0 else "dep") for head, word in tree.arcs]
    return tree.with_graph(DependencyGraph(nodes, [*arcs, (1, len(nodes), "conj")]))


def test_what_is_known_after_each_word_is_written_in_lines_of_json(sample: Path, tmp_path: Path) -> None:
    trained, texts = tmp_path / "trained", tmp_path / "words.txt"
    run("train", sample, "--system", "arc-hybrid", "--lookahead", 0, "--output", trained, "--epochs", 1)
    texts.write_text("Birds sing\nThe dog sleeps\n", encoding="utf-8")
    lines = run("parse", trained, texts, "--words", "--incremental", "--beam", 2, "--k-best", 1).stdout.splitlines()
    records = [json.loads(line) for line in lines]
    expected = [("1", 1, "Birds"), ("1", 2, "sing"), ("2", 1, "The"), ("2", 2, "dog"), ("2", 3, "sleeps")]
    assert [(record["sentence"], record["word"], record["form"]) for record in records] == expected
    assert [len(record["configurations"]) for record in records] == [1] * 5
    parser = Parser.load(trained)
    *_, last = parser.incremental(beam=2).read(["The", "dog", "sleeps"])
    assert records[-1] == {"sentence": "2", **json.loads(json.dumps(last.record(1)))}


def test_what_cannot_be_known_word_by_word_is_an_error(sample: Path, model: Path, tmp_path: Path) -> None:
    for options in ["--threads", 2], ["--confidence"], ["--text"], ["--workers", 2]:
        assert "choose one of --incremental and" in run("parse", model, sample, "--incremental", *options).output
    assert run("train", sample, "--lookahead", 0, "-o", tmp_path / "none").exit_code == 2
    run("train", sample, "--system", "easy-first", "--epochs", 1, "-o", tmp_path / "easy")
    failed = run("parse", tmp_path / "easy", sample, "--incremental")
    assert failed.exit_code == 2
    assert "does not read words from left to right" in " ".join(failed.output.split())


def test_a_beam_that_was_not_trained_with_is_warned_of(sample: Path, model: Path, tmp_path: Path) -> None:
    run("train", sample, "--beam", 2, "--epochs", 1, "-o", tmp_path / "wide")
    run("train", sample, "--epochs", 1, "-o", tmp_path / "narrow")
    assert "trained without a beam" in run("parse", tmp_path / "narrow", sample, "--beam", 4).stderr
    assert not run("parse", tmp_path / "wide", sample, "--beam", 4).stderr
    assert not run("parse", tmp_path / "narrow", sample, "--k-best", 4).stderr
    assert "trained with a beam" in run("parse", tmp_path / "wide", sample, "--incremental").stderr
    assert not run("parse", tmp_path / "narrow", sample, "--incremental", "--beam", 4).stderr


def test_parsers_trained_with_development_data_tell_probabilities(model: Path, sample: Path, tmp_path: Path) -> None:
    trained, parsed = tmp_path / "trained", tmp_path / "parsed.conllu"
    run("train", sample, "--dev", sample, "--output", trained, "--epochs", 1)
    assert run("parse", trained, sample, "--confidence", "-o", parsed).exit_code == 0
    assert {key for tree in Treebank(parsed) for token in tree for key in token.misc_values} >= {
        "Confidence",
        "HeadConfidence",
    }
    assert run("parse", trained, sample, "--confidence", "--k-best", 2).exit_code == 2
    failed = run("parse", model, sample, "--confidence")
    assert failed.exit_code == 1
    assert "the parser is not calibrated" in failed.output


@pytest.mark.parametrize("trained", [False, slow(True)], ids=["saved", "trained"])
def test_a_model_with_a_tagger_tags_and_parses_words(
    trained: bool, sample: Path, tmp_path: Path, parser: Parser, tagger: Tagger
) -> None:
    model = tmp_path / "model"
    if trained:
        result = run("train", sample, "--dev", sample, "--pipeline", "--epochs", 2, "--output", model)
        assert result.exit_code == 0, result.output
    else:
        attrs.evolve(parser, tagger=tagger).save(model)
    words = tmp_path / "words.conllu"
    words.write_text("1\tThe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdog\t_\t_\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    parsed = run("parse", model, words)
    assert parsed.exit_code == 0, parsed.output
    columns = [line.split("\t") for line in parsed.stdout.splitlines() if line]
    assert [row[3] for row in columns] == ["DET", "NOUN"]
    assert all(row[6].isdigit() for row in columns)


@pytest.mark.parametrize("options", [[], ["--threads", 2], slow(["--complete"])], ids=str)
def test_lines_of_words_are_parsed_and_tagged(
    options: list[object], tmp_path: Path, parser: Parser, tagger: Tagger
) -> None:
    model, words, columns = (tmp_path / name for name in ("model", "words.txt", "words.conllu"))
    attrs.evolve(parser, tagger=tagger).save(model)
    words.write_text("\n".join(" ".join(token.form for token in tree) for tree in TREES), encoding="utf-8")
    assert run("convert", words, "--words", "-o", columns).exit_code == 0
    for command in (["parse", *options], ["tag"]):
        found = run(command[0], model, words, "--words", *command[1:])
        assert found.exit_code == 0, found.output
        assert found.stdout == run(command[0], model, columns, *command[1:]).stdout
        assert [[token.form for token in tree] for tree in Treebank.from_bytes(found.stdout.encode())] == [
            [token.form for token in tree] for tree in TREES
        ]
    assert run("parse", model, words, "--words", "--workers", 1, "-o", tmp_path / "new" / "folder").exit_code == 0
    assert (tmp_path / "new" / "folder" / "words.conllu").read_text("utf-8") == run("parse", model, columns).stdout


def test_raw_text_is_parsed_and_can_be_made_again_of_what_is_written(
    tmp_path: Path, parser: Parser, tagger: Tagger, tokenizer: Tokenizer
) -> None:
    model, text, parsed = (tmp_path / name for name in ("model", "text.txt", "parsed.conllu"))
    attrs.evolve(parser, tagger=tagger, tokenizer=tokenizer).save(model)
    content = ' Birds | sing.\t\tThe \\old\\  dog\'s\r\nbooks!\n\n\n She  reads: "a_b".\n語 '
    text.write_bytes(content.encode())
    assert run("parse", model, text, "--text", "-o", parsed).exit_code == 0
    spaces, found, last = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}, "", 0
    for line in parsed.read_text(encoding="utf-8").split("\n"):
        columns = line.split("\t")
        if len(columns) == 1:
            last = 0
        elif int(columns[0].partition("-")[0]) > last:  # no word of a multiword token
            last = int(columns[0].partition("-")[2] or 0)
            misc = dict(re.findall(r"(\w+)=([^|]*)", columns[9]))
            after = "" if "SpaceAfter" in misc else misc.get("SpacesAfter", r"\s")
            surface = misc.get("SpacesBefore", ""), columns[1].replace("\\", "\\\\"), after
            found += re.sub(r"\\(.)", lambda escape: spaces[escape[1]], "".join(surface))
    assert found == content
    trees = list(Treebank(parsed))
    assert all(None not in tree.heads and all(token.upos for token in tree) for tree in trees)
    assert [" ".join((tree.text or "").split()) for tree in trees if tree.sent_id == "1"] == ["Birds | sing."]
    assert run("parse", model, "-", "--text", input=content).stdout == parsed.read_text(encoding="utf-8")


def test_raw_text_needs_a_tokenizer(tmp_path: Path, model: Path) -> None:
    (tmp_path / "text.txt").write_text("Birds sing.")
    found = run("parse", model, tmp_path / "text.txt", "--text")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "has no tokenizer" in found.stderr
    assert run("parse", model, tmp_path / "text.txt", "--text", "--words").exit_code == 2
    assert run("parse", model, tmp_path / "text.txt", "--text", "--workers", 1, "-o", tmp_path / "f").exit_code == 2
    for option in ("--lines", "--ranges"):
        assert "need --text" in run("parse", model, tmp_path / "text.txt", option).stderr


def test_lines_are_sentences_and_tokens_have_their_ranges(
    tmp_path: Path, parser: Parser, tagger: Tagger, tokenizer: Tokenizer
) -> None:
    attrs.evolve(parser, tagger=tagger, tokenizer=tokenizer).save(tmp_path / "model")
    text = "The dog sleeps. It sings\nfine.\n\nBirds\n"
    found = run("parse", tmp_path / "model", "-", "--text", "--lines", "--ranges", input=text).stdout
    trees = list(Treebank.from_bytes(found.encode()))
    assert [tree.text for tree in trees] == ["The dog sleeps. It sings", "fine.", "Birds"]
    for token in (token for tree in trees for token in tree):
        start, stop = map(int, token.misc_values["TokenRange"].split(":"))
        assert text[start:stop] == token.form
    loaded = Parser.load(tmp_path / "model")
    assert list(loaded.parse_text(text, lines=True, ranges=True)) == trees


def test_an_error_in_the_input_leaves_no_output(broken: Path, model: Path, tmp_path: Path) -> None:
    output = tmp_path / "output.conllu"
    broken.write_text(GOOD + SHORT + GOOD, encoding="utf-8")
    assert run("parse", model, broken, "-o", output).exit_code == 1
    assert not output.exists()
    output.write_text("mine")
    assert run("parse", model, broken, "-o", output).exit_code == 1
    assert output.read_text() == "mine"


@pytest.mark.parametrize("parses", [False, slow(True)], ids=["draw", "parse"])
def test_a_stream_is_answered_before_it_ends(parses: bool, model: Path) -> None:
    arguments = ["parse", str(model), "-"] if parses else ["draw", "-"]
    program = [sys.executable, "-u", "-m", "deptrees", *arguments]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((GOOD * 2).encode())
        process.stdin.flush()
        first = process.stdout.readline()
        process.stdin.close()
        rest = process.stdout.read()
    assert first == (b"# sent_id = good\n" if parses else "┌── 0 ROOT\n".encode())
    assert b"[bold]" in rest


def test_treebank_reads_what_parse_writes(sample: Path, model: Path, tmp_path: Path) -> None:
    parsed = tmp_path / "parsed.conllu.gz"
    run("parse", model, sample, "-o", parsed)
    assert [tree.comments for tree in Treebank(parsed)] == [tree.comments for tree in Treebank(sample)]


PARTIAL = """\
1\tOld\t_\t_\t_\t_\t3\t_\t0\t_
2\tbirds\t_\t_\t_\t_\t3\tobj\t1\t_
3\tsing\t_\t_\t_\t_\t_\t_\t_\t_

"""


def test_what_a_partially_annotated_file_says_is_kept(model: Path, tmp_path: Path) -> None:
    partial = tmp_path / "partial.conllu"
    partial.write_text(PARTIAL, "utf-8")
    given = from_conllu(run("parse", model, partial, "--constraints", "given").stdout)
    assert given.heads[:2] == (3, 3)
    assert given.labels[1] == "obj"
    marked = from_conllu(run("parse", model, partial, "--constraints", "marked").stdout)
    assert marked.heads[1] == 3
    partial.write_text(PARTIAL.replace("3\tobj", "_\tobj"), "utf-8")
    failed = run("parse", model, partial, "--constraints", "marked")
    assert failed.exit_code == 1
    assert "sentence 'Old birds sing': word 2 has a 1 in column 9, but no head" in " ".join(failed.output.split())


def test_sentences_without_tags_are_warned_of_once(model: Path, parser: Parser, tagger: Tagger, tmp_path: Path) -> None:
    untagged = GOOD.replace("NOUN", "_")
    assert run("parse", model, "-", input=GOOD).stderr == ""
    warning = "warning: the model looks at UPOS, and 75% of 4 words have none: tag them like the treebank"
    assert run("parse", model, "-", input=GOOD + untagged * 3).stderr.startswith(warning)
    attrs.evolve(parser, tagger=tagger).save(tmp_path / "tagging")
    assert run("parse", tmp_path / "tagging", "-", input=untagged).stderr == ""


def test_plain_text_is_told_what_to_do(model: Path) -> None:
    result = run("parse", model, "-", input="The old dog sleeps.\nIt dreams.\n")
    assert result.exit_code == 1
    assert "-:1: expected 10 columns, found 1" in result.stderr
    assert "plain text must be split into words first" in result.stderr
    assert "hint: say --text if the model has a tokenizer, or say --words if each line is a sentence" in result.stderr
    assert "--skip-invalid" not in result.stderr
    assert "hint" not in run("draw", "-", input="The old dog sleeps.\n").stderr


def test_trees_are_completed_for_those_who_need_all_heads(tmp_path: Path) -> None:
    headless = "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    options = ["--system", "ArcEagerPartial", "--epochs", 3, "-o", tmp_path / "partial"]
    assert run("train", "-", *options, input=headless * 5).exit_code == 0
    assert from_conllu(run("parse", tmp_path / "partial", "-", input=headless).stdout).heads == (None, 0)
    parsed = from_conllu(run("parse", tmp_path / "partial", "-", "--complete", input=headless).stdout)
    assert (parsed.heads, parsed.labels) == ((2, 0), ("dep", "root"))


def test_a_long_parse_says_how_far_it_is_where_there_is_no_terminal(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deptrees.cli.console.SECONDS_BETWEEN_LINES", 0)
    result = run("parse", model, "-", "-o", tmp_path / "parsed", input=GOOD)
    assert result.stderr.splitlines() == ["parsing: 1 done"]


def test_parsing_word_by_word_says_how_far_it_is_within_a_sentence(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("train", sample, "--system", "arc-hybrid", "--lookahead", 0, "--output", tmp_path / "trained", "--epochs", 1)
    monkeypatch.setattr("deptrees.cli.console.SECONDS_BETWEEN_LINES", 0)
    told = run("parse", tmp_path / "trained", "-", "--words", "--incremental", input="Birds sing\n").stderr.splitlines()
    assert [line for line in told if line.startswith("parsing")] == [f"parsing words: {n} done" for n in (1, 2)]


@pytest.mark.parametrize("rest", ["", "# sent_id = sample-train-004\n1\tThe\tth"])
def test_an_interrupted_parse_is_resumed(rest: str, model: Path, sample: Path, tmp_path: Path) -> None:
    output, partial = tmp_path / "parsed.conllu", tmp_path / "parsed.conllu.partial"
    whole = run("parse", model, sample).stdout
    (tmp_path / "broken.conllu").write_text(SOME + SHORT, encoding="utf-8")
    options = ["--resume", "--output", output]
    assert run("parse", model, tmp_path / "broken.conllu", *options).exit_code == 1
    assert not output.exists()
    assert whole.startswith(partial.read_text("utf-8"))
    # Trees that are there already are kept, whatever heads they have; one that is not whole is not.
    first, second, _ = whole.replace("\t0\troot", "\t0\tkept").split("\n\n", 2)
    partial.write_text(f"{first}\n\n{second}\n\n{rest}", encoding="utf-8")
    assert run("parse", model, sample, *options).exit_code == 0
    assert not partial.exists()
    written = output.read_text("utf-8")
    assert written.count("\tkept\t") == 2
    assert written.replace("\tkept\t", "\troot\t") == whole


def test_resuming_makes_trees_of_the_sentences_around_the_interruption_only(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[DependencyTree] = []

    def counted(*lines: Any) -> DependencyTree:
        made.append(tree_of_lines(*lines))
        return made[-1]

    (tmp_path / "long.conllu").write_text(SAMPLE * 200, encoding="utf-8")
    whole = run("parse", model, tmp_path / "long.conllu").stdout
    (tmp_path / "parsed.partial").write_text(whole[: len(whole) // 2], encoding="utf-8")
    monkeypatch.setattr("deptrees.treebanks.batch.tree_of_lines", counted)
    assert run("parse", model, tmp_path / "long.conllu", "--resume", "-o", tmp_path / "parsed").exit_code == 0
    assert (tmp_path / "parsed").read_text("utf-8") == whole
    assert 0 < len(made) < whole.count("\n\n") / 5  # one batch of a megabyte


def test_a_compressed_file_is_resumed(model: Path, sample: Path, tmp_path: Path) -> None:
    output, partial = tmp_path / "parsed.conllu.gz", tmp_path / "parsed.conllu.gz.partial"
    whole = run("parse", model, sample).stdout
    partial.write_text(whole[: len(whole) // 2], encoding="utf-8")
    assert run("parse", model, sample, "--resume", "--output", output).exit_code == 0
    assert gzip.decompress(output.read_bytes()).decode() == whole
    assert not partial.exists()


def test_what_cannot_be_resumed_is_an_error(model: Path, sample: Path, tmp_path: Path) -> None:
    output, partial = tmp_path / "parsed.conllu", tmp_path / "parsed.conllu.partial"
    partial.write_text(GOOD, encoding="utf-8")
    result = run("parse", model, sample, "--resume", "-o", output)
    assert result.exit_code == 1
    assert result.stderr == (
        f"error: sentence 1 in {partial} is not that of the input: delete the file to begin anew\n"
    )
    assert partial.read_text("utf-8") == GOOD
    for options in ["-o", "-"], ["-o", output, "--k-best", 2]:
        assert run("parse", model, sample, "--resume", *options).exit_code == 2


def test_ids_of_sentences_of_several_raw_texts_are_unique(parser: Parser, tokenizer: Tokenizer, tmp_path: Path) -> None:
    attrs.evolve(parser, tokenizer=tokenizer).save(tmp_path / "model")
    paths = [tmp_path / folder / "a b.txt" for folder in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text("Birds sing.\n\nDogs sleep.\n", encoding="utf-8")
    parsed = run("parse", tmp_path / "model", *paths, "--text").stdout
    assert re.findall("# sent_id = (.*)", parsed) == ["1-a%20b-1", "1-a%20b-2", "2-a%20b-1", "2-a%20b-2"]
    assert re.findall("# newdoc.*", parsed) == ["# newdoc id = 1-a%20b", "# newdoc id = 2-a%20b"]
    assert re.findall("# sent_id = (.*)", run("parse", tmp_path / "model", paths[0], "--text").stdout) == ["1", "2"]
    twice = run("parse", tmp_path / "model", paths[0], paths[0], "--text").stdout
    assert re.findall("# newdoc.*", twice) == ["# newdoc id = 1-a%20b", "# newdoc id = 2-a%20b"]
    names = [path.rename(tmp_path / name) for path, name in zip(paths, ["a b.txt", "a_b.txt"], strict=True)]
    for shard in "1/2", "2/2":
        assert run("parse", tmp_path / "model", *names, "--text", "--shard", shard, "-o", tmp_path).exit_code == 0
    parsed = "".join((tmp_path / f"{name}.conllu").read_text(encoding="utf-8") for name in ("a b", "a_b"))
    assert re.findall("# sent_id = (.*)", parsed) == ["a%20b-1", "a%20b-2", "a_b-1", "a_b-2"]
    assert re.findall("# newdoc.*", parsed) == ["# newdoc id = a%20b", "# newdoc id = a_b"]


def test_heads_that_are_no_tree_do_not_matter_unless_they_are_given(model: Path) -> None:
    far = GOOD.replace("\t0\t", "\t99\t")
    parsed = run("parse", model, "-", input=GOOD + CYCLE + far)
    assert parsed.exit_code == 0
    assert parsed.stdout == run("parse", model, "-", input=GOOD + re.sub(r"\t\d+\t", "\t0\t", CYCLE) + GOOD).stdout
    assert run("parse", model, "-", "--constraints", "given", input=CYCLE).exit_code == 1


@pytest.mark.parametrize("option", ["--text", "--words", "--keep-deps"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_refused_even_if_lines_are_skipped(
    option: str, encoding: str, parser: Parser, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    attrs.evolve(parser, tokenizer=tokenizer).save(tmp_path / "model")
    (tmp_path / "text").write_bytes("\ufeffGo.\nStop.\n".encode(encoding))
    refused = run("parse", tmp_path / "model", tmp_path / "text", option, "--skip-invalid")
    assert refused.exit_code == 1
    assert "in UTF-16: convert it, for example by iconv -f UTF-16 -t UTF-8" in refused.stderr
    assert "hint" not in refused.stderr


@pytest.mark.parametrize(("option", "skipped"), [("--text", "1 line"), ("--words", "1 of 3 sentences")])
def test_a_line_that_is_not_utf_8_is_to_be_converted_or_skipped(
    option: str, skipped: str, parser: Parser, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    attrs.evolve(parser, tokenizer=tokenizer).save(tmp_path / "model")
    (tmp_path / "text").write_bytes(b"Go.\n\nna\xefve\nStop.\n")
    failed = run("parse", tmp_path / "model", tmp_path / "text", option)
    assert failed.exit_code == 1
    assert ":3: the line is not UTF-8: convert the file, for example by iconv" in failed.stderr
    assert "hint: correct it, or leave out what is not valid with --skip-invalid" in failed.stderr
    parsed = run("parse", tmp_path / "model", tmp_path / "text", option, "--skip-invalid")
    assert f"skipped {skipped}, the first one because of {tmp_path}/text:3: the line is not UTF-8" in parsed.stderr
    (tmp_path / "text").write_bytes(b"Go.\n\nStop.\n")
    assert parsed.stdout == run("parse", tmp_path / "model", tmp_path / "text", option).stdout != ""


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "json"])
def test_what_is_no_conllu_is_not_written_under_a_name_of_it(
    ending: str, model: Path, sample: Path, tmp_path: Path
) -> None:
    refused = run("parse", model, sample, "-o", tmp_path / f"parsed.{ending}")
    assert refused.exit_code == 2
    assert "deptrees convert" in refused.output
    assert not list(tmp_path.glob("parsed*"))
