"""What happens around TensorFlow's import, at a step's end and at the end of a leg."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Hashable
from types import ModuleType
from typing import Any

from . import devices, eager, sessions
from .alias import become_tensorflow1, is_own
from .config import flat
from .keras import prepare_keras
from .late import Settings
from .machine import counted_variables, thread_names
from .stream import LOG, Stream, out_of_the_way
from .trial import runs_as_it_is

_UNBUFFERED = 2  # _IONBF
_LINE_BUFFERED = 1  # _IOLBF of C's stdio.h, on Linux and macOS

# A server of this machine gets any free port.
_LOCAL = re.compile(r"\b(localhost|127\.0\.0\.1):\d+")

# A program may train in other threads than its first (A3C); queue runners run there, too.
_OTHER_THREADS = 20

# How often, and for how many seconds, a step is left out before the leg ends: a loop that waits for
# a result (the end of the data, a number of steps) has no other end.
_MOST_SKIPPED = 2_000
_SKIPPING = 20
# How often, where steps that were never done before come between: a loop that adds to its graph all
# the time must end at the same place on both sides, however fast they are.
_MOST_GROWING = 20


def text(value: Any) -> str:
    """Return a text that may be bytes or None."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")


def flush() -> None:
    """Write out what was printed; the program may have put anything in the streams' place."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(Exception):
            stream.flush()  # type: ignore[union-attr]


def keep_log() -> None:
    """Give C's standard error a file of its own, where TensorFlow writes which cards it takes.

    A program may then close its standard error, or put another file in its place.
    """
    libc = ctypes.CDLL(None)
    libc.fdopen.restype = ctypes.c_void_p
    with contextlib.suppress(OSError, ValueError):  # none at all
        stream = libc.fdopen(out_of_the_way(os.dup(2), LOG), b"w")
        libc.setvbuf(ctypes.c_void_p(stream), None, _UNBUFFERED, 0)
        ctypes.c_void_p.in_dll(libc, "stderr").value = stream


class _Skipped:
    """How often a step was left out: in all, and since when; how often after other, new steps."""

    def __init__(self, steps: int) -> None:
        self.count = 0
        self.growing = 0
        self.since = time.monotonic()
        self._steps = steps

    def once_more(self, steps: int) -> bool:
        """Count it, where so many different steps were done; tell whether it is enough."""
        self.growing += steps > self._steps
        self._steps = steps
        self.count += 1
        return (
            self.count > _MOST_SKIPPED
            or self.growing >= _MOST_GROWING
            or time.monotonic() - self.since > _SKIPPING
        )


class Observer:
    """Watches one leg."""

    def __init__(self, job: dict[str, Any], stream: Stream) -> None:
        self.job = job
        self.stream = stream
        self.root: str = job["root"]
        # Those of the first thread, and those of all others: how often these run is left to chance.
        self._steps: dict[bool, dict[Hashable, int]] = {True: {}, False: {}}
        self._results: dict[Hashable, Any] = {}
        self._skipped: dict[Hashable, _Skipped] = {}
        self._sessions = 0
        self._servers = 0
        self._graphs: dict[str, set[tuple[str, ...]]] = {}
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._tensorflow: Any = None
        self._made_devices = False
        self._gpu_config: Any = None  # the first that made GPUs: it settles their memory
        self._last_session: Any = None
        self._session_graphs: list[Any] = []
        keep_log()
        self._settings = Settings()

    @property
    def is_first_session(self) -> bool:
        """Whether no session was made yet."""
        return self._sessions == 0

    @property
    def sessions_made(self) -> int:
        """How many sessions were made."""
        return self._sessions

    # --- TensorFlow's import ---

    def before_import(self) -> None:
        """See to it that TensorFlow logs the devices that it creates, whatever the program says.

        Only C's environment changes: the program reads back what it has set.
        """
        libc = ctypes.CDLL(None)
        libc.setenv(b"TF_CPP_MIN_LOG_LEVEL", b"0", 1)
        # TensorFlow prints placements, too: in whole lines, so that they can be told from the rest.
        libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, _LINE_BUFFERED, 0)

    def imported(self, package: ModuleType) -> ModuleType:
        """Watch TensorFlow; return what the program gets for it."""
        self._tensorflow = package
        version = package.__version__
        major = int(version.split(".")[0])
        self.stream.write("tensorflow", version=version)
        if major < 2 and self.job["driver"]:
            redirect = importlib.import_module(".static_cudart", __package__).redirect
            redirect(os.path.dirname(package.__file__ or ""), self.job["driver"])
        sessions.watch(self)
        eager.watch(self)
        stands_in = bool(self.job["stands_in"]) and major >= 2
        if stands_in:
            files = [self.job["out"], os.environ.get("TFGPU_SIM_LOG", "")]
            stands_in = not runs_as_it_is(self, [path for path in files if path], flush)
        self.job["stands_in"] = stands_in
        prepare_keras(package, stands_in, self.job["legacy_keras"])
        if stands_in:
            self.stream.write("stands in")
            return become_tensorflow1(package)
        return package

    def goes_on_here(self) -> None:
        """Watch a fork of the process from now on."""
        self._process = os.getpid()
        self.stream.goes_on_here()
        self.stream.write("start", python=sys.version.split()[0], process=self._process)

    # --- what it calls ---

    def devices_made(self) -> None:
        """Note, once, the environment in which TensorFlow made its devices."""
        if not self._made_devices:
            self._made_devices = True
            self.stream.write("environment", variables=counted_variables())

    def session(self, session: Any) -> None:
        """Note a session that was made."""
        with self._lock:
            self._sessions += 1
            session._tfgpu_title = f"session {self._sessions}"
        self._last_session = session
        if not any(graph is session.graph for graph in self._session_graphs):
            self._session_graphs.append(session.graph)
        self.devices_made()
        self.stream.write(
            "session",
            title=session._tfgpu_title,
            source=self.place(),
            target=text(session.sess_str),
            config=flat(session._config) if session._config is not None else {},
            devices=self._devices(session),
        )

    def look_at_settings(self) -> None:
        """Note settings whose values are new."""
        self._settings.look()

    def server(self, server: Any) -> None:
        """Note a server of a cluster, whose config makes the devices of its sessions."""
        with self._lock:
            self._servers += 1
            title = f"server {self._servers}"
        self.devices_made()
        definition = flat(server._server_def)
        config = {
            path.replace("default_session_config.", ""): _LOCAL.sub(r"\1:any", value)
            for path, value in definition.items()
        }
        self.stream.write(
            "session",
            title=title,
            source=self.place(),
            target="",
            config=config,
            devices=self.described(server._server_def.default_session_config),
        )

    def described(self, config: Any) -> list[list[Any]]:
        """Return the devices of this process for a config, as TensorFlow describes them."""
        try:
            found = devices.described(config)
        except Exception as error:  # of TensorFlow
            self.stream.write("trouble", reason=f"TensorFlow does not list its devices: {error}")
            return []
        if any(bus for _, _, bus in found):
            self._gpu_config = self._gpu_config or config
        return found

    def _devices(self, session: Any) -> list[list[Any]]:
        """Return name, limit and card of each device of a session."""
        listed = session.list_devices()
        known = {}
        if any(device.device_type == "GPU" for device in listed):
            config = (
                session._config
                or importlib.import_module("tensorflow.core.protobuf.config_pb2").ConfigProto()
            )
            known = {name: bus for name, _, bus in self.described(config)}
        found = []
        for device in listed:
            name = devices.short_name(device.name)
            found.append([name, device.memory_limit_bytes, known.get(name, "")])
        return found

    def operations(self, title: str, is_eager: bool, found: Any) -> None:
        """Note operations of a graph; those already noted are left out."""
        with self._lock:
            seen = self._graphs.setdefault(title, set())
            new = [operation for operation in found if tuple(operation) not in seen]
            seen.update(map(tuple, new))
        if new:
            self.stream.write("operations", title=title, eager=is_eager, operations=new)

    def step(self, key: Hashable) -> None:
        """Count a step; end the leg when one thing was done as often as was asked for.

        A step is one run of the same fetches, or one call of the same tf.function: what a program
        does again and again is its training, and what it does once (initialising) is not counted.
        """
        if os.getpid() == self._process and self._count(key) >= self._most() > 0:
            self._end_at_steps()

    def step_of_session(self, key: Hashable, run: Callable[[], Any]) -> Any:
        """Run a step of a session, or give its last result where it ran as often as was asked for.

        So a program comes to what follows its training, at little cost. One that waits for a
        result that then never comes is ended.
        """
        if os.getpid() != self._process:
            return run()
        with self._lock:
            skips = key in self._results
        if skips:
            self._skip(key)
            return self._results[key]
        result = run()
        if self._count(key) >= self._most() > 0:
            self._results[key] = result
        return result

    @property
    def skips(self) -> bool:
        """Whether steps were left out: what the program does since rests on old results."""
        return bool(self._skipped)

    def _most(self) -> int:
        """Return how often this thread may do a step; 0 is as often as it likes."""
        steps: int = self.job["steps"]
        first = threading.current_thread() is threading.main_thread()
        return steps * (1 if first else _OTHER_THREADS)

    def _count(self, key: Hashable) -> int:
        first = threading.current_thread() is threading.main_thread()
        with self._lock:
            counts = self._steps[first]
            count = counts[key] = counts.get(key, 0) + 1
        if count == 1:
            self.look_at_settings()
        return count

    def _skip(self, key: Hashable) -> None:
        with self._lock:
            steps = sum(map(len, self._steps.values()))
            skipped = self._skipped.setdefault(key, _Skipped(steps))
            enough = skipped.once_more(steps)
        if enough:
            self._end_at_steps()

    def _end_at_steps(self) -> None:
        with self._lock:
            self.finish()
            self.stream.write("end", ended="steps", status=0, failure=None)
            flush()
            os._exit(0)

    # --- the end ---

    def work(self, main: ModuleType) -> None:
        """Put the last session of a program to work, or a new one where it has none open."""
        from .workload import work  # noqa: PLC0415 - for examples only

        work(self, main)

    def finish(self) -> None:
        """Note what can be told at the end only."""
        with self._lock:
            if os.getpid() != self._process or self._tensorflow is None:
                return
            try:
                self._finish()
            except Exception as error:
                reason = f"what it did could not be written down: {error!r}"
                self.stream.write("trouble", reason=reason)

    def _finish(self) -> None:
        eager.collect(self)
        self._settings.look()
        for graph in self._session_graphs:
            self.stream.write("asked", operations=sessions.asked(self, graph))
        self.stream.write(
            "finish",
            steps=max((self._steps[True] or self._steps[False]).values(), default=0),
            threads=thread_names(),
            settings=self._settings.seen(),
        )
        if self._gpu_config is not None:
            found = devices.allocator_statistics(self._gpu_config)
            self.stream.write("allocator", devices=found)

    @property
    def last_session(self) -> Any:
        """The session that was made last, or None."""
        return self._last_session

    def place(self) -> str:
        """Return the place in the program that is being run, `path:line`."""
        return self.own_place(traceback.extract_stack())

    def own_place(self, frames: Any) -> str:
        """Return the innermost of some frames that is the program's own, `path:line`."""
        for frame in reversed(list(frames)):
            # TensorFlow 1.15 keeps frames as tuples.
            path, line = frame[:2] if isinstance(frame, tuple) else (frame.filename, frame.lineno)
            if is_own(path, self.root):
                return f"{os.path.relpath(path, self.root)}:{line}"
        return ""
