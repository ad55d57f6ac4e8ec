"""Output that nobody reads to its end, and output that other programs would take for commands."""

from __future__ import annotations

import subprocess
from pathlib import Path

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
