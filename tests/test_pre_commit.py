"""The hooks of .pre-commit-hooks.yaml, run by the real pre-commit in a repository made here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.tools import CLEAN, GROWTH, GROWTH_AFTER, KEPT, ROOT, write
from tfgpu.files.kinds import _BY_NAME, _BY_SUFFIX, _STARTS

yaml = pytest.importorskip("yaml")
pytest.importorskip("pre_commit")
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

HOOKS = ROOT / ".pre-commit-hooks.yaml"


class Repository:
    """A git repository with both hooks, run from this source instead of being installed."""

    def __init__(self, top: Path, *ids: str) -> None:
        self.path = top / "repository"
        self.path.mkdir()
        # `tfgpu` is this source; the rest of its entry is that of the hook.
        program = write(
            top / "bin" / "tfgpu",
            f'#!/bin/sh\nPYTHONPATH={ROOT} exec "{sys.executable}" -m tfgpu "$@"\n',
        )
        program.chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "PRE_COMMIT_HOME": str(top / "cache"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
        }  # fmt: skip
        hooks = [{**hook, "language": "system"} for hook in defined() if hook["id"] in ids]
        config = {"repos": [{"repo": "local", "hooks": hooks}]}
        write(self.path / ".pre-commit-config.yaml", yaml.safe_dump(config))
        self.git("init", "-q")

    def git(self, *arguments: str) -> None:
        subprocess.run(
            ["git", *arguments], cwd=self.path, env=self.environment, check=True,
            capture_output=True,
        )  # fmt: skip

    def hooks(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Add all files and run the hooks on what changed since the last commit."""
        self.git("add", "-A")
        return self.hooks_of_index(*arguments)

    def hooks_of_index(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the hooks on what is staged."""
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", *arguments],
            cwd=self.path, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "x")


def defined() -> list[dict[str, Any]]:
    """Return the hooks as they are defined."""
    found: list[dict[str, Any]] = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    return found


def test_the_manifest_is_valid() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", str(HOOKS)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "")


def test_an_audit_reads_the_files_of_the_commit_only(tmp_path: Path) -> None:
    repository = Repository(tmp_path, "tfgpu-audit")
    write(repository.path / "old.py", GROWTH)
    repository.commit()
    write(repository.path / "clean.py", CLEAN)
    write(repository.path / "picture.png", b"\0")
    assert repository.hooks().returncode == 0
    write(repository.path / "new.py", KEPT)
    done = repository.hooks()
    assert done.returncode == 1
    assert "new.py:6:5: TFG521" in done.stdout
    assert "old.py" not in done.stdout
    assert "old.py:4: config converts" in repository.hooks("--all-files").stdout


def test_an_audit_is_given_the_kinds_that_it_knows() -> None:
    """By the patterns of pre-commit, which are searched for in the path."""
    (files,) = [hook["files"] for hook in defined() if hook["id"] == "tfgpu-audit"]
    names = [f"a{suffix}" for suffix in _BY_SUFFIX] + list(_BY_NAME)
    names += [f"{start}gpu" for start in _STARTS] + ["train", "A.PY"]
    assert [name for name in names if re.search(files, f"b.d/{name}") is None] == []
    assert [name for name in ("README", "a.md", "py", "x.pyc") if re.search(files, name)] == ["py"]


def test_an_audit_reads_settings_that_pre_commit_has_no_types_for(tmp_path: Path) -> None:
    repository = Repository(tmp_path, "tfgpu-audit")
    write(repository.path / ".env", "TF_FORCE_GPU_ALLOW_GROWTH=yes\n")
    unit = "[Service]\nEnvironment=TF_FORCE_GPU_ALLOW_GROWTH=yes\n"
    write(repository.path / "train.service", unit)
    write(repository.path / "train", "#!/bin/sh\nexport TF_FORCE_GPU_ALLOW_GROWTH=yes\n")
    write(repository.path / "README", "Set TF_FORCE_GPU_ALLOW_GROWTH=yes.\n")
    done = repository.hooks()
    assert done.returncode == 1
    assert ".env:1:1: TFE050" in done.stdout
    assert "also in 2 more places: train:2, train.service:2\n" in done.stdout
    assert "README" not in done.stdout


def test_a_migration_fails_once_and_leaves_the_new_text(tmp_path: Path) -> None:
    repository = Repository(tmp_path, "tfgpu-migrate")
    path = write(repository.path / "a.py", GROWTH)
    first = repository.hooks()
    assert first.returncode == 1
    assert "files were modified by this hook" in first.stdout
    assert path.read_text() == GROWTH_AFTER
    assert repository.hooks().returncode == 0


def test_a_migration_sees_the_files_that_a_commit_does_not_touch(tmp_path: Path) -> None:
    """A config of one file that another one, committed long ago, takes is kept."""
    repository = Repository(tmp_path, "tfgpu-migrate")
    shared = "import tensorflow as tf\n\nconfig = tf.ConfigProto(log_device_placement=True)\n"
    taken = "import tensorflow as tf\nfrom shared import config\nconfig.unknown()\n"
    write(repository.path / "use.py", taken + "sess = tf.Session(config=config)\n")
    repository.commit()
    shared += "sess = tf.Session(config=config)\n"
    path = write(repository.path / "shared.py", shared)
    assert repository.hooks().returncode == 0
    assert path.read_text() == shared
    # It is the other file that keeps it.
    repository.git("rm", "-qf", "use.py")
    assert repository.hooks().returncode == 1
    assert "tf.debugging.set_log_device_placement(True)" in path.read_text()


def test_a_commit_without_python_runs_no_migration(tmp_path: Path) -> None:
    repository = Repository(tmp_path, "tfgpu-migrate")
    write(repository.path / "a.md", "text\n")
    done = repository.hooks()
    assert (done.returncode, "no files to check" in done.stdout) == (0, True)


def test_a_migration_leaves_files_that_git_does_not_know(tmp_path: Path) -> None:
    repository = Repository(tmp_path, "tfgpu-migrate")
    repository.commit()
    plain = write(repository.path / "plain.py", GROWTH)
    scratch = write(repository.path / "scratch.py", GROWTH)
    hidden = write(repository.path / "hidden.py", GROWTH)
    write(repository.path / ".git" / "info" / "exclude", "hidden.py\n")
    repository.git("add", "plain.py")
    done = repository.hooks_of_index()
    assert "scratch.py: left as it was: git does not know it" in done.stdout
    assert (plain.read_text(), scratch.read_text()) == (GROWTH_AFTER, GROWTH)
    assert hidden.read_text() == GROWTH
    repository.git("add", "plain.py")
    assert repository.hooks_of_index().returncode == 0


def test_a_program_with_a_file_that_git_does_not_know_is_left_whole(tmp_path: Path) -> None:
    repository = Repository(tmp_path, "tfgpu-migrate")
    train = write(repository.path / "my train.py", "# 1\nimport helper\n" + GROWTH)
    other = write(repository.path / "other.py", GROWTH)
    repository.commit()
    helper = write(repository.path / "helper.py", GROWTH)
    write(train, "# 2\nimport helper\n" + GROWTH)
    repository.git("add", "my train.py")
    unstaged = write(train, "# 2\nimport helper\n" + GROWTH + "# 3\n").read_text()
    done = repository.hooks_of_index()
    assert done.returncode == 1
    assert "helper.py: git does not know it; not changed: add it" in done.stdout
    assert "my train.py: its program stays as it is, because of ./helper.py" in done.stdout
    assert (helper.read_text(), train.read_text()) == (GROWTH, unstaged)
    assert other.read_text() == GROWTH_AFTER
    repository.git("add", "-A")
    assert repository.hooks_of_index().returncode == 1
    assert "ConfigProto" not in helper.read_text() + train.read_text()
