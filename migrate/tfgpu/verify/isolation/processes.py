"""The processes that a leg starts, as the kernel lists them, whatever started them and how.

A child that is started without the environment of its leg (`env -i`, `unset PYTHONPATH`, `python
-I`) has no recorder that could tell of it. That it has TensorFlow in its memory shows here.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass

LOOK = 0.2
"""Seconds between two looks: an import of TensorFlow takes longer."""

# Seconds that a process with the leg's own command has to be there.
_FORK = 2.0
# What all of TensorFlow's shared libraries have in their names.
_LIBRARY = b"tensorflow"
_COMMAND = 200  # letters


@dataclass(slots=True)
class Loaded:
    """A process with TensorFlow's libraries in its memory: what it runs, when it was seen.

    `first` and `last` are seconds of the monotonic clock.
    """

    process: int
    command: str
    first: float
    last: float


class Watch:
    """Finds the descendants of this process that load TensorFlow."""

    def __init__(self, leg: int) -> None:
        self._leg = leg
        self._command = ""
        self._found: dict[int, Loaded] = {}
        self._next = 0.0

    def look(self) -> None:
        """Look, unless that was done a moment ago."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + LOOK
        self._command = self._command or command_of(self._leg)
        for process in descendants(os.getpid()):
            if process != self._leg and _has_tensorflow(process):
                known = self._found.get(process)
                if known is None:
                    self._found[process] = Loaded(process, command_of(process), now, now)
                else:
                    known.last, known.command = now, command_of(process) or known.command

    def found(self) -> list[Loaded]:
        """Return those that stayed: one that is about to become another has its parent's.

        Between the fork and the start of another program a process shares the memory, and the
        command, of the one that starts it. That takes longer on a machine with much to do.
        """
        return [
            one
            for one in self._found.values()
            if one.last - one.first >= (_FORK if one.command == self._command else LOOK)
        ]


def _has_tensorflow(process: int) -> bool:
    with contextlib.suppress(OSError), open(f"/proc/{process}/maps", "rb") as file:
        return any(_LIBRARY in line.rpartition(b"/")[2] and b".so" in line for line in file)
    return False


def command_of(process: int) -> str:
    """Return what a process runs, with its arguments; "" of one that has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline", "rb") as file:
        words = os.fsdecode(file.read()).split("\0")
        return " ".join(words).strip()[:_COMMAND]
    return ""


def descendants(process: int) -> list[int]:
    """Return the processes that one has started, and those that these have."""
    found = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children", encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
    return [each for child in found for each in (child, *descendants(child))]


def work_of_all() -> dict[int, tuple[str, ...]]:
    """Return the processor time of each descendant; of one that runs or waits for a disk, now."""
    found = {}
    for process in descendants(os.getpid()):
        state, times = _state(process)
        if state:
            found[process] = (*times, f"{time.monotonic()}" if state in "RD" else "")
    return found


def still_there() -> list[tuple[int, str]]:
    """Return the descendants that have not ended, with what each runs."""
    there = [one for one in descendants(os.getpid()) if _state(one)[0] not in ("", "Z", "X")]
    return [(process, command_of(process)) for process in there]


def _state(process: int) -> tuple[str, list[str]]:
    """Return the state of a process and its processor times; "" of one that is gone."""
    with contextlib.suppress(OSError):
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            state, *rest = file.read().rpartition(")")[2].split()
        return state, rest[10:12]
    return "", []


def end_descendants() -> None:
    """End all that this process started, and what that has started, until nothing is left."""
    while True:
        for process in descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
