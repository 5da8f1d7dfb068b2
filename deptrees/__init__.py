"""Dependency trees, and transition-based parsing as iteration over immutable configurations.

Here and in most packages, names are imported on first use, as the stub beside ``__init__.py`` says (Scientific Python,
SPEC 1): so start-up is short, and Ctrl-C ends a command in its first moments.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
