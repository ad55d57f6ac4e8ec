"""Blanks and line ends: what libcst would lose is kept, or the file is refused at once."""

from __future__ import annotations

from itertools import product

import pytest

from tests.cli.tools import GROWTH, GROWTH_AFTER, SHARED
from tests.tools import book
from tfgpu.code.parse import parse
from tfgpu.engine import analyse
from tfgpu.files.pyfile import SourceError
from tfgpu.options import Options
from tfgpu.rewrite.module import parsed
from tfgpu.rewrite.whitespace import check_whitespace, line_end


def rewritten(text: str) -> str:
    """Return the new text of a file."""
    after = analyse(text, book(), Options()).new_text()
    assert after is not None
    return after


@pytest.mark.parametrize(
    "end",
    ["", "\n", "\n\n    ", "\n\n    \n", "\n\n    # end", "\n\n    # end\n\n", "  # \\\n"],
)
@pytest.mark.parametrize("code", [GROWTH, SHARED])
def test_the_end_of_a_file_stays(code: str, end: str) -> None:
    body = f"{code}print(1)"
    after = rewritten(body + end)
    assert after.endswith(f"print(1){end}")
    assert after.removesuffix(end) == rewritten(body)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_new_lines_end_as_the_file_does(ending: str) -> None:
    assert rewritten(GROWTH.replace("\n", ending)) == GROWTH_AFTER.replace("\n", ending)


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("", "\n"), ("a", "\n"), ("a\nb\r\n", "\r\n"), ("a\r\nb\nc\n", "\n"),("a\r\r\n", "\r\n"),
    ],
)  # fmt: skip
def test_what_ends_most_lines(text: str, ending: str) -> None:
    assert line_end(text) == ending


def test_lines_that_are_there_keep_their_ends() -> None:
    text = GROWTH.replace("\n", "\r\n", 1) + "x = 1\r\ny = 2\n"
    after = rewritten(text)
    assert after.endswith("return tf.Session()\nx = 1\r\ny = 2\n")
    assert after.count("\r") == 2


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("a = 1\n\x0cb = 1\n", "a form feed stands in front of a statement", 2),
        ("if a:\r\n  b\r\n\x0celse:\r\n  c\r\n", "a form feed stands in front of a statement", 3),
        ("a\r\nb\r\r\nc\r\n", "a carriage return without a line feed ends a line", 2),
        ("if a:\n  b\n  \\\n  c\n", "a backslash stands alone in front of a statement", 3),
    ],
)
def test_what_would_be_lost_is_named(text: str, reason: str, line: int) -> None:
    with pytest.raises(SourceError) as caught:
        check_whitespace(text)
    assert (str(caught.value), caught.value.line) == (reason, line)


def test_all_other_texts_are_given_back() -> None:
    tokens = ("a", "\r", "\n", "\r\n", " ", "\\", "#", "if a:", "\f")
    texts = {"".join(some) for length in range(1, 6) for some in product(tokens, repeat=length)}
    checked = 0
    for text in sorted(texts):
        try:
            parse(text)
            check_whitespace(text)
        except (SyntaxError, SourceError):
            continue
        # Versions of Python differ in what may come behind a backslash at the end.
        if not text.rstrip(" \f\r\n").endswith("\\"):
            module, end = parsed(text)
            assert module.code + end == text, repr(text)
            checked += 1
    assert checked > 1_000
