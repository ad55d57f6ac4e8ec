"""Runs one program as `python program.py` would, under observation."""

from __future__ import annotations

import os
import re
import sys
import traceback
from types import ModuleType
from typing import Any

from .alias import Gone
from .importing import when_imported
from .observer import Observer
from .stream import Stream

_HEADING = re.compile(
    r"Graph execution error:|Detected at node |Node: '|\d+ root error|in user code:"
)
_PLACE = re.compile(r'\s*File "')
_NUMBER = re.compile(r"^\(\d+\) ")  # of several errors


def run(job: dict[str, Any]) -> None:
    """Run the program of a job and write what it showed.

    A job has `script`, `argv`, `root` (the folder that holds the program), `paths` (for sys.path),
    `out` (the record), `steps` (0: to the end), `stands_in` (tensorflow stands for compat.v1),
    `legacy_keras`, `driver` (the simulated libraries, "" for real GPUs) and `work` (put the session
    of a program that runs nothing itself to work).
    """
    stream = Stream(job["out"])
    stream.write("start", python=sys.version.split()[0])
    observer = Observer(job, stream)
    when_imported("tensorflow", observer)
    script = job["script"]
    sys.argv = [script] + job["argv"]
    sys.path[:0] = [os.path.dirname(script)] + job["paths"]
    main = ModuleType("__main__")
    main.__file__ = script
    main.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    ended, status, failure = "end", 0, None
    try:
        with open(script, "rb") as file:
            code = compile(file.read(), script, "exec", dont_inherit=True)
        exec(code, main.__dict__)
        if job["work"]:
            observer.work(main)
    except SystemExit as error:
        if error.code is not None and error.code != 0:
            ended, status = "exit", error.code if isinstance(error.code, int) else 1
            if not isinstance(error.code, int):
                print(error.code, file=sys.stderr)
    except BaseException as error:  # whatever the program raises is its outcome
        ended, status = "exception", 1
        failure = describe(error, job["root"])
        traceback.print_exc()
        if isinstance(error, Gone) or gone_module(error, job["stands_in"]):
            stream.write("trouble", reason=str(error), gone=True)
    observer.finish()
    stream.write("end", ended=ended, status=status, failure=failure)
    if ended != "end":
        sys.exit(status)


def gone_module(error: BaseException, stands_in: bool) -> bool:
    """Tell whether a program of TensorFlow 1 failed for a module that TensorFlow 2 has not."""
    return (
        stands_in
        and isinstance(error, ImportError)
        and (error.name or "").split(".")[0] in ("tensorflow", "keras")
    )


def describe(error: BaseException, root: str) -> dict[str, Any]:
    """Return what a report says of an exception."""
    module = type(error).__module__
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(root + os.sep)]
    place = own[-1] if own else None
    return {
        "kind": type(error).__name__,
        "message": said(str(error)).replace(root + os.sep, "")[:1000],
        "source": place_of(place.filename, place.lineno, root) if place else "",
        "traceback": "".join(traceback.format_exception(type(error), error, error.__traceback__))[
            -8000:
        ],
        "tensorflow": module.split(".")[0] in ("tensorflow", "tensorflow_core"),
    }


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
