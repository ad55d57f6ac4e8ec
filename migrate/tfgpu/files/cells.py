"""Where the lines of a module come from, if its text was put together from cells."""

from __future__ import annotations

from bisect import bisect_right

from tfgpu.dataclass import dataclass

# The function that stands in a cell for `%env NAME=value`, of a name that is not said.
WRITES_VARIABLE = "IPython_env"


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a module in order: their first lines, and their numbers; both count from 1.

    A module that is one file has none.
    """

    starts: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()

    def place(self, line: int) -> tuple[int, int]:
        """Return the cell (none: 0) and the line in it of a line of the text; 0 is no line.

        A line between two cells counts as one after the first.
        """
        at = bisect_right(self.starts, line) - 1
        return (0, line) if at < 0 else (self.numbers[at], line - self.starts[at] + 1)

    def words(self, line: int) -> str:
        """Return a line as messages name it after the word "line": `3`, or `3 of cell 2`."""
        cell, inside = self.place(line)
        return f"{inside} of cell {cell}" if cell else str(line)


NO_CELLS = Cells()
