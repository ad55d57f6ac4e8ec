"""Reads and writes Python files: bytes in, bytes out, with encoding, BOM and mode kept."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# A parsed file takes some hundred times its size in memory; what is larger is data.
MAX_BYTES = 4 * 2**20


class SourceError(Exception):
    """A file cannot be used; the text says why, `line` where (0: nowhere in particular).

    In a notebook, the line is one of `cell`, which counts from 1; where that is 0, of the file.
    """

    def __init__(self, reason: str, line: int = 0, cell: int = 0) -> None:
        super().__init__(reason)
        self.line = line
        self.cell = cell


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a file with what is needed to write it back: line endings are in the text."""

    text: str
    encoding: str
    bom: bool

    def place(self, line: int) -> tuple[int, int]:
        """Return the cell (none: 0) and the line in it of a line of the text."""
        return 0, line

    def encode(self, text: str) -> bytes:
        """Return a new text in the bytes of this file."""
        data = text.encode(self.encoding)
        return codecs.BOM_UTF8 + data if self.bom else data


def matters(data: bytes, tokens: Iterable[bytes]) -> bool:
    """Tell whether bytes hold one of the literal tokens: whether the file can matter at all."""
    return any(token in data for token in tokens)


def decode(data: bytes) -> Source:
    """Decode the bytes of a Python file by its BOM and coding line, UTF-8 without.

    Raises:
        SourceError: too large, an unknown encoding, bytes that are not in the encoding, or that
            it does not give back.
    """
    if len(data) > MAX_BYTES:
        raise SourceError(f"{len(data) / 2**20:.1f} MiB; files above 4 MiB are not parsed")
    bom = data.startswith(codecs.BOM_UTF8)
    body = data.removeprefix(codecs.BOM_UTF8)
    encoding = _encoding(data)
    try:
        text = body.decode(encoding)
        same = encoding == "utf-8" or text.encode(encoding) == body
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise SourceError(f"byte 0x{body[error.start]:02x} is not {encoding}", line) from error
    except (LookupError, UnicodeError) as error:
        raise SourceError(f"cannot be decoded as {encoding}", 1) from error
    if not same:
        raise SourceError(f"decoded as {encoding}, it could not be written back as it was", 1)
    return Source(text, encoding, bom)


def as_text(data: bytes) -> str:
    """Return the text of a file that is not Python, with plain line ends; bad bytes stay visible.

    Raises:
        SourceError: too large, or no text.
    """
    if len(data) > MAX_BYTES:
        raise SourceError(f"{len(data) / 2**20:.1f} MiB; files above 4 MiB are not parsed")
    if b"\0" in data:
        raise SourceError("holds a NUL byte, and is no text")
    text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _encoding(data: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        reason = str(error).partition(" (")[0]
        if "missing" in reason:
            # A line without a coding that is not UTF-8; decoding tells which.
            return "utf-8"
        raise SourceError(reason, 1) from error
    return "utf-8" if encoding == "utf-8-sig" else encoding


def write(path: str, old: bytes, new: bytes) -> None:
    """Replace the contents of a file, atomically, with its mode kept, and its owner if allowed.

    A link is written through to the file that it names.

    Raises:
        SourceError: the file does not hold `old` any more, or cannot be written.
    """
    import tempfile  # noqa: PLC0415 - only where a file is written

    target = Path(path).resolve()
    try:
        if target.read_bytes() != old:
            raise SourceError("changed while it was read; left alone")
        if not os.access(target, os.W_OK):
            raise SourceError("read-only; left alone")
        handle, name = tempfile.mkstemp(prefix=".tfgpu-", dir=target.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(new)
                file.flush()
                os.fsync(file.fileno())
            before = target.stat()
            if hasattr(os, "chown"):
                with contextlib.suppress(PermissionError):
                    os.chown(temporary, before.st_uid, before.st_gid)
            temporary.chmod(before.st_mode)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise SourceError(error.strerror or str(error)) from error
