"""Which project a file belongs to. Programs do not reach out of their project.

A git root bounds a project, else a folder with pyproject.toml, setup.py or setup.cfg, else what was
named on the command line: an import that leaves it means an installed library.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cache

_MARKS = ("pyproject.toml", "setup.py", "setup.cfg")


def by_project(paths: Iterable[str], named: Iterable[str]) -> Mapping[str, list[str]]:
    """Return files by the root of their project; `named` are the paths of the command line.

    A named file counts as its folder, where nothing else bounds the project.
    """
    folders: list[str] = []
    homes: list[str] = []
    for name in named:
        if os.path.isdir(name):  # noqa: PTH112
            folders.append(os.path.realpath(name))
        else:
            homes.append(os.path.realpath(os.path.dirname(name) or os.curdir))  # noqa: PTH120
    folders.sort(key=len)
    homes = sorted(set(homes), key=len)
    here = os.path.realpath(os.curdir)
    found: dict[str, list[str]] = {}
    beside: dict[str, list[str]] = {}
    for path in paths:
        above = os.path.dirname(path)  # noqa: PTH120 - for each file
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


@cache
def marked_root(folder: str) -> str | None:
    """Return the folder with a mark of a project around a folder: a git root, or the nearest."""
    nearest = None
    while True:
        if os.path.exists(os.path.join(folder, ".git")):  # noqa: PTH110, PTH118
            return folder
        if nearest is None and any(
            os.path.isfile(os.path.join(folder, mark))  # noqa: PTH113, PTH118
            for mark in _MARKS
        ):
            nearest = folder
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder:
            return nearest
        folder = above


def is_below(path: str, folder: str) -> bool:
    """Tell whether a path is a folder, or in it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
