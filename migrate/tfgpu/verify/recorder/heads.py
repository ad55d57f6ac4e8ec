"""What a statement still runs once it was reached, until its session is made.

`with tf.Session(graph=prepare(), config=config)` calls `prepare` first, and `train(config)` runs
what stands in front of the session in its function.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from types import CodeType
from typing import Any

from .alias import is_own


class Head:
    """The head of a statement: what runs before its block, or all of one that has none.

    A thread is in it from where the statement is reached until `leave` is called, as long as that
    statement, or what it calls, runs there. `sessions` are the lines of the calls that make the
    session which the statement is about, where other functions do that.
    """

    def __init__(self, place: str, sessions: list[dict[str, Any]], observer: Any) -> None:
        path, _, line = place.rpartition(":")
        self._path, self._line = os.path.realpath(path), int(line)
        self._sessions = [
            (os.path.realpath(one["place"].rpartition(":")[0]), one["first"], one["last"])
            for one in sessions
        ]
        self._observer = observer
        # No frames, which would keep what is in them alive.
        self._entered: dict[int, CodeType] = {}

    def enter(self, frame: Any) -> None:
        """Begin in this thread; the statement is reached in the frame."""
        self._entered[threading.get_ident()] = frame.f_code

    def leave(self) -> None:
        """End in this thread, since what the statement was watched for is done."""
        self._entered.pop(threading.get_ident(), None)

    def runs(self) -> bool:
        """Tell whether a thread is in it."""
        if not self._entered:
            return False
        frames = sys._current_frames()
        return any(
            self._is_in(each, code)
            for thread, code in list(self._entered.items())
            for each in _stack(frames.get(thread))
        )

    def makes(self) -> bool:
        """Tell whether the session that this thread has just made is one of the statement.

        What a function makes that is called on the way is another one, unless it is listed.
        """
        code = self._entered.get(threading.get_ident())
        if code is None:
            return False
        own = [one for one in _stack(sys._getframe(1)) if self._is_own(one)]
        if not any(self._is_in(one, code) for one in own):
            return False
        return self._is_in(own[0], code) or self._is_listed(own[0])

    def _is_in(self, frame: Any, code: CodeType) -> bool:
        last = self._observer.marks.last_line(self._path, self._line)
        return frame.f_code is code and self._line <= (frame.f_lineno or 0) <= last

    def _is_own(self, frame: Any) -> bool:
        return is_own(frame.f_code.co_filename, self._observer.root)

    def _is_listed(self, frame: Any) -> bool:
        path = os.path.realpath(frame.f_code.co_filename)
        line = frame.f_lineno or 0
        return any(of == path and first <= line <= last for of, first, last in self._sessions)


def _stack(frame: Any) -> Iterator[Any]:
    """Yield a frame and those that called it."""
    while frame is not None:
        yield frame
        frame = frame.f_back
