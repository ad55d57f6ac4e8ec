"""Checks, at the places that it names, what a migration takes for granted."""

from __future__ import annotations

import dis
import os
import sys
from collections.abc import Callable
from typing import Any

from .machine import counts
from .modules import live_context

_MOST_TEXT = 200


class Assumptions:
    """The assumptions of a leg; `watch` puts their checks in front of statements."""

    def __init__(self, rows: list[dict[str, Any]], observer: Any, stream: Any) -> None:
        self._observer = observer
        self._stream = stream
        self._writes: list[str] = []
        self._forks = 0
        self._forkless: list[dict[str, Any]] = []
        self._told: set[tuple[str, str]] = set()
        self.checks: dict[tuple[str, int], list[Callable[[Any], None]]] = {}
        for row in rows:
            self._watch(row)
        if rows:
            self._count_writes()
            os.register_at_fork(before=self._count_fork)

    def _watch(self, row: dict[str, Any]) -> None:
        kind = row["kind"]
        states: dict[str, Callable[[], str]] = {
            "no-session-before": self._sessions,
            "no-eager-context-before": self._eager_contexts,
            "graph-mode": _eager_by_default,
            "value-in-range": str,  # which values there were, the configs of all sessions tell
        }
        watches: dict[str, Callable[[dict[str, Any]], None]] = {
            "known-callers": self._watch_callers,
            "never-behind": self._watch_order,
            "value-true": self._watch_value,
            "value-same": self._watch_value,
            "value-set": self._watch_value,
            "session-behind": self._watch_session,
            "no-fork-behind": self._watch_forks,
        }
        if kind in states:

            def check(frame: Any) -> None:
                reason = states[kind]()
                self._tell(row, not reason, reason)

            self._at(row["place"], check)
        else:
            watches.get(kind, self._watch_between)(row)

    def _watch_between(self, row: dict[str, Any]) -> None:
        """Check that what is read at one place is the same at another."""
        kind = row["kind"]
        seen: list[Any] = []
        readings: dict[str, Callable[[Any], Any]] = {
            "no-environment-write-between": lambda frame: len(self._writes),
            "no-fork-between": lambda frame: self._forks,
            "value-unchanged": lambda frame: _value(row["expression"], frame),
        }
        read = readings[kind]

        def start(frame: Any) -> None:
            seen[:] = [read(frame)]

        def end(frame: Any) -> None:
            if seen:
                now = read(frame)
                same = bool(seen[0] == now)
                self._tell(row, same, "" if same else self._changed(kind, seen[0], now))

        self._at(row["place"], start)
        self._at(row["until"], end)

    def _watch_callers(self, row: dict[str, Any]) -> None:
        """Watch that a function is called where it is known to be, and not replaced there."""
        path, _, line = row["place"].rpartition(":")
        path = os.path.realpath(path)

        def entered(frame: Any) -> None:
            caller = frame.f_back
            if caller is None:  # a thread begins with it
                self._tell(row, False, "called from no code of Python")
                return
            name = os.path.realpath(caller.f_code.co_filename)
            held = any(
                name == os.path.realpath(one["place"].rpartition(":")[0])
                and one["first"] <= caller.f_lineno <= one["last"]
                for one in row["callers"]
            )
            self._tell(row, held, "" if held else f"called from {name}:{caller.f_lineno}")

        self._at(row["place"], entered)
        for one in row["callers"]:
            if one["callee"]:
                self._at(one["place"], self._same_callee(row, one["callee"], path, int(line)))

    def _same_callee(
        self, row: dict[str, Any], callee: str, path: str, line: int
    ) -> Callable[[Any], None]:
        def check(frame: Any) -> None:
            try:
                found = eval(callee, frame.f_globals, frame.f_locals)
            except Exception:  # of the program: which function it is stays unknown
                self._tell(row, False, f"{callee} cannot be looked up")
                return
            code = getattr(found, "__code__", None)
            is_same = (
                code is not None
                and os.path.realpath(code.co_filename) == path
                and code.co_firstlineno <= line <= max(_lines(code), default=0)
            )
            if not is_same:
                self._tell(row, False, f"{callee} is another function")

        return check

    def _watch_session(self, row: dict[str, Any]) -> None:
        """Check that a session is made once a place was reached; else nothing is told."""
        reached: list[bool] = []
        self._at(row["place"], lambda frame: reached.append(True))

        def made() -> None:
            if reached:
                self._tell(row, True, "")

        self._observer.when_made.append(made)

    def _watch_forks(self, row: dict[str, Any]) -> None:
        """Check that the process does not fork once a place was reached."""

        def reached(frame: Any) -> None:
            self._tell(row, True, "")
            if row not in self._forkless:
                self._forkless.append(row)

        self._at(row["place"], reached)

    def _watch_value(self, row: dict[str, Any]) -> None:
        """Check that an expression has one value at a place: true, or the first that it has.

        Or that it has any, whatever that is.
        """
        first: list[Any] = [True] if row["kind"] == "value-true" else []

        def check(frame: Any) -> None:
            try:
                value = _plain(eval(row["expression"], frame.f_globals, frame.f_locals))
            except Exception as error:  # of the program: what the value is stays unknown
                self._tell(row, False, f"{type(error).__name__}: {error}")
                return
            first[:] = first or [value]
            same = row["kind"] == "value-set" or bool(first[0] == value)
            self._tell(row, same, "" if same else f"{_text(first[0])} and then {_text(value)}")

        self._at(row["place"], check)

    def _watch_order(self, row: dict[str, Any]) -> None:
        """Check that a place is not reached after another one, nor the same one twice."""
        behind = False

        def late(frame: Any) -> None:
            if behind:
                self._tell(row, False, "it was reached behind")

        def begin(frame: Any) -> None:
            nonlocal behind
            behind = True
            self._tell(row, True, "")

        self._at(row["place"], late)
        self._at(row["until"], begin)

    def _at(self, place: str, check: Callable[[Any], None]) -> None:
        path, _, line = place.rpartition(":")
        self.checks.setdefault((os.path.realpath(path), int(line)), []).append(check)

    def _sessions(self) -> str:
        count = self._observer.sessions_made
        return f"{count} made before" if count else ""

    def _eager_contexts(self) -> str:
        return "" if live_context() is None else "it was initialised before"

    def _changed(self, kind: str, before: Any, now: Any) -> str:
        if kind == "value-unchanged":
            return f"{_text(before)} and then {_text(now)}"
        if kind == "no-fork-between":
            return f"it forked {now - before} times"
        return "written: " + ", ".join(sorted(set(self._writes[before:])))

    def _tell(self, row: dict[str, Any], held: bool, detail: str) -> None:
        status = "held" if held else "failed"
        if (row["id"], status) not in self._told:
            self._told.add((row["id"], status))
            self._stream.write("assumption", id=row["id"], status=status, detail=detail)

    def _count_writes(self) -> None:
        """Note what the program writes to the environment; os.environ goes through these two."""
        put, unset = os.putenv, os.unsetenv

        def note(name: Any, value: Any) -> None:
            key = os.fsdecode(name)
            if counts(key) and os.environ.get(key) != (value and os.fsdecode(value)):
                self._writes.append(key)

        def putenv(name: Any, value: Any) -> None:
            note(name, value)
            put(name, value)

        def unsetenv(name: Any) -> None:
            note(name, None)
            unset(name)

        os.putenv, os.unsetenv = putenv, unsetenv

    def _count_fork(self) -> None:
        self._forks += 1
        for row in self._forkless:
            self._tell(row, False, "it forked")


def _lines(code: Any) -> list[int]:
    return [line for _, line in dis.findlinestarts(code) if line is not None]


def _eager_by_default() -> str:
    module: Any = sys.modules.get("tensorflow.python.eager.context")
    eager = module is not None and module.default_execution_mode == module.EAGER_MODE
    return "TensorFlow runs eagerly" if eager else ""


def _value(expression: str, frame: Any) -> Any:
    """Return a copy of the value of an expression in a frame, or the error that it raises."""
    try:
        return _plain(eval(expression, frame.f_globals, frame.f_locals))
    except Exception as error:  # of the program
        return f"{type(error).__name__}: {error}"


def _plain(value: Any) -> Any:
    """Return what a value is now, since a list or a ConfigProto may change in place."""
    if hasattr(value, "SerializeToString"):
        return value.SerializeToString(deterministic=True)
    if isinstance(value, (bool, int, float, str, bytes, type(None))):
        return value
    return repr(value)


def _text(value: Any) -> str:
    return repr(value)[:_MOST_TEXT]
