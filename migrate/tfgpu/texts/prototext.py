"""Reads protobuf's text format to fields with their places, and finds the ConfigProtos in it.

protobuf's own tokenizer tells strings, numbers and comments apart, and what a ConfigProto is made
of says which of its texts protobuf refuses. A name that it does not have is left to the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tfgpu.dataclass import dataclass, replace
from tfgpu.files.pattern import expression
from tfgpu.texts.schema import MESSAGES, ROOT, FieldType

if TYPE_CHECKING:
    from google.protobuf.text_format import Tokenizer

# Fields that make a message a ConfigProto.
_OWN = frozenset(
    [
        "gpu_options", "graph_options", "device_count", "allow_soft_placement",
        "log_device_placement", "intra_op_parallelism_threads", "inter_op_parallelism_threads",
        "use_per_session_threads", "session_inter_op_thread_pool", "placement_period",
        "operation_timeout_in_ms", "pluggable_device_options", "isolate_session_state",
        "share_cluster_devices_in_session",
    ]
)  # fmt: skip
_NESTED = frozenset(["gpu_options", "graph_options", "device_count", "pluggable_device_options"])
_STRING = expression(r"""\"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""")
_BLOCK = expression(r"\{[^{}]*[^{}\s][^{}]*\}|\{\s+\}|<[^<>]*>")
_VALUE = r"(?:\{\}|\[[^\]]*\]|(?:''\s*)+|[^\s:;,{}]+)"
_ONLY_FIELDS = expression(rf"\s*(?:[A-Za-z]\w*\s*(?::\s*{_VALUE}|\{{\}})\s*[;,]?\s*)*")
_DEPTH = 50
_TYPES = {
    "bool": "true or false",
    "int32": "a whole number",
    "int64": "a whole number",
    "double": "a number",
    "float": "a number",
    "string": "a string in quotes",
    "enum": "the name of one of its values",
}
# Is in what stands for a value that only the run fills in.
RUN_TIME = "__"
_WORDS = {"true": True, "True": True, "t": True, "false": False, "False": False, "f": False}

Scalar = bool | int | float | str


class BrokenTextError(Exception):
    """A text that protobuf refuses: why, and where, as line and column from 0.

    `is_config` tells that it is a ConfigProto but for this.
    """

    def __init__(self, why: str, line: int, column: int, is_config: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.place = (line, column)
        self.is_config = is_config


@dataclass(frozen=True, slots=True)
class Word:
    """A value that is neither quoted nor a number: the name of an enum."""

    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One field of a message as written: a value, or a message with its own entries.

    `start` is where its name stands, `end` where its last token starts, both from 0; `listed` tells
    that it stands between `[` and `]`.
    """

    name: str
    start: tuple[int, int]
    end: tuple[int, int]
    value: Scalar | Word | None = None
    entries: tuple[Entry, ...] | None = None
    listed: bool = False


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


def config_texts(text: str, merges: bool = False) -> list[ConfigText]:
    """Return the ConfigProtos in a text: the text itself, or messages in it such as session_config.

    `merges` tells that Python's text_format.Merge reads it, to which the last value of a field
    counts: all others refuse a second one.

    Raises:
        BrokenTextError: protobuf cannot parse it.
    """
    entries = _parse(text)
    for config, _ in _configs(entries):
        _check(config, ROOT, merges)
    serving = any(entry.name in ("platform_configs", "model_config_list") for entry in entries)
    return [
        ConfigText(tuple(_fields(found, "")), serving or nested)
        for found, nested in _configs(entries)
    ]


def is_only_message(text: str) -> bool:
    """Tell whether a text is a message, if a broken one, and not a sentence with one in it."""
    rest = re.sub(r"#[^\n]*", "", _STRING.sub("''", text))
    while (inner := _BLOCK.sub("{}", rest)) != rest:
        rest = inner
    # What is never closed goes to the end.
    rest = re.sub(r"(?:\{(?!\})|<).*", "{}", rest, flags=re.DOTALL)
    return _ONLY_FIELDS.fullmatch(rest) is not None


def _configs(entries: tuple[Entry, ...]) -> Iterator[tuple[tuple[Entry, ...], bool]]:
    """Yield the messages that are ConfigProtos, and whether a session_config holds them."""
    if any(
        entry.name in _OWN and (entry.name not in _NESTED or entry.entries is not None)
        for entry in entries
    ):
        yield entries, False
        return
    for entry in entries:
        if entry.entries is not None:
            for found, nested in _configs(entry.entries):
                yield found, nested or entry.name == "session_config"


def _check(entries: tuple[Entry, ...], message: str, merges: bool) -> None:
    """Refuse what protobuf refuses of a message, by the fields that it has.

    Raises:
        BrokenTextError: a value of another type, or a second one.
    """
    seen: set[str] = set()
    for entry in entries:
        field = MESSAGES.get(message, {}).get(entry.name)
        why = _refused(entry, message) if field is None else _mistake(entry, field)
        if field is not None and not field.repeated:
            if entry.listed:
                why = f"{entry.name} is no list"
            elif entry.name in seen and not merges:
                why = f"{entry.name} is set a second time, which only text_format.Merge takes"
            # A default is as good as nothing.
            if entry.entries is not None or entry.value:
                seen.add(entry.name)
        if why:
            raise BrokenTextError(why, *entry.start, is_config=True)
        if field is not None and entry.entries is not None:
            _check(entry.entries, field.type, merges)


def _refused(entry: Entry, message: str) -> str:
    """Tell why protobuf refuses a name that a message does not have, where no rule says it."""
    is_extension = message in MESSAGES and not entry.name.isidentifier()
    return f"{message} has no extension {entry.name}" if is_extension else ""


def _mistake(entry: Entry, field: FieldType) -> str:
    """Tell why protobuf refuses the value of a field: nothing where it takes it."""
    value, type_ = entry.value, field.type
    if entry.entries is not None:
        return f"{entry.name} is no message" if type_ in _TYPES else ""
    if type_ not in _TYPES:
        return f"{entry.name} is a message: expected `{{`"
    if RUN_TIME in (value.name if isinstance(value, Word) else str(value)):
        return ""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    bits = {"int32": 31, "int64": 63}.get(type_)
    if bits is not None and is_number and isinstance(value, int):
        is_inside = -(2**bits) <= value < 2**bits
        return "" if is_inside else f"the number for {entry.name} is out of the range of {type_}"
    is_taken = {
        "bool": isinstance(value, bool) or (is_number and value in (0, 1)),
        "double": is_number,
        "float": is_number,
        "string": isinstance(value, str),
        "enum": isinstance(value, Word | bool) or (is_number and isinstance(value, int)),
    }
    return "" if is_taken.get(type_) else f"{entry.name} takes {_TYPES[type_]}"


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
        if tokens.LookingAt("["):
            yield from _list(tokens, name, start, depth, has_colon)
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


def _list(
    tokens: Tokenizer, name: str, start: tuple[int, int], depth: int, has_colon: bool
) -> Iterator[Entry]:
    tokens.Consume("[")
    if tokens.TryConsume("]"):
        return
    while True:
        yield replace(_entry(tokens, name, start, depth, has_colon), listed=True)
        if tokens.TryConsume("]"):
            return
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
    if token.lower().lstrip("-") in ("inf", "infinity", "nan"):
        return float(token)
    if not re.match(r"[-+.\d]", token):
        return Word(token)
    for read in (lambda: int(token, 0), lambda: int(token, 8), lambda: float(token.rstrip("fF"))):
        try:
            return read()
        except ValueError:
            continue
    return Word(token)
