"""Make a model of every treebank in a folder, one after the other, each a package with a card.

python models/make.py path/to/treebanks --output build/models

What is finished is left as it is, and a training that was stopped goes on. The same treebank gives the same model, to
the last bit; the speed on its card is that of the day.
"""

import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from shlex import join

from deptrees.files.checksums import checksum
from deptrees.treebanks.releases import ReleaseError, licence, local_files


def make(code: str, folder: Path, output: Path) -> None:
    """Train on a treebank and make a package of the model, unless it is there."""
    package, model = output / code.replace("_", "-"), output / f"{code}.model"
    if (package / "pyproject.toml").exists():  # which is written last
        return
    train, *_ = local_files(f"ud:{code}")
    readme = Path(train).with_name("README.md")
    terms = licence(readme.read_text(encoding="utf-8"), code) if readme.exists() else None
    if terms is None:
        raise ReleaseError(f"{readme} does not tell the licence of {code}")
    held_out = ["--dev", f"ud:{code}/dev"] if has(code, "dev") else []
    command = ["train", "--pipeline", f"ud:{code}", *held_out, "--output"]
    checkpoint = output / f"{code}.checkpoint"
    if not model.exists():
        run(*command, str(model), "--checkpoint", str(checkpoint), "--resume")
    test = f"ud:{code}/test"
    measured = ["--test", test, "--tested-on", test] if has(code, "test") else []
    facts = {
        "name": package.name,
        "licence": terms.replace(" ", "-"),
        "data": f"{Path(train).relative_to(folder.parent)}, SHA-256 {checksum(train)}",
        "command": join(["deptrees", *command, model.name]),
        "output": str(package),
    }
    run("package", str(model), *measured, *(f"--{option}={value}" for option, value in facts.items()))
    for rest in (model, *output.glob(f"{checkpoint.name}*")):
        rest.unlink()


def has(code: str, part: str) -> bool:
    """Whether the folder has a part of a treebank."""
    try:
        return bool(local_files(f"ud:{code}/{part}"))
    except ReleaseError:
        return False


def run(*arguments: str) -> None:
    """Run a command of deptrees; an error if it fails."""
    subprocess.run([sys.executable, "-m", "deptrees", *arguments], check=True)


def main() -> int:
    """Make all models; how many could not be made."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="treebanks of Universal Dependencies, at any depth")
    parser.add_argument("--output", type=Path, default=Path("build/models"), help="the folder for the packages")
    given = parser.parse_args()
    folder = given.folder.resolve()
    os.environ["DEPTREES_TREEBANKS"] = str(folder)
    given.output.mkdir(parents=True, exist_ok=True)
    failed = 0
    for code in sorted({re.split("-(?:ud-)?train", path.name)[0] for path in folder.rglob("*-train*.conllu*")}):
        try:
            make(code, folder, given.output)
        except (ReleaseError, subprocess.CalledProcessError) as error:
            print(f"no model of {code}: {error}", file=sys.stderr)
            failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(main() > 0)
