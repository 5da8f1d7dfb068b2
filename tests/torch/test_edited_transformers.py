"""What a model file says of a transformer and its tokenizer is checked before a library sees it."""

import builtins
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from deptrees import Columns, DependencyTree  # noqa: E402
from deptrees.files.models import ModelError  # noqa: E402
from deptrees.torch import Architecture, Joined, Learning, NeuralParser, Transformer, Transitions, Words  # noqa: E402
from deptrees.torch.configs import _CHECKS, _TYPES  # noqa: E402
from deptrees.torch.vocabulary import Vocabulary  # noqa: E402
from deptrees.transition import ArcHybrid  # noqa: E402
from tests.files.edits import Edit, ModelContent, array_edits, little_memory, outcomes, record_edits, some  # noqa: E402
from tests.files.test_models import change  # noqa: E402
from tests.torch.test_transformer import DEV, TRAIN, checkpoint  # noqa: E402, F401

SMALL = {
    **{"vocab_size": 200, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "pad_token_id": 0},
    **{"intermediate_size": 32, "max_position_embeddings": 64},
}
OF_LIBRARY = re.compile(
    "add_cross_attention|architectures|classifier_.*|chunk_size_feed_forward|decoder_bias|deterministic_.*|dtype|"
    ".*2(id|label)|(bos|cls|eos|sep)_token_id|initializer_.*|is_.*|_name_or_path|output_.*|pooler_.*|problem_type|"
    "(qa|seq_classif)_dropout|return_dict|sinusoidal_.*|sparse_.*|summary_.*|tie_.*|transformers_version|use_cache"
)
"""What makes no difference to the vectors of layers, or only before training."""


@pytest.fixture(scope="module")
def saved(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    path = tmp_path_factory.mktemp("saved") / "model"
    encoder, decoder = Transformer.open(checkpoint), Transitions(hidden=4)
    NeuralParser.train(TRAIN[:5], epochs=1, encoder=encoder, decoder=decoder).save(path)
    return path


@pytest.fixture
def model(saved: Path, tmp_path: Path) -> Path:
    """A model that a test may change."""
    path = tmp_path / "model"
    path.write_bytes(saved.read_bytes())
    return path


def edit(path: Path, key: str, how: Callable[[Any], object]) -> None:
    """Change the config or the tokenizer in a model file."""

    def edited(record: Any) -> None:
        encoder = record["architecture"]["encoder"]
        value = json.loads(encoder[key])
        how(value)
        encoder[key] = json.dumps(value)

    change(path, edited)


def parse(path: Path) -> list[DependencyTree]:
    return list(NeuralParser.load(path).parse(DEV[:3]))


def encoder_of(path: Path) -> Any:
    parser: Any = NeuralParser.load(path)
    return parser.model.architecture.encoder


@pytest.mark.parametrize("kind", ["bert", "theirs"])
def test_no_code_of_a_model_file_is_run_and_nobody_is_asked(
    kind: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs").mkdir()
    code = f"open({str(tmp_path / 'ran')!r}, 'w')\nfrom transformers import BertConfig, BertModel as Theirs"
    (tmp_path / "theirs" / "code.py").write_text(code)
    monkeypatch.setattr(builtins, "input", lambda *_: pytest.fail("asks whether to run code"))
    expected, folder = parse(model), str(tmp_path / "theirs")
    own = dict.fromkeys(("AutoConfig", "AutoModel"), f"{folder}--code.Theirs")
    more = {"auto_map": own, "_name_or_path": folder, "name_or_path": folder, "trust_remote_code": True}
    kernels = {"_attn_implementation": "theirs/kernels", "quantization_config": {"quant_method": "gptq"}}
    edit(model, "config", lambda config: config.update({**more, **kernels, "model_type": kind}))
    if kind == "bert":
        assert parse(model) == expected
    else:
        with pytest.raises(ModelError, match="there is no model_type 'theirs': choose one of albert, bert"):
            parse(model)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("config", "message"),
    [
        *[
            ({"model_type": kind, "num_hidden_layers": 10**8}, "num_hidden_layers is a whole number, from 1 to 64")
            for kind in ("bert", "albert")
        ],
        *[({"model_type": kind, "num_layers": 10**8}, f"no model_type '{kind}'") for kind in ("t5", "bart")],
        ({"vocab_size": 10**9}, "vocab_size is a whole number"),
        ({"vocab_size": 1 << 22}, "should have the shape"),
        ({"hidden_size": 1 << 16}, "should have the shape"),
        ({"intermediate_size": 1 << 16, "num_hidden_layers": 64}, "should have the shape"),
        ({"max_position_embeddings": 1 << 15}, "should have the shape"),
        ({"max_position_embeddings": 2}, "the transformer can take 1 pieces"),
        ({"num_attention_heads": 3}, "the config of the transformer is wrong"),
        ({"pad_token_id": 100_000}, "knows 118"),
        ({"hidden_act": "__import__"}, "no hidden_act '__import__'"),
        ({"hidden_dropout_prob": 1e300}, "a number from 0 to 1"),
        ({"layer_norm_eps": "1"}, "layer_norm_eps is a number"),
    ],
)
def test_sizes_are_held_against_the_arrays_of_the_file(config: dict[str, Any], message: str, model: Path) -> None:
    edit(model, "config", lambda found: found.update(config))
    with little_memory(), pytest.raises(ModelError, match=message):
        parse(model)


def test_labels_of_other_tasks_take_no_memory(model: Path) -> None:
    expected = parse(model)
    edit(model, "config", lambda config: config.update(num_labels=10**9))
    with little_memory():
        assert parse(model) == expected


PADDING = {"strategy": {"Fixed": 10**8}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0}
TRUNCATION = {"direction": "Right", "max_length": 1, "strategy": "LongestFirst", "stride": 5}


def test_sentences_are_neither_filled_up_nor_cut_off_by_the_tokenizer(model: Path) -> None:
    expected = parse(model)
    padding = {**PADDING, "pad_type_id": 0, "pad_token": "[PAD]"}
    edit(model, "tokenizer", lambda found: found.update(padding=padding, truncation=TRUNCATION))
    with little_memory():
        assert parse(model) == expected


def _template(*pieces: dict[str, Any]) -> dict[str, Any]:
    special = {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]}}
    single = [{kind: {"id": name, "type_id": 0}} for piece in pieces for kind, name in piece.items()]
    return {"type": "TemplateProcessing", "single": single, "pair": [], "special_tokens": special}


