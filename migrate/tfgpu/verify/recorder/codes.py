"""Keeps the code that was run: TensorFlow's operations point at it and hold no reference to it.

`operation.traceback` reads the file and the line of each frame from its code object. That of a
module, or of what `exec` got, is freed when it has run; reading it then is a crash.
"""

from __future__ import annotations

import sys
from typing import Any

# A program that calls `eval` in a loop needs no more memory than this.
_MOST = 100_000

_kept: list[Any] = []


def keep_codes() -> None:
    """Keep all code that is run from now on, where Python tells of it (3.8)."""
    if hasattr(sys, "addaudithook"):
        sys.addaudithook(_keep)


def _keep(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "exec" and len(_kept) < _MOST:
        _kept.append(arguments[0])
