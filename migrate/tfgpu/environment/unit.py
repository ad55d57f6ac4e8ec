"""Reads systemd units: `Environment=`, and the commands of `ExecStart=` and its kin."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from tfgpu.environment.lines import logical_lines
from tfgpu.environment.model import LIKE_NAME, Item, Setting, Span, Way
from tfgpu.environment.piece import lines_of
from tfgpu.environment.shell import read_shell

_KEY = re.compile(r"[ \t]*(\w+)[ \t]*=[ \t]*", re.ASCII)
_PAIR = re.compile(f"({LIKE_NAME.pattern})=(.*)", re.DOTALL)
_PREFIX = re.compile(r"[-@:+!|]*")


def read_unit(text: str, names: frozenset[str]) -> list[Item]:
    """Return what a unit sets for its processes."""
    return list(_items(text, names))


def _items(text: str, names: frozenset[str]) -> Iterator[Item]:
    for line in logical_lines(text, comments=True):
        found = _KEY.match(line.text)
        if found is None or line.text.lstrip().startswith((";", "#")):
            continue
        if found[1] == "Environment":
            yield from _pairs(line.text[found.end() :], line.number, found.end(), line.text)
        elif found[1].startswith("Exec"):
            prefix = _PREFIX.match(line.text, found.end())
            start = prefix.end() if prefix is not None else found.end()
            body = " " * start + line.text[start:]
            block = f"exec {line.number}"
            yield from read_shell(lines_of(body, line.number, block), names)


def _pairs(body: str, number: int, start: int, line: str) -> Iterator[Setting]:
    try:
        words = shlex.split(body.replace("\\\n", " "))
    except ValueError:
        return
    for word in words:
        found = _PAIR.fullmatch(word)
        if found is None:
            continue
        offset = line.find(f"{found[1]}=", start)
        row = line.count("\n", 0, offset)
        column = offset - (line.rfind("\n", 0, offset) + 1) + 1
        span = Span(number + row, column, number + row, column + len(word))
        known = None if "%" in found[2] else found[2]
        yield Setting(found[1], known, found[2], span, Way.COMMAND, None, "unit")
