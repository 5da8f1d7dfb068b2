from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, Token, Treebank, is_projective, random_projective_tree, sample_treebank
from deptrees.engine import (
    Columns,
    Epoch,
    Model,
    Shape,
    Trainer,
    batches,
    count_collisions,
)
from deptrees.engine import train as train_any
from deptrees.engine.assembly import machine_for, numbers_of
from deptrees.engine.derivations import Derivation
from deptrees.engine.desk import Machine
from deptrees.engine.feature_code import compile_templates
from deptrees.engine.program import Program, compile_program
from deptrees.engine.scoring import read_rows
from deptrees.model_files import ModelError
from deptrees.templates import DELEXICALIZED, MORPHOLOGICAL, ZHANG_NIVRE, Templates
from deptrees.transition import (
    ArcEager,
    ArcEagerPartial,
    ArcHybrid,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    Attardi,
    Configuration,
    Oracle,
    OracleNotDefined,
    StackBufferConfiguration,
    StackBufferSystem,
    Transition,
    dynamic_oracle,
    static_oracle,
    static_oracle_lazy_swap,
)
from deptrees.transition.configuration import typed
from tests.configurations import SYSTEMS, random_tree
from tests.treebanks import TREEBANKS, needs_treebanks

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
SEARCHED = [
    *[ArcStandardSwap(root=root) for root in ("first", "last")],
    ArcHybridSwap(),
    *[Attardi(degree=degree, root=root) for degree in (1, 3) for root in ("first", "last")],
]
"""Systems whose costs are found by search."""
TABLES = [system for system in SYSTEMS if all(row.k is not None for row in system.rows)]
EVERY_SYSTEM = pytest.mark.parametrize("system", [*TABLES, *SEARCHED], ids=repr)
TEMPLATES = Templates(
    [
        *MORPHOLOGICAL,
        "history1",
        "history2+history4",
        "s0.head.left2.right.deprel",
        "b1.right_labels+s2.left_labels",
        "distance(b0,s0.head)",
        "s0.feats.Case+b0.feats",
        "b3.xpos+s4.lemma",
        "s1.right_valency",
        "s0.cluster+b0.cluster+s0.head.cluster",
    ],
    clusters={"u": "1", "v": "2", "w": "1"},
)
LABELS = ("a", "b", "c")


def train(columns: Columns, system: StackBufferSystem, *args: Any, **options: Any) -> Model:
    """A model of the engine."""
    model = train_any(columns, system, *args, **options)
    assert isinstance(model, Model)
    return model


def sentences(count: int, seed: int, longest: int = 12) -> list[DependencyTree]:
    """Projective, non-projective and partially annotated trees over words with all columns."""
    rng = Random(seed)
    trees = []
    for number in range(count):
        n = rng.randint(1, longest)
        tree = random_projective_tree(n, rng) if number % 2 else random_tree(n, rng)
        known = 1.0 if number % 3 else 0.7
        trees.append(
            DependencyTree(
                Token(
                    rng.choice("uvwxyz"),
                    head if rng.random() < known else None,
                    rng.choice([*LABELS, None]),
                    lemma=rng.choice([None, "l", "m"]),
                    upos=rng.choice("NVAD"),
                    xpos=rng.choice([None, "n", "v"]),
                    feats=rng.choice([None, "Case=Nom", "Case=Acc|Number=Sing", "Person=1"]),
                )
                for head in tree.heads
            )
        )
    return trees


