"""Stops a program at the first step behind a session, and puts its devices to work once.

What a session sees (devices, limits, configuration) is noted when it is made. At the first step its
graph is placed, without anything of it being run, and a small product is computed on each device.
A program whose data is not there comes this far.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

from .failures import describe
from .workload import place_on_missing_device, run_on_devices

# More sessions than this at once say no more.
_MOST = 8


class Until:
    """Where a leg stops; `job["until"]` asks for it."""

    def __init__(self, observer: Any) -> None:
        self._observer = observer
        self._wanted = bool(observer.job.get("until"))
        self._sessions: list[Any] = []
        self._failed = self.was_reached = False
        self.probes = False

    def made(self, session: Any) -> None:
        """Note a session."""
        if self._wanted and len(self._sessions) < _MOST:
            self._sessions.append(session)

    def step(self) -> None:
        """End the leg in front of its first step."""
        if not self._wanted or self.probes:
            return
        with self._observer.lock:
            failure = self.reach()
            self._observer.finish()
            self._observer.end("exception" if failure else "session", int(bool(failure)), failure)
            self._observer.flush()
            os._exit(int(bool(failure)))

    def closes(self, session: Any) -> None:
        """Look at a session that the program closes before any step."""
        if self._wanted and not self.probes and any(one is session for one in self._sessions):
            self._sessions = [one for one in self._sessions if one is not session]
            self._probe([session])

    def reach(self) -> Any:
        """Look at all sessions that are open, and at eager code; return why that failed, or None.

        A program that ends before any step, with an error or not, is looked at where it ends.
        """
        if not self._wanted:
            return None
        waiting, self._sessions = self._sessions, []
        return self._probe([one for one in waiting if not one._closed], eagerly=True)

    def _probe(self, found: list[Any], eagerly: bool = False) -> Any:
        self.probes = True
        try:
            for session in found:
                size = _size(session.graph)
                self._observer.stream.write("graph", title=session._tfgpu_title, size=size)
                _place(session)
                _work(session, self._observer)
                self.was_reached = True
            if eagerly and not found and _runs_eagerly():
                _work_eagerly()
                self.was_reached = True
        except Exception as error:  # of TensorFlow: the program's first step would get it, too
            self._failed = True
            return describe(error, self._observer.root)
        finally:
            self.probes = False
        if self.was_reached and not self._failed:
            self._observer.stream.write("reached")
        return None


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


def _runs_eagerly() -> bool:
    context: Any = importlib.import_module("tensorflow.python.eager.context")
    live = context.context_safe() if hasattr(context, "context_safe") else None
    return bool(
        live is not None and live._context_handle is not None and context.executing_eagerly()
    )


def _work_eagerly() -> None:
    """Use each device of the eager context; what it has run shows where."""
    tensorflow: Any = importlib.import_module("tensorflow")
    devices = tensorflow.config.list_logical_devices("GPU")
    for name in [one.name for one in devices] or ["/device:CPU:0"]:
        with tensorflow.device(name):
            first = tensorflow.random.uniform([1024, 1024])
            tensorflow.matmul(first, first)
