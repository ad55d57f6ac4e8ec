"""The programs of a run: entry scripts, and what each of them imports."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from pathlib import PurePath

from tfgpu.files.kinds import Kind, kind_of
from tfgpu.program.modules import Modules
from tfgpu.program.switches import Program
from tfgpu.program.units import DYNAMIC

# A statement of a module that is a call, one that makes a session, and what a module defines.
_TOP_CALL = re.compile(rb"^([A-Za-z_]\w*)[\w.]*\(", re.M)
_TOP_SESSION = re.compile(rb"^(?!def\b|class\b|from\b|import\b|#)\S.*Session\(", re.M)
_TOP_NAME = re.compile(rb"^(?:def|class)[ \t]+(\w+)", re.M)


def programs_of(modules: Modules) -> tuple[Program, ...]:
    """Return the programs of a run: one for each file that no other imports, or that is a script.

    pytest imports all test modules of a folder, and of those below it, into one process.
    """
    tops = [path for path in modules.paths if not modules.importers(path)]
    tops += [path for path in modules.paths if path not in set(tops) and _is_script(path, modules)]
    tests: dict[str, list[str]] = {}
    found = []
    for path in tops:
        if _is_test(path):
            tests.setdefault(_test_root(path), []).append(path)
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


def sharing(programs: Iterable[Program], files: Collection[str]) -> list[Program]:
    """Return the programs that have some of these files, or share a file with one that is found."""
    every = list(programs)
    known = set(files)
    found: list[Program] = []
    while more := [item for item in every if item not in found and known & item.files]:
        found += more
        known.update(*(item.files for item in more))
    return [item for item in every if item in found]


def _is_script(path: str, modules: Modules) -> bool:
    """Tell whether a file may be run though others import it.

    It has a part for that, or makes a session, or calls its own code or that of another file, when
    it is imported.
    """
    code = modules.code(path)
    if (b"__main__" in code and b"__name__" in code) or _TOP_SESSION.search(code):
        return True
    called = {match[1] for match in _TOP_CALL.finditer(code)}
    own = called.intersection(match[1] for match in _TOP_NAME.finditer(code))
    others = {PurePath(other).stem.encode() for other in modules.imports(path)} if called else ()
    return bool(own) or not called.isdisjoint(others)


def _is_test(path: str) -> bool:
    name = os.path.basename(path)  # noqa: PTH119 - for each file
    return kind_of(path) is not Kind.NOTEBOOK and (
        name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
    )


def _test_root(path: str) -> str:
    """Return the outermost folder of tests above a file, or its own folder."""
    folders = list(PurePath(path).parents)
    return str(next((at for at in reversed(folders) if at.name in ("tests", "test")), folders[0]))
