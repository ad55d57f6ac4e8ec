"""Python files as text: bytes in, bytes out, with encoding, BOM and line endings kept."""

from __future__ import annotations

import codecs
import io
import tokenize

from tfgpu.dataclass import dataclass
from tfgpu.files.cells import NO_CELLS, Cells
from tfgpu.files.pattern import expression

_CODING = expression(rb"coding[:=][ \t]*([-\w.]+)")
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

    @property
    def cells(self) -> Cells:
        """No cells: the file is one text."""
        return NO_CELLS

    def seen(self, line: int, column: int) -> None:
        """Return nothing: every line is in the file as in the text."""

    def shown(self, text: str) -> str:
        """Return what the file says with a new text: that text."""
        return text

    def encode(self, text: str) -> bytes:
        """Return a new text in the bytes of this file."""
        data = text.encode(self.encoding)
        return codecs.BOM_UTF8 + data if self.bom else data


def decode(data: bytes) -> Source:
    """Decode the bytes of a Python file by its BOM and coding line, UTF-8 without.

    Raises:
        SourceError: too large, an unknown encoding, bytes that are not in the encoding, or that
            it does not give back.
    """
    if len(data) > MAX_BYTES:
        raise SourceError(f"{len(data) / 2**20:.1f} MiB; files above 4 MiB are not parsed")
    if as_utf8(data) is not data:
        raise SourceError("UTF-16, which Python does not read: save it as UTF-8", 1)
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


# Where the first two letters of a text without a mark have their zeros.
_BARE = {b"\0\1\0\1": "utf-16-le", b"\1\0\1\0": "utf-16-be"}


def as_utf8(data: bytes) -> bytes:
    """Return the bytes of a text as UTF-8 where they are UTF-16, as Windows writes; else as is."""
    encoding = _BARE.get(bytes(byte == 0 for byte in data[:4]))
    if encoding is None and data[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return data
    return data.decode(encoding or "utf-16", "replace").encode("utf-8", "replace")


def as_text(data: bytes) -> str:
    """Return the text of a file that is not Python, with plain line ends; bad bytes stay visible.

    Raises:
        SourceError: too large, or no text.
    """
    if len(data) > MAX_BYTES:
        raise SourceError(f"{len(data) / 2**20:.1f} MiB; files above 4 MiB are not parsed")
    data = as_utf8(data)
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
        named = _CODING.search(data)
        if named and data.startswith(codecs.BOM_UTF8) and "problem" in reason:
            coding = named[1].decode()
            reason = f"the byte order mark says UTF-8, the coding line {coding}: take one away"
            raise SourceError(reason, data.count(b"\n", 0, named.start(1)) + 1) from error
        raise SourceError(reason, 1) from error
    return "utf-8" if encoding == "utf-8-sig" else encoding
