"""`tfgpu verify` as a user calls it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from tests.verify.hostile_files import is_running
from tests.verify.loaded import command
from tests.verify.server import libraries_or_skip

ROOT = Path(__file__).parents[2]

GROWING = """
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
session = tf.Session(config=config)
session.run(tf.matmul(tf.random.uniform([64, 64]), tf.ones([64, 64])))
"""
GROWTH_LOST = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
session = tf.Session()
session.run(tf.matmul(tf.random.uniform([64, 64]), tf.ones([64, 64])))
"""
ENDLESS = "import time\nwhile True:\n    time.sleep(1)\n"
NOTHING = "print('hello')\n"


def verify(
    folder: Path,
    *arguments: str,
    closed: bool = False,
    gpus: Sequence[str] = ("--gpus", "sim:2x3GiB", "--quick"),
) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder; `closed` without standard input, as a process of its own."""
    if not closed:
        return command(folder, "verify", *gpus, *arguments)
    words = [sys.executable, "-m", "tfgpu", "verify", *gpus, *arguments]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Traceback (most recent call last)" not in done.stderr, done.stderr
    return done


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, "utf-8")


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return all files of a folder with their bytes and times."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def simulated() -> None:
    libraries_or_skip()


@pytest.mark.usefixtures("simulated")
@pytest.mark.parametrize("kind", ["text", "json", "html"])
def test_a_reader_that_has_enough_ends_it_as_other_commands(tmp_path: Path, kind: str) -> None:
    write(tmp_path, one="print(1)\n", two="print(1)\n")
    words = ["verify", "--gpus", "sim:1x3GiB", "--quick", "--format", kind, "one.py", "two.py"]
    with subprocess.Popen(
        [sys.executable, "-m", "tfgpu", *words], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 128 + 13


@pytest.mark.usefixtures("simulated")
def test_a_project_is_verified_and_left_as_it_was(tmp_path: Path) -> None:
    project = tmp_path / "my project"
    (project / "nets").mkdir(parents=True)
    (project / "data").mkdir()
    (project / "data" / "size.txt").write_text("32")
    (project / "nets" / "__init__.py").write_text("from .layers import layer\n")
    (project / "nets" / "layers.py").write_text(
        "import tensorflow as tf\n"
        "def layer(size):\n"
        "    return tf.matmul(tf.random.uniform([size, size]), tf.ones([size, size]))\n"
    )
    script = """
        # -*- coding: latin-1 -*-
        import argparse, os, sys
        import tensorflow as tf
        from nets import layer
        name = u"\xe9t\xe9"
        assert len(name) == 3
        parser = argparse.ArgumentParser()
        parser.add_argument("--limit", type=float)
        parser.add_argument("words", nargs="*")
        options = parser.parse_args()
        assert options.words == ["a word", "--gpus"], options.words
        assert sys.stdin is None or sys.stdin.read() == ""
        size = int(open("data/size.txt").read())
        assert os.path.exists(os.path.join(os.path.dirname(__file__), "nets"))
        config = tf.ConfigProto()
        config.gpu_options.per_process_gpu_memory_fraction = options.limit
        os.makedirs("checkpoints")
        with tf.Session(config=config) as session:
            variable = tf.Variable(1.0)
            session.run(tf.global_variables_initializer())
            tf.train.Saver().save(session, "checkpoints/model")
            while True:
                session.run(layer(size))
                session.run(variable)
        """
    (project / "train it.py").write_bytes(dedent(script).lstrip().encode("latin-1"))
    before = contents(project)
    done = verify(
        project, "train it.py", "--", "--limit", "0.25", "a word", "--", "--gpus", closed=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("match: ")
    assert contents(project) == before


@pytest.mark.usefixtures("simulated")
def test_a_mismatch(tmp_path: Path) -> None:
    write(tmp_path, before=GROWING, after=GROWTH_LOST)
    done = verify(tmp_path, "before.py", "after.py", "--format", "json")
    assert done.returncode == 1, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["outcome"] == "mismatch"
    assert "gpu_options.allow_growth: True before, not set after" in done.stdout


@pytest.mark.usefixtures("simulated")
def test_what_the_environment_decides_is_not_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    write(tmp_path, old=GROWING, new=GROWTH_LOST)
    done = verify(tmp_path, "old.py", "new.py", gpus=("--gpus", "sim:2x3GiB"))
    first = done.stdout.splitlines()[0]
    assert first.startswith("mismatch: with TF_FORCE_GPU_ALLOW_GROWTH=true of this environment: ")
    assert first.endswith("sim:1x3GiB; sim:2304MiB,1536MiB,1920MiB"), done.stdout
    assert "note: the environment had TF_FORCE_GPU_ALLOW_GROWTH=true in the set-ups" in done.stdout


def test_gpus_that_take_more_memory_than_this_machine_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfgpu.verify.legs.free_memory", lambda: 1_040_000_000)
    write(tmp_path, before=GROWTH_LOST, after=GROWTH_LOST)
    done = verify(tmp_path, "before.py", "after.py", gpus=("--gpus", "sim:2x3GiB", "--quick"))
    assert done.returncode == 3, done.stdout + done.stderr
    words = " ".join(done.stdout.split())
    assert "0.1 GB by then, 0.2 GB for all of these GPUs, and there are 0.0 GB" in words
    assert "--gpus sim:2x1GiB" in words


@pytest.mark.usefixtures("simulated")
def test_a_git_ref(tmp_path: Path) -> None:
    folder = tmp_path / "part"
    folder.mkdir()
    (folder / "size.txt").write_text("64")
    write(folder, train="print('old', open('size.txt').read())\n")
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "-m", "first"],
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    write(folder, train="print('new', open('size.txt').read())\n")
    # Git would note in its index that this file is as it was.
    os.utime(folder / "size.txt", (1, 1))
    index = (tmp_path / ".git" / "index").read_bytes()
    done = verify(folder, "train.py", "--from-ref", "HEAD", "--format", "json")
    assert (tmp_path / ".git" / "index").read_bytes() == index
    assert done.returncode == 3, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert [report[leg]["stdout"] for leg in ("before", "after")] == ["old 64\n", "new 64\n"]
    missing = verify(folder, "train.py", "--from-ref", "no-such-ref")
    assert missing.returncode == 2
    assert "no-such-ref" in missing.stderr
    write(folder, new=NOTHING)
    assert "did not exist at HEAD" in verify(folder, "new.py", "--from-ref", "HEAD").stderr


@pytest.mark.usefixtures("simulated")
def test_a_git_ref_of_a_partial_clone(tmp_path: Path) -> None:
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()

    def git(folder: Path, *words: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)

    git(origin, "init", "-q")
    git(origin, "config", "uploadpack.allowFilter", "true")
    for text in ("old", "new"):
        write(origin, train=f"print('{text}')\n")
        git(origin, "add", ".")
        git(origin, "commit", "-q", "-m", text)
    git(tmp_path, "clone", "-q", "--filter=blob:none", origin.as_uri(), "clone")
    done = verify(clone, "train.py", "--from-ref", "HEAD~1", "--format", "json")
    assert done.returncode == 3, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert [report[leg]["stdout"] for leg in ("before", "after")] == ["old\n", "new\n"]


@pytest.mark.usefixtures("simulated")
def test_timeouts(tmp_path: Path) -> None:
    write(tmp_path, endless=ENDLESS, nothing=NOTHING)
    both = verify(tmp_path, "endless.py", "endless.py", "--timeout", "1")
    assert both.returncode == 3, both.stdout + both.stderr
    assert "did not end in time" in both.stdout.splitlines()[0]
    one = verify(tmp_path, "endless.py", "nothing.py", "--timeout", "1")
    assert one.returncode == 3, one.stdout + one.stderr
    assert "did not end in time" in one.stdout.splitlines()[0]


@pytest.mark.usefixtures("simulated")
def test_nothing_goes_on_after_a_leg(tmp_path: Path) -> None:
    write(
        tmp_path,
        leaves="import subprocess, sys\n"
        "subprocess.Popen(['setsid', 'sleep', sys.argv[1]], start_new_session=True)\n"
        "print('started')\n",
    )
    seconds = f"80{os.getpid()}"
    done = verify(tmp_path, "leaves.py", "leaves.py", "--format", "json", "--", seconds)
    assert done.returncode == 3, done.stdout + done.stderr
    assert json.loads(done.stdout)["before"]["stdout"] == "started\n"
    assert not is_running("sleep", seconds)


@pytest.mark.usefixtures("simulated")
@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["train.py"], 3, "the migration changes nothing: it has no GPU settings"),
        (["broken.py"], 3, "the migration is not possible: broken.py:2: "),
        (["broken.py", "broken.py"], 3, "SyntaxError"),
        (["train.py", "train.py", "train.py"], 2, "give one script, or two without --from-ref"),
        (["train.py", "train.py", "--from-ref", "HEAD"], 2, "give one script, or two"),
        (["train.py", "--from-ref", "HEAD"], 2, "is in no git repository"),
        (["missing.py"], 2, "'missing.py' does not exist"),
        (["train.py", "train.py", "--gpus", "two"], 2, "'two' is none of auto, real, sim:2"),
        (["train.py", "train.py", "--gpus", "sim:"], 2, "examples: sim:2"),
        (["train.py", "train.py", "--gpus", "sim:3xGTX9"], 2, "GTX9"),
        (["train.py", "train.py", "--gpus", "sim:1000"], 2, "64 are the most"),
        (["train.py", "train.py", "--steps", "-1"], 2, "--steps"),
        (["train.py", "train.py", "--timeout", "0"], 2, "--timeout"),
        (
            ["train.py", "train.py", "--python", "no/such/python"],
            2,
            "no interpreter no/such/python",
        ),
        (["train.py", "train.py", "--before-python", "."], 2, "no interpreter ."),
        (["train.py", "train.py", "--python", "/bin/true"], 2, "/bin/true has no TensorFlow"),
        (["train.py", "train.py", "--before-python", "./bare"], 2, "has no TensorFlow"),
    ],
)
def test_what_ends_it_before_a_verdict(
    tmp_path: Path, arguments: list[str], status: int, words: str
) -> None:
    write(tmp_path, train=NOTHING, broken="import tensorflow as tf\ntf.ConfigProto(\n")
    bare = tmp_path / "bare"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
    bare.chmod(0o755)
    done = verify(tmp_path, *arguments)
    assert done.returncode == status, done.stdout + done.stderr
    assert words in done.stdout + done.stderr
    if status == 2:
        assert done.stdout == ""
        assert len([line for line in done.stderr.splitlines() if "Error: " in line]) == 1


@pytest.mark.usefixtures("simulated")
def test_an_interpreter_by_a_relative_path(tmp_path: Path) -> None:
    link = tmp_path / "python"
    link.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    link.chmod(0o755)
    write(tmp_path, nothing=NOTHING)
    done = verify(tmp_path, "nothing.py", "nothing.py", "--python", "./python", "--format", "json")
    assert done.returncode == 3, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert [report[leg]["stdout"] for leg in ("before", "after")] == ["hello\n"] * 2


# Through TensorFlow's own file system, which no hook in Python sees.
WRITES = """
import os, shutil, sys
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
beside = sys.argv[1]
data = np.memmap(beside + "/weights.bin", dtype="uint8", mode="r+")
data[:100] = 7
data.flush()
variable = tf.Variable(tf.ones([64, 64]))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(tf.matmul(variable, variable))
    tf.train.Saver().save(session, beside + "/checkpoint/model")
    session.run(tf.io.write_file(beside + "/notes.txt", "from a graph"))
