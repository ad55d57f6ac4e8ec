"""What is read from a log of the driver."""

import json
from pathlib import Path

from tfgpu.verify.simgpu.events import read_events


def line(operation: str, size: int, process: int = 1, gpu: int = 0) -> str:
    entry = {"op": operation, "gpu": gpu, "pci": "", "bytes": size, "pid": process}
    return json.dumps(entry) + "\n"


def test_used_memory_adds_up_processes_until_they_end(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(
        line("context", 300)
        + line("context", 300, process=2)
        + line("alloc", 50, process=2)
        + line("alloc failed", 9999)
        + line("managed", 9999)
        + line("alloc", 20, gpu=1)
        + json.dumps({"op": "exit", "pid": 2})
        + "\n"
        + line("free", 50, process=2)
    )
    events = read_events(log)
    assert events.used() == {0: [300, 600, 650, 300], 1: [20]}
    assert events.peak() == {0: 650, 1: 20}


def test_a_log_that_is_not_there_is_a_run_without_cuda(tmp_path: Path) -> None:
    events = read_events(tmp_path / "none")
    assert (events.visible, events.memory, events.used()) == ({}, [], {})
