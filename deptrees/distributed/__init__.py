"""Work for many processes and many machines: parsing files, and training on shards.

The work is a function of a value that all processes share and of an item (`parsing.parse_file`, `mixing`). A
`workers.Runner` does it: the processes of one machine, or a cluster; see `deptrees.integrations`.
"""

from __future__ import annotations

from deptrees.distributed.mixing import train_by_mixing
from deptrees.distributed.parsing import LoadedModel, Manifest, TargetError, parse_file, parse_files
from deptrees.distributed.workers import Runner, WorkerDied, Workers
from deptrees.engine.mixing import mix

__all__ = [
    "LoadedModel",
    "Manifest",
    "Runner",
    "TargetError",
    "WorkerDied",
    "Workers",
    "mix",
    "parse_file",
    "parse_files",
    "train_by_mixing",
]
