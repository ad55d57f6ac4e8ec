"""From the bytes of any file that holds Python to a module to analyse, and back."""

from __future__ import annotations

from typing import Protocol

from migrate.source.pyfile import decode


class Module(Protocol):
    """The Python text of a file, with what is needed to write it back."""

    @property
    def text(self) -> str:
        """The text to analyse and rewrite."""

    @property
    def bom(self) -> bool:
        """Whether the file begins with a byte order mark."""

    def place(self, line: int) -> tuple[int, int]:
        """Return the cell (none: 0) and the line in it of a line of the text."""

    def encode(self, text: str) -> bytes:
        """Return the bytes of the file with a new text."""


def read(path: str, data: bytes) -> Module:
    """Return the module that a file holds; what it is, its name says.

    Raises:
        SourceError: the bytes are no such file.
    """
    del path
    return decode(data)
