"""Trees, parsers and oracles in other libraries, one a module, which has the name of the library."""
