"""A command of a shell script as its words, with their values where nothing has to be run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfgpu.dataclass import dataclass
from tfgpu.environment.model import ConfigPiece, Setting, Span, Trouble
from tfgpu.environment.piece import Piece
from tfgpu.files.pattern import expression
from tfgpu.flow.strings import HOLE

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPED = expression(r"\\\n|\\(.)", re.DOTALL)
_ESCAPED_IN_STRING = expression(r"\\\n|\\([\\\"$`])")
# `${X:-0}`, `${X-0}` and `${X:=0}`, with a default that is no expansion itself.
_DEFAULT = expression(r"\$\{\w+:?[-=]([\"']?)([^${}`\"']*)\1\}")
_DECLARED = expression(r"([A-Za-z_]\w*)(?:=(.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command: its value where it is known, its text, and its place from 0.

    `quoted` tells whether it is one string as a whole.
    """

    value: str | None
    text: str
    start: tuple[int, int]
    end: tuple[int, int]
    quoted: bool = False
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """Text that a command runs, or keeps, as shell."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class Declared:
    """A variable that a word in quotes names, and its value: as written, as known, by default.

    `text` is None where the word is nothing but the name.
    """

    name: str
    text: str | None
    value: str | None
    default: str | None = None


Found = Setting | Trouble | ConfigPiece | Script


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its words, the file that it writes to with its heredocs, the names that count.

    `is_shown` tells that people read what it prints.
    """

    name: Word
    arguments: list[Word]
    redirect: tuple[str, list[Script]]
    names: frozenset[str]
    is_shown: bool = False


def tail_of(word: Word, length: int) -> Word:
    """Return the rest of a word after its first characters, which are no quotes."""
    text = word.text[length:]
    value = None if word.value is None else word.value[length:]
    quoted = text[:1] in ("'", '"') and text[-1:] == text[:1]
    start = (word.start[0], word.start[1] + length)
    return Word(value, text, start, word.end, quoted, default_of(text.strip("\"'")))


def inside(word: Word, piece: Piece) -> Piece:
    """Return the text inside a string; unescaped where it has escapes."""
    raw = word.text[1:-1]
    row, column = word.start
    part = piece.part((row, column + 1), raw)
    known = word.value
    if known is None and word.text[0] == '"' and "\n" not in raw:
        known = raw.replace('\\"', '"')
    if known is None or raw == known:
        return part
    return Piece(known, part.starts[:1], exact=False, block=piece.block)


def span_of(piece: Piece, first: Word, last: Word) -> Span:
    """Return the place of some words of a command."""
    return piece.span(first.start, last.end)


def evaluate(node: Node) -> tuple[str | None, str | None]:
    """Return the value of a word, None if it depends on the run, and then its default."""
    text = (node.text or b"").decode("utf-8", "replace")
    if HOLE in text:
        return None, None
    if node.type in ("word", "number"):
        return _ESCAPED.sub(r"\1", text) if "\\" in text else text, None
    if node.type == "raw_string":
        return text[1:-1], None
    if node.type == "ansi_c_string":
        return (None if "\\" in text else text[2:-1]), None
    if node.type == "string":
        if all(child.type == "string_content" for child in node.named_children):
            return _ESCAPED_IN_STRING.sub(r"\1", text[1:-1]), None
        return None, default_of(text[1:-1])
    if node.type == "concatenation":
        parts = [evaluate(child)[0] for child in node.named_children]
        return ("".join(map(str, parts)) if None not in parts else None), None
    return None, default_of(text)


def default_of(text: str) -> str | None:
    """Return the default of a text that is nothing but `${X:-0}`."""
    found = _DEFAULT.fullmatch(text)
    return found[2] if found is not None else None


def declared(node: Node) -> Declared | None:
    """Return what a word of `export` declares that has quotes: `"X=0"`, `'X'=0`, `"X"`."""
    if node.type not in ("string", "raw_string", "concatenation"):
        return None
    known = evaluate(node)[0]
    text = (node.text or b"").decode("utf-8", "replace")
    found = _DECLARED.fullmatch(re.sub("[\"']", "", text) if known is None else known)
    if found is None:
        return None
    value, default = (found[2], None) if known is not None else (None, default_of(found[2] or ""))
    return Declared(found[1], found[2], value, default)


def printed(node: Node) -> Declared | None:
    """Return what a command assigns that is `printf -v X '%s' 0`."""
    name = node.child_by_field_name("name")
    words = node.children_by_field_name("argument")
    if name is None or name.text != b"printf" or len(words) < 3 or words[0].text != b"-v":
        return None
    variable, pattern, *given = (evaluate(word)[0] for word in words[1:])
    text = b" ".join(word.text or b"" for word in words[2:]).decode("utf-8", "replace")
    value = None
    if pattern in ("%s", "%d") and len(given) == 1:
        value = given[0]
    elif pattern is not None and not {"%", "\\"} & set(pattern):
        value = pattern
    return None if variable is None else Declared(variable, text, value)
