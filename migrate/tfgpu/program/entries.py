"""The programs of a run: entry scripts, and what each of them imports."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import PurePath

from tfgpu.code.scripts import is_test_module, may_be_run
from tfgpu.program.modules import Modules
from tfgpu.program.switches import Program
from tfgpu.program.units import DYNAMIC


# Each unit asks for the programs of its project, and of a file by itself, in turn.
@lru_cache(maxsize=4)
def programs_of(modules: Modules) -> tuple[Program, ...]:
    """Return the programs of a run: one for each file that no other imports, or that is a script.

    pytest imports all test modules of a folder, and of those below it, into one process.
    """
    tops = [path for path in modules.paths if not modules.importers(path)]
    alone = set(tops)
    tops += [path for path in modules.paths if path not in alone and _may_be_run(path, modules)]
    tests: dict[str, list[str]] = {}
    found = []
    shared = os.path.commonpath(map(os.path.abspath, modules.paths)) if modules.paths else ""
    for path in tops:
        if is_test_module(path):
            tests.setdefault(_test_root(path, os.path.dirname(shared)), []).append(path)  # noqa: PTH120 - many
        else:
            found.append(Program((path,), _files(path, modules)))
    for paths in tests.values():
        files = frozenset().union(*(modules.closure(path) for path in paths))
        found.append(Program(tuple(paths), files))
    return tuple(found)


def _files(entry: str, modules: Modules) -> frozenset[str]:
    """Return the files of a program: any of the project, where a run names what is imported."""
    closure = modules.closure(entry)
    if any(modules.holds(DYNAMIC, path) for path in closure):
        return frozenset(modules.paths)
    return closure


def may_run(entry: str, path: str, modules: Modules) -> bool:
    """Tell whether a file is a script by itself, and another one is part of its program.

    Not of every script: of one that no file imports `programs_of` tells, which reads all imports.
    """
    if is_test_module(entry) or not _may_be_run(entry, modules):
        return False
    return any(
        other == path or modules.holds(DYNAMIC, other)
        for other in modules.walk([entry], modules.runs)
    )


def sharing(programs: Iterable[Program], files: Collection[str]) -> list[Program]:
    """Return the programs that have some of these files, or share a file with one that is found."""
    every = list(programs)
    known = set(files)
    found: list[Program] = []
    while more := [item for item in every if item not in found and known & item.files]:
        found += more
        known.update(*(item.files for item in more))
    return [item for item in every if item in found]


def _may_be_run(path: str, modules: Modules) -> bool:
    return may_be_run(
        modules.code(path), lambda: ((item, modules.code(item)) for item in modules.imports(path))
    )


def _test_root(path: str, top: str) -> str:
    """Return the outermost folder of tests above a file and below another, or its own folder."""
    folders = list(PurePath(os.path.relpath(path, top)).parents)
    return str(next((at for at in reversed(folders) if at.name in ("tests", "test")), folders[0]))
