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

from . import constants, devices, eager, late, options, sessions, structure
from .alias import become_tensorflow1, is_own
from .codes import keep_codes
from .config import flat
from .errors import Errors, watch_settings
from .keras import prepare_keras
from .machine import thread_names
from .steps import Steps
from .stream import Stream, flush, keep_log
from .structure import Frames, Graphs
from .stubs import give_to
from .told import Told
from .trial import runs_as_it_is, watch_names
from .until import Until

_LINE_BUFFERED = 1  # _IOLBF of C's stdio.h, on Linux and macOS

# A server of this machine gets any free port.
_LOCAL = re.compile(r"\b(localhost|127\.0\.0\.1):\d+")

# Operations of eager code whose order is kept.
_MOST_IN_ORDER = 100_000


def text(value: Any) -> str:
    """Return a text that may be bytes or None."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")


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
        self._events = os.environ.get("TFGPU_SIM_LOG", "")  # the program may clear this
        self.is_trial = False
        self.tries = 0  # the process that is the try
        self.synthetic: Any = None
        self.numbers: Any = None
        self.saves: Any = None
        self.reads: Any = None
        self.told = Told(self)
        self.marks: Any = None
        self.what: Callable[[], str] = str  # of a child: what it runs
        self.order: tuple[int, ...] = ()  # of a child: see `Observation.order`
        self.parts = ""  # of a leg that is no child: the folder with the parts of its children
        self.assumptions: Any = None
        self._tensorflow: Any = None
        self.errors = Errors(self)
        keep_log(log)
        keep_codes()
        self._begin()
        self.errors.watch()

    def _begin(self) -> None:
        """Forget all that was seen, as a fork does."""
        self.steps = Steps(self)
        self.errors.forget()
        self.sessions_made = 0
        self._servers = 0
        self.fills_queues = False  # whether threads beside the first put something into queues
        self.turned_eager = False  # whether graph code turned to eager code
        self._graphs: dict[str, set[tuple[str, ...]]] = {}
        self.lock = threading.RLock()  # keeps two threads of a leg from ending it at once
        self.process = os.getpid()
        self._finished = self._ended = False
        self._gpu_config: Any = None  # the first that made GPUs: it settles their memory
        self._results_size: dict[str, int] = {}
        self.last_session: Any = None
        self._session_graphs: list[Any] = []
        self.settings = late.Settings()
        self.until = Until(self)
        self.frames = Frames(self.root)
        self.graphs = Graphs(self.frames)
        self._eager_work: dict[tuple[str, ...], int] = {}  # how often each was done
        self._eager_order: list[int] = []
        self._eager_numbers: dict[tuple[str, ...], int] = {}

    def log(self, line: str) -> None:
        """Write into the log of TensorFlow."""
        libc = ctypes.CDLL(None)
        libc.fputs(line.encode(), ctypes.c_void_p.in_dll(libc, "stderr"))

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
        if self.reads:
            self.reads.watch()
        self.told.watch()
        watch_settings(self.errors)
        late.watch(self)
        options.watch(self)
        sessions.watch(self)
        eager.watch(self)
        if self.synthetic:
            give_to(package, self.job["stubs"])
            self.synthetic.watch()
        stands_in = bool(self.job["stands_in"]) and major >= 2
        self.job.setdefault("needs_stand_in", stands_in)
        begun = time.monotonic()
        if stands_in and not self.job.get("tried"):
            files = [path for path in (self.job["out"], self._events) if path]
            stands_in = not runs_as_it_is(self, files)
        self.job["stands_in"] = stands_in
        if self.job["version1"] and major >= 2 and not stands_in:
            watch_names(package, self)
        prepare_keras(package, stands_in, self.job["legacy_keras"])
        if stands_in:
            self.stream.write("stands in", tried=[begun, time.monotonic()])
            return become_tensorflow1(package)
        return package

    @property
    def stands_in(self) -> bool:
        """Whether TensorFlow was imported and version 2 stands for version 1."""
        return self._tensorflow is not None and bool(self.job["stands_in"])

    def start(self) -> None:
        """Write which process this is, and which Python."""
        version = sys.version.split()[0]
        self.stream.write(
            "start", python=version, process=self.process, at=time.monotonic(), order=self.order
        )

    def goes_on_here(self) -> None:
        """Watch a fork of the process from now on, in place of the process itself."""
        self.is_trial = False
        self.process = os.getpid()
        self.stream.goes_on_here()
        self.start()

    def goes_on_as_child(self, out: str) -> None:
        """Watch a fork of the process, which writes a part of its own; it is not cut short."""
        self.job = {**self.job, "out": out, "steps": 0}
        eager.forget()
        self.told.forget()
        self._begin()
        self.stream.goes_on_here(out)
        self.start()
        if self._tensorflow is not None:
            self.stream.write("tensorflow", version=self._tensorflow.__version__)

    # --- what it calls ---

    def devices_made(self) -> None:
        """Note, once, the environment in which TensorFlow made its devices."""
        if self.settings.devices_made():
            self._name()
            self.stream.write("environment", variables=self.settings.environment)

    def session(self, session: Any) -> None:
        """Note a session that was made."""
        if self.until.probes:
            return
        self.until.made(session)
        with self.lock:
            self.sessions_made += 1
            session._tfgpu_title = f"session {self.sessions_made}"
        self.last_session = session
        if self.assumptions:
            self.assumptions.made(session)
        if not any(graph is session.graph for graph in self._session_graphs):
            self._session_graphs.append(session.graph)
        self.devices_made()
        config = flat(session._config) if session._config is not None else {}
        made = self._devices(session)
        self.stream.write(
            "session",
            title=session._tfgpu_title,
            source=self.place(),
            target=text(session.sess_str),
            config={**config, **self.settings.of_session(made)},
            devices=made,
            apart=threading.current_thread() is not threading.main_thread(),
        )

    def look(self) -> None:
        """Note settings that are new."""
        with self.lock:
            self.settings.look()

    def given(self, what: str, options: dict[str, str], to: str = "") -> None:
        """Note options that no config holds (see `options.py`), and by name what they are for."""
        with self.lock:
            self.settings.given(what, options, to)

    def server(self, server: Any) -> None:
        """Note a server of a cluster, whose config makes the devices of its sessions."""
        with self.lock:
            self._servers += 1
            title = f"server {self._servers}"
        self.devices_made()
        definition = flat(server._server_def)
        config = {
            path.replace("default_session_config.", ""): _LOCAL.sub(r"\1:any", value)
            for path, value in definition.items()
        }
        made = self.described(server._server_def.default_session_config)
        self.settings.makes_gpus(made)
        self.stream.write(
            "session", title=title, source=self.place(), target="", config=config, devices=made
        )

    def described(self, config: Any) -> list[list[Any]]:
        """Return the devices of this process for a config, as TensorFlow describes them."""
        try:
            found = devices.described(config)
        except Exception as error:  # of TensorFlow
            self.stream.write("trouble", reason=f"TensorFlow does not list its devices: {error}")
            return []
        self._gpu_config = self._gpu_config or (config if any(bus for *_, bus in found) else None)
        return found

    def _devices(self, session: Any) -> list[list[Any]]:
        """Return name, limit and card of each device of a session."""
        listed, known = session.list_devices(), {}
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
        with self.lock:
            seen = self._graphs.setdefault(title, set())
            new = [operation for operation in found if tuple(operation) not in seen]
            seen.update(map(tuple, new))
        if new:
            self.stream.write("operations", title=title, eager=is_eager, operations=new)

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
            self.steps.trains(step)
        self.stream.write("step", title=title, items=items, number=self.steps.number(step))

    def function(self, title: str, graph: Any, graphs: Any, step: Hashable, device: str) -> None:
        """Note what a function consists of that eager code called for the first time.

        What does not say where it runs (XLA compiled it) runs on the device.
        """

        def asked() -> tuple[list[Any], list[str]]:
            wanted = [one.op for one in graph.outputs if one is not None]
            return [*wanted, *structure.effects(graph)], []

        ran = [part for each in graphs for part in each.partition_graphs]
        self.step_of_graph(title, graph, asked, ran, step, device)
        with contextlib.suppress(Exception):  # too large; a version that has other names
            self.stream.write("constants", title=title, found=constants.of_function(graph))

    def eager_work(self, item: tuple[str, ...], in_order: bool) -> None:
        """Count an operation of eager code; in which order threads do theirs is chance."""
        with self.lock:
            self._eager_work[item] = self._eager_work.get(item, 0) + 1
            self.settings.worked = True
            if item not in self._eager_numbers:
                self.look()
            number = self._eager_numbers.setdefault(item, len(self._eager_numbers))
            if in_order and len(self._eager_order) < _MOST_IN_ORDER:
                self._eager_order.append(number)

    def results_of(self, statistics: Any) -> None:
        """Count the memory of what the operations of a run put out."""
        with self.lock:
            for name, size in devices.bytes_of_results(statistics).items():
                self._results_size[name] = self._results_size.get(name, 0) + size

    def stop(self, ended: str) -> None:
        """End the leg here, where it was told to."""
        with self.lock:
            failure = self.until.reach()
            self.finish()
            self.end("exception" if failure else ended, int(bool(failure)), failure)
            flush()
            os._exit(int(bool(failure)))

    def fail(self, failure: dict[str, Any]) -> None:
        """End the process here, as one that would not come to its end."""
        with self.lock:
            self.finish()
            self.end("exception", 1, failure)
            flush()
            os._exit(1)

    # --- the end ---

    def finish(self) -> None:
        """Note what can be told at the end only."""
        with self.lock:
            if os.getpid() != self.process or self._tensorflow is None:
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
        if self.assumptions:
            self.assumptions.finish()
        eager.collect(self)
        self.told.finish()
        self._write_eager_work()
        self.look()
        seed = late.seed_of_random_numbers(self._session_graphs)
        for number, graph in enumerate(self._session_graphs, 1):
            numbers = constants.of_session(graph, sessions.MOST_ASKED)
            self.stream.write("constants", title=f"graph {number}", found=numbers)
            self.stream.write("asked", operations=sessions.asked(self, graph))
        self.stream.write(
            "finish",
            threads=thread_names(),
            turned_eager=self.turned_eager,
            fills_queues=self.fills_queues,
            settings={**self.settings.seen(), "seed of random numbers": seed},
            **self.steps.summary(),
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

    def end(self, ended: str, status: int, failure: Any, behind: str = "") -> None:
        """Write, once, how the process ended, and what ended it behind the wanted steps."""
        if not self._ended:
            self._ended = True
            self.record_launches()
            self._name()
            self.stream.write("end", ended=ended, status=status, failure=failure, behind=behind)

    def record_launches(self) -> None:
        """Let the simulated driver write what it was given so far."""
        if self.job["driver"]:
            with contextlib.suppress(OSError):  # TensorFlow did not find it, either
                ctypes.CDLL(os.path.basename(self.job["driver"])).sim_record_launches()

    def _name(self) -> None:
        """Write what a child runs, as far as it is known now."""
        if self.what():
            self.stream.write("child", what=self.what())

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
