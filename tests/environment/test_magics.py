"""Lines of IPython in notebooks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.tools import tfgpu
from tests.environment.reading import D, G
from tests.tools import book
from tfgpu.environment.magics import read_magic
from tfgpu.environment.model import Item, Setting, Trouble


def _read(text: str) -> list[Item]:
    return read_magic(text, 3, book().variable_names)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"%env {D}=0", "0"),
        (f"%env {D} = 0", "0"),
        (f"%env {D} 0,1\n", "0,1"),
        (f"%set_env {D} 0", "0"),
        (f"%env {D}=", ""),
        (f"%env {D}={{gpu}}", None),
        (f"%env {D}=$gpu", None),
        (f"!{D}=0 python train.py", "0"),
        (f"out = !{D}=0 python train.py", "0"),
        (f"%%bash\n{D}=0 python train.py", "0"),
        (f"%%script bash\nexport {D}=0\npython train.py", "0"),
    ],
)
def test_what_is_set(text: str, value: str | None) -> None:
    (found,) = _read(text)
    assert isinstance(found, Setting)
    assert (found.name, found.value, found.span.line) == (D, value, 4 if "\n" in text[:-1] else 3)


@pytest.mark.parametrize("text", ["%matplotlib inline", f"%env {D}", f"%time f('{D}')", "!ls"])
def test_what_sets_nothing(text: str) -> None:
    assert _read(text) == []


def test_an_export_that_is_over_at_the_end_of_its_line() -> None:
    (found,) = _read(f"!export {D}=0")
    assert isinstance(found, Trouble)
    assert found.rule == "shell-line"
    assert found.span.column == 9


def test_an_export_for_the_rest_of_its_line() -> None:
    (found,) = _read(f"!export {D}=0; python train.py")
    assert isinstance(found, Setting)
    assert found.value == "0"


def test_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": f"%env {D}=9"},
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": f"import os\n%env {D}=1,0\nos.environ['{D}'] = '0'\n",
        },
    ]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ipynb").write_text(text)
    found = json.loads(tfgpu("audit", "--format", "json", ".").stdout)["findings"]
    assert [(item["cell"], item["line"], item["column"], item["code"]) for item in found] == [
        (2, 2, 1, "TFE001"),
        (2, 3, 1, "TFE001"),
    ]


def _notebook(*cells: str) -> str:
    code: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": cell,
        }
        for cell in cells
    ]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_a_variable_that_is_set_when_the_devices_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = "import tensorflow as tf\nsess = tf.compat.v1.Session()\n"
    lines = f"%env {D}=1\n%set_env {G} true\n%env TF_GPU_ALLOCATOR={{x}}\n%env OTHER=1\n"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "late.ipynb").write_text(_notebook(session, f"x = 1\n{lines}"))
    (tmp_path / "right.ipynb").write_text(_notebook(lines, session))
    found = json.loads(tfgpu("audit", "--format", "json", ".").stdout)["findings"]
    assert [
        (item["path"], item["cell"], item["line"]) for item in found if item["code"] == "TFE055"
    ] == [("./late.ipynb", 2, 2), ("./late.ipynb", 2, 3), ("./late.ipynb", 2, 4)]


def test_what_a_line_of_ipython_does_to_a_config(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import tensorflow as tf\nc = tf.compat.v1.ConfigProto()\n"
        "c.gpu_options.allow_growth = True\nc.gpu_options.visible_device_list = '0'\n"
        "sess = tf.compat.v1.Session(config=c)\n"
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ipynb").write_text(_notebook(f"%env {D} = 1,0\n%env {G}=false", code))
    found = json.loads(tfgpu("audit", "--format", "json", ".").stdout)["findings"]
    codes = [item["code"] for item in found]
    assert {"TFE056", "TFE057"} < set(codes)
    assert codes.count("TFE001") == 1


def test_the_inventory_has_lines_of_ipython(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cell = f"if True:\n    %env {D} 1\n    %env {G}={{x}}\n%env OTHER=1\n%env {D}\n"
    (tmp_path / "a.ipynb").write_text(_notebook("x = 1", cell))
    rows = json.loads(tfgpu("inventory", "--format", "json", ".").stdout)["settings"]
    assert [
        (row["cell"], row["line"], row["column"], row["setting"], row["value"], row["constant"])
        for row in rows
    ] == [(2, 2, 1, D, "1", "1"), (2, 3, 1, G, "{x}", "")]
