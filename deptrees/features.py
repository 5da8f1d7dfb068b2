"""What a linear model sees of a configuration: a plain function to strings."""

from __future__ import annotations

from deptrees.transition.stack_buffer import StackBufferConfiguration

__all__ = ["features"]

_Node = tuple[str, str | None, str | None]
"""Form, universal part of speech and label of a word, as far as it has them."""
_NOTHING: _Node = ("", None, None)


def features(cfg: StackBufferConfiguration) -> list[str]:
    """The features of Zhang & Nivre 2011, and their like for the second element of the stack.

    They look at form (w), universal part of speech (p) and label (l) of words: the top of the stack (s0, s1, s2), the
    front of the buffer (b0, b1, b2), the head of s0 (h) and its head (hh), the outermost left and right dependents
    (L, R) and the next ones (LL, RR); at the number (n) and the labels (set) of dependents on either side; and at the
    distance (d) from s0 to b0.

    Returns:
        The features, each with the names of what it looks at.

    >>> from deptrees.transition import ArcEager
    >>> features(ArcEager().initial(["Birds", "sing"]))[:4]
    ["s0w='ROOT'", 's0p=None', "s0w='ROOT' s0p=None", 's0l=None']
    """
    words, heads, labels = cfg.tokens, cfg.heads, cfg.labels
    s0, s1, s2 = cfg.stack_position(0), cfg.stack_position(1), cfg.stack_position(2)
    b0, b1, b2 = cfg.buffer_position(0), cfg.buffer_position(1), cfg.buffer_position(2)
    dependents: dict[int | None, list[int]] = {s0: [], s1: [], b0: []}
    for word, head in enumerate(heads, 1):
        if head in dependents:
            dependents[head].append(word)

    def node(position: int) -> _Node:
        if position > 0:
            token = words[position - 1]
            return token.form, token.upos, labels[position - 1]
        return _NOTHING if position < 0 else ("ROOT", None, None)

    def head_of(position: int) -> int:
        head = heads[position - 1] if position > 0 else None
        return -1 if head is None else head

    def left(position: int) -> list[_Node]:
        """The dependents before a word, the outermost first."""
        return [node(word) for word in dependents[position] if word < position]

    def right(position: int) -> list[_Node]:
        """The dependents behind a word, the outermost first."""
        return [node(word) for word in reversed(dependents[position]) if word > position]

    (s0w, s0p, s0l), (s1w, s1p, s1l), (_, s2p, _) = node(s0), node(s1), node(s2)
    (b0w, b0p, _), (b1w, b1p, _), (b2w, b2p, _) = node(b0), node(b1), node(b2)
    (s0hw, s0hp, s0hl), (_, s0hhp, _) = node(head_of(s0)), node(head_of(head_of(s0)))
    s0_left, s0_right, s1_left, s1_right, b0_left = left(s0), right(s0), left(s1), right(s1), left(b0)
    (s0Lw, s0Lp, s0Ll), (s0LLw, s0LLp, s0LLl) = [*s0_left, _NOTHING, _NOTHING][:2]  # noqa: N806
    (s0Rw, s0Rp, s0Rl), (s0RRw, s0RRp, s0RRl) = [*s0_right, _NOTHING, _NOTHING][:2]  # noqa: N806
    (b0Lw, b0Lp, b0Ll), (b0LLw, b0LLp, b0LLl) = [*b0_left, _NOTHING, _NOTHING][:2]  # noqa: N806
    (_, s1Lp, s1Ll), (_, s1Rp, s1Rl) = [*s1_left, _NOTHING][0], [*s1_right, _NOTHING][0]  # noqa: N806
    s0nL, s0nR, b0nL = len(s0_left), len(s0_right), len(b0_left)  # noqa: N806
    s0setL, s0setR, b0setL = (  # noqa: N806
        " ".join(str(label) for _, _, label in side) for side in (s0_left, s0_right, b0_left)
    )
    d = min(b0 - s0, 10) if s0 >= 0 and b0 >= 0 else 0
    return [
        f"{s0w=}",
        f"{s0p=}",
        f"{s0w=} {s0p=}",
        f"{s0l=}",
        f"{s0l=} {s0p=}",
        f"{s1w=}",
        f"{s1p=}",
        f"{s1w=} {s1p=}",
        f"{s1l=}",
        f"{s2p=}",
        f"{b0w=}",
        f"{b0p=}",
        f"{b0w=} {b0p=}",
        f"{b1w=}",
        f"{b1p=}",
        f"{b1w=} {b1p=}",
        f"{b2w=}",
        f"{b2p=}",
        f"{s0w=} {s0p=} {b0w=} {b0p=}",
        f"{s0w=} {s0p=} {b0w=}",
        f"{s0w=} {b0w=} {b0p=}",
        f"{s0w=} {s0p=} {b0p=}",
        f"{s0p=} {b0w=} {b0p=}",
        f"{s0w=} {b0w=}",
        f"{s0p=} {b0p=}",
        f"{b0p=} {b1p=}",
        f"{s1p=} {s0p=}",
        f"{s1p=} {s0w=}",
        f"{s1w=} {s0p=}",
        f"{s1w=} {s0w=}",
        f"{s1p=} {b0p=}",
        f"{b0p=} {b1p=} {b2p=}",
        f"{s0p=} {b0p=} {b1p=}",
        f"{s1p=} {s0p=} {b0p=}",
        f"{s2p=} {s1p=} {s0p=}",
        f"{s0hp=} {s0p=} {b0p=}",
        f"{s0p=} {s0Lp=} {b0p=}",
        f"{s0p=} {s0Rp=} {b0p=}",
        f"{s0p=} {b0p=} {b0Lp=}",
        f"{s1p=} {s0p=} {s0Lp=}",
        f"{s1p=} {s0p=} {s0Rp=}",
        f"{s1p=} {s1Lp=} {s0p=}",
        f"{s1p=} {s1Rp=} {s0p=}",
        f"{s1Ll=} {s1Rl=}",
        f"{d=} {s0w=}",
        f"{d=} {s0p=}",
        f"{d=} {b0w=}",
        f"{d=} {b0p=}",
        f"{d=} {s0w=} {b0w=}",
        f"{d=} {s0p=} {b0p=}",
        f"{s0nR=} {s0w=}",
        f"{s0nR=} {s0p=}",
        f"{s0nL=} {s0w=}",
        f"{s0nL=} {s0p=}",
        f"{b0nL=} {b0w=}",
        f"{b0nL=} {b0p=}",
        f"{s0hw=}",
        f"{s0hp=}",
        f"{s0hl=}",
        f"{s0Lw=}",
        f"{s0Lp=}",
        f"{s0Ll=}",
        f"{s0Rw=}",
        f"{s0Rp=}",
        f"{s0Rl=}",
        f"{b0Lw=}",
        f"{b0Lp=}",
        f"{b0Ll=}",
        f"{s0LLw=}",
        f"{s0LLp=}",
        f"{s0LLl=}",
        f"{s0RRw=}",
        f"{s0RRp=}",
        f"{s0RRl=}",
        f"{b0LLw=}",
        f"{b0LLp=}",
        f"{b0LLl=}",
        f"{s0p=} {s0Lp=} {s0LLp=}",
        f"{s0p=} {s0Rp=} {s0RRp=}",
        f"{s0p=} {s0hp=} {s0hhp=}",
        f"{b0p=} {b0Lp=} {b0LLp=}",
        f"{s0w=} {s0setR=}",
        f"{s0p=} {s0setR=}",
        f"{s0w=} {s0setL=}",
        f"{s0p=} {s0setL=}",
        f"{b0w=} {b0setL=}",
        f"{b0p=} {b0setL=}",
    ]
