import gzip
import inspect
import re
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

from deptrees import (
    ConlluError,
    DependencyTree,
    EvaluationError,
    Treebank,
    evaluate,
    is_projective,
    sample_treebank,
    tag_accuracy,
    to_conllu,
    write_treebank,
)
from deptrees.engine import Trainer, batches, train
from deptrees.evaluation import reliability
from deptrees.features import DELEXICALIZED, Templates
from deptrees.parser import Epoch, ModelError, NotCalibrated, Parser, TrainingError
from deptrees.tagger import Hyperparameters, Tagger
from deptrees.training import ON_ERROR, subsample
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    ArcStandardSwap,
    Attardi,
    Constraints,
    EasyFirst,
    OracleNotDefined,
    StackBufferSystem,
    System,
    Transition,
    dynamic_oracle,
    nondeterministic_oracle,
    static_oracle,
)
from deptrees.transition.configuration import Label
from deptrees.transition.oracles import BY_NAME
from deptrees.transition.systems.registry import UnknownSystem
from deptrees.treebanks.columns import Columns
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))


def test_the_default_parser_learns_its_training_data_and_more(parser: Parser) -> None:
    assert evaluate(TRAIN, parser.parse(TRAIN)).uas > 0.9
    assert evaluate(DEV, parser.parse(DEV)).las > 0.6


@pytest.mark.parametrize(
    ("system", "oracle"),
    [
        (ArcStandard(), static_oracle),
        (ArcStandard(root="last"), dynamic_oracle),
        (ArcHybrid(), dynamic_oracle),
        (ArcHybrid(root="last"), dynamic_oracle),
        (ArcEager(), static_oracle),
        (ArcEager(root="last"), dynamic_oracle),
    ],
)
def test_every_system_learns(system: StackBufferSystem, oracle: Any) -> None:
    parser = Parser.train(TRAIN, system, oracle)
    assert evaluate(TRAIN, parser.parse(TRAIN)).las > 0.85


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("system", [ArcEager(root="last"), EasyFirst()], ids=repr)
def test_labels_can_be_chosen_with_transitions(system: System, beam: int, tmp_path: Path) -> None:
    trees = TRAIN[:2]
    parser = Parser.train(trees, system, epochs=6, beam=beam, joint=True)
    assert parser.model.shape.joint
    assert evaluate(trees, parser.parse(trees)).las > 0.85
    parser.save(tmp_path / "model")
    assert list(Parser.load(tmp_path / "model").parse(DEV[:3])) == list(parser.parse(DEV[:3]))


def test_the_same_seed_gives_the_same_parser() -> None:
    parsers = [Parser.train(TRAIN[:10], epochs=2, seed=seed) for seed in (4, 4, 5)]
    weights = [parser.model.part().arrays["transitions"] for parser in parsers]
    assert (weights[0] == weights[1]).all()
    assert (weights[0] != weights[2]).any()


@pytest.mark.parametrize(
    ("system", "oracle", "options"),
    [
        (ArcEager(root="last"), dynamic_oracle, {"epochs": 3, "seed": 7}),
        (ArcHybrid(), dynamic_oracle, {"epochs": 2, "dev": DEV[:3]}),
        (Attardi(3), static_oracle, {"epochs": 1, "beam": 3, "update": "early", "restart": False}),
        slow(Attardi(3), static_oracle, {"epochs": 2, "beam": 3, "update": "early", "restart": False, "joint": True}),
        (ArcHybrid(), dynamic_oracle, {"epochs": 3, "subsample": 0.5, "beam": 2}),
        (ArcStandard(), static_oracle, {"epochs": 3, "subsample": 0.5}),
        (ArcHybrid(), dynamic_oracle, {"epochs": 3, "exploration": (0, 0.5), "on_error": "aggressive"}),
        (EasyFirst(), dynamic_oracle, {"epochs": 2, "exploration": (0.3, 0.6), "on_error": "early"}),
        (ArcHybrid(), dynamic_oracle, {"epochs": 2, "beam": 2, "update": "max_violation_from_error", "time_limit": 4}),
        (EasyFirst(), dynamic_oracle, {"epochs": 2, "subsample": 0.5}),
        (EasyFirst(), nondeterministic_oracle, {"epochs": 2, "templates": Templates(["s0.upos+b0.upos", "s0.form"])}),
        (ArcEager(), dynamic_oracle, {"epochs": 2, "templates": DELEXICALIZED.with_clusters({"the": "1"})}),
    ],
    ids=lambda value: repr(value) if isinstance(value, System) else "",
)
@pytest.mark.parametrize("count", [3, slow(10)])
def test_training_is_repeated_from_saved_settings(
    system: System, oracle: Any, options: Any, count: int, tmp_path: Path
) -> None:
    trees = TRAIN[:count]
    parser = attrs.evolve(Parser.train(trees, system, oracle, **options), calibration=None)  # which is not training
    parser.save(tmp_path / "first")
    settings = Parser.load(tmp_path / "first").settings
    assert settings is not None
    assert settings == parser.settings
    Parser.train(trees, **settings.arguments()).save(tmp_path / "second")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


