"""How often Python looks for objects that refer to each other and that nobody else has any more."""

from __future__ import annotations

import gc

_NEW_OBJECTS = 1_000_000


def collect_seldom() -> None:
    """Let this process look for garbage less often than it would.

    Syntax trees are many objects that are all kept: by default a third of the time goes into
    looking through them, for nothing.
    """
    gc.set_threshold(_NEW_OBJECTS, 20, 50)
