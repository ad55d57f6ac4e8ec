"""Which repositories a fleet has: those that paths, folders of clones, and URLs name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tfgpu.dataclass import dataclass
from tfgpu.fleet.bounded import BoundedError, bounded
from tfgpu.git import no_repository_named

# What a repository without a folder of files has at its top.
_BARE = ("HEAD", "objects", "refs")
_SCP = re.compile(r"[\w.-]+@[\w.-]+:(?!//)")
# Nobody is there to answer, and contents that a server keeps apart hold no code.
_ENVIRONMENT = {"GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}


@dataclass(frozen=True, slots=True)
class Source:
    """A repository: its name in every row, and the folder or the URL that it is read from.

    `wrong` says why it cannot be read, if that is known already.
    """

    name: str
    place: str
    is_url: bool = False
    wrong: str = ""


def listed(lines: Iterable[str]) -> Iterator[str]:
    """Yield the repositories of a list, one a line; what follows # is a comment."""
    for line in lines:
        named = line.partition(" #")[0].strip()
        if named and not named.startswith("#"):
            yield named


def sources(named: Iterable[str]) -> list[Source]:
    """Return the repositories, each once; a folder that is no repository means those below it."""
    found: list[Source] = []
    seen: set[str] = set()
    for source in chain.from_iterable(map(_sources, named)):
        if seen.isdisjoint((source.name, source.place)):
            found.append(source)
        seen |= {source.name, source.place}
    return found


def _sources(text: str) -> Iterator[Source]:
    if is_url(text):
        yield Source(without_password(text), text, is_url=True)
        return
    if not text or "\0" in text:
        yield Source(text, text, wrong="no such folder")
        return
    name, place = os.path.normpath(text), os.path.realpath(text)
    if not os.path.isdir(place):  # noqa: PTH112
        there = os.path.exists(place)  # noqa: PTH110
        yield Source(name, place, wrong="not a folder" if there else "no such folder")
        return
    clones = list(_clones(name, place))
    yield from clones or [Source(name, place, wrong="no git repository, and none below it")]


def _clones(name: str, place: str) -> Iterator[Source]:
    """Yield the repositories at and below a folder; one inside another belongs to that."""
    seen = {place}
    waiting = [(name, place)]
    while waiting:
        name, folder = waiting.pop()
        if os.path.exists(os.path.join(folder, ".git")):  # noqa: PTH110, PTH118
            yield Source(name, folder)
            continue
        if all(os.path.exists(os.path.join(folder, part)) for part in _BARE):  # noqa: PTH110, PTH118
            yield Source(name, folder, wrong=f"a bare repository: name it as file://{folder}")
            continue
        try:
            with os.scandir(folder) as entries:
                inner = sorted((entry.name for entry in entries if entry.is_dir()), reverse=True)
        except OSError as error:
            yield Source(name, folder, wrong=error.strerror or str(error))
            continue
        for entry in inner:
            below = os.path.realpath(os.path.join(folder, entry))  # noqa: PTH118
            if below not in seen:
                seen.add(below)
                inside = entry if name == os.curdir else os.path.join(name, entry)  # noqa: PTH118
                waiting.append((inside, below))


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
    environment = {**no_repository_named(), **_ENVIRONMENT}
    return os.fsdecode(bounded(command, seconds, folder, environment=environment))
