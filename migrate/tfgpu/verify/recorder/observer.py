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

from . import devices, eager, sessions, structure
from .alias import become_tensorflow1, is_own
from .codes import keep_codes
from .config import flat
from .keras import prepare_keras
from .late import Settings
from .machine import counted_variables, thread_names
from .stream import LOG, Stream, out_of_the_way
from .structure import Frames, Graphs
from .stubs import give_to
from .trial import runs_as_it_is
from .until import Until

_UNBUFFERED = 2  # _IONBF
_LINE_BUFFERED = 1  # _IOLBF of C's stdio.h, on Linux and macOS

# A server of this machine gets any free port.
_LOCAL = re.compile(r"\b(localhost|127\.0\.0\.1):\d+")

# Eager code is run whole, so many times as often as other steps.
_EAGER_STEPS = 10

# What begins the keys of gradients that eager code takes.
_GRADIENT = "gradient"

# Operations of eager code whose order is kept.
_MOST_IN_ORDER = 100_000

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


def keep_log(path: str = "") -> None:
    """Give C's standard error a file of its own, where TensorFlow writes what it places.

    A program may then close its standard error, or put another file in its place. A child gets
    another file, at `path`, for C's standard output too: another program may read what it prints.
    """
    libc = ctypes.CDLL(None)
    libc.fdopen.restype = ctypes.c_void_p
    with contextlib.suppress(OSError, ValueError):  # none at all
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644) if path else os.dup(2)
        stream = libc.fdopen(out_of_the_way(file, LOG), b"w")
        libc.setvbuf(ctypes.c_void_p(stream), None, _UNBUFFERED, 0)
        for name in ("stderr", "stdout") if path else ("stderr",):
            ctypes.c_void_p.in_dll(libc, name).value = stream


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


def _nodes(graphs: Any) -> dict[str, tuple[str, str]]:
    """Return kind and device of the nodes of partition graphs, by their names."""
    return {
        node.name: (node.op, node.device)
        for graph in graphs
        for node in graph.node
        if node.op not in sessions.EDGES
    }


