"""Which repositories a fleet has: those that paths, folders of clones, and URLs name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain

from tfgpu.dataclass import dataclass
from tfgpu.fleet.clones import is_url, without_password

# What a repository without a folder of files has at its top.
_BARE = ("HEAD", "objects", "refs")


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
