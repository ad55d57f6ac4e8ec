"""The source line of a finding, and the mark that must stand below the right columns."""

from __future__ import annotations

import unicodedata

import pytest

from tests.report.audits import HOSTILE, finding
from tfgpu.report.excerpt import excerpt, shortened


def shown(snippet: str, column: int, end: int, **changes: object) -> tuple[str, str]:
    """Return the source line and the mark, without their gutters, which are equally wide."""
    (number, line), (gutter, mark) = excerpt(
        finding(snippet=snippet, column=column, end_column=end, **changes)
    )
    assert len(number) == len(gutter)
    assert number == "    5 | "
    return line, mark


def columns(text: str) -> int:
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def test_a_mark_below_what_it_is_about() -> None:
    assert shown("x = tf.Session()", 5, 15) == ("x = tf.Session()", "    ^^^^^^^^^^")


@pytest.mark.parametrize(
    ("snippet", "before", "marked"),
    [
        ("\tx = a", "    x = ", "a"),
        ("\t  \tx = a", "        x = ", "a"),
        ("x\t= a", "x   = ", "a"),
        ("f('日本語', ab)", "f('日本語', ", "ab"),
        ("f('e\u0301', ab)", "f('e\u0301', ", "ab"),
        ("\uff58 = 日本", "\uff58 = ", "日本"),
        ("f('\x1b[0m', ab)", "f('\\x1b[0m', ", "ab"),
        ("f('\u200b', ab)", "f('\\u200b', ", "ab"),
    ],
)
def test_tabs_wide_characters_and_what_does_not_print(
    snippet: str, before: str, marked: str
) -> None:
    at = snippet.index(marked.strip())
    line, mark = shown(snippet, at + 1, at + 1 + len(marked))
    assert line.startswith(before + marked)
    assert mark == " " * columns(before) + "^" * columns(marked)


def test_what_goes_on_below_is_marked_to_the_end_of_the_line() -> None:
    assert shown("x = f(a,", 5, 3, end_line=9)[1] == "    ^^^^"


@pytest.mark.parametrize(("column", "end"), [(5, 5), (5, 0), (5, 3), (90, 99)])
def test_a_place_without_width_or_outside_still_has_a_mark(column: int, end: int) -> None:
    line, mark = shown("abcdefgh", column, end)
    assert line == "abcdefgh"
    assert mark.strip() == "^"
    assert len(mark) <= 9


def test_where_the_line_is_not_known_nothing_is_shown() -> None:
    assert excerpt(finding(snippet="")) == []
    assert excerpt(finding(snippet="  ")) == []


@pytest.mark.parametrize("at", [0, 50, 2000, 3980])
def test_of_a_long_line_the_part_around_the_finding_is_shown(at: int) -> None:
    snippet = "a" * at + "HERE" + "b" * (4000 - at)
    line, mark = shown(snippet, at + 1, at + 5)
    assert len(line) <= 122
    assert line[mark.index("^") : len(mark)] == "HERE"
    assert line.startswith("…") == (at > 60)
    assert line.endswith("…") == (at < 3900)


def test_a_long_finding_is_cut() -> None:
    line, mark = shown("x" * 9000, 1000, 9000)
    assert len(line) <= 122
    assert len(mark) <= 122


@pytest.mark.parametrize("text", HOSTILE)
def test_any_line_is_one_line(text: str) -> None:
    for gutter, line in excerpt(finding(snippet=text, column=1, end_column=3)):
        assert (gutter + line).isprintable()


def test_of_a_very_long_line_the_part_around_the_finding_is_written() -> None:
    line = "".join(f"{number:07} " for number in range(1000))
    found = finding(snippet=line, column=4001, end_column=4008)
    (_, text), (_, mark) = excerpt(found)
    assert text[mark.index("^") : len(mark)] == "0000500"
    written = shortened(found)
    assert written[0] == written[-1] == "…"
    assert written[1:-1] in line
    assert " 0000500 " in written
    assert len(written) < 1000
