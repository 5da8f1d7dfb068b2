"""The limits of models: far beyond what is of use, and such that a file cannot ask for memory and time without end."""

from __future__ import annotations

__all__ = [
    "BEAM",
    "BITS",
    "DEGREE",
    "LABELS",
    "LAYERS",
    "NETWORKS",
    "PACKED",
    "PLACE",
    "SIZE",
    "SPAN",
    "SPARSE",
    "WEIGHT",
]

LABELS = 1 << 16  # of a parser, or tags of a tagger
BEAM = 64  # derivations followed at a time
BITS = 30  # of a table of hashed weights, whose size is a power of two
PLACE = 255  # from the top of the stack or the front of the buffer to what a feature template looks at
DEGREE = 10  # the greatest k of Attardi's system: the time to compile its table doubles with each
SPAN = 10_000  # the longest arc of a system that builds short ones
SIZE = 1 << 16  # of a layer of a network
LAYERS = 64  # one upon the other
NETWORKS = 64  # that score together
PACKED = 1 << 28  # bytes of what is compressed in a file
SPARSE = 1 << 30  # numbers of an array of which only those that are not 0 are in the file
WEIGHT = 1e30  # the greatest
