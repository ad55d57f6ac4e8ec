"""The package as a user installs it: a wheel, and an editable checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RULES = [path for path in (ROOT / "rules").rglob("*.toml") if path.parent.name != "names"]
FIXTURE = ROOT / "fixtures" / "growth" / "before.py"


def _run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _pip(folder: Path, *command: str | Path) -> None:
    python = _scripts(folder) / "python"
    _run(python, "-m", "pip", "--quiet", "--disable-pip-version-check", *command, folder=folder)


def _scripts(folder: Path) -> Path:
    return folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")


def _wheel(folder: Path) -> None:
    _pip(folder, "wheel", "--no-deps", "--wheel-dir", folder, ROOT)
    (wheel,) = folder.glob("tfgpu-*-py3-none-any.whl")
    _pip(folder, "install", "--no-compile", wheel)


def _editable(folder: Path) -> None:
    _pip(folder, "install", "--no-compile", "--editable", ROOT)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a fresh environment; what it needs is installed with the first."""
    folder = tmp_path_factory.mktemp("installed")
    _run(sys.executable, "-m", "venv", "venv", folder=folder)
    return folder


def test_it_lists_every_rule_and_rewrites_a_program(environment: Path, tmp_path: Path) -> None:
    for number, install in enumerate((_wheel, _editable)):
        install(environment)
        elsewhere = tmp_path / str(number)
        elsewhere.mkdir()
        shutil.copy(FIXTURE, elsewhere / "before.py")
        check(_scripts(environment) / "tfgpu", elsewhere)


def check(tfgpu: Path, elsewhere: Path) -> None:
    lines = _run(tfgpu, "rules", folder=elsewhere).splitlines()
    assert len(lines) == len(RULES)
    assert "set_memory_growth" in _run(tfgpu, "rule", "allow-growth", folder=elsewhere)
    assert "+    tf.config" in _run(tfgpu, "migrate", "before.py", folder=elsewhere)
    _run(tfgpu, "migrate", "--write", "before.py", folder=elsewhere)
    after = (elsewhere / "before.py").read_text()
    assert "set_memory_growth(gpu, True)" in after
    assert "ConfigProto" not in after
    compile(after, "before.py", "exec")
    assert _run(tfgpu, "migrate", "--check", "before.py", folder=elsewhere) == ""