class Walk:
    """A derivation in the engine and the same one in the functional layer."""

    def __init__(
        self, system: StackBufferSystem, tree: DependencyTree, derivation: Derivation, program: Program
    ) -> None:
        self.cfg: Any = system.initial(tree)
        self.tree, self.engine, self.rows = tree, derivation, program.transitions
        self.history: list[Transition] = []

    def take(self, row: int, label: int) -> None:
        kind = self.rows[row]
        transition: Any = kind
        if self.cfg.dependent(kind) is not None:
            transition = type(kind)(LABELS[label] if label >= 0 else None, k=kind.k)  # type: ignore[call-arg, attr-defined]
        self.cfg = transition(self.cfg)
        self.history.append(transition)
        self.engine.take(row, label if self.cfg.heads and transition != kind else -1)

    def bits(self, transitions: Any) -> int:
        """Transitions, with or without labels, as bits of rows."""
        found = transitions if isinstance(transitions, tuple) else (transitions,)
        bare = {type(one)(k=one.k) if hasattr(one, "k") else one for one in found}
        return sum(1 << number for number, row in enumerate(self.rows) if row in bare)


def walks(system: StackBufferSystem, trees: list[DependencyTree], seed: int, astray: float = 1.0) -> Iterator[Walk]:
    """Walks, at each of their configurations: as often as ``astray`` says in any direction, and else towards gold."""
    rng = Random(seed)
    columns = Columns.encode(trees)
    program, features = compile_program(system), compile_templates(TEMPLATES)
    machine: Machine = machine_for(system, program, features, columns)
    data = numbers_of(columns, program, features, LABELS)
    for number, tree in enumerate(trees):
        walk = Walk(system, tree, Derivation(machine, data, number), program)
        yield walk
        while not walk.cfg.is_final:
            rows = walk.engine.possible() if rng.random() < astray else walk.engine.gold("dynamic")
            walk.take(rng.choice([row for row in range(32) if rows >> row & 1]), rng.randrange(-1, len(LABELS)))
            yield walk


@EVERY_SYSTEM
def test_configurations_and_possible_transitions_are_those_of_the_functional_layer(system: StackBufferSystem) -> None:
    for walk in walks(system, sentences(60, 1, 15), 2):
        assert walk.engine.stack == walk.cfg.stack
        assert walk.engine.buffer == walk.cfg.buffer
        assert walk.engine.is_final == walk.cfg.is_final
        if not walk.cfg.is_final:
            assert walk.engine.possible() == walk.bits(walk.cfg.possible_transitions())
            assert tuple(None if head < 0 else head for head in walk.engine.heads) == walk.cfg.heads
            labels = tuple(None if label < 0 else LABELS[label] for label in walk.engine.labels)
            assert labels == walk.cfg.labels


@EVERY_SYSTEM
@pytest.mark.parametrize("astray", [1.0, 0.1])
def test_costs_are_those_of_the_functional_layer(system: StackBufferSystem, astray: float) -> None:
    cost = system.oracles.cost
    assert cost is not None
    for walk in walks(system, sentences(30, 3, 5 if system in SEARCHED else 9), 4, astray):
        if not walk.cfg.is_final:
            costs = {row: cost(walk.cfg, walk.tree, walk.rows[row]) for row in walk.engine.costs()}
            assert walk.engine.costs() == costs
            assert walk.engine.gold("dynamic") == sum(1 << row for row, lost in costs.items() if lost == 0)


@EVERY_SYSTEM
@pytest.mark.parametrize("name", ["static", "static_prefer_shift", "nondeterministic", "dynamic"])
def test_oracles_are_those_of_the_functional_layer(system: StackBufferSystem, name: str) -> None:
    oracle = getattr(system.oracles, name)
    if oracle is None:
        pytest.skip("the system has no such oracle")
    for walk in walks(system, sentences(30, 5, 5 if system in SEARCHED else 9), 6):
        if not walk.cfg.is_final:
            assert walk.engine.gold(name) == walk.bits(oracle(walk.cfg, walk.tree, typed))


@pytest.mark.parametrize("system", TABLES, ids=repr)
def test_costs_in_long_sentences_are_those_of_the_functional_layer(system: StackBufferSystem) -> None:
    cost = system.oracles.cost
    assert cost is not None
    for walk in walks(system, sentences(6, 9, 40), 10):
        if not walk.cfg.is_final:
            assert walk.engine.costs() == {
                row: cost(walk.cfg, walk.tree, walk.rows[row]) for row in walk.engine.costs()
            }


