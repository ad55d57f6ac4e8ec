"""Runs a program as it is first, where `tensorflow` may have to stand for `compat.v1`.

A program that mentions names of TensorFlow 1 may run on TensorFlow 2 all the same (it asks for the
version, or catches the error). So a fork goes on with TensorFlow as it is, from its import on; only
where that fails does the leg itself go on, with the stand-in, and what the fork left is taken back.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any


def runs_as_it_is(observer: Any, paths: list[str], flush: Any) -> bool:
    """Fork; return True in the fork, and False where that failed. Where it did not, end like it.

    `paths` are files to take back: what the fork adds to them goes, and so do the parts of its
    children.
    """
    flush()
    parts = _parts(observer.parts)
    sizes = {path: os.path.getsize(path) if os.path.exists(path) else 0 for path in paths}
    streams = {stream: _position(stream) for stream in (1, 2)}
    observer.is_trial = True
    child = os.fork()
    if child == 0:
        observer.goes_on_here()
        return True
    status = os.waitpid(child, 0)[1]
    if status == 0:
        os._exit(0)
    for path, size in sizes.items():
        if os.path.exists(path):
            os.truncate(path, size)
    for part in _parts(observer.parts) - parts:
        with contextlib.suppress(OSError):  # gone
            os.remove(os.path.join(observer.parts, part))
    for stream, position in streams.items():
        with contextlib.suppress(OSError):  # no file
            os.ftruncate(stream, position)
            os.lseek(stream, position, os.SEEK_SET)
    observer.is_trial = False
    return False


def _parts(folder: str) -> set[str]:
    return {name for name in os.listdir(folder) if ".jsonl" in name} if folder else set()


def _position(stream: int) -> int:
    try:
        return os.lseek(stream, 0, os.SEEK_CUR)
    except OSError:
        return 0
