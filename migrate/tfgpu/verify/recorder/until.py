"""Stops a program at the first step behind a session, and puts its devices to work once.

What a session sees (devices, limits, configuration) is noted when it is made. At the first step its
graph is placed, without anything of it being run, and a small product is computed on each device.
A program whose data is not there comes this far. One that is to go on behind its first step gets
zeros for the results of each, and its further sessions are looked at in the same way.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from typing import Any

from .failures import describe
from .modules import live_context, module_of
from .workload import place_on_missing_device, run_on_devices
from .zeros import examples, zeros

# Sessions that are looked at.
_MOST = 50


class Until:
    """Where a leg stops; `job["until"]` asks for it, `job["goes_on"]` for what comes behind."""

    def __init__(self, observer: Any) -> None:
        self._observer = observer
        self._wanted = bool(observer.job.get("until"))
        self._goes_on = bool(observer.job.get("goes_on"))
        self._sessions: list[Any] = []
        self._seen: dict[str, int] = {}  # versions of the graphs of sessions, by their titles
        self._failure: Any = None  # what TensorFlow said of one of them
        self._is_whole = True
        self._exhausted = False
        self.was_reached = False
        self._here = threading.local()

    @property
    def probes(self) -> bool:
        """Whether this thread looks at a session: what it runs meanwhile is not the program's."""
        return getattr(self._here, "probes", False)

    def made(self, session: Any) -> None:
        """Note a session."""
        if self._wanted:
            self._sessions.append(session)

    def step(self) -> None:
        """End the leg in front of its first step, whatever is to make it."""
        if self._wanted and not self.probes:
            self._observer.stop("session")

    @property
    def takes_over(self) -> bool:
        """Whether sessions run nothing, because their steps are behind the first."""
        return self._wanted and self._goes_on and not self.probes

    def in_place_of(self, session: Any, fetches: Any, feeds: Any) -> list[Any]:
        """Return zeros in place of what a run fetches; the session is looked at before its first.

        What has a size that is not known gets that of what is fed.
        """
        with self._observer.lock:
            if session._tfgpu_title not in self._seen:
                self._look(session)
            if self._failure:
                self._observer.stop("session")
        first = examples(feeds)
        return [zeros(one.dtype, one.shape, first) for one in fetches]

    def enqueues(self, is_enqueue: bool) -> None:
        """Let the thread of a queue's runner end, which would fill it without end."""
        if is_enqueue and threading.current_thread() is not threading.main_thread():
            raise _v1().errors.OutOfRangeError(None, None, "nothing is run")

    def exhausted(self) -> None:
        """Let a loop that waits for the end of its data end, once for each leg."""
        if self.takes_over and not self._exhausted:
            self._exhausted = True
            raise _v1().errors.OutOfRangeError(None, None, "there are no more zeros")

    def closes(self, session: Any) -> None:
        """Look at a session that the program closes, in front of any step or behind some."""
        if self._wanted and not self.probes and any(one is session for one in self._sessions):
            self._sessions = [one for one in self._sessions if one is not session]
            self._look(session)

    def reach(self) -> Any:
        """Look at all sessions that are open, and at eager code; return why that failed, or None.

        A program that ends before any step, with an error or not, is looked at where it ends.
        """
        if not self._wanted:
            return None
        waiting, self._sessions = self._sessions, []
        for session in waiting:
            if not session._closed:
                self._look(session)
        if not self._seen and live_context() and module_of("eager.context").executing_eagerly():
            self._probe(_work_eagerly)
        if self.was_reached and self._is_whole and not self._failure:
            self._observer.stream.write("reached")
        return self._failure

    def _look(self, session: Any) -> None:
        """Look at a session whose graph is new, or has grown."""
        title = session._tfgpu_title
        if self._failure or self._seen.get(title) == session.graph.version:
            return
        if title not in self._seen and len(self._seen) == _MOST:
            if self._is_whole:
                reason = f"it makes more than {_MOST} sessions, of which not all were looked at"
                self._observer.stream.write("trouble", reason=reason)
            self._is_whole = False
            return

        def probe() -> None:
            size = _size(session.graph)
            self._observer.stream.write("graph", title=title, size=size)
            self._observer.log(f"tfgpu: {title}\n")
            _place(session)
            if title not in self._seen:
                _work(session, self._observer)

        self._probe(probe)
        self._seen[title] = session.graph.version

    def _probe(self, probe: Callable[[], None]) -> None:
        self._here.probes = True
        try:
            probe()
            self.was_reached = True
        except Exception as error:  # of TensorFlow: the program's first step would get it, too
            self._failure = describe(error, self._observer.root)
        finally:
            self._here.probes = False


def _v1() -> Any:
    return importlib.import_module("tensorflow.compat.v1")


def _place(session: Any) -> None:
    """Let the graph of a session be placed: that is done as a whole before any of it is run."""
    v1, graph = _v1(), session.graph
    finalized, graph._finalized = graph._finalized, False
    try:
        with graph.as_default(), v1.device(None), v1.control_dependencies(None):
            nothing = v1.no_op(name="first_session")
    finally:
        graph._finalized = finalized
    session.run(nothing)


def _size(graph: Any) -> int:
    """Return the bytes of all that a graph puts out, as far as its shapes are known."""
    found = 0
    for operation in graph.get_operations():
        for output in operation.outputs:
            elements = output.shape.num_elements()
            found += (elements or 0) * output.dtype.base_dtype.size
    return found


def _work(session: Any, observer: Any) -> None:
    """Use each device of a session in another one of the same configuration."""
    v1 = _v1()
    with v1.Session(session.sess_str, v1.Graph(), session._config) as other:
        other._tfgpu_title = f"{session._tfgpu_title}, each device"
        # The log of placements tells operations by their names only.
        with other.graph.as_default(), v1.name_scope("each_device"):
            run_on_devices(v1, other)
            place_on_missing_device(v1, other, observer)


def _work_eagerly() -> None:
    """Use each device of the eager context; what it has run shows where."""
    tensorflow: Any = importlib.import_module("tensorflow")
    devices = tensorflow.config.list_logical_devices("GPU")
    for name in [one.name for one in devices] or ["/device:CPU:0"]:
        with tensorflow.device(name):
            first = tensorflow.random.uniform([1024, 1024])
            tensorflow.matmul(first, first)
