"""Write the pages of docs/systems, one for each transition system, from the systems themselves.

python docs/write_systems.py
"""

from pathlib import Path

from deptrees.transition import REGISTRY, System, describe

FOLDER = Path(__file__).parent / "systems"

SYSTEMS = [system.example for system in REGISTRY.values()]


def pages() -> dict[Path, str]:
    """The path and the text of each page."""
    texts = {FOLDER / f"{type(system).__name__}.md": describe(system) for system in SYSTEMS}
    links = [f"* [{type(system).__name__}]({type(system).__name__}.md): {_first_line(system)}" for system in SYSTEMS]
    return {FOLDER / "index.md": "\n".join(["# Transition systems", "", *links, ""]), **texts}


def _first_line(system: System) -> str:
    return (type(system).__doc__ or "").partition("\n")[0]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
