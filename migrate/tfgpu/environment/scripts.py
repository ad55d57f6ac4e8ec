"""Reads Makefiles, and scripts of other shells: csh, fish, Windows' command prompt, PowerShell.

What sets a variable in csh and fish becomes `export` of the same length, and all else is read as
the shell that it nearly is, in the same places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfgpu.dataclass import replace
from tfgpu.environment.model import LIKE_NAME, Item, Setting, Trouble, Way
from tfgpu.environment.piece import LogicalLine, lines_of, logical_lines, whole
from tfgpu.environment.shell import read_shell
from tfgpu.files.pattern import expression

_NAME = LIKE_NAME.pattern
_CSH = expression(rf"(?m)\bsetenv(?=[ \t]+{_NAME})([ \t]+{_NAME})[ \t](?=[ \t]*\S|$)")
_CSH_WORD = expression(r"(export[ \t]+\w+=)([ \t]+)(?=\S)")
_FISH = expression(
    r"(?m)\bset[ \t]+(?:-\w*x\w*|(?:-\w+[ \t]+)*--export|-[gUlf][ \t]+-x)"
    rf"([ \t]+{_NAME})[ \t](?=\S)"
)
# What `if` of a batch file asks, in front of a command without parentheses.
_SIDE = r"(?:\"[^\"]*\"|[^\s\"=(]+)"
_IF = (
    rf"if(?:[ \t]+/i)?(?:[ \t]+not)?[ \t]+(?:(?:defined|exist|errorlevel)[ \t]+{_SIDE}"
    rf"|{_SIDE}(?:[ \t]*==[ \t]*|[ \t]+(?:equ|neq|lss|leq|gtr|geq)[ \t]+){_SIDE})[ \t]+"
)
# `set X=0`, `set "X=0"`, `setx X 0`.
_BATCH = expression(
    rf"(?i)(?:^|[&(|])[ \t]*@?[ \t]*(?P<if>(?:{_IF})+)?@?set"
    rf"(?:[ \t]+\"(?P<whole>{_NAME})[ \t]*=(?P<in>[^\"]*)\""
    rf"|[ \t]+(?P<name>{_NAME})[ \t]*=(?P<value>[^&|)\r]*)"
    rf"|x[ \t]+(?:/m[ \t]+)?(?P<stays>{_NAME})[ \t]+(?P<text>\"[^\"]*\"|\S+))"
)
# Between commands, and around them.
_NOTHING = " \t(){}&|@;"
_BATCH_COMMENT = expression(r"(?i)[ \t]*@?(?:rem\b|::)")
_POWERSHELL = expression(
    rf"(?i)\$(?:env:(?P<name>{_NAME})|\{{env:(?P<braced>{_NAME})\}})"
    r"[ \t]*=(?!=)[ \t]*(?P<value>(?:'[^'\n]*'|\"[^\"\n]*\")(?=[ \t]*\})|[^;#\n]*)"
    rf"|\bSetEnvironmentVariable\([ \t]*['\"](?P<call>{_NAME})['\"][ \t]*,[ \t]*(?P<given>[^,)\n]*)"
    r"|\b(?:Set-Item|si|New-Item)[ \t]+(?:-(?:Literal)?Path[ \t]+)?"
    rf"['\"]?env:[\\/]?(?P<item>{_NAME})['\"]?[ \t]+(?:-Value[ \t]+)?(?P<text>[^;#\n]+)"
)
_POWERSHELL_COMMENT = expression(r"<#(?:[^#]|#(?!>))*(?:#>|\Z)|(?<![^\s;{(])#[^\n]*")
_ASSIGNMENT = expression(
    r"(?P<target>[^\s:=#][^:=#]*:(?!:?=)[ \t]*)?"
    r"(?P<words>(?:\s*(?:export|override|private)\b)*)\s*"
    rf"(?P<name>{LIKE_NAME.pattern})[ \t]*(?P<sign>\?=|\+=|!=|:{{0,3}}=)[ \t]*(?P<value>.*)",
    re.DOTALL,
)
_EXPORT = expression(r"\s*export\b(?P<names>[^=]*)$")
_RULE = expression(r"[^\s#=][^=#]*:")
_COMMENT = expression(r"(?<!\\)#.*", re.DOTALL)
_PREFIX = expression(r"\s*[@+-]*")


def read_csh(text: str, names: frozenset[str]) -> list[Item]:
    """Return what a script of csh sets and asks for."""
    text = _CSH.sub(lambda found: f"export{found[1]}=", text)
    # The value stands right behind the sign in shell, and behind any number of blanks in csh.
    text = _CSH_WORD.sub(_pulled, text)
    return read_shell(whole(text), names)


def _pulled(found: re.Match[str]) -> str:
    return f"export{found[2]}{found[1].removeprefix('export')}"


def read_fish(text: str, names: frozenset[str]) -> list[Item]:
    """Return what a script of fish sets and asks for."""

    def exported(found: re.Match[str]) -> str:
        word = found[0][: -len(found[1]) - 1]
        return f"{'export'.rjust(len(word))}{found[1]}="

    return read_shell(whole(_FISH.sub(exported, text)), names)


def read_batch(text: str, names: frozenset[str]) -> Iterator[Item]:
    """Yield what a batch file sets and asks for; a name is in any case."""
    step = 0
    for line in logical_lines(text, "^"):
        if _BATCH_COMMENT.match(line.text):
            continue
        rest, behind = line.text, 0
        for found in _BATCH.finditer(line.text):
            # `else`, or a command, between two on one line.
            step += bool(line.text[behind : found.start()].strip(_NOTHING) or found["if"])
            behind = found.end()
            name = found["whole"] or found["name"] or found["stays"]
            value = found["in"] if found["whole"] else found["value"]
            value = found["text"].strip('"') if value is None else value
            begin = found.start("whole" if found["whole"] else "name" if found["name"] else "stays")
            end = begin + len(found[0][begin - found.start() :].rstrip())
            span = line.span(begin, end)
            known = None if "%" in value or "!" in value else value
            # A blank is a part of the name, or of the value in front of `&`.
            is_named_so = found["stays"] is not None or line.text[begin + len(name)] == "="
            # `setx` is for what is started later.
            block = "setx" if found["stays"] else "batch"
            if is_named_so:
                yield Setting(
                    _upper(name, names), known, value, span, Way.EXPORTED, None, block, step
                )
            elif name.upper() in names:
                yield Trouble("blanks-around-equals", span, (("name", name.upper()),))
            step += bool(found["if"])
            rest = rest.replace(found[0], " " * len(found[0]))
        if rest.strip(_NOTHING):
            yield from read_shell(lines_of(rest.replace("^\n", "\\\n"), line.number), names)
            step += 1


def _upper(name: str, names: frozenset[str]) -> str:
    """Return a name as it counts: Windows does not tell small letters from large ones."""
    return name.upper() if name.upper() in names else name


def read_powershell(text: str, names: frozenset[str]) -> Iterator[Item]:
    """Yield what a script of PowerShell sets, and what its commands ask for."""
    text = _POWERSHELL_COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    step = 0
    for line in logical_lines(text, "`"):
        rest, behind = line.text, 0
        for found in _POWERSHELL.finditer(line.text):
            step += bool(line.text[behind : found.start()].strip(_NOTHING))
            behind = found.end()
            name = found["name"] or found["braced"] or found["call"] or found["item"]
            raw = next(
                found[group] for group in ("value", "given", "text") if found[group] is not None
            )
            body = raw.strip().rstrip("}").strip()
            known = _literal(body)
            end = found.end() - (len(raw) - len(raw.rstrip()))
            span = line.span(found.start(), end)
            yield Setting(
                _upper(name, names), known, body, span, Way.EXPORTED, None, "powershell", step
            )
            rest = rest.replace(found[0], " " * len(found[0]))
        if rest.strip(_NOTHING):
            yield from read_shell(lines_of(rest.replace("`\n", "\\\n"), line.number), names)
            step += 1


def _literal(text: str) -> str | None:
    """Return the value of an expression of PowerShell, None where only the run tells."""
    if text[:1] == "'" and text[-1:] == "'" and len(text) > 1:
        return text[1:-1]
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        return None if "$" in text else text[1:-1]
    if text.lower() == "$null":
        return ""
    return text if re.fullmatch(r"-?\d+", text) else None


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
        self._is_one_shell = ".ONESHELL" in text

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
        piece = lines_of(body, line.number, f"recipe {line.number}")
        yield from read_shell(replace(piece, ends=not self._is_one_shell), self._names)
