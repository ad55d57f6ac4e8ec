"""Diffs: lines are those of the file, names those of git."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tfgpu.files.patch import patch_name, quoted, unified

END = b"\\ No newline at end of file\n"


def test_only_line_feeds_end_lines() -> None:
    old = "x = '\x0b\x0c\x1c\u2028\x85\r'\r\n".encode()
    assert unified(old, old + b"y\r\n", "a.py", "a.py") == [
        b"--- a/a.py\n", b"+++ b/a.py\n", b"@@ -1 +1,2 @@\n", b" " + old, b"+y\r\n",
    ]  # fmt: skip


def test_bytes_of_any_encoding_stay() -> None:
    every = bytes(byte for byte in range(256) if byte != ord("\n"))
    lines = unified(every + b"\n1\n", every + b"\n2\n", "a.py", "a.py")
    assert lines[3] == b" " + every + b"\n"


def test_lines_without_a_line_feed_are_told() -> None:
    lines = unified(b"\xef\xbb\xbf-- a", b"\xef\xbb\xbfb", "a.py", "a.py")
    assert lines[2:] == [
        b"@@ -1 +1 @@\n", b"-\xef\xbb\xbf-- a\n", END, b"+\xef\xbb\xbfb\n", END,
    ]  # fmt: skip


def test_a_line_feed_at_the_end_is_a_change() -> None:
    assert unified(b"a", b"a\n", "a.py", "a.py")[3:] == [b"-a\n", END, b"+a\n"]


def test_no_change_has_no_lines() -> None:
    assert unified(b"a\n", b"a\n", "a.py", "a.py") == []


def test_a_file_that_is_not_there() -> None:
    assert unified(b"", b"a\n", None, "a.py")[:2] == [b"--- /dev/null\n", b"+++ b/a.py\n"]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a.py", b"a.py"),
        ("ü/中.py", "ü/中.py".encode()),
        ("a'b.py", b"a'b.py"),
        ('a"b\\c.py', rb'"a\"b\\c.py"'),
        ("a\nb\tc\x1b[31m\x7f.py", rb'"a\nb\tc\033[31m\177.py"'),
        (os.fsdecode(b"a\xff.py"), rb'"a\377.py"'),
    ],
)
def test_names_are_quoted_as_git_quotes_them(name: str, written: bytes) -> None:
    assert quoted(name) == written


def test_a_tab_ends_a_name_with_a_space() -> None:
    # Without it git takes what is behind the space for a time.
    assert unified(b"", b"a\n", "a b.py", "a b.py")[:2] == [
        b"--- a/a b.py\t\n",
        b"+++ b/a b.py\t\n",
    ]


class TestName:
    @pytest.fixture(autouse=True)
    def _here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "here" / "sub").mkdir(parents=True)
        (tmp_path / "here" / "sub" / "a.py").write_text("")
        monkeypatch.chdir(tmp_path / "here")

    def test_it_is_from_the_current_folder(self) -> None:
        for path in (
            "sub/a.py",
            "./sub/a.py",
            "sub/../sub//a.py",
            str(Path("sub/a.py").absolute()),
        ):
            assert patch_name(path) == "sub/a.py"

    def test_a_file_elsewhere_is_named_from_the_root(self, tmp_path: Path) -> None:
        elsewhere = (tmp_path.resolve() / "b.py").as_posix().lstrip("/")
        assert patch_name("../b.py") == patch_name(str(tmp_path / "b.py")) == elsewhere

    def test_of_a_link_it_is_that_of_the_file(self, tmp_path: Path) -> None:
        Path("link").symlink_to("sub")
        Path("link.py").symlink_to("sub/a.py")
        (tmp_path / "there").symlink_to("here")
        for path in ("link/a.py", "link.py", str(tmp_path / "there" / "sub" / "a.py")):
            assert patch_name(path) == "sub/a.py"
