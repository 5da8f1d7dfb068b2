from .batch import Batch, batches
from .conllu import ConlluError, from_conllu, to_conllu, to_conllx
from .treebank import Treebank, TreebankWarning, sample_treebank, write_batches, write_treebank

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
