"""Notebooks and Python 2 on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.tools import document, tfgpu
from tests.files.notebooks import notebook, sources
from tfgpu.files.python2 import to_python3

CELLS = (
    "%matplotlib inline\nimport tensorflow as tf",
    "# the settings\nconfig = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True",
    "files = !ls\nsess = tf.Session(config=config)\nsess.run(step)",
)
CELLS_AFTER = [
    "%matplotlib inline\nimport tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()",
    '# the settings\nfor gpu in tf.config.list_physical_devices("GPU"):\n'
    "    tf.config.experimental.set_memory_growth(gpu, True)",
    "files = !ls\nsess = tf.Session()\nsess.run(step)",
]
PRINT = 'import tensorflow as tf\n\nprint "start"\n'
SESSION = "sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))\n"
V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n\n"
SETTINGS = "tf.config.set_soft_device_placement(True)\nsess = tf.Session()\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class TestNotebooks:
    def test_findings_name_cell_and_line(self) -> None:
        Path("a.ipynb").write_text(notebook(*CELLS))
        assert tfgpu("audit").stdout == (
            "./a.ipynb:cell 3:2: config converts: "
            "allow-growth (cell 3:3), session-config (cell 4:2)\n"
        )
        result = tfgpu("audit", "-v")
        lines = [line for line in result.stdout.splitlines() if "TFG" in line]
        assert [line.partition(" ")[0] for line in lines] == ["./a.ipynb:cell", "./a.ipynb:cell"]
        assert lines[0].startswith("./a.ipynb:cell 3:3:1: TFG101 allow-growth: ")
        assert lines[1].startswith("./a.ipynb:cell 4:2:8: TFG601 session-config: ")

    def test_json_has_cell_and_line(self) -> None:
        Path("a.ipynb").write_text(notebook(*CELLS))
        parsed = document("a.ipynb")
        (config,) = parsed["files"][0]["configs"]
        assert (config["line"], config["cell"], config["kept_by"]) == (2, 3, None)
        first = parsed["findings"][0]
        assert {key: first[key] for key in ("cell", "line", "end_line", "column", "snippet")} == {
            "cell": 3, "line": 3, "end_line": 3, "column": 1,
            "snippet": "config.gpu_options.allow_growth = True",
        }  # fmt: skip

    def test_the_diff_is_that_of_the_json(self) -> None:
        Path("a.ipynb").write_text(notebook(*CELLS))
        lines = tfgpu("migrate", "a.ipynb").stdout.splitlines()
        assert lines[:2] == ["--- a/a.ipynb", "+++ b/a.ipynb"]
        assert [line for line in lines[2:] if line[0] in "+-"] == [
            '-    "import tensorflow as tf"',
            '+    "import tensorflow.compat.v1 as tf\\n",',
            '+    "tf.disable_v2_behavior()"',
            '-    "config = tf.ConfigProto()\\n",',
            '-    "config.gpu_options.allow_growth = True"',
            '+    "for gpu in tf.config.list_physical_devices(\\"GPU\\"):\\n",',
            '+    "    tf.config.experimental.set_memory_growth(gpu, True)"',
            '-    "sess = tf.Session(config=config)\\n",',
            '+    "sess = tf.Session()\\n",',
        ]

    def test_written_once(self) -> None:
        path = Path("a.ipynb")
        path.write_text(notebook(*CELLS))
        assert tfgpu("migrate", "--check").exit_code == 1
        assert tfgpu("migrate", "--write").exit_code == 0
        written = path.read_text()
        assert sources(written) == CELLS_AFTER
        assert written == notebook(*CELLS_AFTER)
        assert tfgpu("migrate", "--check").exit_code == 0

    @pytest.mark.parametrize(
        ("cells", "place"),
        [
            (("x = (", "tf.ConfigProto()"), "a.ipynb:cell 2:1"),
            (("y = 1", "tf.ConfigProto()\nx = = 1"), "a.ipynb:cell 3:2"),
            (("y = 1", "if y:", "tf.ConfigProto()"), "a.ipynb:cell 3:1"),
        ],
    )
    def test_a_cell_that_does_not_parse_is_named(self, cells: tuple[str, ...], place: str) -> None:
        Path("a.ipynb").write_text(notebook(*cells))
        result = tfgpu("audit", "a.ipynb")
        assert result.exit_code in (2, 3)
        assert result.stderr.startswith(f"error: {place}: ")

    def test_lines_in_messages_are_those_of_cells(self) -> None:
        cells = [
            "import tensorflow as tf",
            "tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=1))",
        ]
        growth = "tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))"
        Path("a.ipynb").write_text(notebook(*cells, growth))
        message = "another config is not converted because of line 1 of cell 3"
        assert message in tfgpu("audit", "-v").stdout
        lines = tfgpu("audit").stdout.splitlines()
        assert lines[0].startswith("./a.ipynb:cell 3:1:34: TFG405 operation-timeout ")
        assert "    stays with it: session-config (cell 3:1)" in lines
        assert "    keeps 1 more config: ./a.ipynb:cell 4:1" in lines

    def test_a_config_that_a_magic_uses_is_kept(self) -> None:
        path = Path("a.ipynb")
        text = notebook(*CELLS, "%time other = tf.Session(config=config)")
        path.write_text(text)
        result = tfgpu("migrate", "--write")
        assert path.read_text() == text
        assert "a.ipynb:cell 5:1:1: TFG901 passed-on" in result.stderr
        found = [item for item in document("a.ipynb")["findings"] if item["code"] == "TFG901"]
        assert found[0]["snippet"] == "%time other = tf.Session(config=config)"
        assert (found[0]["end_line"], found[0]["end_column"]) == (0, 0)

    def test_lines_of_ipython_that_set_the_environment_are_reported(self) -> None:
        Path("a.ipynb").write_text(notebook("x = 1\n%env CUDA_VISIBLE_DEVICES=1", *CELLS))
        findings = document("a.ipynb")["findings"]
        assert (findings[0]["cell"], findings[0]["line"]) == (2, 2)
        assert findings[0]["snippet"] == "%env CUDA_VISIBLE_DEVICES=1"
        assert findings[0]["code"].startswith("TFE")
        assert [item["cell"] for item in findings[-2:]] == [4, 5]
        without = document("a.ipynb", "--ignore", "TFE")["findings"]
        assert [item["cell"] for item in without] == [4, 5]

    @pytest.mark.parametrize(
        "line",
        [
            "%env CUDA_VISIBLE_DEVICES=1",
            "name = 'CUDA_VISIBLE_DEVICES=1'\n%env {name}",
            "x = %set_env CUDA_VISIBLE_DEVICES 1",
            'get_ipython().run_line_magic("env", "CUDA_VISIBLE_DEVICES=1")',
            'get_ipython().magic("set_env CUDA_VISIBLE_DEVICES=1")',
            "%timeit -n 1 tf.Session()",
            "%time other = tf.Session(graph=tf.Graph())",
        ],
    )
    def test_settings_come_behind_lines_of_ipython_that_they_would_touch(self, line: str) -> None:
        one, two, three = CELLS
        Path("a.ipynb").write_text(notebook(one, two + "\n" + line + "\n" + three))
        tfgpu("migrate", "--write")
        assert sources(Path("a.ipynb").read_text())[1] == (
            f"# the settings\n{line}\nfiles = !ls\n"
            'for gpu in tf.config.list_physical_devices("GPU"):\n'
            "    tf.config.experimental.set_memory_growth(gpu, True)\n"
            "sess = tf.Session()\nsess.run(step)"
        )

    @pytest.mark.parametrize(
        "line",
        [
            "config?", "%xdel config", "%whos", "%rerun", "%load a.py",
            "get_ipython().run_cell_magic('time', '', 'config = None')",
        ],
    )  # fmt: skip
    def test_lines_of_ipython_that_see_the_config_keep_it(self, line: str) -> None:
        Path("a.ipynb").write_text(text := notebook(*CELLS, line))
        tfgpu("migrate", "--write")
        assert Path("a.ipynb").read_text() == text


class TestPython2:
    def test_audited_and_migrated_with_its_syntax_left_alone(self) -> None:
        path = Path("a.py")
        path.write_text(PRINT + SESSION + "print sess.run(step)\n")
        result = tfgpu("migrate", "--write")
        assert result.exit_code == 0
        assert "TFH201 python2-code" in result.stderr
        assert path.read_text() == f'{V1}print "start"\n{SETTINGS}print sess.run(step)\n'
        assert tfgpu("migrate", "--check").exit_code == 0

    def test_written_as_python_3_where_asked_for(self) -> None:
        path = Path("a.py")
        path.write_text(PRINT + SESSION)
        Path("b.py").write_text(PRINT + "# no ConfigProto\n")
        assert tfgpu("migrate", "--write", "--fix-python2").exit_code == 0
        assert path.read_text() == f'{V1}print("start")\n{SETTINGS}'
        assert Path("b.py").read_text() == PRINT + "# no ConfigProto\n"

    def test_a_change_in_a_statement_of_python_2_is_refused(self) -> None:
        path = Path("a.py")
        text = PRINT + "print tf.Session(config=tf.ConfigProto(allow_soft_placement=True))\n"
        path.write_text(text)
        result = tfgpu("migrate", "--write")
        assert result.exit_code == 2
        assert (
            "error: ./a.py:4: would change a statement in the syntax of Python 2" in result.stderr
        )
        assert path.read_text() == text
        assert tfgpu("migrate", "--write", "--fix-python2").exit_code == 0
        assert path.read_text().endswith("print(tf.Session())\n")

    def test_places_are_those_of_the_file(self) -> None:
        Path("a.py").write_text(
            "import tensorflow as tf\nif 1:\n"
            "\tprint 1; sess = tf.Session(config=tf.ConfigProto())\n"
            "        other = tf.Session(config=tf.ConfigProto())\n"
        )
        findings = document("a.py")["findings"]
        places = [(item["line"], item["column"], item["end_line"]) for item in findings]
        assert places == [(1, 1, 1), (3, 1, 0), (4, 17, 4)]
        assert findings[1]["snippet"].startswith("\tprint 1; sess")

    def test_the_extra_is_named_where_it_is_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        to_python3.cache_clear()
        for name in [name for name in sys.modules if name.partition(".")[0] == "fissix"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "fissix", None)
        Path("a.py").write_text(PRINT + SESSION)
        result = tfgpu("audit", "a.py")
        assert result.exit_code == 2
        assert result.stderr.splitlines()[0] == (
            "error: a.py:3: Python 2 code: install tfgpu[py2] to have it read"
        )

    def test_lines_of_ipython_in_a_notebook_of_python_2(self) -> None:
        Path("a.ipynb").write_text(notebook("%env CUDA_VISIBLE_DEVICES=1\nprint 'a'", SESSION))
        codes = [item["code"] for item in document("a.ipynb")["findings"]]
        assert any(code.startswith("TFE") for code in codes)

    def test_a_notebook_in_python_2(self) -> None:
        path = Path("a.ipynb")
        path.write_text(notebook("%cd x\nimport tensorflow as tf", "print 'a'\n" + SESSION.strip()))
        assert tfgpu("migrate", "--write").exit_code == 0
        assert sources(path.read_text()) == [
            "%cd x\nimport tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()",
            "print 'a'\n" + SETTINGS.strip(),
        ]
