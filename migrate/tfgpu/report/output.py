"""Output of reports: to standard output, or atomically to a file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tfgpu.files.files import target_of
from tfgpu.files.pyfile import SourceError


@contextmanager
def replaced(path: str) -> Iterator[TextIO]:
    """Give a text file to write to, which takes the place of `path` when all went well.

    What is no regular file, a pipe or a device, is written to as it is.

    Raises:
        OSError: the file cannot be written, or is a link out of its folder.
    """
    import tempfile  # noqa: PLC0415 - costs 0.02 s, and few runs write a file

    named = Path(path)
    if named.exists() and not named.is_file():
        with named.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            yield file
        return
    target = _target(named)
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


def _target(named: Path) -> Path:
    here = Path(os.path.abspath(named))  # noqa: PTH100 - links stay
    if here.is_relative_to(Path.cwd()):
        # A link below the current folder may come with the repository that the report is about.
        try:
            named = target_of(named)
        except SourceError as error:
            raise OSError(str(error)) from error
    return named.resolve()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
