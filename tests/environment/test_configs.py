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
        ("a.sh", f"printf '{GROWTH}\\n' > s.config\n", 1, 23),
        ("a.sh", f"echo -e '{GROWTH}\\n' > s.config\n", 1, 24),
        ("a.sh", f"x --config=$'{GROWTH}\\n'\n", 1, 28),
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
        ("a.yaml", "allow_soft_placement: true\nmodel: {log_device_placement: true}\n"),
        ("a.yaml", "text: 'allow_soft_placement: true makes it soft'\n"),
        ("a.pbtxt", "device_count: 3 name: 'fleet'\n"),
        ("a.py", f'flag(help="{GROWTH}")\n'),
        ("a.py", f'raise ValueError("{GROWTH} is not allowed")\n'),
        ("a.py", f'text = "such as {GROWTH}"\n'),
        ("a.yaml", f"description: |\n  Set {GROWTH} in your config.\n"),
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
        ("a.sh", f"nohup ${{cmd}} --rest_api_port=1 {FRACTION} &\n"),
        ("a.sh", f"docker run -d -t tensorflow/serving:1.15.0-gpu {FRACTION} > log\n"),
        ("a.sh", f"docker run -t --entrypoint=tensorflow_model_server x {FRACTION}\n"),
        ("a.yaml", f"args:\n  - {FRACTION}\n"),
        ("a.yaml", f'command: ["/usr/bin/tensorflow_model_server", "{FRACTION}"]\n'),
        ("Dockerfile", f'FROM tensorflow/serving\nCMD ["{FRACTION}"]\n'),
        ("a.py", f'import os\nos.system("tensorflow_model_server {FRACTION}")\n'),
        ("a.py", f'import subprocess\nsubprocess.run(["tensorflow_model_server", "{FRACTION}"])\n'),
        (
            "a.py",
            f'import os, shlex\nos.popen(shlex.split("tensorflow_model_server {FRACTION}"))\n',
        ),
    ],
)
def test_serving_flags_have_the_rule_of_their_field(name: str, text: str) -> None:
    (found,) = findings(name, text)
    assert (found.code, found.severity) == ("TFG102", "note")
    assert "nothing to do" in found.todo


IMAGE = "image: tensorflow/serving"


@pytest.mark.parametrize(
    ("name", "text", "line", "column"),
    [
        (
            "Dockerfile",
            f'FROM x\nENTRYPOINT ["tensorflow_model_server", \\\n "{FRACTION}"]\n',
            3,
            3,
        ),
        ("a.yaml", f"{IMAGE}\ncommand:\n  - --port=1\n  - '{FRACTION}'\n", 4, 6),
        ("a.yaml", f"{IMAGE}\ncommand: --port=1 {FRACTION}\n", 2, 19),
        ("a.yaml", f"command: >\n  tensorflow_model_server --x\n  {FRACTION}\n", 3, 3),
        ("a.yaml", f"command: [sh, -c]\nargs:\n- >\n  tf --rest_api_port=1\n  {FRACTION}\n", 5, 3),
        ("a.yaml", f"image:\n  repository: tensorflow/serving\nextraArgs:\n- {FRACTION}\n", 4, 3),
        ("a.py", f"import os\nos.spawnv(\n['tensorflow_model_server',\n'{FRACTION}'])\n", 4, 1),
    ],
)
def test_a_flag_is_where_it_stands(name: str, text: str, line: int, column: int) -> None:
    assert places(name, text) == [(line, column, "TFG102", "note")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "a: {{ b }}\nargs:\n- --per_process_gpu_memory_fraction={{ .Values.x }}\n"),
        ("a.yaml", "args: ['--per_process_gpu_memory_fraction={{ .Values.x }}']\n"),
        ("a.yaml", "run: tensorflow_model_server --per_process_gpu_memory_fraction=${{ x.y }}\n"),
        ("a.py", "os.system('tensorflow_model_server --per_process_gpu_memory_fraction=%s' % x)\n"),
    ],
)
def test_a_flag_that_the_run_fills_in(name: str, text: str) -> None:
    head = "import os\n" if name == "a.py" else ""
    (found,) = findings(name, head + text)
    assert (found.code, found.severity) == ("TFG102", "note")
    assert "`--per_process_gpu_memory_fraction=...`" in found.message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", f"image: trainer\nargs: ['{FRACTION}']\n"),
        ("a.yaml", f"image: trainer\ncommand: [python, x.py]\nargs: ['{FRACTION}']\n"),
        ("a.yaml", f"image: trainer\nentrypoint: python x.py\ncommand: {FRACTION}\n"),
        ("Dockerfile", f'FROM trainer\nCMD ["{FRACTION}"]\n'),
        (
            "Dockerfile",
            f'FROM tensorflow/serving\nENTRYPOINT ["python", "x.py"]\nCMD ["{FRACTION}"]\n',
        ),
    ],
)
def test_a_flag_belongs_to_what_takes_it(name: str, text: str) -> None:
    assert findings(name, text) == []


