"""A fleet on a real Dask cluster, of which a worker is killed in the middle."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.cli.tools import GROWTH, tfgpu
from tests.fleet.tools import repository, rows, waiting_server

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="needs git"),
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra dask is not installed"),
]

MANY = 4


@contextmanager
def cluster(number: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Give the address of a scheduler, and its workers, which are processes."""
    distributed: Any = import_module("distributed")  # takes a second
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as scheduler:
        address = scheduler.scheduler_address
        program = [sys.executable, "-m", "distributed.cli.dask_worker", address]
        options = ["--no-nanny", "--nthreads", "1", "--no-dashboard"]
        workers = [
            subprocess.Popen([*program, *options], stderr=subprocess.DEVNULL) for _ in range(number)
        ]
        try:
            scheduler.wait_for_workers(number)
            yield address, workers
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()


def test_every_row_is_there_once_though_a_worker_is_killed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for number in range(MANY):
        repository(tmp_path / "clones" / f"r{number}", GROWTH)

    def kill_and_go_on(workers: list[subprocess.Popen[bytes]], over: threading.Event) -> None:
        while len(list((data / "parts").glob("*.jsonl"))) < 2:
            time.sleep(0.01)
        workers[0].kill()
        while len(list((data / "parts").glob("*.jsonl"))) < MANY:
            time.sleep(0.05)
        over.set()

    with waiting_server() as (slow, over), cluster(3) as (address, workers):
        killer = threading.Thread(target=kill_and_go_on, args=(workers, over), daemon=True)
        killer.start()
        done = tfgpu(
            "fleet", slow, str(tmp_path / "clones"), "--dataset", str(data), "--dask", address,
        )  # fmt: skip
    assert done.exit_code == 2, done.stderr
    assert not killer.is_alive(), done.stderr
    states = [(row["repository"], row["state"]) for row in rows(data, "repositories")]
    assert sorted(states) == sorted(
        [(slow, "failed"), *((f"{tmp_path}/clones/r{n}", "ready") for n in range(MANY))]
    )
    settings = [row["repository"] for row in rows(data, "settings")]
    assert sorted(settings) == [f"{tmp_path}/clones/r{number}" for number in range(MANY)]


def test_a_scheduler_that_is_not_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfgpu.cli.fleet._SECONDS_TO_CONNECT", 1)
    repository(tmp_path / "clone", GROWTH)
    done = tfgpu(
        "fleet", str(tmp_path / "clone"), "--dataset", str(tmp_path / "data"),
        "--dask", "tcp://127.0.0.1:1",
    )  # fmt: skip
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: no Dask scheduler at tcp://127.0.0.1:1: ")
    assert len(done.stderr.splitlines()) == 1