@pytest.mark.parametrize(
    ("system", "beam"), [(ArcEager(root="last"), 1), (ArcEager(root="last"), 2), (EasyFirst(), 1), slow(EasyFirst(), 2)]
)
def test_a_rate_of_exploration_is_a_schedule_that_begins_with_the_second_epoch(system: System, beam: int) -> None:
    def weights(exploration: float | tuple[float, ...]) -> Any:
        trees = TRAIN[:4] if isinstance(system, StackBufferSystem) else TRAIN[:2]
        model = train(trees, system, epochs=3, beam=beam, exploration=exploration, bits=(12, 10))
        return next(iter(model.part().arrays.values()))

    expected = weights(0.9)
    assert (weights((0, 0.9)) == expected).all()
    assert (weights((0, 0.9, 0.9, 0.1)) == expected).all()
    assert (weights((1, 0.9)) != expected).any()


@pytest.mark.parametrize("system", [ArcEager(root="last"), EasyFirst()], ids=repr)
def test_training_stays_or_leaves_after_an_error_if_that_is_asked_for(system: System) -> None:
    steps = {}
    for on_error in ON_ERROR:
        epochs: list[Epoch] = []
        Parser.train(TRAIN[:4], system, epochs=1, on_error=on_error, on_epoch=epochs.append)
        steps[on_error] = epochs[0].steps
    assert steps["early"] < steps["go_on"] < steps["aggressive"]


FEW = Templates(["s0.upos+b0.upos", "s1.upos+s0.upos", "s0.deprel"])
MORE = Templates(["s0.form+b0.form", *reversed([*FEW])])


@pytest.mark.parametrize(
    ("system", "joint"), [(ArcEager(root="last"), False), (ArcEager(root="last"), True), (EasyFirst(), True)]
)
def test_training_goes_on_with_what_was_learnt(system: System, joint: bool, tmp_path: Path) -> None:
    count = 40 if isinstance(system, StackBufferSystem) else 8
    trees, others, bits = TRAIN[:count], TRAIN[:count][::2], (14, 12)
    Parser(train(trees, system, FEW, epochs=3, joint=joint, bits=bits)).save(tmp_path / "model")
    start = Parser.load(tmp_path / "model")
    before = list(start.parse(DEV[:5]))
    epochs: list[Epoch] = []
    options: dict[str, Any] = {"epochs": 1, "joint": joint, "bits": bits, "on_epoch": epochs.append}
    models = [train(others, system, MORE, start=one, **options) for one in (start.model, None)]
    assert epochs[0].errors < epochs[1].errors
    assert evaluate(others, Parser(models[0]).parse(others)).las > evaluate(others, start.parse(others)).las
    assert list(start.parse(DEV[:5])) == before