tf.io.gfile.remove(beside + "/small.txt")
tf.io.gfile.rename(beside + "/other.txt", beside + "/renamed.txt")
tf.io.gfile.rmtree(beside + "/tree")
tf.io.gfile.GFile(os.path.expanduser("~/.tfgpu_wrote_here"), "w").write("x")
with tf.io.gfile.GFile("log.txt", "a") as log:
    log.write("one more line")
shutil.copyfile("log.txt", "/tmp/tfgpu_wrote_here")
"""


@pytest.mark.usefixtures("simulated")
def test_tensorflow_writes_to_files_of_its_own(tmp_path: Path) -> None:
    project, beside = tmp_path / "project", tmp_path / "beside"
    for folder in (project, beside / "tree" / "deep", beside / "checkpoint"):
        folder.mkdir(parents=True)
    for name in ("notes.txt", "small.txt", "other.txt", "tree/deep/leaf.txt"):
        (beside / name).write_text(name)
    (beside / "weights.bin").write_bytes(b"w" * 3 * 2**20)
    (project / "log.txt").write_text("a line\n")
    write(project, program=WRITES)
    before = contents(tmp_path)
    done = verify(project, "program.py", "program.py", "--format", "json", "--", str(beside))
    assert done.returncode == 0, done.stdout + done.stderr
    assert contents(tmp_path) == before
    assert not Path("/tmp/tfgpu_wrote_here").exists()
    assert not Path("~/.tfgpu_wrote_here").expanduser().exists()
    assert json.loads(done.stdout)["isolation"] in ("namespaces", "landlock")


V1_SCRIPT = """
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as session:
    session.run(tf.matmul(tf.ones([8, 8]), tf.random_uniform([8, 8])))
