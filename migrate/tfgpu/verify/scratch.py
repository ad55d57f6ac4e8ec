"""A copy of a program's folder for each leg, so that neither writes into the user's own.

Two legs that ran in the same folder would also read each other's checkpoints.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

# A bigger file is data: the copy links to it. So is a folder with more entries than this.
_COPIED_BYTES = 2**20
_MANY_ENTRIES = 2_000
_MOST_ENTRIES = 20_000
_LEFT_OUT = frozenset(
    {".git", ".hg", ".svn", "__pycache__", "node_modules", ".tox", ".nox", ".mypy_cache"}
)


class ScratchError(ValueError):
    """The folder cannot be copied; the message says why."""


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


def _is_data(folder: str) -> bool:
    with os.scandir(folder) as listed:
        return sum(1 for _ in zip(listed, range(_MANY_ENTRIES + 1), strict=False)) > _MANY_ENTRIES


def checkout(repository: Path, ref: str, target: Path) -> None:
    """Write the tree of a git ref into a folder.

    Raises:
        ScratchError: git says no; the message is git's.
    """
    done = subprocess.run(
        ["git", "-C", str(repository), "archive", "--format=tar", ref],
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise ScratchError(done.stderr.decode("utf-8", "replace").strip() or f"no ref {ref}")
    target.mkdir(parents=True)
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(target, filter="data")


def repository_of(path: Path) -> Path:
    """Return the top folder of the git repository that a path is in.

    Raises:
        ScratchError: it is in none.
    """
    done = subprocess.run(
        ["git", "-C", str(path.parent), "rev-parse", "--show-toplevel"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ScratchError(f"{path} is in no git repository: --from-ref needs one")
    return Path(done.stdout.strip())
