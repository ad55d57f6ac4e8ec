"""Reading and replacing files: the old contents or the new ones, and nothing else is left."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tfgpu.files.files import MAX_READ, load, write
from tfgpu.files.pyfile import SourceError


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


class TestLoad:
    def test_the_bytes_as_they_are(self, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(b"\xef\xbb\xbfx\r\n\0")
        assert load(str(path)) == b"\xef\xbb\xbfx\r\n\0"

    def test_a_file_that_is_too_large_is_not_read(self, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        with path.open("wb") as file:
            file.truncate(2**40)  # takes no room
        with pytest.raises(SourceError, match=r"^1048576\.0 MiB; files above 64 MiB are not read"):
            load(str(path))

    def test_the_largest_file(self, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        with path.open("wb") as file:
            file.truncate(MAX_READ)
        assert len(load(str(path))) == MAX_READ

    @pytest.mark.skipif(sys.platform != "linux", reason="a file whose size is not known")
    def test_a_file_that_does_not_know_its_size(self) -> None:
        assert os.stat("/proc/self/status").st_size == 0  # noqa: PTH116
        assert b"Pid:" in load("/proc/self/status")

    def test_what_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match=r"^No such file or directory$"):
            load(str(tmp_path / "a.py"))
        with pytest.raises(SourceError):
            load(str(tmp_path))

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX files")
    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "a.py")
        for path in (str(tmp_path / "a.py"), os.devnull):
            with pytest.raises(SourceError, match=r"^not a regular file$"):
                load(path)


class TestWrite:
    def test_only_the_contents_change(self, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(b"old")
        path.chmod(0o754)
        write(str(path), b"old", b"new\r\n\xff")
        assert path.read_bytes() == b"new\r\n\xff"
        assert stat.S_IMODE(path.stat().st_mode) == 0o754
        assert names(tmp_path) == ["a.py"]

    def test_a_reader_sees_the_old_contents_or_the_new(self, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(b"old")
        with path.open("rb") as reader:
            write(str(path), b"old", b"new and longer")
            assert reader.read() == b"old"
        assert path.read_bytes() == b"new and longer"

    def test_a_file_that_changed_meanwhile_is_left_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(b"edited by hand")
        with pytest.raises(SourceError, match=r"^changed while it was read; not written$"):
            write(str(path), b"old", b"new")
        assert path.read_bytes() == b"edited by hand"
        assert names(tmp_path) == ["a.py"]

    def test_a_file_that_is_gone_is_not_made_again(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match=r"^No such file or directory$"):
            write(str(tmp_path / "a.py"), b"old", b"new")
        assert names(tmp_path) == []

    def test_a_folder_in_its_place(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").mkdir()
        with pytest.raises(SourceError, match=r"^Is a directory$"):
            write(str(tmp_path / "a.py"), b"old", b"new")

    @pytest.mark.parametrize("relative", [True, False])
    def test_a_link_stays_a_link_to_the_new_contents(self, tmp_path: Path, relative: bool) -> None:
        real = tmp_path / "real" / "a.py"
        real.parent.mkdir()
        real.write_bytes(b"old")
        link = tmp_path / "link.py"
        link.symlink_to("real/a.py" if relative else real)
        write(str(link), b"old", b"new")
        assert link.is_symlink()
        assert real.read_bytes() == b"new"
        assert names(real.parent) == ["a.py"]

    @pytest.mark.parametrize("relative", [True, False])
    def test_a_link_out_of_its_folder_is_left_alone(self, tmp_path: Path, relative: bool) -> None:
        real = tmp_path / "real.py"
        real.write_bytes(b"old")
        link = tmp_path / "tree" / "link.py"
        link.parent.mkdir()
        link.symlink_to("../real.py" if relative else real)
        with pytest.raises(SourceError, match=r"^a symbolic link out of its folder; not changed$"):
            write(str(link), b"old", b"new")
        assert real.read_bytes() == b"old"
        assert names(link.parent) == ["link.py"]

    def test_a_file_below_a_link_to_a_folder_is_written(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "real" / "a.py").write_bytes(b"old")
        (tmp_path / "link").symlink_to("real")
        write(str(tmp_path / "link" / "a.py"), b"old", b"new")
        assert (tmp_path / "real" / "a.py").read_bytes() == b"new"

    @pytest.mark.parametrize("name", ["a\nb.py", os.fsdecode(b"caf\xe9.py"), "x" * 252 + ".py"])
    def test_any_name(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name
        path.write_bytes(b"old")
        write(str(path), b"old", b"new")
        assert path.read_bytes() == b"new"
        assert names(tmp_path) == [name]

    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
    def test_a_file_in_a_read_only_folder_is_left_alone(self, open_folder: Path) -> None:
        path = open_folder / "a.py"
        path.write_bytes(b"old")
        open_folder.chmod(0o555)
        try:
            with pytest.raises(SourceError, match=r"^in a read-only folder; not changed$"):
                write(str(path), b"old", b"new")
        finally:
            open_folder.chmod(0o755)
        assert path.read_bytes() == b"old"
        assert names(open_folder) == ["a.py"]

    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
    def test_a_read_only_file_is_left_alone(self, open_folder: Path) -> None:
        path = open_folder / "a.py"
        path.write_bytes(b"old")
        path.chmod(0o444)
        with pytest.raises(SourceError, match=r"^read-only; not changed$"):
            write(str(path), b"old", b"new")
        assert path.read_bytes() == b"old"
        assert names(open_folder) == ["a.py"]

    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
    def test_a_folder_that_takes_no_files(self, open_folder: Path) -> None:
        path = open_folder / "a.py"
        path.write_bytes(b"old")
        path.chmod(0o666)
        open_folder.chmod(0o555)
        said = _unprivileged(lambda: write(str(path), b"old", b"new"))
        assert said == "in a read-only folder; not changed"
        assert path.read_bytes() == b"old"


@pytest.fixture
def open_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that every user may write, below folders that every user may enter."""
    folder = tmp_path_factory.mktemp("open")
    folder.chmod(0o777)
    for parent in folder.parents:
        if parent.stat().st_uid == os.getuid() and not parent.stat().st_mode & stat.S_IXOTH:
            parent.chmod(parent.stat().st_mode | stat.S_IXOTH)
    return folder


def _unprivileged(call: Callable[[], None]) -> str:
    """Return the message of the SourceError that a call ends in for a user without privileges."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:  # pragma: no cover - another process
        try:
            if os.getuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            call()
            os.write(writing, b"no error")
        except SourceError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        message = pipe.read().decode()
    os.waitpid(child, 0)
    return message
