"""Many sentences: CoNLL-U and CoNLL-X files, read as a stream and written whole, and the sample treebank."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
