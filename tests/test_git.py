"""What git says: lines that changed, changes that are not committed; real repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.tools import write
from tfgpu.git import Changes, GitError, changes_since, uncommitted, unstaged

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgSign=false")
    subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, name: str = "more") -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", name, "--allow-empty")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with a branch `base`, on another one."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "base")
    write(folder / "a.py", "".join(f"line {number}\n" for number in range(1, 11)))
    write(folder / "sub" / "b.py", "one\ntwo\n")
    commit(folder, "first")
    git(folder, "checkout", "-q", "-b", "work")
    return folder


def lines(changes: Changes, path: Path) -> list[int]:
    return [number for number in range(1, 40) if changes.touch(str(path), number, number)]


def edit(path: Path, changes: dict[int, str]) -> None:
    found = path.read_text().split("\n")
    for number, text in changes.items():
        found[number - 1] = text
    path.write_text("\n".join(found))


class TestChanges:
    def test_a_change_that_keeps_size_and_time(self, repository: Path) -> None:
        # Git looks into a file that is not older than its index: it may have changed right after.
        path, index = repository / "a.py", repository / ".git" / "index"
        git(repository, "config", "core.trustctime", "false")
        os.utime(path, (10**9, 10**9))
        git(repository, "add", "a.py")
        os.utime(index, (10**9, 10**9))
        edit(path, {2: "LINE 2"})
        os.utime(path, (10**9, 10**9))
        before = index.read_bytes()
        assert lines(changes_since("HEAD", repository), path) == [2]
        assert index.read_bytes() == before

    def test_committed_staged_and_not_staged(self, repository: Path) -> None:
        path = repository / "a.py"
        edit(path, {2: "committed"})
        commit(repository)
        edit(path, {5: "staged"})
        git(repository, "add", "a.py")
        edit(path, {8: "not staged\nmore"})
        changes = changes_since("base", repository)
        assert lines(changes, path) == [2, 5, 8, 9]
        assert lines(changes, repository / "sub" / "b.py") == []
        assert changes.any_in(str(path))
        assert not changes.any_in(str(repository / "sub" / "b.py"))

    def test_what_happened_on_the_base_meanwhile_does_not_count(self, repository: Path) -> None:
        edit(repository / "a.py", {2: "mine"})
        commit(repository)
        git(repository, "checkout", "-q", "base")
        edit(repository / "a.py", {9: "theirs"})
        commit(repository)
        git(repository, "checkout", "-q", "work")
        assert lines(changes_since("base", repository), repository / "a.py") == [2]

    def test_ranges_touch_where_they_overlap(self, repository: Path) -> None:
        edit(repository / "a.py", {5: "x", 6: "y"})
        changes = changes_since("base", repository)
        for first, last, expected in ((1, 4, False), (1, 5, True), (6, 9, True), (7, 9, False),
                                      (1, 10, True)):  # fmt: skip
            assert changes.touch(str(repository / "a.py"), first, last) is expected

    def test_new_files_changed_as_a_whole(self, repository: Path) -> None:
        write(repository / "new.py", "x\n")
        write(repository / ".gitignore", "ignored.py\n")
        write(repository / "ignored.py", "x\n")
        changes = changes_since("base", repository)
        assert changes.touch(str(repository / "new.py"), 100, 100)
        assert changes.any_in(str(repository / "new.py"))
        assert not changes.any_in(str(repository / "ignored.py"))

    def test_deleted_lines_and_files_leave_nothing(self, repository: Path) -> None:
        path = repository / "a.py"
        path.write_text(path.read_text().replace("line 4\n", ""))
        (repository / "sub" / "b.py").unlink()
        changes = changes_since("base", repository)
        assert lines(changes, path) == []
        assert not changes.any_in(str(path))

    @pytest.mark.parametrize(
        "name", ["sp ace.py", "größe.py", 'quo"te.py', "tab\t.py", "line\nfeed.py", "b/b.py"]
    )
    def test_odd_names(self, repository: Path, name: str) -> None:
        path = write(repository / name, "1\n2\n")
        commit(repository)
        git(repository, "branch", "-f", "base")
        path.write_text("1\nnew\n")
        assert lines(changes_since("base", repository), path) == [2]

    def test_lines_that_look_like_a_diff(self, repository: Path) -> None:
        path = repository / "a.py"
        edit(path, {2: "++ b/sub/b.py\n@@ -1 +1,9 @@\n-- a/x"})
        path.write_text(path.read_text().rstrip("\n") + "\n++ b/sub/b.py")
        changes = changes_since("base", repository)
        assert lines(changes, path) == [2, 3, 4, 13]
        assert lines(changes, repository / "sub" / "b.py") == []

    def test_the_last_line_without_an_end(self, repository: Path) -> None:
        path = write(repository / "sub" / "b.py", "one\nzwei")
        write(repository / "sub" / "c.py", "1")
        commit(repository)
        git(repository, "branch", "-f", "base")
        path.write_text("one\nzwo")
        write(repository / "sub" / "c.py", "2")
        changes = changes_since("base", repository)
        assert lines(changes, path) == [2]
        assert lines(changes, repository / "sub" / "c.py") == [1]

    def test_settings_of_the_user_change_nothing(self, repository: Path) -> None:
        for key in ("diff.noprefix=true", "color.ui=always", "diff.external=false"):
            git(repository, "config", *key.split("="))
        git(repository, "config", "diff.mnemonicPrefix", "true")
        edit(repository / "a.py", {3: "x"})
        assert lines(changes_since("base", repository), repository / "a.py") == [3]

    def test_from_a_folder_below_and_through_a_link(self, repository: Path) -> None:
        edit(repository / "a.py", {3: "x"})
        (repository.parent / "link").symlink_to(repository)
        changes = changes_since("base", repository.parent / "link" / "sub")
        for path in (repository / "a.py", repository.parent / "link" / "a.py"):
            assert changes.holds(str(path))
            assert lines(changes, path) == [3]
        assert not changes.holds(str(repository.parent / "other.py"))

    def test_no_repository(self, tmp_path: Path) -> None:
        with pytest.raises(GitError, match="not a git repository"):
            changes_since("base", tmp_path)

    @pytest.mark.parametrize("ref", ["nowhere", "--output=x", ""])
    def test_no_commit(self, repository: Path, ref: str) -> None:
        with pytest.raises(GitError, match=f"{ref!r} is no commit in the repository"):
            changes_since(ref, repository)
        assert not (repository / "x").exists()

    def test_histories_that_never_met(self, repository: Path) -> None:
        git(repository, "checkout", "-q", "--orphan", "alone")
        commit(repository)
        with pytest.raises(GitError):
            changes_since("base", repository)


class TestUncommitted:
    def test_staged_changed_and_unknown_files(self, repository: Path) -> None:
        edit(repository / "a.py", {1: "x"})
        write(repository / "new folder" / "n.py", "x")
        write(repository / ".gitignore", "ignored.py\n")
        write(repository / "ignored.py", "x")
        commit(repository)
        paths = ["a.py", "sub/b.py", "new folder/n.py", "ignored.py"]
        every = [str(repository / path) for path in paths]
        assert uncommitted(every) == []
        edit(repository / "a.py", {2: "x"})
        git(repository, "add", "a.py")
        edit(repository / "sub" / "b.py", {1: "x"})
        assert uncommitted(every) == every[:2]
        write(repository / "added" / "größe\n.py", "x")
        assert uncommitted([str(repository / "added" / "größe\n.py")]) == [
            str(repository / "added" / "größe\n.py")
        ]

    def test_files_outside_of_repositories(self, tmp_path: Path) -> None:
        assert uncommitted([str(write(tmp_path / "a.py", "x"))]) == []
        assert uncommitted([]) == []

    def test_several_repositories(self, repository: Path, tmp_path: Path) -> None:
        other = tmp_path / "other"
        other.mkdir()
        git(other, "init", "-q")
        paths = [str(repository / "a.py"), str(write(other / "a.py", "x"))]
        assert uncommitted(paths) == paths[1:]

    @pytest.mark.parametrize("with_folder", [False, True])
    def test_in_a_hook_of_the_repository_around(
        self, with_folder: bool, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        part = repository / "part"
        part.mkdir()
        # As of a submodule, whose `.git` is a file.
        git(part, "init", "-q", "--separate-git-dir", str(repository / ".git" / "part"))
        changed, clean = write(part / "a.py", "x"), write(part / "b.py", "x")
        commit(part)
        edit(changed, {1: "y"})
        monkeypatch.chdir(repository)
        monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
        if with_folder:
            monkeypatch.setenv("GIT_DIR", ".git")
            monkeypatch.setenv("GIT_WORK_TREE", str(repository))
        assert uncommitted(map(str, [changed, clean])) == [str(changed)]
        assert unstaged(map(str, [changed, clean])) == {str(changed): True}
        assert changes_since("HEAD", part).any_in(str(changed))

    def test_the_index_of_a_hook(self, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        # `git commit a.py` has an index of its own while its hooks run.
        path, other = repository / "a.py", repository / ".git" / "next-index.lock"
        shutil.copy2(repository / ".git" / "index", other)
        edit(path, {1: "new"})
        git(repository, "add", "a.py")
        monkeypatch.chdir(repository)
        assert unstaged([str(path)]) == {}
        monkeypatch.setenv("GIT_INDEX_FILE", str(other))
        assert unstaged([str(path)]) == {str(path): True}

    def test_a_repository_that_cannot_be_asked(self, tmp_path: Path) -> None:
        write(tmp_path / ".git", "gitdir: nowhere\n")
        with pytest.raises(GitError, match="not a git repository"):
            uncommitted([str(write(tmp_path / "a.py", "x"))])

    def test_without_git(self, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")
        with pytest.raises(GitError, match="git cannot be run: No such file or directory"):
            uncommitted([str(repository / "a.py")])


@pytest.mark.skipif(os.name != "posix", reason="scripts of POSIX")
def test_no_command_of_the_repository_is_run(repository: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\necho >> {ran}\ncat\n")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "filter.x.clean", "filter.a=b.clean", "filter.p.process"):
        git(repository, "config", key, str(script))
    git(repository, "config", "filter.p.required", "true")
    write(repository / ".gitattributes", "a.py filter=x\nb.py filter=a=b\nc.py filter=p\n")
    edit(repository / "a.py", {2: "new"})
    edit(repository / "sub" / "b.py", {2: "new"})
    path = str(repository / "a.py")
    assert changes_since("base", repository).touch(path, 2, 2)
    assert uncommitted([path]) == [path]
    assert not ran.exists()
    git(repository, "status")
    assert ran.exists()  # they are commands that git itself runs