class Observer:
    """Watches one leg."""

    def __init__(self, job: dict[str, Any], stream: Stream, log: str = "") -> None:
        self.job = job
        self.stream = stream
        self.root: str = job["root"]
        self.is_trial = False
        self.synthetic: Any = None
        self.numbers: Any = None
        self.saves: Any = None
        self.marks: Any = None
        self.what: Callable[[], str] = str  # of a child: what it runs
        self._tensorflow: Any = None
        keep_log(log)
        keep_codes()
        self._begin()

    def _begin(self) -> None:
        """Forget all that was seen, as a fork does."""
        # Those of the first thread, and those of all others: how often these run is left to chance.
        self._steps: dict[bool, dict[Hashable, int]] = {True: {}, False: {}}
        self._results: dict[Hashable, Any] = {}
        self._skipped: dict[Hashable, _Skipped] = {}
        self._sessions = 0
        self._servers = 0
        self._graphs: dict[str, set[tuple[str, ...]]] = {}
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._finished = self._ended = False
        self._made_devices = False
        self._gpu_config: Any = None  # the first that made GPUs: it settles their memory
        self._tracing = threading.local()
        self._results_size: dict[str, int] = {}
        self._last_session: Any = None
        self._session_graphs: list[Any] = []
        self._settings = Settings()
        self.until = Until(self)
        self.frames = Frames(self.root)
        self.graphs = Graphs(self.frames)
        self._runs: dict[Hashable, list[Any]] = {}  # of a step: label, how often, whether more
        self._parts: dict[Hashable, list[Hashable]] = {}  # what a step that is left out would run
        self._training: set[Hashable] = set()  # the steps with gradients
        self._eager_work: dict[tuple[str, ...], int] = {}  # how often each was done
        self._eager_order: list[int] = []
        self._eager_numbers: dict[tuple[str, ...], int] = {}

    @property
    def lock(self) -> Any:
        """What keeps two threads of a leg from ending it at once."""
        return self._lock

    def log(self, line: str) -> None:
        """Write into the log of TensorFlow."""
        libc = ctypes.CDLL(None)
        libc.fputs(line.encode(), ctypes.c_void_p.in_dll(libc, "stderr"))

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
        if "multiprocessing.spawn" not in sys.modules:  # a pool ends its workers when it likes
            self.stream.write("imports", what=self.what())
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
        if self.marks:
            self.marks.converted.watch()
        if self.numbers:
            self.numbers.watch()
        if self.saves:
            self.saves.watch()
        sessions.watch(self)
        eager.watch(self)
        if self.synthetic:
            give_to(package, self.job["stubs"])
            self.synthetic.watch()
        stands_in = bool(self.job["stands_in"]) and major >= 2
        self.job.setdefault("needs_stand_in", stands_in)
        if stands_in and not self.job.get("tried"):
            files = [self.job["out"], os.environ.get("TFGPU_SIM_LOG", "")]
            stands_in = not runs_as_it_is(self, [path for path in files if path], flush)
        self.job["stands_in"] = stands_in
        prepare_keras(package, stands_in, self.job["legacy_keras"])
        if stands_in:
            self.stream.write("stands in")
            return become_tensorflow1(package)
        return package

    @property
    def stands_in(self) -> bool:
        """Whether TensorFlow was imported and version 2 stands for version 1."""
        return self._tensorflow is not None and bool(self.job["stands_in"])

    def start(self) -> None:
        """Write which process this is, and which Python."""
        version = sys.version.split()[0]
        self.stream.write("start", python=version, process=self._process, at=time.monotonic())

    def goes_on_here(self) -> None:
        """Watch a fork of the process from now on, in place of the process itself."""
        self.is_trial = False
        self._process = os.getpid()
        self.stream.goes_on_here()
        self.start()

    def goes_on_as_child(self, out: str) -> None:
        """Watch a fork of the process, which writes a part of its own; it is not cut short."""
        self.job = {**self.job, "out": out, "steps": 0}
        eager.forget()
        self._begin()
        self.stream.goes_on_here(out)
        self.start()
        if self._tensorflow is not None:
            self.stream.write("tensorflow", version=self._tensorflow.__version__)

    # --- what it calls ---

    def devices_made(self) -> None:
        """Note, once, the environment in which TensorFlow made its devices."""
        if not self._made_devices:
            self._made_devices = True
            self._name()
            self.stream.write("environment", variables=counted_variables())

    def session(self, session: Any) -> None:
        """Note a session that was made."""
        if self.until.probes:
            return
        self.until.made(session)
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
            self.stop("steps")

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
        self._tracing.on = not any(key in counts for counts in self._steps.values())
        self._tracing.ran = []
        try:
            result = run()
        finally:
            self._tracing.on = False
        if self._count(key) >= self._most() > 0:
            self._results[key] = result
            self._parts[key] = self._tracing.ran
        return result

    def ran(self, step: Hashable, label: str) -> None:
        """Count a run of a step; what other threads do is left to chance."""
        if os.getpid() != self._process:
            return
        with self._lock:
            runs = self._runs.setdefault(step, [label, 0, False])
            runs[1] += 1
            runs[2] = runs[2] or threading.current_thread() is not threading.main_thread()
        if hasattr(self._tracing, "ran"):
            self._tracing.ran.append(step)

    def step_of_function(self, key: Hashable, run: Callable[[], Any]) -> Any:
        """Run a step that is a function, or give its last result as a session's step does."""
        return self.step_of_session(key, run)

    def step_of_graph(
        self,
        title: str,
        graph: Any,
        asked: Callable[[], Any],
        ran: Any,
        step: Hashable,
        device: str = "",
    ) -> None:
        """Note what the run of a graph, which is counted as the step, consists of.

        `asked` returns the wanted operations and the names of what is fed, `ran` are the partition
        graphs.
        """
        try:
            wanted, fed = asked()
            items = self.graphs.step(graph, wanted, fed, _nodes(ran), around=device)
        except Exception as error:  # of a version of TensorFlow that has other names
            items = [[repr(error), "", structure.UNKNOWN, "", ""]]
        if any(item[2] == structure.GRADIENT for item in items):
            self._training.add(step)
        number = list(self._runs).index(step) if step in self._runs else -1
        self.stream.write("step", title=title, items=items, number=number)

    def function(self, title: str, graph: Any, graphs: Any, step: Hashable, device: str) -> None:
        """Note what a function consists of that eager code called for the first time.

        What does not say where it runs (XLA compiled it) runs on the device.
        """

        def asked() -> tuple[list[Any], list[str]]:
            wanted = [one.op for one in graph.outputs if one is not None]
            return [*wanted, *structure.effects(graph)], []

        ran = [part for each in graphs for part in each.partition_graphs]
        self.step_of_graph(title, graph, asked, ran, step, device)

    def eager_work(self, item: tuple[str, ...]) -> None:
        """Count an operation of eager code."""
        with self._lock:
            self._eager_work[item] = self._eager_work.get(item, 0) + 1
            number = self._eager_numbers.setdefault(item, len(self._eager_numbers))
            if len(self._eager_order) < _MOST_IN_ORDER:
                self._eager_order.append(number)

    def gradient(self) -> None:
        """Count a gradient that eager code took; end the leg when that was done often enough."""
        if os.getpid() != self._process:
            return
        place = self.frames.here()[1]
        times = 1 if self.numbers else _EAGER_STEPS
        if self._count((_GRADIENT, place)) >= times * self._most() > 0:
            self.stop("steps")

    def progress(self) -> tuple[int, int]:
        """Return how many steps with gradients were done, and how many in all."""
        with self._lock:
            counts = [(step, runs[1]) for step, runs in self._runs.items()]
            counts += [
                (step, count)
                for step, count in self._steps[True].items()
                if isinstance(step, tuple) and step[0] == _GRADIENT
            ]
        trained = sum(
            count
            for step, count in counts
            if step in self._training or (isinstance(step, tuple) and step[0] == _GRADIENT)
        )
        return trained, sum(count for _, count in counts)

    @property
    def traces(self) -> bool:
        """Whether this thread is in the first run of a step, whose memory is counted."""
        return getattr(self._tracing, "on", False)

    def results_of(self, statistics: Any) -> None:
        """Count the memory of what the operations of a run put out."""
        with self._lock:
            for name, size in devices.bytes_of_results(statistics).items():
                self._results_size[name] = self._results_size.get(name, 0) + size

    @property
    def skips(self) -> bool:
        """Whether steps were left out: what the program does since rests on old results."""
        return bool(self._skipped)

    def _most(self) -> int:
        """Return how often this thread may do a step; 0 is as often as it likes."""
        steps: int = self.numbers.steps() if self.numbers else self.job["steps"]
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
            for step in self._parts.get(key, ()):
                self._runs[step][1] += 1
                self._runs[step][2] = self._runs[step][2] or enough
        if enough:
            self.until.exhausted()
            self.stop("steps")

    def stop(self, ended: str) -> None:
        """End the leg here, where it was told to."""
        with self._lock:
            failure = self.until.reach()
            self.finish()
            self.end("exception" if failure else ended, int(bool(failure)), failure)
            flush()
            os._exit(int(bool(failure)))

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
            if self._finished or self.is_trial:  # a fork is at work in its place
                return
            self._finished = True
            try:
                self._finish()
            except Exception as error:
                reason = f"what it did could not be written down: {error!r}"
                self.stream.write("trouble", reason=reason)

    def _finish(self) -> None:
        if self.numbers:
            self.numbers.finish()
        eager.collect(self)
        self._write_eager_work()
        self._settings.look()
        for graph in self._session_graphs:
            self.stream.write("asked", operations=sessions.asked(self, graph))
        self.stream.write(
            "finish",
            steps=max((self._steps[True] or self._steps[False]).values(), default=0),
            threads=thread_names(),
            settings=self._settings.seen(),
            runs=list(self._runs.values()),
            progress=self.progress(),
        )
        if self._gpu_config is not None:
            found = devices.allocator_statistics(self._gpu_config)
            for name, size in self._results_size.items():
                found.setdefault(name, {})["results"] = size
            self.stream.write("allocator", devices=found)

    def _write_eager_work(self) -> None:
        if self._eager_work:
            rows = [[*item, count] for item, count in self._eager_work.items()]
            self.stream.write("eager work", items=rows, order=self._eager_order)

    def end(self, ended: str, status: int, failure: Any) -> None:
        """Write, once, how the process ended."""
        if not self._ended:
            self._ended = True
            self._name()
            self.stream.write("end", ended=ended, status=status, failure=failure)

    def _name(self) -> None:
        """Write what a child runs, as far as it is known now."""
        if self.what():
            self.stream.write("child", what=self.what())

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
