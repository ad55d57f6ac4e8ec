"""What git knows of a repository: its commit, and a clone of it. This is the user's own git."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tfgpu.fleet.bounded import BoundedError, bounded

_SCP = re.compile(r"[\w.-]+@[\w.-]+:(?!//)")
# Nobody is there to answer, and contents that a server keeps apart hold no code.
_ENVIRONMENT = {"GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
# A hook of git that starts tfgpu has these for its own repository.
_OF_ANOTHER = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE",
)  # fmt: skip


def is_url(text: str) -> bool:
    """Tell whether a text is the address of a repository, and no path."""
    return "://" in text or _SCP.match(text) is not None


def without_password(url: str) -> str:
    """Return a URL without the name and password in it."""
    if "://" not in url:
        return url
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def commit_of(folder: Path, seconds: float) -> tuple[str, bool]:
    """Return the commit of a clone, and whether its files are exactly those of the commit.

    Raises:
        BoundedError: it is none, has no commit, or git refuses.
    """
    if _git(folder, seconds, "rev-parse", "--show-cdup").strip():
        # Git found a repository around it.
        raise BoundedError("its .git is no repository")
    try:
        commit = _git(folder, seconds, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except BoundedError as error:
        why = str(error)
        raise BoundedError("it has no commit" if why == "git failed" else why) from None
    # Whatever the settings of the user and of the clone leave out.
    every = ("--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=none")
    status = _git(folder, seconds, "--no-optional-locks", "status", *every)
    return commit.strip(), not status


def remote_commit(url: str, seconds: float) -> str:
    """Return the commit that a clone of a repository would be at.

    Raises:
        BoundedError: it cannot be reached, or has none.
    """
    listed = _remote(url, seconds, "ls-remote", "--", url, "HEAD")
    if not listed.split():
        raise BoundedError("it has no commit")
    return listed.split()[0]


def clone(url: str, folder: Path, seconds: float) -> None:
    """Clone a repository shallowly into a folder.

    Raises:
        BoundedError: git fails, or takes too long.
    """
    shallow = ("--quiet", "--depth=1", "--single-branch", "--no-tags")
    _remote(url, seconds, "clone", *shallow, "--", url, str(folder))


def _remote(url: str, seconds: float, *arguments: str) -> str:
    try:
        return _git(Path.cwd(), seconds, *arguments)
    except BoundedError as error:
        raise BoundedError(str(error).replace(url, without_password(url))) from None


def _git(folder: Path, seconds: float, *arguments: str) -> str:
    # A program that a clone names is not run.
    command = ("git", "-c", "core.fsmonitor=false", "-c", "core.excludesFile=", *arguments)
    own = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER}
    return os.fsdecode(bounded(command, seconds, folder, environment={**own, **_ENVIRONMENT}))
