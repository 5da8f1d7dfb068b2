"""Commands, run within the process of the tests, and sentences for them."""

from typer.testing import CliRunner, Result

from deptrees import sample_treebank, to_conllu
from deptrees.cli import app

TREES = list(sample_treebank("train"))[:20]
SOME = "".join(to_conllu(tree) for tree in TREES)
SAMPLE = "".join(to_conllu(tree) for tree in sample_treebank("train"))
CYCLE = "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n"
SHORT = "1\ta\t_\n\n"
GOOD = "# sent_id = good\n1\t[bold]\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"


def run(*arguments: object, input: str | None = None) -> Result:  # noqa: A002
    return CliRunner().invoke(app, list(map(str, arguments)), input=input)
