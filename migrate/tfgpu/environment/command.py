"""A command of a shell script, as its words."""

from __future__ import annotations

from tfgpu.dataclass import dataclass
from tfgpu.environment.model import ConfigPiece, Setting, Span, Trouble
from tfgpu.environment.piece import Piece
from tfgpu.environment.words import default_of


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