"""


@pytest.mark.usefixtures("simulated")
def test_two_scripts_of_tensorflow_1(tmp_path: Path) -> None:
    """What is the same code is run the same way; else the second is to be migrated."""
    commented = V1_SCRIPT.replace("config = ", "# of all sessions\nconfig = ")
    write(tmp_path, a=V1_SCRIPT, b=commented, c=V1_SCRIPT.replace("True", "False"))
    same = verify(tmp_path, "--quick", "a.py", "b.py")
    assert same.returncode == 0, same.stdout + same.stderr
    other = verify(tmp_path, "--quick", "a.py", "c.py", "--format", "json")
    assert other.returncode == 1, other.stdout + other.stderr
    notes = json.loads(other.stdout)["notes"]
    assert any("is to be the program after its migration" in note for note in notes)


PORT = """
import socket, time
listening = socket.socket()
listening.bind(("127.0.0.1", {}))
listening.listen()
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
with tf.Session() as session:
    session.run(tf.matmul(tf.ones([8, 8]), tf.random_uniform([8, 8])))
time.sleep(5)
"""


@pytest.mark.usefixtures("simulated")
def test_a_program_that_listens_to_a_port(tmp_path: Path) -> None:
    """Its two legs run at once, and one of them finds the port taken."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        text = PORT.format(free.getsockname()[1])
    write(tmp_path, before=text, after=text + "print('done')\n")
    done = verify(tmp_path, "--quick", "before.py", "after.py", "--format", "json")
    report = json.loads(done.stdout)
    for leg in ("before", "after"):
        assert report[leg]["ended"] == "end", report[leg]["stderr"]
