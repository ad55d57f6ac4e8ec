"""Reads Dockerfiles: ENV and ARG, and the commands of RUN, CMD, ENTRYPOINT and HEALTHCHECK."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence

from tfgpu.dataclass import replace
from tfgpu.environment.command import default_of
from tfgpu.environment.model import LIKE_NAME, ConfigPiece, Item, Setting, Trouble, Way
from tfgpu.environment.piece import LogicalLine, Piece, joined, lines_of, logical_lines
from tfgpu.environment.shell import read_shell
from tfgpu.files.pattern import expression
from tfgpu.texts.looks import LOOKS_LIKE

_ESCAPE = expression(r"\s*#\s*escape\s*=\s*(\S)\s*$", re.IGNORECASE | re.MULTILINE)
_INSTRUCTION = expression(r"\s*([A-Za-z]+)[ \t]+((?:--[\w-]+(?:=\S+)?[ \t]+)*)")
_HEREDOC = expression(r"<<-?[ \t]*([\"']?)(\w+)\1")
_WORD = r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\\[^\n]|[^\s"'\\])*"""
_PAIR = expression(rf"({LIKE_NAME.pattern})=({_WORD})", re.DOTALL)
_OLD_PAIR = expression(rf"[ \t]*({LIKE_NAME.pattern})[ \t]+(\S.*)", re.DOTALL)
# A word that is a value, and no variable of a template.
_NO_PAIR = expression(r"(?:[ \t]|\\\n)+([\w.,:-]+)(?=[ \t\n\\]|\Z)")
_STRING = expression(r'"(?:\\.|[^"\\])*"')
_COMMANDS = frozenset(["RUN", "CMD", "ENTRYPOINT", "HEALTHCHECK"])
# Behind the options of HEALTHCHECK, which may be on several lines.
_CHECKS = expression(r"(?:\s|[\\`]\n|--\S+(?!\S))*CMD[ \t]+", re.IGNORECASE)


def read_dockerfile(text: str, names: frozenset[str]) -> Iterator[Item]:
    """Yield what a Dockerfile sets, and what the commands in it set."""
    escape = _ESCAPE.match(text)
    mark = escape[1] if escape is not None and escape[1] in "\\`" else "\\"
    stage = step = 0
    program: list[Piece] = []
    images: dict[str, list[Piece]] = {}
    for line in _instructions(text, mark):
        keyword, start, is_later = _instruction(line)
        if keyword == "FROM":
            stage += 1
            program = _image(line, start, images)
        step += keyword in _COMMANDS
        block = f"stage {stage}{' of another image' if is_later else ''}"
        if keyword in ("ENV", "ARG"):
            way = Way.IMAGE if keyword == "ENV" else Way.BUILD
            cut = _cut(line, start, names) if way is Way.IMAGE else None
            yield from [cut] if cut else _pairs(line, start, way, block, step)
        elif keyword in ("COPY", "ADD") and LOOKS_LIKE.search(line.text):
            body = line.text.partition("\n")[2]
            piece = lines_of(body[: body.rfind("\n") + 1], line.number + 1, block)
            target = line.text.partition("\n")[0].split()[-1]
            yield ConfigPiece(piece, target=target)
        elif keyword in _COMMANDS:
            words = _words(line, start)
            if words is None:
                yield from _commands(line, start, block, names)
            elif words and keyword == "CMD":
                yield from argv_items(words, program, names)
            elif words:
                yield from argv_items(words, [], names)
            if keyword == "ENTRYPOINT" and not is_later:
                program = words or [Piece("sh", (line.place(0),))]


def _instruction(line: LogicalLine) -> tuple[str, int, bool]:
    """Return an instruction, where its body starts, and whether it is for images made of this one.

    The body of HEALTHCHECK is its command; without one there is no instruction.
    """
    found = _INSTRUCTION.match(line.text)
    is_later = found is not None and found[1].upper() == "ONBUILD"
    if found is not None and is_later:
        found = _INSTRUCTION.match(line.text, found.end())
    if found is None:
        return "", 0, is_later
    keyword, start = found[1].upper(), found.end()
    if keyword == "HEALTHCHECK":
        command = _CHECKS.match(line.text, start)
        return (keyword, command.end(), is_later) if command is not None else ("", 0, is_later)
    return keyword, start, is_later


