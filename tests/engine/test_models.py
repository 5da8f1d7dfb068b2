"""Models of the engine: how they are learned, kept and parsed with."""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.engine import Model, ModelSpec, Trainer, batches, core
from deptrees.features import DELEXICALIZED, ZHANG_NIVRE, Templates
from deptrees.files.models import ModelError
from deptrees.training import Epoch, LinearOptions
from deptrees.transition import (
    ArcEager,
    ArcEagerPartial,
    ArcHybrid,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    Oracle,
    StackBufferSystem,
    static_oracle,
)
from deptrees.treebanks.columns import Columns
from tests.engine.engine import in_stack_and_buffer, train
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))


@pytest.mark.parametrize(
    ("system", "oracle", "joint"),
    [
        (ArcEager(), "dynamic", False),
        (ArcEager(), "dynamic", True),
        (ArcEager(root="none"), "dynamic", False),
        (ArcEagerPartial(), "static_prefer_shift", False),
        (ArcHybrid(root="last"), "dynamic", False),
        (ArcStandard(), "nondeterministic", True),
        (ArcStandard(root="last"), "dynamic", False),
        (ArcStandardSwap(), "static", False),
        (ArcStandardSwap(), "static_lazy_swap", False),
        (ArcHybridSwap(), "static_dynamic", False),
    ],
)
def test_every_system_learns(system: StackBufferSystem, oracle: str, joint: bool) -> None:
    columns = Columns.encode(TRAIN)
    model = train(columns, system=system, oracle=oracle, joint=joint, bits=(18, 16), epochs=8)
    heads, labels = model.parse(columns)
    right = heads == columns.heads
    gold = [model.spec.labels.index(columns.vocabularies["deprel"][number]) for number in columns.labels]
    assert right.mean() > 0.9
    assert (right & (labels == gold)).mean() > 0.88


def test_epochs_are_reported() -> None:
    epochs: list[Epoch] = []
    train(Columns.encode(TRAIN), system=ArcEager(), oracle="static", epochs=2, on_epoch=epochs.append)
    assert [(epoch.number, epoch.sentences + epoch.skipped) for epoch in epochs] == [(1, len(TRAIN)), (2, len(TRAIN))]
    assert all(epoch.skipped > 0 and epoch.steps > epoch.errors > 0 for epoch in epochs)


def test_the_same_seed_gives_the_same_model() -> None:
    columns = Columns.encode(TRAIN)
    models = [train(columns, system=ArcEager(), epochs=2, bits=(14, 12), seed=seed) for seed in (1, 1, 2)]
    assert (models[0].arrays[0] == models[1].arrays[0]).all()
    assert (models[0].arrays[0] != models[2].arrays[0]).any()


def test_averages_are_those_of_all_steps() -> None:
    system, templates = ArcHybrid(), Templates(["s0.form", "b0.form+s1.upos"])
    tree = TRAIN[0].reattach(TRAIN[0].heads, [None] * len(TRAIN[0]))
    trainer = Trainer(
        Columns.encode([tree]), LinearOptions(system=system, templates=templates, oracle="static"), bits=(20, 4)
    )
    trainer.epoch()
    model = trainer.model()
    space = system.transition_space()
    weights: dict[int, Any] = defaultdict(lambda: np.zeros(len(space)))
    sums: dict[int, Any] = defaultdict(lambda: np.zeros(len(space)))
    steps = list(Oracle(system, static_oracle)(tree).steps())
    for step in steps:
        features = templates.hashes(in_stack_and_buffer(step.config))
        total = sum(weights[feature] for feature in features)
        predicted = max((space.index(t) for t in step.possible), key=lambda row: total[row])
        if space[predicted] != step.taken:
            for feature in features:
                weights[feature][[space.index(step.taken), predicted]] += (1, -1)
        for feature, row in weights.items():
            sums[feature] += row
    for feature, row in sums.items():
        at = feature * 0x9E3779B97F4A7C15 % (1 << 64) >> 44
        assert model.arrays[0][at][: len(space)] == pytest.approx(row / (len(steps) + 1))


def test_treebanks_without_labels_train_unlabeled_models() -> None:
    bare = Columns.encode(tree.reattach(tree.heads, [None] * len(tree)) for tree in TRAIN)
    for joint in (False, True):
        model = train(bare, system=ArcEager(), templates=DELEXICALIZED, epochs=2, joint=joint)
        assert model.spec.labels == ()
        assert set(model.parse(bare)[1].tolist()) == {-1}


def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    model = train(Columns.encode(TRAIN), system=ArcEager(), epochs=2)
    columns = Columns.encode(DEV * 40)
    for beam in (1, 4):
        one, three = model.parse(columns, beam=beam), model.parse(columns, threads=3, beam=beam)
        assert (one[0] == three[0]).all()
        assert (one[1] == three[1]).all()


def test_gold_heads_and_labels_do_not_leak_into_parsing() -> None:
    model = train(Columns.encode(TRAIN), system=ArcEager(), epochs=2)
    blind = Columns.encode(tree.reattach([None] * len(tree), [None] * len(tree)) for tree in DEV)
    for beam in (1, 4):
        for seen, unseen in zip(
            model.parse(Columns.encode(DEV), beam=beam), model.parse(blind, beam=beam), strict=True
        ):
            assert (seen == unseen).all()


