"""Annotation by hand with a parser's help: sentences, what is decided in them, actions, findings; no files, no page."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
