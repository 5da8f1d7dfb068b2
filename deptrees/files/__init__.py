"""What is written to disk: files that appear whole or not at all, and models in them."""
