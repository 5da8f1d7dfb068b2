"""Write docs/papers.md, the papers that pages and docstrings cite, from docs/papers.bib and CITATION.cff.

python docs/write_papers.py
"""

import re
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

FOLDER = Path(__file__).parent
PAGE = FOLDER / "papers.md"
BIBLIOGRAPHY = (FOLDER / "papers.bib").read_text(encoding="utf-8")
CITATION = (FOLDER.parent / "CITATION.cff").read_text(encoding="utf-8")

INTRODUCTION = """# Papers

The papers that the pages and docstrings cite, by year, from the bibliography [papers.bib](papers.bib). The page of a
system, an oracle or a strategy names the section that it comes from. [Notation](notation.md) explains the papers'
symbols, and [Errata](errata.md) lists corrections.

## How to cite

Cite the papers of the systems and oracles that you use, which are listed on their pages. For the library itself:

```bibtex
{citation}
```

## Papers by year
"""


class Paper(NamedTuple):
    """An entry of the bibliography: its key and its fields."""

    key: str
    fields: dict[str, str]

    @property
    def cited(self) -> str:
        """How texts cite the paper, such as "Goldberg & Nivre 2013"."""
        *others, last = (surname for surname, *_ in self._authors())
        names = f"{others[0]} et al." if len(others) > 2 else f"{', '.join(others)} & {last}" if others else last
        return f"{names} {self.year}"

    @property
    def year(self) -> str:
        """The year, with a letter if the authors have several papers in it."""
        return self.fields["year"] + self.fields.get("extrayear", "")

    @property
    def entry(self) -> str:
        """The paper as an item of a list, in Markdown."""
        authors = ", ".join(" ".join([given, surname, *junior]) for surname, *junior, given in self._authors())
        address = f"https://doi.org/{self.fields['doi']}" if "doi" in self.fields else self.fields.get("url")
        title = self.fields["title"].replace("*", r"\*")
        parts = [f"[{title}]({address})" if address else title, *self._venue()]
        text = f"{authors} ({self.year}). {'. '.join(parts)}."
        return fill(text, 120, initial_indent="* ", subsequent_indent="  ", break_on_hyphens=False)

    def _authors(self) -> list[list[str]]:
        """Each author's surname, a Jr. or the like if there is one, and given names."""
        return [author.split(", ") for author in self.fields["author"].split(" and ")]

    def _venue(self) -> list[str]:
        """Where the paper is published, and what the bibliography notes about that."""
        places = ("journal", "booktitle", "publisher", "type", "school", "institution")
        where = ", ".join(self.fields[name] for name in places if name in self.fields)
        formats = {"volume": " {}", "number": "({})", "pages": ", {}"}
        where += "".join(form.format(self.fields[name]) for name, form in formats.items() if name in self.fields)
        return [part.replace("--", "–") for part in (where, self.fields.get("note")) if part]


def _papers() -> list[Paper]:
    """All entries of the bibliography, whose fields are lines: a text in braces or the name of a venue."""
    venues = dict(re.findall(r"^@string\{(\w+) = \{(.*)\}\}$", BIBLIOGRAPHY, re.MULTILINE))
    entries = re.findall(r"^@\w+\{([\w-]+),\n((?:  .*\n)+)\}$", BIBLIOGRAPHY, re.MULTILINE)
    lines = {key: re.findall(r"^  (\w+) = (?:\{(.*)\}|(\w+)),$", text, re.MULTILINE) for key, text in entries}
    return [Paper(key, {name: text or venues[venue] for name, text, venue in lines[key]}) for key in lines]


PAPERS = _papers()


def citation() -> str:
    """The library as an entry of a bibliography, with the year once it is released."""
    parts = {"author": "  - name", "title": "title", "note": "version", "year": "date-released"}
    forms = {"author": "{{{}}}", "note": "Version {}", "year": "{:.4}"}
    found = {field: re.search(rf'^{part}: "?(.*?)"?$', CITATION, re.MULTILINE) for field, part in parts.items()}
    fields = [f"  {field} = {{{forms.get(field, '{}').format(it[1])}}}," for field, it in found.items() if it]
    return "\n".join(["@misc{deptrees,", *fields, "}"])


def page() -> str:
    """The text of the page."""
    return "\n".join([INTRODUCTION.replace("{citation}", citation()), *(paper.entry for paper in PAPERS), ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