@pytest.mark.parametrize("joint", [True, False])
def test_labels_that_are_new_are_added(joint: bool) -> None:
    renamed = [tree.reattach(tree.heads, [f"{label}:new" for label in tree.labels]) for tree in TRAIN[:5]]
    first = Trainer(TRAIN[5:20], joint=joint, bits=(12, 10))
    first.epoch()
    start = first.model()
    trainer = Trainer(renamed, joint=joint, start=start)
    tables = start.tables_for(trainer.shape)
    for label in start.shape.labels:
        columns = [shape.labels.index(label) for shape in (trainer.shape, start.shape)]
        if joint:
            columns = [
                shape.classes.index((0, column))
                for shape, column in zip((trainer.shape, start.shape), columns, strict=True)
            ]
        assert (tables[not joint][:, columns[0]] == start.arrays[not joint][:, columns[1]]).all()
    epochs = [trainer.epoch() for _ in range(4)]
    assert epochs[-1].errors < epochs[0].errors
    parser = Parser(trainer.model())
    assert set(parser.labels) == {*start.shape.labels, *(label for tree in renamed for label in tree.labels)}
    assert evaluate(renamed, parser.parse(renamed)).las > 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"system": ArcHybrid()}, "parses with ArcEager"),
        ({"joint": True}, "give the same joint="),
        ({"templates": MORE}, "include all of its templates"),
    ],
)
def test_a_parser_that_cannot_be_gone_on_from_is_told(parser: Parser, options: Any, message: str) -> None:
    with pytest.raises(TrainingError, match=message):
        Parser.train(TRAIN[:3], start=parser, **{"joint": False, **options})


def test_step_by_step_the_labels_are_those_of_the_parser_to_go_on_from() -> None:
    trees = [tree.reattach(tree.heads, ["same"] * len(tree)) for tree in TRAIN[:2]]
    start = Parser.train(trees, EasyFirst(), epochs=1)
    with pytest.raises(TrainingError, match=r"does not know these labels: .*nsubj"):
        Parser.train(TRAIN[:4], EasyFirst(), epochs=1, start=start)
    assert Parser.train(trees, EasyFirst(), epochs=1, start=start).labels == ("same",)


def test_the_result_does_not_depend_on_the_number_of_threads(parser: Parser) -> None:
    assert list(parser.parse(DEV, threads=3)) == list(parser.parse(DEV))


def test_saving_keeps_root_position(tmp_path: Path) -> None:
    Parser.train(TRAIN[:5], ArcHybrid(root="last"), epochs=1).save(tmp_path / "model")
    assert Parser.load(tmp_path / "model").system == ArcHybrid(root="last")


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    text, foreign = tmp_path / "text", tmp_path / "foreign"
    text.write_text("not a model")
    save_file({}, foreign)
    with pytest.raises(ModelError, match="not a model file"):
        Parser.load(text)
    with pytest.raises(ModelError, match="not a model of this version"):
        Parser.load(foreign)
    with pytest.raises(FileNotFoundError):
        Parser.load(tmp_path / "nothing")


class Mine(ArcHybrid):
    """A system of a user's own."""


class MineStepByStep(EasyFirst):
    """One that the engine does not run."""


@pytest.mark.parametrize("system", [Mine(root="last"), MineStepByStep()], ids=repr)
def test_parsers_with_own_systems_are_saved_and_loaded_with_the_system(system: System, tmp_path: Path) -> None:
    parser = Parser.train(TRAIN[:3], system, epochs=1)
    parser.save(tmp_path / "model")
    loaded = Parser.load(tmp_path / "model", system=system)
    assert loaded.settings == parser.settings
    assert list(loaded.parse(DEV[:3])) == list(parser.parse(DEV[:3]))
    for other in (None, Mine(), ArcHybrid(root="last")):
        with pytest.raises(ModelError, match=re.escape(f"pass it when you load the model, as system={system}")):
            Parser.load(tmp_path / "model", system=other)


def test_a_system_of_the_library_need_not_be_told(tmp_path: Path) -> None:
    Parser.train(TRAIN[:5], ArcHybrid(root="last"), epochs=1).save(tmp_path / "model")
    assert Parser.load(tmp_path / "model", system=ArcHybrid(root="last")).system == ArcHybrid(root="last")
    for other in (ArcHybrid(), Mine(root="last")):
        with pytest.raises(ModelError, match=r"trained with ArcHybrid\(root='last'\), not with"):
            Parser.load(tmp_path / "model", system=other)


def test_treebanks_without_labels_train_unlabeled_parsers() -> None:
    bare = [tree.reattach(tree.heads, [None] * len(tree)) for tree in TRAIN]
    parser = Parser.train(bare, epochs=2)
    assert parser.labels == ()
    assert set(next(parser.parse(DEV)).labels) == {None}


