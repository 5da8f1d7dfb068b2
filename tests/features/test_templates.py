import pytest

from deptrees import DependencyTree, Token
from deptrees.features import DELEXICALIZED, FAST, MORPHOLOGICAL, Template, TemplateError, Templates
from deptrees.features.embeddings import Embeddings
from deptrees.features.values import number_hash
from deptrees.transition import ArcEager, LeftArc, Reduce, RightArc, Shift, Transition
from deptrees.transition.systems.stack_buffer import StackBufferConfiguration
from deptrees.treebanks.hashes import text_hash

HISTORY: list[Transition] = [Shift(), LeftArc("det"), Shift(), LeftArc("nsubj"), RightArc("root"), RightArc("obj")]
SENTENCE = DependencyTree(
    [
        Token("The", upos="DET", feats="Definite=Def|PronType=Art"),
        Token("dog", upos="NOUN", lemma="dog", feats="Number=Sing"),
        Token("saw", upos="VERB", lemma="see", misc="SpaceAfter=No|KnownHead=root"),
        Token("me", upos="PRON", xpos="PRP", feats="Case=Acc|Number=Sing"),
        Token("again", upos="ADV"),
    ]
)


def configuration() -> StackBufferConfiguration:
    """The stack is (0, 3, 4), the buffer (5,)."""
    cfg = ArcEager().initial(SENTENCE)
    for transition in HISTORY:
        cfg = transition(cfg)
    assert (cfg.stack, cfg.buffer) == ((0, 3, 4), (5,))
    return cfg


@pytest.mark.parametrize(
    ("template", "values"),
    [
        ("s0.form", ("me",)),
        ("s0.feats", ("Case=Acc|Number=Sing",)),
        ("s0.feats.Case", ("Acc",)),
        ("s0.feats.Tense", ("_",)),
        ("s1.misc+s1.misc.KnownHead+b0.misc.KnownHead", ("SpaceAfter=No|KnownHead=root", "root", "_")),
        ("b0.lemma", ("_",)),
        ("s0.xpos+s1.xpos", ("PRP", "_")),
        ("s2.form+s2.deprel+s2.feats.Case", ("ROOT", "ROOT", "ROOT")),
        ("s3.form+b1.upos+s0.left.form+s0.left.left_valency", (None, None, None, None)),
        ("s0.deprel+s1.deprel+b0.deprel", ("obj", "root", "_")),
        ("s0.head.lemma+s0.head.head.upos", ("see", "ROOT")),
        ("s0.head.head.head.upos", (None,)),
        ("s1.left.form+s1.left2.form+s1.right.form+s1.right2.form", ("dog", None, "me", None)),
        ("s1.left.left.form", ("The",)),
        ("s1.left_valency+s1.right_valency+s0.left_valency", (1, 1, 0)),
        ("s1.left_labels+s0.left_labels+s2.right_labels", (("nsubj",), (), ("root",))),
        ("distance(s0,b0)+distance(b0,s1)+distance(s0,b1)", (1, -2, None)),
        ("history1+history2+history4", (("RightArc()", "obj"), ("RightArc()", "root"), ("Shift()",))),
    ],
)
def test_what_templates_see(template: str, values: tuple[object, ...]) -> None:
    assert Templates([template]).values(configuration()) == [values]


def test_history_is_empty_at_the_beginning() -> None:
    assert Templates(["history2"]).values(Shift()(ArcEager().initial(SENTENCE))) == [(None,)]


def test_transitions_without_labels_are_history_too() -> None:
    assert Templates(["history1"]).values(Reduce()(configuration())) == [(("Reduce()",),)]


def test_distances_are_cut_off() -> None:
    cfg = ArcEager().initial(["w"] * 30)
    for _ in range(20):
        cfg = Shift()(cfg)
    templates = Templates(["distance(s19,b0)", "distance(b0,s19)"])
    assert templates.values(cfg) == [(10,), (-10,)]


@pytest.mark.parametrize("template", [*MORPHOLOGICAL, *DELEXICALIZED, *FAST], ids=str)
def test_templates_are_written_as_they_are_read(template: Template) -> None:
    assert Template.read(str(template)) == template


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' in the template '': here may stand a word and what is looked at"),
        ("s0", "'s0' in the template 's0': here may stand a word and what is looked at"),
        ("x0.form", "'x0' in the template 'x0.form': here may stand s0, s1"),
        ("s.form", "'s' .* here may stand s0, s1"),
        ("s0.size", "'size' .* here may stand head, left, right, left2, right2, beyond, form, lemma"),
        ("s0.left3.form", "'left3' .* here may stand head, left, right, left2, right2, beyond$"),
        ("s0.form.upos", "'form' .* here may stand head"),
        ("s0.feats.Case.upos", "'feats' .* here may stand head"),
        ("s0.misc.KnownHead.upos", "'misc' .* here may stand head"),
        ("s0.form+", "'' in the template"),
        ("history0", "'history0' .* here may stand history1 to history4"),
        ("history5", "'history5' .* here may stand history1 to history4"),
        ("distance(s0)", "here may stand two words, as in distance"),
        ("distance(s0,b0.up)", "'up' .* here may stand head"),
        ("s0.embedding", "looks at embeddings, and there are none"),
        ("s0.number", "'number' .* here may stand .* embedding, number.Length$"),
        ("s0.number.X+b0.number.X", "names numbers twice"),
    ],
)
def test_texts_that_are_no_templates_are_refused(text: str, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        Templates([text])


def test_hashes_are_the_same_everywhere() -> None:
    assert (text_hash("dog"), text_hash(None), number_hash(3)) == (
        11501171807684625465,
        5224996704525874836,
        13425732073801469531,
    )
    assert Templates(["s0.form+distance(s0,b0)+s1.left_labels"]).hashes(configuration()) == [14045616503802013313]


def test_templates_with_numbers_see_them() -> None:
    embeddings = Embeddings(["me", "Saw"], [[0.5, 1.0], [2.0, 4.0]])
    templates = Templates(["s0.form", "s0.embedding", "s1.embedding", "s2.embedding+b0.upos"], embeddings=embeddings)
    cfg = configuration()
    assert templates.values(cfg) == templates.plain.values(cfg) == [("me",)]
    assert [numbers.tolist() for _, numbers in templates.numbers(cfg)] == [[0.5, 1], [], []]
    assert templates.numbers(cfg)[0][0] == Templates(["s0.embedding"], embeddings=embeddings).numbers(cfg)[0][0]


def test_numbers_in_misc_are_numbers() -> None:
    templates = Templates(["b0.number.Length", "b1.number.Length"])
    cfg = ArcEager().initial([Token("a", misc="Length=-0.5"), Token("b")])
    assert [numbers.tolist() for _, numbers in templates.numbers(cfg)] == [[-0.5], []]
    for text in "long", "inf", "":
        cfg = ArcEager().initial([Token("a", misc=f"Length={text}")])
        with pytest.raises(TemplateError, match=rf"number.Length of the word 'a' is '{text}' in MISC"):
            templates.numbers(cfg)
