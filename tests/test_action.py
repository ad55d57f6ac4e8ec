"""The composite action, as far as it runs without its host: its audit step, by bash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.tools import QUERY, ROOT, write
from tests.test_git import commit, git

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs bash")


def run(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the step in a folder, with the command from this source."""
    program = write(
        folder / "runner" / "tfgpu" / "bin" / "tfgpu",
        f'#!/bin/sh\nexec "{sys.executable}" -m tfgpu "$@"\n',
    )
    program.chmod(0o755)
    step = ACTION["runs"]["steps"][-1]
    given = {"PATHS": ".", "ARGUMENTS": "", "CHANGED": "true", "GITHUB_BASE_REF": "", **variables}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder / "repository", capture_output=True, text=True, check=False,
        env={**os.environ, "RUNNER_TEMP": str(folder / "runner"), **given},
    )  # fmt: skip


def test_every_input_reaches_the_step() -> None:
    step = ACTION["runs"]["steps"][-1]
    given = " ".join(step["env"].values())
    assert all(f"inputs.{name} " in given for name in ACTION["inputs"])
    # Text of an input is never part of the script.
    assert "${{" not in step["run"]


def test_it_annotates_the_lines_that_changed(tmp_path: Path) -> None:
    top = tmp_path / "repository"
    write(top / "a.py", QUERY)
    git(top, "init", "-q", "-b", "base")
    commit(top)
    git(top, "update-ref", "refs/remotes/origin/base", "HEAD")
    assert run(tmp_path, GITHUB_BASE_REF="base").returncode == 0
    write(top / "a.py", QUERY + "name = tf.test.gpu_device_name()\n")
    done = run(tmp_path, GITHUB_BASE_REF="base")
    assert done.returncode == 1
    assert done.stdout.startswith("::warning file=a.py,line=5,")
    assert done.stdout.count("::") == 2
    assert run(tmp_path, CHANGED="false").stdout.count("\n::") == 1


def test_words_of_inputs_are_not_run(tmp_path: Path) -> None:
    write(tmp_path / "repository" / "a.py", QUERY)
    done = run(tmp_path, PATHS="$(touch oops) ;touch oops", ARGUMENTS="--ignore TFG701")
    assert done.returncode == 2
    assert not (tmp_path / "repository" / "oops").exists()
