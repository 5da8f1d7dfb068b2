"""Fuzzing by coverage, in a process of its own: ``python -m proof.guided TARGET``, with the options of libFuzzer."""

import sys

import atheris

with atheris.instrument_imports(include=["deptrees"]):
    from proof.targets import TARGETS

if __name__ == "__main__":
    target = TARGETS[sys.argv.pop(1)]
    atheris.Setup(sys.argv, lambda content: target(content) and None)
    atheris.Fuzz()
