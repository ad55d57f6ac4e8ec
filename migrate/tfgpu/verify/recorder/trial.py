"""Runs a program as it is first, where `tensorflow` may have to stand for `compat.v1`.

A program that mentions names of TensorFlow 1 may run on TensorFlow 2 all the same (it asks for the
version, or catches the error). So a fork goes on with TensorFlow as it is, from its import on; only
where that fails does the leg itself go on, with the stand-in, and what the fork left is taken back.
The fork fails, too, where it takes a name of TensorFlow 1 for granted, whatever becomes of the
error.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from types import ModuleType
from typing import Any

from .lookups import watch
from .stream import flush

# What a child writes that takes a name of TensorFlow 1 for granted, beside its part.
TAKEN = "version1"

_POLL = 0.02


def runs_as_it_is(observer: Any, paths: list[str]) -> bool:
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
        os.setpgid(0, 0)
        observer.goes_on_here()
        observer.tries = observer.process
        return True
    taken = os.path.join(observer.parts, TAKEN)
    if _ends_well(child, taken):
        os._exit(0)
    with contextlib.suppress(OSError):  # nothing is left of it
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.remove(taken)
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


def _ends_well(child: int, taken: str) -> bool:
    """Wait for the try; one whose child takes a name for granted may wait for that without end."""
    while not os.path.exists(taken):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0 and not os.path.exists(taken)
        time.sleep(_POLL)
    with contextlib.suppress(OSError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def watch_names(package: ModuleType, observer: Any) -> None:
    """Let a try fail at once, and a child tell, where they take a name for granted."""

    def taken() -> None:
        if os.getpid() == observer.tries:
            flush()
            os._exit(1)
        if not observer.parts:  # a child
            path = os.path.join(os.path.dirname(observer.job["out"]), TAKEN)
            with contextlib.suppress(OSError), open(path, "w", encoding="ascii"):
                pass

    watch(package, observer, taken)


def _parts(folder: str) -> set[str]:
    return {name for name in os.listdir(folder) if ".jsonl" in name} if folder else set()


def _position(stream: int) -> int:
    try:
        return os.lseek(stream, 0, os.SEEK_CUR)
    except OSError:
        return 0
