"""Arc diagrams for LaTeX, drawn by the package tikz-dependency."""

from __future__ import annotations

from deptrees.drawing.diagram import Arc, ArcDiagram, ArcKind
from deptrees.messages import of_type
from deptrees.printable import printable

__all__ = ["in_latex", "latex"]

_STYLES: dict[ArcKind, str] = {
    "new": "edge style={very thick}",
    "wrong": "edge style={dashed, thick, red!75!black}, label style={text=red!75!black}",
    "missed": "edge below, edge style={densely dotted, thick, blue}, label style={text=blue}",
    "matched": "edge style={very thick}",
    "enhanced": "edge below, edge style={blue}, label style={text=blue}",
}
_SPECIAL = {
    **{character: f"\\{character}" for character in "{}$#_%"},
    "&": r"\symbol{38}",  # \& is what stands between two words of tikz-dependency, and \&[...] between two, too
    "[": r"\symbol{91}",
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
    "→": r"$\rightarrow$",
    "…": r"\dots{}",
    "✗": r"$\times$",
}


def in_latex(text: str) -> str:
    r"""The printable text with LaTeX's commands for the characters that mean something to it.

    >>> print(in_latex("50% of R&D"))
    50\% of R\symbol{38}D
    """
    return "".join([_SPECIAL.get(character, character) for character in printable(text)])


def latex(*diagrams: ArcDiagram) -> str:
    r"""Diagrams as environments of the package tikz-dependency.

    A document needs ``\\usepackage{tikz-dependency}``, and for letters that pdfLaTeX does not know, XeLaTeX or LuaLaTeX
    with a font that has them.

    >>> print(latex(ArcDiagram(["Birds", "sing"], [Arc(2, 1, "nsubj"), Arc(0, 2, "root")])))
    \begin{dependency}
      \begin{deptext}[column sep=1em]
        Birds \& sing \\
      \end{deptext}
      \depedge{2}{1}{nsubj}
      \deproot{2}{root}
    \end{dependency}
    """
    return "\n\n".join(map(_environment, diagrams))


def _environment(diagram: ArcDiagram) -> str:
    of_type("diagrams", diagram, ArcDiagram, "one or more of tree.diagram()")
    rows = [diagram.words, *([[tag or "" for tag in diagram.tags]] if diagram.tags else [])]
    lines = [
        r"\begin{dependency}",
        r"  \begin{deptext}[column sep=1em]",
        *["    " + r" \& ".join(map(in_latex, row)) + r" \\" for row in rows],
        r"  \end{deptext}",
        *map(_edge, diagram.arcs),
    ]
    for token in diagram.multiword_tokens:
        name = f"token{token.first}"
        lines.append(f"  \\wordgroup{{{len(rows)}}}{{{token.first}}}{{{token.last}}}{{{name}}}")
        lines.append(f"  \\node[below] at ({name}.south) {{{in_latex(token.form)}}};")
    return "\n".join([*lines, r"\end{dependency}"])


def _edge(arc: Arc) -> str:
    styles = [*([_STYLES[arc.kind]] if arc.kind in _STYLES else []), *([] if arc.label else ["hide label"])]
    options = f"[{', '.join(styles)}]" if styles else ""
    ends = f"\\depedge{options}{{{arc.head}}}" if arc.head else f"\\deproot{options}"
    return f"  {ends}{{{arc.dependent}}}{{{in_latex(arc.label or '')}}}"
