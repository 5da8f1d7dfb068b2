"""Draw the pictures of docs/drawing.md.

python docs/draw_pictures.py
"""

from pathlib import Path

from deptrees import DependencyTree, Token
from deptrees.drawing import svg
from deptrees.trees.shorthand import from_shorthand

FOLDER = Path(__file__).parent / "pictures"

SAW = from_shorthand(["I", "saw", "a", "dog"], "2:nsubj 0:root 4:det 2:obj")
HEARING = from_shorthand(
    ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."],
    "2:det 3:nsubj 0:root 3:vc 2:nmod 7:det 5:pc 4:adv 3:punct",
)
"""The example of Nivre, Kuhlmann & Hall 2009."""
CLOCK = from_shorthand(
    [
        *["The", "old", "clock", "which", "my", "uncle", "has", "repaired", "still", "works", "well", ","],
        *["but", "nobody", "in", "the", "village", "remembers", "who", "built", "it", "."],
    ],
    "3:det 3:amod 10:nsubj 8:obj 6:nmod:poss 8:nsubj 8:aux 3:acl:relcl 10:advmod 0:root 10:advmod "
    "18:punct 18:cc 18:nsubj 17:case 17:det 14:nmod 10:conj 20:nsubj 18:ccomp 20:obj 10:punct",
)
BED = DependencyTree(
    [
        Token("Il", 2, "nsubj", upos="PRON"),
        Token("rêve", 0, "root", upos="VERB"),
        Token("de", 5, "case", upos="ADP"),
        Token("le", 5, "det", upos="DET"),
        Token("lit", 2, "obl", upos="NOUN"),
    ],
    extra_tokens=[(2, Token("du", id="3-4"))],
)
GAPPING = DependencyTree(
    [
        Token("She", 2, "nsubj", deps="2:nsubj|4:nsubj:xsubj"),
        Token("wants", 0, "root", deps="0:root"),
        Token("to", 4, "mark", deps="4:mark"),
        Token("drink", 2, "xcomp", deps="2:xcomp"),
        Token("tea", 4, "obj", deps="4:obj"),
        Token("and", 7, "cc", deps="7.1:cc"),
        Token("he", 2, "conj", deps="7.1:nsubj"),
        Token("coffee", 7, "orphan", deps="7.1:obj"),
    ],
    extra_tokens=[(7, Token("drink", id="7.1", deps="2:conj:and"))],
)
SCRIPTS = (
    from_shorthand(["الولد", "يقرأ", "كتابا", "جديدا"], "2:nsubj 0:root 2:obj 3:amod"),
    from_shorthand(["我们", "喜欢", "北京", "烤鸭"], "2:nsubj 0:root 4:nmod 2:obj"),
)


def pictures() -> dict[Path, str]:
    """The path and the text of each picture."""
    predicted = HEARING.reattach([2, 3, 0, 3, 4, 7, 5, 4, None], [*HEARING.labels[:7], "obl", None])
    drawn = {
        "tree": svg(SAW.diagram()),
        "crossing": svg(HEARING.diagram()),
        "rows": svg(CLOCK.diagram(), width=700),
        "compared": svg(predicted.diagram(gold=HEARING)),
        "tokens": svg(BED.diagram(tags=True)),
        "enhanced": svg(GAPPING.diagram(enhanced=True)),
        "scripts": svg(*[tree.diagram() for tree in SCRIPTS]),
    }
    return {FOLDER / f"{name}.svg": f"{text}\n" for name, text in drawn.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in pictures().items():
        path.write_text(text, encoding="utf-8")
