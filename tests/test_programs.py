"""Programs of several files: what the tool makes of the folder `before` is the folder `after`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.tools import document, tfgpu
from tests.whole_programs import FIXTURES, KEPT, NAMES, UNSAFE, files
from tfgpu.options import Options
from tfgpu.verify.imported import local_files
from tfgpu.verify.programs import migration


def copied(name: str, target: Path) -> Path:
    """Return a copy of a program that is to be migrated."""
    ignore = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(FIXTURES / name / "before", target / name, ignore=ignore))


def test_every_program_is_here() -> None:
    assert sorted(path.parent.name for path in FIXTURES.glob("*/before/")) == NAMES
    assert len(NAMES) >= 15


@pytest.mark.parametrize("name", NAMES)
def test_a_program_is_migrated_as_a_whole(name: str, tmp_path: Path) -> None:
    expected = files(FIXTURES / name / "after")
    folder = copied(name, tmp_path)
    report = document(str(folder))
    kept_by = [config["kept_by"] for file in report["files"] for config in file["configs"]]
    assert kept_by
    if name in KEPT:
        assert None not in kept_by
        assert KEPT[name] in kept_by
    else:
        assert set(kept_by) == {UNSAFE.get(name)}

    unsafe = name in UNSAFE
    if name not in KEPT:
        _, by_verify = migration(folder / "main.py", Options(unsafe_fixes=unsafe))
        changes = by_verify.changes
        for path in local_files(by_verify.script, by_verify.root, changes):
            inside = path.relative_to(by_verify.root).as_posix()
            assert (changes.get(path) or path.read_bytes()) == expected[inside], inside

    for _ in ("before gives after", "after gives itself"):
        options = ["--unsafe-fixes"] if unsafe else []
        assert tfgpu("migrate", "--write", *options, str(folder)).exit_code == 0
        assert files(folder) == expected
