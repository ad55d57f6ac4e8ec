"""What is nested too deeply for libcst is refused before libcst sees it."""

from __future__ import annotations

import ast
import sys

import pytest

from tests.cli.tools import GROWTH
from tests.tools import book
from tfgpu.engine import analyse
from tfgpu.files.pyfile import SourceError
from tfgpu.options import Options
from tfgpu.rewrite.nesting import check_nesting

MOST = sys.getrecursionlimit()


@pytest.mark.parametrize(
    "code",
    [
        "x = " + " and ".join(["a"] * MOST),
        "x = " + " or ".join(["a"] * 50_000),
        "x = " + " and ".join(["(" + " or ".join(["a"] * 400) + ")"] * 700),
    ],
)
def test_a_chain_that_would_end_the_process(code: str) -> None:
    text = f"{GROWTH}\n{code}\n"
    with pytest.raises(SourceError, match="too deeply nested") as caught:
        check_nesting(ast.parse(text))
    assert caught.value.line == GROWTH.count("\n") + 2
    with pytest.raises(SourceError, match="too deeply nested"):
        analyse(text, book(), Options()).new_text()


@pytest.mark.parametrize(
    "code",
    [
        "x = " + " and ".join(["a"] * 100),
        "x = [" + "a and b, " * 5_000 + "]",
        "x = " + " < ".join(["a"] * 5_000),
        "x = a and b\n" * 5_000,
    ],
)
def test_what_is_long_and_not_deep_is_rewritten(code: str) -> None:
    after = analyse(f"{GROWTH}\n{code}\n", book(), Options()).new_text()
    assert after is not None
    assert code in after
