"""Many sentences: CoNLL-U and CoNLL-X files, read as a stream and written whole, and the sample treebank."""

from deptrees.treebanks.batch import Batch, batches
from deptrees.treebanks.conllu import ConlluError, from_conllu, to_conllu, to_conllx
from deptrees.treebanks.treebank import Treebank, TreebankWarning, sample_treebank, write_batches, write_treebank

__all__ = [
    "Batch",
    "ConlluError",
    "Treebank",
    "TreebankWarning",
    "batches",
    "from_conllu",
    "sample_treebank",
    "to_conllu",
    "to_conllx",
    "write_batches",
    "write_treebank",
]
