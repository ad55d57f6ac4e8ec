"""Where a leg writes: its record (JSON, a line at once: a crash loses nothing) and its log."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import sys
from json import dumps  # the program may put another function in its place
from typing import Any

# Files of the recorder's own get numbers from here on, out of the way of programs that close those
# from 3 on and take them for themselves. Each has its own, since what is written to one that was
# closed must not get into another; the simulated driver's log has 600 (record.c).
_RECORD = 700
_LOG = 800

_UNBUFFERED = 2  # _IONBF of C's stdio.h, on Linux and macOS


def out_of_the_way(file: int, first: int) -> int:
    """Return a high number for an open file, the first that is free; the low one is closed."""
    try:
        high = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, first)
    except OSError:  # there are no such numbers
        return file
    os.close(file)
    return high


class Stream:
    """Writes lines to the record, from the process that made it only (not from its forks)."""

    def __init__(self, path: str) -> None:
        self._path = os.path.abspath(path)
        self._file = self._open()
        self._identity = _identity(self._file)
        self._process = os.getpid()

    def _open(self) -> int:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        return out_of_the_way(os.open(self._path, flags, 0o644), _RECORD)

    def goes_on_here(self, path: str = "") -> None:
        """Let a fork of the process write from now on, to a file of its own if one is given."""
        self._process = os.getpid()
        if path:
            self._path = os.path.abspath(path)
            self._file = self._open()
            self._identity = _identity(self._file)

    def write(self, kind: str, **data: Any) -> None:
        """Write one line; a disk that is full is none of the program's troubles."""
        if os.getpid() == self._process:
            if _identity(self._file) != self._identity:  # the program has closed it
                self._file = self._open()
            data["kind"] = kind
            with contextlib.suppress(OSError):
                os.write(self._file, dumps(data).encode("utf-8") + b"\n")


def _identity(file: int) -> tuple[int, int]:
    """Return what tells a file from all others, zeros for one that is not open."""
    try:
        status = os.fstat(file)
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def flush() -> None:
    """Write out what was printed; the program may have put anything in the streams' place."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(Exception):
            stream.flush()  # type: ignore[union-attr]


def keep_log(path: str = "") -> None:
    """Give C's standard error a file of its own, where TensorFlow writes what it places.

    A program may then close its standard error, or put another file in its place. A child gets
    another file, at `path`, for C's standard output too: another program may read what it prints.
    """
    libc = ctypes.CDLL(None)
    libc.fdopen.restype = ctypes.c_void_p
    with contextlib.suppress(OSError, ValueError):  # none at all
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644) if path else os.dup(2)
        stream = libc.fdopen(out_of_the_way(file, _LOG), b"w")
        libc.setvbuf(ctypes.c_void_p(stream), None, _UNBUFFERED, 0)
        for name in ("stderr", "stdout") if path else ("stderr",):
            ctypes.c_void_p.in_dll(libc, name).value = stream
