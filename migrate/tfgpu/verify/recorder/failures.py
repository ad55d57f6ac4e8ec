"""How a program ended, in words that a report can use."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import traceback
from typing import Any

from .alias import is_own

_HEADING = re.compile(
    r"Graph execution error:|Detected at node |Node: '|\d+ root error|in user code:"
)
_PLACE = re.compile(r'\s*File "')
_NUMBER = re.compile(r"^\(\d+\) ")  # of several errors


def exit_status(code: object) -> int:
    """Return the status that a process gets from sys.exit(), which prints what is no number."""
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code) & 0xFF
    with contextlib.suppress(Exception):  # the program's own sys.stderr
        print(code, file=sys.stderr)
    return 1


def describe(error: BaseException, root: str) -> dict[str, Any]:
    """Return what a report says of an exception."""
    module = type(error).__module__
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_own(frame.filename, root)]
    place = own[-1] if own else None
    return {
        "kind": type(error).__name__,
        "message": said(text_of(error)).replace(root + os.sep, "")[:1000],
        "source": place_of(place.filename, place.lineno, root) if place else "",
        "modules": _modules(error, root),
        "traceback": "".join(traceback.format_exception(type(error), error, error.__traceback__))[
            -8000:
        ],
        "tensorflow": module.split(".")[0] in ("tensorflow", "tensorflow_core"),
    }


def _modules(error: BaseException, root: str) -> list[str]:
    """Return the names of the program's modules in which an exception was raised or passed on."""
    found: dict[str, None] = {}
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if is_own(frame.f_code.co_filename, root):
            found[str(frame.f_globals.get("__name__"))] = None
    return list(found)


def text_of(error: BaseException) -> str:
    """Return an exception's text, "" where it cannot say it."""
    try:
        return str(error)
    except Exception:  # of the program
        return ""


def said(text: str) -> str:
    """Return the line of a message that says what is wrong, "" where there is none.

    TensorFlow 2 begins with headings and the places that made the operation.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    place = None  # how far the place above is indented; the code below it is further
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if _PLACE.match(line):
            place = indent
        elif not (place is not None and indent > place) and not _HEADING.match(line):
            return _NUMBER.sub("", line.strip())
        else:
            place = None
    return lines[0].strip() if lines else ""


def place_of(path: str, line: int | None, root: str) -> str:
    """Return `path:line`, the path as seen from the program's folder."""
    return f"{os.path.relpath(path, root)}:{line}"
