"""The limits of models: far beyond what is of use, and such that a file cannot ask for memory and time without end."""

from __future__ import annotations

__all__ = ["BEAM", "BITS", "DEGREE", "LABELS", "LAYERS", "NETWORKS", "PLACE", "SIZE", "SPAN", "SPARSE", "WEIGHT"]

LABELS = 1 << 16
"""How many labels a parser gives, or how many tags a tagger."""
BEAM = 64
"""How many derivations are followed at a time."""
BITS = 30
"""The size of a table of hashed weights, as a power of two."""
PLACE = 255
"""How far from the top of the stack or the front of the buffer a feature template looks."""
DEGREE = 10
"""The greatest k of Attardi's system: the time to compile its table doubles with each."""
SPAN = 10_000
"""The longest arc of a system that builds short ones."""
SIZE = 1 << 16
"""The size of a layer of a network."""
LAYERS = 64
"""How many layers there are one upon the other."""
NETWORKS = 64
"""How many networks score together."""
SPARSE = 1 << 30
"""How many numbers an array has of which only those that are not 0 are in the file."""
WEIGHT = 1e30
"""The greatest weight."""