ANNOTATIONS = {
    "partial": [
        tree.reattach(
            [None if position % 3 == 0 else head for position, head in enumerate(tree.heads)],
            [None if position % 3 == 0 else label for position, label in enumerate(tree.labels)],
        )
        for tree in TRAIN
    ],
    "subsampled": [subsample(tree, 0.7, Random(number)) for number, tree in enumerate(TRAIN)],
    "crossing": [tree for tree in TRAIN if not is_projective(tree)],
}


@pytest.mark.parametrize("beam", [1, 8])
@pytest.mark.parametrize("annotation", ANNOTATIONS)
def test_every_kind_of_annotation_teaches(annotation: str, beam: int) -> None:
    trees, epochs = ANNOTATIONS[annotation], list[Epoch]()
    parser = Parser.train(trees, epochs=4, beam=beam, on_epoch=epochs.append)
    assert {(epoch.sentences, epoch.skipped) for epoch in epochs} == {(len(trees), 0)}
    assert None not in parser.labels
    gold = trees if annotation == "crossing" else TRAIN
    assert evaluate(gold, parser.parse(gold)).uas > 0.7


@pytest.mark.parametrize(("beam", "epochs"), [(1, 12), (4, 8)])
def test_a_part_of_each_sentence_at_a_time_teaches(beam: int, epochs: int) -> None:
    found: dict[float, list[Epoch]] = {1.0: [], 0.3: []}
    for share, seen in found.items():
        parser = Parser.train(TRAIN[:30], epochs=epochs, beam=beam, subsample=share, on_epoch=seen.append)
        assert evaluate(TRAIN[:30], parser.parse(TRAIN[:30])).uas > 0.85
    assert found[0.3][0].errors < found[1.0][0].errors  # where there is no head there is no error


@pytest.mark.parametrize("system", [ArcEager(), EasyFirst()], ids=repr)
@pytest.mark.parametrize("share", [0, -1, 1.5, float("nan")])
def test_a_share_of_the_heads_is_more_than_none_and_at_most_all(system: System, share: float) -> None:
    with pytest.raises(ValueError, match=r"subsample is the share .* more than 0 and at most 1, not"):
        Parser.train(TRAIN, system, subsample=share)


def test_the_best_epoch_on_the_development_data_is_kept() -> None:
    epochs: list[Epoch] = []
    parser = Parser.train(TRAIN, dev=DEV, epochs=4, on_epoch=epochs.append)
    scores = [epoch.scores.las for epoch in epochs if epoch.scores]
    assert len(scores) == 4
    assert evaluate(DEV, parser.parse(DEV)).las == max(scores)


def test_epochs_are_reported_with_what_was_skipped() -> None:
    epochs: list[Epoch] = []
    Parser.train(TRAIN, oracle=static_oracle, epochs=2, on_epoch=epochs.append)
    assert [(epoch.number, epoch.sentences + epoch.skipped) for epoch in epochs] == [(1, len(TRAIN)), (2, len(TRAIN))]
    assert all(epoch.skipped > 0 and epoch.steps > epoch.errors > 0 for epoch in epochs)


def test_nothing_to_learn_from_is_an_error() -> None:
    crossing = DependencyTree([(3, "a"), (4, "b"), (0, "c"), (3, "d")])
    for treebank in ([], [crossing], [DependencyTree([])], [DependencyTree([(None, "a")])]):
        for system in "arc-eager", "easy-first":
            with pytest.raises(TrainingError, match="nothing to learn from"):
                Parser.train(treebank, system, oracle=static_oracle)
    with pytest.raises(TrainingError, match="there are no templates"):
        Parser.train(TRAIN, templates=Templates([]))
    for dev in ([], [DependencyTree([])], [DependencyTree([(None, "a")])]):
        with pytest.raises(EvaluationError, match="nothing to evaluate on"):
            Parser.train(TRAIN, dev=dev)
    with pytest.raises(ValueError, match="epochs is a whole number, 1 or more, not 0"):
        Parser.train(TRAIN, epochs=0)


