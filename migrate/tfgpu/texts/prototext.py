"""Reads protobuf's text format to fields with their places, and finds the ConfigProtos in it.

protobuf's own tokenizer tells strings, numbers and comments apart. The messages need no schema:
what the fields of a ConfigProto are, and of which type, is said by the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tfgpu.dataclass import dataclass

if TYPE_CHECKING:
    from google.protobuf.text_format import Tokenizer

# What only a ConfigProto has, followed by what makes it text and not Python or prose.
_MESSAGE = r"\b(?:gpu_options|graph_options|device_count|session_config)\s*:?\s*[{<]"
LOOKS_LIKE = re.compile(
    rf"{_MESSAGE}|\b(?:allow_soft_placement|log_device_placement"
    r"|(?:intra|inter)_op_parallelism_threads)\s*:\s*(?:true|false|-?\d|[$%{_])",
    re.IGNORECASE,
)
# What is no prose, and no YAML.
IS_MESSAGE = re.compile(_MESSAGE)
# Fields that make a message a ConfigProto.
_OWN = frozenset(
    [
        "gpu_options", "graph_options", "device_count", "allow_soft_placement",
        "log_device_placement", "intra_op_parallelism_threads", "inter_op_parallelism_threads",
        "use_per_session_threads", "session_inter_op_thread_pool", "placement_period",
        "operation_timeout_in_ms", "isolate_session_state", "share_cluster_devices_in_session",
    ]
)  # fmt: skip
_DEPTH = 50
# Is in what stands for a value that only the run fills in.
RUN_TIME = "__"
_WORDS = {"true": True, "True": True, "t": True, "false": False, "False": False, "f": False}

Scalar = bool | int | float | str


class BrokenTextError(Exception):
    """A text that protobuf refuses: why, and where, as line and column from 0."""

    def __init__(self, why: str, line: int, column: int) -> None:
        super().__init__(why)
        self.why = why
        self.place = (line, column)


@dataclass(frozen=True, slots=True)
class Word:
    """A value that is neither quoted nor a number: the name of an enum."""

    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One field of a message as written: a value, or a message with its own entries.

    `start` is where its name stands, `end` where its last token starts, both from 0.
    """

    name: str
    start: tuple[int, int]
    end: tuple[int, int]
    value: Scalar | Word | None = None
    entries: tuple[Entry, ...] | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a ConfigProto that a text sets: its path, its value, and its place from 0.

    `key` is that of an entry of a map, `parts` are the values of a message in a repeated field.
    """

    path: str
    value: Scalar | Word | None
    start: tuple[int, int]
    end: tuple[int, int]
    key: str | None = None
    parts: tuple[tuple[str, Scalar | Word], ...] = ()


@dataclass(frozen=True, slots=True)
class ConfigText:
    """A ConfigProto in a text: its fields, and whether TensorFlow Serving's own config holds it."""

    fields: tuple[Field, ...]
    serving: bool


def config_texts(text: str) -> list[ConfigText]:
    """Return the ConfigProtos in a text: the text itself, or messages in it such as session_config.

    Raises:
        BrokenTextError: protobuf cannot parse it.
    """
    entries = _parse(text)
    serving = any(entry.name in ("platform_configs", "model_config_list") for entry in entries)
    return [
        ConfigText(tuple(_fields(found, "")), serving or nested)
        for found, nested in _configs(entries)
    ]


def _configs(entries: tuple[Entry, ...]) -> Iterator[tuple[tuple[Entry, ...], bool]]:
    """Yield the messages that are ConfigProtos, and whether a session_config holds them."""
    if any(entry.name in _OWN for entry in entries):
        yield entries, False
        return
    for entry in entries:
        if entry.entries is not None:
            for found, nested in _configs(entry.entries):
                yield found, nested or entry.name == "session_config"


def _fields(entries: tuple[Entry, ...], above: str) -> Iterator[Field]:
    for entry in entries:
        path = f"{above}.{entry.name}" if above else entry.name
        if entry.entries is None:
            yield Field(path, entry.value, entry.start, entry.end)
            continue
        inner = {item.name: item.value for item in entry.entries}
        if path == "device_count":
            key = inner.get("key", "")
            value = inner.get("value", 0)
            known = key.name if isinstance(key, Word) else str(key)
            yield Field(path, value, entry.start, entry.end, key=known)
        elif path == "gpu_options.experimental.virtual_devices":
            parts = tuple(
                (item.name, item.value) for item in entry.entries if item.value is not None
            )
            yield Field(path, None, entry.start, entry.end, parts=parts)
        else:
            yield from _fields(entry.entries, path)


