"""The plain English text that the teacher of the English model parses: 900,000 words, one paragraph after another.

It is made of what packages have in them: reviews, tweets and editorials that vaderSentiment 2.5 was tested with
(``pip download --no-deps --no-binary :all: vaderSentiment==2.5``), the first articles of Wikipedia in gensim 4.4.0
(``pip download --no-deps gensim==4.4.0``), and Debian's fortunes (``apt-get download fortunes``, then ``dpkg -x``).
Paragraphs with a sentence of six words or more of the treebanks that are given are left out.

    python models/english_text.py vaderSentiment-2.5.tar.gz gensim-4.4.0-*.whl usr/share/games/fortunes plain.txt \
        --held-out en_ewt-dev.conllu en_ewt-test.conllu
"""

import bz2
import re
import tarfile
from argparse import ArgumentParser
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from itertools import groupby
from pathlib import Path
from random import Random
from zipfile import ZipFile

from deptrees import Treebank

RATED = "vaderSentiment-2.5/additional_resources/hutto_ICWSM_2014.tar.gz"
WIKIPEDIA = "gensim/test/test_data/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
NO_PROSE = re.compile(r"art|limerick|perl|songs|\.dat$|\.u8$")
DRAWN = re.compile(r"[|_/\\*#=]{3}|   .*\n.*   .*   |\x08")
NO_PARAGRAPH = re.compile(r"\{\{|&lt;|\[\[(File|Category)|\|(?![^\[]*\]\])")
LONG = 6
"""The words of a sentence that does not occur in two places by chance."""


def rated(path: Path) -> Iterator[str]:
    """Texts whose sentiment people have rated: a sentence a line, with the number of its text, if it has several."""
    with tarfile.open(path) as outer:
        inner = outer.extractfile(RATED)
        assert inner
        with tarfile.open(fileobj=BytesIO(inner.read())) as archive:
            for member in sorted(archive.getmembers(), key=lambda it: it.name):
                file = archive.extractfile(member) if member.name.endswith("GroundTruth.txt") else None
                lines = file.read().decode("latin-1").replace("\r", "").split("\n") if file else []
                rows = [row for row in (line.split("\t") for line in lines) if len(row) > 2]
                for _, group in groupby(rows, lambda row: row[0].split("_")[0]):
                    yield " ".join(row[2].replace("''", '"').strip() for row in group)


def fortunes(folder: Path) -> Iterator[str]:
    """Quotations, without those that have no sentences, and without the names of those who said them."""
    for path in sorted(folder.iterdir()):
        if not NO_PROSE.search(path.name):
            for text in path.read_text(encoding="utf-8", errors="replace").split("\n%\n"):
                if not DRAWN.search(text):
                    yield " ".join(re.sub(r"\n\s*-- .*", " ", text, flags=re.DOTALL).split())


def articles(path: Path) -> Iterator[str]:
    """Paragraphs of Wikipedia, without what is no prose."""
    with ZipFile(path) as archive:
        source = bz2.decompress(archive.read(WIKIPEDIA)).decode("utf-8")
    for text in re.findall(r"<text[^>]*>(.*?)</text>", source, re.DOTALL):
        for line in text.split("\n"):
            prose = re.sub(r"&lt;ref.*?(&lt;/ref&gt;|/&gt;)", "", line)
            if re.match(r"[A-Z'\[]", line) and not NO_PARAGRAPH.search(prose) and "{{" not in line:
                linked = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", prose)
                bare = re.sub(r"\[https?:\S+ ?([^\]]*)\]", r"\1", re.sub(r"'{2,}", "", linked))
                if len(bare.split()) > 15:
                    yield unescape(unescape(bare)).replace("\N{NO-BREAK SPACE}", " ").strip()


def plain(text: str) -> str:
    """A text as it is compared with others."""
    return f" {re.sub(r'[^a-z0-9]+', ' ', text.lower()).strip()} "


def main() -> None:
    """Write the text."""
    parser = ArgumentParser(description=__doc__)
    for name in ("rated", "gensim", "fortunes", "output"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--held-out", nargs="+", default=[])
    given = parser.parse_args()
    found = [*rated(given.rated), *fortunes(given.fortunes), *articles(given.gensim)]
    sentences = {plain(tree.text or "") for tree in Treebank(*given.held_out)} if given.held_out else set()
    known = "\n".join(map(plain, found))
    held_out = [it for it in sentences if len(it.split()) >= LONG and it in known]
    kept = [text for text in found if text and not any(it in plain(text) for it in held_out)]
    Random(1).shuffle(kept)
    given.output.write_text("\n\n".join(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
