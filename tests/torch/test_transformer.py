"""A transformer with random weights, made here, as the encoder of a parser."""

import copy
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: E402
from tokenizers.processors import TemplateProcessing  # noqa: E402

from deptrees import Columns, DependencyTree, evaluate, sample_treebank, write_treebank  # noqa: E402
from deptrees.parser import ModelError  # noqa: E402
from deptrees.torch import Architecture, BiLSTM, Joined, Learning, NeuralParser, Transformer, Transitions, Words  # noqa: E402
from deptrees.torch.pieces import LONGEST, Pieces, Room  # noqa: E402
from deptrees.torch.rows import roots  # noqa: E402
from deptrees.torch.vocabulary import Vocabulary  # noqa: E402
from deptrees.transition import ArcHybrid  # noqa: E402
from tests.files.test_models import change  # noqa: E402
from tests.tiers import slow  # noqa: E402

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
VOCABULARY = Vocabulary.of(TRAIN, [])


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small BERT whose tokenizer knows characters, and a few words and endings."""
    folder = tmp_path_factory.mktemp("checkpoint")
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    characters = sorted({character for tree in TRAIN for word in tree for character in word.form})
    known = [*special, *characters, *[f"##{character}" for character in characters], "The", "the", "chil", "##dren"]
    vocabulary = {piece: number for number, piece in enumerate(known)}
    pieces = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    pieces.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token"), special, strict=True))
    transformers.PreTrainedTokenizerFast(tokenizer_object=pieces, **names).save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(known),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def network(checkpoint: Path) -> Any:
    made = Architecture(encoder=Transformer.open(checkpoint)).network(ArcHybrid(), VOCABULARY)
    made.load_pretrained()
    return made.eval().encoder


def test_a_words_vector_is_the_mean_of_its_pieces_and_a_mixture_of_layers(checkpoint: Path) -> None:
    made = network(checkpoint)
    with torch.no_grad():
        made.mixture.copy_(torch.tensor([0.0, 1.0, 2.0]))
        made.scale.copy_(torch.tensor(0.5))
        made.root.fill_(7.0)
        columns = Columns.encode(TRAIN[:3])
        found, first = made(columns), roots(columns)
    tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint)
    model = transformers.AutoModel.from_pretrained(checkpoint).eval()
    several = 0
    for place, tree in enumerate(TRAIN[:3]):
        assert (found[first[place]] == 7).all()
        given = tokenizer([word.form for word in tree], is_split_into_words=True, return_tensors="pt")
        with torch.no_grad():
            layers = model(**given, output_hidden_states=True).hidden_states
        weights = 0.5 * torch.tensor([0.0, 1.0, 2.0]).softmax(0)
        mixed = sum(weight * layer for weight, layer in zip(weights, layers, strict=True))
        for number in range(len(tree)):
            pieces = [piece for piece, of in enumerate(given.word_ids()) if of == number]
            several += len(pieces) > 1
            torch.testing.assert_close(found[first[place] + number + 1], mixed[0, pieces].mean(0), rtol=1e-4, atol=1e-5)
    assert several


def test_sentences_with_too_many_pieces_are_divided(checkpoint: Path) -> None:
    def sentence(forms: list[str]) -> DependencyTree:
        return DependencyTree((None, form) for form in forms)

    made = network(checkpoint)
    forms = ["The", "children"] * 40  # 120 pieces, of which 61 can be taken
    with torch.no_grad():
        found = made(Columns.encode([sentence([*forms, "x" * 200]), TRAIN[0]]))
        half = made(Columns.encode([sentence(forms[:40])]))
    assert found.shape == (82 + 1 + len(TRAIN[0]), 16)
    torch.testing.assert_close(found[1:41], half[1:], rtol=1e-4, atol=1e-5)
    assert found[1:82].abs().sum(1).gt(0).all()


def test_sentences_without_pieces_make_no_difference_to_others(checkpoint: Path) -> None:
    opened = Transformer.open(checkpoint)
    bare = json.dumps({**json.loads(opened.tokenizer), "post_processor": None})  # without pieces at both ends
    architecture = Architecture(encoder=attrs.evolve(opened, tokenizer=bare))
    encoder = architecture.network(ArcHybrid(), VOCABULARY).eval().encoder
    with torch.no_grad():
        found = encoder(Columns.encode([DependencyTree([]), TRAIN[0], DependencyTree([(None, " ")])]))
        alone = encoder(Columns.encode([TRAIN[0]]))
    assert found.isfinite().all()
    torch.testing.assert_close(found[1:-2], alone, rtol=1e-4, atol=1e-5)
    assert not found[-1].any()


SENTENCES = [TRAIN[number % len(TRAIN)] for number in range(100)]
LONG_WORD = DependencyTree([(0, "http://" + "x" * 40)])


def test_a_long_word_is_no_padding_of_other_sentences(checkpoint: Path) -> None:
    sentences = [DependencyTree([(0, "a")])] * 50 + [LONG_WORD] + [DependencyTree([(0, "No"), (1, "pieces")])] * 50
    passes = network(checkpoint).layers._pieces(Columns.encode(sentences))
    assert len(passes) == 3
    assert sum(each.pieces.size for each in passes) == sum(int(each.is_piece.sum()) for each in passes) < 700


@pytest.mark.parametrize(("layers", "size", "heads"), [(2, 16, 2), (6, 384, 12), (24, 1024, 16)])
def test_no_pass_takes_more_room_than_there_is(layers: int, size: int, heads: int, checkpoint: Path) -> None:
    room, text = Room(layers, size, heads), Transformer.open(checkpoint).tokenizer
    longest = DependencyTree([(0, "a")] * 4000)
    passes = Pieces(text, 1 << 22, 1 << 15, 0, room)(Columns.encode([longest, *SENTENCES, LONG_WORD] * 3))
    assert max(room.numbers(*each.pieces.shape) for each in passes) <= room.most
    assert max(each.pieces.shape[1] for each in passes) <= LONGEST
    assert room.most == max(1 << 28, room.numbers(1, LONGEST))
    words = sum(int(each.is_piece.sum()) for each in passes)
    assert words == sum(len(ids) for tree in [longest, *SENTENCES, LONG_WORD] * 3 for ids in pieces_of(text, tree))


def pieces_of(text: str, tree: DependencyTree) -> list[list[int]]:
    """The pieces of a sentence, divided where it is too long."""
    forms = [token.form for token in tree]
    ids = Tokenizer.from_str(text).encode(forms, is_pretokenized=True).ids
    halves = tree.tokens[: len(tree) // 2], tree.tokens[len(tree) // 2 :]
    if len(ids) <= LONGEST:
        return [ids]
    return [ids for half in halves for ids in pieces_of(text, DependencyTree([(0, token.form) for token in half]))]


@pytest.mark.parametrize("kind", ["bert", *map(slow, ["albert", "deberta", "electra", "modernbert", "roberta"])])
def test_a_pass_keeps_no_more_than_it_is_given_room_for(kind: str) -> None:
    sizes = {"num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 256, "num_attention_heads": 4}
    relative = {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]} if kind == "deberta" else {}
    config = transformers.AutoConfig.for_model(kind, vocab_size=99, pad_token_id=0, **sizes, **relative)
    model = transformers.AutoModel.from_config(config).train()
    weights = {weight.untyped_storage().data_ptr() for weight in model.parameters()}
    for rows, longest in (16, 64), (4, 256):
        kept: dict[int, Any] = {}

        def keep(tensor: Any, kept: dict[int, Any] = kept) -> Any:
            kept[tensor.untyped_storage().data_ptr()] = tensor
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            model(torch.ones(rows, longest, dtype=torch.long), output_hidden_states=True)
        numbers = sum(kept[place].untyped_storage().nbytes() for place in kept.keys() - weights) / 4
        assert numbers <= Room(2, 64, 4).numbers(rows, longest)


def test_where_there_is_no_room_for_all_passes_gradients_are_the_same(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gradients() -> tuple[int, list[Any]]:
        made, calls = network(checkpoint), list[object]()
        made.layers.model.register_forward_hook(lambda *_: calls.append(_))
        (made(Columns.encode(SENTENCES * 3)) ** 2).sum().backward()
        return len(calls), [weight.grad for weight in made.parameters() if weight.grad is not None]

    once, expected = gradients()
    monkeypatch.setattr("deptrees.torch.pieces._NUMBERS", 1)  # the least is room for one row
    twice, found = gradients()
    assert twice % 2 == 0
    assert twice >= 2 * once
    for one, other in zip(expected, found, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-3)


def test_one_that_does_not_learn_reads_a_sentence_once_in_training(checkpoint: Path) -> None:
    encoder = Transformer.open(checkpoint, learning_rate=0)
    made: Any = Architecture(encoder=encoder).network(ArcHybrid(), VOCABULARY).encoder
    read = list[int]()
    made.layers.model.register_forward_hook(lambda *_: read.append(1))
    trees = [TRAIN[0], DependencyTree([]), TRAIN[1], TRAIN[0]]
    columns = Columns.encode(trees)
    first = made.train()(columns)
    of_each = first.split([len(tree) + 1 for tree in trees])
    assert len(read) == 3
    for some in [0, 1, 2, 3], [3, 2]:
        again = made(columns.take(np.array(some)))
        assert len(read) == 3
        assert torch.equal(again, torch.cat([of_each[number] for number in some]))
    torch.testing.assert_close(made.eval()(columns), first, rtol=1e-4, atol=1e-5)
    copied = copy.deepcopy(made).train()
    assert torch.equal(copied(columns), first)
    assert len(read) > 6


@pytest.mark.parametrize("rate", [0, 1e-3])
def test_numbers_of_16_bits_do_as_well(rate: float, checkpoint: Path) -> None:
    learning = Learning(batch_words=40, mixed_precision=True)
    encoder = Transformer.open(checkpoint, learning_rate=rate)
    parser = NeuralParser.train(TRAIN[:5], epochs=2, encoder=encoder, learning=learning)
    assert len(list(parser.parse(DEV))) == len(DEV)


@pytest.mark.parametrize("rate", [0, 1e-3])
def test_parsers_learn_with_it_and_keep_it_in_their_file(rate: float, checkpoint: Path, tmp_path: Path) -> None:
    transformer = Transformer.open(checkpoint, learning_rate=rate)
    before = network(checkpoint).layers.model.state_dict()
    parser = NeuralParser.train(
        TRAIN,
        epochs=8,
        encoder=BiLSTM(Joined((transformer, Words(form=20, tags=20))), hidden=24, dropout=0.1),
        decoder=Transitions(dropout=0.1),
        learning=Learning(batch_words=40, learning_rate=2e-2),
    )
    encoder: Any = parser.model.network.encoder
    after = encoder.of.networks[0].layers.model.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before) == (rate == 0)
    assert evaluate(TRAIN, parser.parse(TRAIN)).las > 0.6
    parser.save(tmp_path / "model")
    moved = checkpoint.rename(tmp_path / "moved")
    loaded = NeuralParser.load(tmp_path / "model")
    moved.rename(checkpoint)
    assert loaded.model.architecture == parser.model.architecture
    assert list(loaded.parse(DEV)) == list(parser.parse(DEV))
    change(tmp_path / "model", lambda record: _transformer_of(record).update(tokenizer="{}"))
    with pytest.raises(ModelError, match="the tokenizer of the transformer is wrong: KeyError: 'normalizer'"):
        NeuralParser.load(tmp_path / "model")


def _transformer_of(record: Any) -> Any:
    return record["architecture"]["encoder"]["of"]["encoders"][0]


def test_the_benchmark_measures_a_checkpoint(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyperf")
    pytest.importorskip("scipy")
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    write_treebank(tmp_path / "tiny.conllu", DEV)
    files = [str(tmp_path / "tiny.conllu")] * 2
    import_module("transformer").main([str(checkpoint), *files, "--sentences", "5", "--longest", "20", "--epochs", "1"])
    *_, titles, _, row = capsys.readouterr().out.strip().split("\n")
    assert titles == "| sentences | epochs | memory | training | parsing | decoder | UAS | LAS |"
    assert row.startswith("| 5 | 1 | ")
