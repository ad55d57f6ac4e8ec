"""Logical lines: what a backslash at the end of a line joins."""

from __future__ import annotations

from collections.abc import Iterator

from tfgpu.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """Lines that belong together, as they stand in the file; `number` is the first, from 1."""

    number: int
    text: str

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column in the file, both from 1, of a character."""
        before = self.text[:offset]
        return self.number + before.count("\n"), offset - (before.rfind("\n") + 1) + 1


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
