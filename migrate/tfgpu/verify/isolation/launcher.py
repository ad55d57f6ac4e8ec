"""The process around a leg: builds what it sees, starts it, and ends all that it started.

It gets the path of a JSON file with a `Task` and writes a JSON file with what became of the leg:
its wait status, its memory, and the paths that it wrote to; or `error`, where nothing was started.
A leg is a command, or what the process that forked this one has loaded (see `recorder/forks.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from tfgpu.verify.isolation import system
from tfgpu.verify.isolation.guard import guard
from tfgpu.verify.isolation.processes import (
    LOOK,
    Watch,
    end_descendants,
    still_there,
    work_of_all,
)
from tfgpu.verify.isolation.view import View

CANNOT_START = 125

# What asks a launcher to end its leg.
_END = (signal.SIGTERM,)

# What a leg has left goes on behind it while it works, as it would without a launcher. Seconds
# between two looks at it, seconds that it may rest, and all that it has.
_POLL, _REST, _LONGEST = 0.1, 1.0, 60.0

_Run = Callable[[dict[str, Any]], None]
_Tell = Callable[..., None]


def execute(task: dict[str, Any]) -> None:
    """Become the command of a task."""
    os.execvpe(task["command"][0], task["command"], os.environ)


def main(path: str, run: _Run = execute) -> None:
    """Run the leg that a file describes, and end with 0, or with CANNOT_START.

    `run` is what the process of the leg does; it does not return.
    """
    # Until there is something that ends what has been started.
    signal.pthread_sigmask(signal.SIG_BLOCK, (*_END, signal.SIGCHLD))
    with open(path, encoding="utf-8") as file:
        task = json.load(file)
    result = os.open(task["result"], os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def tell(**data: Any) -> None:
        os.write(result, json.dumps(data).encode())

    try:
        system.end_with_parent(signal.SIGKILL)
        if task["kind"] == "landlock":
            _in_copy(task, tell, run)
        else:
            _in_namespaces(task, tell, run)
    except OSError as error:
        tell(error=str(error))
        sys.exit(CANNOT_START)


def _in_copy(task: dict[str, Any], tell: _Tell, run: _Run) -> None:
    guard(task["writable"])
    _supervise(task, tell, run, View("", "", "", "", False))


def _in_namespaces(task: dict[str, Any], tell: _Tell, run: _Run) -> None:
    privileged = _unshare(task["processes"])
    view = View(task["work"], task["root"], task["memory"], task["layers"], privileged)
    view.build()
    view.show(task["folder"])
    # The first process in a new process namespace is the first child of this one.
    child = os.fork() if task["processes"] else 0
    if child == 0:
        if task["processes"]:
            system.end_with_parent(signal.SIGKILL)
        try:
            _enter(task, view)
            _supervise(task, tell, run, view)
        except OSError as error:
            tell(error=str(error))
            os._exit(CANNOT_START)
        os._exit(0)

    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGTERM))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _END)
    # Its end is the end of every process in its namespace.
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) and CANNOT_START)


def _unshare(processes: bool) -> bool:
    """Move into new namespaces; tell whether that took no user namespace."""
    flags = system.CLONE_NEWNS | system.CLONE_NEWIPC | (system.CLONE_NEWPID if processes else 0)
    if os.geteuid() == 0:
        with contextlib.suppress(PermissionError):
            system.unshare(flags)
            return True
    user, group = os.geteuid(), os.getegid()
    system.unshare(flags | system.CLONE_NEWUSER)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    return False


def _enter(task: dict[str, Any], view: View) -> None:
    """Make the view the only thing that there is, and lay out the program in it."""
    if task["processes"]:
        system.mount("proc", view.root + "/proc", "proc")
    else:
        system.mount("/proc", view.root + "/proc", flags=system.MS_BIND | system.MS_REC)
    system.pivot_root(view.root)
    for path, new in task["changes"]:
        _change(path, new)


def _change(path: str, new: str | None) -> None:
    """Give a file other bytes, those of the file `new`, or remove it."""
    if new is None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        return
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(new, path)
        status = os.stat(new)  # the recorder takes what is younger than the leg for its own
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    except PermissionError:  # a file of somebody else
        system.mount(new, path, flags=system.MS_BIND)


def _supervise(task: dict[str, Any], tell: _Tell, run: _Run, view: View) -> None:
    """Run the leg to its end, then end what it has left."""
    system.adopt_orphans()
    started = time.monotonic()
    leg = os.fork()
    if leg == 0:
        _start(task, run)
    watch = Watch(leg)
    stopped: list[bool] = []

    def stop(*_: object) -> None:
        stopped.append(True)
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            os.kill(leg, signal.SIGKILL)

    signal.signal(signal.SIGTERM, stop)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _END)
    status, used = _wait(leg, watch)
    in_time, seconds = not stopped, time.monotonic() - started
    end = time.monotonic() + _LONGEST
    while not stopped and time.monotonic() < end and is_at_work():
        watch.look()
    left = still_there()
    end_descendants()
    tell(
        status=status if in_time else None,
        memory=used.ru_maxrss,
        seconds=seconds,
        loaded=[(one.process, one.command, one.first, one.last) for one in watch.found()],
        left=left,
        written=view.written(),
        read_only=view.read_only,
    )


def _wait(leg: int, watch: Watch) -> tuple[int, resource.struct_rusage]:
    """Wait for the end of the leg, and look at what it starts; return its status and its use."""
    while True:
        ended, status, used = os.wait4(-1, os.WNOHANG)
        if ended == leg:
            return status, used
        if not ended:
            signal.sigtimedwait([signal.SIGCHLD], LOOK)
            watch.look()


def _start(task: dict[str, Any], run: _Run) -> None:
    try:
        os.setsid()
        system.end_with_parent(signal.SIGKILL)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # ignored by Python
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (*_END, signal.SIGCHLD))
        os.chdir(task["cwd"])
        run(task)
    except OSError as error:
        print(f"{task['command'][0]}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(CANNOT_START)


def is_at_work() -> bool:
    """Wait a moment; tell whether anything that this process started has worked in it."""
    before = work_of_all()
    end = time.monotonic() + _REST
    while _has_children() and time.monotonic() < end:
        time.sleep(_POLL)
        if work_of_all() != before:
            return True
    return False


def _has_children() -> bool:
    """Tell whether children are left, after those that have ended are cleared away."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True
