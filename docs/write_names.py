"""Write docs/public-names.txt: all public names, what functions take, and what classes have.

python docs/write_names.py

A name that is missing there has gone, and a parameter that moved is another function: that takes a new major version.
"""

import inspect
from collections.abc import Collection, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, is_typeddict

import attrs

PAGE = Path(__file__).parent / "public-names.txt"

PACKAGES = (
    *("trees", "treebanks", "treebanks.raw_text", "treebanks.columns", "treebanks.matches", "query", "evaluation"),
    *("drawing", "transition"),
    *("transition.notation", "transition.table", "inference", "features", "features.clusters", "features.embeddings"),
    *("search", "training", "engine", "engine.lock_step", "tagger", "enhanced", "suspects", "annotation", "tokenizer"),
    *("parser", "packages", "pipeline", "voting", "torch", "file_parsing", "distributed", "explorer", "desk"),
    *sorted(f"integrations.{path.stem}" for path in PAGE.parent.glob("integrations/*.md") if path.stem != "index"),
)
"""Where public names are looked for; each is described where it is first found."""


def public() -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """Each package that is installed, with those of its public names that no package before it has."""
    seen: list[Any] = []
    for package in PACKAGES:
        try:
            module = import_module(f"deptrees.{package}")
        except ModuleNotFoundError:  # an extra
            continue
        names = [(name, getattr(module, name)) for name in module.__all__]
        new = [(name, value) for name, value in names if not any(value is other for other in seen)]
        seen += [value for _, value in new]
        yield module.__name__, new


def paragraphs() -> dict[str, str]:
    """What is public in each package, a line each."""
    packages = dict(public())
    classes = {value for names in packages.values() for _, value in names if inspect.isclass(value)}
    found = {}
    for package, names in packages.items():
        lines = [f"# {package}"]
        for name, value in names:
            lines.append(name + (taken(value) if is_made(value) else ""))
            if inspect.isclass(value):
                lines += [f"{name}.{member}" for member in members(value, classes)]
        found[package] = "".join(f"{line}\n" for line in lines)
    return found


def is_made(value: Any) -> bool:
    """Whether a value is called by users: exceptions, protocols and names of types are not."""
    if not inspect.isclass(value):
        return inspect.isroutine(value) or (type(value).__module__.startswith("deptrees") and callable(value))
    own = [base for base in value.__mro__ if base.__module__.startswith("deptrees") and "__init__" in vars(base)]
    return bool(own) and not getattr(value, "_is_protocol", False)


def members(described: type, classes: Collection[type]) -> Iterator[str]:
    """What a class has from the library, besides what it is made of and what other public classes have."""
    if is_typeddict(described):
        yield from sorted(described.__annotations__)
        return
    bases = [base for base in described.__mro__ if base.__module__.startswith("deptrees")]
    own = {name for base in bases for name in vars(base)}
    own -= {name for base in bases if base is not described and base in classes for name in vars(base)}
    made_of = {field.alias for field in attrs.fields(described)} if attrs.has(described) else set()
    for name in sorted(own - made_of):
        if name == "__call__" or not name.startswith("_"):
            member = inspect.getattr_static(described, name)
            is_method = inspect.isfunction(member)
            is_called = is_method or isinstance(member, (classmethod, staticmethod))
            yield name + (taken(getattr(described, name), bound=is_method) if is_called else "")


def taken(called: Any, *, bound: bool = False) -> str:
    """What a function takes, without ``self``; ``=`` stands for any default."""
    shown: list[str] = []
    for parameter in [*inspect.signature(called).parameters.values()][bound:]:
        if parameter.kind is parameter.KEYWORD_ONLY and not any(name.startswith("*") for name in shown):
            shown.append("*")
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        shown.append(f"{stars}{parameter.name}{'' if parameter.default is parameter.empty else '='}")
    return f"({', '.join(shown)})"


if __name__ == "__main__":
    PAGE.write_text("\n".join(paragraphs().values()), encoding="utf-8")