@pytest.mark.parametrize("system", [ArcStandardSwap(), ArcStandardSwap(root="last")], ids=repr)
def test_lazy_oracles_are_those_of_the_functional_layer(system: StackBufferSystem) -> None:
    trees = [random_tree(7, Random(seed)) for seed in range(20)]
    columns = Columns.encode(trees)
    taken = np.concatenate(
        [batch.taken for batch in batches(columns, system, Templates([]), oracle="static_lazy_swap")]
    )
    space = system.transition_space()
    expected = [t for tree in trees for _, t in Oracle(system, static_oracle_lazy_swap)(tree)]
    assert [space[row] for row in taken] == expected


@EVERY_SYSTEM
def test_features_are_those_of_the_functional_layer(system: StackBufferSystem) -> None:
    for walk in walks(system, sentences(12, 7), 8):
        if not walk.cfg.is_final:
            assert walk.engine.features() == TEMPLATES.hashes(walk.cfg, walk.history)


# Treebanks as numbers


def test_columns_keep_what_parsing_needs(tmp_path: Path) -> None:
    trees = sentences(20, 11)
    columns = Columns.encode(trees)
    columns.save(tmp_path)
    for kept in (columns, Columns.load(tmp_path)):
        assert len(kept) == len(trees)
        assert [kept.tree(number) for number in range(len(kept))] == trees
        assert kept.projective.tolist() == [is_projective(tree) for tree in trees]


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
    model = train(Columns.encode(TRAIN[:3]), ArcHybrid(), epochs=1)
    assert model.parse(columns)[0].shape == (0,)
    assert list(batches(columns, ArcHybrid())) == []


def test_empty_sentences_are_parsed() -> None:
    model = train(Columns.encode(TRAIN[:3]), ArcHybrid(), epochs=1)
    heads, _ = model.parse(Columns.encode([DependencyTree([]), TRAIN[0], DependencyTree([])]))
    assert len(heads) == len(TRAIN[0])


# Oracles over treebanks


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("system", [ArcEager(), ArcHybrid(root="last"), ArcStandard(), Attardi()], ids=repr)
def test_batches_are_the_steps_of_the_functional_layer(system: StackBufferSystem, size: int) -> None:
    columns = Columns.encode(TRAIN)
    rows = {transition: row for row, transition in enumerate(system.transition_space())}
    found = list(batches(columns, system, oracle="static", size=size))
    assert {len(batch.taken) for batch in found[:-1]} <= {size}
    joined = {name: np.concatenate([getattr(batch, name) for batch in found]) for name in FIELDS}
    index = 0
    for number, tree in enumerate(TRAIN):
        history: list[Transition] = []
        for step_number, step in enumerate(Oracle(system, static_oracle, typed)(tree).steps()):
            bare = [type(t)(k=t.k) if hasattr(t, "k") else t for t in (*step.possible, step.taken)]  # type: ignore[call-arg]
            *possible, taken = (rows[transition] for transition in bare)
            assert np.flatnonzero(joined["possible"][index]).tolist() == sorted(possible)
            assert np.flatnonzero(joined["gold"][index]).tolist() == [taken]
            assert (joined["sentence"][index], joined["step"][index]) == (number, step_number)
            assert joined["taken"][index] == taken
            if index % 10 == 0:
                assert joined["features"][index].tolist() == ZHANG_NIVRE.hashes(
                    in_stack_and_buffer(step.config), history
                )
            label = getattr(step.taken, "label", None)
            numbered = columns.vocabularies["deprel"].index(label) if label is not None else -1
            assert joined["labels"][index] == numbered
            history.append(step.taken)
            index += 1
    assert index == len(joined["taken"])


def in_stack_and_buffer(cfg: Configuration) -> StackBufferConfiguration:
    assert isinstance(cfg, StackBufferConfiguration)
    return cfg


FIELDS = ("features", "gold", "possible", "taken", "labels", "sentence", "step")


