"""A page of an analysis: its table, and below it drawings of the sentences that its rows come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from deptrees.drawing.html import page
from deptrees.drawing.svg import svg
from deptrees.drawing.table import DrawnTable
from deptrees.evaluation.pairs import EvaluationError, Trees, pairs
from deptrees.evaluation.tables import Table
from deptrees.messages import of_type

__all__ = ["drawn_sentences"]


def drawn_sentences(table: Table, gold: Trees, *predicted: Trees, most: int = 5, rows: int = 50) -> Iterator[str]:
    """The parts of a page: the table, whose rows link to their sentences, and these with the trees of each parser.

    Args:
        table: the result of an analysis whose rows know their sentences.
        gold: the gold trees of the analysis.
        predicted: the predicted trees; of both parsers, if the table compares two.
        most: how many sentences of each row to draw, starting with the first.
        rows: for how many rows to draw sentences, starting with the first.

    Raises:
        EvaluationError: the sentences are not the same.

    >>> from deptrees import DependencyTree, Predictions, analyze
    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])
    >>> predicted = gold.reattach([2, 0, 2, 2])
    >>> page = "".join(drawn_sentences(analyze(Predictions.of(gold, predicted)), gold, predicted))
    >>> page.count("<svg"), 'href="#row-1"' in page, 'id="row-1"' in page
    (1, True, True)
    """
    of_type("table", table, Table, "the result of an analysis")
    sentences = _sentences(table)
    shown = [numbers[: most if row < rows else 0] for row, numbers in enumerate(sentences)]
    wanted = {number for numbers in shown for number in numbers}
    pictures = _pictures(wanted, gold, predicted)
    if missing := wanted - pictures.keys():
        raise EvaluationError(f"the table has a row about sentence {min(missing)}, and there is no such sentence")
    links = [f"#row-{row}" if numbers else "" for row, numbers in enumerate(shown, 1)]
    which = ": parser 1 above parser 2" if len(predicted) > 1 else ""
    sections = [(table.title, _linked(table, links))]
    for row, (numbers, name) in enumerate(zip(shown, _names(table), strict=True), 1):
        if numbers:
            captions = (f"<figcaption>Sentence {number}{which}</figcaption>{pictures[number]}" for number in numbers)
            drawn = "".join(f"<figure>{caption}</figure>" for caption in captions)
            left = len(sentences[row - 1]) - len(numbers)
            more = f"<p>and {left} more</p>" if left else ""
            sections.append((name, f'<div id="row-{row}">{drawn}{more}</div>'))
    return iter(page(table.title, sections))


def _sentences(table: Table) -> Sequence[tuple[int, ...]]:
    """The sentences of each row; where each row is about a sentence, this one."""
    about = [column for column in table.keys if column.name == "sentence"]
    return table.sentences or [(int(number),) for column in about for number in column.values] or [()] * len(table)


def _names(table: Table) -> list[str]:
    """What each row is about."""
    keys = [[f"{column.name} {text}" for text in column.shown()] for column in table.keys]
    return [" · ".join(key) for key in zip(*keys, strict=True)] or [table.title] * len(table)


def _linked(table: Table, links: list[str]) -> str:
    """The table as HTML, the first cell of each row with its link."""
    drawn = table.drawn()
    [rows] = drawn.groups
    linked = [(attrs.evolve(first, link=link), *others) for (first, *others), link in zip(rows, links, strict=True)]
    return DrawnTable(drawn.columns, [linked]).html()


def _pictures(wanted: set[int], gold: Trees, predicted: Sequence[Trees]) -> Mapping[int, str]:
    """The sentences of some numbers, with predicted and gold arcs, one parser below the other."""
    of_each = zip(*[pairs(gold, trees) for trees in predicted], strict=True)
    return {
        number: svg(*[tree.diagram(gold=gold_tree) for gold_tree, tree in both])
        for number, both in enumerate(of_each, 1)
        if number in wanted
    }
