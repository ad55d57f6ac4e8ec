"""Runs legs in forks of one process that has imported TensorFlow, each kept apart by a launcher.

The import opens no GPU and reads nothing of the simulation (CUDA is initialised at the first
question about devices), so that a fork is as fresh as a new process, and some seconds cheaper. It
gets lines of JSON, the first when TensorFlow is loaded or before, and answers each with a line when
its legs have ended:

    {"forks": how many at once,
     "legs": [{"task", "job", "environment", "stdout", "stderr", "timeout"}]}

`task` is the file of a launcher's task, `job` that of the recorder's, `timeout` in seconds. A
program that has modules of its own in place of some that the import has loaded is not started: it
would not get them. This module is for the Python of tfgpu (3.10), whose launcher it imports.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from typing import Any

from .leg import run
from .stream import flush

_PRELOADED = ("tensorflow", "tensorflow.compat.v1")

# How long a launcher may take to end what its leg has started, in seconds.
_CLEARING = 20
_POLL = 0.02

# What changes files without opening them, as Python's audit events.
_CHANGES = frozenset(
    f"os.{name}"
    for name in (
        "chmod",
        "chown",
        "link",
        "mkdir",
        "remove",
        "rename",
        "rmdir",
        "symlink",
        "truncate",
        "utime",
    )
)


def fork_legs(packages: str, driver: str) -> None:
    """Run the legs that standard input asks for.

    `packages` is the folder with tfgpu, `driver` that of the simulated one, "" for real GPUs.
    """
    launcher = _launcher(packages)
    launcher.system.end_with_parent(signal.SIGTERM)
    there = _top_names()
    gc.disable()  # the import makes many objects and little garbage: a quarter of its time
    with _read_only():
        for name in _PRELOADED:
            importlib.import_module(name)
    _open_once(driver)
    gc.collect()
    gc.freeze()  # else the first collection of each fork copies all that was imported
    gc.enable()
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    with open(os.devnull, "r+", encoding="ascii") as nothing:
        for stream in (0, 1):
            os.dup2(nothing.fileno(), stream)
    forks = _Forks(launcher, _top_names() - there, {questions.fileno(), answers.fileno()})
    for line in questions:
        asked = json.loads(line)
        forks.run(asked["forks"], asked["legs"])
        print("done", file=answers, flush=True)


def _open_once(driver: str) -> None:
    """Open the simulated libraries by all their names, which are one object.

    In the view of a leg that is another file: a name that is opened there for the first time would
    be a second driver, which knows neither the memory nor the kernels of the first one.
    """
    for name in os.listdir(driver) if driver else ():
        if name.startswith("lib"):
            ctypes.CDLL(name)


def _top_names() -> set[str]:
    return {name.partition(".")[0] for name in sys.modules}


def _launcher(packages: str) -> Any:
    """Import tfgpu's launcher, and leave no trace of tfgpu for the programs."""
    sys.path.insert(0, packages)
    found = importlib.import_module("tfgpu.verify.isolation.launcher")
    sys.path.remove(packages)
    for name in [name for name in sys.modules if name.split(".")[0] == "tfgpu"]:
        del sys.modules[name]
    return found


@contextlib.contextmanager
def _read_only() -> Iterator[None]:
    """Refuse to write files: this process is not kept from the user's, only its legs are.

    Keras tries to write its settings when it is imported, and goes on without; `tempfile` tries
    its folder, and a leg has another one.
    """
    refused = [True]

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if refused and (event in _CHANGES or (event == "open" and _writes(*arguments))):
            raise PermissionError(f"{event}: nothing is written before a leg is apart")

    sys.addaudithook(refuse)
    tempfile.tempdir = os.environ.get("TMPDIR", "/tmp")
    writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    yield
    sys.dont_write_bytecode = writes_bytecode
    tempfile.tempdir = None
    refused.clear()  # a hook stays for good


def _writes(path: object, _: object, flags: int) -> bool:
    if isinstance(path, int) or os.fsdecode(path).startswith("/dev/"):  # type: ignore[arg-type]
        return False
    return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))


class _Forks:
    """The legs that wait, and those that run, by the process of their launcher."""

    def __init__(self, launcher: Any, imported: set[str], own_files: set[int]) -> None:
        self._launcher = launcher
        self._imported = imported  # with TensorFlow
        self._waiting: list[dict[str, Any]] = []
        # When each has to be told to end, and with which signal.
        self._running: dict[int, tuple[float, int]] = {}
        self._files = _open_files() - own_files
        signal.signal(signal.SIGTERM, self._stop)

    def run(self, most: int, legs: list[dict[str, Any]]) -> None:
        """Run legs, so many at once, to their ends."""
        self._waiting = [leg for leg in reversed(legs) if not self._imported & _own_names(leg)]
        while self._waiting or self._running:
            while self._waiting and len(self._running) < most:
                # `_stop` waits until it knows the process, which waits until its launcher listens.
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
                leg = self._waiting.pop()
                process = self._fork(leg)
                end = time.monotonic() + leg["timeout"]
                self._running[process] = (end, signal.SIGTERM)
                signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
            done = os.waitpid(-1, os.WNOHANG)[0]
            if done:
                del self._running[done]
                continue
            self._end_overdue()
            time.sleep(_POLL)

    def _stop(self, *_: object) -> None:
        if not self._running:
            sys.exit()
        self._waiting.clear()
        now = time.monotonic()
        self._running = {process: (now, number) for process, (_, number) in self._running.items()}

    def _end_overdue(self) -> None:
        now = time.monotonic()
        for process, (end, number) in list(self._running.items()):
            if now > end:
                os.kill(process, number)
                self._running[process] = (now + _CLEARING, signal.SIGKILL)

    def _fork(self, leg: dict[str, Any]) -> int:
        flush()
        process = os.fork()
        if process:
            return process
        status = self._launcher.CANNOT_START
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            for stream, path in ((1, leg["stdout"]), (2, leg["stderr"])):
                file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
                os.dup2(file, stream)
                os.close(file)
            self._launcher.main(leg["task"], lambda _: self._become(leg))
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else status
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)

    def _become(self, leg: dict[str, Any]) -> None:
        """Run a leg in this process, which is its own, and end."""
        status = 1
        try:
            for number in _open_files() - self._files:
                os.close(number)
            os.environ.clear()
            os.environ.update(leg["environment"])
            with open(leg["job"], encoding="utf-8") as file:
                job = json.load(file)
            run(job)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            atexit._run_exitfuncs()
            flush()
            os._exit(status)


def _own_names(leg: dict[str, Any]) -> set[str]:
    """Return the names that the modules beside a program, and in its further paths, may have."""
    with open(leg["job"], encoding="utf-8") as file:
        job = json.load(file)
    found: set[str] = set()
    for folder in (os.path.dirname(job["script"]), job["root"], *job["paths"]):
        with contextlib.suppress(OSError):
            found.update(name.partition(".")[0] for name in os.listdir(folder))
    return found


def _open_files() -> set[int]:
    found = set()
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # that of the list itself
            os.fstat(int(name))
            found.add(int(name))
    return found
