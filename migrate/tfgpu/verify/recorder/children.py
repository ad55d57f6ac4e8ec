"""Processes that a leg starts: each writes a part of its own, beside the record of the leg.

A fork goes on with the recorder that it has. Another Python loads one at its start: C's
environment, which every program inherits, leads it to `child/sitecustomize.py`. What the program
itself reads, and passes on, of the environment stays what it is. An environment of its own that it
gives a child has no variables of the simulated GPUs: the child finds GPUs all the same, as it would
find real ones.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from json import dumps  # the program may put another function in its place
from typing import Any

from . import pools
from .alias import is_own
from .assumptions import NEVER_BEHIND, Assumptions
from .commands import Commands
from .failures import describe, exit_status
from .importing import see_module, when_imported
from .marks import Marks
from .observer import Observer
from .reads import Reads
from .stream import Stream, flush, keep_log
from .stubs import stand_in

_JOB = "TFGPU_CHILD"
_PATH = "PYTHONPATH"
_LIBRARIES = "LD_LIBRARY_PATH"
_HOOK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "child")
_WORKERS = ("worker", "_process_worker")  # of a pool: which of them gets what is chance
_LONGEST = 40  # letters of what a process is given


class Children:
    """Makes the processes that this one starts write parts of the record."""

    def __init__(self, observer: Observer, parent: str = "", order: tuple[int, ...] = ()) -> None:
        self._observer = observer
        self._parent = parent
        observer.order = order
        self._starts = 0
        self.commands = Commands(observer)
        folder = os.path.dirname(os.path.abspath(observer.job["out"]))
        self._folder = folder if parent else os.path.join(folder, "parts")
        os.makedirs(self._folder, exist_ok=True)
        self._job = ("", "")
        self._simulated = observer.job.get("simulated") or _simulated(observer.job)
        self._status = 0
        observer.what = self.what
        observer.parts = "" if parent else self._folder
        self._failure: Any = None
        self._forks = self._next = self._number = self._started = 0
        os.register_at_fork(before=self._forks_now, after_in_child=self._forked)
        _wrap_starts(self)
        self._watch_end()
        see_module("multiprocessing.util", self._watch_processes)
        pools.watch(observer, self._folder)

    # --- what a child finds ---

    def variables(self, around: Mapping[str, str], follows: bool = False) -> dict[str, str]:
        """Return the variables that lead a child to the recorder and to simulated GPUs.

        `around` is the environment that it would have. It may be what this process becomes itself,
        and `follows` it then.
        """
        given = self._observer.job
        job = {
            **given,
            # Somebody waits for what a child does; what a fork becomes is a child, too.
            "steps": given["steps"] if follows else 0,
            "tried": True,
            "needs_stand_in": bool(given.get("needs_stand_in") or given["stands_in"]),
            "stands_in": self._observer.stands_in or given["children_stand_in"],
            # What has no end in a process: two places of it in an order that must not be.
            "assumptions": [row for row in given["assumptions"] if row["kind"] == NEVER_BEHIND],
            "simulated": self._simulated,
        }
        file = os.path.join(self._folder, f"{os.getpid()}.job")
        text = dumps(job)
        if (file, text) != self._job:  # too long for a variable
            self._job = (file, text)
            with open(file, "w", encoding="utf-8") as written:
                written.write(text)
        found = {_PATH: _first(_HOOK, around.get(_PATH)), **self._simulated}
        if self._simulated:
            folder, folders = os.path.dirname(given["driver"]), around.get(_LIBRARIES)
            if folder not in (folders or "").split(os.pathsep):
                found[_LIBRARIES] = _first(folder, folders)
        child = {
            "job": file,
            "folder": self._folder,
            "parent": self.what(),
            "order": [*self._observer.order, self._place()],
            "around": {name: around.get(name) for name in found},
        }
        return {_JOB: dumps(child), **found}

    def starts(self) -> None:
        """Count a process that is to be started."""
        self._starts += threading.current_thread() is threading.main_thread()

    def runs(self, words: Any, around: Mapping[str, str] | None = None) -> int:
        """Note a command that is to be started, `around` is an environment of its own."""
        self.starts()
        return self.commands.note([*self._observer.order, self._place()], words, around)

    def _place(self) -> int:
        """Return which of the processes that the first thread starts is the next, 0 of another."""
        return self._starts if threading.current_thread() is threading.main_thread() else 0

    def lend(self, follows: bool = False) -> None:
        """Put them into C's environment; os.environ does not show them."""
        libc = ctypes.CDLL(None)
        for name, value in self.variables(os.environ, follows).items():
            libc.setenv(os.fsencode(name), os.fsencode(value), 1)

    def what(self) -> str:
        """Return what this process runs, in words that both legs share; "" for the leg itself."""
        return (
            self._parent
            and f"{self._parent}{_words(self._observer.job, self._parent, self._number)}"
        )

    # --- forks ---

    def _forks_now(self) -> None:
        is_first = threading.current_thread() is threading.main_thread()
        self._forks += is_first
        self._next = self._forks if is_first else 0
        self.starts()
        self._started = self._place()

    def _forked(self) -> None:
        """Go on in a fork, with a part of its own."""
        if self._observer.is_trial:
            return
        self._parent = f"{self.what()}{' > ' if self.what() else ''}fork"
        self._forks, self._number, self._starts = 0, self._next, 0
        self._observer.order = (*self._observer.order, self._started)
        self._observer.parts = ""
        out = new_part(self._folder)
        keep_log(out + ".log")
        self._observer.goes_on_as_child(out)
        self._status, self._failure = 0, None

    # --- the end ---

    def _watch_end(self) -> None:
        leave, end, hook = os._exit, sys.exit, sys.excepthook

        def _exit(status: int) -> None:
            self.finish(status)
            flush()
            leave(status)

        def exit(status: Any = None) -> None:
            self._status = status if isinstance(status, int) else int(status is not None)
            end(status)

        def excepthook(kind: Any, error: Any, trace: Any) -> None:
            self._failure = error
            hook(kind, error, trace)

        os._exit = _named(_exit, leave)
        if self._parent:
            sys.exit = _named(exit, end)
            sys.excepthook = excepthook
            atexit.register(lambda: self.finish(self._status))

    def _watch_processes(self, util: Any) -> None:
        """See the error of a process of multiprocessing, which only prints it."""
        exit_function = util._exit_function

        def _exit_function(*arguments: Any) -> None:
            error = sys.exc_info()[1]
            if error is not None and not isinstance(error, SystemExit):
                self._failure = error
            exit_function(*arguments)

        util._exit_function = _exit_function

    def finish(self, status: int) -> None:
        """Write the end of this process, in a leg's own process that of `os._exit`."""
        if self._parent:
            self._observer.errors.finish()
        self._observer.finish()
        if self._observer.is_trial:
            return
        ended, failure, behind = "exit" if status else "end", None, ""
        if not self._parent and status and self._observer.steps.skips:
            behind = f"exit status {exit_status(status)}"
            ended, status = "steps", 0  # it may come of old results
        if self._parent and self._failure is not None:
            ended, status = "exception", 1
            failure = describe(self._failure, self._observer.root)
        if status and self._observer.job.get("needs_stand_in") and not self._observer.stands_in:
            reason = "a child failed that may need TensorFlow 1; what started it ran without"
            self._observer.stream.write("trouble", reason=reason)
        self._observer.end(ended, exit_status(status), failure, behind)


