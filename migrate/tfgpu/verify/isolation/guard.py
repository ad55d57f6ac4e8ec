"""Landlock around a leg: it reads everything that its user can read, and writes in its own folders.

Without namespaces this is what keeps a leg from the user's files: the kernel refuses to open
anything else for writing, to create, remove, rename or cut it. Modes and times are not covered by
Landlock; they are compared afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from tfgpu.verify.isolation import system

# The version that knows of truncating; before it, a file could be cut without being opened.
NEEDED = 3

_WRITE_FILE = 1 << 1
_DEVICE_RIGHTS = _WRITE_FILE | 1 << 14
# Write, remove a folder or file, make anything, move between folders, truncate.
_RIGHTS = _WRITE_FILE | sum(1 << bit for bit in range(4, 15))

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "dri")


def guard(writable: Iterable[str]) -> None:
    """Take from this process, and all that it starts, the right to write anywhere else.

    Raises:
        OSError: the kernel has no Landlock that is new enough.
    """
    if system.landlock_version() < NEEDED:
        raise OSError(0, f"the kernel has no Landlock of version {NEEDED}")
    allowed = dict.fromkeys(writable, _RIGHTS)
    for name in sorted(os.listdir("/dev")):
        if name in _DEVICES or name.startswith("nvidia"):
            allowed[f"/dev/{name}"] = _DEVICE_RIGHTS
    allowed["/proc"] = _DEVICE_RIGHTS
    system.landlock(_RIGHTS, allowed)
