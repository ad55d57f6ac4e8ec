"""Logical lines: what a backslash at the end of a line joins."""

from __future__ import annotations

from collections.abc import Iterator

from tfgpu.dataclass import dataclass
from tfgpu.environment.model import Span
from tfgpu.place import row_and_column


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """Lines that belong together, as they stand in the file; `number` is the first, from 1."""

    number: int
    text: str

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column in the file, both from 1, of a character."""
        row, column = row_and_column(self.text, offset)
        return self.number + row, column + 1

    def span(self, start: int, end: int) -> Span:
        """Return the place in the file of the characters from one to another."""
        return Span(*self.place(start), *self.place(end))


def logical_lines(text: str, mark: str = "\\", comments: bool = False) -> Iterator[LogicalLine]:
    """Yield the logical lines of a text.

    With `comments`, lines between joined ones that are comments, or empty, do not end them; they
    become nothing but the mark.
    """
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        first, joined = index, [lines[index]]
        if not (comments and lines[index].lstrip().startswith("#")):
            while lines[index].rstrip(" \t" if comments else "").endswith(mark):
                index += 1
                if index == len(lines):
                    break
                is_comment = lines[index].lstrip().startswith("#") or not lines[index].strip()
                joined.append(lines[index])
                while comments and is_comment and index + 1 < len(lines):
                    joined[-1] = mark
                    index += 1
                    is_comment = lines[index].lstrip().startswith("#") or not lines[index].strip()
                    joined.append(lines[index])
        yield LogicalLine(first + 1, "\n".join(joined))
        index += 1
