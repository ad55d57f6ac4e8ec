"""Commands that a process starts, as they are given: what other programs do shows in no record."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .alias import is_own
from .importing import see_module
from .observer import Observer

# What decides on the libraries that a program loads.
_OF_LOADER = ("LD_LIBRARY_PATH", "LD_PRELOAD")
# What starts commands for whoever calls it.
_STARTERS = re.compile(r"/(subprocess|os|pty)\.py$|^<frozen os>|/asyncio/\w+\.py$")
_HERE = os.path.dirname(os.path.abspath(__file__))


class Commands:
    """Notes the words of commands, and what is changed for them in the environment."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._first = dict(os.environ)
        self._numbers: dict[int, int] = {}  # of commands, by their processes
        self._count = 0
        see_module("subprocess", self._watch_ends)

    def _watch_ends(self, subprocess: Any) -> None:
        commands, handle = self, subprocess.Popen._handle_exitstatus

        def _handle_exitstatus(self: Any, *arguments: Any, **options: Any) -> None:
            handle(self, *arguments, **options)
            commands.ended(commands._numbers.pop(self.pid, 0), self.returncode)

        subprocess.Popen._handle_exitstatus = _handle_exitstatus

    def has_process(self, number: int, process: int) -> None:
        """Remember which process a command has become."""
        self._numbers[process] = number

    def ended(self, number: int, status: int) -> None:
        """Note the status of a command that failed by itself; 0 and below are of others."""
        if number and status > 0:
            process = os.getpid()
            self._observer.stream.write("command ended", of=[process, number], status=status)

    def note(self, order: Sequence[int], words: Any, around: Mapping[str, str] | None) -> int:
        """Note a command, `around` is an environment of its own; return its number.

        `order` tells which of the processes it is that the first threads start, ending in 0 for
        those of others.
        """
        self._count += 1
        given = os.environ if around is None else around
        loader = _differing(self._first, given, _OF_LOADER)
        other = [] if around is None else _differing(os.environ, given, {*os.environ, *given})
        self._observer.stream.write(
            "command",
            of=[os.getpid(), self._count],
            order=list(order),
            words=self._shortened(words),
            own=self._is_own(),
            loader=loader,
            environment=[one for one in other if one not in loader],
        )
        return self._count

    def _is_own(self) -> bool:
        """Tell whether the program's own code starts what is started now, not a library."""
        frame: Any = sys._getframe(1)
        while frame is not None:
            name = frame.f_code.co_filename
            if not (_STARTERS.search(name) or os.path.dirname(name) == _HERE):
                return is_own(name, self._observer.root)
            frame = frame.f_back
        return False

    def _shortened(self, words: Any) -> str:
        """Return the words with paths from the program's folder."""
        is_one = isinstance(words, (str, bytes, os.PathLike))
        text = " ".join(os.fsdecode(word) for word in ([words] if is_one else words))
        job = self._observer.job
        for folder in (os.path.dirname(job["script"]), job["root"]):
            text = text.replace(folder + os.sep, "")
        return text.replace(sys.executable, "python")


def _differing(one: Mapping[str, str], other: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """Return `NAME=value`, or `NAME unset`, of variables that have another value in the second."""
    return [
        f"{name}={other[name]}" if name in other else f"{name} unset"
        for name in sorted(names)
        if one.get(name) != other.get(name)
    ]
