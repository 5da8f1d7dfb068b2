"""Training and parsing of what the core cannot run, with the same calls."""
