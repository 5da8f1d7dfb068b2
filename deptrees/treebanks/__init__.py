"""Many sentences: CoNLL-U and CoNLL-X files, read as a stream and written whole, and the sample treebank."""

from deptrees.treebanks.conllu import ConlluError, from_conllu, to_conllu, to_conllx
from deptrees.treebanks.treebank import Treebank, TreebankWarning, sample_treebank, write_treebank

__all__ = [
    "ConlluError",
    "Treebank",
    "TreebankWarning",
    "from_conllu",
    "sample_treebank",
    "to_conllu",
    "to_conllx",
    "write_treebank",
]
