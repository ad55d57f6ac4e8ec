"""Counts the steps of a leg, leaves out those that ran often enough, and ends endless loops."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from typing import Any

# Eager code is run whole, so many times as often as other steps.
_EAGER_STEPS = 10

# What begins the keys of gradients that eager code takes.
_GRADIENT = "gradient"

# A program may train in other threads than its first (A3C); queue runners run there, too.
_OTHER_THREADS = 20

# In so many of its first runs it is noted which shapes a step is fed.
_MOST_FED = 50

# How often, and for how many seconds of its own, a step is left out before the leg ends: a loop
# that waits for a result (the end of the data, a number of steps) has no other end.
_MOST_SKIPPED = 2_000
_SKIPPING = 20
# How often, where steps that were never done before come between: a loop that adds to its graph all
# the time must end at the same place on both sides, however fast they are.
_MOST_GROWING = 20


def _own_seconds() -> float:
    """Return a clock that stands still while this thread waits for a processor.

    Where a loop ends must not depend on what else the machine does. A kernel that does not tell
    leaves the plain clock.
    """
    now = time.monotonic()
    try:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            return now - int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return now


class _Skipped:
    """How often a step was left out: in all, and since when; how often after other, new steps."""

    def __init__(self, steps: int) -> None:
        self.count = 0
        self.growing = 0
        self.since = _own_seconds()
        self._steps = steps

    def once_more(self, steps: int) -> bool:
        """Count it, where so many different steps were done; tell whether it is enough."""
        self.growing += steps > self._steps
        self._steps = steps
        self.count += 1
        return (
            self.count > _MOST_SKIPPED
            or self.growing >= _MOST_GROWING
            or _own_seconds() - self.since > _SKIPPING
        )


class Steps:
    """What one process did again and again."""

    def __init__(self, observer: Any) -> None:
        self._observer = observer
        # Those of the first thread, and those of all others: how often these run is left to chance.
        self._counts: dict[bool, dict[Hashable, int]] = {True: {}, False: {}}
        self._results: dict[Hashable, Any] = {}
        self._fed: set[Hashable] = set()  # steps with the shapes of what they were fed
        self._skipped: dict[Hashable, _Skipped] = {}
        self._tracing = threading.local()
        self._runs: dict[Hashable, list[Any]] = {}  # of a step: label, how often, whether more
        self._parts: dict[Hashable, list[Hashable]] = {}  # what a step that is left out would run
        self._training: set[Hashable] = set()  # the steps with gradients
        self._shapes: dict[Hashable, list[Any]] = {}  # of a step: how often fed, and what

    def once(self, key: Hashable) -> None:
        """Count a step; end the leg when one thing was done as often as was asked for.

        A step is one run of the same fetches, or one call of the same tf.function: what a program
        does again and again is its training, and what it does once (initialising) is not counted.
        """
        if os.getpid() == self._observer.process and self._count(key) >= self._most() > 0:
            self._observer.stop("steps")

    def done(self, key: Hashable, run: Callable[[], Any], fed: Hashable = ()) -> Any:
        """Run a step of a session, or give its last result where it ran as often as was asked for.

        So a program comes to what follows its training, at little cost. One that waits for a
        result that then never comes is ended. `fed` are the shapes of what it is fed.
        """
        if os.getpid() != self._observer.process:
            return run()
        with self._observer.lock:
            skips = key in self._results
        if skips:
            self.feed(self._parts[key], fed)
            self._skip(key)
            return self._results[key]
        with self._observer.lock:
            self._tracing.on = (key, fed) not in self._fed
            self._tracing.first = not any(key in counts for counts in self._counts.values())
            self._fed.add((key, fed))
        self._tracing.ran = []
        try:
            result = run()
        finally:
            self._tracing.on = self._tracing.first = False
        self.feed(self._tracing.ran, fed)
        if self._count(key) >= self._most() > 0:
            self._results[key] = result
            self._parts[key] = self._tracing.ran
        return result

    def ran(self, step: Hashable, label: str) -> None:
        """Count a run of a step; what other threads do is left to chance."""
        if os.getpid() != self._observer.process:
            return
        with self._observer.lock:
            runs = self._runs.setdefault(step, [label, 0, False])
            runs[1] += 1
            runs[2] = runs[2] or threading.current_thread() is not threading.main_thread()
        if hasattr(self._tracing, "ran"):
            self._tracing.ran.append(step)

    def feed(self, steps: Iterable[Hashable], fed: Hashable) -> None:
        """Note the shapes that steps are fed, those that are left out as well.

        What other threads do is left to chance.
        """
        if not fed or threading.current_thread() is not threading.main_thread():
            return
        with self._observer.lock:
            for step in steps:
                known = self._shapes.setdefault(step, [0, set()])
                known[0] += 1
                if known[0] <= _MOST_FED:
                    known[1].add(fed)

    def gradient(self) -> None:
        """Count a gradient that eager code took; end the leg when that was done often enough."""
        if os.getpid() != self._observer.process:
            return
        place = self._observer.frames.here()[1]
        times = 1 if self._observer.numbers else _EAGER_STEPS
        if self._count((_GRADIENT, place)) >= times * self._most() > 0:
            self._observer.stop("steps")

    def progress(self) -> tuple[int, int]:
        """Return how many steps with gradients were done, and how many in all."""
        with self._observer.lock:
            counts = [(step, runs[1]) for step, runs in self._runs.items()]
            counts += [
                (step, count)
                for step, count in self._counts[True].items()
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
        """Whether this thread is in a run of a step whose memory is counted: the first so fed."""
        return getattr(self._tracing, "on", False)

    @property
    def is_first(self) -> bool:
        """Whether this thread is in the first run of a step."""
        return getattr(self._tracing, "first", False)

    @property
    def skips(self) -> bool:
        """Whether steps were left out: what the program does since rests on old results."""
        return bool(self._skipped)

    def _most(self) -> int:
        """Return how often this thread may do a step; 0 is as often as it likes."""
        steps: int = (
            self._observer.numbers.steps()
            if self._observer.numbers
            else self._observer.job["steps"]
        )
        first = threading.current_thread() is threading.main_thread()
        return steps * (1 if first else _OTHER_THREADS)

    def _count(self, key: Hashable) -> int:
        first = threading.current_thread() is threading.main_thread()
        with self._observer.lock:
            counts = self._counts[first]
            count = counts[key] = counts.get(key, 0) + 1
        if count == 1:
            self._observer.look()
        self._observer.settings.worked = True
        return count

    def _skip(self, key: Hashable) -> None:
        with self._observer.lock:
            steps = sum(map(len, self._counts.values()))
            skipped = self._skipped.setdefault(key, _Skipped(steps))
            enough = skipped.once_more(steps)
            for step in self._parts.get(key, ()):
                self._runs[step][1] += 1
                self._runs[step][2] = self._runs[step][2] or enough
        if enough:
            self._observer.until.exhausted()
            self._observer.stop("steps")

    def trains(self, step: Hashable) -> None:
        """Note that a step has gradients."""
        self._training.add(step)

    def number(self, step: Hashable) -> int:
        """Return which of the runs that were counted a step is, -1 for none."""
        return list(self._runs).index(step) if step in self._runs else -1

    def summary(self) -> dict[str, Any]:
        """Return what is told of the steps at the end."""
        return {
            "steps": max((self._counts[True] or self._counts[False]).values(), default=0),
            "runs": [[*told, self._fed_to(step)] for step, told in self._runs.items()],
            "progress": self.progress(),
        }

    def _fed_to(self, step: Hashable) -> list[str]:
        """Return in words the shapes that a step is fed, whatever the names of the tensors."""
        fed: Any = self._shapes.get(step, [0, ()])[1]
        return sorted(", ".join(sorted(shape for _, shape in one)) for one in fed)