def _parse(text: str) -> tuple[Entry, ...]:
    """Return the entries of a text.

    Raises:
        BrokenTextError: protobuf cannot parse it.
    """
    from google.protobuf.text_format import (  # noqa: PLC0415 - costs 20 ms, for few files
        ParseError,
        Tokenizer,
    )

    try:
        tokens = Tokenizer(text.split("\n"))
        return tuple(_entries(tokens, "", 0))
    except ParseError as error:
        line, column = error.GetLine() or 1, error.GetColumn() or 1
        why = re.sub(r"^\d+:\d+ : ", "", str(error))
        why = re.sub(r"^'.*': ", "", why, flags=re.DOTALL)
        raise BrokenTextError(why.split("\n")[0].rstrip("."), line - 1, column - 1) from error


def _place(tokens: Tokenizer) -> tuple[int, int]:
    """Return where the next token stands, from 0."""
    here = tokens.ParseError("")
    return here.GetLine() - 1, here.GetColumn() - 1


def _entries(tokens: Tokenizer, end: str, depth: int) -> Iterator[Entry]:
    if depth > _DEPTH:
        raise tokens.ParseError("too deeply nested")
    while not (tokens.AtEnd() or (end and tokens.LookingAt(end))):
        start = _place(tokens)
        name = _name(tokens)
        has_colon = tokens.TryConsume(":")
        if tokens.LookingAt("[") and has_colon:
            yield from _list(tokens, name, start, depth)
        else:
            yield _entry(tokens, name, start, depth, has_colon)
        if not tokens.TryConsume(","):
            tokens.TryConsume(";")
    if end and tokens.AtEnd():
        raise tokens.ParseError(f"expected `{end}`, and the text ends")


def _name(tokens: Tokenizer) -> str:
    if not tokens.TryConsume("["):
        return str(tokens.ConsumeIdentifier())
    parts = []
    while not tokens.TryConsume("]"):
        if tokens.AtEnd():
            raise tokens.ParseError("expected `]`, and the text ends")
        parts.append(tokens.token)
        tokens.NextToken()
    return "".join(parts)


def _list(tokens: Tokenizer, name: str, start: tuple[int, int], depth: int) -> Iterator[Entry]:
    tokens.Consume("[")
    while not tokens.TryConsume("]"):
        yield _entry(tokens, name, start, depth, has_colon=True)
        if not tokens.LookingAt("]"):
            tokens.Consume(",")


def _entry(
    tokens: Tokenizer, name: str, start: tuple[int, int], depth: int, has_colon: bool
) -> Entry:
    closing = ">" if tokens.LookingAt("<") else "}"
    if tokens.TryConsume("{") or tokens.TryConsume("<"):
        inner = tuple(_entries(tokens, closing, depth + 1))
        end = _place(tokens)
        tokens.Consume(closing)
        return Entry(name, start, (end[0], end[1] + 1), entries=inner)
    if not has_colon:
        raise tokens.ParseError(f"expected `:` or a message behind `{name}`")
    place, value, length = _value(tokens)
    return Entry(name, start, (place[0], place[1] + length), value)


def _value(tokens: Tokenizer) -> tuple[tuple[int, int], Scalar | Word, int]:
    """Return a value, and where its last token stands and how long that is."""
    token, place = tokens.token, _place(tokens)
    if token[:1] in ("'", '"'):
        return place, tokens.ConsumeString(), len(token)
    if tokens.TryConsume("-"):
        place, value, length = _value(tokens)
        if isinstance(value, int | float):
            return place, -value, length
        raise tokens.ParseError("expected a number behind `-`")
    if tokens.AtEnd() or not re.match(r"[\w.+-]", token):
        raise tokens.ParseError(f"expected a value, and found `{token}`")
    tokens.NextToken()
    return place, _scalar(token), len(token)


def _scalar(token: str) -> Scalar | Word:
    if token in _WORDS:
        return _WORDS[token]
    if not re.match(r"[-+.\d]", token):
        return float(token) if token.lower() in ("inf", "infinity", "nan") else Word(token)
    for read in (lambda: int(token, 0), lambda: int(token, 8), lambda: float(token.rstrip("fF"))):
        try:
            return read()
        except ValueError:
            continue
    return Word(token)
