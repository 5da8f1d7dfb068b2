"""How often the oracles that spaCy and Stanza ship are wrong, against exact costs.

python benchmarks/shipped_oracles.py
python benchmarks/shipped_oracles.py train.conllu dev.conllu
PYTHONPATH=path/to/stanza python benchmarks/shipped_oracles.py --stanza

spaCy's: in all configurations of up to four words, or in those that a parser of spaCy goes through in 500 sentences of
development data, after this script has trained it. Gold trees are projective ones with a single root, and there is no
Break. Negative costs of spaCy's count as 0. Stanza's: in all derivations of up to five words that it can follow, with
every gold tree with a single root.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import spacy
from measuring import arguments
from shipped import NAMES, Costs, OfSpacy, OfStanza
from spacy.tokens import Doc
from spacy.training import Example

from deptrees import DependencyTree, Treebank, all_trees, is_projective, projective_trees
from deptrees.integrations.spacy import to_doc
from deptrees.transition import Configuration, SpacyArcEager, StanzaAttach, cost, reachable


def compare(exact: Costs, shipped: Costs) -> Counter[str]:
    """Where the costs of one pair of a configuration and a gold tree differ."""
    free, called_free = ({each for each, price in costs.items() if price == 0} for costs in (exact, shipped))
    return Counter(
        pairs=1,
        costs=len(exact),
        losing=bool(called_free - free),
        missed=bool(free - called_free),
        none=not called_free,
        different=sum(exact[each] != shipped[each] for each in exact),
    )


def report(name: object, pairs: Iterable[tuple[Configuration, DependencyTree]]) -> None:
    """Two rows of the table: all heads counted, and all but the root's."""
    shipped, found = OfSpacy(), {"all": Counter[str](), "but the root's": Counter[str]()}
    for cfg, tree in pairs:
        possible = cfg.possible_transitions()
        theirs = shipped.costs(cfg.history, possible, tree)
        without_root = tree.reattach([head or None for head in tree.heads])
        for counted, gold in zip(found, (tree, without_root), strict=True):
            found[counted] += compare({each: cost(each, cfg, gold) for each in possible}, theirs)
    for counted, counts in found.items():
        shares = [counts[what] / counts["pairs"] for what in ("losing", "missed", "none")]
        cells = [f"{share:.1%}" for share in (*shares, counts["different"] / counts["costs"])]
        print(f"| {name} | {counts['pairs']:,} | {counted} | {' | '.join(cells)} |", flush=True)


def every_pair(n: int) -> Iterator[tuple[Configuration, DependencyTree]]:
    """Every configuration over n words that is not final, with every gold tree."""
    for cfg in reachable(SpacyArcEager(), n):
        if not cfg.is_final:
            yield from ((cfg, tree) for tree in projective_trees(n) if len(tree.roots) == 1)


def trained(trees: list[DependencyTree], epochs: int) -> Any:
    """A pipeline of spaCy's parser alone, with the settings that it has by default."""
    spacy.util.fix_random_seed(1)
    nlp = spacy.blank("en")
    nlp.add_pipe("parser")
    examples = [Example(_bare(tree, nlp), to_doc([tree], nlp.vocab)) for tree in trees]
    nlp.initialize(partial(iter, examples))
    for _ in range(epochs):
        random.shuffle(examples)
        for start in range(0, len(examples), 16):
            nlp.update(examples[start : start + 16])
    return nlp


def _bare(tree: DependencyTree, nlp: Any) -> Doc:
    return to_doc([tree.reattach([None] * len(tree))], nlp.vocab)


def derivation(nlp: Any, tree: DependencyTree) -> Iterator[tuple[Configuration, DependencyTree]]:
    """The configurations that a parser goes through, with the gold tree; without Break."""
    parser, cfg = nlp.get_pipe("parser"), SpacyArcEager().initial(tree)
    kinds = {name[0]: kind() for kind, name in NAMES.items()}
    docs = [_bare(tree, nlp)]
    model, states = parser.model.predict(docs), parser.moves.init_batch(docs)
    names = [parser.moves.class_name(number) for number in range(parser.moves.n_moves)]
    while not cfg.is_final:
        yield cfg, tree
        ranked = [names[number] for number in (-model.predict(states)[0]).argsort()]
        best = next(name for name in ranked if name[0] in kinds and parser.moves.is_valid(states[0], name))
        parser.moves.transition(states[0], best)
        cfg = kinds[best[0]](cfg)


def followed(oracle: OfStanza, tree: DependencyTree) -> Iterator[Configuration]:
    """The configurations of all derivations that Stanza can follow."""
    todo: list[Any] = [StanzaAttach().initial(tree)]
    while todo:
        cfg = todo.pop()
        if not cfg.is_final:
            yield cfg
            todo += [each(cfg) for each in cfg.possible_transitions() if oracle.follows(each, cfg, tree)]


def report_stanza(n: int) -> None:
    """A row of the table of Stanza's oracle."""
    oracle, found = OfStanza(), Counter[str]()
    for tree in all_trees(n):
        for cfg in followed(oracle, tree) if len(tree.roots) == 1 else ():
            named, costs = oracle.gold(cfg, tree), {each: cost(each, cfg, tree) for each in cfg.possible_transitions()}
            found.update(configurations=1, impossible=named not in costs, losing=costs.get(named, 0) > 0)
            for transition, price in costs.items():
                kind = "losing" if price else "free"
                follows = oracle.follows(transition, cfg, tree)
                found.update(
                    {f"other {kind}": transition != named, f"{kind} followed": transition != named and follows}
                )
    names = ["configurations", "impossible", "losing", "other free", "free followed", "other losing", "losing followed"]
    print(f"| {n} | {' | '.join(f'{found[name]:,}' for name in names)} |", flush=True)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--stanza", action="store_true", help="look at Stanza's oracle, not at spaCy's")
    parser.add_argument("treebanks", nargs="*")
    parser.add_argument("--sentences", type=int, default=4000, help="how many to train with")
    parser.add_argument("--epochs", type=int, default=5)
    given = parser.parse_args()
    if given.stanza:
        print("| words | configurations | named: impossible | losing | others: free | followed | losing | followed |")
        print("|---|---|---|---|---|---|---|---|")
        for n in (2, 3, 4, 5):
            report_stanza(n)
        parser.exit()
    print("| words | pairs | heads | losing called free | free not called so | none called free | costs differ |")
    print("|---|---|---|---|---|---|---|")
    if given.treebanks:
        train, dev = map(Treebank, given.treebanks)
        nlp = trained([*islice(train, given.sentences)], given.epochs)
        trees = [tree for tree in islice(dev, 500) if is_projective(tree) and len(tree.roots) == 1]
        report("a parse", (pair for tree in trees for pair in derivation(nlp, tree)))
    for n in (2, 3, 4) if not given.treebanks else ():
        report(n, every_pair(n))
