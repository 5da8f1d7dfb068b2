"""For each system that builds graphs, the share of graphs that it builds and that are read back equal.

Each graph is built by the static oracle and written into DEPS; the sentence must be the same as before. Speeds are
those graphs a second that oracles take; the dynamic one goes on with a random one of its answers.

python benchmarks/graphs_on_treebanks.py path/to/*-dev.conllu
"""

from pathlib import Path
from time import process_time

from measuring import arguments
from more_itertools import consume, last, time_limited

from deptrees import DependencyGraph, DependencyTree, Treebank
from deptrees.transition import GRAPH_REGISTRY, EmptyNodeGraph, Oracle, System, static_oracle, typed


def systems() -> list[System]:
    """All systems, with and without cycles."""
    found = [system for registered in GRAPH_REGISTRY.values() for system in registered.variants]
    return [system for system in found if not system.empty_means_unknown]


def gold_for(system: System, graph: DependencyGraph) -> DependencyGraph:
    """The gold graph; where empty nodes are made, nothing says where but that there may be one after each word."""
    return graph.with_places() if isinstance(system, EmptyNodeGraph) else graph


def is_built(system: System, tree: DependencyTree) -> bool:
    """Whether the graph of a sentence is built, and makes the same sentence."""
    sequence = Oracle(system, static_oracle, typed)(gold_for(system, tree.graph))
    if not sequence:
        return False
    cfg, transition = last(sequence)
    return tree.with_graph(transition(cfg).graph()) == tree


def graphs_a_second(oracle: Oracle, graphs: list[DependencyGraph], seconds: float) -> float:
    """How fast an oracle goes through the graphs that it takes, until the time is over."""
    taken, start = 0, process_time()
    for sequence in time_limited(seconds, (oracle(gold_for(oracle.system, graph)) for graph in graphs)):
        consume(sequence)
        taken += bool(sequence)
    return taken / (process_time() - start)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--seconds", type=float, default=5, help="how long to time each oracle at most")
    given = parser.parse_args()
    for path in given.treebanks:
        trees = list(Treebank(path))
        graphs = [tree.graph for tree in trees]
        print(f"{Path(path).stem + f', {len(trees):,} graphs':44}   built              static             dynamic")
        for each in systems():
            built = sum(is_built(each, tree) for tree in trees) / len(trees)
            rates = [
                f"{graphs_a_second(Oracle(each, name), graphs, given.seconds):,.0f}"
                for name in ("static", "dynamic")
                if name in each.oracles.names
            ]
            print(f"  {each!r:42} {built:7.1%}" + "".join(f"{rate:>20}" for rate in rates), flush=True)
