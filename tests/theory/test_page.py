"""The page with all sentences names the tests that show them, and no test is left out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "theory.md"


def test_every_sentence_has_its_test() -> None:
    named = re.findall(r"\| `(test_\w+\.py::test_\w+)` \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    there = [
        f"{path.name}::{item.name}"
        for path in HERE.glob("test_*.py")
        if path.name != Path(__file__).name
        for item in ast.parse(path.read_text("utf-8")).body
        if isinstance(item, ast.FunctionDef) and item.name.startswith("test_")
    ]
    assert sorted(named) == sorted(there)


def test_every_row_has_a_test_and_a_scope() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells == ["sentence", "scope", "test"] or (
            cells[1] in ("session", "gpu", "process", "-") and "::test_" in cells[2]
        ), row
