"""The change of a file as a unified diff, which `git apply` and `patch -p1` take."""

from __future__ import annotations

import io
import os
from itertools import islice
from pathlib import Path

# How git writes bytes of names that have a letter; the others are octal numbers.
_LETTERS = dict(zip(b'\a\b\t\n\v\f\r"\\', 'abtnvfr"\\', strict=True))


def unified(old: bytes, new: bytes, before: str | None, after: str | None) -> list[bytes]:
    """Return the lines of a diff, each with its line feed; none where nothing changes.

    Its lines are those of the files, byte for byte: only line feeds end them, as for git. The names
    are from the folder where the diff is to be applied, None for a file that is not there.
    """
    import difflib  # noqa: PLC0415 - only where text changes

    # In Latin-1 each byte is one character.
    mine, theirs = (list(io.StringIO(data.decode("latin-1"), "\n")) for data in (old, new))
    lines = difflib.unified_diff(mine, theirs)
    result = [b"--- " + _header("a", before), b"+++ " + _header("b", after)]
    for line in islice(lines, 2, None):
        result.append(line.encode("latin-1"))
        if not line.endswith("\n"):
            result[-1] += b"\n"
            result.append(b"\\ No newline at end of file\n")
    return result if len(result) > 2 else []


def _header(side: str, name: str | None) -> bytes:
    """Return what the header of a diff calls a file, with the line feed."""
    if name is None:
        return b"/dev/null\n"
    written = quoted(f"{side}/{name}")
    # Without a tab a name would end at its first space.
    return written + (b"\t\n" if b" " in written else b"\n")


def quoted(name: str) -> bytes:
    """Return a name as git writes it: between quotes, escaped, where it is not plain text."""
    data = os.fsencode(name)
    if name.isprintable() and not set('"\\') & set(name):
        return data
    return f'"{"".join(map(_escaped, data))}"'.encode()


def _escaped(byte: int) -> str:
    if byte in _LETTERS:
        return f"\\{_LETTERS[byte]}"
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def patch_name(path: str) -> str:
    """Return the name by which a diff finds a file from the current folder.

    Neither git nor patch writes through links, or to what is named by `..`: it is the name of the
    file itself, of one that is not below the current folder that from the root.
    """
    real = Path(os.path.realpath(path))
    here = Path(os.path.realpath(os.curdir))
    if real.is_relative_to(here):
        return real.relative_to(here).as_posix()
    return real.as_posix().lstrip("/")
