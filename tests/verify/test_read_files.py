"""Files that both programs read, with other contents: equal runs do not show what these do."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.verify.server import libraries_or_skip
from tests.verify.test_command import verify

READS = {
    "Python": "import json\nwith open('{0}') as file:\n    calls = json.load(file)['calls']\n",
    "beside the script": "import json, pathlib\n"
    "calls = json.loads(pathlib.Path(__file__).with_name('{0}').read_text())['calls']\n",
    "TensorFlow": "import json\ncalls = json.loads(tf.io.gfile.GFile('{0}').read())['calls']\n",
    "lines": "tf.data.TextLineDataset(['{0}'])\ncalls = 2\n",
    "a child": "import subprocess, sys\n"
    'code = \'import json; print(json.load(open("{0}"))["calls"])\'\n'
    "calls = int(subprocess.check_output([sys.executable, '-c', code]))\n",
}
WORK = """
data = tf.data.Dataset.range(8).map(lambda x: x * 2, num_parallel_calls=calls).batch(8)
following = tf.data.make_one_shot_iterator(data).get_next()
with tf.Session() as session:
    session.run(tf.cast(following, tf.float32) * 2)
"""
V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
WRITES = "import os\nwith open('conf.json', 'w') as file:\n    file.write('{\"calls\": 2}')\n"
WRITTEN_BY_A_CHILD = "import os\nos.system('echo {\\\\\"calls\\\\\": 2} > conf.json')\n"


def _sides(folder: Path, text: str, files: Mapping[str, tuple[str, str]]) -> tuple[int, str]:
    """Verify a program in two folders that have other files beside it; return what is said."""
    libraries_or_skip()
    for number, side in enumerate(("before", "after")):
        (folder / side).mkdir()
        (folder / side / "main.py").write_text(text, "utf-8")
        for name, contents in files.items():
            (folder / side / name).write_text(contents[number], "utf-8")
    scripts = (str(folder / side / "main.py") for side in ("before", "after"))
    done = verify(folder / "before", *scripts, "--quick")
    return done.returncode, done.stdout


@pytest.mark.parametrize("how", READS)
def test_a_file_with_other_contents_is_no_match(tmp_path: Path, how: str) -> None:
    text = V1 + READS[how].format("conf.json") + WORK
    files = {"conf.json": ('{"calls": 2}', '{"calls": 8}')}
    status, told = _sides(tmp_path, text, files)
    assert status == 3, told
    assert "conf.json" in told


RUNS = {
    "by a command": "import subprocess, sys\nsubprocess.check_call([sys.executable, name])\n",
    "by a path": "import runpy\nrunpy.run_path(name)\n",
}


@pytest.mark.parametrize("how", RUNS)
@pytest.mark.parametrize("name", ["'calls' + '.py'", "'calls.py'"])
def test_python_that_is_started_with_other_contents(tmp_path: Path, how: str, name: str) -> None:
    """No statement of it is compared where only the run tells its name; a branch did not run."""
    text = f"{V1}name = {name}\n{RUNS[how]}calls = 2\n{WORK}"
    one, other = (f"import os\nif os.environ.get('BIG'):\n    print({n} * 2)\n" for n in ("a", "b"))
    status, told = _sides(tmp_path, text, {"calls.py": (one, other)})
    assert status == 3, told
    assert "calls.py" in told


def test_python_that_is_started_with_the_same_contents(tmp_path: Path) -> None:
    text = f"{V1}name = 'calls' + '.py'\n{RUNS['by a command']}calls = 2\n{WORK}"
    status, told = _sides(tmp_path, text, {"calls.py": ("print(1)\n", "print(1)\n")})
    assert status == 0, told


@pytest.mark.parametrize("opened", ["open({0})", "__import__('pathlib').Path({0}).open()"])
def test_python_that_is_executed_as_a_text(tmp_path: Path, opened: str) -> None:
    text = f"{V1}exec({opened.format(repr('conf.py'))}.read())\n{WORK}"
    status, told = _sides(tmp_path, text, {"conf.py": ("calls = 2\n", "calls = 8\n")})
    assert status == 3, told
    assert "conf.py" in told


def test_python_that_is_only_copied(tmp_path: Path) -> None:
    text = f"{V1}import shutil\nshutil.copy('notes.py', 'kept.txt')\ncalls = 2\n{WORK}"
    status, told = _sides(tmp_path, text, {"notes.py": ("one = 2\n", "one = 8\n")})
    assert status == 0, told


@pytest.mark.parametrize("writes", [WRITES, WRITTEN_BY_A_CHILD], ids=["itself", "a child"])
def test_a_file_that_the_run_writes_first(tmp_path: Path, writes: str) -> None:
    text = V1 + writes + READS["Python"].format("conf.json") + WORK
    files = {"conf.json": ('{"calls": 2}', '{"calls": 8}'), "notes.txt": ("1", "2")}
    status, told = _sides(tmp_path, text, files)
    assert status == 0, told


def test_files_of_other_names_are_no_match(tmp_path: Path) -> None:
    libraries_or_skip()
    for name, calls in (("one", 2), ("other", 8)):
        text = V1 + READS["Python"].format(f"{name}.json") + WORK
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
        (tmp_path / f"{name}.json").write_text(f'{{"calls": {calls}}}', "utf-8")
    done = verify(tmp_path, str(tmp_path / "one.py"), str(tmp_path / "other.py"), "--quick")
    assert done.returncode == 3, done.stdout
    assert "one.json before and other.json after" in done.stdout


CONFIG = '{{"calls": {}}}'


def _outside(folder: Path, names: tuple[str, str], lines: str = "") -> tuple[int, str]:
    """Verify two programs that read files of these names in a folder beside theirs."""
    libraries_or_skip()
    for side, name in zip(("before", "after"), names, strict=True):
        text = V1 + lines + READS["Python"].format(folder / name) + WORK
        (folder / side).mkdir()
        (folder / side / "main.py").write_text(text, "utf-8")
        (folder / side / "pyproject.toml").write_text("", "utf-8")
    scripts = (str(folder / side / "main.py") for side in ("before", "after"))
    done = verify(folder / "before", *scripts, "--quick")
    return done.returncode, done.stdout


@pytest.mark.parametrize("names", [("one.json", "other.json"), ("one.json", "other.conf")])
def test_files_outside_of_the_programs(tmp_path: Path, names: tuple[str, str]) -> None:
    for name, calls in zip(names, (2, 8), strict=True):
        (tmp_path / name).write_text(CONFIG.format(calls), "utf-8")
    status, told = _outside(tmp_path, names)
    assert status == 3, told
    assert f"{tmp_path / names[0]} before and {tmp_path / names[1]} after" in " ".join(told.split())


@pytest.mark.parametrize("names", [("one.json", "one.json"), ("one.json", "other.json")])
def test_files_outside_of_the_programs_with_the_same_contents(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    for name in names:
        (tmp_path / name).write_text(CONFIG.format(2), "utf-8")
    status, told = _outside(tmp_path, names)
    assert status == 0, told


def test_files_that_a_program_picks_by_chance(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(CONFIG.format(2), "utf-8")
    (tmp_path / "data").mkdir()
    for number in range(1000):
        (tmp_path / "data" / f"{number}.dat").write_text(str(number), "utf-8")
    lines = f"import random\nopen('{tmp_path}/data/%d.dat' % random.randrange(1000)).read()\n"
    status, told = _outside(tmp_path, ("one.json", "one.json"), lines)
    assert status == 0, told
    assert "differs from run to run (.dat)" in " ".join(told.split())


def test_a_file_that_has_changed_since_a_ref(tmp_path: Path) -> None:
    libraries_or_skip()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(tmp_path)]
    (tmp_path / "main.py").write_text(V1 + READS["Python"].format("conf.json") + WORK, "utf-8")
    (tmp_path / "conf.json").write_text('{"calls": 2}', "utf-8")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *command], check=True)
    (tmp_path / "conf.json").write_text('{"calls": 8}', "utf-8")
    done = verify(tmp_path, "--from-ref", "HEAD", str(tmp_path / "main.py"), "--quick")
    assert done.returncode == 3, done.stdout
    assert "conf.json" in done.stdout
