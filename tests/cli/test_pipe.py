"""Output that nobody reads to its end, and output that other programs would take for commands."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.tools import GROWTH, command, environment, tfgpu


def test_a_reader_that_has_enough_is_no_finding_and_no_failure(tmp_path: Path) -> None:
    with subprocess.Popen(
        command("rules"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 128 + 13


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full")
@pytest.mark.parametrize("line", ["rules", "audit", "audit --format html"])
def test_a_full_disk_is_one_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.py").write_text(GROWTH)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command(*line.split()),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            cwd=tmp_path,
            check=False,
        )
    assert (done.returncode, done.stderr) == (
        2,
        "Error: standard output: No space left on device\n",
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="closes a file descriptor of a child")
def test_without_a_standard_error_the_findings_are_shown(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(GROWTH)
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *command("audit", "a.py")],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 1
    assert "a.py:4: config converts" in done.stdout


def test_what_is_not_there_was_not_read() -> None:
    result = tfgpu("audit", "no-such-folder")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[1].startswith("Scanned 0 files, 1 failed: ")


def test_no_line_is_a_command_to_github(tmp_path: Path) -> None:
    name = "::error title=x::y.py"
    (tmp_path / name).write_text(GROWTH)
    for kind in ("text", "concise"):
        done = subprocess.run(
            command("audit", "--format", kind, name),
            capture_output=True,
            text=True,
            env=environment(),
            cwd=tmp_path,
            check=False,
        )
        assert name in done.stdout
        assert not any(line.lstrip().startswith("::") for line in done.stdout.splitlines())
