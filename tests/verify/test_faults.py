"""What befalls a verification from outside: it never ends with 1, since no programs differ."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.verify.test_command import ROOT, simulated, write
from tfgpu.verify.isolation.workspace import workspace
from tfgpu.verify.legs import Program, Run, run_of
from tfgpu.verify.record import observe
from tfgpu.verify.recorder.stream import Stream
from tfgpu.verify.scratch import ScratchError

__all__ = ["simulated"]

WAITS = "import time\ntime.sleep(600)\nimport tensorflow as tf\ntf.Session()\n"


def descendants(process: int) -> dict[int, str]:
    """Return what a process has started, with the commands."""
    found: dict[int, str] = {}
    for thread in Path(f"/proc/{process}/task").glob("*"):
        try:
            children = (thread / "children").read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            try:
                found[child] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
            except OSError:
                continue
            found.update(descendants(child))
    return found


def legs(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the processes of the programs that a verification runs."""
    recorder = " " + str(ROOT / "migrate" / "tfgpu" / "verify" / "recorder")
    return [one for one, command in descendants(process.pid).items() if recorder in command]


@pytest.fixture
def waiting(tmp_path: Path) -> Callable[..., subprocess.Popen[bytes]]:
    """Starts a verification and returns it when both programs run; they wait for long."""

    def start(*options: str) -> subprocess.Popen[bytes]:
        write(tmp_path, before=WAITS, after=WAITS + "\n")
        command = [sys.executable, "-m", "tfgpu", "verify", "before.py", "after.py", "--quick"]
        process = subprocess.Popen(
            [*command, "--gpus", "sim:1x1GiB", *options],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # A shell's background jobs ignore it, and hand that on.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )
        while len(legs(process)) < 2:
            assert process.poll() is None, process.communicate()
            time.sleep(0.1)
        return process

    return start


def left_of(started: dict[int, str]) -> list[int]:
    """Return what still runs; the system takes a moment to clear away what was killed."""
    end = time.monotonic() + 10
    while left := [one for one in started if Path(f"/proc/{one}").exists()]:
        if time.monotonic() > end:
            break
        time.sleep(0.1)
    return left


@pytest.mark.usefixtures("simulated")
@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_all_that_it_started(
    waiting: Callable[..., subprocess.Popen[bytes]],
    asked: signal.Signals,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    process = waiting()
    started = descendants(process.pid)
    process.send_signal(asked)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 128 + asked, said
    assert b"Traceback" not in said
    assert not left_of(started)
    assert not list((tmp_path / "tmp").iterdir())


@pytest.mark.usefixtures("simulated")
def test_a_program_that_somebody_kills_proves_nothing(
    waiting: Callable[..., subprocess.Popen[bytes]],
) -> None:
    process = waiting("--timeout", "20")  # where a leg begins only now, it waits for that
    for one in legs(process):
        os.kill(one, signal.SIGKILL)
    said, _ = process.communicate(timeout=240)
    assert process.returncode == 3, said


def killed(folder: Path, number: int) -> Run:
    """Return a leg that a signal has ended."""
    script = folder / "train.py"
    run = run_of(Program("train.py", script, folder, folder, sys.executable), folder, "leg")
    run.record.parent.mkdir()
    run.record.write_text('{"kind": "start", "python": "3.12", "process": 1, "at": 0}\n')
    run.status = -number
    return run


def test_a_crash_of_the_program_is_its_own(tmp_path: Path) -> None:
    assert not observe(killed(tmp_path, signal.SIGSEGV)).trouble


def test_a_kill_is_not(tmp_path: Path) -> None:
    (reason,) = observe(killed(tmp_path, signal.SIGKILL)).trouble
    assert "killed" in reason


def test_a_full_disk_does_not_disturb_the_program() -> None:
    Stream("/dev/full").write("start", process=1)


def test_a_full_disk_is_an_error_that_says_so() -> None:
    with pytest.raises(ScratchError, match="TMPDIR"), workspace():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_failure_of_tfgpu_itself_is_an_error(tmp_path: Path) -> None:
    code = (
        "import tfgpu.cli.evidence as e\n"
        "def fails(*_): raise ZeroDivisionError\n"
        "e.read_evidence = fails\n"
        "from tfgpu.cli import main\n"
        "main(['evidence', 'check', 'evidence.json'])\n"
    )
    (tmp_path / "evidence.json").write_text("{}")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 2, done
    assert b"ZeroDivisionError" in done.stderr
