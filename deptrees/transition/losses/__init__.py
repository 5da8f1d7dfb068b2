"""Losses, one algorithm a file: how many heads a best reachable tree of a configuration gets wrong."""
