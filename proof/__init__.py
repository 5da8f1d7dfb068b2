"""What the library claims, tried at length: see docs/proof.md, and ``python -m proof``."""
