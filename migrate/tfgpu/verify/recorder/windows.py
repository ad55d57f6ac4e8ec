"""What must not happen in front of a session, or between two places, and whether it did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .heads import Head

_NO_SESSION = "no-session-before"


class Window:
    """What one assumption says must not have happened when its last statement makes its session.

    `read` returns what counts, `begun` what it was where the window begins, None where a place that
    is not reached yet begins it. `tell` is told that it held, or "" and what happened. With
    `head` None, the window ends where the statement is reached.
    """

    def __init__(
        self,
        kind: str,
        head: Head | None,
        read: Callable[[], Any],
        words: Callable[[Any, Any], str],
        tell: Callable[[bool, str], None],
        begun: Any = None,
    ) -> None:
        self._kind = kind
        self._head = head
        self._read = read
        self._words = words
        self._tell = tell
        self._begun = begun
        self._is_reached = False

    def begin(self, frame: Any) -> None:
        """Let the window begin."""
        self._begun = self._read()

    def reach(self, frame: Any) -> None:
        """Look at what happened before the last statement, and go on in what it runs first."""
        self.settle()
        self._is_reached = True
        if self._head is not None:
            self._head.enter(frame)
        self._check()
        self.settle()

    def happened(self) -> None:
        """Look at what happened just now."""
        if self._head is not None and self._head.runs():
            self._check()

    def made(self, session: Any) -> None:
        """Look at a session that was made just now: it may end the window."""
        if self._head is None:
            return
        is_own = self._head.makes()
        if self._kind == _NO_SESSION:  # its own has a config, what it takes may make others
            is_own = is_own and session._tfgpu_has_config
        if not is_own or self._kind != _NO_SESSION:
            self.happened()
        if is_own:
            self._head.leave()
            self.settle()

    def settle(self) -> None:
        """Tell that it held, where the last statement has done what it was watched for."""
        is_over = self._head is None or not self._head.runs()
        if self._is_reached and self._begun is not None and is_over:
            self._tell(True, "")

    def _check(self) -> None:
        now = self._read()
        if self._begun is not None and self._begun != now:
            self._tell(False, self._words(self._begun, now))
