"""ConfigProtos as bytes, as code of other languages has them: `new byte[]{50, 2, 32, 1}`.

The bytes are protobuf's wire format.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from tfgpu.dataclass import dataclass, replace
from tfgpu.files.pattern import expression
from tfgpu.place import row_and_column
from tfgpu.texts.prototext import Field, Scalar, Word
from tfgpu.texts.schema import MESSAGES, ROOT

_NUMBER = r"(?:0[xX][0-9a-fA-F]+|-?\d+)(?:\.toByte\(\))?"
_NUMBERS = rf"\(?(?:byte|sbyte)?\)?\s*{_NUMBER}(?:\s*,\s*(?:\((?:byte|sbyte)\)\s*)?{_NUMBER})*\s*,?"
# `{50, 2, 32, 1}`, `byteArrayOf(50, 2)`, `Array[Byte](50, 2)`, `"2\x02 \x01"`.
_ARRAY = expression(
    rf"(?:\{{|byteArrayOf\(|Array\[Byte\]\()\s*(?P<numbers>{_NUMBERS})\s*[)}}]"
    r"|(?P<text>\"(?:\\.|[^\"\\\n])*\\(?:x|[0-7])(?:\\.|[^\"\\\n])*\")"
)
_COMMENT = expression(
    r"(?P<string>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`[^`]*`)|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)"
)
# What the statement around bytes has that are a ConfigProto.
_CONFIG = expression(r"(?i)conf|cfg|SessionOptions|new\s+Session")
# Names that only code for TensorFlow has.
_OURS = expression(r"(?i)tensorflow|ConfigProto|SessionOptions|TF_|new\s+Session\b")
# What makes a ConfigProto from bytes, and what these are.
_PARSED = expression(
    r"\bConfigProto(?:\.Parser)?\.(?:parseFrom|ParseFrom|parser\(\)\.parseFrom)\s*\(\s*(?P<given>[^;\n]{0,400})"
    r"|\bnew\s+Session\s*\(\s*\w+\s*,\s*(?P<file>(?i:[^;\n]{0,40}(?:read|decode|load|resource))\w*)"
    r"|\bSessionOptions\s*\{\s*Config\s*:\s*(?P<value>[^,;}]{1,200})"
    r"|\bTF_SetConfig\s*\(\s*[^,;]{1,200},\s*(?P<bytes>[^,;]{1,200})"
)
_ESCAPE = expression(
    r"\\x([0-9a-fA-F]{1,2})|\\([0-7]{1,3})|\\u([0-9a-fA-F]{4})|\\(.)|([^\\])", re.DOTALL
)
_LETTERS = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11}
_FAR = 300
_WHY = "its bytes are known only when it runs"
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_WIRE = {"bool": _VARINT, "int32": _VARINT, "int64": _VARINT, "enum": _VARINT,
         "double": _FIXED64, "float": _FIXED32, "string": _BYTES}  # fmt: skip
_DEPTH = 20
_NO_PLACE = (0, 0), (0, 0)


@dataclass(frozen=True, slots=True)
class NotRead:
    """A ConfigProto that is not read: how it is written, why, and its place from 0."""

    text: str
    why: str
    start: tuple[int, int]
    end: tuple[int, int]


def stored_configs(text: str) -> Iterator[tuple[Field, ...] | NotRead]:
    """Yield the ConfigProtos that code has as bytes."""
    if _OURS.search(text) is None:
        return
    text = without_comments(text)
    read: set[str] = set()
    for found in _ARRAY.finditer(text):
        before = _statement(text, found.start())
        if _CONFIG.search(before) is None:
            continue
        try:
            fields = fields_of(_bytes(found))
        except (NotAConfigError, ValueError):
            continue
        if fields:
            first, last = row_and_column(text, found.start()), row_and_column(text, found.end())
            fields = tuple(replace(field, start=first, end=last) for field in fields)
            read.update(re.findall(r"\w+", before))
            yield fields
    for found in _PARSED.finditer(text):
        given = found["given"] or found["bytes"] or found["file"] or found["value"] or ""
        if not _ARRAY.search(given) and not read.intersection(re.findall(r"\w+", given)):
            start, end = found.start(), found.end() if not found["given"] else found.start("given")
            shown = re.sub(r"\s+", " ", text[start:end]).rstrip("( ")
            yield NotRead(shown, _WHY, row_and_column(text, start), row_and_column(text, end))


def without_comments(text: str) -> str:
    """Return code of a language with `//` and `/* */` with blanks for its comments."""
    return _COMMENT.sub(
        lambda found: found[0] if found["string"] else re.sub(r"[^\n]", " ", found[0]), text
    )


def _statement(text: str, at: int) -> str:
    """Return what stands before a place in its statement."""
    begin = max(text.rfind(mark, max(0, at - _FAR), at) for mark in (";", "\n\n"))
    return text[max(begin, at - _FAR, 0) : at]


def _bytes(found: re.Match[str]) -> bytes:
    """Return bytes that are written as numbers, or as a string.

    Raises:
        ValueError: a number is none of a byte.
    """
    if found["numbers"]:
        numbers = re.findall(r"0[xX][0-9a-fA-F]+|-?\d+", found["numbers"])
        return bytes(
            number + 256 if number < 0 else number
            for number in (int(text, 0) if "x" in text.lower() else int(text) for text in numbers)
        )
    parts = _ESCAPE.findall(found["text"][1:-1])
    return b"".join(_escaped(*part) for part in parts)


def _escaped(hexadecimal: str, octal: str, wide: str, letter: str, plain: str) -> bytes:
    if hexadecimal or wide:
        return bytes([int(hexadecimal or wide, 16)])
    if octal:
        return bytes([int(octal, 8)])
    return bytes([_LETTERS.get(letter, ord(letter))]) if letter else plain.encode()


class NotAConfigError(Exception):
    """Bytes that are no ConfigProto."""


def fields_of(data: bytes) -> tuple[Field, ...]:
    """Return the fields that bytes set, all at the place 0.

    Raises:
        NotAConfigError: they are no ConfigProto, or one with fields that are not known.
    """
    try:
        return tuple(_fields(data, ROOT, "", 0))
    except (IndexError, struct.error, UnicodeDecodeError) as error:
        raise NotAConfigError from error


def _fields(data: bytes, message: str, above: str, depth: int) -> Iterator[Field]:
    for name, type_, value in _values(data, message, depth):
        path = f"{above}.{name}" if above else name
        if type_ not in MESSAGES:
            assert not isinstance(value, bytes)
            yield Field(path, value, *_NO_PLACE)
        elif path in ("device_count", "gpu_options.experimental.virtual_devices"):
            assert isinstance(value, bytes)
            inner = [(item, part) for item, _, part in _values(value, type_, depth + 1)
                     if not isinstance(part, bytes)]  # fmt: skip
            if path == "device_count":
                entry = dict(inner)
                key, count = str(entry.get("key", "")), entry.get("value", 0)
                yield Field(path, count, *_NO_PLACE, key=key)
            else:
                yield Field(path, None, *_NO_PLACE, parts=tuple(inner))
        else:
            assert isinstance(value, bytes)
            yield from _fields(value, type_, path, depth + 1)


def _values(
    data: bytes, message: str, depth: int
) -> Iterator[tuple[str, str, Scalar | Word | bytes]]:
    """Yield name, type and value of each field of a message; the bytes of one in it."""
    if depth > _DEPTH:
        raise NotAConfigError
    numbers = {field.number: (name, field.type) for name, field in MESSAGES[message].items()}
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        name, type_ = numbers.get(tag >> 3, ("", ""))
        wire = tag & 7
        wanted = _WIRE.get(type_, _BYTES)
        if not name or wire not in (wanted, _BYTES):
            raise NotAConfigError
        if wire == _VARINT:
            number, at = _varint(data, at)
            yield name, type_, _number(number, type_)
        elif wire in (_FIXED64, _FIXED32):
            size = 8 if wire == _FIXED64 else 4
            (real,) = struct.unpack_from("<d" if size == 8 else "<f", data, at)
            at += size
            yield name, type_, real
        else:
            size, at = _varint(data, at)
            part = data[at : at + size]
            if len(part) != size:
                raise NotAConfigError
            at += size
            if type_ == "string":
                yield name, type_, part.decode()
            elif wanted == _BYTES:
                yield name, type_, part
            else:
                yield from ((name, type_, value) for value in _packed(part, type_, wanted))


def _packed(data: bytes, type_: str, wire: int) -> Iterator[Scalar]:
    """Yield the values of a repeated field that are written as one."""
    at = 0
    while at < len(data):
        if wire == _VARINT:
            number, at = _varint(data, at)
            yield _number(number, type_)
        else:
            code, size = ("<d", 8) if wire == _FIXED64 else ("<f", 4)
            yield struct.unpack_from(code, data, at)[0]
            at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, at
        if shift > 63:
            raise NotAConfigError


def _number(number: int, type_: str) -> Scalar:
    if type_ == "bool":
        return number != 0
    return number - (1 << 64) if number >= 1 << 63 else number
