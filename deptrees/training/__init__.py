"""Training strategies, for any system and for any model that can score configurations, and the readable perceptron."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
