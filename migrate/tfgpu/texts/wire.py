"""Reads a ConfigProto from its bytes, protobuf's wire format, to the fields that it sets."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tfgpu.texts.prototext import Field, Scalar, Word
from tfgpu.texts.schema import MESSAGES, ROOT

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_WIRE = {"bool": _VARINT, "int32": _VARINT, "int64": _VARINT, "enum": _VARINT,
         "double": _FIXED64, "float": _FIXED32, "string": _BYTES}  # fmt: skip
_DEPTH = 20


class NotAConfigError(Exception):
    """Bytes that are no ConfigProto."""


def fields_of(data: bytes, start: tuple[int, int], end: tuple[int, int]) -> tuple[Field, ...]:
    """Return the fields that bytes set, all at one place.

    Raises:
        NotAConfigError: they are no ConfigProto, or one with fields that are not known.
    """
    try:
        return tuple(_fields(data, ROOT, "", (start, end), 0))
    except (IndexError, struct.error, UnicodeDecodeError) as error:
        raise NotAConfigError from error


def _fields(
    data: bytes,
    message: str,
    above: str,
    place: tuple[tuple[int, int], tuple[int, int]],
    depth: int,
) -> Iterator[Field]:
    start, end = place
    for name, type_, value in _values(data, message, depth):
        path = f"{above}.{name}" if above else name
        if type_ not in MESSAGES:
            assert not isinstance(value, bytes)
            yield Field(path, value, start, end)
        elif path in ("device_count", "gpu_options.experimental.virtual_devices"):
            assert isinstance(value, bytes)
            inner = [(item, part) for item, _, part in _values(value, type_, depth + 1)
                     if not isinstance(part, bytes)]  # fmt: skip
            if path == "device_count":
                entry = dict(inner)
                key, count = str(entry.get("key", "")), entry.get("value", 0)
                yield Field(path, count, start, end, key=key)
            else:
                yield Field(path, None, start, end, parts=tuple(inner))
        else:
            assert isinstance(value, bytes)
            yield from _fields(value, type_, path, place, depth + 1)


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
