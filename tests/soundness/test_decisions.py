"""What must be true of the decisions about any program, without running it.

The programs are those of `programs/`: whatever they show when they run, a second audit, another
order of files or another number of processes may not change what is said about them, and what is
written may not bring findings that were not there.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.cli.tools import document, started, tfgpu, write
from tests.files.notebooks import notebook
from tests.soundness.programs import Case, cases
from tfgpu.program.projects import by_project

CASES = cases()
SEVERAL = [case for case in CASES if len(case.program.files) > 1]
ORDERED = [case for case in SEVERAL if case.name.split("/")[0] in ("A", "B", "E", "F", "H", "I")]


# It is as late as the config was, which the audit of that says.
LATE, IGNORED = "TFE055", "TFH002"
# Each run decides by itself; that the cache changes nothing is for tests/test_cache.py.
WRITE = ("migrate", "--no-cache", "--write", "--force")


def laid_out(files: Mapping[str, str], folder: Path) -> Path:
    """Write the files of a program into a folder."""
    for path, text in files.items():
        write(folder / path, text)
    return folder


def texts(folder: Path) -> dict[str, str]:
    """Return the files below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def audited(*paths: Path, options: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the audit of some paths."""
    return document("--no-cache", *options, *map(str, paths))


def configs(report: Mapping[str, Any], below: Path) -> dict[tuple[str, int, int], Any]:
    """Return each config of an audit by its place, and why it is kept."""
    return {
        (os.path.relpath(file["path"], below), config["cell"], config["line"]): (
            config["kept_by"],
            config["none_by"],
        )
        for file in report["files"]
        for config in file["configs"]
    }


def kept(report: Mapping[str, Any]) -> int:
    """Return how many configs an audit keeps."""
    found: int = report["summary"]["configs_kept"]
    return found


def found(report: Mapping[str, Any], below: Path) -> Counter[tuple[str, str]]:
    """Return how often each rule is found in each file."""
    return Counter(
        (os.path.relpath(item["path"], below), item["code"]) for item in report["findings"]
    )


def said(report: Mapping[str, Any], below: Path) -> list[tuple[str, int, int, int, str, str, str]]:
    """Return all findings in a fixed order, with all that they say."""
    return sorted(
        (
            os.path.relpath(item["path"], below),
            item["cell"],
            item["line"],
            item["column"],
            item["code"],
            item["message"],
            item["todo"],
        )
        for item in report["findings"]
    )


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_is_written_brings_nothing_new(case: Case, tmp_path: Path) -> None:
    before = texts(laid_out(case.program.files, tmp_path))
    first = audited(tmp_path)
    tfgpu(*WRITE, str(tmp_path))
    after = texts(tmp_path)
    second = audited(tmp_path)
    if not first["summary"]["configs_convertible"]:
        assert after == before, f"{case.name}: written, though no config is converted"
    new = found(second, tmp_path) - found(first, tmp_path)
    new = Counter(
        {
            (path, code): count
            for (path, code), count in new.items()
            if not (code == LATE and found(first, tmp_path)[path, IGNORED])
        }
    )
    assert not new, f"{case.name}: findings of the text that was written: {dict(new)}"
    assert kept(second) == kept(first), f"{case.name}: kept configs that are not seen any more"
    assert not second["summary"]["configs_convertible"], f"{case.name}: converted in two steps"
    tfgpu(*WRITE, str(tmp_path))
    assert texts(tmp_path) == after, f"{case.name}: changed again"


@pytest.mark.parametrize("case", ORDERED, ids=[case.name for case in ORDERED])
def test_order_and_jobs_do_not_matter(case: Case, tmp_path: Path) -> None:
    laid_out(case.program.files, tmp_path)
    paths = [tmp_path / path for path in sorted(case.program.files)]
    paths = [path for path in paths if path.suffix in (".py", ".ipynb")]
    first = audited(*paths, options=("--jobs", "1"))
    for again in (
        audited(*paths, options=("--jobs", "1")),
        audited(*reversed(paths), options=("--jobs", "1")),
        audited(*paths, options=("--jobs", "2")),
        audited(tmp_path),
    ):
        assert configs(again, tmp_path) == configs(first, tmp_path), case.name
        assert said(again, tmp_path) == said(first, tmp_path), case.name


def test_many_programs_in_one_call_are_decided_as_alone(tmp_path: Path) -> None:
    alone: dict[tuple[str, int, int], Any] = {}
    found: list[tuple[str, int, int, int, str, str, str]] = []
    for case in ORDERED:
        folder = laid_out(case.program.files, tmp_path / case.name)
        write(folder / "setup.py", "")
        report = audited(folder, options=("--jobs", "1"))
        alone |= configs(report, tmp_path)
        found += said(report, tmp_path)
    together = audited(tmp_path, options=("--jobs", "2"))
    assert configs(together, tmp_path) == alone
    assert said(together, tmp_path) == sorted(found)


class TestState:
    """An analysis leaves nothing behind in a process that analyses the same file again."""

    HELPER = (
        "import os\n\nimport tensorflow as tf\n\n\ndef make(config=None, train=False):\n"
        "    if config is None:\n        config = tf.ConfigProto()\n"
        "        config.gpu_options.allow_growth = True\n"
        "        os.environ['CUDA_VISIBLE_DEVICES'] = '1'\n"
        "        log = tf.ConfigProto(log_device_placement=True)\n"
        "        tf.Session(config=log)\n"
        "    if train:\n        config.allow_soft_placement = True\n"
        "    return tf.Session(config=config)\n"
    )
    FILES = {
        "helper.py": HELPER,
        "one.py": "from helper import make\n\nmake()\n",
        "two.py": (
            "import tensorflow as tf\nfrom helper import make\n\n"
            "make(tf.ConfigProto(device_count={'GPU': 1}))\n"
        ),
        "three.py": "import sys\nfrom helper import make\n\nmake(train=len(sys.argv) > 1)\n",
    }
    GROUPS = (
        ("helper.py",),
        ("helper.py", "one.py"),
        ("helper.py", "two.py"),
        ("helper.py", "one.py", "two.py", "three.py"),
    )

    def fresh(self, folder: Path, group: tuple[str, ...]) -> dict[str, Any]:
        """Return the audit of some files, by a process of its own."""
        paths = [str(folder / name) for name in group]
        result = started("audit", "--format", "json", *paths, folder=folder)
        report: dict[str, Any] = json.loads(result.stdout)
        return report

    @pytest.mark.parametrize("last", GROUPS, ids="+".join)
    def test_whatever_was_analysed_before(self, last: tuple[str, ...], tmp_path: Path) -> None:
        laid_out(self.FILES, tmp_path)
        alone = self.fresh(tmp_path, last)
        for group in (*self.GROUPS, *reversed(self.GROUPS)):
            audited(*(tmp_path / name for name in group))
            again = audited(*(tmp_path / name for name in last))
            assert configs(again, tmp_path) == configs(alone, tmp_path), group
            assert said(again, tmp_path) == said(alone, tmp_path), group


class TestNothingConverted:
    """Where no config of a program is converted, nothing of the program is written."""

    KEPT = "import tensorflow as tf\n\nimport net\n\nsess = tf.Session(config=tf.ConfigProto({}))\n"
    NET = "import tensorflow as tf\n\n\ndef noise():\n    return tf.random_uniform([8])\n"

    @pytest.mark.parametrize(
        "fields",
        [
            "operation_timeout_in_ms=5",
            "isolate_session_state=True",
            "graph_options=tf.GraphOptions(build_cost_model=1)",
            "graph_options=tf.GraphOptions(timeline_step=3), allow_soft_placement=True",
            "use_per_session_threads=True",
        ],
    )
    def test_a_kept_config_switches_no_import(self, fields: str, tmp_path: Path) -> None:
        files = {"main.py": self.KEPT.format(fields), "net.py": self.NET}
        laid_out(files, tmp_path)
        result = tfgpu(*WRITE, str(tmp_path))
        assert texts(tmp_path) == files, result.output

    def test_another_program_of_the_folder_is_no_reason(self, tmp_path: Path) -> None:
        growth = (
            "import tensorflow as tf\n\n"
            "config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))\n"
            "sess = tf.Session(config=config)\n"
        )
        kept_text = self.KEPT.format("operation_timeout_in_ms=5")
        files = {"train.py": growth, "main.py": kept_text, "net.py": self.NET}
        laid_out(files, tmp_path)
        tfgpu(*WRITE, str(tmp_path))
        after = texts(tmp_path)
        assert after["train.py"] != growth
        assert (after["main.py"], after["net.py"]) == (kept_text, self.NET)

    def test_a_program_with_contrib_is_not_switched(self, tmp_path: Path) -> None:
        files = {
            "main.py": self.KEPT.format("operation_timeout_in_ms=5"),
            "net.py": "import tensorflow as tf\n\nslim = tf.contrib.slim\n",
        }
        laid_out(files, tmp_path)
        tfgpu(*WRITE, str(tmp_path))
        assert texts(tmp_path) == files


class TestImports:
    """What is switched where the program cannot be, where it is asked for, and with the bridge."""

    GROWTH = (
        "import tensorflow as tf\n\n"
        "config = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True\n"
        "sess = tf.Session(config=config)\n"
    )
    KEPT = TestNothingConverted.KEPT.format("operation_timeout_in_ms=5")
    NET = TestNothingConverted.NET

    @pytest.mark.parametrize(
        "use",
        [
            "import tensorflow as tf\n\nslim = tf.contrib.slim\n",
            "from tensorflow.contrib import slim\n",
            "import tensorflow.contrib.layers as layers\n",
            "import tensorflow as tf\n\n\ndef cell():\n    return tf.contrib.rnn.LSTMCell(3)\n",
        ],
    )
    def test_a_program_that_needs_contrib_goes_on_with_version_1(
        self, use: str, tmp_path: Path
    ) -> None:
        laid_out({"main.py": "import net\n" + self.GROWTH, "net.py": use}, tmp_path)
        tfgpu(*WRITE, str(tmp_path))
        after = texts(tmp_path)
        assert after["net.py"] == use
        assert "import tensorflow as tf\n" in after["main.py"]
        assert "disable_v2_behavior" not in after["main.py"]

    def test_imports_are_switched_on_request(self, tmp_path: Path) -> None:
        laid_out({"main.py": self.KEPT, "net.py": self.NET}, tmp_path)
        first = audited(tmp_path)
        result = tfgpu(*WRITE, "--imports", str(tmp_path))
        assert result.exit_code in (0, 1), result.output
        after = texts(tmp_path)
        assert not any(map(uses_bare_tensorflow, after.values())), after
        assert "ConfigProto(operation_timeout_in_ms=5)" in after["main.py"]
        second = audited(tmp_path)
        assert (kept(first), kept(second)) == (1, 1)

    @pytest.mark.parametrize("option", ["--per-file", "--no-cache"])
    def test_programs_without_settings_are_switched_too(self, option: str, tmp_path: Path) -> None:
        text = "import tensorflow as tf\n\nx = tf.placeholder(tf.int32)\nsess = tf.Session()\n"
        eager = "import tensorflow as tf\n\nprint(tf.constant(1).numpy())\n"
        laid_out({"graphs.py": text, "eager.py": eager}, tmp_path)
        assert tfgpu("migrate", "--imports", "--check", option, str(tmp_path)).exit_code == 1
        tfgpu(*WRITE, "--imports", option, str(tmp_path))
        after = texts(tmp_path)
        assert after["eager.py"] == eager
        assert after["graphs.py"].startswith("import tensorflow.compat.v1 as tf\n")
        assert tfgpu("migrate", "--imports", "--check", option, str(tmp_path)).exit_code == 0
        assert tfgpu("migrate", "--imports", "-", stdin=text.encode()).stdout != ""

    def test_the_bridge_of_code_for_both_has_the_names_of_both(self, tmp_path: Path) -> None:
        write(tmp_path / "main.py", self.GROWTH.replace("tensorflow as", "tensorflow.compat.v1 as"))
        tfgpu(*WRITE, "--bridge", str(tmp_path))
        text = texts(tmp_path)["main.py"]
        assert "tf.config.experimental.list_physical_devices" in text
        assert "ConfigProto" not in text
        tfgpu(*WRITE, "--bridge", str(tmp_path))  # Nothing tells of TensorFlow 1 any more.
        assert texts(tmp_path)["main.py"] == text

    @pytest.mark.parametrize(
        "session",
        [
            "from tensorflow.contrib.training.python.training import evaluation\n"
            "evaluation.evaluate_once('m')",
            "from tensorflow.contrib.slim.python.slim import evaluation\n"
            "evaluation.evaluate_once('', 'm', 'd')",
            "from tensorflow.contrib.predictor import predictor_factories\n"
            "predictor_factories.from_saved_model('m')",
            "tf.contrib.copy_graph.copy_variable_to_graph(v, g)",
            "tf.contrib.learn.run_n({'x': x})",
            "from tensorflow.contrib.learn.python.learn import graph_actions\n"
            "graph_actions.run_feeds({'x': x}, [{}])",
        ],
    )
    def test_sessions_of_contrib_without_a_config(self, session: str, tmp_path: Path) -> None:
        path = write(
            tmp_path / "main.py",
            "import tensorflow as tf\n\n"
            "with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:\n"
            f"    sess.run(x)\n{session}\n",
        )
        tfgpu(*WRITE, str(tmp_path))
        assert "tf.config.set_soft_device_placement(None)" in path.read_text()

    @pytest.mark.parametrize(
        "start",
        [
            "from tensorflow.contrib.eager.python import tfe; tfe.num_gpus()",
            "tf.contrib.eager.num_gpus()",
            "tf.config.experimental_list_devices()",
            "tf.CriticalSection()",
            "tf.distribute.MirroredStrategy()",
            "tf.function(lambda: tf.constant(1))()",
        ],
    )
    @pytest.mark.parametrize("line", [2, 3, 4])
    def test_the_eager_context_of_version_1_is_in_front(
        self, start: str, line: int, tmp_path: Path
    ) -> None:
        """TensorFlow 1.15 makes the GPUs there: the growth of the session has no effect."""
        lines = self.GROWTH.splitlines()
        lines.insert(line, start)
        path = write(tmp_path / "main.py", text := "\n".join([*lines, ""]))
        tfgpu(*WRITE, "--bridge", str(tmp_path))
        assert path.read_text() == text

    @pytest.mark.parametrize("field", ["device_count={'GPU': 0}", "inter_op_parallelism_threads=2"])
    def test_the_eager_context_of_version_1_is_behind(self, field: str, tmp_path: Path) -> None:
        path = write(
            tmp_path / "main.py",
            text := "import tensorflow as tf\n\n"
            f"sess = tf.Session(config=tf.ConfigProto({field}))\n"
            "sess.close()\nprint(tf.contrib.eager.num_gpus())\n",
        )
        tfgpu(*WRITE, "--bridge", str(tmp_path))
        assert (path.read_text() == text) is ("GPU" in field)

    @pytest.mark.parametrize(("count", "is_kept"), [(0, False), (1, True)])
    def test_operations_that_call_python_with_some_gpus(
        self, count: int, is_kept: bool, tmp_path: Path
    ) -> None:
        """1.15 makes no eager context once GPUs that a session did not show are put back."""
        path = write(
            tmp_path / "main.py",
            text := "import tensorflow as tf\n\n"
            f"config = tf.ConfigProto(device_count={{'GPU': {count}}})\n"
            "y = tf.py_function(lambda x: x + 1, [tf.constant(1.0)], tf.float32)\n"
            "with tf.Session(config=config) as sess:\n    sess.run(y)\n",
        )
        tfgpu(*WRITE, "--bridge", str(tmp_path))
        assert (path.read_text() == text) is is_kept

    def test_the_bridge_leaves_imports_alone(self, tmp_path: Path) -> None:
        write(tmp_path / "main.py", self.GROWTH)
        result = tfgpu(*WRITE, "--bridge", str(tmp_path))
        assert result.exit_code in (0, 1), result.output
        text = texts(tmp_path)["main.py"]
        assert "ConfigProto" not in text
        assert "compat.v1" not in text
        assert "tf.config.experimental.list_physical_devices" in text  # 1.15's name


def uses_bare_tensorflow(text: str) -> bool:
    """Tell whether a file imports `tensorflow` itself, not compat.v1."""
    names = {
        alias.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)
        for alias in node.names
    }  # fmt: skip
    return "tensorflow" in names


@pytest.mark.parametrize("case", cases("I"), ids=[case.name for case in cases("I")])
def test_a_program_is_switched_whole_or_not_at_all(case: Case, tmp_path: Path) -> None:
    files = case.program.files
    using = [path for path, text in files.items() if "import tensorflow" in text]
    laid_out(files, tmp_path)
    tfgpu(*WRITE, str(tmp_path))
    after = texts(tmp_path)
    bare = [path for path in using if uses_bare_tensorflow(after[path])]
    assert bare in ([], using), f"{case.name}: of {using}, {bare} are not switched"


@pytest.mark.parametrize("case", cases("K"), ids=[case.name for case in cases("K")])
def test_a_program_for_both_versions_keeps_its_imports(case: Case, tmp_path: Path) -> None:
    laid_out(case.program.files, tmp_path)
    tfgpu(*WRITE, str(tmp_path))
    for path, text in texts(tmp_path).items():
        before = str(case.program.files[path])
        for word in ("disable_v2", "import tensorflow.compat.v1"):
            assert text.count(word) == before.count(word), f"{case.name}: {path}"


def test_version_2_behaviour_is_turned_off_in_the_entry_script_only(tmp_path: Path) -> None:
    files = {
        "main.py": "import tensorflow as tf\n\nimport lib\n\nlib.session().run(tf.no_op())\n",
        "lib.py": (
            "import tensorflow as tf\n\n\ndef session():\n    config = tf.ConfigProto()\n"
            "    config.gpu_options.allow_growth = True\n    return tf.Session(config=config)\n"
        ),
    }
    laid_out(files, tmp_path)
    tfgpu(*WRITE, str(tmp_path))
    counts = {path: text.count("disable_v2_behavior()") for path, text in texts(tmp_path).items()}
    assert counts == {"main.py": 1, "lib.py": 0}


class TestRepositories:
    """Several repositories in one call are decided as each would be alone."""

    HELPER = (
        "import tensorflow as tf\n\n\ndef session():\n"
        "    config = tf.ConfigProto()\n    config.gpu_options.allow_growth = True\n"
        "    return tf.Session(config=config)\n"
    )
    FORK = (
        "import multiprocessing\n\nimport tensorflow as tf\nfrom utils import helper\n\n"
        "config = tf.ConfigProto(operation_timeout_in_ms=5)\n"
        "multiprocessing.Process(target=helper.session).start()\n"
        "tf.Session(config=config)\n"
    )
    USE = "from utils import helper\n\nhelper.session()\n"
    MISSING = (
        "import tensorflow as tf\nfrom utils import extra\n\n"
        "config = tf.ConfigProto(device_count={'GPU': 1})\n"
        "extra.check()\ntf.Session(config=config)\n"
    )
    EXTRA = (
        "import tensorflow as tf\n\n\ndef check():\n    tf.Session(config=None)\n"
        "    tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=5))\n"
    )

    def repositories(self, folder: Path, mark: str) -> tuple[Path, Path]:
        """Lay out two repositories with the same names of packages."""
        a = laid_out(
            {"train.py": self.USE, "utils/__init__.py": "", "utils/helper.py": self.HELPER,
             "eval.py": self.MISSING},
            folder / "a",
        )  # fmt: skip
        b = laid_out(
            {"train.py": self.FORK, "utils/__init__.py": "", "utils/helper.py": self.HELPER,
             "utils/extra.py": self.EXTRA},
            folder / "b",
        )  # fmt: skip
        for root in (a, b):
            if mark == ".git":
                subprocess.run(["git", "init", "-q", str(root)], check=True)
            else:
                write(root / mark, "")
        return a, b

    @pytest.mark.parametrize("mark", [".git", "pyproject.toml", "setup.py", "setup.cfg"])
    def test_together_as_alone(self, mark: str, tmp_path: Path) -> None:
        a, b = self.repositories(tmp_path, mark)
        alone = {**configs(audited(a), tmp_path), **configs(audited(b), tmp_path)}
        assert configs(audited(a, b), tmp_path) == alone
        assert configs(audited(b, a), tmp_path) == alone
        assert configs(audited(tmp_path), tmp_path) == alone

    def test_written_together_as_alone(self, tmp_path: Path) -> None:
        a, b = self.repositories(tmp_path / "together", "setup.py")
        tfgpu(*WRITE, str(a), str(b))
        one, two = self.repositories(tmp_path / "alone", "setup.py")
        tfgpu(*WRITE, str(one))
        tfgpu(*WRITE, str(two))
        assert texts(tmp_path / "together") == texts(tmp_path / "alone")

    # A script that adds the folder of a library beside it, which is built by a setup.py of its own.
    NESTED: ClassVar[dict[str, str]] = {
        "tools/run.py": (
            "import os\nimport sys\nimport tensorflow as tf\n"
            "sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))\n"
            "from model.evaluation import evaluate\n"
            "config = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True\n"
            "with tf.Session(config=config) as sess:\n    print(sess.run(tf.constant(1)))\n"
            "evaluate()\n"
        ),
        "lib/setup.py": "from setuptools import setup\nsetup()\n",
        "lib/model/__init__.py": "",
        "lib/model/evaluation.py": (
            "import tensorflow as tf\ndef evaluate():\n    with tf.Session() as sess:\n"
            "        print(sess.run(tf.constant(2)))\n"
        ),
    }

    @pytest.mark.parametrize("named", [".", "tools", "tools/run.py"])
    @pytest.mark.parametrize("mark", [".gitignore", "LICENSE.md", "pyproject.toml"])
    def test_a_project_in_a_project_is_part_of_it(
        self, mark: str, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        git = laid_out(self.NESTED, tmp_path / "git")
        subprocess.run(["git", "init", "-q", str(git)], check=True)
        unpacked = laid_out(self.NESTED, tmp_path / "unpacked")
        write(unpacked / mark, "")
        for root in (git, unpacked):
            monkeypatch.chdir(root)
            tfgpu(*WRITE, named)
        assert "ConfigProto" not in (git / "tools" / "run.py").read_text()
        for path in self.NESTED:
            assert (unpacked / path).read_text() == (git / path).read_text()

    def test_a_mark_in_the_home_folder_bounds_no_project(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        write(tmp_path / "setup.py", "")
        one = {"one/train.py": self.HELPER, "one/LICENSE": ""}
        two = {"two/train.py": self.FORK, "two/LICENSE": ""}
        laid_out({**one, **two}, tmp_path)
        found = by_project(
            [str(tmp_path / name / "train.py") for name in ("one", "two")], [str(tmp_path)]
        )
        assert sorted(found) == [str(tmp_path / "one"), str(tmp_path / "two")]

    def test_a_named_link_is_in_the_project_of_the_file_that_it_leads_to(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        laid_out({"lib/conf.py": "", "a/train.py": ""}, tmp_path)
        (tmp_path / "a" / "conf.py").symlink_to("../lib/conf.py")
        monkeypatch.chdir(tmp_path / "a")
        named = ["conf.py", "train.py"]
        assert by_project(named, named) == {
            str(tmp_path / "lib"): ["conf.py"],
            str(tmp_path / "a"): ["train.py"],
        }

    def test_an_import_that_the_project_lacks_is_not_that_of_a_sibling(
        self, tmp_path: Path
    ) -> None:
        for name, files in {
            "a": {"train.py": "from common import util\n\nutil.run()\n" + self.HELPER},
            "b": {"common/__init__.py": "", "common/util.py": self.EXTRA},
        }.items():
            laid_out({**files, "pyproject.toml": ""}, tmp_path / name)
        alone = configs(audited(tmp_path / "a"), tmp_path)
        together = configs(audited(tmp_path / "a", tmp_path / "b"), tmp_path)
        assert {place: why for place, why in together.items() if place[0] == "a/train.py"} == alone


class TestNotebooks:
    """Cells, and not lines of the cells put together; one broken cell is one broken cell."""

    # A line number that does not say in which cell.
    LINE = re.compile(r"\blines? \d+\b(?! of cell \d)(?!.*\bcell \d+\b.{0,12}$)")
    IMPORT = "import os\nimport tensorflow as tf\n"

    def audit(self, folder: Path, *cells: str) -> dict[str, Any]:
        """Return the audit of a notebook."""
        write(folder / "a.ipynb", notebook(*cells))
        return audited(folder)

    @pytest.mark.parametrize(
        ("code", "cells"),
        [
            (
                "TFH001",
                (
                    "import tensorflow as tf\n\n\n\nx = 1",
                    "y = 2\nx = tf.constant(1.0) + 1.0\nz = 3",
                    "tf.config.set_visible_devices([], 'GPU')",
                ),
            ),
            (
                "TFE055",
                (
                    "import os\nimport tensorflow as tf\n\n\n",
                    "a = 1\nsess = tf.compat.v1.Session(graph=tf.Graph())",
                    "b = 1\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'",
                ),
            ),
            (
                "TFG",
                (
                    "import tensorflow as tf\n\n\n\n",
                    "config = tf.ConfigProto(device_count={'GPU': 1})\ntf.Session(config=config)",
                    "a = 1\nconfig.device_count['GPU'] = 2\nother = tf.Session(config=config)",
                    "kept = tf.ConfigProto(operation_timeout_in_ms=5)\ntf.Session(config=kept)",
                ),
            ),
        ],
    )
    def test_messages_name_cells(self, code: str, cells: tuple[str, ...], tmp_path: Path) -> None:
        report = self.audit(tmp_path, *cells)
        codes = [item["code"] for item in report["findings"]]
        assert any(found.startswith(code) for found in codes), codes
        for item in report["findings"]:
            for text in (item["message"], item["todo"]):
                assert not self.LINE.search(text), f"{item['code']}: {text}"
            lines = cells[item["cell"] - 2].splitlines() if item["cell"] else []
            assert 0 < item["line"] <= len(lines), item

    @pytest.mark.parametrize("broken", ["x = = 1", "print 'a' if", "def f(:\n    pass", "  y = 1"])
    def test_one_broken_cell_is_the_error_of_that_cell(self, broken: str, tmp_path: Path) -> None:
        cells = (
            "import tensorflow as tf\nconfig = tf.ConfigProto()",
            broken,
            "config.gpu_options.allow_growth = True\nsess = tf.Session(config=config)",
        )
        write(tmp_path / "a.ipynb", notebook(*cells))
        result = tfgpu("audit", "--format", "json", str(tmp_path))
        assert result.exit_code == 3
        assert "a.ipynb:cell 3:" in result.stderr
        report = json.loads(result.stdout)
        assert {item["cell"] for item in report["findings"]} >= {4}

    def test_a_broken_cell_changes_no_config_that_it_may_use(self, tmp_path: Path) -> None:
        text = notebook(
            "import tensorflow as tf\nconfig = tf.ConfigProto(allow_soft_placement=True)",
            "config.device_count['GPU'] = = 1",
            "sess = tf.Session(config=config)",
        )
        write(tmp_path / "a.ipynb", text)
        tfgpu(*WRITE, str(tmp_path))
        assert (tmp_path / "a.ipynb").read_text("utf-8") == text

    def test_a_notebook_says_as_a_file_why_a_config_is_kept(self, tmp_path: Path) -> None:
        code = (
            "import tensorflow as tf\n"
            "one = tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=5))\n"
            "two = tf.Session(config=tf.ConfigProto(use_per_session_threads=True))\n"
            "config = tf.ConfigProto(allow_soft_placement=True)\n"
            "three = tf.Session(config=config)\n"
        )
        write(tmp_path / "a" / "a.py", code)
        write(tmp_path / "b" / "a.ipynb", notebook(code))
        file = list(configs(audited(tmp_path / "a"), tmp_path).values())
        cell = list(configs(audited(tmp_path / "b"), tmp_path).values())
        assert file == cell

    def test_a_config_kept_because_of_a_notebook_says_what_has_no_equivalent(
        self, tmp_path: Path
    ) -> None:
        helper = (
            "import tensorflow as tf\n\nconfig = tf.ConfigProto(operation_timeout_in_ms=5)\n"
            "config.gpu_options.allow_growth = True\n"
        )
        use = "import tensorflow as tf\nfrom helper import config\nsess = tf.Session(config=config)"
        write(tmp_path / "helper.py", helper)
        write(tmp_path / "a.ipynb", notebook(use))
        (why,) = configs(audited(tmp_path), tmp_path).values()
        assert why[1] == "TFG405"


class TestConfigs:
    """What JSON says of configs."""

    def lines(self, folder: Path, text: str) -> list[int]:
        """Return the lines of the configs of a program."""
        write(folder / "a.py", text)
        return [place[2] for place in configs(audited(folder), folder)]

    def test_the_line_of_a_config_is_that_of_its_constructor(self, tmp_path: Path) -> None:
        text = (
            "import tensorflow as tf\n\noptions = tf.GPUOptions(allow_growth=True)\n"
            "count = {'GPU': 1}\nconfig = tf.ConfigProto(gpu_options=options)\n"
            "tf.Session(config=config)\n"
        )
        assert self.lines(tmp_path, text) == [5]

    def test_two_constructors_of_one_variable_are_two_configs(self, tmp_path: Path) -> None:
        text = (
            "import sys\n\nimport tensorflow as tf\n\nif len(sys.argv) > 1:\n"
            "    config = tf.ConfigProto(allow_soft_placement=True)\nelse:\n"
            "    config = tf.ConfigProto(log_device_placement=True)\n"
            "tf.Session(config=config)\n"
        )
        assert self.lines(tmp_path, text) == [6, 8]

    def test_a_kept_config_does_not_lose_anything(self, tmp_path: Path) -> None:
        write(
            tmp_path / "a.py",
            "import tensorflow as tf\n\nconfig = tf.ConfigProto(operation_timeout_in_ms=5)\n"
            "config.gpu_options.allow_growth = True\ntf.Session(config=config)\n",
        )
        report = audited(tmp_path)
        assert kept(report) == 1
        assert not [item for item in report["findings"] if "loses its config" in item["message"]]

    @pytest.mark.parametrize("second", ["allow_growth=True", "per_process_gpu_memory_fraction=0.4"])
    def test_only_a_config_without_equivalent_is_said_to_have_none(
        self, second: str, tmp_path: Path
    ) -> None:
        write(
            tmp_path / "a.py",
            "import tensorflow as tf\n\n"
            "one = tf.ConfigProto(operation_timeout_in_ms=5)\none.allow_soft_placement = True\n"
            f"two = tf.ConfigProto(gpu_options=tf.GPUOptions({second}))\n"
            "a, b = tf.Session(config=one), tf.Session(config=two)\n",
        )
        found = configs(audited(tmp_path), tmp_path)
        assert [why[1] for why in found.values()] == ["TFG405", None]


class TestNoted:
    """Settings that are not followed get a finding, a note at least."""

    @pytest.mark.parametrize(
        "text",
        [
            "def setup(x):\n    x.gpu_options.visible_device_list = '1'\n",
            "def setup(x):\n    x.config.gpu_options.allow_growth = True\n",
            "def setup(run_config):\n    run_config.session_config.allow_soft_placement = True\n",
            "class A:\n    def f(self):\n"
            "        self.options.config_proto.gpu_options.per_process_gpu_memory_fraction = 0.4\n",
            "import tensorflow.compat.v2 as tf\n\nc = tf.compat.v1.ConfigProto()\n",
            "from pkg import tf\n\nc = tf.compat.v1.ConfigProto()\n",
            "from pkg.tf import compat\n\nc = compat.v1.ConfigProto(allow_soft_placement=True)\n",
            "from deps import *\n\nconfig = tf.ConfigProto()\n",
            "import tensorflow as tf\n\nc = getattr(tf, 'ConfigProto')()\n",
            "import tensorflow as tf\n\nc = tf.ConfigProto()\ntf = 'transfer function'\n",
            "import tensorflow as tf\n\n\ndef f(tf=tf):\n    return tf.ConfigProto()\n",
            "import importlib as i\n\ntf = i.import_module('tensorflow')\nc = tf.ConfigProto()\n",
            "tf = __import__('tensorflow')\nc = tf.ConfigProto()\n",
            "SETTINGS = {'gpu_options.allow_growth': True}\n",
            "import subprocess\nsubprocess.run('CUDA_VISIBLE_DEVICES=1 python a.py', shell=True)\n",
            "import os\nos.system('CUDA_VISIBLE_DEVICES=%d python a.py' % 1)\n",
            "import subprocess\n"
            "subprocess.Popen(['a'], env={'CUDA_VISIBLE_DEVICES': '1', 'A': 'b'})\n",
            "import os, subprocess\n"
            "env = dict(os.environ, CUDA_VISIBLE_DEVICES='1')\nsubprocess.run(['a'], env=env)\n",
            "from tensorflow.python.platform import test\n\nprint(test.is_gpu_available())\n",
            "import tensorflow.python.platform.test as t\n\nprint(t.is_gpu_available())\n",
        ],
    )
    def test_a_setting_is_not_passed_over(self, text: str, tmp_path: Path) -> None:
        write(tmp_path / "a.py", text)
        assert audited(tmp_path)["findings"], text

    def test_own_methods_are_no_settings(self, tmp_path: Path) -> None:
        write(
            tmp_path / "a.py",
            "class Settings:\n    allow_growth = False\n\n\n"
            "settings = Settings()\nsettings.allow_growth = True\n",
        )
        assert not audited(tmp_path)["findings"]


class TestText:
    """What the written text looks like where comments and names stand beside what goes."""

    def migrated(self, folder: Path, text: str) -> str:
        """Return the migrated text of a program."""
        write(folder / "a.py", text)
        tfgpu(*WRITE, str(folder))
        return (folder / "a.py").read_text("utf-8")

    def test_a_comment_goes_with_what_it_stood_above(self, tmp_path: Path) -> None:
        text = self.migrated(
            tmp_path,
            "import tensorflow as tf\n\n"
            "# the config of the session\nconfig = tf.ConfigProto()\n"
            "# do not take all memory\nconfig.gpu_options.allow_growth = True\n"
            "# here we go\nsess = tf.Session(config=config)\n",
        )
        assert "ConfigProto" not in text
        lines = text.splitlines()
        below = {
            line: next((after for after in lines[number:] if not after.startswith("#")), "")
            for number, line in enumerate(lines)
            if line.startswith("#")
        }
        assert below.pop("# here we go").startswith("sess =")
        assert below["# do not take all memory"].startswith("for gpu in")
        assert set(below.values()) == {below["# do not take all memory"]}

    def test_a_trailing_comment_stays_trailing(self, tmp_path: Path) -> None:
        text = self.migrated(
            tmp_path,
            "import tensorflow as tf\n\nconfig = tf.ConfigProto()\n"
            "config.allow_soft_placement = True  # pylint: disable=no-member\n"
            "sess = tf.Session(config=config)  # pylint: disable=not-callable\n",
        )
        assert "ConfigProto" not in text
        for line in text.splitlines():
            assert not line.strip().startswith("# pylint"), text
        assert "sess = tf.Session()  # pylint: disable=not-callable" in text

    def test_a_name_does_not_promise_a_config(self, tmp_path: Path) -> None:
        text = self.migrated(
            tmp_path,
            "import tensorflow as tf\n\n\ndef get_config():\n"
            '    """Return the config of the session."""\n'
            "    config = tf.ConfigProto()\n    config.gpu_options.allow_growth = True\n"
            "    return config\n\n\nsess = tf.Session(config=get_config())\n",
        )
        assert "ConfigProto" not in text
        assert "Return the config" not in text
        assert "get_config" not in text
