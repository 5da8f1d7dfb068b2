"""What the tests leave out where an optional package is missing."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["deptrees/torch/*", "docs/torch.md"]
