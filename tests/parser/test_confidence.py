"""How probable it is that a parse is right."""

from pathlib import Path

import attrs
import pytest

from deptrees import DependencyTree, Treebank, is_projective, sample_treebank, write_treebank
from deptrees.evaluation import reliability
from deptrees.parser import NotCalibrated, Parser, TrainingError
from deptrees.transition import ArcHybrid, Constraints, EasyFirst, System

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))


def test_probabilities_are_written_into_misc(parser: Parser, tmp_path: Path) -> None:
    calibrated = parser.calibrate(DEV)
    trees = [attrs.evolve(tree, tokens=[token.with_misc({"SpaceAfter": "No"}) for token in tree]) for tree in DEV]
    found = list(calibrated.parse(trees, confidence=True))
    for tree, plain in zip(found, parser.parse(DEV), strict=True):
        assert (tree.heads, tree.labels) == (plain.heads, plain.labels)
        for token in tree:
            values = token.misc_values
            assert list(values) == ["SpaceAfter", "HeadConfidence", "Confidence"]
            assert 0 <= float(values["Confidence"]) <= float(values["HeadConfidence"]) <= 1
    assert list(calibrated.parse(found, confidence=True)) == found
    assert reliability(DEV, found).expected_calibration_error < 0.1
    write_treebank(tmp_path / "parsed.conllu", found)
    assert reliability(DEV, Treebank(tmp_path / "parsed.conllu"), labeled=True).count == sum(map(len, DEV))
    calibrated.save(tmp_path / "model")
    loaded = Parser.load(tmp_path / "model")
    assert loaded.calibration == calibrated.calibration
    assert list(loaded.parse(trees, confidence=True)) == found


@pytest.mark.parametrize(("system", "beam"), [(EasyFirst(), 2), (ArcHybrid(), 4)], ids=repr)
@pytest.mark.parametrize("labels", [True, False])
def test_every_parser_can_be_calibrated(system: System, beam: int, labels: bool) -> None:
    trees = [tree if labels else tree.reattach(tree.heads, [None] * len(tree)) for tree in TRAIN[:3]]
    parser = Parser.train(trees, system=system, epochs=1, beam=beam, dev=trees)
    [tree] = parser.parse(trees[:1], confidence=True)
    assert ("Confidence" in tree[1].misc_values) == labels
    assert "HeadConfidence" in tree[1].misc_values


def test_what_is_known_is_certain(parser: Parser) -> None:
    def known(tree: DependencyTree) -> Constraints:
        return Constraints(heads={3: tree.heads[2] or 0}, labels={1: tree.labels[0] or ""})

    trees = list(filter(is_projective, DEV))
    calibrated = parser.calibrate(trees, constraints=known)
    for tree in calibrated.parse(trees, constraints=known, confidence=True):
        sure = [(token.misc_values["HeadConfidence"], token.misc_values["Confidence"]) for token in tree]
        assert sure[2][0] == "1.0000" > sure[2][1]
        assert sure[0][0] == sure[0][1] < "1.0000"
        assert all(one < "1.0000" for one, _ in sure[3:])


def test_probabilities_that_nobody_knows_are_not_told(parser: Parser) -> None:
    with pytest.raises(NotCalibrated, match=r"train it with development data .* or call parser.calibrate"):
        parser.parse(DEV, confidence=True)
    with pytest.raises(TrainingError, match="no word has a head to be found"):
        parser.calibrate([tree for tree in DEV if is_projective(tree)], constraints=Constraints.given)
    blind = [tree.reattach([None] * len(tree), [None] * len(tree)) for tree in DEV]
    with pytest.raises(TrainingError, match="nothing to calibrate the parser on"):
        parser.calibrate(blind)
