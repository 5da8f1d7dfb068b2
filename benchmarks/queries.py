"""How many sentences a second requests search, with the reading of the file; by the time of the processor.

python benchmarks/queries.py path/to/en_ewt-train.conllu
"""

from time import process_time

from measuring import REPETITIONS, arguments

from deptrees import Treebank

REQUESTS = (
    "pattern { V [upos=VERB]; V -[nsubj]-> S }",
    "pattern { V [upos=VERB]; V -[nsubj]-> S; V -[obj]-> O; O << S }",
    "pattern { V -[nsubj]-> S } without { V -[obj]-> O }",
    "pattern { V [upos=VERB]; V ->> P; P [upos=PRON, PronType=Rel] } without { W [upos=VERB]; V ->> W; W ->> P }",
    "pattern { X []; Y []; X.lemma = Y.lemma; X << Y }",
    "pattern { X [upos=NOUN]; X -> A; X -> B; X -> C; A << B; B << C }",
    "pattern { X -> Y }",
)


def main() -> None:
    """Search a treebank for each request."""
    parser = arguments(__doc__)
    parser.add_argument("file")
    treebank = Treebank(parser.parse_args().file)
    sentences = sum(1 for _ in treebank)
    for request in REQUESTS:
        times = []
        for _ in range(REPETITIONS):
            begin = process_time()
            found = sum(1 for _ in treebank.query(request))
            times.append(process_time() - begin)
        print(f"{sentences / min(times):,.0f} sentences/s, {found:,} matches: {request}", flush=True)


if __name__ == "__main__":
    main()
