"""Runs one program as `python program.py` would, under observation."""

from __future__ import annotations

import builtins
import contextlib
import os
import re
import sys
import threading
import traceback
from types import ModuleType
from typing import Any

from .alias import Gone, is_own
from .assumptions import Assumptions
from .importing import when_imported
from .marks import Marks
from .observer import Observer
from .stream import Stream

_HEADING = re.compile(
    r"Graph execution error:|Detected at node |Node: '|\d+ root error|in user code:"
)
_KERAS_SESSION = re.compile(r"keras.*((set|get|clear)_session|tensorflow_backend)")
_PLACE = re.compile(r'\s*File "')
_NUMBER = re.compile(r"^\(\d+\) ")  # of several errors


def run(job: dict[str, Any]) -> None:
    """Run the program of a job and write what it showed.

    A job has `script`, `argv`, `root` (the folder that holds the program), `paths` (for sys.path),
    `out` (the record), `steps` (0: to the end), `stands_in` (tensorflow stands for compat.v1
    where the program does not run as it is),
    `legacy_keras`, `marks` (lines of statements by path, to note which of them run), `assumptions`
    (rows of `assumptions.for_job`), `driver` (the
    simulated libraries, "" for real GPUs) and `work` (put the session of a program that runs
    nothing itself to work).
    """
    stream = Stream(job["out"])
    stream.write("start", python=sys.version.split()[0], process=os.getpid())
    observer = Observer(job, stream)
    when_imported("tensorflow", observer)
    script = job["script"]
    marks = Marks(
        job["marks"],
        Assumptions(job["assumptions"], observer, stream).checks,
        stream,
        job["root"],
    )
    sys.argv = [script] + job["argv"]
    sys.path[:0] = [os.path.dirname(script)] + job["paths"]
    main = ModuleType("__main__")
    main.__dict__.update(__file__=script, __cached__=None, __builtins__=builtins)
    sys.modules["__main__"] = main
    ended, status, failure = "end", 0, None
    try:
        with open(script, "rb") as file:
            code = marks.compile(file.read(), script)
        exec(code, main.__dict__)
        if job["work"]:
            observer.work(main)
    except SystemExit as error:
        status = exit_status(error.code)
        ended = "exit" if status else "end"
        if status and observer.skips:
            ended, status = "steps", 0
    except BaseException as error:  # whatever the program raises is its outcome
        ended, status = ("steps", 0) if observer.skips else ("exception", 1)
        failure = describe(error, job["root"])
        with contextlib.suppress(Exception):  # the program's own sys.stderr
            traceback.print_exc()
        if observer.skips:  # it may come of old results
            failure = None
        reason = gone(error, job["stands_in"])
        if reason:
            stream.write("trouble", reason=reason, gone=True)
    join_threads()
    observer.finish()
    stream.write("end", ended=ended, status=status, failure=failure)
    if ended not in ("end", "steps"):
        sys.exit(status)


def exit_status(code: object) -> int:
    """Return the status that a process gets from sys.exit(), which prints what is no number."""
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code) & 0xFF
    with contextlib.suppress(Exception):  # the program's own sys.stderr
        print(code, file=sys.stderr)
    return 1


def join_threads() -> None:
    """Wait for the program's threads, as Python does at its end."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()


def gone(error: BaseException, stands_in: bool) -> str:
    """Return why a program of TensorFlow 1 cannot run on TensorFlow 2, "" where that is not it."""
    if not stands_in or not isinstance(error, (AttributeError, ImportError)):
        return ""
    if _KERAS_SESSION.search(text_of(error)):
        return (
            f"{error}: Keras 3 has no sessions; install tf-keras beside TensorFlow, or run this "
            "side on an older one (--before-python)"
        )
    module = (error.name or "").split(".")[0] if isinstance(error, ImportError) else ""
    return str(error) if isinstance(error, Gone) or module in ("tensorflow", "keras") else ""


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
        "traceback": "".join(traceback.format_exception(type(error), error, error.__traceback__))[
            -8000:
        ],
        "tensorflow": module.split(".")[0] in ("tensorflow", "tensorflow_core"),
    }


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
