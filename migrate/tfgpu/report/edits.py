"""The new text of a file as replacements of lines."""

from __future__ import annotations

import difflib
import io

from tfgpu.dataclass import dataclass
from tfgpu.files.kinds import Kind, kind_of
from tfgpu.results import Result


@dataclass(frozen=True, slots=True)
class Edit:
    """Lines from `line` (from 1) up to, not including, a place: another text stands there."""

    line: int
    end_line: int
    end_column: int
    text: str


def replacements(result: Result) -> list[Edit]:
    """Return the edits that make the new file from the old, by the lines of the file itself.

    None where the file does not change, or not without others, or nobody asked for its new text.
    """
    if result.new_text is None or result.source is None:
        return []
    if kind_of(result.path) is Kind.NOTEBOOK:
        assert result.new is not None
        return edits_between(result.old.decode("utf-8"), result.new.decode("utf-8"))
    return edits_between(result.source.text, result.new_text)


def edits_between(before: str, after: str) -> list[Edit]:
    """Return the edits that make one text of another."""
    # A StringIO breaks lines at line feeds only.
    old, new = list(io.StringIO(before)), list(io.StringIO(after))
    found = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, start, end, first, last in matcher.get_opcodes():
        if tag != "equal":
            end_line, end_column = end + 1, 1
            if end == len(old) and old and not old[-1].endswith("\n"):
                end_line, end_column = end, len(old[-1]) + 1
            found.append(Edit(start + 1, end_line, end_column, "".join(new[first:last])))
    return found
