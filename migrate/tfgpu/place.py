"""How places in files, and text from outside, are written, in every report alike."""

from __future__ import annotations


def place(path: str, line: int = 0, column: int = 0, cell: int = 0) -> str:
    """Return `path:line:column`, in a notebook `path:cell 3:line:column`; what is 0 is left out.

    This is the one way to put a place into words. Cells count from 1, all of them, as editors count
    them: text cells too.
    """
    # A line that begins with two colons is a command to GitHub Actions.
    parts = [f"./{path}" if path.lstrip().startswith("::") else path]
    if cell:
        parts.append(f"cell {cell}")
    if line:
        parts.append(str(line))
        if column:
            parts.append(str(column))
    return ":".join(parts)


def row_and_column(text: str, at: int) -> tuple[int, int]:
    """Return where a character of a text stands, both from 0."""
    return text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)


def in_cell(cell: int, line: int, column: int = 0) -> str:
    """Return what goes before a message where its place is in a notebook: `cell 3:line:column: `.

    Formats for files only know a line, and the lines of a cell are not those of the file.
    """
    return f"{place('', line, column, cell)[1:]}: " if cell else ""


def printable(text: str, keep: str = "") -> str:
    """Escape what would break a line or steer a terminal or a page; a name may hold anything.

    `keep` are characters that stay although they do not print, such as line feeds.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep else repr(char)[1:-1] for char in text
    )
