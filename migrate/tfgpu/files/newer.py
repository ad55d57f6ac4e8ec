"""Syntax that this Python cannot parse, and a newer one may."""

from __future__ import annotations

import re
import sys

from tfgpu.files.pattern import expression

# By the version that has it: the message of the parser, and the line.
_SYNTAX = tuple(
    (version, expression(pattern, re.MULTILINE))
    for version, pattern in (
        ((3, 11), r"^[ \t]*except[ \t]*\*"),
        (
            (3, 12),
            r"^[ \t]*(?:type[ \t]+\w+[ \t]*[\[=]|(?:(?:async[ \t]+)?def|class)[ \t]+\w+[ \t]*\[)"
            r"|\Af-string|\Aunterminated string.*\n.*\b(?:[fF][rR]?|[rR][fF])['\"].*\{",
        ),
        (
            (3, 14),
            r"\Amultiple exception types|(?<![\w'\"])(?:[tT][rR]?|[rR][tT])['\"]",
        ),
        ((3, 15), r"\A.*unpacking cannot be used in|^[ \t]*lazy[ \t]+(?:import|from)\b"),
    )
)


def newer_python(error: SyntaxError) -> str:
    """Return the version of Python to which what this one cannot parse may belong, or nothing."""
    told = f"{error.msg}\n{error.text or ''}"
    for version, pattern in _SYNTAX:
        if sys.version_info < version and pattern.search(told):
            return "{}.{}".format(*version)
    return ""
