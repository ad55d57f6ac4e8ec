"""Reads what the driver wrote down: allocations for each GPU, and what has no model."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

# Operations that take device memory, in the words of the log.
TAKING = ("alloc", "managed", "async", "create")


@dataclass(frozen=True, slots=True)
class Event:
    """One memory call: the GPU by its place in the description and its bus id, size in bytes."""

    operation: str
    gpu: int
    pci: str
    size: int
    process: int


@dataclass(slots=True)
class Events:
    """All that one run wrote down, in order."""

    memory: list[Event] = field(default_factory=list)
    unmodelled: set[str] = field(default_factory=set)
    opaque: set[str] = field(default_factory=set)  # kernels whose parameters could not be read

    def allocations(self, smallest: int = 4096) -> dict[int, list[tuple[str, int]]]:
        """Return operation and bytes of each call that took memory of a GPU, failed ones too.

        Calls below `smallest` bytes are left out: cuDNN's autotuner makes some at will.
        """
        found: dict[int, list[tuple[str, int]]] = {}
        for event in self.memory:
            if event.operation.removesuffix(" failed") in TAKING and event.size >= smallest:
                found.setdefault(event.gpu, []).append((event.operation, event.size))
        return found


def read_events(path: Path) -> Events:
    """Read a log; a file that is not there is a run that never opened CUDA."""
    events = Events()
    if not path.is_file():
        return events
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        if entry["op"] == "unmodelled":
            events.unmodelled.add(entry["name"])
        elif entry["op"] == "opaque kernel":
            events.opaque.add(entry["name"])
        else:
            events.memory.append(
                Event(entry["op"], entry["gpu"], entry["pci"], entry["bytes"], entry["pid"])
            )
    return events
