"""Walks paths to the files of interest below them; what git ignores, and links, are left out."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from tfgpu.dataclass import dataclass
from tfgpu.files.gitignore import Pattern, read_patterns
from tfgpu.files.kinds import SCRIPTS, Kind, is_wanted
from tfgpu.files.scripts import kind_of_unnamed

_SKIPPED = frozenset(
    [
        ".git", ".hg", ".svn", ".tox", ".nox", ".venv", ".eggs", "__pycache__", "node_modules",
        ".mypy_cache", ".pytest_cache", ".ruff_cache", ".ipynb_checkpoints",
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A path that could not be walked, and why."""

    path: str
    reason: str


# All names of an absolute path without links: one file has one of these, however it is spelled.
Place = tuple[str, ...]
# Tells whether a path is left out, given that the folder around it is not.
Excludes = Callable[[Place, bool], bool]
# The patterns of each .gitignore file that holds, with how many names its folder has; top down.
Ignores = list[tuple[int, list[Pattern]]]


def discover(
    paths: list[str], kinds: Collection[Kind], excludes: Excludes | None = None
) -> Iterator[str | Unreadable]:
    """Yield the files of these kinds below paths, sorted within each folder, each file once.

    A path that is named is taken whatever it is called and whether or not git ignores it;
    `excludes` tells for all others whether they are left out. Links to
    folders are not followed; one that leads back to where it stands is reported.
    """
    seen: set[Place] = set()
    for path in paths:
        for place, item in _named(path, kinds, excludes or _nothing):
            if place not in seen:
                seen.add(place)
                yield item


def _nothing(place: Place, is_folder: bool) -> bool:
    return False


def _named(
    path: str, kinds: Collection[Kind], excludes: Excludes
) -> Iterator[tuple[Place, str | Unreadable]]:
    try:
        mode = Path(path).stat().st_mode
        place = Path(path).resolve().parts
    except OSError as error:
        yield (path,), Unreadable(path, error.strerror or str(error))
        return
    if stat.S_ISDIR(mode):
        yield from _walk(path, place, kinds, excludes)
    elif stat.S_ISREG(mode):
        yield place, path
    else:
        yield place, Unreadable(path, "not a regular file")


def _walk(
    top: str, place: Place, kinds: Collection[Kind], excludes: Excludes
) -> Iterator[tuple[Place, str | Unreadable]]:
    """Yield the files of a folder, then those of the folders in it."""
    waiting = [(top, place, _ignores_above(Path(*place)))]
    scripts = SCRIPTS.intersection(kinds)
    while waiting:
        folder, place, ignores = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield place, Unreadable(folder, error.strerror or str(error))
            continue
        if any(entry.name == ".gitignore" for entry in found):
            ignores = [*ignores, (len(place), read_patterns(folder))]
        folders = []
        for entry in found:
            here = (*place, entry.name)
            is_folder = entry.is_dir(follow_symlinks=False)
            is_link = entry.is_symlink()
            if is_folder and entry.name in _SKIPPED:
                continue
            wanted = is_folder or is_link or is_wanted(entry.name, kinds)
            # Of a file without a suffix only its first line tells what it is.
            if not wanted and ("." in entry.name or not scripts):
                continue
            if _is_ignored(here, is_folder, ignores) or excludes(here, is_folder):
                continue
            if is_folder:
                folders.append((entry.path, here, ignores))
            elif is_link:
                if (reason := _loop(entry.path)) is not None:
                    yield here, Unreadable(entry.path, reason)
            elif entry.is_file(follow_symlinks=False) and (
                wanted or kind_of_unnamed(entry.path) in scripts
            ):
                yield here, entry.path
        waiting += reversed(folders)


def _loop(link: str) -> str | None:
    """Say what is wrong with a link that leads to a folder around it, or to itself."""
    try:
        target = Path(os.path.realpath(link, strict=True))
    except OSError as error:
        return "a symbolic link that leads to itself" if error.errno == errno.ELOOP else None
    folder = Path(link).parent.resolve()
    if target == folder or target in folder.parents:
        return "a symbolic link to a folder around it; not followed"
    return None


def _ignores_above(folder: Path) -> Ignores:
    """Return the .gitignore files above a folder, up to the top of its repository."""
    found: Ignores = []
    if (folder / ".git").exists():
        return found
    for parent in folder.parents:
        found.insert(0, (len(parent.parts), read_patterns(parent)))
        if (parent / ".git").exists():
            return found
    return []


def _is_ignored(place: Place, is_folder: bool, ignores: Ignores) -> bool:
    """Tell whether git ignores a path in a folder that it does not: the last pattern decides."""
    for depth, patterns in reversed(ignores):
        for pattern in reversed(patterns):
            if pattern.matches(place[depth:], is_folder):
                return pattern.ignores
    return False
