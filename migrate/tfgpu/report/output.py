"""Where a report goes: standard output, or a file that is there whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def replaced(path: str) -> Iterator[TextIO]:
    """Give a text file to write to, which takes the place of `path` when all went well.

    What is no regular file, a pipe or a device, is written to as it is.

    Raises:
        OSError: the file cannot be written.
    """
    import tempfile  # noqa: PLC0415 - costs 0.02 s, and few runs write a file

    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            yield file
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=".tfgpu-", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(
            handle, "w", encoding="utf-8", errors="backslashreplace", newline=""
        ) as file:
            yield file
        with contextlib.suppress(OSError):  # file systems without modes
            temporary.chmod(mode)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
