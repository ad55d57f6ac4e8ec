"""Whatever ends a run in the middle: each file is old or new, and nothing else is left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.tools import GROWTH, command, environment, started
from tests.killing import NEW, OLD, Left, kill, lay_out, look, write_with_little_room

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="SIGKILL, /proc and mounts")

FILES = 12


@pytest.mark.parametrize("group", [False, True], ids=["process", "group"])
def test_killed_at_any_moment(tmp_path: Path, group: bool) -> None:
    chance = random.Random(5)
    halfway = 0
    # Some kills come when all is done; how many depends on the machine.
    for number in range(40):
        folder = tmp_path / str(number)
        lay_out(folder, FILES)
        left = kill(folder, after=0.15 * chance.random() ** 3, group=group)
        assert left.others == []
        assert left.old + left.new == FILES
        halfway += 0 < left.new < FILES
        if halfway == 3:
            break
    assert halfway


def test_the_next_run_does_the_rest(tmp_path: Path) -> None:
    lay_out(tmp_path, FILES)
    kill(tmp_path, after=0)
    assert started("migrate", "--write", ".", folder=tmp_path).returncode == 0
    assert look(tmp_path) == Left(new=FILES)


def test_a_file_that_finds_no_room_stays_and_the_others_are_done(tmp_path: Path) -> None:
    lay_out(tmp_path, 3)
    (tmp_path / "small.py").write_text(GROWTH)
    done = write_with_little_room(tmp_path, len(NEW) // 2)
    assert done.returncode == 2
    assert sum(line.endswith(b".py: File too large") for line in done.stderr.splitlines()) == 3
    assert (tmp_path / "small.py").stat().st_size < len(GROWTH) * 2
    assert (tmp_path / "small.py").read_text() != GROWTH
    (tmp_path / "small.py").unlink()
    assert look(tmp_path) == Left(old=3)


def test_a_full_disk(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("may not mount a small disk")
    try:
        # As many as fit, with no room for one more.
        lay_out(disk, 2**20 // (len(OLD) + 4096))
        with (disk / "filler").open("wb", buffering=0) as filler:
            while os.statvfs(disk).f_bavail:
                filler.write(bytes(4096))
        before = look(disk)
        done = started("migrate", "--write", "--jobs", "1", ".", folder=disk)
        assert done.returncode == 2
        assert b"No space left on device" in done.stderr
        assert b"Traceback" not in done.stderr
        assert look(disk) == before
        assert before.old > 1
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    lay_out(tmp_path, 60)
    with running("--jobs", "3", folder=tmp_path) as process:
        workers = children(process)
        process.kill()
        process.communicate(timeout=60)
    assert workers
    until = time.monotonic() + 60
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < until, "orphans"
        time.sleep(0.01)
    assert look(tmp_path) == Left(old=60)


def test_a_worker_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    lay_out(tmp_path, 60)
    with running("--jobs", "2", folder=tmp_path) as process:
        for worker in children(process):
            os.kill(worker, signal.SIGKILL)
        _, talk = process.communicate(timeout=120)
    assert b"Traceback" not in talk
    assert talk.startswith(b"Scanned 60 files: ")


@pytest.mark.parametrize("count", [1, 2])
def test_an_interrupt_ends_all_processes(tmp_path: Path, count: int) -> None:
    lay_out(tmp_path, 60)
    with running("--jobs", "2", "--no-cache", folder=tmp_path, group=True) as process:
        assert children(process)
        for _ in range(count):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.1)
        _, talk = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in talk


def running(*arguments: str, folder: Path, group: bool = False) -> subprocess.Popen[bytes]:
    """Start an audit of a folder, with `group` in a group of processes of its own."""
    return subprocess.Popen(
        command("audit", *arguments, "."),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=group,
    )


def children(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the processes that a process has started, once there are some."""
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while process.poll() is None:
        found = [int(number) for number in listed.read_text().split()]
        if found:
            return found
    return []
