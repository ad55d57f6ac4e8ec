"""Settings of the environment in the inventory."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest

from tests.tools import book
from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.results import Row

JOB = Job(Options(), rewrite=False, kinds=EVERY, inventory=True)


def rows(path: str, text: str) -> list[Row]:
    (result,) = process({path: dedent(text).lstrip("\n").encode()}, JOB, book())
    assert result.reason is None
    return result.inventory


def test_a_variable_in_python_with_its_guard() -> None:
    rule = book().variables["CUDA_VISIBLE_DEVICES"]
    found = rows(
        "a.py",
        """
        import os
        if gpu:
            os.environ["CUDA_VISIBLE_DEVICES"] = "0"
        """,
    )
    assert found == [
        Row(
            cell=0, line=3, column=5, kind="environment", setting="CUDA_VISIBLE_DEVICES",
            value='"0"', constant="0", guard="if gpu", sink="for this process", rule=rule.code,
            convertible="current", reason="",
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("statement", "value", "constant", "sink"),
    [
        ("os.environ['CUDA_VISIBLE_DEVICES'] = str(n)", "str(n)", "", "for this process"),
        ("os.environ.setdefault('CUDA_VISIBLE_DEVICES', '1')", "'1'", "1",
         "unless it is set already"),
        ("subprocess.run('CUDA_VISIBLE_DEVICES=1 x', shell=True)", "1", "1", "for one command"),
        ("run(env={'CUDA_VISIBLE_DEVICES': '1'})", "'1'", "1", "for a process that is started"),
    ],
)  # fmt: skip
def test_ways_of_python(statement: str, value: str, constant: str, sink: str) -> None:
    (found,) = rows("a.py", f"import os, subprocess\n{statement}\n")
    assert (found.value, found.constant, found.sink) == (value, constant, sink)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("Dockerfile", "FROM x\nENV CUDA_VISIBLE_DEVICES=0,1\n", (2, "0,1", "in the image")),
        ("a.sh", "export CUDA_VISIBLE_DEVICES=$GPU\n", (1, "$GPU", "exported")),
        (".env", "CUDA_VISIBLE_DEVICES=1\n", (1, "1", "in the file")),
        (
            "Dockerfile",
            "FROM x\nRUN <<EOF\nexport CUDA_VISIBLE_DEVICES=1\nEOF\n",
            (3, "1", "exported"),
        ),
        ("a.yml", "- run: |\n    export CUDA_VISIBLE_DEVICES=1\n", (2, "1", "exported")),
        ("Makefile", "a:\n\texport CUDA_VISIBLE_DEVICES=1\n", (2, "1", "exported")),
        ("a.sh", "export CUDA_VISIBLE_DEVICES=0, 1\n", (1, "0,", "exported")),
    ],
)
def test_other_kinds_of_files(path: str, text: str, expected: tuple[int, str, str]) -> None:
    (found,) = rows(path, text)
    assert (found.line, found.value, found.sink) == expected
    assert (found.kind, found.guard, found.convertible) == ("environment", "", "current")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("!export CUDA_VISIBLE_DEVICES=1", [(1, "1", "exported")]),
        ("a = 1\n!CUDA_VISIBLE_DEVICES=1 python a.py", [(2, "1", "for one command")]),
        ("%%bash\nexport CUDA_VISIBLE_DEVICES=1\npython a.py", [(2, "1", "exported")]),
        ("%env CUDA_VISIBLE_DEVICES=1", [(1, "1", "for this process")]),
        ("!ls", []),
    ],
)
def test_lines_of_a_notebook(source: str, expected: list[tuple[int, str, str]]) -> None:
    code: dict[str, object] = {"cell_type": "code", "metadata": {}, "outputs": []}
    cells = [{**code, "source": text} for text in ("import os", source)]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    found = rows("a.ipynb", json.dumps(notebook))
    assert [(row.line, row.value, row.sink) for row in found] == expected
    assert {row.cell for row in found} <= {2}


def test_names_that_do_not_count_are_left_out() -> None:
    assert rows("a.sh", "export PATH=/bin CUDA_VISIBLE_DIVICES=1\n") == []


def test_they_are_not_read_where_nobody_asks() -> None:
    job = Job(Options(), rewrite=False, kinds=EVERY)
    for path, text in (("a.sh", "export X=1\n"), ("a.py", "import os\nos.environ['X'] = '1'\n")):
        (result,) = process({path: text.replace("X", "CUDA_VISIBLE_DEVICES").encode()}, job, book())
        assert result.parsed
        assert result.inventory == []
