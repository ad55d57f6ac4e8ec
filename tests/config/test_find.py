"""Which configuration holds for a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.tools import write
from tfgpu.config.find import Configurations
from tfgpu.files.discover import discover
from tfgpu.files.kinds import REWRITTEN
from tfgpu.options import Options
from tfgpu.rulebook.table import RuleError

IGNORES = "ignore = ['{}']\n"


def ignored(path: Path, configurations: Configurations | None = None) -> tuple[str, ...]:
    return (configurations or Configurations(Options())).options(str(path)).ignore


def test_the_nearest_file_holds_alone(tmp_path: Path) -> None:
    write(tmp_path / "tfgpu.toml", IGNORES.format("TFG1"))
    write(tmp_path / "a" / "pyproject.toml", "[tool.tfgpu]\n" + IGNORES.format("TFG2"))
    write(tmp_path / "a" / "b" / "pyproject.toml", "[tool.other]\n")
    write(tmp_path / "a" / "c" / "tfgpu.toml", "")
    for folder, expected in ((".", ("TFG1",)), ("x/y", ("TFG1",)), ("a", ("TFG2",)),
                             ("a/b", ("TFG2",)), ("a/c", ())):  # fmt: skip
        assert ignored(tmp_path / folder / "m.py") == expected


def test_the_own_file_of_a_folder_goes_before_pyproject(tmp_path: Path) -> None:
    write(tmp_path / "tfgpu.toml", IGNORES.format("TFG1"))
    write(tmp_path / "pyproject.toml", "[tool.tfgpu]\n" + IGNORES.format("TFG2"))
    assert ignored(tmp_path / "m.py") == ("TFG1",)


def test_a_path_is_found_however_it_is_spelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a" / "tfgpu.toml", "per-file-ignores.'/m.py' = ['TFG1']\n")
    (tmp_path / "link").symlink_to("a")
    monkeypatch.chdir(tmp_path / "a")
    found = Configurations(Options())
    for path in ("m.py", "./m.py", "../a/m.py", "../link/m.py", str(tmp_path / "a" / "m.py")):
        assert found.options(path).ignore == ("TFG1",)
    assert found.options("n.py").ignore == ()


def test_every_file_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / "tfgpu.toml", IGNORES.format("TFG1"))
    found = Configurations(Options())
    ignored(tmp_path / "a" / "m.py", found)
    path.unlink()
    for name in ("a/n.py", "b/m.py", "m.py"):
        assert ignored(tmp_path / name, found) == ("TFG1",)


def test_the_rules_of_all_that_were_read(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write(tmp_path / folder / "tfgpu.toml", "rules = ['own']\n")
        (tmp_path / folder / "own").mkdir()
    found = Configurations(Options())
    assert found.rules() == ()
    assert found.options(str(tmp_path / "a" / "m.py")).rules == (str(tmp_path / "a" / "own"),)
    found.of_target(str(tmp_path / "b"))
    assert found.rules() == tuple(str(tmp_path / folder / "own") for folder in ("a", "b"))


def test_a_name_that_cannot_be_looked_at_is_not_left_out(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    found = Configurations(Options())
    assert not found.leaves_out(str(tmp_path / "loop" / "a.py"))
    assert not found.leaves_out(str(tmp_path / ("x" * 300)))
    assert not found.leaves_out("/")


def test_what_is_above_the_repository_excludes_nothing_in_it(tmp_path: Path) -> None:
    write(tmp_path / "tfgpu.toml", "exclude = ['repository/', 'a/']\n")
    write(tmp_path / "repository" / ".git" / "HEAD", "")
    found = Configurations(Options())
    assert not found.leaves_out(str(tmp_path / "repository" / "m.py"))
    # But it is the nearest configuration for the files in it.
    assert found.leaves_out(str(tmp_path / "repository" / "a" / "m.py"))


NAMES = st.sampled_from(["a", "b", "c.py", "d.py"])
GLOBS = st.sampled_from(["a", "/a/", "b/", "c.py", "a/c.py", "!c.py", "**/b/d.py", "*", "!a/"])


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    files=st.lists(st.lists(NAMES, min_size=1, max_size=3).map("/".join), min_size=1, max_size=6),
    top=st.lists(GLOBS, max_size=3),
    inner=st.none() | st.lists(GLOBS, max_size=3),
)
def test_a_file_that_is_named_is_left_out_where_a_walk_leaves_it_out(
    tmp_path_factory: pytest.TempPathFactory, files: list[str], top: list[str],
    inner: list[str] | None,
) -> None:  # fmt: skip
    root = tmp_path_factory.mktemp("tree")
    for name in files:
        path = root / name
        if path.suffix == ".py" and not any(item.is_file() for item in (*path.parents, path)):
            try:
                write(path, "")
            except OSError:
                continue
    write(root / "tfgpu.toml", f"exclude = {top}\n")
    if inner is not None and not (root / "a").is_file():
        write(root / "a" / "tfgpu.toml", f"exclude = {inner}\n")
    found = Configurations(Options())
    walked = set(discover([str(root)], REWRITTEN, found.excludes))
    every = {str(path) for path in root.rglob("*.py") if path.is_file()}
    assert {path for path in every if not found.leaves_out(path)} == walked


@pytest.mark.parametrize("name", ["tfgpu.toml", "pyproject.toml"])
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.symlink_to("nowhere"), "No such file or directory"),
        (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
        (os.mkfifo, "not a regular file"),
        (Path.mkdir, "not a regular file"),
    ],
)
def test_a_file_that_is_there_and_cannot_be_read_is_an_error(
    tmp_path: Path, name: str, make: Callable[[Path], None], said: str
) -> None:
    make(tmp_path / name)
    with pytest.raises(RuleError, match=f"{name}: the file: found '{said}'"):
        Configurations(Options()).of_folder(tmp_path)