@pytest.mark.parametrize(
    "name", ["epochs", "seed", "beam", "time_limit", "subsample", "exploration", "templates", "start"]
)
def test_what_an_option_cannot_be_is_told_with_its_name(name: str) -> None:
    options: dict[str, Any] = {name: "2"}
    with pytest.raises(TypeError, match=rf"^{name} is an? .* not '2'"):
        Parser.train(TRAIN[:2], **options)


@pytest.mark.parametrize("name", ["beam", "threads", "k"])
def test_numbers_that_are_to_be_whole_are_not_rounded(name: str, parser: Parser) -> None:
    options: dict[str, Any] = {"k": 1, name: 2.5}
    with pytest.raises(TypeError, match=rf"^{name} is a whole number, not 2.5"):
        parser.k_best(DEV, **options)


def test_templates_are_chosen_and_saved(tmp_path: Path) -> None:
    templates = Templates(["s0.upos+b0.upos", "s0.form+b0.form"])
    parser = Parser.train(TRAIN, epochs=2, templates=templates)
    assert parser.templates == templates
    parser.save(tmp_path / "model")
    assert list(Parser.load(tmp_path / "model").parse(DEV)) == list(parser.parse(DEV))


def test_a_beam_parses(parser: Parser) -> None:
    assert evaluate(TRAIN, parser.parse(TRAIN, beam=4)).uas > 0.8


def mine(cfg: Any, tree: DependencyTree, label: Label) -> tuple[Transition, ...]:
    """An oracle of a user's own."""
    return nondeterministic_oracle(cfg, tree, label)


def test_own_oracle_functions_teach_step_by_step(tmp_path: Path) -> None:
    trees = [tree for tree in TRAIN if is_projective(tree)][:3]
    parser = Parser.train(trees, oracle=mine, epochs=6)
    assert evaluate(trees, parser.parse(trees)).las > 0.8
    parser.save(tmp_path / "model")
    settings = Parser.load(tmp_path / "model").settings
    assert settings == parser.settings
    assert settings is not None
    with pytest.raises(OracleNotDefined, match=r"there is no oracle 'tests.test_parser.mine'; choose one of static"):
        Parser.train(trees, **settings.arguments())
    assert Parser.train(trees, **{**settings.arguments(), "oracle": mine}).settings == settings


@pytest.mark.parametrize("name", BY_NAME)
def test_oracles_are_functions_or_their_names(name: str) -> None:
    system = ArcStandardSwap() if name in ("static_lazy_swap", "approximate_dynamic") else ArcEager(root="last")
    parsers = [Parser.train(TRAIN[:2], system, oracle, epochs=2) for oracle in (name, BY_NAME[name])]
    assert parsers[0].settings == parsers[1].settings
    [first, second] = [parser.model.part().arrays for parser in parsers]
    assert all((first[key] == second[key]).all() for key in first)


@pytest.mark.parametrize(
    ("options", "error", "cure"),
    [
        ({"treebank": "train.conllu"}, TypeError, r"Treebank\(path\)"),
        ({"treebank": 3}, TypeError, r"Treebank\(path\)"),
        ({"treebank": [["Birds", "sing"]]}, TypeError, "iterable of trees"),
        ({"treebank": TRAIN[0]}, TypeError, r"give \[tree\]"),
        ({"oracle": "magic"}, OracleNotDefined, "choose one of static, "),
        ({"oracle": 3}, TypeError, "such as dynamic_oracle, or a name"),
        ({"system": "arc-magic"}, UnknownSystem, "choose one of ArcEager, "),
        ({"system": 3}, TypeError, r"such as ArcEager\(\), or a name, such as 'arc-eager'"),
        ({"dev": "dev.conllu"}, TypeError, r"Treebank\(path\)"),
        ({"exploration": 1.5}, ValueError, "from 0 to 1"),
        ({"exploration": ()}, ValueError, "from 0 to 1"),
        ({"exploration": (0, 2)}, ValueError, "from 0 to 1"),
        ({"on_error": "stop"}, ValueError, "choose one of go_on, early, aggressive"),
        ({"time_limit": 0}, ValueError, "time_limit is a whole number, 1 or more, not 0"),
        ({"beam": 100}, ValueError, "beam"),
    ],
)
def test_what_training_cannot_take_is_told_with_the_cure(options: Any, error: type[Exception], cure: str) -> None:
    with pytest.raises(error, match=cure):
        Parser.train(**{"treebank": TRAIN, **options})


