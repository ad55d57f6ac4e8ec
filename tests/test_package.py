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


@pytest.fixture(scope="module", params=["wheel", "editable"])
def tfgpu(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package into a fresh environment; return its command."""
    folder = tmp_path_factory.mktemp(request.param)
    _run(sys.executable, "-m", "venv", "venv", folder=folder)
    scripts = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    pip: list[str | Path] = [
        scripts / "python",
        "-m",
        "pip",
        "--quiet",
        "--disable-pip-version-check",
    ]
    if request.param == "editable":
        _run(*pip, "install", "--editable", ROOT, folder=folder)
    else:
        _run(*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT, folder=folder)
        (wheel,) = folder.glob("tfgpu-*-py3-none-any.whl")
        _run(*pip, "install", wheel, folder=folder)
    return scripts / "tfgpu"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Return a folder with a copy of a fixture, away from the repository."""
    shutil.copy(FIXTURE, tmp_path / "before.py")
    return tmp_path


def test_it_lists_every_rule_and_rewrites_a_program(tfgpu: Path, elsewhere: Path) -> None:
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