@pytest.mark.parametrize(
    "text", [f"python train.py {FRACTION}\n", f"./train.sh {FRACTION}\n", f"echo {FRACTION}\n"]
)
def test_the_same_flag_of_another_program_is_its_own(text: str) -> None:
    assert findings("a.sh", text) == []


def test_a_flag_with_a_wrong_value_is_refused() -> None:
    text = "tensorflow_model_server --per_process_gpu_memory_fraction=half\n"
    assert places("a.sh", text) == [(1, 25, "TFS003", "warning")]


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


def test_each_value_of_a_repeated_field_is_told() -> None:
    text = f"{GROWTH}\n" + 'device_filters: "/job:ps"\n' * 4
    found = [line for line, *_ in places("a.pbtxt", text)]
    assert found == [1, 2, 3, 4, 5]


def test_quotes_that_a_string_of_shell_escapes() -> None:
    text = 'echo "gpu_options { visible_device_list: \\"0\\" }" > s.config\n'
    assert places("a.sh", text) == [(1, 21, "TFG201", "warning")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.pbtxt", f"{GROWTH}\n{GROWTH}\n"),
        ("session.config", "allow_soft_placement: true\nallow_soft_placement: true\n"),
        ("a.pbtxt", "intra_op_parallelism_threads: 99999999999\n"),
        ("a.sh", f"cat > s.config <<EOF\n{GROWTH}\n{GROWTH}\nEOF\n"),
        ("a.pbtxt", "intra_op_parallelism_threads 4\n"),
        ("session.config", "# pools\nuse_per_session_threads true\n"),
        ("a.textproto", "gpu_options:\n"),
        ("a.py", f'Parse("{GROWTH} {GROWTH}", config)\n'),
        ("a.yaml", f"data:\n  session.config: |\n    {GROWTH}\n    {GROWTH}\n"),
    ],
)
def test_a_value_that_protobuf_refuses_is_one_error(name: str, text: str) -> None:
    assert [(code, kind) for *_, code, kind in places(name, text)] == [("TFS001", "error")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("use_per_session_threads: true", "TFG403"),
        ("session_inter_op_thread_pool { num_threads: 2 }", "TFG404"),
        ("operation_timeout_in_ms: 1000", "TFG405"),
        ("pluggable_device_options { allow_growth: true }", "TFG112"),
    ],
)
def test_a_file_with_a_field_that_only_a_config_has(text: str, code: str) -> None:
    assert [found for *_, found, _ in places("a.pbtxt", text + "\n")] == [code]


@pytest.mark.parametrize("call", ["text_format.Merge", "Merge", "pb.text_format.Merge"])
def test_merge_takes_a_field_twice(call: str) -> None:
    text = f'{call}("{GROWTH} {GROWTH}", config)\n'
    assert [code for *_, code, _ in places("a.py", text)] == ["TFG101", "TFG101"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"echo '{GROWTH}'\n", []),
        (f"f() {{ printf '{GROWTH}'; }}\n", []),
        (f"echo '{GROWTH}' > s.config\n", ["TFG101"]),
        (f"echo '{GROWTH}' | tee s.config\n", ["TFG101"]),
        (f"x=$(echo '{GROWTH}')\n", ["TFG101"]),
        ("echo 'gpu_options {' > s.config\necho '}' >> s.config\n", ["TFS004"]),
    ],
)
def test_what_is_printed_for_people_sets_nothing(text: str, found: list[str]) -> None:
    assert [item[2] for item in places("a.sh", text)] == found
