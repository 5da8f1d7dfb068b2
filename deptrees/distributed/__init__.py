"""Parsing files with many processes and on many machines.

The work is a function of a value that all processes share and of an item, such as `parsing.parse_file`. A
`workers.Runner` does it: the processes of one machine, or a cluster; see `deptrees.integrations`.
"""

from __future__ import annotations

from deptrees.distributed.parsing import LoadedModel, Manifest, TargetError, parse_file, parse_files
from deptrees.distributed.workers import Runner, WorkerDied, Workers

__all__ = ["LoadedModel", "Manifest", "Runner", "TargetError", "WorkerDied", "Workers", "parse_file", "parse_files"]
