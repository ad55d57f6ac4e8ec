"""The compiled rules are the rules of the TOML files as they are now."""

from __future__ import annotations

import os
import pickle
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pytest

from tfgpu.rulebook import compiled
from tfgpu.rulebook.book import RULES, Rulebook, load_rulebook, read_rulebook
from tfgpu.rulebook.compiled import cached_rulebook, pack, packed_rulebook

LONG_AGO = time.time() - 3600


def _said(book: Rulebook) -> dict[str, Any]:
    """Return all that a rulebook was made from."""
    return {
        name: value
        for name, value in vars(book).items()
        if not isinstance(getattr(Rulebook, name, None), cached_property)
    }


class Folder:
    """A folder of rules, with a place for what is compiled, that counts how often it is read."""

    def __init__(self, top: Path) -> None:
        self.rules = top / "rules"
        self.reads = 0
        shutil.copytree(RULES / "memory", self.rules / "memory")
        for path in self.rules.rglob("*.toml"):
            os.utime(path, (LONG_AGO, LONG_AGO))

    def read(self) -> Rulebook:
        """Read the TOML files."""
        self.reads += 1
        return read_rulebook(self.rules)

    def load(self) -> Rulebook:
        """Load the rules, compiled or not."""
        return cached_rulebook(str(self.rules), self.read)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let rules be compiled into a folder of the test."""
    code = tmp_path / "code"
    shutil.copytree(Path(compiled.__file__).parent, code)
    for path in code.rglob("*.py"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    monkeypatch.setattr(compiled, "_HERE", str(code))
    monkeypatch.setattr(compiled.__spec__, "cached", str(tmp_path / "cache" / "compiled.pyc"))
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    return tmp_path / "cache"


def test_they_are_those_of_the_files() -> None:
    read = read_rulebook(RULES)
    _, loaded = pickle.loads(pack(read))
    assert _said(loaded) == _said(read) == _said(load_rulebook())
    assert loaded.find("allow-growth") == read.find("allow-growth") is not None


def test_a_second_start_reads_no_toml(tmp_path: Path, cache: Path) -> None:
    folder = Folder(tmp_path)
    first, second = folder.load(), folder.load()
    assert folder.reads == 1
    assert _said(first) == _said(second)
    assert [path.name for path in cache.iterdir()] == ["compiled.rules"]


@pytest.mark.parametrize("change", ["edited", "added", "removed", "renamed", "code"])
def test_a_change_counts_at_once(tmp_path: Path, cache: Path, change: str) -> None:
    folder = Folder(tmp_path)
    folder.load()
    first, second, *_ = sorted(folder.rules.rglob("*.toml"))
    if change == "edited":
        text = first.read_text()
        first.write_text(text.replace("summary = ", "summary = ", 1))
    elif change == "added":
        shutil.copy(RULES / "names" / "v1_only.txt", folder.rules)
    elif change == "removed":
        first.unlink()
    elif change == "renamed":
        second.rename(second.with_name("other.toml"))
    else:
        (cache.parent / "code" / "model.py").write_text("")
    folder.load()
    assert folder.reads == 2


def test_what_has_just_changed_is_not_compiled(tmp_path: Path, cache: Path) -> None:
    folder = Folder(tmp_path)
    next(folder.rules.rglob("*.toml")).touch()
    folder.load()
    assert not cache.exists()


@pytest.mark.parametrize("damage", [b"", b"\x80\x05no pickle", b"\x80\x05N."])
def test_a_damaged_file_is_replaced(tmp_path: Path, cache: Path, damage: bytes) -> None:
    folder = Folder(tmp_path)
    expected = _said(folder.load())
    (cache / "compiled.rules").write_bytes(damage)
    assert _said(folder.load()) == expected
    folder.load()
    assert folder.reads == 2


def test_where_nothing_can_be_written(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_text("a file where the folder should be")
    folder = Folder(tmp_path)
    assert folder.load().rules == folder.load().rules


def test_many_starts_at_once(tmp_path: Path, cache: Path) -> None:
    folder = Folder(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        books = list(pool.map(lambda load: load(), [partial(folder.load)] * 8))
    assert all(_said(book) == _said(books[0]) for book in books)
    assert [path.name for path in cache.iterdir()] == ["compiled.rules"]


def test_a_checkout_holds_no_rules_of_a_wheel() -> None:
    assert packed_rulebook() is None
