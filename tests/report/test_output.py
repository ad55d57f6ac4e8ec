"""A report in a file: there whole, or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tfgpu.report.output import replaced


def write(path: Path, text: str) -> None:
    with replaced(str(path)) as file:
        file.write(text)


def test_what_was_there_stays_until_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "report"
    path.write_text("old")
    with replaced(str(path)) as file:
        file.write("new\n")
        assert path.read_text() == "old"
    assert path.read_text() == "new\n"
    assert [item.name for item in tmp_path.iterdir()] == ["report"]


def test_where_something_goes_wrong_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "report"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replaced(str(path)) as file:
        file.write("new")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["report"]


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_the_mode_is_kept_and_that_of_a_new_file_is_as_usual(tmp_path: Path) -> None:
    usual, old, new = (tmp_path / name for name in ("usual", "old", "new"))
    usual.write_text("")
    old.write_text("")
    old.chmod(0o640)
    write(old, "x")
    write(new, "x")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_link_is_written_through(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are those of POSIX")
def test_a_pipe_or_a_device_is_written_to(tmp_path: Path) -> None:
    write(Path(os.devnull), "x")
    assert not Path(os.devnull).is_file()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write(pipe, "through")
    assert os.read(reading, 100) == b"through"
    os.close(reading)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_any_text_is_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "report"
    write(path, "é\udcff\r\n")
    assert path.read_bytes() == "é\\udcff\r\n".encode()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        write(tmp_path / "missing" / "report", "x")
