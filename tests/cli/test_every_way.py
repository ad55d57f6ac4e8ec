"""Every way of reading many programs comes to its end, and says the same from the cache."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.tools import tfgpu

PROGRAMS = Path(__file__).resolve().parents[1] / "soundness" / "programs"
FOLDERS = ("mixed", "unread", "machines")
WAYS = (
    "audit",
    "audit --per-file",
    "inventory",
    "migrate",
    "migrate --bridge",
    "migrate --imports",
    "migrate --unsafe-fixes",
    "migrate --per-file --unsafe-fixes",
)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of programs; in the repository itself those around would decide with them."""
    folder = tmp_path_factory.mktemp("programs")
    for name in FOLDERS:
        shutil.copytree(PROGRAMS / name, folder / name)
    return folder


@pytest.mark.parametrize("way", WAYS)
def test_a_way_to_its_end_and_again_from_the_cache(
    way: str, programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(programs)
    known = ("--jobs", "1", "-q", "--cache-dir", str(tmp_path / "cache"), *FOLDERS)
    done, again = (tfgpu(*way.split(), *known) for _ in range(2))
    assert done.exit_code in (0, 1), done.stderr
    assert again.output == done.output
    assert not [line for line in done.stderr.splitlines() if line.startswith("cache")]
