"""The files around those that were named: what the same programs have else in their project.

What decides on a config must not depend on how many files are named. So the project is searched for
files that can import one with a config, directly or not, and for what those import. They are read
to decide, and never changed, nor reported.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from tfgpu.files.discover import Excludes, discover
from tfgpu.files.kinds import REWRITTEN, kind_of
from tfgpu.program.modules import Modules
from tfgpu.program.projects import by_project, marked_root
from tfgpu.program.units import SEED, files_around

# A folder without the mark of a project that holds more Python files is not taken for one.
_MOST_FILES = 2_000


def with_around(
    paths: Iterable[str], named: Iterable[str], excludes: Excludes | None
) -> Mapping[str, Modules]:
    """Return the modules of projects of which only some files belong to a run, by their root.

    `paths` are the files of the run, `named` the paths of the command line. Projects where nothing
    is to be added are left out.
    """
    named = list(named)
    python = [path for path in paths if kind_of(path) in (None, *REWRITTEN)]
    folders = [os.path.realpath(name) for name in named if Path(name).is_dir()]
    found: dict[str, Modules] = {}
    for root, members in by_project(python, named).items():
        if any(_is_in(root, folder) for folder in folders):
            continue
        seeds = [path for path, data in _read(members) if SEED.search(data)]
        others = list(_others(root, members, excludes)) if seeds else []
        if others:
            whole = Modules(dict.fromkeys([*members, *others], b""))
            beside = files_around(whole, seeds).difference(members)
            if beside:
                found[root] = whole.part([*members, *sorted(beside)], beside)
    return found


def _read(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    modules = Modules(dict.fromkeys(paths, b""))
    return ((path, modules.code(path)) for path in modules.paths)


def _others(root: str, members: list[str], excludes: Excludes | None) -> Iterator[str]:
    """Yield the other Python files of a project, spelled as its members are."""
    known = set(map(os.path.realpath, members))
    absolute = any(map(os.path.isabs, members))
    for path in _project_files(root, known, excludes):
        if os.path.realpath(path) not in known:
            yield path if absolute else os.path.relpath(path)


def _project_files(root: str, known: Iterable[str], excludes: Excludes | None) -> list[str]:
    """Return the Python files of a project.

    A root without a mark may be any folder: where there is too much in it, the folders of the files
    that are known stand for it.
    """

    def files(folder: str) -> Iterator[str]:
        return (item for item in discover([folder], REWRITTEN, excludes) if isinstance(item, str))

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
        if path.is_file() and kind_of(str(path)) in REWRITTEN
    ]


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
