"""Runs legs in forks of a process that has imported TensorFlow: an import costs seconds."""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tfgpu.verify.isolation.mechanism import PACKAGES
from tfgpu.verify.legs import RECORDER, Leg, Run, end_launcher, environment_of, lay_out

# How long the import of TensorFlow may take, and the end of a leg whose time is over, in seconds.
_LOADING = 300
_ENDING = 40


@dataclass(slots=True)
class Loaded:
    """A process that imports the TensorFlow of an interpreter, and then forks legs.

    `like` is one of the legs.
    """

    like: Leg
    work: Path
    _process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Loaded:
        program, around = self.like
        self._process = subprocess.Popen(
            [program.python, str(RECORDER), "--forks", str(PACKAGES), str(around.libraries or "")],
            env=environment_of(self.like),
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process and self._process.stdin
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        end_launcher(self._process)

    def run(self, legs: Sequence[tuple[Leg, str]], most: int) -> list[Run | None]:
        """Run legs with their names, so many at once; None stands for those that did not start.

        That is for a Python that cannot import the launcher, a TensorFlow that does not load, and
        a program with modules of its own in place of those that TensorFlow's import has loaded.

        Raises:
            NotIsolated: a leg could not be kept apart, and was not started.
            ScratchError: the program's folder cannot be copied, and has to be.
        """
        laid = [lay_out(leg, self.work, name) for leg, name in legs]
        asked = [
            {
                "task": str(one.place.task),
                "job": str(one.job),
                "environment": dict(one.environment),
                "stdout": str(one.run.stdout),
                "stderr": str(one.run.stderr),
                "timeout": one.timeout,
            }
            for one in laid
        ]
        self._ask({"forks": most, "legs": asked}, sum(one.timeout + _ENDING for one in laid))
        return [one.end(0.0) if one.place.result.exists() else None for one in laid]

    def _ask(self, question: dict[str, object], seconds: float) -> None:
        """Wait until the process has run what it is asked for, or has ended."""
        assert self._process and self._process.stdin and self._process.stdout
        with contextlib.suppress(OSError):  # it has ended
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        # Each leg is ended in time; what hangs beyond that is the import.
        answered, _, _ = select.select([self._process.stdout], [], [], _LOADING + seconds)
        if answered:
            self._process.stdout.readline()
