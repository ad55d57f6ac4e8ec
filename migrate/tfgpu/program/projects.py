"""Which project a file belongs to. Programs do not reach out of their project.

A git root bounds a project, else the outermost folder with a file that stands at the top of
projects, else what was named on the command line: an import that leaves it means an installed
library.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cache

# Files at the top of projects; what is unpacked from an archive has no git root.
_GIT = ".git"
_MARKS = (
    *("pyproject.toml", "setup.py", "setup.cfg"),
    *(".gitignore", "LICENSE", "LICENSE.txt", "LICENSE.md"),
)


def by_project(paths: Iterable[str], named: Iterable[str]) -> Mapping[str, list[str]]:
    """Return files by the root of their project; `named` are the paths of the command line.

    A named file counts as its folder, where nothing else bounds the project, and a named link to a
    file as what it leads to: programs around that import it, too.
    """
    links: dict[str, str] = {}
    folders: list[str] = []
    homes: list[str] = []
    for name in named:
        if os.path.isdir(name):  # noqa: PTH112
            folders.append(os.path.realpath(name))
        else:
            if os.path.islink(name):  # noqa: PTH114
                links[name] = os.path.realpath(name)
            above = os.path.dirname(links.get(name, name))  # noqa: PTH120
            homes.append(os.path.realpath(above or os.curdir))
    folders.sort(key=len)
    homes = sorted(set(homes), key=len)
    here = os.path.realpath(os.curdir)
    found: dict[str, list[str]] = {}
    beside: dict[str, list[str]] = {}
    for path in paths:
        above = os.path.dirname(links.get(path, path))  # noqa: PTH120 - for each file
        members = beside.get(above)
        if members is None:
            home = os.path.realpath(above or os.curdir)
            root = marked_root(home)
            if root is None:
                bounds = [*folders, here, *homes]
                root = next((folder for folder in bounds if is_below(home, folder)), home)
            members = beside[above] = found.setdefault(root, [])
        members.append(path)
    return found


def marked_root(folder: str) -> str | None:
    """Return the folder with a mark of a project around a folder: a git root, or the outermost.

    What lies in the home folder, or at the top of a file system, marks no project there.
    """
    outermost = None
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    counts = True
    while True:
        mark = mark_of(folder)
        if mark == _GIT:
            return folder
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder:
            return outermost
        counts = counts and folder != home
        if mark and counts:
            outermost = folder
        folder = above


@cache
def mark_of(folder: str) -> str | None:
    """Return what marks a folder as the top of a project."""
    if os.path.exists(os.path.join(folder, _GIT)):  # noqa: PTH110, PTH118
        return _GIT
    for mark in _MARKS:
        if os.path.isfile(os.path.join(folder, mark)):  # noqa: PTH113, PTH118
            return mark
    return None


def is_below(path: str, folder: str) -> bool:
    """Tell whether a path is a folder, or in it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
