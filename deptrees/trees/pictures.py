"""A tree as drawings take it, alone, beside its gold tree, or with the graph in DEPS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deptrees.drawing import text
from deptrees.drawing.diagram import Arc, ArcDiagram, MultiwordToken
from deptrees.trees.extra_tokens import multiword_span

if TYPE_CHECKING:
    from deptrees.trees.graph import GraphArc
    from deptrees.trees.token import Token
    from deptrees.trees.tree import DependencyTree

__all__ = ["diagram", "draw"]


def draw(tree: DependencyTree, *, labels: bool, enhanced: bool, ascii: bool) -> str:  # noqa: A002
    """The drawing in text; see ``DependencyTree.draw``."""
    if not enhanced:
        forms = [token.form for token in tree.tokens]
        return text.draw(tree.heads, forms, tree.labels if labels else None, ascii=ascii)
    graph, (arcs, added) = tree.graph, _arcs_with_graph(tree)
    heads = {word: head for head, word, _ in arcs}
    notes: list[list[str]] = [[] for _ in graph.ids]
    for _, word, label in arcs:
        notes[word] += [label or "_"] if labels else []
    for head, word, label in added:
        notes[word].append(f"+{graph.ids[head]}:{label or '_'}" if labels else f"+{graph.ids[head]}")
    return text.draw(
        [heads.get(position) for position in range(1, len(graph) + 1)],
        [_shown(node) for node in graph],
        [" ".join(note) for note in notes[1:]],
        ids=graph.ids[1:],
        ascii=ascii,
    )


def diagram(
    tree: DependencyTree, *, labels: bool, tags: bool, gold: DependencyTree | None, enhanced: bool
) -> ArcDiagram:
    """The diagram; see ``DependencyTree.diagram``."""
    if enhanced and gold is not None:
        raise ValueError("gold arcs and those of the graph are both drawn below the words: choose one of them")
    if enhanced:
        nodes, of_tree, of_graph = tree.graph.nodes, *_arcs_with_graph(tree)
        arcs = [Arc(head, word, label if labels else None) for head, word, label in of_tree]
        added = (Arc(head, word, label if labels else None, "enhanced") for head, word, label in of_graph)
        arcs += dict.fromkeys(added)  # without labels, some are the same
    else:
        nodes, arcs = tree.tokens, _compared_arcs(tree, labels, gold or tree)
    place = {node.id: position for position, node in enumerate(nodes, 1)}
    spans = [(multiword_span(token), token.form) for _, token in tree.multiword_tokens]
    multiword_tokens = [MultiwordToken(place[span[0]], place[span[-1]], form) for span, form in spans if span]
    upos = [node.upos for node in nodes] if tags else None
    return ArcDiagram(map(_shown, nodes), arcs, upos, multiword_tokens, tree.sent_id)


def _arcs_with_graph(tree: DependencyTree) -> tuple[list[GraphArc], list[GraphArc]]:
    """The arcs of the tree, which have the graph's labels if these say more, and those of the graph alone.

    Ends are positions in the graph.
    """
    positions, added = tree.graph.positions, dict.fromkeys(tree.graph.arcs)
    arcs: list[GraphArc] = []
    for head, word in tree.arcs:
        ends, label = (positions[str(head)], positions[str(word)]), tree.labels[word - 1]
        same = [each for each in tree.graph.labels_of(*ends) if f"{each}:".startswith(f"{label}:")]
        arcs.append((*ends, same[0] if same else label))
        added.pop(arcs[-1], None)
    return arcs, [*added]


def _compared_arcs(tree: DependencyTree, labels: bool, gold: DependencyTree) -> list[Arc]:
    """The arcs of the tree and those gold ones that are not among them, which are missed."""
    arcs = []
    for word, (token, gold_token) in enumerate(zip(tree.tokens, gold.tokens, strict=True), 1):
        head, label = token.head, token.label if labels else None
        gold_head, gold_label = gold_token.head, gold_token.label if labels else None
        is_right = gold_head is None or (head, label) == (gold_head, gold_label)
        if head is not None:
            arcs.append(Arc(head, word, label, "plain" if is_right else "wrong"))
        if gold_head is not None and not is_right:
            arcs.append(Arc(gold_head, word, gold_label, "missed"))
    return arcs


def _shown(node: Token) -> str:
    """A word as it is drawn, and an empty node in brackets."""
    return node.form if isinstance(node.id, int) else f"[{node.form}]"
