"""The English model of this repository: it is small, it is what its card says, and it parses."""

from pathlib import Path

from deptrees import load_parser
from deptrees.files.checksums import checksum
from deptrees.packages import Card

FOLDER = Path(__file__).parents[2] / "models" / "english" / "deptrees_english"


def test_it_is_small_and_what_its_card_says() -> None:
    card, model = Card.read(FOLDER), FOLDER / "model"
    assert (card.size, card.sha256) == (model.stat().st_size, checksum(model))
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 8_000_000  # what is installed
    assert (FOLDER.parent / "README.md").read_text(encoding="utf-8") == card.as_text()
    assert card.licence == "CC-BY-SA-4.0"


def test_it_parses_the_sentence_of_the_readme() -> None:
    [tree] = load_parser(FOLDER / "model").parse_text("Birds that sing at night wake me up.")
    assert tree.heads == (6, 3, 1, 5, 3, 0, 6, 6, 6)
    assert tree.labels[:3] == ("nsubj", "nsubj", "acl:relcl")