def test_exploring_batches_lead_off_the_path_and_back() -> None:
    columns = Columns.encode(TRAIN)
    model = train(columns, ArcEager(), epochs=1)
    for explorer in (None, model):
        steps = list(batches(columns, ArcEager(), oracle="dynamic", exploration=0.5, model=explorer, seed=3))
        gold = np.concatenate([batch.gold for batch in steps])
        taken = np.concatenate([batch.taken for batch in steps])
        right = gold[np.arange(len(taken)), taken]
        assert gold.any(axis=1).all()
        assert 0.3 < right.mean() < 1


def test_the_same_seed_gives_the_same_batches_whatever_their_size() -> None:
    columns = Columns.encode(TRAIN)
    taken = [
        np.concatenate([b.taken for b in batches(columns, ArcHybrid(), exploration=0.3, size=size, seed=seed)]).tolist()
        for size, seed in ((10, 1), (999, 1), (10, 2))
    ]
    assert taken[0] == taken[1] != taken[2]


def test_any_number_of_threads_makes_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deptrees.engine.arrays._PART", 7)
    columns = Columns.encode(TRAIN)
    alone, together = (
        list(batches(columns, ArcHybrid(), exploration=0.3, size=50, threads=threads)) for threads in (1, 3)
    )
    assert len(together) > len(alone)
    for name in ("features", "gold", "possible", "taken", "labels", "sentence", "step"):
        one, other = (np.concatenate([getattr(batch, name) for batch in found]) for found in (alone, together))
        assert np.array_equal(one, other)


def test_what_cannot_be_asked_of_a_system_is_an_error() -> None:
    columns = Columns.encode(TRAIN)
    with pytest.raises(OracleNotDefined, match="no static_lazy_swap oracle"):
        list(batches(columns, ArcEager(), oracle="static_lazy_swap"))
    for size, threads in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="one step or more, and one thread or more"):
            list(batches(columns, ArcEager(), size=size, threads=threads))
    with pytest.raises(ValueError, match="can build none of the 1 trees"):
        train(Columns.encode([DependencyTree([(3, "a"), (4, "b"), (0, "c"), (3, "d")])]), ArcEager(), oracle="static")


# Models


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
    ],
)
def test_every_system_learns(system: StackBufferSystem, oracle: str, joint: bool) -> None:
    columns = Columns.encode(TRAIN)
    model = train(columns, system, oracle=oracle, joint=joint, bits=(18, 16), epochs=8)
    heads, labels = model.parse(columns)
    right = heads == columns.heads
    gold = [model.shape.labels.index(columns.vocabularies["deprel"][number]) for number in columns.labels]
    assert right.mean() > 0.9
    assert (right & (labels == gold)).mean() > 0.88


def test_epochs_are_reported() -> None:
    epochs: list[Epoch] = []
    train(Columns.encode(TRAIN), ArcEager(), oracle="static", epochs=2, on_epoch=epochs.append)
    assert [(epoch.number, epoch.sentences + epoch.skipped) for epoch in epochs] == [(1, len(TRAIN)), (2, len(TRAIN))]
    assert all(epoch.skipped > 0 and epoch.transitions > epoch.errors > 0 for epoch in epochs)


def test_the_same_seed_gives_the_same_model() -> None:
    columns = Columns.encode(TRAIN)
    models = [train(columns, ArcEager(), epochs=2, bits=(14, 12), seed=seed) for seed in (1, 1, 2)]
    assert (models[0].arrays[0] == models[1].arrays[0]).all()
    assert (models[0].arrays[0] != models[2].arrays[0]).any()


def test_averages_are_those_of_all_steps() -> None:
    system, templates = ArcHybrid(), Templates(["s0.form", "b0.form+s1.upos"])
    tree = TRAIN[0].reattach(TRAIN[0].heads, [None] * len(TRAIN[0]))
    trainer = Trainer(Columns.encode([tree]), system, templates, bits=(20, 4), oracle="static")
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
        model = train(bare, ArcEager(), DELEXICALIZED, epochs=2, joint=joint)
        assert model.shape.labels == ()
        assert set(model.parse(bare)[1].tolist()) == {-1}


