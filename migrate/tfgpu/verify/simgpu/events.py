"""Reads what the driver wrote down: allocations for each GPU, and what has no model."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

# Operations that take device memory, in the words of the log.
TAKING = ("alloc", "managed", "async", "create")

# What an operation does to the used memory of a GPU. Managed memory may live in the host's memory,
# and a reserved range is only address space: neither counts, as in the driver.
_CHANGE = {
    "context": 1,
    "context free": -1,
    "alloc": 1,
    "free": -1,
    "async": 1,
    "async free": -1,
    "create": 1,
    "release": -1,
}
# The sums of sizes have so many values.
SUMS = 2**64
# Bytes of an allocation that counts.
_SMALLEST = 4096


@dataclass(frozen=True, slots=True)
class Event:
    """One memory call: the GPU by its place in the description and its bus id, size in bytes.

    Pinned host memory has the GPU -1. `exit` is no call: the process ended, and holds nothing.
    """

    operation: str
    gpu: int
    pci: str
    size: int
    process: int


@dataclass(frozen=True, slots=True)
class Launches:
    """How often a process gave a GPU a kernel, or a calculation of a library.

    `sizes` is a sum over all of them that tells their sizes apart, as far as they are known.
    """

    gpu: int
    name: str
    count: int
    sizes: int
    process: int


@dataclass(slots=True)
class Events:
    """All that one run wrote down, in order."""

    memory: list[Event] = field(default_factory=list)
    # How many GPUs each process saw. One that never reached the driver is not in here; one that
    # reached it and saw no GPU has 0.
    visible: dict[int, int] = field(default_factory=dict)
    unmodelled: set[str] = field(default_factory=set)
    opaque: set[str] = field(default_factory=set)  # kernels whose parameters could not be read
    launches: list[Launches] = field(default_factory=list)

    @property
    def host_memory(self) -> int:
        """The bytes of this machine's memory that a process needed and did not get, or 0."""
        return max((one.size for one in self.memory if one.operation == "host memory"), default=0)

    def of(self, process: int) -> Events:
        """Return what one process did."""
        shown = {process: self.visible[process]} if process in self.visible else {}
        memory = [event for event in self.memory if event.process == process]
        launches = [one for one in self.launches if one.process == process]
        return Events(memory, shown, self.unmodelled, self.opaque, launches)

    def work(self) -> dict[int, dict[str, tuple[int, int]]]:
        """Return for each GPU what it was given, by name: how often, and the sum of the sizes."""
        found: dict[int, dict[str, tuple[int, int]]] = {}
        for one in self.launches:
            own = found.setdefault(one.gpu, {})
            count, sizes = own.get(one.name, (0, 0))
            own[one.name] = count + one.count, (sizes + one.sizes) % SUMS
        return found

    def allocations(self) -> dict[int, list[tuple[str, int]]]:
        """Return operation and bytes of each call that took memory of a GPU, failed ones too.

        Small ones are left out: cuDNN's autotuner makes some at will.
        """
        found: dict[int, list[tuple[str, int]]] = {}
        for event in self.memory:
            if event.operation.removesuffix(" failed") in TAKING and event.size >= _SMALLEST:
                found.setdefault(event.gpu, []).append((event.operation, event.size))
        return found

    def used(self) -> dict[int, list[int]]:
        """Return for each GPU the bytes in use after each event that changed them.

        Contexts count, memory of other programs (`used=`) does not. What several processes hold is
        added up; a process that was killed is not known to be gone.
        """
        held: dict[tuple[int, int], int] = {}
        ended: set[int] = set()  # a process may still free memory after it said that it ends
        curves: dict[int, list[int]] = {}
        for event in self.memory:
            changed: list[int] = []
            change = _CHANGE.get(event.operation, 0) * event.size
            if event.operation == "exit":
                ended.add(event.process)
                gone = [gpu for (gpu, process), size in held.items() if size and process in ended]
                held.update({(gpu, event.process): 0 for gpu in gone})
                changed.extend(gone)
            elif change and event.process not in ended:
                key = (event.gpu, event.process)
                held[key] = held.get(key, 0) + change
                changed.append(event.gpu)
            for gpu in changed:
                total = sum(size for (other, _), size in held.items() if other == gpu)
                curves.setdefault(gpu, []).append(total)
        return curves

    def peak(self) -> dict[int, int]:
        """Return for each GPU the most bytes that were in use at once, contexts included."""
        return {gpu: max(curve) for gpu, curve in self.used().items()}


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
        elif entry["op"] == "init":
            events.visible[entry["pid"]] = entry["visible"]
        elif entry["op"] == "launched":
            names = ("gpu", "name", "count", "sizes", "pid")
            events.launches.append(Launches(*(entry[name] for name in names)))
        elif entry["op"] == "exit":
            events.memory.append(Event("exit", -1, "", 0, entry["pid"]))
        else:
            events.memory.append(
                Event(entry["op"], entry["gpu"], entry["pci"], entry["bytes"], entry["pid"])
            )
    return events
