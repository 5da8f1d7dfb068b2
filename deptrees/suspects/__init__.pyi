from .ranking import corrected, suspects

__all__ = ["corrected", "suspects"]
