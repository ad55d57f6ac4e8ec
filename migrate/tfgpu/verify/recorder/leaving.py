"""Runs what a program leaves for its end (`atexit`) while it is still being watched."""

from __future__ import annotations

import atexit
import sys
import traceback
from collections.abc import Callable
from typing import Any

from .alias import is_own


class Leaving:
    """What the program's own code registers; that of libraries is left to Python."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._left: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []
        self._register, self._unregister = atexit.register, atexit.unregister
        atexit.register = self._registered  # type: ignore[assignment]
        atexit.unregister = self._taken_back

    def _registered(self, function: Any, *args: Any, **given: Any) -> Any:
        if not is_own(sys._getframe(1).f_code.co_filename, self._root):
            return self._register(function, *args, **given)
        self._left.append((function, args, given))
        return function

    def _taken_back(self, function: Any) -> None:
        self._left[:] = [one for one in self._left if one[0] != function]
        self._unregister(function)

    def run(self, errors: Any) -> None:
        """Run it, what came last first; errors are printed and change no exit status."""
        while self._left:
            function, args, given = self._left.pop()
            try:
                function(*args, **given)
            except SystemExit:
                continue
            except BaseException as error:
                traceback.print_exc()
                errors.note("in atexit", error)
