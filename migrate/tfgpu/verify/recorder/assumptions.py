"""Checks, at the places that it names, what a migration takes for granted."""

from __future__ import annotations

import dis
import os
import sys
from collections.abc import Callable
from typing import Any

from .heads import Head
from .machine import counts
from .modules import live_context
from .windows import Window

NEVER_BEHIND = "never-behind"

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
        self._windows: list[Window] = []
        self._behind: list[Callable[[], None]] = []  # told of each session
        self.checks: dict[tuple[str, int], list[Callable[[Any], None]]] = {}
        for row in rows:
            self._watch(row)
        if any(row["kind"] != NEVER_BEHIND for row in rows):
            self._count_writes()
            os.register_at_fork(before=self._count_fork)

    def made(self, session: Any) -> None:
        """Look at a session that was made just now."""
        for window in self._windows:
            window.made(session)
        for tell in self._behind:
            tell()

    def happened(self) -> None:
        """Look at what was done just now: an eager context, a write to the environment, a fork."""
        for window in self._windows:
            window.happened()

    def finish(self) -> None:
        """Tell what held up to the end of the run."""
        for window in self._windows:
            window.settle()

    def _watch(self, row: dict[str, Any]) -> None:
        kind = row["kind"]
        watches: dict[str, Callable[[dict[str, Any]], None]] = {
            "known-callers": self._watch_callers,
            NEVER_BEHIND: self._watch_order,
            "value-true": self._watch_value,
            "value-same": self._watch_value,
            "value-set": self._watch_value,
            "value-unchanged": self._watch_unchanged,
            "value-in-range": self._watch_place,
            "session-behind": self._watch_session,
            "no-fork-behind": self._watch_forks,
        }
        watches.get(kind, self._watch_window)(row)

    def _watch_place(self, row: dict[str, Any]) -> None:
        """Tell that a place is reached: which values there were, the configs of sessions tell."""
        self._at(row["place"], lambda frame: self._tell(row, True, ""))

    def _watch_window(self, row: dict[str, Any]) -> None:
        """Check that nothing of a kind happens before a session, or between a place and it."""
        kind = row["kind"]
        readings: dict[str, Callable[[], Any]] = {
            "no-session-before": lambda: self._observer.sessions_made,
            "no-eager-context-before": lambda: live_context() is not None,
            "graph-mode": _eager_by_default,
            "no-environment-write-between": lambda: len(self._writes),
            "no-fork-between": lambda: self._forks,
        }
        words: dict[str, Callable[[Any, Any], str]] = {
            "no-session-before": lambda before, now: f"{now} made before",
            "no-eager-context-before": lambda before, now: "it was initialised before",
            "graph-mode": lambda before, now: "TensorFlow runs eagerly",
            "no-environment-write-between": lambda before, now: (
                "written: " + ", ".join(sorted(set(self._writes[before:])))
            ),
            "no-fork-between": lambda before, now: f"it forked {now - before} times",
        }
        last = row["until"] or row["place"]
        window = Window(
            kind,
            None if row["in_front"] else Head(last, row["sessions"], self._observer),
            readings[kind],
            words[kind],
            lambda held, detail: self._tell(row, held, detail),
            None if row["until"] else 0,
        )
        self._windows.append(window)
        if row["until"]:
            self._at(row["place"], window.begin)
        self._at(last, window.reach)

    def _watch_unchanged(self, row: dict[str, Any]) -> None:
        """Check that an expression has one value at two places."""
        seen: list[Any] = []

        def start(frame: Any) -> None:
            seen[:] = [_value(row["expression"], frame)]

        def end(frame: Any) -> None:
            if seen:
                now = _value(row["expression"], frame)
                same = bool(seen[0] == now)
                self._tell(row, same, "" if same else f"{_text(seen[0])} and then {_text(now)}")

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

        self._behind.append(made)

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
            is_true = row["kind"] == "value-true"
            other = "it is" if is_true else f"{_text(first[0])} and then"
            self._tell(row, same, "" if same else f"{other} {_text(value)}")

        self._at(row["place"], check)

    def _watch_order(self, row: dict[str, Any]) -> None:
        """Note that a place is reached after another one, or the same one twice.

        So it is where the other one is reached in what the statement of a session runs first.
        """
        behind = False
        head = Head(row["place"], [], self._observer)

        def fail() -> None:
            self._tell(row, False, "it was reached behind")

        def late(frame: Any) -> None:
            head.enter(frame)
            if behind:
                fail()

        def begin(frame: Any) -> None:
            nonlocal behind
            behind = True

        def made() -> None:
            if behind and head.makes():
                fail()

        self._at(row["place"], late)
        self._at(row["until"], begin)
        if row["until"] != row["place"]:
            self._behind.append(made)

    def _at(self, place: str, check: Callable[[Any], None]) -> None:
        path, _, line = place.rpartition(":")
        self.checks.setdefault((os.path.realpath(path), int(line)), []).append(check)

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
                self.happened()

        def putenv(name: Any, value: Any) -> None:
            note(name, value)
            put(name, value)

        def unsetenv(name: Any) -> None:
            note(name, None)
            unset(name)

        os.putenv, os.unsetenv = putenv, unsetenv

    def _count_fork(self) -> None:
        if self._observer.is_trial:  # the recorder's own
            return
        self._forks += 1
        self.happened()
        for row in self._forkless:
            self._tell(row, False, "it forked")


def _lines(code: Any) -> list[int]:
    return [line for _, line in dis.findlinestarts(code) if line is not None]


def _eager_by_default() -> bool:
    module: Any = sys.modules.get("tensorflow.python.eager.context")
    return module is not None and bool(module.default_execution_mode == module.EAGER_MODE)


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