@pytest.mark.parametrize("system", [ArcHybrid, "arc-hybrid", EasyFirst, "EasyFirst"])
def test_systems_are_taken_by_class_and_by_name(system: Any) -> None:
    kind = ArcHybrid if "ybrid" in str(system) else EasyFirst
    parser = Parser.train(TRAIN[:3], system, epochs=1)
    assert parser.system == kind()
    assert parser.settings == Parser.train(TRAIN[:3], kind(), epochs=1).settings
    model = train(TRAIN[:3], system, epochs=1)
    assert model.shape.system == kind()
    [ours, theirs] = [next(batches(TRAIN[:3], one, model=model)).taken for one in (system, kind())]
    assert (ours == theirs).all()


def test_a_treebank_may_be_columns() -> None:
    columns, trees = [Parser.train(treebank, epochs=1) for treebank in (Columns.encode(TRAIN), iter(TRAIN))]
    assert list(columns.parse(DEV)) == list(trees.parse(DEV))


def test_impossible_beams_and_threads_are_told_at_once(parser: Parser) -> None:
    for threads, beam in ((1, 65), (1, 0), (0, 1)):
        with pytest.raises(ValueError, match=r"(beam|threads) is a whole number, "):
            parser.parse(DEV, threads, beam)


def test_parsed_trees_have_a_single_root_unless_another_system_is_chosen(parser: Parser) -> None:
    assert {len(tree.roots) for tree in parser.parse([*TRAIN, *DEV])} == {1}


def test_signatures_and_records_are_short(parser: Parser) -> None:
    for function in (Parser.train, batches, train, Trainer):
        assert len(str(inspect.signature(function))) < 1000
    assert len(repr(parser.settings)) < 300
    assert repr(Templates(["b0.cluster"], {"a": "1"})) == "Templates(1 templates, 1 clusters)"


def test_a_missing_oracle_is_an_error_that_names_the_others() -> None:
    class WithoutDynamicOracle(StackBufferSystem):
        rows = ArcStandard.rows
        final = ArcStandard.final

    with pytest.raises(OracleNotDefined, match="it has: static"):
        Parser.train(TRAIN, WithoutDynamicOracle())
    with pytest.raises(TrainingError, match="no oracle that can do without some heads"):
        Parser.train(TRAIN, WithoutDynamicOracle(), static_oracle, subsample=0.5)


def test_a_parser_with_a_tagger_parses_words_alone(parser: Parser, tagger: Tagger, tmp_path: Path) -> None:
    parser = attrs.evolve(parser, tagger=tagger)
    words = [[token.form for token in tree] for tree in DEV]
    parsed = list(parser.parse(words))
    assert tag_accuracy(DEV, parsed) > 0.8
    assert evaluate(DEV, parsed).las > 0.5
    parser.save(tmp_path / "model")
    assert list(Parser.load(tmp_path / "model").parse(words)) == parsed
    assert list(Tagger.load(tmp_path / "model").tag(words)) == list(tagger.tag(words))


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *[("plain", {}), ("plain", {"threads": 3}), ("plain", {"beam": 2}), ("tagger", {}), ("partial", {})],
        *[slow("tagger", {"threads": 3}), slow("tagger of FEATS", {}), slow("step by step", {"threads": 2})],
    ],
)
def test_files_are_parsed_as_their_trees_are(
    kind: str, options: Any, parser: Parser, tagger: Tagger, tmp_path: Path
) -> None:
    if kind == "tagger":
        parser = attrs.evolve(parser, tagger=tagger)
    elif kind == "tagger of FEATS":
        hyperparameters = Hyperparameters(column="feats")
        own = Tagger.train(sample_treebank("train"), epochs=1, hyperparameters=hyperparameters)
        parser = attrs.evolve(parser, tagger=own)
    elif kind != "plain":
        system = "ArcEagerPartial" if kind == "partial" else "EasyFirst"
        parser = Parser.train(TRAIN[:10], system, epochs=1)
    treebank, parsed = sample_treebank("dev"), tmp_path / "parsed.conllu.gz"
    parser.parse_file(treebank, parsed, **options)
    expected = [*parser.parse(treebank, **options)]
    assert [*Treebank(parsed)] == expected
    text = "".join(map(to_conllu, expected)).encode()
    assert gzip.decompress(parsed.read_bytes()) == text
    assert parser.parse_bytes(Path(treebank.paths[0]).read_bytes(), **options) == text


