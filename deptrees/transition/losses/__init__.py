"""Losses, one algorithm a file: how many heads the best tree within reach of a configuration gets wrong."""
