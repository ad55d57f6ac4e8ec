"""Which files a path leads to, compared with what git itself would list."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfgpu.files.discover import Unreadable, discover
from tfgpu.files.kinds import EVERY, REWRITTEN

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="compares with git")
needs_links = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX files")


def lay(root: Path, *names: str, **texts: str) -> None:
    """Make empty files, and .gitignore files from a folder's name (`top` for the root) to text."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for folder, text in texts.items():
        path = (root if folder == "top" else root / folder) / ".gitignore"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def repository(root: Path) -> None:
    (root / ".git").mkdir()


def files(root: Path, *paths: str) -> list[str]:
    """Return what is discovered below paths within root, relative to it; nothing may fail."""
    found = []
    for item in discover([str(root / path) for path in paths] or [str(root)], REWRITTEN):
        assert isinstance(item, str), item
        found.append(Path(item).relative_to(root).as_posix())
    return found


def failures(*paths: Path) -> list[Unreadable]:
    return [
        item for item in discover([*map(str, paths)], REWRITTEN) if isinstance(item, Unreadable)
    ]


class TestWalk:
    def test_only_python_files_sorted_those_of_a_folder_before_those_below(
        self, tmp_path: Path
    ) -> None:
        lay(tmp_path, "b.py", "a.py", "a.txt", "setup.cfg", "x.pyc", "a/z.py", "a/b/c.py", "a/a.py")
        assert files(tmp_path) == ["a.py", "b.py", "a/a.py", "a/z.py", "a/b/c.py"]

    @pytest.mark.parametrize(
        "line", ["#!/usr/bin/env python", "#!/usr/bin/python3.10 -u", "#! /usr/bin/env -S python3"]
    )
    def test_a_script_without_a_suffix_is_known_by_its_first_line(
        self, line: str, tmp_path: Path
    ) -> None:
        lay(tmp_path, "a.py", "bin/other")
        for name in ("bin/train", "bin/train.txt"):
            (tmp_path / name).write_text(f"{line}\nprint(1)\n")
        assert files(tmp_path) == ["a.py", "bin/train"]

    @pytest.mark.parametrize("line", ["", "#!/bin/sh", "#!/opt/python/bin/sh", "# python", "#!pip"])
    def test_other_files_without_a_suffix_are_left_out(self, line: str, tmp_path: Path) -> None:
        (tmp_path / "train").write_text(f"{line}\nprint(1)\n")
        assert files(tmp_path) == []

    @pytest.mark.parametrize("line", ["#!/bin/sh", "#!/usr/bin/env bash", "#!/bin/csh -f"])
    def test_scripts_of_shells_are_found_where_these_are_asked_for(
        self, line: str, tmp_path: Path
    ) -> None:
        lay(tmp_path, "bin/other")
        for name in ("bin/start", "bin/start.txt"):
            (tmp_path / name).write_text(f"{line}\ntrue\n")
        assert list(discover([str(tmp_path)], EVERY)) == [str(tmp_path / "bin" / "start")]

    def test_an_empty_folder_yields_nothing(self, tmp_path: Path) -> None:
        assert list(discover([str(tmp_path)], REWRITTEN)) == []

    def test_a_folder_that_is_called_like_a_python_file(self, tmp_path: Path) -> None:
        lay(tmp_path, "x.py/y.py")
        assert files(tmp_path) == ["x.py/y.py"]

    @pytest.mark.parametrize(
        "folder", [".git", ".hg", ".svn", ".tox", ".nox", ".venv", "__pycache__", "node_modules"]
    )
    def test_folders_of_tools_are_left_out_at_every_level(
        self, tmp_path: Path, folder: str
    ) -> None:
        lay(tmp_path, "a.py", f"{folder}/b.py", f"sub/{folder}/c.py", f"sub/{folder}x/d.py")
        assert files(tmp_path) == ["a.py", f"sub/{folder}x/d.py"]

    def test_a_file_that_is_called_like_a_skipped_folder_stays(self, tmp_path: Path) -> None:
        lay(tmp_path, ".github/tool.py", ".hidden.py")
        assert files(tmp_path) == [".hidden.py", ".github/tool.py"]

    def test_paths_are_spelled_as_they_were_given(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lay(tmp_path, "pkg/a.py", "b.py")
        monkeypatch.chdir(tmp_path)
        assert list(discover(["pkg", "b.py"], REWRITTEN)) == [os.path.join("pkg", "a.py"), "b.py"]  # noqa: PTH118

    @pytest.mark.skipif(sys.platform != "linux", reason="deep folders")
    def test_folders_in_folders_in_folders(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        try:
            for _ in range(1100):
                os.mkdir("d")  # noqa: PTH102
                os.chdir("d")
            Path("a.py").touch()
            os.chdir(tmp_path)
            assert len(list(discover(["."], REWRITTEN))) == 1
        finally:
            # As pytest would remove it, it is too deep.
            subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


class TestExplicit:
    def test_a_file_is_yielded_whatever_it_is_called(self, tmp_path: Path) -> None:
        lay(tmp_path, "script", ".venv/x.py", "train.txt")
        names = ["script", ".venv/x.py", "train.txt"]
        assert files(tmp_path, *names) == names

    def test_an_ignored_file_that_is_named_is_yielded(self, tmp_path: Path) -> None:
        repository(tmp_path)
        lay(tmp_path, "a.py", top="a.py\n")
        assert files(tmp_path) == []
        assert files(tmp_path, "a.py") == ["a.py"]

    def test_what_is_in_an_ignored_folder_that_is_named_is_yielded(self, tmp_path: Path) -> None:
        repository(tmp_path)
        lay(tmp_path, "x/y/a.py", "x/y/b.py", top="x/\nb.py\n")
        assert files(tmp_path) == []
        assert files(tmp_path, "x/y") == ["x/y/a.py"]

    def test_each_file_once(self, tmp_path: Path) -> None:
        lay(tmp_path, "d/a.py", "d/b.py")
        assert files(tmp_path, "d/b.py", "d", "d/a.py", "d") == ["d/b.py", "d/a.py"]

    def test_a_path_that_does_not_exist(self, tmp_path: Path) -> None:
        missing = tmp_path / "missing.py"
        assert failures(missing) == [Unreadable(str(missing), "No such file or directory")]

    def test_a_path_below_a_file(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py")
        path = tmp_path / "a.py" / "b.py"
        assert failures(path) == [Unreadable(str(path), "Not a directory")]

    @needs_links
    def test_a_pipe_is_reported_and_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.py")
        path = tmp_path / "pipe.py"
        assert failures(path) == [Unreadable(str(path), "not a regular file")]
        assert list(discover([str(tmp_path)], REWRITTEN)) == []

    def test_the_others_are_found_after_a_failure(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py", "b.py")
        paths = [str(tmp_path / name) for name in ("a.py", "missing.py", "b.py")]
        assert [type(item) for item in discover(paths, REWRITTEN)] == [str, Unreadable, str]

    def test_a_path_that_is_too_long_is_reported(self, tmp_path: Path) -> None:
        path = str(tmp_path / ("x" * 300))
        assert list(discover([path], REWRITTEN)) == [Unreadable(path, "File name too long")]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX permissions")
def test_a_folder_that_cannot_be_read_is_reported_and_the_others_are_found(tmp_path: Path) -> None:
    lay(tmp_path, "a.py", "b/c.py", "d/e.py")
    closed = tmp_path / "b"
    if os.geteuid() == 0:
        # Permissions do not hold root back; a path that is longer than the system takes does.
        closed = _too_deep(tmp_path / "b")
    else:
        closed.chmod(0)
    try:
        found = list(discover([str(tmp_path)], REWRITTEN))
        failed = [item for item in found if isinstance(item, Unreadable)]
        assert [item.path for item in failed] == [str(closed)]
        assert failed[0].reason in {"Permission denied", "File name too long"}
        names = {Path(item).name for item in found if isinstance(item, str)}
        assert {"a.py", "e.py"} <= names
    finally:
        if os.geteuid() != 0:
            closed.chmod(0o700)


def _too_deep(folder: Path) -> Path:
    """Nest folders until the absolute path is too long; return the first that cannot be opened."""
    name = "n" * 200
    path = folder
    handle = os.open(folder, os.O_RDONLY)
    try:
        while len(os.fsencode(path)) < os.pathconf(folder, "PC_PATH_MAX"):
            os.mkdir(name, dir_fd=handle)
            inner = os.open(name, os.O_RDONLY, dir_fd=handle)
            os.close(handle)
            handle, path = inner, path / name
    finally:
        os.close(handle)
    return path


@needs_links
class TestLinks:
    def test_a_link_to_a_folder_is_not_followed(self, tmp_path: Path) -> None:
        lay(tmp_path, "here/a.py", "elsewhere/b.py")
        (tmp_path / "here" / "link").symlink_to(tmp_path / "elsewhere")
        assert files(tmp_path, "here") == ["here/a.py"]

    def test_a_link_to_a_file_is_left_out(self, tmp_path: Path) -> None:
        lay(tmp_path, "here/a.py", "elsewhere/b.py")
        (tmp_path / "here" / "b.py").symlink_to(tmp_path / "elsewhere" / "b.py")
        assert files(tmp_path, "here") == ["here/a.py"]

    def test_a_link_that_is_named_is_followed(self, tmp_path: Path) -> None:
        lay(tmp_path, "real/a.py", "c.py")
        (tmp_path / "link").symlink_to("real")
        (tmp_path / "b.py").symlink_to("c.py")
        assert files(tmp_path, "link", "b.py", "c.py", "real") == ["link/a.py", "b.py"]

    def test_a_link_to_nothing_says_nothing(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py")
        (tmp_path / "broken.py").symlink_to("nowhere")
        assert files(tmp_path) == ["a.py"]

    @pytest.mark.parametrize("target", [".", "..", "../.."])
    def test_a_link_to_a_folder_around_it_is_reported(self, tmp_path: Path, target: str) -> None:
        lay(tmp_path, "a/b/c.py")
        link = tmp_path / "a" / "b" / "loop"
        link.symlink_to(target)
        assert list(discover([str(tmp_path)], REWRITTEN)) == [
            str(tmp_path / "a" / "b" / "c.py"),
            Unreadable(str(link), "a symbolic link to a folder around it; not followed"),
        ]

    def test_links_that_lead_to_each_other_are_reported(self, tmp_path: Path) -> None:
        lay(tmp_path, "c.py")
        (tmp_path / "a").symlink_to("b")
        (tmp_path / "b").symlink_to("a")
        reason = "a symbolic link that leads to itself"
        assert failures(tmp_path) == [
            Unreadable(str(tmp_path / "a"), reason),
            Unreadable(str(tmp_path / "b"), reason),
        ]

    def test_a_link_to_a_place_below_a_file_is_no_loop(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py")
        (tmp_path / "broken").symlink_to("a.py/x")
        assert files(tmp_path) == ["a.py"]

    def test_a_loop_that_git_ignores_is_not_reported(self, tmp_path: Path) -> None:
        lay(tmp_path, top="loop\n")
        (tmp_path / "loop").symlink_to(".")
        assert files(tmp_path) == []


class TestIgnored:
    def test_files_and_folders(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py", "b.py", "build/c.py", "x/build/d.py", "x/e.py", top="b.py\nbuild/\n")
        assert files(tmp_path) == ["a.py", "x/e.py"]

    def test_the_deeper_file_wins(self, tmp_path: Path) -> None:
        names = ["a_pb2.py", "x/a_pb2.py", "x/b.py", "x/y/a_pb2.py"]
        lay(tmp_path, *names, top="*_pb2.py\n", x="!*_pb2.py\nb.py\n")
        assert files(tmp_path) == ["x/a_pb2.py", "x/y/a_pb2.py"]

    def test_nothing_comes_back_below_an_ignored_folder(self, tmp_path: Path) -> None:
        lay(tmp_path, "x/keep.py", "x/y/keep.py", top="x/\n!keep.py\n", x="!*\n")
        assert files(tmp_path) == []

    def test_an_anchored_pattern_holds_for_its_own_folder_only(self, tmp_path: Path) -> None:
        lay(tmp_path, "gen.py", "x/gen.py", "x/y/gen.py", x="/gen.py\n")
        assert files(tmp_path) == ["gen.py", "x/y/gen.py"]

    def test_parents_up_to_the_top_of_the_repository(self, tmp_path: Path) -> None:
        top = tmp_path / "repo"
        lay(top, "a/b/c.py", "a/b/d.py", "a/b/e.py", "a/b/f.py", top="d.py\n/a/b/e.py\n", a="f.py")
        repository(top)
        lay(tmp_path, top="c.py\n")
        assert files(top, "a/b") == ["a/b/c.py"]

    def test_parents_of_a_nested_repository_do_not_count(self, tmp_path: Path) -> None:
        repository(tmp_path)
        lay(tmp_path, "inner/a.py", top="a.py\n")
        repository(tmp_path / "inner")
        assert files(tmp_path, "inner") == ["inner/a.py"]

    def test_parents_count_only_within_a_repository(self, tmp_path: Path) -> None:
        lay(tmp_path, "x/a.py", top="a.py\n")
        assert files(tmp_path, "x") == ["x/a.py"]
        assert files(tmp_path) == []

    def test_they_hold_whatever_folder_the_command_runs_in(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository(tmp_path)
        lay(tmp_path, "a/b.py", "a/c.py", "d/e.py", top="/a/c.py\n")
        monkeypatch.chdir(tmp_path / "d")
        assert list(discover(["../a"], REWRITTEN)) == [os.path.join("..", "a", "b.py")]  # noqa: PTH118
        monkeypatch.chdir(tmp_path / "a")
        assert list(discover(["."], REWRITTEN)) == [os.path.join(".", "b.py")]  # noqa: PTH118

    @needs_links
    def test_they_hold_through_a_link_to_the_repository(self, tmp_path: Path) -> None:
        lay(tmp_path, "repo/a/b.py", "repo/a/c.py", repo="/a/c.py\n")
        repository(tmp_path / "repo")
        (tmp_path / "link").symlink_to("repo/a")
        assert files(tmp_path, "link") == ["link/b.py"]

    def test_comments_blank_lines_and_crlf(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py", "b.py", "#c.py")
        (tmp_path / ".gitignore").write_bytes(b"# a.py\r\n\r\nb.py\r\n\\#c.py\r\n")
        assert files(tmp_path) == ["a.py"]

    def test_bytes_that_are_not_utf8_do_no_harm(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py", "b.py")
        (tmp_path / ".gitignore").write_bytes(b"caf\xe9.py\nb.py\n")
        assert files(tmp_path) == ["a.py"]

    def test_a_folder_called_gitignore_does_no_harm(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py", ".gitignore/b.py")
        assert files(tmp_path) == ["a.py", ".gitignore/b.py"]

    def test_patterns_that_git_skips_do_no_harm(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py", "b.py", top="!\n/\n\\\nb.py\n")
        assert files(tmp_path) == ["a.py"]

    def test_a_gitignore_with_a_bom(self, tmp_path: Path) -> None:
        lay(tmp_path, "a.py", "b.py", top="\ufeffb.py\n")
        assert files(tmp_path) == ["a.py"]

    @pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
    def test_a_gitignore_that_is_not_utf8_names_a_file_that_is_not(self, tmp_path: Path) -> None:
        lay(tmp_path, os.fsdecode(b"caf\xe9.py"))
        (tmp_path / ".gitignore").write_bytes(b"caf\xe9.py\n")
        assert files(tmp_path) == []

    @needs_links
    def test_a_gitignore_that_is_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        lay(tmp_path, "x/a.py")
        repository(tmp_path)
        for folder in (tmp_path, tmp_path / "x"):
            os.mkfifo(folder / ".gitignore")
        assert files(tmp_path, "x") == ["x/a.py"]


TREE = ["a.py", "b.py", "x/a.py", "x/b.py", "x/y/a.py", "x/y/b.py", "y/a.py", "y/x/b.py"]
PATTERNS = [
    "a.py", "b.py", "/a.py", "*.py", "x", "x/", "/x/", "y/", "x/y", "x/*", "/*", "*", "*/", "**",
    "**/y", "**/x/b.py", "x/**", "x/**/", "x/**/b.py", "**/*", "/**", "/**/", "x**", "**.py",
    "!a.py", "!b.py", "!/x/a.py", "!*.py", "!x", "!x/", "!y/", "!*/", "!x/*", "!x/**", "!x/**/",
    "!x/**/*.py", "# a.py", "", "[ab].py", "[!a].py", "[^a].py", "?.py", "\\a.py", "\\*.py", "x/y/",
    "[.py", "a.py ", "a.p\\y\\ ", "!", "/", "\\", "//a.py", "x//a.py",
]  # fmt: skip
SOME = st.lists(st.sampled_from(PATTERNS), max_size=4)


@needs_git
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(top=SOME, x=SOME, y=SOME)
def test_the_same_files_as_git(
    tmp_path_factory: pytest.TempPathFactory, top: list[str], x: list[str], y: list[str]
) -> None:
    root = _git_tree(tmp_path_factory)
    for folder, patterns in (("", top), ("x", x), ("x/y", y)):
        (root / folder / ".gitignore").write_text("\n".join(patterns) + "\n")
    listed = _git(root, "ls-files", "--others", "--exclude-standard", "--", "*.py").splitlines()
    assert sorted(files(root)) == sorted(listed)


def _git_tree(factory: pytest.TempPathFactory) -> Path:
    root = factory.getbasetemp() / "git-tree"
    if not root.exists():
        lay(root, *TREE)
        _git(root, "init", "--quiet")
    return root


def _git(root: Path, *arguments: str) -> str:
    # The user's own excludes are no part of the comparison.
    command = ["git", "-c", "core.excludesFile=", *arguments]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


def test_patterns_with_many_folders_of_any_number_end(tmp_path: Path) -> None:
    deep = Path(*["a"] * 40)
    lay(tmp_path, str(deep / "b.py"))
    repository(tmp_path)
    (tmp_path / ".gitignore").write_text("x/" + "**/a/" * 20 + "\n")
    assert files(tmp_path) == [str(deep / "b.py")]


def test_a_gitignore_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    lay(tmp_path / "top", "b.py")
    repository(tmp_path / "top")
    (tmp_path / "patterns").write_text("b.py\n")
    (tmp_path / "top" / ".gitignore").symlink_to("../patterns")
    assert files(tmp_path / "top") == ["b.py"]
