"""Decoding: what goes in comes out, byte for byte, or an error says why not."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfgpu.files.pyfile import MAX_BYTES, SourceError, decode


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
        with pytest.raises(SourceError, match="mark says UTF-8, the coding line latin-1") as caught:
            decode(codecs.BOM_UTF8 + b"#!/usr/bin/python\n# coding: latin-1\n")
        assert caught.value.line == 2

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