def _replaced(pattern: dict[str, str], content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}


TOKENIZERS: dict[str, Callable[[Any], object]] = {
    "a number that no embedding has": lambda found: found["model"]["vocab"].update(The=4_000_000),
    "one of added pieces": lambda found: found["added_tokens"][0].update(id=4_000_000_000, content="new"),
    "one of a template": lambda found: found["post_processor"]["special_tokens"]["[CLS]"].update(ids=[118]),
    "many of a template": lambda found: found["post_processor"]["special_tokens"]["[CLS]"].update(ids=[2] * 100_000),
    "one of another processor": lambda found: found.update(
        post_processor={"type": "BertProcessing", "sep": ["x", 77_777], "cls": ["y", 5]}
    ),
    "a template of a second text": lambda found: found.update(post_processor=_template({"Sequence": "B"})),
    "the text twice": lambda found: found.update(post_processor=_template({"Sequence": "A"}, {"Sequence": "A"})),
    "no text": lambda found: found.update(post_processor=_template({"SpecialToken": "[CLS]"})),
    "an unknown piece": lambda found: found.update(post_processor=_template({"SpecialToken": "z"}, {"Sequence": "A"})),
    "no unknown piece": lambda found: found["model"].update(unk_token="nowhere"),
    "no vocabulary": lambda found: found["model"].update(vocab={}),
    "words of any length": lambda found: found["model"].update(max_input_chars_per_word=1 << 60),
    "chance": lambda found: found.update(model={"type": "BPE", "dropout": 0.5, "vocab": {"a": 0}, "merges": []}),
    "a prefix that is no character": lambda found: found.update(
        model={"type": "BPE", "continuing_subword_prefix": "éé", "vocab": {"a": 0, "b": 1}, "merges": [["a", "b"]]}
    ),
    "an empty list": lambda found: found.update(model={"type": "Unigram", "unk_id": 0, "vocab": []}),
    "growth": lambda found: found.update(normalizer=_replaced({"String": "e"}, "e" * 10_000)),
    "growth from nothing": lambda found: found.update(normalizer=_replaced({"String": ""}, "e")),
    "time without end": lambda found: found.update(normalizer=_replaced({"Regex": "(a+)+$"}, "")),
    "an unknown step": lambda found: found.update(pre_tokenizer={"type": "Split", "pattern": {"Regex": "(a+)+$"}}),
    "steps within steps": lambda found: found.update(
        pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "ByteLevel"}] * 100}
    ),
    "a table of nothing": lambda found: found.update(
        normalizer={"type": "Precompiled", "precompiled_charsmap": "AAAA"}
    ),
    "a table that leads out of itself": lambda found: found.update(
        normalizer={"type": "Precompiled", "precompiled_charsmap": "CAAAAP///////3//YWFh"}
    ),
    "no kind": lambda found: found.update(normalizer={}),
    "a text": lambda found: found.update(normalizer="NFC"),
    "no object": lambda found: found.clear(),
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_tokenizer_that_is_wrong_is_refused_before_it_panics(
    name: str, model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    edit(model, "tokenizer", TOKENIZERS[name])
    with little_memory(), pytest.raises(ModelError, match="tokenizer"):
        parse(model)
    assert "panicked" not in capfd.readouterr().err


def test_a_panic_is_an_error_that_names_the_tokenizer(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser: Any = NeuralParser.load(model)
    pieces = parser.model.network.encoder.layers._pieces

    class PanicException(BaseException):
        pass

    class Panicking:
        def encode(self, *_: Any, **__: Any) -> None:
            raise PanicException("index out of bounds")

    monkeypatch.setattr(pieces, "_tokenizer", Panicking())
    with pytest.raises(ModelError, match="the tokenizer of the transformer is wrong: PanicException: index out"):
        list(parser.parse(DEV[:1]))
    monkeypatch.setattr(Panicking, "encode", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        list(parser.parse(DEV[:1]))


def test_records(saved: Path, tmp_path: Path) -> None:
    assert outcomes(saved, some(record_edits(ModelContent.read(saved).record), 60), parse, tmp_path)["refused"] > 40


def test_arrays(saved: Path, tmp_path: Path) -> None:
    found = outcomes(saved, some(array_edits(ModelContent.read(saved)), 60), parse, tmp_path)
    assert found["refused"] > 30
    assert found.total() == 60


def edits_within(saved: Path, key: str) -> Iterator[Edit]:
    """Edits of all that is in the config or the tokenizer, which are texts in the record."""

    def encoder_in(content: ModelContent) -> Any:
        [part] = [part for name, part in content.record["parts"].items() if "neural" in name]
        return part["architecture"]["encoder"]

    def within(edit: Edit, path: Path) -> None:
        content = ModelContent.read(path)
        encoder = encoder_in(content)
        ModelContent(json.loads(encoder[key]), content.arrays).write(path)
        edit(path)
        encoder[key] = json.dumps(ModelContent.read(path).record)
        content.write(path)

    for name, value in json.loads(encoder_in(ModelContent.read(saved))[key]).items():
        yield from (partial(within, edit) for edit in record_edits({name: value}))


@pytest.mark.parametrize("key", ["config", "tokenizer"])
def test_everything_in_the_config_and_the_tokenizer_may_be_edited(key: str, saved: Path, tmp_path: Path) -> None:
    found = outcomes(saved, some(edits_within(saved, key), 150), parse, tmp_path)
    assert found["refused"] > 40
    assert found.total() == 150


def test_only_what_is_in_the_file_takes_memory(model: Path, tmp_path: Path) -> None:
    def many(record: Any) -> None:
        record["networks"] = 64

    def parts(record: Any) -> None:
        record["architecture"]["encoder"] = {"name": "Joined", "encoders": [{"name": "Words"}] * 1000}

    for how, message in (many, "networks.0"), (parts, "encoder has 1001 parts"):
        other = tmp_path / how.__name__
        other.write_bytes(model.read_bytes())
        change(other, how)
        with little_memory(), pytest.raises(ModelError, match=message):
            parse(other)
    content = ModelContent.read(model)
    content.record["shapes"]["embeddings"] = [1, 1 << 29]
    [part] = [record for name, record in content.record["parts"].items() if "neural" in name]
    part["embedded"], part["embedding_size"] = ["x"], 1 << 29
    del content.arrays["embeddings"]
    content.arrays |= {"embeddings.gaps": np.empty(0, np.uint8), "embeddings.weights": np.empty(0, np.float32)}
    content.write(model)
    with little_memory(), pytest.raises(ModelError, match="the array 'embeddings' is missing"):
        parse(model)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("kind", _TYPES)
def test_every_known_transformer_has_vectors_and_all_that_matters_is_kept(kind: str, mixed: bool, model: Path) -> None:
    relative = {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_buckets": 16}
    more = relative if kind.startswith("deberta") else {} if kind == "distilbert" else {"embedding_size": 8}
    config = transformers.CONFIG_MAPPING[kind](**SMALL, **more)
    text = config.to_json_string(use_diff=False)
    assert all(map(OF_LIBRARY.fullmatch, json.loads(text).keys() - _CHECKS.keys()))
    encoder = Joined([Transformer(text, encoder_of(model).tokenizer), Words(form=4)])
    architecture = Architecture(encoder=encoder, learning=Learning(mixed_precision=mixed))
    network = architecture.network(ArcHybrid(), Vocabulary.of(TRAIN, encoder.columns)).eval()
    long = DependencyTree((None, "children") for _ in range(60))
    found = network(Columns.encode([*TRAIN[:2], long]))
    found.sum().backward()
    assert found.isfinite().all()
    assert len(found) == sum(map(len, TRAIN[:2])) + 60 + 3


def test_a_parser_that_was_loaded_is_trained_on_where_its_checkpoint_is(model: Path, checkpoint: Path) -> None:  # noqa: F811
    loaded: Any = NeuralParser.load(model)
    arguments = loaded.model.architecture.arguments()
    moved = checkpoint.rename(checkpoint.with_name("elsewhere"))
    try:
        with pytest.raises(FileNotFoundError, match="there is no folder"):
            NeuralParser.train(TRAIN[:3], epochs=1, **arguments)
    finally:
        moved.rename(checkpoint)
    assert NeuralParser.train(TRAIN[:3], epochs=1, **arguments).labels


def test_a_name_in_place_of_a_folder_says_how_to_save_one() -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no folder 'bert-base-cased'.*nothing is downloaded"):
        Transformer.open("bert-base-cased")
