"""Decoding and writing: what goes in comes out, byte for byte, or an error says why not."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.source.pyfile import MAX_BYTES, SourceError, decode, matters, write


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


class TestMatters:
    def test_any_token_anywhere(self) -> None:
        assert matters(b"x = tf.ConfigProto()", [b"nothing", b"ConfigProto"])
        assert not matters(b"x = tf.configproto()", [b"nothing", b"ConfigProto"])
        assert not matters(b"", [b"ConfigProto"])


class TestDecode:
    def test_utf8_is_the_default(self) -> None:
        source = decode("x = 'é☃'\n".encode())
        assert (source.text, source.encoding, source.bom) == ("x = 'é☃'\n", "utf-8", False)

    def test_an_empty_file(self) -> None:
        assert decode(b"").text == ""

    def test_a_bom_is_no_part_of_the_text(self) -> None:
        source = decode(codecs.BOM_UTF8 + b"x = 1\n")
        assert (source.text, source.encoding, source.bom) == ("x = 1\n", "utf-8", True)

    def test_a_bom_with_a_coding_line_that_agrees(self) -> None:
        source = decode(codecs.BOM_UTF8 + b"# coding: utf-8\n")
        assert (source.text, source.bom) == ("# coding: utf-8\n", True)

    @pytest.mark.parametrize(
        "head",
        ["# -*- coding: latin-1 -*-\n", "#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\n"],
    )
    def test_the_coding_line_counts_in_the_first_two_lines(self, head: str) -> None:
        source = decode(head.encode() + b"x = '\xe9'\n")
        assert source.text == head + "x = 'é'\n"
        assert codecs.lookup(source.encoding) == codecs.lookup("latin-1")

    def test_line_endings_stay_in_the_text(self) -> None:
        assert decode(b"a\r\nb\rc\n\x0cd").text == "a\r\nb\rc\n\x0cd"

    @pytest.mark.parametrize(
        ("data", "reason", "line"),
        [
            (b"# coding: nonsense\n", "unknown encoding: nonsense", 1),
            (b"a = 1\nb = 2\nc = '\xff'\n", "byte 0xff is not utf-8", 3),
            (b"# coding: ascii\n\nx = '\xc3\xa9'\n", "byte 0xc3 is not ascii", 3),
            (b"a\r\n" * 9 + b"\xfe", "byte 0xfe is not utf-8", 10),
        ],
    )
    def test_what_cannot_be_decoded_says_why_and_where(
        self, data: bytes, reason: str, line: int
    ) -> None:
        with pytest.raises(SourceError) as caught:
            decode(data)
        assert (str(caught.value), caught.value.line) == (reason, line)

    def test_a_bom_that_contradicts_the_coding_line(self) -> None:
        with pytest.raises(SourceError, match="encoding problem") as caught:
            decode(codecs.BOM_UTF8 + b"# coding: latin-1\n")
        assert caught.value.line == 1

    def test_the_largest_file_and_one_byte_more(self) -> None:
        assert len(decode(b"#" * MAX_BYTES).text) == MAX_BYTES
        with pytest.raises(SourceError, match=r"^4\.0 MiB; files above 4 MiB are not parsed$"):
            decode(b"#" * (MAX_BYTES + 1))

    @given(
        text=st.text(st.characters(codec="latin-1"), max_size=80),
        encoding=st.sampled_from(["latin-1", "utf-8", "cp1252", "shift_jis", "koi8-r"]),
        bom=st.booleans(),
    )
    def test_encoding_what_was_decoded_gives_the_same_bytes(
        self, text: str, encoding: str, bom: bool
    ) -> None:
        bom = bom and encoding == "utf-8"
        data = f"# coding: {encoding}\n\n".encode() + text.encode(encoding, "ignore")
        data = codecs.BOM_UTF8 + data if bom else data
        try:
            source = decode(data)
        except SourceError:
            # What an encoding writes it does not always read: 0x7e in Shift JIS, for one.
            assert encoding == "shift_jis"
            return
        assert source.encode(source.text) == data

    @pytest.mark.parametrize("coding", ["hex", "rot13", "punycode", "undefined"])
    def test_a_coding_that_does_not_decode_is_one_line(self, coding: str) -> None:
        with pytest.raises(SourceError):
            decode(f"# coding: {coding}\n# \\x ConfigProto\n".encode())

    def test_undecodable_bytes_in_the_second_line_are_found_there(self) -> None:
        with pytest.raises(SourceError) as caught:
            decode(b"# ConfigProto\n# \xff\n")
        assert caught.value.line == 2

    def test_undecodable_bytes_after_a_bom_are_found_where_they_are(self) -> None:
        with pytest.raises(SourceError) as caught:
            decode(codecs.BOM_UTF8 + b"a\nb\nc\n\xff")
        assert (str(caught.value), caught.value.line) == ("byte 0xff is not utf-8", 4)


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
        with pytest.raises(SourceError, match=r"^changed while it was read; left alone$"):
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

    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
    def test_a_read_only_file_is_left_alone(self, open_folder: Path) -> None:
        path = open_folder / "a.py"
        path.write_bytes(b"old")
        path.chmod(0o444)
        assert _unprivileged(lambda: write(str(path), b"old", b"new")) == "read-only; left alone"
        assert path.read_bytes() == b"old"
        assert names(open_folder) == ["a.py"]

    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
    def test_a_folder_that_takes_no_files(self, open_folder: Path) -> None:
        path = open_folder / "a.py"
        path.write_bytes(b"old")
        path.chmod(0o666)
        open_folder.chmod(0o555)
        assert _unprivileged(lambda: write(str(path), b"old", b"new")) == "Permission denied"
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
