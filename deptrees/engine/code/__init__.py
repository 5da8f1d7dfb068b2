"""What the core runs, in numbers: systems, feature templates, and what it needs besides."""
