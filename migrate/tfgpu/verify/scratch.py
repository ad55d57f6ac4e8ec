"""A copy of a program's folder, where a leg has no view of its own; and the files of git refs."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from tfgpu.git import GitError, run_git

# A bigger file is data: the copy links to it. So is a folder with more entries than this. What is
# linked can be read, and Landlock refuses to write it.
_COPIED_BYTES = 2**20
_MANY_ENTRIES = 2_000
_MOST_ENTRIES = 20_000
_LEFT_OUT = frozenset(
    {".git", ".hg", ".svn", "__pycache__", "node_modules", ".tox", ".nox", ".mypy_cache"}
)


class ScratchError(ValueError):
    """The folder cannot be copied, or git says no; the message says why."""


def copy_tree(source: Path, target: Path) -> None:
    """Copy a folder for a leg: small files are copied, large ones and data folders are linked.

    Virtual environments, version control and caches are left out.

    Raises:
        ScratchError: it holds too much to be a program's folder.
    """
    counted = 0
    target.mkdir(parents=True)
    waiting = [(source, target)]
    while waiting:
        here, there = waiting.pop()
        with os.scandir(here) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
        counted += len(entries)
        if counted > _MOST_ENTRIES:
            raise ScratchError(
                f"{source} holds more than {_MOST_ENTRIES} files: run this from the program's "
                "own folder, which is copied for each leg"
            )
        for entry in entries:
            copy = there / entry.name
            if entry.name in _LEFT_OUT:
                continue
            if entry.is_symlink():
                copy.symlink_to(os.path.realpath(entry.path))
            elif entry.is_dir():
                if (Path(entry.path) / "pyvenv.cfg").exists():
                    continue
                if _is_data(entry.path):
                    copy.symlink_to(os.path.abspath(entry.path))  # noqa: PTH100 - keeps links
                else:
                    copy.mkdir()
                    waiting.append((Path(entry.path), copy))
            elif entry.is_file():
                if entry.stat().st_size > _COPIED_BYTES and not entry.name.endswith(".py"):
                    copy.symlink_to(os.path.abspath(entry.path))  # noqa: PTH100
                else:
                    shutil.copy2(entry.path, copy)


def written_below(folder: Path, since: int) -> list[tuple[str, bool]]:
    """Return the files below a copied folder that were written since a time, in nanoseconds.

    None of them was removed.
    """
    found = []
    for here, _, files in os.walk(folder):
        for name in files:
            path = Path(here, name)
            if path.lstat().st_mtime_ns > since:
                found.append((str(path), False))
    return found


def _is_data(folder: str) -> bool:
    with os.scandir(folder) as listed:
        return sum(1 for _ in zip(listed, range(_MANY_ENTRIES + 1), strict=False)) > _MANY_ENTRIES


def whole_size(folder: Path) -> str:
    """Return in words what a whole copy of a folder takes, with the largest files."""
    sizes: list[tuple[int, str]] = []
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        for name in files:
            path = os.path.join(here, name)  # noqa: PTH118 - for many files
            if not Path(path).is_symlink():
                sizes.append((Path(path).stat().st_size, os.path.relpath(path, folder)))
    largest = [f"{name} ({size:,} bytes)" for size, name in sorted(sizes, reverse=True)[:5]]
    total = sum(size for size, _ in sizes)
    return f"{folder}: {len(sizes):,} files, {total:,} bytes, among them {', '.join(largest)}"


def changes_since(repository: Path, ref: str) -> Mapping[Path, bytes | None]:
    """Return what takes a working tree back to a git ref: new bytes, or None for a file to remove.

    What git does not know (data, checkpoints) stays as it is.

    Raises:
        ScratchError: git says no; the message is git's.
    """
    listed = _git(repository, "diff", "--name-status", "--no-renames", "-z", ref, "--")
    words = [word for word in listed.decode("utf-8", "surrogateescape").split("\0") if word]
    changes: dict[Path, bytes | None] = {}
    for status, name in zip(words[::2], words[1::2], strict=True):
        gone = status.startswith("A")
        changes[repository / name] = None if gone else _git(repository, "show", f"{ref}:{name}")
    return changes


def versions_of(path: Path) -> Iterator[bytes]:
    """Yield what a file was at each commit that changed it, the latest first; none without git."""
    try:
        listed = _git(path.parent, "log", "--format=%H", "--", path.name)
    except ScratchError:
        return
    for commit in listed.decode().split():
        with contextlib.suppress(ScratchError):  # it was removed there
            yield _git(path.parent, "show", f"{commit}:./{path.name}")


def commit_of(repository: Path, ref: str) -> str:
    """Return the commit of a git ref.

    Raises:
        ScratchError: there is no such ref.
    """
    return _git(repository, "rev-parse", "--verify", f"{ref}^{{commit}}").decode().strip()


def exists_at(repository: Path, ref: str, name: str) -> bool:
    """Tell whether a file was there at a git ref."""
    try:
        _git(repository, "cat-file", "-e", f"{ref}:{name}")
    except ScratchError:
        return False
    return True


def _git(repository: Path, *arguments: str) -> bytes:
    try:
        return run_git(repository, *arguments, trusted=True)
    except GitError as error:
        raise ScratchError(str(error)) from None


def repository_of(path: Path) -> Path:
    """Return the top folder of the git repository that a path is in.

    Raises:
        ScratchError: it is in none.
    """
    try:
        top = _git(path.parent, "rev-parse", "--show-toplevel")
    except ScratchError:
        raise ScratchError(f"{path} is in no git repository: --from-ref needs one") from None
    return Path(os.fsdecode(top).strip())
