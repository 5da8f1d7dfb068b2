"""A corpus with Ray: the workers of a cluster parse documents in Parquet, and write Parquet.

To run it on your cluster, name its address, a parser, a folder of Parquet files with a column `conllu`, and the folder
to write to. Without arguments, two workers on this machine parse twenty documents of the sample treebank. It needs the
extra `ray`: `pip install '.[ray]'`.

    $ python examples/corpus_with_ray.py
    20 documents, 320 sentences
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import ray

from deptrees import Parser, Treebank, sample_treebank, to_conllu
from deptrees.integrations.ray import parse_rows


def parse_corpus(parser: Parser, source: str, target: str) -> None:
    """Parse a folder of documents into another folder."""
    parse_rows(parser, ray.data.read_parquet(source), column="conllu").write_parquet(target)


def example(folder: Path) -> None:
    """Make documents, parse them, and read the result."""
    document = "".join(map(to_conllu, sample_treebank("dev")))
    (folder / "documents").mkdir()
    pq.write_table(pa.table({"conllu": [document] * 20}), folder / "documents" / "all.parquet")
    parse_corpus(Parser.train(sample_treebank("train")), str(folder / "documents"), str(folder / "parsed"))
    parsed = pq.read_table(folder / "parsed").column("conllu").to_pylist()
    trees = [tree for text in parsed for tree in Treebank.from_bytes(text.encode())]
    print(f"{len(parsed)} documents, {len(trees)} sentences")


def main(arguments: list[str]) -> None:
    """Parse on a cluster, or on this machine."""
    if arguments:
        address, model, source, target = arguments
        ray.init(address)
        parse_corpus(Parser.load(model), source, target)
    else:
        ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False)
        with TemporaryDirectory() as folder:
            example(Path(folder))
    ray.shutdown()


if __name__ == "__main__":
    main(sys.argv[1:])
