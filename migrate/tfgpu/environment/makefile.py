"""Reads Makefiles: variables and whether they are exported, and the shell of recipes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfgpu.dataclass import replace
from tfgpu.environment.model import LIKE_NAME, Item, Setting, Way
from tfgpu.environment.piece import LogicalLine, lines_of, logical_lines
from tfgpu.environment.shell import read_shell

_ASSIGNMENT = re.compile(
    r"(?P<target>[^\s:=#][^:=#]*:(?!:?=)[ \t]*)?"
    r"(?P<words>(?:\s*(?:export|override|private)\b)*)\s*"
    rf"(?P<name>{LIKE_NAME.pattern})[ \t]*(?P<sign>\?=|\+=|!=|:{{0,3}}=)[ \t]*(?P<value>.*)",
    re.DOTALL,
)
_EXPORT = re.compile(r"\s*export\b(?P<names>[^=]*)$")
_RULE = re.compile(r"[^\s#=][^=#]*:")
_COMMENT = re.compile(r"(?<!\\)#.*", re.DOTALL)
_PREFIX = re.compile(r"\s*[@+-]*")


def read_makefile(text: str, names: frozenset[str]) -> list[Item]:
    """Return what a Makefile sets, and what its recipes set."""
    reader = _Reader(text, names)
    items = list(reader.items())
    return [reader.settled(item) for item in items]


class _Reader:
    def __init__(self, text: str, names: frozenset[str]) -> None:
        self._text = text
        self._names = names
        self._exported: set[str] = set()
        self._all_exported = False

    def items(self) -> Iterator[Item]:
        in_rule = False
        for line in logical_lines(self._text):
            assignment = _ASSIGNMENT.match(line.text)
            if in_rule and line.text.startswith("\t"):
                yield from self._recipe(line)
            elif assignment is not None:
                in_rule = in_rule or assignment["target"] is not None
                yield from self._assignment(line, assignment)
            elif (export := _EXPORT.match(_COMMENT.sub("", line.text))) is not None:
                self._all_exported |= not export["names"].strip()
                self._exported.update(export["names"].split())
            elif _RULE.match(line.text):
                in_rule = True
            elif line.text.startswith("define "):
                # What recipes are made from, mostly.
                in_rule = True

    def settled(self, item: Item) -> Item:
        """Tell of a variable of make whether recipes see it in their environment."""
        if not isinstance(item, Setting) or item.way is not Way.ASSIGNED or item.block != "make":
            return item
        if self._all_exported or item.name in self._exported:
            return replace(item, way=Way.EXPORTED)
        used = any(f"{mark}{item.name}" in self._text for mark in ("$(", "${", "$$"))
        return replace(item, way=Way.FILE) if used else item

    def _assignment(self, line: LogicalLine, found: re.Match[str]) -> Iterator[Setting]:
        text = _COMMENT.sub("", found["value"]).rstrip()
        value = None if "$" in text or found["sign"] in ("+=", "!=") else text
        default = None
        if found["sign"] == "?=":
            value, default = None, value
        if "export" in found["words"].split():
            self._exported.add(found["name"])
        end = found.start("value") + len(text)
        span = line.span(found.start("name"), end)
        # Targets and conditions tell when it counts: no two of them are said to contradict.
        yield Setting(found["name"], value, text, span, Way.ASSIGNED, default, "make", line.number)

    def _recipe(self, line: LogicalLine) -> Iterator[Item]:
        prefix = _PREFIX.match(line.text)
        blank = prefix.end() if prefix is not None else 0
        body = " " * blank + line.text[blank:]
        yield from read_shell(lines_of(body, line.number, f"recipe {line.number}"), self._names)