def _image(line: LogicalLine, start: int, images: dict[str, list[Piece]]) -> list[Piece]:
    """Return what takes the words of CMD in a stage, which is named by what it is made from."""
    parts = line.text[start:].split()
    if not parts:
        return []
    made = images.get(parts[0], [Piece(parts[0], (line.place(start),))])
    images[parts[-1]] = made
    return made


def _instructions(text: str, mark: str) -> Iterator[LogicalLine]:
    """Yield the instructions, each with the heredocs that belong to it."""
    raw = text.split("\n")
    lines = iter(logical_lines(text, mark, comments=True))
    for line in lines:
        if line.text.lstrip().startswith("#"):
            continue
        whole = line.text
        ends = [found[2] for found in _HEREDOC.finditer(whole)]
        if ends and _INSTRUCTION.match(whole):
            # The lines of a heredoc are not joined by backslashes.
            index = line.number - 1 + whole.count("\n") + 1
            while ends and index < len(raw):
                whole += f"\n{raw[index]}"
                if raw[index].lstrip("\t") == ends[0]:
                    ends.pop(0)
                index += 1
            for behind in lines:
                if behind.number + behind.text.count("\n") >= index:
                    break
        yield LogicalLine(line.number, whole)


def _pairs(line: LogicalLine, start: int, way: Way, block: str, step: int) -> Iterator[Setting]:
    """Yield the variables of an ENV or ARG, in its form with `=` or the old one without."""
    found = list(_PAIR.finditer(line.text, start))
    old = None if way is Way.BUILD else _OLD_PAIR.match(line.text, start)
    if old is not None:
        found = [old]
    for pair in found:
        text = pair[2].rstrip() if pair is old else pair[2]
        end = pair.start(2) + len(text)
        plain = None if "$" in text else text
        value = plain if pair is old else _value(text)
        if line.text[end : end + 1] in ("'", '"'):
            value = None  # a quote that is never closed
        default = default_of(text.strip("\"'")) if value is None else None
        if way is Way.BUILD:
            value, default = None, value if value is not None else default
        span = line.span(pair.start(), end)
        yield Setting(pair[1], value, text, span, way, default, block, step)


def _cut(line: LogicalLine, start: int, names: frozenset[str]) -> Trouble | None:
    """Return that docker refuses an ENV: `X=0 1`, where what is behind a space has no `=`."""
    body = line.text[start:]
    if _OLD_PAIR.match(body):
        return None
    at = 0
    for pair in _PAIR.finditer(body):
        at = pair.end()
        word = _NO_PAIR.match(body, at)
        if word is not None and pair[1] in names:
            details = (("name", pair[1]), ("value", pair[2]), ("word", word[1]))
            return Trouble(
                "value-with-spaces", line.span(start + pair.start(), start + at), details
            )
    return None


def _value(text: str) -> str | None:
    """Return the value of a word with its quotes taken off; none where it holds a variable."""
    if re.search(r"(?<!\\)\$[\w{]", text):
        return None
    return "".join(shlex.split(text))


def _commands(line: LogicalLine, start: int, block: str, names: frozenset[str]) -> Iterator[Item]:
    body = line.text[start:]
    if line.text.split("\n", 1)[0][start:].strip().startswith("<<"):
        # The heredoc is the script itself.
        script = body.split("\n")[1:]
        ends = [found[2] for found in _HEREDOC.finditer(body.split("\n", 1)[0])]
        ended = script and script[-1].lstrip("\t") in ends
        body = "\n".join(["", *(script[:-1] if ended else script)])
    blank = " " * (start - line.text.rfind("\n", 0, start) - 1)
    above = "\n" * line.text.count("\n", 0, start)
    piece = lines_of(f"{above}{blank}{body}", line.number, block)
    yield from read_shell(replace(piece, ends=True), names)


def _words(line: LogicalLine, start: int) -> list[Piece] | None:
    """Return the words of a command that is given as a list, None for one that is shell."""
    body = line.text[start:].replace("\\\n", "  ")
    try:
        words = json.loads(body) if body.lstrip().startswith("[") else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return None
    places = [line.place(start + found.start() + 1) for found in _STRING.finditer(body)]
    return [Piece(word, (place,)) for word, place in zip(words, places, strict=True)]


def argv_items(
    words: Sequence[Piece], program: Sequence[Piece], names: frozenset[str]
) -> Iterator[Item]:
    """Yield what a command sets that is given as words; `program` takes words that are flags."""
    if words[0].text.startswith("-"):
        # To shell they would be assignments.
        words = [*program, *words]
    yield from read_shell(joined(words, f"at {words[0].starts[0][0]}"), names)
