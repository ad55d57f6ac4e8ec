"""How much memory a machine has left, as its files tell."""

from pathlib import Path

import pytest

from tfgpu.verify.legs import free_memory

MEMORY = "MemTotal: 900 kB\nMemFree: 100 kB\nMemAvailable: 500 kB\nSwapFree: 20 kB\n"


@pytest.mark.parametrize(
    ("files", "left"),
    [
        ({}, 520 * 1024),
        ({"memory.max": "max", "memory.current": "5000"}, 520 * 1024),
        ({"memory.max": "9000", "memory.current": "5000"}, 4000),
        (
            {"memory.max": "9000", "memory.current": "5000", "memory.stat": "inactive_file 700\n"},
            4700,
        ),
        ({"memory/memory.limit_in_bytes": "900", "memory/memory.usage_in_bytes": "1000"}, 0),
        (
            {"memory/memory.limit_in_bytes": "9" * 18, "memory/memory.usage_in_bytes": "1000"},
            520 * 1024,
        ),
    ],
)
def test_free_memory(tmp_path: Path, files: dict[str, str], left: int) -> None:
    texts = {f"sys/fs/cgroup/{name}": text for name, text in files.items()}
    for name, text in {**texts, "proc/meminfo": MEMORY}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert free_memory(tmp_path) == left
