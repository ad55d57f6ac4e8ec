"""ConfigProto as text, wherever it stands, and the flags of TensorFlow Serving."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.tools import book
from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.results import Finding

GROWTH = "gpu_options { allow_growth: true }"
FRACTION = "--per_process_gpu_memory_fraction=0.5"


def findings(name: str, text: str) -> list[Finding]:
    """Return the findings of the audit on a file, without those on its other settings."""
    job = Job(Options(ignore=("TFE",)), rewrite=False, kinds=EVERY)
    (result,) = process({name: dedent(text).lstrip("\n").encode()}, job, book())
    assert result.reason is None
    return result.findings


def places(name: str, text: str) -> list[tuple[int, int, str, str]]:
    """Return line, column, rule and severity of the findings."""
    return [(item.line, item.column, item.code, item.severity) for item in findings(name, text)]


@pytest.mark.parametrize(
    ("name", "text", "line", "column"),
    [
        ("session.config", f"# growth\n{GROWTH}\n", 2, 15),
        ("a.pbtxt", f"{GROWTH}\n", 1, 15),
        ("a.textproto", f"{GROWTH}\n", 1, 15),
        ("a.sh", f"cat > s.config <<EOF\n{GROWTH}\nEOF\n", 2, 15),
        ("a.sh", f"python x.py --config='{GROWTH}'\n", 1, 37),
        ("a.sh", f'python x.py --config "{GROWTH}"\n', 1, 37),
        ("a.sh", f"echo '{GROWTH}' > s.config\n", 1, 21),
        ("Dockerfile", f"FROM x\nRUN echo '{GROWTH}' > s.config\n", 2, 25),
        ("a.yaml", f"data:\n  session.config: |\n    {GROWTH}\n", 3, 19),
        ("a.yaml", f"data:\n  config: '{GROWTH}'\n", 2, 26),
        ("a.py", f'Merge("{GROWTH}", config)\n', 1, 22),
        ("a.py", f"TEXT = '''\n{GROWTH}\n'''\n", 2, 15),
        ("a.ipynb", "", 0, 0),
    ],
)
def test_text_is_found_where_it_stands(name: str, text: str, line: int, column: int) -> None:
    if name.endswith(".ipynb"):
        text = (
            '{"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": '
            f'null, "source": ["%%writefile s.config\\n", "{GROWTH}\\n"]}}], "metadata": {{}}, '
            '"nbformat": 4, "nbformat_minor": 5}'
        )
        line, column = 2, 15
    assert places(name, text) == [(line, column, "TFG101", "warning")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", f'"""{GROWTH}"""\n'),
        ("a.py", 'flag(help="allow_soft_placement: whether to place")\n'),
        ("a.py", 'flag(help="allow_soft_placement: true, or not")\n'),
        ("a.sh", f"# {GROWTH}\ngrep '{GROWTH}' x\n"),
        ("a.yaml", "allow_soft_placement: true\ngpu_options: {allow_growth: true}\n"),
        ("a.yaml", "text: 'allow_soft_placement: true makes it soft'\n"),
        ("a.pbtxt", "node { name: 'x' attr { key: 'gpu_options' } }\n"),
    ],
)
def test_what_is_no_config_is_left_in_peace(name: str, text: str) -> None:
    assert places(name, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "gpu_options { allow_growth: $GROWTH }",
        "gpu_options { per_process_gpu_memory_fraction: ${F:-0.5} }",
        'gpu_options { visible_device_list: "$GPU" }',
        "intra_op_parallelism_threads: $(nproc)",
    ],
)
def test_what_the_run_fills_in_is_no_error(text: str) -> None:
    (found,) = findings("a.sh", f"cat > s.config <<EOF\n{text}\nEOF\n")
    assert found.severity == "warning"
    assert "..." in found.message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sh", f"tensorflow_model_server --port=1 {FRACTION} &\n"),
        ("a.sh", "tensorflow_model_server --per_process_gpu_memory_fraction 0.5\n"),
        ("a.sh", f"nohup ${{cmd}} --rest_api_port=1 {FRACTION} &\n"),
        ("a.sh", f"docker run -d -t tensorflow/serving:1.15.0-gpu {FRACTION} > log\n"),
        ("a.sh", f"docker run -t --entrypoint=tensorflow_model_server x {FRACTION}\n"),
        ("a.yaml", f"args:\n  - {FRACTION}\n"),
        ("a.yaml", f'command: ["/usr/bin/tensorflow_model_server", "{FRACTION}"]\n'),
        ("Dockerfile", f'FROM tensorflow/serving\nCMD ["{FRACTION}"]\n'),
        ("a.py", f'import os\nos.system("tensorflow_model_server {FRACTION}")\n'),
        ("a.py", f'import subprocess\nsubprocess.run(["tensorflow_model_server", "{FRACTION}"])\n'),
    ],
)
def test_serving_flags_have_the_rule_of_their_field(name: str, text: str) -> None:
    (found,) = findings(name, text)
    assert (found.code, found.severity) == ("TFG102", "note")
    assert "nothing to do" in found.todo


@pytest.mark.parametrize(
    "text", [f"python train.py {FRACTION}\n", f"./train.sh {FRACTION}\n", f"echo {FRACTION}\n"]
)
def test_the_same_flag_of_another_program_is_its_own(text: str) -> None:
    assert findings("a.sh", text) == []


def test_a_flag_with_a_wrong_value_is_an_error() -> None:
    text = "tensorflow_model_server --per_process_gpu_memory_fraction=half\n"
    assert places("a.sh", text) == [(1, 25, "TFG911", "error")]


def test_broken_text_is_one_error() -> None:
    assert places("session.config", "gpu_options {\n  allow_growth true\n}\n") == [
        (2, 16, "TFS001", "error")
    ]


def test_fields_are_rows_of_the_inventory() -> None:
    job = Job(Options(), rewrite=False, kinds=EVERY, inventory=True)
    data = f"{GROWTH}\n".encode()
    (result,) = process({"session.config": data}, job, book())
    (row,) = result.inventory
    assert (row.kind, row.setting, row.value) == ("config", "gpu_options.allow_growth", "true")
