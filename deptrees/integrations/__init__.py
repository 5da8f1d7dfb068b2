"""The library inside other frameworks, one file a framework."""
