"""Reads the names that a 64-bit little-endian ELF library exports (no binutils needed)."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_DYNSYM = 11


class NotElf(ValueError):
    """The file is no 64-bit little-endian ELF file."""


def exported_names(path: Path) -> set[str]:
    """Return the names that a library defines in its dynamic symbol table."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data[:6] != b"\x7fELF\x02\x01":
            raise NotElf(f"{path} is no 64-bit little-endian ELF file")
        (offset,) = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        sections = [_SECTION.unpack_from(data, offset + i * size) for i in range(count)]
        names: set[str] = set()
        for section in sections:
            if section[1] == _DYNSYM:
                strings = sections[section[6]]
                table = data[strings[4] : strings[4] + strings[5]]
                symbols = data[section[4] : section[4] + section[5]]
                for name, _, _, place, _, _ in _SYMBOL.iter_unpack(symbols):
                    if place:
                        end = table.index(0, name)
                        names.add(table[name:end].decode("ascii", "replace"))
        return names


def text_names(path: Path, pattern: bytes) -> set[str]:
    """Return the zero-terminated texts of a file that match a regular expression as a whole."""
    import re  # noqa: PLC0415 - only for TensorFlow versions that do not export their names

    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = re.finditer(rb"(?<=\0)(?:" + pattern + rb")(?=\0)", data)
        return {match.group().decode() for match in found}
