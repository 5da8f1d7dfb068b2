"""How small a model's file can be: the share of its weights that is kept, and the numbers that these are rounded to.

The last columns are the memory of a process that parses with it, on Linux, and the labeled attachment score, as an F1,
from raw text, with and without line ends, and from gold tokens, with the model's own tags.

    deptrees train en_ewt-train.conllu --dev en_ewt-dev.conllu --pipeline -o english.model
    python benchmarks/model_size.py english.model en_ewt-dev.conllu
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from measuring import arguments

from deptrees import Treebank, load_parser
from deptrees.files.models import save_model
from deptrees.pipeline import pipeline_scores

VARIANTS = [None, (1.0, 127), (0.5, 127), (0.3, 127), (0.3, 31), (0.2, 31), (0.1, 31)]
MEMORY = """
import sys
from pathlib import Path
from deptrees import load_parser
parser = load_parser(sys.argv[1])
list(parser.parse_text("Birds sing."))
print(int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]) / 1000)
"""


def main() -> None:
    """Print the table."""
    parser = arguments(__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("gold", type=Path)
    args = parser.parse_args()
    whole, gold = load_parser(args.model), list(Treebank(args.gold))
    print("| weights | numbers | MB | MB in memory | LAS, raw text | in one line | gold tokens |\n" + "|---" * 7 + "|")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        for variant in VARIANTS:
            save_model(path, *(part.compact(*variant) if variant else part for part in whole.parts()))
            scores = pipeline_scores(load_parser(path), gold)
            used = subprocess.run([sys.executable, "-c", MEMORY, str(path)], check=True, capture_output=True, text=True)
            kept = ("all", "float32") if variant is None else (f"{variant[0]:.0%}", str(2 * variant[1]))
            figures = (path.stat().st_size / 1e6, float(used.stdout))
            las = (100 * scores[source]["LAS"] for source in ("raw text", "raw text in one line", "gold tokens"))
            print(f"| {kept[0]} | {kept[1]} | {figures[0]:.1f} | {figures[1]:.0f} |", *(f"{it:.2f} |" for it in las))


if __name__ == "__main__":
    main()
