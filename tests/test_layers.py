"""The layers of the package: no room imports from one above it, and no two import each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "migrate" / "tfgpu"

# From the lowest to the highest. Rooms of one line may not import each other.
LAYERS = (
    ("dataclass", "digest", "garbage", "pickled"),
    ("place", "options", "forked"),
    ("files", "git"),
    ("rulebook",),
    ("config", "code"),
    ("program",),
    ("flow", "results", "job"),
    ("ignores.comments",),
    ("selection",),
    ("decide",),
    ("rewrite", "checks", "neighbours"),
    ("findings", "planned"),
    ("inventory", "ignores.apply", "texts"),
    ("environment",),
    ("engine",),
    ("process", "memory", "saving"),
    ("launches", "surroundings"),
    ("ignores.files", "reading", "workers"),
    ("decided",),
    ("run",),
    ("cache", "examples"),
    ("verify",),
    ("api",),
    ("codemod",),
    ("report",),
    ("baseline", "fleet", "lsp"),
    ("cli",),
    ("__main__",),
)
LEVEL = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}
# The recorder runs inside of the programs that it watches and imports nothing of tfgpu.
RECORDER = "verify.recorder"


def modules() -> dict[str, Path]:
    """Return every module of the package by its dotted name below `tfgpu`."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


MODULES = modules()


def room(module: str) -> str:
    """Return the room of a module: the part of its name that has a level."""
    parts = module.split(".")
    return ".".join(parts[:2]) if ".".join(parts[:2]) in LEVEL else parts[0]


def imports(path: Path) -> Iterator[str]:
    """Yield the modules of the package that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}".removeprefix("tfgpu.")
                known = whole in MODULES and node.module.startswith("tfgpu")
                if known or node.module.startswith("tfgpu."):
                    yield whole if known else node.module.removeprefix("tfgpu.")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("tfgpu."):
                    yield alias.name.removeprefix("tfgpu.")


def test_every_room_has_a_level() -> None:
    rooms = {room(module) for module in MODULES if module}
    assert rooms - {"ignores"} <= LEVEL.keys()


@pytest.mark.parametrize("module", sorted(filter(None, MODULES)))
def test_no_import_goes_up(module: str) -> None:
    mine = room(module)
    for other in imports(MODULES[module]):
        theirs = room(other)
        if mine != theirs and "ignores" not in (mine, theirs):
            assert LEVEL[theirs] < LEVEL[mine], f"{module} imports {other}"


def test_the_recorder_imports_nothing_of_the_package() -> None:
    for module, path in MODULES.items():
        if module.startswith(RECORDER):
            assert not list(imports(path)), module