@pytest.mark.parametrize("threads", [1, 2])
def test_what_comes_before_an_error_is_parsed_and_no_file_is_written(
    threads: int, parser: Parser, tmp_path: Path
) -> None:
    source = tmp_path / "bad.conllu"
    source.write_bytes(Path(sample_treebank("dev").paths[0]).read_bytes() + b"1\tGo\n\n")
    texts = parser.parse_texts(Treebank(source).arriving_texts(), threads)
    found: list[bytes] = []
    with pytest.raises(ConlluError, match=r"bad.conllu:.*expected 10 columns, found 2"):
        found.extend(texts)
    assert b"".join(found).count(b"\n\n") == 16
    with pytest.raises(ConlluError):
        parser.parse_file(source, tmp_path / "parsed.conllu", threads)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.conllu"]


def test_a_text_that_is_not_bytes_is_told_so(parser: Parser) -> None:
    with pytest.raises(TypeError, match=r"give bytes, such as those of text.encode\(\)"):
        parser.parse_bytes("1\tGo")  # type: ignore[arg-type]


def test_k_best_gives_different_trees_lazily_and_the_best_one_first(parser: Parser) -> None:
    found = parser.k_best(iter(DEV), 5)
    first = next(found)
    everything = [first, *found]
    assert len(everything) == len(DEV)
    for scored in everything:
        assert 1 <= len(scored) <= 5
        assert len({(tree.heads, tree.labels) for tree, _ in scored}) == len(scored)
        assert [score for _, score in scored] == sorted((score for _, score in scored), reverse=True)
    assert [scored[0].tree for scored in everything] == list(parser.parse(DEV, beam=5))
    assert parser.k_best(DEV[0], 5) == first
    assert [scored[0].tree for scored in parser.k_best(DEV, 1, beam=1)] == list(parser.parse(DEV))
    assert list(parser.k_best(DEV, 4, threads=3)) == list(parser.k_best(DEV, 4))


@pytest.mark.parametrize(("k", "beam"), [(0, None), (65, None), (1, 65)])
def test_impossible_numbers_of_trees_are_told_at_once(parser: Parser, k: int, beam: int | None) -> None:
    with pytest.raises(ValueError, match=r"(k|beam) is a whole number, "):
        parser.k_best(DEV, k, beam=beam)


def test_probabilities_are_written_into_misc(parser: Parser, tmp_path: Path) -> None:
    calibrated = parser.calibrate(DEV)
    trees = [attrs.evolve(tree, tokens=[token.with_misc({"SpaceAfter": "No"}) for token in tree]) for tree in DEV]
    found = list(calibrated.parse(trees, confidence=True))
    for tree, plain in zip(found, parser.parse(DEV), strict=True):
        assert (tree.heads, tree.labels) == (plain.heads, plain.labels)
        for token in tree:
            values = token.misc_values
            assert list(values) == ["SpaceAfter", "HeadConfidence", "Confidence"]
            assert 0 <= float(values["Confidence"]) <= float(values["HeadConfidence"]) <= 1
    assert list(calibrated.parse(found, confidence=True)) == found
    assert reliability(DEV, found).expected_calibration_error < 0.1
    write_treebank(tmp_path / "parsed.conllu", found)
    assert reliability(DEV, Treebank(tmp_path / "parsed.conllu"), labeled=True).count == sum(map(len, DEV))
    calibrated.save(tmp_path / "model")
    loaded = Parser.load(tmp_path / "model")
    assert loaded.calibration == calibrated.calibration
    assert list(loaded.parse(trees, confidence=True)) == found


