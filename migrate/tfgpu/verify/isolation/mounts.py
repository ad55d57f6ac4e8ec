"""What is mounted, and what of it a leg sees in which way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

# Devices, processes and the kernel's own settings: no files of the user's. They stay as they are.
DEVICES = "/dev"
KEPT = (DEVICES, "/proc", "/sys")
# Memory that processes share by name, which are files all the same.
_SHARED_MEMORY = "/dev/shm"


@dataclass(frozen=True, slots=True)
class Mount:
    """One mounted file system: where, what kind, with which options."""

    point: str
    kind: str
    options: frozenset[str]

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written there."""
        return "ro" in self.options


def parse_mounts(text: str) -> dict[str, Mount]:
    """Read /proc/self/mountinfo: what is mounted at each place, the topmost one."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        kind = words[words.index("-") + 1]
        point = _plain(words[4])
        found[point] = Mount(point, kind, frozenset(words[5].split(",")))
    return found


def _plain(path: str) -> str:
    """Return a path of /proc/mounts with its octal escapes decoded."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), path)


def is_kept(path: str) -> bool:
    """Tell whether a place is left as it is in every leg."""
    return path != _SHARED_MEMORY and any(
        path == folder or path.startswith(folder + "/") for folder in KEPT
    )


def below(path: str, points: Iterable[str]) -> list[str]:
    """Return the mount points below a folder."""
    start = path.rstrip("/") + "/"
    return [point for point in points if point.startswith(start) and point != path]


def is_above(path: str, other: str) -> bool:
    """Tell whether a folder is another one or holds it."""
    return other == path or other.startswith(path.rstrip("/") + "/")
