"""How much memory this machine has left."""

from __future__ import annotations

import re
from pathlib import Path

_KIB = 1024

# The limit of a container and what it uses, for the two versions of control groups.
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def free_memory(root: Path = Path("/")) -> int:
    """Return the bytes that programs may still take, of memory and swap and of the container's.

    What only caches files counts as free.
    """
    told = re.findall(r"^(MemAvailable|SwapFree):\s*(\d+)", _text(root / "proc/meminfo"), re.M)
    left = [sum(int(number) * _KIB for _, number in told)]
    for limit, used in _GROUPS:
        most, now = (_text(root / path.lstrip("/")).strip() for path in (limit, used))
        if most.isdigit() and now.isdigit():
            statistics = _text((root / limit.lstrip("/")).with_name("memory.stat"))
            cached = re.search(r"^(?:total_)?inactive_file (\d+)", statistics, re.M)
            left.append(int(most) - int(now) + int(cached[1] if cached else 0))
    return max(0, min(left))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""