@lru_cache(maxsize=1)
def first_table(model: Model) -> Any:
    return model.arrays[0]


def scores(model: Model, cfg: Any) -> Any:
    """The scores of all rows, computed apart from the core."""
    hashes = np.array(model.spec.templates.hashes(cfg), np.uint64)
    rows = hashes * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(64 - model.spec.bits[0])
    return first_table(model)[rows.astype(np.int64)].sum(axis=0, dtype=np.float32)


@pytest.mark.parametrize("system", [ArcHybrid(), ArcEager(root="last"), ArcEagerPartial(), ArcStandardSwap()], ids=repr)
@pytest.mark.parametrize("sentences", [2, slow(None)])
def test_parsing_takes_the_best_derivations(system: StackBufferSystem, sentences: int | None) -> None:
    bare = [tree.reattach(tree.heads, [None] * len(tree)) for tree in TRAIN]
    oracle = "static" if system.oracles.static and isinstance(system, ArcStandardSwap) else "dynamic"
    model = train(
        Columns.encode(bare), system=system, templates=Templates([*ZHANG_NIVRE, "history1"]), epochs=2, oracle=oracle
    )
    short = [DependencyTree(tree.words[:length]) for tree in DEV[:sentences] for length in (1, 2, 3)]
    columns = Columns.encode(short)
    greedy, widest = model.parse(columns)[0], model.parse(columns, beam=64)[0]
    for number, tree in enumerate(short):
        words = slice(columns.offsets[number], columns.offsets[number + 1])
        cfg: Any = system.initial(tree)
        while not cfg.is_final:
            found = scores(model, cfg)
            rows = [row for row, t in enumerate(model.spec.system_code.transitions) if t.is_possible(cfg)]
            cfg = model.spec.system_code.transitions[max(rows, key=lambda row: found[row])](cfg)
        assert greedy[words].tolist() == [-1 if head is None else head for head in cfg.heads]
        _, best = max(finished(model, system.initial(tree), 0.0), key=lambda pair: pair[0])
        assert widest[words].tolist() == [-1 if head is None else head for head in best.heads]


def finished(model: Model, cfg: Any, total: float) -> Iterator[tuple[float, Any]]:
    """The final configurations of all derivations, with their scores."""
    if cfg.is_final:
        yield total, cfg
        return
    found = scores(model, cfg)
    for row, transition in enumerate(model.spec.system_code.transitions):
        if transition.is_possible(cfg):
            yield from finished(model, transition(cfg), total + float(found[row]))


@pytest.mark.parametrize(("threads", "beam"), [(0, 1), (1, 0), (1, 65)])
def test_threads_and_beams_have_limits(threads: int, beam: int) -> None:
    model = train(Columns.encode(TRAIN[:3]), system=ArcHybrid(), epochs=1)
    with pytest.raises(ValueError, match="is a whole number"):
        model.parse(Columns.encode(DEV), threads=threads, beam=beam)


@pytest.mark.parametrize("joint", [False, True])
def test_saved_models_parse_alike(joint: bool, tmp_path: Path) -> None:
    columns = Columns.encode(DEV)
    model = train(Columns.encode(TRAIN), system=ArcHybrid(root="last"), epochs=2, joint=joint, bits=(12, 11))
    model.save(tmp_path / "model")
    loaded = Model.load(tmp_path / "model")
    assert loaded.spec == model.spec
    for ours, theirs in zip(model.parse(columns), loaded.parse(columns), strict=True):
        assert (ours == theirs).all()


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    text, foreign = tmp_path / "text", tmp_path / "foreign"
    text.write_text("not a model")
    save_file({}, foreign)
    with pytest.raises(ModelError, match="not a model file"):
        Model.load(text)
    with pytest.raises(ModelError, match="not a model of this version"):
        Model.load(foreign)


def test_models_of_own_systems_are_loaded_with_the_system(tmp_path: Path) -> None:
    class Mine(ArcHybrid):
        pass

    model = train(Columns.encode(TRAIN[:5]), system=Mine(), epochs=1)
    model.save(tmp_path / "model")
    assert Model.load(tmp_path / "model", Mine()).spec == model.spec
    with pytest.raises(ModelError, match="pass a system of this class when you load the model"):
        Model.load(tmp_path / "model")


def test_tables_have_limits() -> None:
    for bits in ((0, 5), (5, 31)):
        with pytest.raises(ValueError, match="'bits'"):
            ModelSpec(ArcEager(), ZHANG_NIVRE, (), bits=bits)


def test_few_features_share_a_row_of_a_large_table() -> None:
    steps = batches(Columns.encode(TRAIN), ArcEager(), ZHANG_NIVRE)
    features = np.unique(np.concatenate([batch.features.ravel() for batch in steps]))
    _, counts = np.unique(core.rows_of(features.astype(np.uint64) << np.uint64(1), 22), return_counts=True)
    assert len(features) > 10_000
    assert counts[counts > 1].sum() < len(features) / 50


def test_systems_without_a_way_out_are_an_error() -> None:
    class Stuck(StackBufferSystem):
        rows = ArcHybrid.rows[2:]
        final = ArcHybrid.final

    spec = ModelSpec(Stuck(), Templates(["s0.form"]), (), bits=(4, 4))
    arrays = spec.tables()
    with pytest.raises(ValueError, match="no transition is possible"):
        Model.of(spec, *arrays).parse(Columns.encode(DEV))
