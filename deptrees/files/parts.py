"""The names of parts of model files that may or may not be there: who looks for one imports what reads it if it is."""

from __future__ import annotations

__all__ = ["NEURAL_MODEL", "TAGGER", "TOKENIZER"]

NEURAL_MODEL = "deptrees neural model 5"
"""What neural parsers have and no others."""
TAGGER = "deptrees tagger 5"
TOKENIZER = "deptrees tokenizer 1"
