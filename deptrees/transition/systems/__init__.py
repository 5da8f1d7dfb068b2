"""Transition systems, one a file."""
