"""Work that a fork of this process does meanwhile, where starting a pool would take longer."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from tfgpu.pickled import Unpickler, UnpicklingError, dumps

_Found = TypeVar("_Found")


def can_fork() -> bool:
    """Tell whether processes can be copied, which they cannot on Windows."""
    return hasattr(os, "fork")


@contextmanager
def forked(work: Callable[[], _Found]) -> Iterator[Callable[[], _Found | None]]:
    """Let a copy of this process do some work; what is yielded waits for the result.

    That is None where the copy came to its end before.
    """
    reads, writes = os.pipe()
    process = os.fork()
    if not process:
        _send(work, reads, writes)
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:

        def result() -> _Found | None:
            data = pipe.read()
            os.waitpid(process, 0)
            # Nobody else writes to the pipe: what it holds is whole, or has no end.
            with suppress(EOFError, UnpicklingError):
                found: _Found = Unpickler(io.BytesIO(data)).load()
                return found
            return None

        yield result


def _send(work: Callable[[], object], reads: int, writes: int) -> None:
    """Do work, write its result to a pipe, and end this process."""
    # Nothing of the process that was copied may go on here, whatever happens.
    try:
        import signal  # noqa: PLC0415 - few need it

        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.close(reads)
        data = dumps(work())
        with os.fdopen(writes, "wb") as pipe:
            pipe.write(data)
    finally:
        os._exit(0)
