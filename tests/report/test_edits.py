"""The new text of a file as replacements of its lines."""

from __future__ import annotations

import json

from tests.report.audits import result
from tfgpu.files.pyfile import Source
from tfgpu.report.edits import Edit, replacements


def edits(before: str, after: str | None, path: str = "a.py") -> list[Edit]:
    source = Source(before, "utf-8", False)
    return replacements(result(path, source=source, new_text=after, old=before.encode()))


def test_lines_that_change_come_and_go() -> None:
    assert edits("a\nb\nc\nd\n", "a\nB\nc\n") == [Edit(2, 3, 1, "B\n"), Edit(4, 5, 1, "")]
    assert edits("a\nb\n", "a\nnew\nb\n") == [Edit(2, 2, 1, "new\n")]


def test_the_end_of_a_file_without_a_line_end() -> None:
    assert edits("a\nbc", "a\nB\n") == [Edit(2, 2, 3, "B\n")]
    assert edits("", "a\n") == [Edit(1, 1, 1, "a\n")]


def test_other_line_breaks_are_none() -> None:
    assert edits("a\x0cb\u2028c\rd\n", "A\n") == [Edit(1, 2, 1, "A\n")]


def test_what_does_not_change_or_was_not_asked_for_has_none() -> None:
    assert edits("a\n", None) == []
    assert replacements(result(new_text="a")) == []


def test_the_lines_of_a_notebook_are_those_of_its_file() -> None:
    raw = json.dumps({"cells": []}, indent=1)
    assert edits(raw, raw.replace("[]", "[1]"), "n.ipynb") == [Edit(2, 3, 1, ' "cells": [1]\n')]
