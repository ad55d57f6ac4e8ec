"""Commands that end in time, with everything that they started."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

_running: set[subprocess.Popen[bytes]] = set()


class BoundedError(Exception):
    """A command could not be started, failed, or took too long; the text says which."""


def bounded(
    command: Sequence[str],
    seconds: float,
    folder: str | Path,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """Return what a command prints. It runs in a session of its own, so that it cannot ask anyone.

    Raises:
        BoundedError: it cannot be run, fails, is killed, or takes longer than `seconds`.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise BoundedError(f"{command[0]} cannot be run: {error.strerror or error}") from error
    _running.add(process)
    try:
        printed, said = process.communicate(given, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise BoundedError(f"took longer than {seconds:g} s") from None
    finally:
        _end(process)
        _running.discard(process)
    if process.returncode < 0:
        name = signal.Signals(-process.returncode).name
        raise BoundedError(f"the process was ended by {name}")
    if process.returncode:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        # What git says after that is advice.
        fatal = [line for line in lines if line.startswith("fatal: ")]
        raise BoundedError((fatal or lines[-1:] or [f"{command[0]} failed"])[0])
    return printed


def end_all() -> None:
    """End every command that runs."""
    for process in list(_running):
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command that still runs, and the processes of its session."""
    if process.poll() is not None:
        return
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