def begin() -> None:
    """Record this process, which another one has started."""
    given = json.loads(os.environ.pop(_JOB))
    for name, value in given["around"].items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    with open(given["job"], encoding="utf-8") as file:
        job = {**json.load(file), "out": new_part(given["folder"])}
    stream = Stream(job["out"])
    observer = Observer(job, stream, job["out"] + ".log")
    observer.order = tuple(given["order"])
    observer.start()
    stand_in(job["stubs"], observer)
    parent = (given["parent"] and given["parent"] + " > ") + "python"
    children = Children(observer, parent, tuple(given["order"]))
    observer.reads = Reads(observer)
    observer.assumptions = Assumptions(job["assumptions"], observer, stream)
    marks = Marks(job["marks"], observer.assumptions.checks, stream, job["root"])
    observer.marks = marks
    when_imported("tensorflow", observer)
    marks.watch_script(sys.argv[0] if getattr(sys, "argv", None) else "")
    children.lend()
    keep_driver(job)


def keep_driver(job: Mapping[str, Any]) -> None:
    """Let the simulated driver keep what it is told: the program may clear its environment.

    It has the name by which `forks.py` may have opened it already.
    """
    if job["driver"]:
        with contextlib.suppress(OSError):  # TensorFlow does not find it, either, which is seen
            ctypes.CDLL(os.path.basename(job["driver"])).sim_keep_settings()


def _simulated(job: Mapping[str, Any]) -> dict[str, str]:
    """Return the variables that describe the simulated GPUs of a leg; none on real ones."""
    if not job["driver"]:
        return {}
    return {name: value for name, value in os.environ.items() if name.startswith("TFGPU_SIM_")}


def _first(path: str, rest: str | None) -> str:
    return f"{path}{os.pathsep}{rest}" if rest else path


def new_part(folder: str) -> str:
    """Return a path for the part of this process; a process id may come again."""
    return os.path.join(folder, f"{time.monotonic_ns():020}-{os.getpid()}.jsonl")


