"""Neural parsers of several seeds, whose networks score together."""

from pathlib import Path
from typing import Any

import attrs
import pytest

torch = pytest.importorskip("torch")

import numpy as np  # noqa: E402

from deptrees import Columns, Parser, load_parser  # noqa: E402
from deptrees.pipeline import train_pipeline  # noqa: E402
from deptrees.tagger import Tagger  # noqa: E402
from deptrees.torch import Architecture, NeuralParser  # noqa: E402
from deptrees.torch.model import NeuralModel  # noqa: E402
from deptrees.torch.network import Network, NetworkEnsemble  # noqa: E402
from deptrees.torch.rows import roots, word_numbers  # noqa: E402
from deptrees.training.checkpoints import Checkpoint  # noqa: E402
from deptrees.training.records import Epoch  # noqa: E402
from tests.torch.architectures import DEV, FORWARD, LSTM, NETWORKS, TRAIN  # noqa: E402


def networks_of(parser: Parser) -> list[Network]:
    """The networks of a parser of several seeds."""
    assert isinstance(parser.model.network, NetworkEnsemble)
    return list(parser.model.network.networks)


@NETWORKS
def test_there_is_the_network_of_each_seed(architecture: Architecture) -> None:
    epochs: list[Epoch] = []
    together = NeuralParser.train(TRAIN, epochs=2, seed=4, seeds=2, **architecture.arguments(), on_epoch=epochs.append)
    assert [epoch.number for epoch in epochs] == [1, 2, 1, 2]
    for network, seed in zip(networks_of(together), (4, 5), strict=True):
        alone = NeuralParser.train(TRAIN, epochs=2, seed=seed, **architecture.arguments()).model.network.state_dict()
        assert all(torch.equal(tensor, alone[name]) for name, tensor in network.state_dict().items())


@NETWORKS
def test_scores_are_the_mean_of_those_of_the_networks(architecture: Architecture) -> None:
    parser = NeuralParser.train(TRAIN, epochs=1, seeds=3, **architecture.arguments())
    networks, together = networks_of(parser), parser.model.network.eval()
    derivations = together.extractor.open(DEV, oracle=None)
    columns: Columns = derivations.columns
    first = roots(columns)
    with torch.inference_mode():
        vectors, own = together(columns), [network(columns) for network in networks]
        tables, own_tables = together.tables(vectors), [net.tables(of) for net, of in zip(networks, own, strict=True)]
        while derivations:
            numbers = together.extractor.numbers(derivations, first[derivations.sentences])
            expected = [net.scores(of, numbers).numpy() for net, of in zip(networks, own_tables, strict=True)]
            found = together.scores(tables, numbers).numpy()
            np.testing.assert_allclose(found, np.mean(expected, 0), rtol=1e-5, atol=1e-5)
            derivations.take(np.where(derivations.possible(), found, -np.inf).argmax(1))
        if together.has_labels:
            arcs = word_numbers(np.array([[0, 1], [1, 2]]), np.zeros((2, 1), np.int64))
            expected = [net.label_scores(of, arcs).numpy() for net, of in zip(networks, own, strict=True)]
            found = together.label_scores(vectors, arcs).numpy()
            np.testing.assert_allclose(found, np.mean(expected, 0), rtol=1e-5, atol=1e-5)


@NETWORKS
@pytest.mark.parametrize("beam", [1, 4])
def test_copies_of_one_network_parse_as_it_does(architecture: Architecture, beam: int) -> None:
    parser = NeuralParser.train(TRAIN, epochs=2, **architecture.arguments())
    assert isinstance(parser.model.network, Network)
    model: Any = parser.model
    copies = Parser(attrs.evolve(model, network=NetworkEnsemble([model.network] * 2)))
    assert list(copies.parse(DEV, beam=beam)) == list(parser.parse(DEV, beam=beam))


@NETWORKS
def test_they_are_saved_and_trained_again(architecture: Architecture, tmp_path: Path) -> None:
    parser = NeuralParser.train(TRAIN, dev=DEV, epochs=2, seeds=2, **architecture.arguments())
    parser.save(tmp_path / "first")
    loaded = load_parser(tmp_path / "first")
    assert isinstance(loaded.model, NeuralModel)
    assert loaded.settings is not None
    assert loaded.settings.seeds == len(networks_of(loaded)) == 2
    assert list(loaded.parse(DEV, confidence=True)) == list(parser.parse(DEV, confidence=True))
    again = NeuralParser.train(TRAIN, dev=DEV, **loaded.model.architecture.arguments(), **loaded.settings.arguments())
    again.save(tmp_path / "second")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_training_goes_on_with_the_seed_at_which_it_stopped(tmp_path: Path) -> None:
    def train(checkpoint: Checkpoint | None, stop: int = 0) -> Parser:
        numbers: list[int] = []

        def count(epoch: Epoch) -> None:
            numbers.append(epoch.number)
            if len(numbers) == stop:
                raise InterruptedError

        return NeuralParser.train(
            TRAIN, epochs=2, seeds=2, **FORWARD.arguments(), checkpoint=checkpoint, on_epoch=count
        )

    saved = Checkpoint(tmp_path / "checkpoint", resume=True, seconds=0)
    for stop in (1, 3):
        with pytest.raises(InterruptedError):
            train(saved, stop)
    expected = train(None).model.network.state_dict()
    assert all(torch.equal(tensor, expected[name]) for name, tensor in train(saved).model.network.state_dict().items())


def test_a_pipeline_has_a_tagger_of_three_seeds_and_one_network_unless_seeds_are_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeds: list[int] = []
    learn = Tagger.train

    def train(*given: Any, **named: Any) -> Tagger:
        if "seeds" in named:  # those of jackknifing have one
            seeds.append(named["seeds"])
        return learn(*given, **named)

    monkeypatch.setattr(Tagger, "train", train)
    settings: dict[str, Any] = {"kind": NeuralParser, "epochs": 1, **LSTM.arguments()}
    assert isinstance(train_pipeline(TRAIN, **settings).model.network, Network)
    assert len(networks_of(train_pipeline(TRAIN, seeds=2, **settings))) == 2
    assert seeds == [3, 2]
