"""Runs one program as `python program.py` would, under observation."""

from __future__ import annotations

import atexit
import builtins
import contextlib
import importlib.util
import os
import re
import sys
import threading
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .alias import Gone, is_own
from .assumptions import Assumptions
from .children import Children, keep_driver
from .failures import describe, exit_status, text_of
from .importing import when_imported
from .marks import Marks
from .numbers import Numbers
from .observer import Observer
from .reads import Reads
from .saves import Saves
from .stream import Stream
from .stubs import stand_in
from .synthetic import Synthetic

_KERAS_SESSION = re.compile(
    r"keras.*((set|get|clear)_session|tensorflow_backend)"
    r"|compat\.v1\.(keras|layers)|not available with Keras 3"
)


def run(job: dict[str, Any], then: Callable[[Observer], None] | None = None) -> None:
    """Run the program of a job and write what it showed; `then` is called behind the program.

    A job has `script`, `module` (what `python -m` would run of it, or ""), `source` (what is run of
    a notebook, or None), `argv`, `root` (the folder that holds the program), `paths` (for
    sys.path), `out` (the record), `begun` (when the leg was laid out: what is younger it has
    written), `steps` (0: to the end), `stands_in` (tensorflow stands for
    compat.v1 where the program does not run as it is), `version1`, `children_stand_in` (of
    `legs.Program`), `legacy_keras`, `marks` (statements by path,
    to note which of them run), `assumptions` (rows of `assumptions.for_job`), `driver` (the
    simulated libraries, "" for real GPUs), `until` (stop at the first session), `goes_on` (with
    zeros behind it), `stubs` (modules that are stood in for), `synthetic` (make data that is
    missing) and `numbers` (compute them on the CPU and note them).
    """
    leaving = Leaving(job["root"])
    observer = watched(job)
    stream = observer.stream
    script = job["script"]
    sys.argv = [script] + job["argv"]
    first = os.getcwd() if job["module"] else os.path.dirname(script)
    sys.path[:0] = [first] + job["paths"]
    main = main_module(script)
    ended, status, failure, behind = "end", 0, None, ""
    lacks_a_name = False  # of TensorFlow 1
    try:
        if job["module"]:
            be_module(main, job["module"])
        exec(observer.marks.compile(source_of(job, main), script), main.__dict__)
        if then:
            then(observer)
    except SystemExit as error:
        status = exit_status(error.code)
        ended = "exit" if status else "end"
        if status and observer.steps.skips:
            ended, status, behind = "steps", 0, f"exit status {status}"
    except BaseException as error:  # whatever the program raises is its outcome
        ended, status = ("steps", 0) if observer.steps.skips else ("exception", 1)
        failure = describe(error, job["root"])
        with contextlib.suppress(Exception):  # the program's own sys.stderr
            traceback.print_exc()
        if observer.steps.skips:  # it may come of old results
            behind, failure = type(error).__name__, None
        lacks_a_name = isinstance(error, AttributeError) and "tensorflow" in text_of(error)
        reason = gone(error, job["stands_in"], job["version1"])
        if reason:
            stream.write("trouble", reason=reason, gone=True)
    join_threads()
    leaving.run(observer.errors)
    observer.errors.finish()
    refused = observer.until.reach()
    if refused and failure is None:
        ended, status, failure = "exception", 1, refused
    observer.finish()
    observer.end(ended, status, failure, behind)
    came_so_far = observer.until.was_reached and not lacks_a_name
    if ended not in ("end", "steps") and not came_so_far:
        sys.exit(status)


def watched(job: dict[str, Any]) -> Observer:
    """Return what watches the program of a job from now on."""
    stream = Stream(job["out"])
    observer = Observer(job, stream)
    observer.start()
    stand_in(job["stubs"], observer)
    # Both may replace `open`, and synthetic data asks which file calls it.
    observer.reads = Reads(observer)
    observer.synthetic = Synthetic(observer) if job["synthetic"] or job["stubs"] else None
    observer.numbers = Numbers(observer) if job["numbers"] else None
    observer.saves = Saves(observer)
    children = Children(observer)
    observer.assumptions = Assumptions(job["assumptions"], observer, stream)
    observer.marks = Marks(job["marks"], observer.assumptions.checks, stream, job["root"])
    when_imported("tensorflow", observer)
    children.lend()
    keep_driver(job)
    return observer


def main_module(script: str) -> ModuleType:
    """Return the main module of a script, which is the process's from now on."""
    main = ModuleType("__main__")
    main.__dict__.update(__file__=script, __cached__=None, __builtins__=builtins)
    sys.modules["__main__"] = main
    return main


def be_module(main: ModuleType, name: str) -> None:
    """Let the main module be one of a package, as `python -m` does; this imports the package."""
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = importlib.util.find_spec(name + ".__main__")
    if spec is None:
        raise ImportError(f"No module named {name}")
    main.__spec__ = spec
    main.__package__ = spec.parent


def source_of(job: dict[str, Any], main: ModuleType) -> bytes:
    """Return the code of a program; that of a notebook has the names that IPython gives it."""
    if job["source"] is not None:
        main.__dict__.update(display=print, get_ipython=lambda: None, IPython=lambda *_: None)
        return bytes(job["source"].encode())
    with open(job["script"], "rb") as file:
        return file.read()


def join_threads() -> None:
    """Wait for the program's threads, as Python does at its end, when pools end their own."""
    for call in reversed(getattr(threading, "_threading_atexits", ())):  # from Python 3.9 on
        call()
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()


def gone(error: BaseException, stands_in: bool, version1: bool) -> str:
    """Return why a program of TensorFlow 1 cannot run on TensorFlow 2, "" where that is not it."""
    if not (stands_in or version1) or not isinstance(error, (AttributeError, ImportError)):
        return ""
    if _KERAS_SESSION.search(text_of(error)):
        return (
            f"{error}: Keras 3 has no sessions; install tf-keras beside TensorFlow and set "
            "TF_USE_LEGACY_KERAS=1, or run this side on an older one (--before-python)"
        )
    if not stands_in:
        return ""
    module = (error.name or "").split(".")[0] if isinstance(error, ImportError) else ""
    return str(error) if isinstance(error, Gone) or module in ("tensorflow", "keras") else ""


class Leaving:
    """What the program's own code registers; that of libraries is left to Python."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._left: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []
        self._register, self._unregister = atexit.register, atexit.unregister
        atexit.register = self._registered  # type: ignore[assignment]
        atexit.unregister = self._taken_back

    def _registered(self, function: Any, *args: Any, **given: Any) -> Any:
        if not is_own(sys._getframe(1).f_code.co_filename, self._root):
            return self._register(function, *args, **given)
        self._left.append((function, args, given))
        return function

    def _taken_back(self, function: Any) -> None:
        self._left[:] = [one for one in self._left if one[0] != function]
        self._unregister(function)

    def run(self, errors: Any) -> None:
        """Run it, what came last first; errors are printed and change no exit status."""
        while self._left:
            function, args, given = self._left.pop()
            try:
                function(*args, **given)
            except SystemExit:
                continue
            except BaseException as error:
                traceback.print_exc()
                errors.note("in atexit", error)
