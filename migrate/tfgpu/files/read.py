"""From the bytes of any file that holds Python to a module to analyse, and back."""

from __future__ import annotations

from typing import Protocol

from tfgpu.files.cells import Cells
from tfgpu.files.kinds import Kind, kind_of
from tfgpu.files.pyfile import SourceError, decode


class Module(Protocol):
    """The Python text of a file, with what is needed to write it back."""

    @property
    def text(self) -> str:
        """The text to analyse and rewrite."""

    @property
    def encoding(self) -> str:
        """The encoding of the file."""

    @property
    def cells(self) -> Cells:
        """The cells that the text was put together from, none in a plain file."""

    def seen(self, line: int, column: int) -> tuple[str, int] | None:
        """Return a line as the file has it, with a column of the text in it, 1 if not known.

        None where the line is in the file as in the text.
        """

    def shown(self, text: str) -> str:
        """Return what the file says with a new text.

        Raises:
            SourceError: the new text cannot be put into the file.
        """

    def encode(self, text: str) -> bytes:
        """Return the bytes of the file with a new text.

        Raises:
            SourceError: the new text cannot be put into the file.
        """


def read(path: str, data: bytes) -> Module:
    """Return the module that a file holds; what it is, its name says.

    Raises:
        SourceError: the bytes are no such file.
    """
    if kind_of(path) is Kind.NOTEBOOK:
        from tfgpu.files.notebook import read_notebook  # noqa: PLC0415 - most files are none

        return read_notebook(data)
    return decode(data)


def code_of(path: str, data: bytes) -> bytes:
    """Return the code in a file, for a look without parsing it; none where it cannot be read."""
    try:
        return read(path, data).text.encode()
    except SourceError:
        return b""
