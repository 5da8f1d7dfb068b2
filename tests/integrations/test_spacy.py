"""Against spaCy itself: the component in its pipelines, and trees as documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import attrs
import pytest
import spacy
from spacy.pipeline._parser_internals.arc_eager import ArcEager
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from deptrees import DependencyTree, Parser, Tagger, Token, Tokenizer, TreebankWarning, sample_treebank, to_conllu
from deptrees.files.models import ModelError
from deptrees.integrations.spacy import ParserComponent, from_doc, to_doc
from deptrees.transition import Break, LeftArc, Reduce, RightArc, Shift, SpacyArcEager, Transition, cost
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.raw_text import raw_text
from deptrees.trees.extra_tokens import multiword_span
from tests.integrations.sentences import every_text
from tests.transition.configurations import follow

TEXTS = ["The old dog sleeps. A bird sings.", "", "  \n", " She saw the\n\nbird .  He slept.\n", "Yes"]


@pytest.fixture(scope="module")
def model(parser: Parser, tagger: Tagger, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("spacy") / "model"
    attrs.evolve(parser, tagger=tagger).save(path)
    return str(path)


@pytest.fixture
def nlp(model: str) -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe("deptrees", config={"model": model})
    return nlp


def blank(tree: DependencyTree, nlp: Any) -> Doc:
    """The words of a sentence alone."""
    return to_doc([tree.reattach([None] * len(tree))], nlp.vocab)


def annotation(doc: Doc) -> list[tuple[Any, ...]]:
    return [(token.text, token.head.i, token.dep_, token.pos_, token.is_sent_start) for token in doc]


def test_the_component_says_what_the_parser_says(nlp: Any, model: str) -> None:
    parser = Parser.load(model)
    for text in TEXTS:
        doc = nlp(text)
        assert doc.text == text
        for sentence, tree in zip((s for s in doc.sents if s.text.strip()), from_doc(doc), strict=True):
            [expected] = parser.parse([[token.text for token in sentence if not token.is_space]])
            assert tree.heads == expected.heads
            assert tree.labels == expected.labels
            assert [token.upos for token in tree] == [token.upos for token in expected]
    assert [sentence.text for sentence in nlp(TEXTS[0]).sents] == ["The old dog sleeps.", "A bird sings."]


def test_a_neural_parser_is_loaded_as_any_other(tmp_path: Path) -> None:
    torch = pytest.importorskip("deptrees.torch")
    parser = torch.NeuralParser.train(sample_treebank("train"), epochs=1, encoder=torch.Words())
    parser.save(tmp_path / "neural")
    nlp = spacy.blank("en")
    component = nlp.add_pipe("deptrees", config={"model": str(tmp_path / "neural")})
    tree = next(iter(sample_treebank("dev")))
    [expected] = parser.parse([tree.reattach([None] * len(tree))])
    [found] = from_doc(component(blank(tree, nlp)))
    assert (found.heads, found.labels) == (expected.heads, expected.labels)
    (tmp_path / "none").write_text("no model")
    with pytest.raises(ModelError, match="is not a model file"):
        _ = nlp.add_pipe("deptrees", name="other", config={"model": str(tmp_path / "none")}).parser


def test_white_space_depends_on_the_word_before_it(nlp: Any) -> None:
    doc = nlp(" She saw the\n\nbird .  He slept.\n")
    assert [(token.i, token.head.i) for token in doc if token.is_space] == [(0, 1), (4, 3), (7, 6), (11, 10)]
    assert [token.head.i for token in nlp("  \n")] == [0]


def test_sentences_that_are_marked_are_kept(nlp: Any) -> None:
    doc = Doc(nlp.vocab, ["Birds", "sing", "dogs", "bark"], sent_starts=[True, False, True, False])
    assert [len(sentence) for sentence in nlp(doc).sents] == [2, 2]


def test_many_documents_are_parsed_as_each_is(nlp: Any) -> None:
    alone = [annotation(nlp(text)) for text in TEXTS * 3]
    assert [annotation(doc) for doc in nlp.pipe(TEXTS * 3, batch_size=4)] == alone
    assert [annotation(doc) for doc in nlp.pipe(TEXTS * 3, n_process=2)] == alone
    assert [[*map(str, doc)] for doc in nlp.pipe(iter(TEXTS))] == [[*map(str, nlp(text))] for text in TEXTS]


def test_words_without_tags_are_warned_of_once(parser: Parser, tmp_path: Path) -> None:
    parser.save(tmp_path / "untagging")
    nlp = spacy.blank("en")
    nlp.add_pipe("deptrees", config={"model": str(tmp_path / "untagging")})
    assert nlp(TEXTS[0]).has_annotation("DEP")
    with pytest.warns(TreebankWarning) as warned:
        assert len([*nlp.pipe([TEXTS[0]] * 200)]) == 200
    columns = [re.findall("looks at (.*), and 100% of .* words have none", str(each.message)) for each in warned]
    assert sorted(columns) == [["FEATS"], ["UPOS"]]


def test_a_pipeline_is_saved_and_loaded_without_the_model(nlp: Any, tmp_path: Path) -> None:
    nlp.config["components"]["deptrees"]["model"] = "no such file"
    nlp.to_disk(tmp_path / "pipeline")
    loaded = [spacy.load(tmp_path / "pipeline"), spacy.blank("en")]
    loaded[1].add_pipe("deptrees")
    loaded[1].from_bytes(nlp.to_bytes())
    for other in loaded:
        assert [annotation(other(text)) for text in TEXTS] == [annotation(nlp(text)) for text in TEXTS]
        assert other.get_pipe("deptrees").to_bytes() == nlp.get_pipe("deptrees").to_bytes()


def test_only_the_document_that_is_wrong_goes_to_the_error_handler(nlp: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    component = nlp.get_pipe("deptrees")
    parser, wrong = component.parser, []

    class Refusing:
        tagger, labels = parser.tagger, parser.labels

        def __call__(self, batch: Batch, **options: Any) -> Batch:
            if any(token.form == "Yes" for tree in batch.trees for token in tree):
                raise ValueError("no yes")
            return parser(batch, **options)

    component._parser = Refusing()
    with pytest.raises(ValueError, match="no yes"):
        [*nlp.pipe(TEXTS)]
    nlp.set_error_handler(lambda name, pipe, docs, error: wrong.append((name, [doc.text for doc in docs], str(error))))
    assert [doc.text for doc in nlp.pipe(TEXTS)] == TEXTS[:-1]
    assert wrong == [("deptrees", ["Yes"], "no yes")]


def test_scores_are_those_of_the_library(nlp: Any) -> None:
    gold = [*sample_treebank("dev")]
    examples = [Example(nlp(blank(tree, nlp)), to_doc([tree], nlp.vocab)) for tree in gold]
    scores = nlp.get_pipe("deptrees").score(examples)
    trees = [next(from_doc(example.predicted)) for example in examples]
    words = [(a, b) for tree, found in zip(gold, trees, strict=True) for a, b in zip(tree, found, strict=True)]
    counted = [sum(token.label != "punct" for token in tokens) for tokens in zip(*words, strict=True)]
    right = sum(a.head == b.head and "punct" not in (a.label, b.label) for a, b in words)
    assert scores["dep_uas"] == pytest.approx(2 * right / sum(counted))
    assert scores["pos_acc"] == pytest.approx(sum(a.upos == b.upos for a, b in words) / len(words))
    assert scores["sents_f"] == 1
    assert {*nlp.evaluate(examples)} >= {"dep_uas", "dep_las", "sents_f"}


def test_errors_say_what_to_do(nlp: Any) -> None:
    bare = spacy.blank("en")
    bare.add_pipe("deptrees")
    with pytest.raises(ValueError, match=r"the component 'deptrees' has no model: add it by nlp\.add_pipe"):
        bare("Hello")
    wrong = spacy.blank("en")
    wrong.add_pipe("deptrees", config={"model": "no such file"})
    with pytest.raises(FileNotFoundError, match="no such file"):
        wrong("Hello")
    wrong.set_error_handler(lambda name, pipe, docs, error: None)  # which is for documents that are wrong
    with pytest.raises(FileNotFoundError, match="no such file"):
        [*wrong.pipe(["Hello"])]
    with pytest.raises(ValueError, match="has a word without a head"):
        to_doc([DependencyTree([(0, "Go"), (None, "on")])], nlp.vocab)


def held(tree: DependencyTree) -> DependencyTree:
    """What a document can hold of a tree."""
    tokens = []
    for token in tree.all_tokens:
        feats = "|".join(sorted((token.feats or "").split("|"))) or None
        entries = (token.misc or "").split("|")
        misc = "|".join(entry for entry in entries if entry == "SpaceAfter=No" or entry.startswith("Spaces"))
        if isinstance(token.id, int):
            label = None if token.head is None else token.label or "dep"
            tokens.append(attrs.evolve(token, feats=feats, misc=misc or None, label=label, deps=None))
        elif "-" in str(token.id):
            tokens.append(Token(token.form, id=token.id, misc=misc or None))
    return DependencyTree.from_tokens(tokens)


@every_text
def test_trees_go_through_documents(read: Callable[[], list[DependencyTree]]) -> None:
    trees = [tree for tree in read() if len(tree.roots) == 1 or not tree.arcs]
    trees = [attrs.evolve(tree, comments=[line for line in tree.comments if "new" not in line]) for tree in trees]
    vocab = spacy.blank("xx").vocab
    for some in ([tree for tree in trees if tree.is_annotated], [tree for tree in trees if not tree.arcs]):
        back = [attrs.evolve(tree, comments=()) for tree in from_doc(to_doc(some, vocab))]
        assert [*map(to_conllu, back)] == [to_conllu(held(tree)) for tree in some]


@every_text
def test_a_document_has_the_text_of_its_trees(read: Callable[[], list[DependencyTree]]) -> None:
    trees = [tree.reattach([None] * len(tree)) for tree in read()]
    doc = to_doc(trees, spacy.blank("xx").vocab)
    text = doc.text
    assert text == raw_text(trees) == raw_text(from_doc(doc))
    assert all(text.startswith(word.text, word.idx) for word in doc)
    for tree, sentence in zip(trees, doc.sents, strict=True):
        assert sentence.text.strip() == raw_text([tree]).strip()
        forms = [word.norm_ for word in sentence if not word.is_space]
        for span in filter(None, (multiword_span(token) for _, token in tree.extra_tokens)):
            assert [forms[position - 1] for position in span] == [tree[position].form for position in span]


@pytest.mark.parametrize("text", ["\n Isn't\tit  a\xa0 dog?\r\n\n\nDogs sleep.\n", "Dogs", " "])
def test_a_raw_text_goes_through_documents(text: str) -> None:
    trees = [*Tokenizer.train(sample_treebank("train")).tokenize(text)]
    doc = to_doc(trees, spacy.blank("en").vocab)
    assert doc.text == raw_text(trees)
    back = from_doc(Doc(doc.vocab).from_bytes(doc.to_bytes()))
    assert [*back] == [attrs.evolve(tree, comments=[f"# text = {tree.text}"]) for tree in trees]


def test_words_of_multiword_tokens_are_parsed_as_such(nlp: Any, model: str) -> None:
    dont = Token("don't", id="2-3")
    tree = DependencyTree([(None, "They"), (None, "do"), (None, "not"), (None, "sing")], extra_tokens=[(1, dont)])
    [found] = from_doc(nlp(to_doc([tree], nlp.vocab)))
    [expected] = Parser.load(model).parse([tree])
    assert (found.heads, found.labels, found.extra_tokens) == (expected.heads, expected.labels, ((1, dont),))
    short = DependencyTree([(None, "de"), (None, "le")], extra_tokens=[(0, Token("d", id="1-2"))])
    with pytest.raises(ValueError, match="sentence 'de le' has more words than characters in 'd'"):
        to_doc([short], nlp.vocab)


def test_each_root_begins_a_sentence() -> None:
    tree = DependencyTree([(0, "Yes"), (3, "it"), (0, "is")])
    assert [len(part) for part in from_doc(to_doc([tree], spacy.blank("en").vocab))] == [1, 2]


def test_the_entry_point_names_the_component() -> None:
    from importlib.metadata import distribution

    points = distribution("deptrees").entry_points.select(group="spacy_factories")
    assert [point.load().__name__ for point in points if point.name == "deptrees"] == ["make_component"]
    assert ParserComponent.__name__ == type(spacy.blank("en").add_pipe("deptrees")).__name__


NAMES: dict[Transition, str] = {LeftArc(): "L-dep", RightArc(): "R-dep", Reduce(): "D", Shift(): "S", Break(): "B-ROOT"}
"""What spaCy calls the transitions."""


MOVES = ArcEager(Vocab().strings, ArcEager.get_actions())


def state_after(history: Iterable[Transition], doc: Doc) -> Any:
    [state] = MOVES.init_batch([doc])
    for transition in history:
        MOVES.transition(state, NAMES[transition])
    return state


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("system", [SpacyArcEager(), SpacyArcEager(breaks=True)], ids=repr)
def test_the_system_is_that_of_its_parser_along_all_derivations(system: SpacyArcEager, n: int) -> None:
    doc = Doc(Vocab(), words=["w"] * n)
    todo = [system.initial(["w"] * n)]
    while todo:
        cfg = todo.pop()
        state = state_after(cfg.history, doc)
        heads = {arc["child"]: arc["head"] + 1 for arc in state.arcs}
        assert [heads.get(word, 0) for word in range(n)] == [head or 0 for head in cfg.heads]
        assert [word + 1 for word in state.stack] == [*cfg.stack][::-1]
        assert [word + 1 for word in state.queue] == [*cfg.buffer]
        assert state.is_final() == cfg.is_final
        if not cfg.is_final:
            possible = [move for move in system.transitions if MOVES.is_valid(state, NAMES[move])]
            assert possible == [*cfg.possible_transitions()]
            todo += [transition(cfg) for transition in possible]


@pytest.mark.parametrize(
    ("history", "asked", "shipped", "exact"),
    [((Shift(),), Shift(), 1, 0), ((Shift(), RightArc(), Reduce()), LeftArc(), 0, 1)],
)
def test_its_oracle_differs_where_the_errata_say_so(
    history: tuple[Transition, ...], asked: Transition, shipped: int, exact: int
) -> None:
    chain = DependencyTree([(0, "Try"), (1, "to"), (2, "start")])
    words = [token.form for token in chain]
    gold = {"words": words, "heads": [0, 0, 1], "deps": ["ROOT", "dep", "dep"]}
    example = Example.from_dict(Doc(Vocab(), words=words), gold)
    state = state_after(history, example.predicted)
    oracle = MOVES.init_gold(state, example)
    oracle.update(state)
    [number] = [number for number in range(MOVES.n_moves) if MOVES.class_name(number) == NAMES[asked]]
    assert MOVES.get_cost(state, oracle, number) == shipped
    assert cost(asked, follow(SpacyArcEager().initial(chain), history), chain) == exact