def test_reading_rows_adds_them_up() -> None:
    table = np.arange(32, dtype=np.float32).reshape(8, 4)
    rows = np.array([7, 0, 3, 3] * 9, np.uint32)
    assert read_rows(table, rows).tolist() == table[rows].sum(axis=0).tolist()


def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    model = train(Columns.encode(TRAIN), ArcEager(), epochs=2)
    columns = Columns.encode(DEV * 40)
    for beam in (1, 4):
        one, three = model.parse(columns, beam=beam), model.parse(columns, threads=3, beam=beam)
        assert (one[0] == three[0]).all()
        assert (one[1] == three[1]).all()


def test_gold_heads_and_labels_do_not_leak_into_parsing() -> None:
    model = train(Columns.encode(TRAIN), ArcEager(), epochs=2)
    blind = Columns.encode(tree.reattach([None] * len(tree), [None] * len(tree)) for tree in DEV)
    for beam in (1, 4):
        for seen, unseen in zip(
            model.parse(Columns.encode(DEV), beam=beam), model.parse(blind, beam=beam), strict=True
        ):
            assert (seen == unseen).all()


def scores(model: Model, cfg: Any, history: list[Transition]) -> Any:
    """The scores of all rows, computed apart from the core."""
    hashes = np.array(model.shape.templates.hashes(cfg, history), np.uint64)
    rows = hashes * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(64 - model.shape.bits[0])
    return model.arrays[0][rows.astype(np.int64)].sum(axis=0, dtype=np.float32)


@pytest.mark.parametrize("system", [ArcHybrid(), ArcEager(root="last"), ArcEagerPartial(), ArcStandardSwap()], ids=repr)
def test_parsing_takes_the_best_derivations(system: StackBufferSystem) -> None:
    bare = [tree.reattach(tree.heads, [None] * len(tree)) for tree in TRAIN]
    oracle = "static" if system.oracles.static and isinstance(system, ArcStandardSwap) else "dynamic"
    model = train(Columns.encode(bare), system, Templates([*ZHANG_NIVRE, "history1"]), epochs=2, oracle=oracle)
    short = [DependencyTree(tree.words[:length]) for tree in DEV for length in (1, 2, 3)]
    columns = Columns.encode(short)
    greedy, widest = model.parse(columns)[0], model.parse(columns, beam=64)[0]
    for number, tree in enumerate(short):
        words = slice(columns.offsets[number], columns.offsets[number + 1])
        cfg: Any = system.initial(tree)
        history: list[Transition] = []
        while not cfg.is_final:
            found = scores(model, cfg, history)
            rows = [row for row, t in enumerate(model.shape.program.transitions) if t.is_possible(cfg)]
            history.append(model.shape.program.transitions[max(rows, key=lambda row: found[row])])
            cfg = history[-1](cfg)
        assert greedy[words].tolist() == [-1 if head is None else head for head in cfg.heads]
        _, best = max(finished(model, system.initial(tree), [], 0.0), key=lambda pair: pair[0])
        assert widest[words].tolist() == [-1 if head is None else head for head in best.heads]


def finished(model: Model, cfg: Any, history: list[Transition], total: float) -> Iterator[tuple[float, Any]]:
    """The final configurations of all derivations, with their scores."""
    if cfg.is_final:
        yield total, cfg
        return
    found = scores(model, cfg, history)
    for row, transition in enumerate(model.shape.program.transitions):
        if transition.is_possible(cfg):
            yield from finished(model, transition(cfg), [*history, transition], total + float(found[row]))


