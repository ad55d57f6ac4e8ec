"""What a report tells to add where a program could not be run: all of it at once."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.verify.test_real_programs import project
from tfgpu.options import Options
from tfgpu.verify.gpus import Machine
from tfgpu.verify.observation import Failure, Observation
from tfgpu.verify.programs import Prepared, migration
from tfgpu.verify.remedies import what_to_add
from tfgpu.verify.verification import Settings

NOTHING = Settings(Machine((), ()), sys.executable, sys.executable)
ALL = replace(NOTHING, until=True, synthetic=True)
PROGRAM = """
import cv9
import tensorflow as tf
from data import read
from own.compiled import nms
try:
    import optional9
except ImportError:
    pass
tf.Session(config=tf.ConfigProto(allow_soft_placement=True)).run(read())
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prepared:
    """A program with a package of its own of which a module is missing."""
    project(tmp_path, train=PROGRAM, data="import scipy9.misc\nread = int\n", own__there="")
    monkeypatch.chdir(tmp_path)
    return migration(tmp_path / "train.py", Options())[0]


def stopped(kind: str, message: str, **more: object) -> Observation:
    """Return what a leg shows that an exception ended."""
    modules = more.pop("modules", ())
    failure = Failure(kind, message, "train.py:2", "", from_tensorflow=False, modules=modules)  # type: ignore[arg-type]
    leg = Observation("train.py", "2.0", "3.11", False, "exception", status=1, failure=failure)
    return replace(leg, **more)  # type: ignore[arg-type]


def added(program: Prepared, leg: Observation, tried: Settings = NOTHING) -> str:
    side = program, leg, sys.executable
    return what_to_add(side, side, tried)


NO_MODULE = stopped("ModuleNotFoundError", "No module named 'cv9'")


def test_all_modules_at_once(program: Prepared) -> None:
    assert set(added(program, NO_MODULE).split(" --")) == {
        "--until session", "synthetic-data", "stub cv9", "stub own.compiled", "stub scipy9",
    }  # fmt: skip


def test_what_was_given_is_not_told_again(program: Prepared) -> None:
    tried = replace(ALL, stubs=["own.compiled", "scipy9"])
    assert added(program, NO_MODULE, tried) == "--stub cv9"


@pytest.mark.parametrize(
    ("stderr", "arguments"),
    [
        ("error: the following arguments are required: --model_path, -d/--dump, rooms",
         "--args '--model_path MODEL_PATH --dump DUMP ROOMS'"),
        ("usage: train.py [-h]\n", "--args 'ARGUMENTS'"),
    ],
)  # fmt: skip
def test_arguments(program: Prepared, stderr: str, arguments: str) -> None:
    leg = Observation("train.py", "2.0", "3.11", False, "exit", status=2, stderr=stderr)
    assert added(program, leg, ALL) == arguments


def test_a_module_of_its_own_that_reads_data(program: Prepared) -> None:
    leg = stopped("ValueError", "no data", modules=["__main__", "data"])
    assert added(program, leg, ALL) == "--stub data"
    assert added(program, replace(leg, reached=True), ALL) == ""


def test_names_that_only_tensorflow_1_has(program: Prepared) -> None:
    leg = replace(stopped("Gone", "tf.contrib"), ended="blocked")
    assert added(program, leg, ALL) == "--stub tensorflow.contrib"
    bridge = replace(program, bridge=True)
    assert added(bridge, leg, ALL) == "--python PYTHON_WITH_TENSORFLOW_1.15"


def test_a_program_that_ran(program: Prepared) -> None:
    assert added(program, Observation("train.py", "2.0", "3.11", False, "end")) == ""


def test_a_package_that_the_script_itself_stands_in(tmp_path: Path) -> None:
    """Its folder is searched, and not the one above, which has the package: no stand-in helps."""
    project(tmp_path, own__train="import own.there\n" + PROGRAM, own__there="")
    script = migration(tmp_path / "own" / "train.py", Options())[0]
    leg = stopped("ModuleNotFoundError", "No module named 'own'")
    assert added(script, leg) == f"PYTHONPATH={tmp_path} in front of the command"
