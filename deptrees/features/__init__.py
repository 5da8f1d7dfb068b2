"""Feature templates: what linear models look at.

Their language is explained in `deptrees.features.language`; ``ZHANG_NIVRE`` and the other ready-made sets are written
in it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
