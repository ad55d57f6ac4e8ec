"""Which functions run, in which threads."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Hashable, Iterator

# Ends the title of a function that another thread than the first calls first, but for its number.
OF_A_THREAD = " of a thread"
_PATIENCE = 10  # seconds


def is_of_program() -> bool:
    """Tell whether this thread is one that the program has made, or its first."""
    thread = threading._active.get(threading.get_ident())  # type: ignore[attr-defined]
    return thread is not None and not isinstance(thread, threading._DummyThread)


class Running:
    """The functions that run: those of this thread. A thread of TensorFlow works for any."""

    def __init__(self) -> None:
        self._any: list[str] = []
        self._own = threading.local()
        self._turn = threading.RLock()
        self._known: set[Hashable] = set()

    def titles(self) -> list[str]:
        """Return the functions that run here, the innermost one last."""
        if not is_of_program():
            return self._any
        if not hasattr(self._own, "titles"):
            self._own.titles = []
        titles: list[str] = self._own.titles
        return titles

    @contextlib.contextmanager
    def inside(self, title: str) -> Iterator[None]:
        """Note that a function runs in this thread."""
        lists = [self._any, self.titles()]
        for one in lists:
            one.append(title)
        try:
            yield
        finally:
            for one in lists:
                one.pop()

    @contextlib.contextmanager
    def in_turn(self, key: Hashable) -> Iterator[None]:
        """Let what makes graphs run alone: TensorFlow does not tell whose they are.

        Threads may wait for each other in their functions, so a turn is not waited for endlessly.
        """
        mine = key not in self._known and self._turn.acquire(timeout=_PATIENCE)
        try:
            yield
        finally:
            self._known.add(key)
            if mine:
                self._turn.release()

    @contextlib.contextmanager
    def taking(self) -> Iterator[bool]:
        """Tell whether the graphs made so far are this thread's, while it takes them.

        They are another's whose turn it is: what ran before made its own then.
        """
        mine = self._turn.acquire(blocking=False)
        try:
            yield mine
        finally:
            if mine:
                self._turn.release()
