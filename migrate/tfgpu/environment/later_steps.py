"""What a step of a GitHub workflow sets for those behind it: lines in the file `$GITHUB_ENV`."""

from __future__ import annotations

from collections.abc import Iterator

from tfgpu.environment.model import LIKE_NAME, Setting, Way
from tfgpu.environment.piece import Piece
from tfgpu.files.pattern import expression
from tfgpu.flow.strings import HOLE

# `$GITHUB_ENV`, `"${GITHUB_ENV}"`; `$env:GITHUB_ENV` of PowerShell.
IS_FILE = expression(r"[\"']?(?:\$\{?(?:env:)?|%)GITHUB_ENV[}%]?[\"']?")
# `printf` makes a line of each `\\n`.
_LINE = expression(rf"(?:^[ \t]*|\\n)({LIKE_NAME.pattern})=((?:(?!\\n).)*)")
# What a shell fills in, or `printf`.
_UNKNOWN = expression(rf"\$[\w{{(]|`|%[sd]|{HOLE}")


def later_settings(piece: Piece) -> Iterator[Setting]:
    """Yield the variables of lines `NAME=value`; quotes are a part of the value there."""
    for row, line in enumerate(piece.text.split("\n")):
        for found in _LINE.finditer(line):
            span = piece.span((row, found.start(1)), (row, found.end()))
            known = None if _UNKNOWN.search(found[2]) else found[2]
            yield Setting(found[1], known, found[2], span, Way.EXPORTED, block=f"{piece.block}@")
