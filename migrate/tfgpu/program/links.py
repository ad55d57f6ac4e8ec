"""Where the files of a run are, and where symbolic links give them further places."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

# The names of an absolute path.
Parts = tuple[str, ...]


def real_places(paths: Iterable[str]) -> dict[str, Parts]:
    """Return the names of the real path of each file."""
    folders: dict[str, Parts] = {}
    found: dict[str, Parts] = {}
    for path in paths:
        above, name = os.path.split(path)
        if os.path.islink(path):  # noqa: PTH114 - for each file
            found[path] = Path(os.path.realpath(path)).parts
            continue
        if above not in folders:
            folders[above] = Path(os.path.realpath(above)).parts
        found[path] = (*folders[above], name)
    return found


def further_places(places: Mapping[str, Parts]) -> Iterator[tuple[Parts, str]]:
    """Yield where links lead to one of some files, given by real places, and to which.

    Links are searched where such files are, and in the folders between them. One to a folder gives
    a place for every file below that.
    """
    paths = {place: path for path, place in places.items()}
    folders = {place[:-1] for place in paths}
    top = len(list(takewhile(lambda names: len(set(names)) == 1, zip(*folders, strict=False))))
    around = {folder[:end] for folder in folders for end in range(top, len(folder) + 1)}
    for folder in sorted(around):
        for name in _links(folder):
            link = (*folder, name)
            target = Path(os.path.realpath(os.path.join(*link))).parts  # noqa: PTH118 - one of many
            if target in paths:
                if name.endswith(".py"):
                    yield link, paths[target]
            # One to a folder around it would have no end.
            elif target in around and link[: len(target)] != target:
                for place, path in paths.items():
                    if place[: len(target)] == target:
                        yield (*link, *place[len(target) :]), path


def _links(folder: Parts) -> list[str]:
    """Return the names of the symbolic links in a folder, in order."""
    with suppress(OSError), os.scandir(os.path.join(*folder)) as entries:  # noqa: PTH118
        return sorted(entry.name for entry in entries if entry.is_symlink())
    return []
