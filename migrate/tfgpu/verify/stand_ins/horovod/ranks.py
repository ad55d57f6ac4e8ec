"""The rank of this process, from the variables that Horovod's own launcher sets."""

from __future__ import annotations

import os


def _number(name: str) -> int:
    return int(os.environ[name])


def rank() -> int:
    """Return the rank among all processes."""
    return _number("HOROVOD_RANK")


def local_rank() -> int:
    """Return the rank on this host."""
    return _number("HOROVOD_LOCAL_RANK")


def size() -> int:
    """Return the number of processes."""
    return _number("HOROVOD_SIZE")


def local_size() -> int:
    """Return the number of processes on this host."""
    return _number("HOROVOD_LOCAL_SIZE")


def cross_rank() -> int:
    """Return the number of this host."""
    return rank() // local_size()


def cross_size() -> int:
    """Return the number of hosts."""
    return size() // local_size()
