"""A parser with a pretrained transformer: its memory, its speed, its accuracy, and the decoder's share of parsing.

    python benchmarks/transformer.py CHECKPOINT en_ewt-train.conllu en_ewt-test.conllu --sentences 3000 --longest 40

The checkpoint is a folder as ``save_pretrained`` of Hugging Face's library writes it. The parser sees no tags. Rates
are by the time of the processor, with one thread unless more are asked for; memory is the most that the process has
taken by the end of training, with PyTorch and all trees.
"""

import resource
import time
from collections.abc import Sequence
from itertools import islice
from typing import Any

import torch
from measuring import arguments

from deptrees import Treebank, evaluate
from deptrees.drawing.table import DrawnTable
from deptrees.parser import Epoch, Parser
from deptrees.torch import BiLSTM, Learning, NeuralParser, Transformer
from deptrees.training.checkpoints import Checkpoint


class Stopwatch:
    """The seconds that a module takes, from when it is called to when it answers."""

    def __init__(self, module: torch.nn.Module) -> None:
        self.seconds = 0.0
        module.register_forward_pre_hook(self._start)
        module.register_forward_hook(self._stop)

    def _start(self, *_: Any) -> None:
        self.seconds -= time.process_time()

    def _stop(self, *_: Any) -> None:
        self.seconds += time.process_time()


def main(argv: Sequence[str] | None = None) -> None:
    """Train, parse, and print a table."""
    given = _arguments().parse_args(argv)
    torch.set_num_threads(given.threads)
    trees = list(islice((tree for tree in Treebank(given.train) if len(tree) <= given.longest), given.sentences))
    transformer = Transformer.open(given.checkpoint, learning_rate=given.learning_rate)
    start = time.process_time()

    def report(epoch: Epoch) -> None:
        print(f"epoch {epoch.number}, {time.process_time() - start:.0f} s: loss {epoch.loss:.3f}", flush=True)

    parser: Parser = NeuralParser.train(
        trees,
        epochs=given.epochs,
        seed=given.seed,
        encoder=BiLSTM(transformer, hidden=given.lstm) if given.lstm else transformer,
        learning=Learning(batch_words=given.batch_words),
        checkpoint=given.resume and Checkpoint(given.resume, resume=True),
        device="cpu",
        on_epoch=report,
    )
    training, memory = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if given.output:
        parser.save(given.output)
    gold = list(Treebank(given.test))
    model: Any = parser.model
    encoder = Stopwatch(model.network.encoder)
    start = time.process_time()
    scores = evaluate(gold, list(parser.parse(gold)))
    parsing = time.process_time() - start
    rates = given.epochs * sum(map(len, trees)) / training, sum(map(len, gold)) / parsing
    found = {
        "sentences": f"{len(trees):,}",
        "epochs": f"{given.epochs}",
        "memory": f"{memory:,.0f} MB",
        **{name: f"{rate:,.0f} words/s" for name, rate in zip(("training", "parsing"), rates, strict=True)},
        "decoder": f"{1 - encoder.seconds / parsing:.0%}",
        "UAS": f"{scores.uas:.2%}",
        "LAS": f"{scores.las:.2%}",
    }
    print(DrawnTable(found, [[found.values()]]).markdown())


def _arguments() -> Any:
    parser = arguments(__doc__)
    parser.add_argument("checkpoint")
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--sentences", type=int, help="learn from the first ones only")
    parser.add_argument("--longest", type=float, default=float("inf"), help="and from those of up to so many words")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-words", type=int, default=300)
    parser.add_argument("--learning-rate", type=float, default=5e-5, help="of the transformer")
    parser.add_argument("--lstm", type=int, help="the size of LSTMs over the transformer, if there are any")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--resume", metavar="FILE", help="keep the state of training here, and resume from it")
    parser.add_argument("--output", help="save the parser to this file")
    return parser


if __name__ == "__main__":
    main()