@pytest.mark.parametrize(("system", "beam"), [(EasyFirst(), 2), (ArcHybrid(), 4)], ids=repr)
@pytest.mark.parametrize("labels", [True, False])
def test_every_parser_can_be_calibrated(system: System, beam: int, labels: bool) -> None:
    trees = [tree if labels else tree.reattach(tree.heads, [None] * len(tree)) for tree in TRAIN[:3]]
    parser = Parser.train(trees, system, epochs=1, beam=beam, dev=trees)
    [tree] = parser.parse(trees[:1], confidence=True)
    assert ("Confidence" in tree[1].misc_values) == labels
    assert "HeadConfidence" in tree[1].misc_values


def test_what_is_known_is_certain(parser: Parser) -> None:
    def known(tree: DependencyTree) -> Constraints:
        return Constraints(heads={3: tree.heads[2] or 0}, labels={1: tree.labels[0] or ""})

    trees = list(filter(is_projective, DEV))
    calibrated = parser.calibrate(trees, constraints=known)
    for tree in calibrated.parse(trees, constraints=known, confidence=True):
        sure = [(token.misc_values["HeadConfidence"], token.misc_values["Confidence"]) for token in tree]
        assert sure[2][0] == "1.0000" > sure[2][1]
        assert sure[0][0] == sure[0][1] < "1.0000"
        assert all(one < "1.0000" for one, _ in sure[3:])


@pytest.mark.parametrize("constraints", [{"heads": {1: 4}}, {"heads": {1: (2, 4)}, "spans": [(2, 3)]}])
@pytest.mark.parametrize("system", [ArcEager(root="last"), EasyFirst()], ids=repr)
def test_the_k_best_trees_obey(system: System, constraints: Any) -> None:
    known = Constraints(**constraints)
    parser = Parser.train(TRAIN[:3], system, epochs=1)
    found = list(parser.k_best(DEV[:2], k=3, beam=8, constraints=lambda _: known))
    assert max(map(len, found)) > 1
    assert not any(known.broken_by(tree.heads) for trees in found for tree, _ in trees)
    [parsed] = parser.parse(DEV[:1], beam=8, constraints=lambda _: known)
    assert parsed == found[0][0].tree


@pytest.mark.parametrize(("system", "epochs"), [(ArcEager(root="last"), 3), (EasyFirst(), 6)])
def test_templates_see_what_is_known(system: System, epochs: int) -> None:
    def first_label(tree: DependencyTree) -> Constraints:
        return Constraints(labels={1: tree.labels[0] or ""})

    # A word has the label that is known of the one before.
    trees = [DependencyTree([(2, "a", label), (0, "b", label)]) for label in "xyz" * 4]
    blind = Templates(["s0.form+b0.form"])
    seeing = Templates([*blind, *(f"{word}.misc.KnownLabel" for word in ("s0", "b0", "s0.left", "b0.left"))])
    las = []
    for templates in (blind, seeing):
        seen: list[Epoch] = []
        options: Any = {"epochs": epochs, "dev": trees, "on_epoch": seen.append}
        parser = Parser.train(trees, system, templates=templates, constraints=first_label, **options)
        parsed = list(parser.parse(trees, constraints=first_label))
        assert [tree.words for tree in parsed] == [tree.words for tree in trees]  # MISC stays as it was
        assert evaluate(trees, parsed) in [epoch.scores for epoch in seen]
        las.append(evaluate(trees, parsed).las)
    assert las[0] < las[1] == 1


def test_constraints_are_asked_of_trees() -> None:
    with pytest.raises(TypeError, match="as trees, not as columns"):
        Parser.train(Columns.encode(TRAIN), constraints=Constraints.given)


def test_probabilities_that_nobody_knows_are_not_told(parser: Parser) -> None:
    with pytest.raises(NotCalibrated, match=r"train it with development data .* or call parser.calibrate"):
        parser.parse(DEV, confidence=True)
    with pytest.raises(TrainingError, match="no word has a head to be found"):
        parser.calibrate(filter(is_projective, DEV), constraints=Constraints.given)
    blind = [tree.reattach([None] * len(tree), [None] * len(tree)) for tree in DEV]
    with pytest.raises(TrainingError, match="nothing to calibrate the parser on"):
        parser.calibrate(blind)
