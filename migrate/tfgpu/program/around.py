"""The files around those that were named: what the same programs have else in their project.

What decides on a config must not depend on how many files are named. So the project is searched for
files that can import one with a config, directly or not, and for what those import. They are read
to decide, and never changed, nor reported.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, count, islice
from pathlib import Path

from tfgpu.files.discover import Excludes, discover
from tfgpu.files.files import load_if_readable
from tfgpu.files.kinds import REWRITTEN, Kind, kind_of
from tfgpu.files.scripts import is_python
from tfgpu.place import place
from tfgpu.program.inline_code import KINDS, code_of_commands, may_run_code
from tfgpu.program.modules import Modules
from tfgpu.program.projects import by_project, is_below, marked_root
from tfgpu.program.units import SEED, files_around

# A folder without the mark of a project that holds more Python files is not taken for one.
_MOST_FILES = 2_000
# The modules of each project by its root, or the error of tfgpu that its files fail with.
Arounds = Mapping[str, Modules | Exception]


def decides(data: bytes) -> bool:
    """Tell whether a file has configs, or commands that may run code: what is asked of it first."""
    return SEED.search(data) or may_run_code(data)


def with_around(
    paths: Iterable[str],
    named: Iterable[str],
    excludes: Excludes | None,
    known: Mapping[str, bytes],
) -> Arounds:
    """Return the modules of projects with what decides and does not belong to a run, by their root.

    `paths` are the files of the run, `named` the paths of the command line; `known` has the bytes
    of those files that decide. Projects that were searched for more are there, as what was read of
    their files is known, and others left out.
    """
    named = list(named)
    python = [path for path in paths if is_python(path)]
    folders = [os.path.realpath(name) for name in named if Path(name).is_dir()]
    found: dict[str, Modules | Exception] = {}
    for root, members in by_project(python, named).items():
        is_whole = any(is_below(root, folder) for folder in folders)
        try:
            modules = _searched(root, members, is_whole, excludes, known)
        except Exception as error:  # the other projects are done
            found[root] = error
        else:
            if modules is not None:
                found[root] = modules
    return found


def _searched(
    root: str,
    members: list[str],
    is_whole: bool,
    excludes: Excludes | None,
    known: Mapping[str, bytes],
) -> Modules | None:
    """Return the modules of a project with what decides beside its members, if it was searched."""
    own = Modules({path: known.get(path, b"") for path in members})
    seeds = [path for path in members if path in known and SEED.search(own.code(path))]
    if not seeds:
        return None
    others = [] if is_whole else list(_others(root, members, excludes))
    every = own.with_more(dict.fromkeys(others, b""))
    asked = [*(path for path in members if path in known), *others]
    commands = _commands(root, every, asked, excludes)
    if not (others or commands):
        return None
    whole = every.with_more(commands)
    around = files_around(whole, seeds)
    # Commands that start another file of these programs: its imports may be switched, too.
    starting = [path for path in commands if not around.isdisjoint(whole.closure(path))]
    beside = around.union(files_around(whole, starting)).difference(members)
    return whole.part([*members, *sorted(beside)], beside) if beside else own


def _commands(
    root: str, modules: Modules, asked: list[str], excludes: Excludes | None
) -> dict[str, bytes]:
    """Return the code of commands in a project that imports some of its modules.

    It is found by the place where it stands. `asked` are the modules that may have some.
    """
    absolute = any(map(os.path.isabs, modules.paths))
    others = _project_files(root, map(os.path.realpath, modules.paths), excludes, KINDS)
    texts = {path if absolute else os.path.relpath(path): load_if_readable(path) for path in others}
    # Lines of notebooks may be commands: `!python -c ...`.
    notebooks = (path for path in asked if kind_of(path) is Kind.NOTEBOOK)
    texts.update((path, modules.read(path)) for path in notebooks)
    pieces = [
        (path, line, code)
        for path in asked
        for line, code in code_of_commands(modules.code(path), is_python=True)
    ]
    pieces += [
        (path, line, code)
        for path, data in texts.items()
        for line, code in code_of_commands(data, is_python=False)
    ]
    found: dict[str, bytes] = {}
    for path, line, code in pieces:
        # Each is a process of its own: the second one of a line is numbered.
        numbered = (place(path, line, number) for number in chain([0], count(2)))
        found[next(where for where in numbered if where not in found)] = code.encode() + b"\n"
    whole = modules.with_more(found)
    return {path: code for path, code in found.items() if whole.imports(path)}


def _others(root: str, members: list[str], excludes: Excludes | None) -> Iterator[str]:
    """Yield the other Python files of a project, spelled as its members are."""
    known = set(map(os.path.realpath, members))
    absolute = any(map(os.path.isabs, members))
    for path in _project_files(root, known, excludes):
        if os.path.realpath(path) not in known:
            yield path if absolute else os.path.relpath(path)


def _project_files(
    root: str, known: Iterable[str], excludes: Excludes | None, kinds: Collection[Kind] = REWRITTEN
) -> list[str]:
    """Return the files of a project that are of some kinds, Python if none are named.

    A root without a mark may be any folder: where there is too much in it, the folders of the files
    that are known stand for it.
    """

    def files(folder: str) -> Iterator[str]:
        return (item for item in discover([folder], kinds, excludes) if isinstance(item, str))

    if marked_root(root) == root:
        return list(files(root))
    if Path(root) not in (Path.home(), Path(Path(root).anchor)):
        found = list(islice(files(root), _MOST_FILES + 1))
        if len(found) <= _MOST_FILES:
            return found
    return [
        str(path)
        for folder in sorted({Path(path).parent for path in known})
        for path in sorted(folder.iterdir())
        if path.is_file() and kind_of(str(path)) in kinds
    ]
