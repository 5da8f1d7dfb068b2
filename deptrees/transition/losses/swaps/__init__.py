"""Losses where words swap: a search for the target arcs that can be built together, in Python and in C."""
