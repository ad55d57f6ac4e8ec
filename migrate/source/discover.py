"""Walks paths to the Python files below them; what git ignores, and links, are left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

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


def discover(paths: list[str]) -> Iterator[str | Unreadable]:
    """Yield the Python files below paths, sorted within each folder, each file once.

    A path that names a file is yielded whatever it is called. Links to folders are not followed;
    one that leads back to where it stands is reported.
    """
    seen: set[str] = set()
    for path in paths:
        found = _walk(path, _ignores_above(path)) if Path(path).is_dir() else _file(path)
        for item in found:
            if isinstance(item, Unreadable):
                yield item
            elif item not in seen:
                seen.add(item)
                yield item


def _file(path: str) -> Iterator[str | Unreadable]:
    if Path(path).is_file():
        yield path
        return
    try:
        Path(path).stat()
    except OSError as error:
        yield Unreadable(path, error.strerror or str(error))
    else:
        yield Unreadable(path, "not a regular file")


Ignores = list[tuple[str, "GitIgnoreSpec"]]


def _walk(folder: str, ignores: Ignores) -> Iterator[str | Unreadable]:
    """Yield the Python files of a folder and of those below it."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield Unreadable(folder, error.strerror or str(error))
        return
    if any(entry.name == ".gitignore" for entry in found):
        ignores = [*ignores, *_read_ignores(folder)]
    folders: list[str] = []
    for entry in found:
        is_folder = entry.is_dir(follow_symlinks=False)
        if is_folder and entry.name not in _SKIPPED and not _is_ignored(entry.path, True, ignores):
            folders.append(entry.path)
        elif entry.is_symlink():
            yield from _loop(entry.path)
        elif (
            entry.name.endswith(".py")
            and entry.is_file(follow_symlinks=False)
            and not _is_ignored(entry.path, False, ignores)
        ):
            yield entry.path
    for path in folders:
        yield from _walk(path, ignores)


def _loop(path: str) -> Iterator[Unreadable]:
    """Report a link that leads to a folder around it, or to itself."""
    try:
        target = Path(path).resolve(strict=True)
    except FileNotFoundError:
        return
    except (OSError, RuntimeError):
        yield Unreadable(path, "a symbolic link that leads to itself")
        return
    if target in Path(path).parent.resolve().parents or target == Path(path).parent.resolve():
        yield Unreadable(path, "a symbolic link to a folder around it; not followed")


def _ignores_above(path: str) -> Ignores:
    """Return the rules of the .gitignore files above a folder, up to the top of its repository."""
    found: Ignores = []
    folder = Path(path).resolve()
    if (folder / ".git").exists():
        return found
    for parent in folder.parents:
        found = [*_read_ignores(str(parent)), *found]
        if (parent / ".git").exists():
            return found
    return []


def _read_ignores(folder: str) -> Ignores:
    try:
        text = Path(folder, ".gitignore").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - needed only where there is a .gitignore

    return [(str(Path(folder).resolve()), GitIgnoreSpec.from_lines(text.splitlines()))]


def _is_ignored(path: str, is_folder: bool, ignores: Ignores) -> bool:
    if not ignores:
        return False
    whole = Path(path).parent.resolve() / Path(path).name
    for folder, spec in reversed(ignores):
        relative = whole.relative_to(folder).as_posix()
        result = spec.check_file(f"{relative}/" if is_folder else relative)
        if result.include is not None:
            return result.include
    return False