def _plain(given: Any) -> str:
    """Return the text of a number or word that a process is given, "" of anything else."""
    is_plain = given is None or isinstance(given, (bool, int, float, str))
    return repr(given) if is_plain and len(str(given)) <= _LONGEST else ""


def _words(job: Mapping[str, Any], start: str, number: int) -> str:
    """Return what this process runs: its target in multiprocessing, its arguments elsewhere.

    A fork is told by its number among those of the first thread of its parent. Paths are those from
    the program's folder, as two versions of it may stand in two.
    """
    multiprocessing: Any = sys.modules.get("multiprocessing.process")
    if multiprocessing is not None:
        process = multiprocessing.current_process()
        target = getattr(process, "_target", None)
        if target is not None:
            name = getattr(target, "__name__", type(target).__name__)
            code = getattr(target, "__code__", None)
            if name in _WORKERS and not (code and is_own(code.co_filename, job["root"])):
                return " pool worker"
            named = {key: _plain(value) for key, value in process._kwargs.items()}
            given = [*map(_plain, process._args), *(v and f"{k}={v}" for k, v in named.items())]
            return f" {name}({', '.join(filter(None, given))})"
    if start.endswith("fork"):
        return f" {number}" if number else ""
    words = " ".join(["", *(getattr(sys, "argv", None) or [])])
    for folder in (os.path.dirname(job["script"]), job["root"]):
        words = words.replace(folder + os.sep, "")
    return words


def _wrap_starts(children: Children) -> None:
    """See to it that every way to start a program passes the variables on.

    Programs that are started with C's environment have them; an environment of the program's own
    gets them added.
    """
    import _posixsubprocess  # noqa: PLC0415 - not everywhere

    fork_exec = _posixsubprocess.fork_exec

    def started(*arguments: Any) -> Any:
        given = list(arguments)
        number = children.runs(given[0], None if given[5] is None else _environment(given[5]))
        children.lend()
        if given[5] is not None:  # env_list
            given[5] = _added(given[5], children)
        process = fork_exec(*given)
        children.commands.has_process(number, process)
        return process

    _posixsubprocess.fork_exec = started
    subprocess: Any = sys.modules.get("subprocess")
    if subprocess is not None and hasattr(subprocess, "_fork_exec"):
        subprocess._fork_exec = started
    for name in ("execv", "system"):
        start = getattr(os, name)
        setattr(os, name, _named(_lending(start, children), start))
    for name in ("execve", "posix_spawn", "posix_spawnp"):
        if hasattr(os, name):  # posix_spawn came with Python 3.8
            start = getattr(os, name)
            setattr(os, name, _named(_adding(start, children), start))


def _named(function: Any, stands_for: Any) -> Any:
    """Return a function that is pickled by the name of the one that it stands for.

    `pool.map(os.system, commands)` sends the function to the workers of a pool.
    """
    function.__name__ = function.__qualname__ = stands_for.__name__
    module = stands_for.__module__
    function.__module__ = "os" if module == os.name else module
    return function


def _lending(start: Callable[..., Any], children: Children) -> Callable[..., Any]:
    follows = _follows(start)

    def started(*arguments: Any, **options: Any) -> Any:
        number = children.runs(arguments[-1] if arguments else [*options.values()][-1])
        children.lend(follows)
        status = start(*arguments, **options)
        children.commands.ended(number, os.WEXITSTATUS(status))
        return status

    return started


def _adding(start: Callable[..., Any], children: Children) -> Callable[..., Any]:
    """Add to the third argument, an environment."""
    follows = _follows(start)

    def started(path: Any, argv: Any, env: Any, *rest: Any, **options: Any) -> Any:
        children.runs(argv, {os.fsdecode(name): os.fsdecode(env[name]) for name in env})
        given = {os.fsencode(name): os.fsencode(value) for name, value in env.items()}
        pairs = _added([name + b"=" + value for name, value in given.items()], children, follows)
        whole = dict(pair.split(b"=", 1) for pair in pairs)
        return start(path, argv, whole, *rest, **options)

    return started


def _follows(start: Callable[..., Any]) -> bool:
    """Tell whether what a function starts takes the place of this process."""
    return start.__name__.startswith("exec")


def _added(pairs: Any, children: Children, follows: bool = False) -> list[bytes]:
    """Return the `NAME=value` of an environment with the variables of the recorder."""
    found = children.variables(_environment(pairs), follows)
    kept = [pair for pair in pairs if os.fsdecode(pair).partition("=")[0] not in found]
    return [*kept, *(os.fsencode(f"{name}={value}") for name, value in found.items())]


def _environment(pairs: Any) -> dict[str, str]:
    """Return the variables of `NAME=value`."""
    return dict(os.fsdecode(pair).partition("=")[::2] for pair in pairs)
