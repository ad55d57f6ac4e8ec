"""How a place in a file is written, in every report alike."""

from __future__ import annotations


def place(path: str, line: int = 0, column: int = 0, cell: int = 0) -> str:
    """Return `path:line:column`, in a notebook `path:cell 3:line:column`; what is 0 is left out.

    Cells count from 1, all of them, as editors count them: text cells too.
    """
    parts = [path]
    if cell:
        parts.append(f"cell {cell}")
    if line:
        parts.append(str(line))
        if column:
            parts.append(str(column))
    return ":".join(parts)
