"""Programs as people start them: modules, notebooks, src layouts, modules by name, same text."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.verify.server import libraries_or_skip
from tests.verify.test_command import verify
from tfgpu.options import Options
from tfgpu.verify.changed import Statement
from tfgpu.verify.imported import local_files, program_files
from tfgpu.verify.notebooks import runnable
from tfgpu.verify.programs import migration

HELPER = """
import tensorflow as tf

def make_session():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf.Session(config=config)
"""
RUN = """
import os
import sys
import tensorflow as tf
with make_session() as session:
    print(sys.argv[1:], os.path.basename(os.getcwd()), __name__, __package__)
    session.run(tf.matmul(tf.random_uniform([64, 64]), tf.ones([64, 64])))
"""

VERSION_1 = [
    text.replace("import tensorflow as tf", "import tensorflow.compat.v1 as tf")
    for text in (HELPER, RUN)
]


def project(folder: Path, **files: str) -> Path:
    """Write files, `__` in their names being `/`, and return the folder."""
    for name, text in files.items():
        path = folder.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def notebook(path: Path, *cells: str) -> None:
    """Write a notebook with these code cells."""
    rows: list[dict[str, object]] = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": one}
        for one in cells
    ]
    document = {"cells": rows, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    path.write_text(json.dumps(document), "utf-8")


class TestFiles:
    def test_a_src_layout(self, tmp_path: Path) -> None:
        root = project(tmp_path, src__pkg__sessions=HELPER, train="from pkg import sessions\n")
        assert list(local_files(root / "train.py", root)) == [
            root / "train.py",
            root / "src/pkg/sessions.py",
        ]

    def test_modules_by_name(self, tmp_path: Path) -> None:
        script = "import importlib\nname = 'pkg.a'\nimportlib.import_module(name)\n"
        root = project(tmp_path, train=script, pkg__a=HELPER, pkg__b=HELPER)
        assert local_files(root / "train.py", root, {}) == {
            root / "train.py": True,
            root / "pkg/a.py": False,
        }

    def test_modules_of_a_package_by_name(self, tmp_path: Path) -> None:
        script = "import importlib, sys\nimportlib.import_module('pkg.%s' % sys.argv[1])\n"
        root = project(tmp_path, train=script, pkg__a=HELPER, pkg__b=HELPER)
        found = set(local_files(root / "train.py", root))
        assert found == {root / "train.py", root / "pkg/a.py", root / "pkg/b.py"}

    @pytest.mark.parametrize(
        "command",
        [
            "import subprocess, sys\nsubprocess.call([sys.executable, 'worker.py'])\n",
            "import os\nos.system('CUDA_VISIBLE_DEVICES=0 python3 -u worker.py --gpu 1')\n",
            "import os, sys\nos.execv(sys.executable, ['python', './worker.py'])\n",
            "from subprocess import Popen\nPopen(f'{python} worker.py', shell=True)\n",
            "import subprocess, sys\nwords = [sys.executable, '-m', 'worker']\nrun(words)\n",
            "import os\nos.system('python -m worker')\n",
            "import asyncio\nasyncio.create_subprocess_exec('python', 'worker.py')\n",
        ],
    )
    def test_scripts_that_are_started(self, tmp_path: Path, command: str) -> None:
        worker = "from pkg import a\n"
        root = project(tmp_path, train=command, worker=worker, pkg__a=HELPER, other=HELPER)
        assert set(local_files(root / "train.py", root)) == {root / "train.py"}
        found = program_files(root / "train.py", root)
        assert set(found) == {root / "train.py", root / "worker.py", root / "pkg/a.py"}

    @pytest.mark.parametrize(
        "text",
        [
            '"""Run it with `python worker.py`."""\nimport subprocess\n',
            "import subprocess\nprint('see worker.py for more')\n",
            "print('worker.py')\n",
        ],
    )
    def test_scripts_that_are_only_named(self, tmp_path: Path, text: str) -> None:
        root = project(tmp_path, train=text, worker=HELPER)
        assert set(program_files(root / "train.py", root)) == {root / "train.py"}

    def test_folders_that_are_added_to_the_path(self, tmp_path: Path) -> None:
        script = "import os, sys\nsys.path.append(os.path.join('..', 'lib'))\nimport helper\n"
        root = project(tmp_path, bin__train=script, lib__helper=HELPER)
        assert root / "lib/helper.py" in local_files(root / "bin/train.py", root)

    def test_folders_that_another_file_adds(self, tmp_path: Path) -> None:
        paths = "import sys\nsys.path.insert(0, 'lib')\n"
        script = "import helper\nimport _paths\n"
        root = project(tmp_path, bin__train=script, bin___paths=paths, lib__helper=HELPER)
        root.joinpath("bin/_paths.py").write_text(paths)
        assert root / "lib/helper.py" in local_files(root / "bin/train.py", root)

    def test_statements_of_a_module_by_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        script = "import importlib\nimportlib.import_module('pkg.a').make_session()\n"
        root = project(tmp_path, train=script, pkg__a=HELPER)
        monkeypatch.chdir(root)
        before, _ = migration(Path("train.py"), Options())
        own = [one for one in before.statements if one.path.name == "a.py"]
        assert own and all(one.by_name for one in own)
        assert Statement(root / "train.py", 1) not in before.statements


class TestNotebook:
    def test_cells_in_order(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        notebook(tmp_path / "one.ipynb", "a = 1\n", "!ls\n", "%env CUDA_VISIBLE_DEVICES=1\nb = a")
        text, left_out = runnable((tmp_path / "one.ipynb").read_bytes())
        names: dict[str, object] = {}
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")  # set, so that it is put back
        exec(text, names)
        assert names["b"] == 1
        assert "environ['CUDA_VISIBLE_DEVICES'] = '1'" in text
        assert left_out == [(4, "!ls")]  # behind a line that parts the cells

    def test_runs(self, tmp_path: Path) -> None:
        libraries_or_skip()
        notebook(tmp_path / "train.ipynb", "%matplotlib inline\n", HELPER, RUN)
        done = verify(tmp_path, "train.ipynb", "--format", "json")
        found = json.loads(done.stdout)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "allow_growth" in found["change"]
        assert any("%matplotlib inline" in one for one in found["notes"])
        places = [one["source"] for one in found["before"]["sessions"]]
        assert places == ["train.ipynb:cell 2:7"]

    def test_environment_lost(self, tmp_path: Path) -> None:
        libraries_or_skip()
        notebook(tmp_path / "a.ipynb", "%env CUDA_VISIBLE_DEVICES=1\n", HELPER, RUN)
        notebook(tmp_path / "b.ipynb", "%env CUDA_VISIBLE_DEVICES=0\n", HELPER, RUN)
        assert verify(tmp_path, "a.ipynb", "b.ipynb").returncode == 1

    @pytest.mark.parametrize(
        "line", ["!python child.py {}", "%run child.py {}", "%%bash\npython child.py {}"]
    )
    def test_lines_that_are_changed_and_not_run(self, tmp_path: Path, line: str) -> None:
        libraries_or_skip()
        for name, given in (("a.ipynb", "0"), ("b.ipynb", "1")):
            notebook(tmp_path / name, line.format(given) + "\n", *VERSION_1)
        done = verify(tmp_path, "a.ipynb", "b.ipynb")
        assert done.returncode == 3, done.stdout + done.stderr
        assert "b.ipynb:cell 1:1 under IPython, which does not run here" in done.stdout

    def test_lines_that_only_prepare(self, tmp_path: Path) -> None:
        libraries_or_skip()
        lines = ("!pip install tensorflow-gpu==1.15\n", "%tensorflow_version 1.x\n")
        notebook(tmp_path / "a.ipynb", *lines, "%matplotlib inline\n", *VERSION_1)
        notebook(tmp_path / "b.ipynb", "!pip install tensorflow\n", *VERSION_1)
        done = verify(tmp_path, "a.ipynb", "b.ipynb")
        assert done.returncode == 0, done.stdout + done.stderr


class TestModule:
    def test_runs_as_python_does(self, tmp_path: Path) -> None:
        libraries_or_skip()
        text = "from .sessions import make_session\n" + RUN
        project(tmp_path, pkg__sessions=HELPER, pkg____init__="", pkg__train=text)
        done = verify(tmp_path, "-m", "pkg.train", "--format", "json", "--", "--epochs", "3")
        found = json.loads(done.stdout)
        assert done.returncode == 0, done.stdout + done.stderr
        printed = f"['--epochs', '3'] {tmp_path.name} __main__ pkg"
        assert [found[leg]["stdout"].strip() for leg in ("before", "after")] == [printed] * 2
        assert found["before"]["changed"]

    def test_there_is_none(self, tmp_path: Path) -> None:
        done = verify(tmp_path, "-m", "pkg.train")
        assert done.returncode == 3
        assert "there is no module pkg.train here" in done.stderr

    def test_or_a_script(self, tmp_path: Path) -> None:
        project(tmp_path, train=RUN)
        assert verify(tmp_path, "-m", "train", "train.py").returncode == 2
        assert verify(tmp_path).returncode == 2


def test_another_working_directory_of_the_project(tmp_path: Path) -> None:
    libraries_or_skip()
    root = project(tmp_path, train=HELPER + RUN + "open('data.txt').read()\n")
    (root / "setup.py").write_text("")
    (root / "runs").mkdir()
    (root / "runs" / "data.txt").write_text("")
    done = verify(root / "runs", "../train.py")
    assert done.returncode == 0, done.stdout + done.stderr


class TestSameText:
    def test_of_a_config_that_is_kept(self, tmp_path: Path) -> None:
        libraries_or_skip()
        kept = "config.device_filters.append('/job:worker')\n    config.gpu"
        project(tmp_path, train=HELPER.replace("config.gpu", kept) + RUN)
        done = verify(tmp_path, "train.py")
        assert done.returncode == 0, done.stdout + done.stderr
        words = "both sides are the same text (the migration changes nothing: TFG"
        assert words in done.stdout.partition("\n")[0]

    def test_of_a_program_without_settings(self, tmp_path: Path) -> None:
        libraries_or_skip()
        text = "import tensorflow as tf\nprint(tf.reduce_sum(tf.ones([8, 8]) @ tf.ones([8, 8])))\n"
        project(tmp_path, train=text)
        done = verify(tmp_path, "train.py")
        assert done.returncode == 0, done.stdout + done.stderr
        words = "both sides are the same text (the migration changes nothing: it has no GPU"
        assert words in done.stdout.partition("\n")[0]

    def test_since_a_ref(self, tmp_path: Path) -> None:
        libraries_or_skip()
        text = "import tensorflow as tf\nprint(open('data.txt').read(), tf.ones([2]) + 1)\n"
        project(tmp_path, train=text)
        for arguments in (
            ["init", "-q"],
            ["add", "train.py"],
            ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "train"],
        ):
            subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
        (tmp_path / "data.txt").write_text("untracked")
        done = verify(tmp_path, "--from-ref", "HEAD", "train.py")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "no Python file of the program has changed since HEAD" in done.stdout
