"""The cache never changes what a run says, whatever changed, and whatever is in it."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.tools import GROWTH, command, environment, tfgpu, write
from tfgpu.cache import cached_run
from tfgpu.files.kinds import EVERY
from tfgpu.options import Options
from tfgpu.process import Job
from tfgpu.run import no_watch

USER = "import helper\n\nhelper.train()\n"
HELPER = GROWTH
# Takes the config of the helper to a call that nobody knows.
OTHER = "import tensorflow as tf\nimport helper\nsess = tf.Session(config=tf.ConfigProto())\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with a program of two files, and others; it is the current folder."""
    top = tmp_path / "tree"
    (top / ".git").mkdir(parents=True)
    write(top / "main.py", USER)
    write(top / "helper.py", HELPER)
    for number in range(25):
        write(top / "more" / f"m{number}.py", f"X = {number}\n")
    monkeypatch.chdir(top)
    return top


def audit(cache: Path, *options: str) -> str:
    done = tfgpu("audit", "--format", "json", "--cache-dir", str(cache), "--jobs", "1", *options)
    assert "cache" not in done.stderr, done.stderr
    return done.stdout


def test_a_second_run_reads_results_from_the_cache(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = audit(tmp_path / "cache")
    tables = tfgpu("inventory", "--cache-dir", str(tmp_path / "cache")).stdout
    diff = tfgpu("migrate", "--cache-dir", str(tmp_path / "cache")).stdout
    assert "+    for gpu in" in diff

    def refuse(*_: object) -> Iterator[None]:
        raise AssertionError("analysed again")

    monkeypatch.setattr("tfgpu.cache.run", refuse)
    assert audit(tmp_path / "cache") == first
    assert tfgpu("inventory", "--cache-dir", str(tmp_path / "cache")).stdout == tables
    written = tfgpu("migrate", "--write", "--force", "--cache-dir", str(tmp_path / "cache"))
    assert written.exit_code == 0
    assert "set_memory_growth" in (tree / "helper.py").read_text()


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file": lambda top: write(top / "helper.py", HELPER.replace("True", "False")),
    "another file of the program": lambda top: write(top / "main.py", OTHER + USER),
    "a new file": lambda top: write(top / "new.py", GROWTH),
    "a file less": lambda top: (top / "main.py").unlink(),
    "what git ignores": lambda top: write(top / ".gitignore", "helper.py\n"),
    "the configuration": lambda top: write(top / "tfgpu.toml", 'ignore = ["TFG101"]\n'),
    "the configuration of a folder": lambda top: write(
        top.parent / "tfgpu.toml", 'exclude = ["helper.py"]\n'
    ),
    "where the project begins": lambda top: write(top / "more" / ".git", ""),
    "an unreadable file": lambda top: write(top / "bad.py", "import tensorflow\nx = = 1\n"),
    "a notebook": lambda top: write(top / "n.ipynb", '{"cells": [], "nbformat": 4}'),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_is_seen(tree: Path, tmp_path: Path, change: str) -> None:
    cache = tmp_path / "cache"
    audit(cache)
    CHANGES[change](tree)
    expected = tfgpu("audit", "--format", "json", "--no-cache", "--jobs", "1").stdout
    assert audit(cache) == expected
    assert audit(cache) == expected


def test_options_and_paths_are_told_apart(tree: Path, tmp_path: Path) -> None:
    for options in ([], ["--ignore", "TFG101"], ["--per-file"], ["--min-tf", "2.10"], [str(tree)]):
        known = [*options, "--format", "json", "--jobs", "1", "-q"]
        expected = tfgpu("audit", "--no-cache", *known).stdout
        for _ in range(2):
            done = tfgpu("audit", "--cache-dir", str(tmp_path / "cache"), *known)
            assert done.stdout == expected, options


class _Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("evil",)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "one bit": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "foreign": lambda data: b"something else\n" * 100,
    "another pickle": lambda data: pickle.dumps(_Evil()),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_is_ignored_with_a_line(tree: Path, tmp_path: Path, damage: str) -> None:
    cache = tmp_path / "cache"
    first = audit(cache)
    (file,) = cache.iterdir()
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    done = tfgpu("audit", "--format", "json", "--cache-dir", str(cache), "--jobs", "1")
    assert done.stdout == first
    assert done.stderr.splitlines()[0] == f"cache ignored: {file} is damaged, or no cache of tfgpu"
    assert audit(cache) == first


def test_nothing_but_results_is_made_from_a_cache(tree: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = audit(cache)
    (file,) = cache.iterdir()
    data = zlib.compress(pickle.dumps(_Evil()))
    file.write_bytes(b"tfgpu cache 1\n" + hashlib.sha256(data).digest() + data)
    done = tfgpu("audit", "--format", "json", "--cache-dir", str(cache), "--jobs", "1")
    assert done.stdout == first
    assert "cache ignored" in done.stderr
    assert not Path("evil").exists()


def test_a_folder_that_cannot_be_written_is_one_line(tree: Path, tmp_path: Path) -> None:
    write(tmp_path / "file", "")
    done = tfgpu("audit", "--cache-dir", str(tmp_path / "file" / "cache"))
    assert done.stderr.count("cache") - done.stderr.count("/cache") == 2, done.stderr
    assert "helper.py" in done.stdout


def test_a_run_that_files_change_under_is_not_kept(tree: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    job = Job(Options(), rewrite=False, kinds=EVERY)
    for _ in cached_run(["."], job, 1, no_watch, cache, print):
        write(tree / "helper.py", "X = 1\n")
    assert not list(cache.glob("*"))


def test_processes_share_a_folder(tree: Path, tmp_path: Path) -> None:
    expected = tfgpu("audit", "--format", "json", "--no-cache", "--jobs", "1").stdout
    options = ("audit", "--format", "json", "--jobs", "1", "--cache-dir", str(tmp_path / "cache"))
    running = [
        subprocess.Popen(
            command(*options), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    for process in running:
        printed, said = process.communicate(timeout=120)
        assert printed.decode() == expected
        assert b"cache" not in said
    (file,) = (tmp_path / "cache").iterdir()
    assert file.suffix == ".run"
