"""Modules that the program writes itself: what it imports is not what is read."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePath

from tfgpu.files.pattern import Pattern, expression
from tfgpu.program.modules import Modules

# A text that is a path of a module; in notebooks also what a cell is written to.
_FILE = expression(rb"(?:[\"'/\\]|%%(?:write)?file[ \t][^\n]{0,200}?)\b([A-Za-z_]\w*)\.py[\"'\s]")
_CELL = (b"%%writefile ", b"%%file ")
_NAMES_FILES = Pattern((b'.py"', b".py'", *_CELL))
# What writes a file, or puts one in the place of another.
_WRITES = Pattern(
    (
        b"write_text",
        b"write_bytes",
        b"shutil",
        b"os.rename",
        b"os.replace",
        b"os.link",
        b"symlink",
        *_CELL,
    ),
    rb"open\([^\n]{0,300}[\"'][rbt]*[wax+]",
    rb"mode[ \t]*=[ \t]*[\"'][rbt]*[wax+]",
)


def may_write(code: bytes) -> bool:
    """Tell whether a file may write a module that it names."""
    return _NAMES_FILES.search(code) and _WRITES.search(code)


def written_modules(files: Collection[str], modules: Modules) -> Iterator[tuple[str, str]]:
    """Yield what some files may write and others import: a file of each program, and words for it.

    The writer names the module in a text, writes some file, and is in a program with it. A module
    that is not there yet has no programs: those of what imports it are concerned.
    """
    for path in files:
        if not (modules.holds(_NAMES_FILES, path) and modules.holds(_WRITES, path)):
            continue
        # An `__init__.py` that is written makes a package of a new folder.
        found = {name.decode() for name in _FILE.findall(modules.code(path))} - {"__init__"}
        names = {f"{name}.py" for name in found} - {PurePath(path).name}
        for other in modules.paths:
            if modules.programs(path).isdisjoint(modules.programs(other)):
                continue
            if PurePath(other).name in names and len(modules.programs(other)) > 1:
                yield other, f"{other} as {path} may write it"
            for name in found.intersection(_missing(other, modules)):
                yield other, f"{name}.py as {path} may write it"


def _missing(path: str, modules: Modules) -> Iterator[str]:
    """Yield the names of modules that a file imports, and that may not be there."""
    for dotted in modules.dotted(path):
        found = modules.find(path, dotted)
        if found is None:
            yield from dotted.split(".")
        elif PurePath(found[0]).stem == "__init__":
            yield found[1].partition(".")[0]
