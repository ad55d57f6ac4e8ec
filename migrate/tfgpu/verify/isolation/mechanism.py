"""Which way there is on this machine to keep a leg from the user's files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGES = Path(__file__).parents[3]
"""The folder that holds tfgpu."""

_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from tfgpu.verify.isolation.launcher import main; main(sys.argv[2])"
)


class NotIsolated(Exception):
    """Nothing here keeps a program from the user's files; the message says what was tried."""


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A way to keep a leg apart.

    `kind` is "namespaces" (overlays over all folders) or "landlock" (a copy of the program's folder
    that is the only place to write in); `processes` tells that a leg has process ids of its own.
    """

    kind: str
    processes: bool

    @property
    def copies(self) -> bool:
        """Whether the program's folder is copied."""
        return self.kind == "landlock"

    @property
    def words(self) -> str:
        """What it does, for reports."""
        if self.copies:
            return (
                "each run had its own copy of the program's folder, and the kernel (Landlock) let "
                "it write nowhere else"
            )
        own = " and its own processes" if self.processes else ""
        return (
            f"each run had its own view of all files{own} (mount namespace with overlays): what it "
            "wrote was its own"
        )


MECHANISMS = (
    Mechanism("namespaces", processes=True),
    Mechanism("namespaces", processes=False),
    Mechanism("landlock", processes=False),
)


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of one leg below `work`: its own one, and what its view is made of."""

    work: Path
    name: str

    @property
    def folder(self) -> Path:
        """The folder that the leg sees and that is read after its end."""
        return self.work / self.name

    @property
    def task(self) -> Path:
        """The file that tells the launcher what to do."""
        return self.folder / "task.json"

    @property
    def result(self) -> Path:
        """The file in which the launcher tells how it went."""
        return self.work / f"{self.name}.result"

    def make(self) -> None:
        """Make the folders."""
        for part in ("", ".root", ".memory", ".layers"):
            (self.work / f"{self.name}{part}").mkdir()


def launch_command(
    mechanism: Mechanism,
    place: Place,
    cwd: Path,
    command: Sequence[str],
    changes: Sequence[tuple[str, str | None]] = (),
) -> list[str]:
    """Write what the launcher does, and return how it is started: it runs a command apart.

    `changes` are files to lay out before.
    """
    task = {
        "kind": mechanism.kind,
        "processes": mechanism.processes,
        "work": str(place.work),
        "folder": str(place.folder),
        "root": f"{place.folder}.root",
        "memory": f"{place.folder}.memory",
        "layers": f"{place.folder}.layers",
        "result": str(place.result),
        "writable": [str(place.folder)],
        "cwd": str(cwd),
        "command": list(command),
        "changes": list(changes),
    }
    place.task.write_text(json.dumps(task), "utf-8")
    return [sys.executable, "-I", "-S", "-c", _START, str(PACKAGES), str(place.task)]


def told(place: Place) -> dict[str, Any]:
    """Return what the launcher told at its end, nothing where it was killed."""
    try:
        found: dict[str, Any] = json.loads(place.result.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def choose(work: Path, mechanisms: Sequence[Mechanism] = MECHANISMS) -> Mechanism:
    """Return the first of some ways that works, as a trial shows, which tries to write outside.

    Raises:
        NotIsolated: none does.
    """
    tried = []
    for number, mechanism in enumerate(mechanisms):
        reason = _try(mechanism, Place(work, f"trial{number}"))
        if not reason:
            return mechanism
        tried.append(f"{mechanism.kind}: {reason}")
    raise NotIsolated("; ".join(dict.fromkeys(tried)))


def _try(mechanism: Mechanism, place: Place) -> str:
    """Return why a way does not work here, "" where it does."""
    place.make()
    canary = place.work / f"{place.name}.canary"
    canary.write_text("untouched", "utf-8")
    write = f"echo touched > '{canary}'; echo seen > '{place.folder}/seen'"
    command = launch_command(mechanism, place, Path("/"), ["/bin/sh", "-c", write])
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    found = told(place)
    if "error" in found:
        return str(found["error"])
    if done.returncode or not (place.folder / "seen").is_file():
        return (done.stderr.strip().splitlines() or ["the trial did not run"])[-1]
    if canary.read_text("utf-8") != "untouched":
        return "a trial could write to a file that is not its own"
    return ""