@pytest.mark.parametrize(("threads", "beam"), [(0, 1), (1, 0), (1, 65)])
def test_threads_and_beams_have_limits(threads: int, beam: int) -> None:
    model = train(Columns.encode(TRAIN[:3]), ArcHybrid(), epochs=1)
    with pytest.raises(ValueError, match="beam of 1 to 64"):
        model.parse(Columns.encode(DEV), threads=threads, beam=beam)


@pytest.mark.parametrize("joint", [False, True])
def test_saved_models_parse_alike(joint: bool, tmp_path: Path) -> None:
    columns = Columns.encode(DEV)
    model = train(Columns.encode(TRAIN), ArcHybrid(root="last"), epochs=2, joint=joint, bits=(12, 11))
    model.save(tmp_path / "model")
    loaded = Model.load(tmp_path / "model")
    assert loaded.shape == model.shape
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


def test_models_of_foreign_systems_are_not_saved(tmp_path: Path) -> None:
    class Mine(ArcHybrid):
        pass

    with pytest.raises(ModelError, match="Mine is not one of the systems"):
        train(Columns.encode(TRAIN[:5]), Mine(), epochs=1).save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_tables_have_limits() -> None:
    for bits in ((0, 5), (5, 31)):
        with pytest.raises(ValueError, match="'bits'"):
            Shape(ArcEager(), ZHANG_NIVRE, (), bits=bits)


def test_collisions_are_counted() -> None:
    columns = Columns.encode(TRAIN)
    small, large = (train(columns, ArcEager(), epochs=1, bits=(bits, 10)) for bits in (4, 24))
    colliding, features = count_collisions(small, columns)
    assert colliding == features > 10_000
    assert count_collisions(large, columns)[0] < features / 50


def test_systems_without_a_way_out_are_an_error() -> None:
    class Stuck(StackBufferSystem):
        rows = ArcHybrid.rows[2:]
        final = ArcHybrid.final

    shape = Shape(Stuck(), Templates(["s0.form"]), (), bits=(4, 4))
    arrays = shape.weights().arrays
    with pytest.raises(ValueError, match="no transition is possible"):
        Model(shape, arrays).parse(Columns.encode(DEV))


@needs_treebanks
@pytest.mark.slow
@pytest.mark.parametrize("system", [ArcEager(), ArcHybrid(), ArcEager(root="last"), ArcStandard()], ids=repr)
def test_dynamic_oracles_on_a_treebank_are_those_of_the_functional_layer(system: StackBufferSystem) -> None:
    assert TREEBANKS is not None
    trees = [tree for tree in Treebank(TREEBANKS / "grc_proiel-dev.conllu") if len(tree) < 30][:200]
    steps = iter(
        (gold, taken)
        for batch in batches(Columns.encode(trees), system, Templates([]), oracle="dynamic", exploration=0.2, seed=5)
        for gold, taken in zip(batch.gold, batch.taken, strict=True)
    )
    space = system.transition_space()
    for tree in trees:
        cfg: Any = system.initial(tree)
        while not cfg.is_final:
            gold, taken = next(steps)
            assert tuple(t for t, is_gold in zip(space, gold, strict=True) if is_gold) == dynamic_oracle(cfg, tree)
            cfg = space[taken](cfg)
    assert next(steps, None) is None


@pytest.mark.parametrize("system", TABLES, ids=repr)
def test_sentences_whose_sets_take_several_words_of_memory(system: StackBufferSystem) -> None:
    rng = Random(11)
    cost = system.oracles.cost
    assert cost is not None
    trees = [random_projective_tree(n, rng) for n in (62, 63, 64, 65, 127, 128, 130)]
    for walk in walks(system, trees, 12, 0.1):
        assert walk.engine.is_final == walk.cfg.is_final
        assert walk.engine.stack == walk.cfg.stack
        if not walk.cfg.is_final:
            assert walk.engine.possible() == walk.bits(walk.cfg.possible_transitions())
            if rng.random() < 0.1:
                assert walk.engine.costs() == {
                    row: cost(walk.cfg, walk.tree, walk.rows[row]) for row in walk.engine.costs()
                }
