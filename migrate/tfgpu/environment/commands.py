"""All that a command does for the settings of programs: what it sets, asks for, runs and writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from tfgpu.dataclass import replace
from tfgpu.environment.command import Command, Found, Script, Word, inside, span_of, tail_of
from tfgpu.environment.later_steps import IS_FILE, later_settings
from tfgpu.environment.mapping import json_pieces
from tfgpu.environment.model import ConfigPiece, Setting, Trouble
from tfgpu.environment.piece import Piece
from tfgpu.environment.placeholders import filled_in, unknown, with_holes
from tfgpu.environment.setters import python_settings
from tfgpu.environment.starters import RUNS_TEXT, Starter
from tfgpu.files.pattern import expression
from tfgpu.texts.looks import IS_JSON, LOOKS_LIKE

# What only looks for a text.
_PRINTS = frozenset(["echo", "printf"])
# Options of `echo` with which `\\n` is a line feed, and what `printf` fills in.
_ESCAPES = expression(r"-[En]*e[en]*")
_FILLED_IN = expression(r"%[-+ #0-9.*]*[a-zA-Z]")
_ESCAPED_BLANK = expression(r"\\[nrt]")
_ESCAPED_STRING = expression(r'\\"([^"\\]*)\\"')
_FLAG_BEFORE = expression(r"[\w./-]+=(?:([\w.-]+)=)?")
_SEARCHES = frozenset(["grep", "egrep", "fgrep", "rg", "ag", "sed", "awk", "git"])
# Files that shells, or what starts programs, read settings from.
_PROFILES = expression(
    r"(rc|profile|\.sh|\.env|environment|\.bash|activate|\.conf|\$\{?BASH_ENV\}?)[\"']?$"
)


def command_items(command: Command, piece: Piece, block: str) -> Iterator[Found]:
    """Yield what a command sets and asks for, and the text that it runs."""
    yield from _blanks(command, piece)
    words = [command.name, *command.arguments]
    placeholder = filled_in(words)
    if placeholder is not None:
        words = unknown(words, placeholder)
    for item in Starter(piece, block, command.names).items(words):
        if placeholder is not None and isinstance(item, Script):
            text = with_holes(item.piece.text, placeholder)
            yield Script(replace(item.piece, text=text))
        else:
            yield item
    yield from _written(command, piece)
    if PurePosixPath(command.name.text).name not in RUNS_TEXT | _SEARCHES:
        yield from _configs(command, piece)


def _configs(command: Command, piece: Piece) -> Iterator[ConfigPiece | Trouble]:
    """Yield the words that are ConfigProtos, or flags with one: `--config='gpu_options {...}'`."""
    is_printed = command.name.text in _PRINTS
    if is_printed and command.is_shown:
        return
    for word in command.arguments:
        if LOOKS_LIKE.search(word.text) is None:
            continue
        if is_printed and word.text.count("{") != word.text.count("}"):
            details = (("text", word.text.strip("\"'")), ("why", "several commands write it"))
            yield Trouble("config-not-read", span_of(piece, word, word), details)
            continue
        flag = _FLAG_BEFORE.match("" if word.quoted else word.text)
        part = word if flag is None else tail_of(word, flag.end())
        # `--from-literal=session.config=...` of kubectl is a file, too.
        target = command.redirect[0] if is_printed or flag is None else flag[1] or ""
        has_escapes = is_printed
        if part.text.startswith("$'"):
            part, has_escapes = tail_of(part, 1), True
        # What takes the place of an escape is as long, so that all after it stays in its place.
        if part.quoted and part.text.startswith('"'):
            inner = _ESCAPED_STRING.sub(r' "\1" ', part.text[1:-1])
            part = replace(part, text=f'"{inner}"', value=None)
        if has_escapes:
            part = replace(part, text=_ESCAPED_BLANK.sub("  ", part.text), value=None)
        if part.quoted:
            yield ConfigPiece(inside(part, piece), target=target)
        elif word.value is not None and part.value is not None:
            inner_piece = Piece(part.value, (_start(word, piece),), exact=False)
            yield ConfigPiece(inner_piece, target=target)


def _target(command: Command) -> str:
    """Return the file that a command writes to: by a redirection, or `tee`."""
    if command.name.text != "tee":
        return command.redirect[0]
    return next((word.text for word in command.arguments if word.text[:1] != "-"), "")


def _start(word: Word, piece: Piece) -> tuple[int, int]:
    span = span_of(piece, word, word)
    return span.line, span.column


def _blanks(command: Command, piece: Piece) -> Iterator[Trouble]:
    """Find `X = 0`, which runs X, and `set X=0`, which sets `$1`."""
    name, arguments = command.name.text, command.arguments
    first = arguments[0].text if arguments else ""
    if name in command.names and first.startswith("="):
        yield Trouble(
            "blanks-around-equals", span_of(piece, command.name, arguments[-1]), (("name", name),)
        )
    if name == "set":
        variable = first.partition("=")[0]
        if "=" in first and variable in command.names:
            yield Trouble(
                "set-in-shell", span_of(piece, command.name, arguments[0]), (("name", variable),)
            )


def _for_later(command: Command, piece: Piece) -> Iterator[Setting]:
    """Yield the lines that a command writes to the file of variables of a workflow."""
    for script in command.redirect[1]:
        yield from later_settings(script.piece)
    for word in command.arguments if command.name.text in _PRINTS else ():
        if word.quoted:
            yield from later_settings(inside(word, piece))
        elif "=" in word.text:
            yield from later_settings(piece.part(word.start, word.value or word.text))


def _written(command: Command, piece: Piece) -> Iterator[Script | ConfigPiece | Setting]:
    """Yield the lines that a command writes to a file of settings, heredocs of shell, configs."""
    target, heredocs = command.redirect
    name = command.name.text
    if IS_FILE.fullmatch(_target(command)):
        yield from _for_later(command, piece)
        return
    for script in heredocs:
        if name.startswith("python"):
            yield from python_settings(script.piece, command.names)
        if LOOKS_LIKE.search(script.piece.text):
            yield ConfigPiece(script.piece, target=_target(command))
            continue
        if IS_JSON.search(script.piece.text):
            yield from json_pieces(script.piece, _target(command))
            continue
        is_script = name in RUNS_TEXT or script.piece.text.startswith("#!")
        if is_script or _PROFILES.search(target):
            is_run = name in RUNS_TEXT and not target
            yield Script(replace(script.piece, ends=is_run))
    if name in _PRINTS and _PROFILES.search(target):
        first = command.arguments[0].text if command.arguments else ""
        has_escapes = name == "printf" or _ESCAPES.fullmatch(first) is not None
        for word in command.arguments:
            if word.quoted:
                text = inside(word, piece)
                yield Script(_printed(text, name) if has_escapes else text)
            elif word.value is not None and "=" in word.value:
                yield Script(piece.part(word.start, word.value))


def _printed(part: Piece, name: str) -> Piece:
    """Return the lines that `printf` or `echo -e` makes of a text, with holes for `%s`."""
    text = part.text
    if name == "printf":
        text = with_holes(text, _FILLED_IN)
    lines, starts = [], []
    for row, line in enumerate(text.split("\n")):
        column = 0
        for found in line.split("\\n"):
            start = part.span((row, column), (row, column))
            lines.append(found)
            starts.append((start.line, start.column))
            column += len(found) + 2
    return replace(part, text="\n".join(lines), starts=tuple(starts))
