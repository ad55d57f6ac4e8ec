"""The built-in rules as one file that loads at once; reading TOML takes twenty times as long.

A wheel holds that file in place of the TOML files. Beside TOML files it stands with the byte code
of this module, is made when it is missing, and counts only while size and time of every file that
it was made from are the same.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tfgpu.pickled import Unpickler, dumps

if TYPE_CHECKING:
    from tfgpu.rulebook.book import Rulebook

# What a rulebook was made from: the files, each with size and time of its last change.
Origin = tuple[tuple[str, int, int], ...]

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - at each start
_PACKED = os.path.join(_HERE, "rules.pickle")  # noqa: PTH118
# Two writes within this time may leave the same time and size.
_SETTLED_NS = 2 * 10**9


def packed_rulebook() -> Rulebook | None:
    """Return the rules of a wheel; None in a checkout, which has TOML files."""
    try:
        with open(_PACKED, "rb") as file:  # noqa: PTH123 - at each start
            _, book = Unpickler(file).load()
    except FileNotFoundError:
        return None
    found: Rulebook = book
    return found


def cached_rulebook(folder: str, read: Callable[[], Rulebook]) -> Rulebook:
    """Return the rules of a folder of TOML files as they are now, which `read` reads."""
    cached: str | None = None if __spec__ is None else __spec__.cached
    if cached is None:
        return read()
    path = cached.removesuffix(".pyc") + ".rules"
    made_from = origin(folder, _HERE)
    book = _loaded(path, made_from)
    if book is None:
        book = read()
        last = max(changed for _, _, changed in made_from)
        settled = time.time_ns() - last > _SETTLED_NS
        # Only what was there before and after reading is what was read.
        if settled and not sys.dont_write_bytecode and origin(folder, _HERE) == made_from:
            _write(path, pack(book, made_from))
    return book


def pack(book: Rulebook, made_from: Origin | None = None) -> bytes:
    """Return the bytes of a file that holds a rulebook; one for a wheel has no origin."""
    return dumps((made_from, book))


def _loaded(path: str, made_from: Origin) -> Rulebook | None:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            found_origin, book = Unpickler(file).load()
    except Exception:  # it is not there, or whatever a damaged file leads to
        return None
    found: Rulebook | None = book if found_origin == made_from else None
    return found


def origin(*folders: str) -> Origin:
    """Return the files of some folders by what Python goes by, too: size and time."""
    found = []
    waiting = list(folders)
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                else:
                    status = entry.stat()
                    found.append((entry.path, status.st_size, status.st_mtime_ns))
    return tuple(sorted(found))


def _write(path: str, data: bytes) -> None:
    """Write a file at once, so that another process reads all of it or none; or do not."""
    temporary = f"{path}.{os.getpid()}-{os.urandom(4).hex()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        try:
            with open(temporary, "xb") as file:  # noqa: PTH123
                file.write(data)
            os.replace(temporary, path)  # noqa: PTH105
        finally:
            if os.path.exists(temporary):  # noqa: PTH110
                os.unlink(temporary)  # noqa: PTH108
    except OSError:
        return
