"""Ends `tfgpu migrate --write` in the middle, and looks at what it leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli.tools import GROWTH, GROWTH_AFTER, command, environment

# Enough of it that a file is not written at one stroke, in few lines, which cost less to read.
_TAIL = "".join(f"# {number}: {'stays as it is ' * 1000}\n" for number in range(15))
OLD = f"{GROWTH}{_TAIL}".encode()
NEW = f"{GROWTH_AFTER}{_TAIL}".encode()


@dataclass(slots=True)
class Left:
    """What a killed run left: how many files are old or new, and names and files of other kinds."""

    old: int = 0
    new: int = 0
    others: list[str] = field(default_factory=list)


def lay_out(folder: Path, files: int) -> None:
    """Write that many files that a migration changes, and no others, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        (folder / f"a{number:03}.py").write_bytes(OLD)


def kill(folder: Path, after: float, jobs: int = 1, group: bool = False) -> Left:
    """Start a migration of a folder, and end it by SIGKILL that many seconds after its first file.

    With `group`, all processes of its group are.
    """
    watched = folder / "a000.py"
    with subprocess.Popen(
        command("migrate", "--write", "--jobs", str(jobs), "."),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        before = watched.stat().st_ino
        while watched.stat().st_ino == before and process.poll() is None:
            time.sleep(0.0005)
        try:
            process.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            if group:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        # What it started has the same pipe: this waits for all of it.
        process.communicate(timeout=60)
    return look(folder)


def look(folder: Path) -> Left:
    """Look at a folder that `lay_out` made."""
    found = Counter[str]()
    others = []
    for path in folder.iterdir():
        data = path.read_bytes()
        kind = {OLD: "old", NEW: "new"}.get(data) if path.suffix == ".py" else None
        found[kind or "other"] += 1
        if kind is None:
            others.append(f"{path.name}: {len(data)} bytes")
    return Left(found["old"], found["new"], others)


def write_with_little_room(folder: Path, most: int) -> subprocess.CompletedProcess[bytes]:
    """Migrate a folder in a process whose files may have that many bytes at most."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}));"
    main = "from tfgpu.cli import main; main(prog_name='tfgpu')"
    return subprocess.run(
        [sys.executable, "-c", limit + main, "migrate", "--write", "--jobs", "1", "."],
        cwd=folder, env=environment(PYTHONDONTWRITEBYTECODE="1"),  # else it is cut off
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip
