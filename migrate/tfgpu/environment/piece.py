"""Text that is read by itself and is in a file: a script in YAML, a recipe, lines that are one."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from tfgpu.dataclass import dataclass
from tfgpu.environment.model import Span
from tfgpu.flow.strings import HOLE
from tfgpu.place import row_and_column


@dataclass(frozen=True, slots=True)
class Piece:
    """A text, and where its lines start in the file: line and column, both from 1.

    A piece that is not `exact` was unescaped: everything in it is said to stand where it starts.
    `ends` tells of shell that it is run by a process of its own, which ends with it.
    """

    text: str
    starts: tuple[tuple[int, int], ...]
    exact: bool = True
    block: str = ""
    ends: bool = False

    def span(self, start: tuple[int, int], end: tuple[int, int]) -> Span:
        """Return the place of a part that is given by lines and columns from 0."""
        line, column = self._at(*start)
        end_line, end_column = self._at(*end)
        return Span(line, column, end_line, end_column)

    def _at(self, line: int, column: int) -> tuple[int, int]:
        if not self.exact:
            return self.starts[0]
        start = self.starts[min(line, len(self.starts) - 1)]
        return start[0], start[1] + column

    def part(self, start: tuple[int, int], text: str) -> Piece:
        """Return a part of the text as a piece, its lines in full but for the first."""
        count = text.count("\n")
        first = self._at(*start)
        rest = self.starts[start[0] + 1 : start[0] + 1 + count]
        exact = self.exact and len(rest) == count
        return Piece(text, (first, *rest), exact, self.block)


def joined(words: Sequence[Piece], block: str) -> Piece:
    """Return the words of a command as shell, each on lines of its own, at its own place."""
    texts: list[str] = []
    starts: list[tuple[int, int]] = []
    for word in words:
        is_plain = shlex.quote(word.text.replace(HOLE, "_")) == word.text.replace(HOLE, "_")
        text = word.text if is_plain else shlex.quote(word.text)
        (line, column), *others = word.starts
        rows = [(line, column - (text != word.text)), *others]
        count = text.count("\n") + 1
        starts += (rows + rows[-1:] * count)[:count]
        texts.append(text)
    return Piece(" \\\n".join(texts), tuple(starts), block=block)


def whole(text: str) -> Piece:
    """Return the text of a whole file as a piece."""
    return lines_of(text, 1)


def lines_of(text: str, first: int, block: str = "") -> Piece:
    """Return whole lines of a file as a piece, from line `first` on."""
    return Piece(text, tuple((first + n, 1) for n in range(text.count("\n") + 1)), block=block)


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
