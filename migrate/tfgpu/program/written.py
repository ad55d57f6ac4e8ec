"""Modules that the program writes itself: what it imports is not what is read."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePath

from tfgpu.files.pattern import Pattern, expression
from tfgpu.program.modules import Modules

# A text that is a path of a module.
_FILE = expression(rb"[\"'/\\]([A-Za-z_]\w*)\.py[\"']")
_NAMES_FILES = Pattern((b'.py"', b".py'"))
# What writes a file, or puts one in the place of another.
_WRITES = Pattern(
    (b"write_text", b"write_bytes", b"shutil", b"os.rename", b"os.replace", b"os.link", b"symlink"),
    rb"open\([^\n]{0,300}[\"'][rbt]*[wax+]",
    rb"mode[ \t]*=[ \t]*[\"'][rbt]*[wax+]",
)


def may_write(code: bytes) -> bool:
    """Tell whether a file may write a module that it names."""
    return _NAMES_FILES.search(code) and _WRITES.search(code)


def written_modules(files: Collection[str], modules: Modules) -> Iterator[tuple[str, str]]:
    """Yield the files that others import and that one of some files may write, each with that.

    It names the file in a text, writes some file, and is in a program with it.
    """
    for path in files:
        if not (modules.holds(_NAMES_FILES, path) and modules.holds(_WRITES, path)):
            continue
        found = {name.decode() for name in _FILE.findall(modules.code(path))}
        # An `__init__.py` that is written makes a package of a new folder.
        names = {f"{name}.py" for name in found - {"__init__"}} - {PurePath(path).name}
        for other in modules.paths:
            if (
                PurePath(other).name in names
                and len(modules.programs(other)) > 1
                and not modules.programs(path).isdisjoint(modules.programs(other))
            ):
                yield other, path
