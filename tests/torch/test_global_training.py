"""Global training of neural parsers: its loss against that of one sentence after another, and of all derivations."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from deptrees import Columns, DependencyTree, Parser, is_projective, write_treebank  # noqa: E402
from deptrees.torch import Architecture, BiLSTM, LabeledTransitions, NeuralParser, Transitions, Words  # noqa: E402
from deptrees.torch.global_training import beam_loss  # noqa: E402
from deptrees.torch.network import Network  # noqa: E402
from deptrees.torch.rows import roots  # noqa: E402
from deptrees.training.records import Epoch  # noqa: E402
from deptrees.transition import ArcEager, ArcHybrid, ArcSwift, StackBufferSystem, System  # noqa: E402
from deptrees.transition.oracles import BY_NAME  # noqa: E402
from tests.cli.running import run  # noqa: E402
from tests.torch.architectures import DEV, LSTM, NETWORKS, TRAIN  # noqa: E402

WORDS = Words(form=10, tags=10, character=4, spelling=4, rare=0)
LABELS_AFTERWARDS = Architecture(encoder=BiLSTM(WORDS, hidden=10, dropout=0), decoder=Transitions(hidden=20, dropout=0))
LABELED = Architecture(encoder=WORDS, decoder=LabeledTransitions(label=10, hidden=20, dropout=0))
SHORT = [DependencyTree([(2, "Dogs"), (0, "bark")]), DependencyTree([(0, "Sing"), (1, "it"), (1, "now")])]


class Hypothesis(NamedTuple):
    """A derivation: its transitions, its score, and whether the oracle has named them all."""

    way: list[int]
    score: Tensor
    right: bool


def network_of(architecture: Architecture, system: System, trees: list[DependencyTree]) -> Network:
    network = NeuralParser.train(trees, system=system, epochs=1, **architecture.arguments()).model.network
    assert isinstance(network, Network)
    network.train()
    return network


def found(network: Network, trees: list[DependencyTree], oracle: str, width: int) -> Tensor:
    derivations = network.extractor.open(trees, oracle=BY_NAME[oracle])
    tables = network.tables(network(derivations.columns))
    return beam_loss(network, derivations, roots(derivations.columns), tables, width)


def candidates(network: Network, tree: DependencyTree, oracle: str, before: Hypothesis) -> list[Hypothesis]:
    """What continues a derivation, which is gone through from its beginning; nothing if it is at its end."""
    derivations = network.extractor.open([tree], oracle=BY_NAME[oracle])
    for transition in before.way:
        derivations.take([transition])
    if not derivations:
        return []
    tables = network.tables(network(Columns.encode([tree])))
    [scores] = network.scores(tables, network.extractor.numbers(derivations))
    possible = derivations.possible()[0].nonzero()[0].tolist()
    chances = scores[possible].log_softmax(0)
    gold = derivations.gold()[0]
    return [
        Hypothesis([*before.way, number], before.score + chance, before.right and bool(gold[number]))
        for number, chance in zip(possible, chances, strict=True)
    ]


def log_sum(hypotheses: list[Hypothesis]) -> Tensor:
    total: Tensor = torch.stack([one.score for one in hypotheses]).logsumexp(0)
    return total


def losses_of(network: Network, tree: DependencyTree, oracle: str, width: int) -> tuple[list[Tensor], int]:
    """The losses of the beams of a sentence, and how many steps they take together."""
    beam, losses, steps = [Hypothesis([], torch.tensor(0.0), True)], list[Tensor](), 0
    while True:
        continued = [candidates(network, tree, oracle, one) for one in beam]
        if not any(continued):
            return [*losses, log_sum(beam) - log_sum([one for one in beam if one.right])], steps
        steps += 1
        following = [one for before, after in zip(beam, continued, strict=True) for one in after or [before]]
        following.sort(key=lambda one: -one.score.item())
        beam = following[:width]
        if not any(one.right for one in beam):
            best = next(one for one in following if one.right)
            losses.append(log_sum([*beam, best]) - best.score)
            beam = [best._replace(score=torch.tensor(0.0))]


@pytest.mark.parametrize("width", [1, 2, 5])
@pytest.mark.parametrize(
    ("architecture", "system", "oracle"),
    [
        (LABELS_AFTERWARDS, ArcHybrid(single_root=True), "dynamic"),
        (LABELS_AFTERWARDS, ArcEager(root="last"), "static"),
        (LABELS_AFTERWARDS, ArcSwift(), "nondeterministic"),
        (LABELED, ArcHybrid(), "dynamic"),
    ],
    ids=["hybrid", "eager", "swift", "labeled"],
)
def test_the_loss_is_that_of_one_sentence_after_another(
    architecture: Architecture, system: System, oracle: str, width: int
) -> None:
    trees = [tree for tree in TRAIN if is_projective(tree)][:3]
    network = network_of(architecture, system, trees)
    of_each = [losses_of(network, tree, oracle, width) for tree in trees]
    expected = torch.stack([loss for losses, _ in of_each for loss in losses]).sum() / sum(n for _, n in of_each)
    loss = found(network, trees, oracle, width)
    torch.testing.assert_close(loss, expected, rtol=1e-4, atol=1e-5)
    parameters = [network.decoder.transitions.bias, *network.decoder.transitions.output.parameters()]
    for one, other in zip(*(torch.autograd.grad(each, parameters) for each in (loss, expected)), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-5)


def all_derivations(network: Network, tree: DependencyTree) -> list[Hypothesis]:
    begun, ended = [Hypothesis([], torch.tensor(0.0), True)], []
    while begun:
        one = begun.pop()
        after = candidates(network, tree, "dynamic", one)
        begun += after
        ended += [] if after else [one]
    return ended


@pytest.mark.parametrize("system", [ArcHybrid(single_root=True), ArcEager(root="last")], ids=str)
def test_a_beam_of_all_derivations_has_the_likelihood_of_the_right_ones(system: StackBufferSystem) -> None:
    network, expected, steps = network_of(LABELS_AFTERWARDS, system, SHORT), 0.0, 0
    for tree in SHORT:
        ended = all_derivations(network, tree)
        assert log_sum(ended).item() == pytest.approx(0, abs=1e-5)
        expected -= log_sum([one for one in ended if one.right]).item()
        steps += max(len(one.way) for one in ended)
    assert found(network, SHORT, "dynamic", 64).item() == pytest.approx(expected / steps, rel=1e-4)


BIAS = "decoder.transitions.bias"


@NETWORKS
def test_parsers_learn_with_a_beam_and_parse_with_it(architecture: Architecture, tmp_path: Path) -> None:
    def train() -> Parser:
        return NeuralParser.train(TRAIN, epochs=4, beam=3, **architecture.arguments())

    parser = train()
    greedy = NeuralParser.train(TRAIN, epochs=4, **architecture.arguments())
    assert not torch.equal(parser.model.network.state_dict()[BIAS], greedy.model.network.state_dict()[BIAS])
    parser.save(tmp_path / "first")
    train().save(tmp_path / "second")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    loaded = NeuralParser.load(tmp_path / "first")
    assert loaded.settings is not None
    assert (loaded.model.beam, loaded.settings.beam) == (3, 3)
    assert list(loaded.parse(DEV)) == list(parser.parse(DEV, beam=3))
    assert [found[0].tree for found in loaded.k_best(DEV, 2)] == list(loaded.parse(DEV))


def test_the_first_half_of_the_epochs_learns_without_a_beam() -> None:
    epochs: dict[int, list[Epoch]] = {1: [], 3: []}
    for beam, told in epochs.items():
        NeuralParser.train(TRAIN, epochs=2, beam=beam, **LSTM.arguments(), on_epoch=told.append)
    assert epochs[1][0] == epochs[3][0]
    assert epochs[1][1] != epochs[3][1]


def test_the_command_line_trains_with_a_beam(tmp_path: Path) -> None:
    write_treebank(tmp_path / "trees", TRAIN)
    options: list[Any] = ["--neural", "--beam", 2, "--epochs", 1]
    assert run("train", tmp_path / "trees", "-o", tmp_path / "model", *options).exit_code == 0
    assert NeuralParser.load(tmp_path / "model").model.beam == 2


def test_a_beam_out_of_range_is_told() -> None:
    with pytest.raises(ValueError, match="beam is a whole number"):
        NeuralParser.train(TRAIN, beam=65, **LSTM.arguments())
