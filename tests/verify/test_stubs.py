"""`--stub`: a program runs without a module that is not installed, and the verdict says so."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.verify.server import Server, describe, libraries_or_skip
from tests.verify.test_command import verify
from tests.verify.test_real_programs import HELPER, project
from tfgpu.verify.compare import compare
from tfgpu.verify.recorder.stubs import Stub, stand_in
from tfgpu.verify.verdict import Outcome, Verdict

GROWING = """
import absent.settings
import tensorflow.compat.v1 as tf
from absent.layers import dense
tf.disable_v2_behavior()
config = tf.ConfigProto()
config.gpu_options.{field}
session = tf.Session(config=config)
with tf.device("/gpu:0"):
    result = tf.matmul(tf.ones([8, 8]), tf.ones([8, 8]))
dense(result, units=3)
session.run(result)
"""


class _Observer:
    """What a stand-in tells of where it is used."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.stream = self

    def write(self, kind: str, **data: Any) -> None:
        self.told.append(kind)

    def place(self) -> str:
        return f"a.py:{len(self.told)}"


@pytest.fixture
def observer() -> Iterator[_Observer]:
    """Stands in for the module `absent` while a test runs."""
    found, finders = _Observer(), sys.meta_path[:]
    stand_in(["absent"], found)
    yield found
    sys.meta_path[:] = finders
    for name in [name for name in sys.modules if name.split(".")[0] == "absent"]:
        del sys.modules[name]


def test_what_works(observer: _Observer) -> None:
    module: Any = importlib.import_module("absent.inner.deep")
    thing = importlib.import_module("absent").thing

    def one() -> int:
        return 1

    def wrapped(self: object) -> int:
        return 3

    Own: Any = types.new_class("Own", thing.Base.__mro_entries__(()))
    Own.value = thing.wrap(option=2)(wrapped)
    assert thing.wrap(one) is one
    exec("class Both(thing.Base, thing.Other):\n    pass\nBoth(1, a=2)", {"thing": thing})
    assert thing.wrap(option=2)(Own) is Own
    assert Own("a", b=2).value() == 3
    assert isinstance(Own().attribute, Stub)
    first, second = module.pair()
    assert isinstance(first + 2 * second, Stub)
    assert not isinstance(3, thing.Base)
    made: list[Any] = [np.squeeze(first), np.concatenate([np.ones(2), first]), np.ones(2) * first]
    assert all(isinstance(each, Stub) for each in made)
    with module.opened(first) as file:
        assert len(list(file)) == 1
    assert [int(first), float(first), str(module.name)] == [1, 1.0, "absent.inner.deep.name"]
    assert "stub value" in observer.told


def test_a_module_that_is_there_is_left_alone(observer: _Observer) -> None:
    with pytest.raises(ImportError):
        __import__("absent_too")


def verdict(server: Server, before: str, after: str) -> Verdict:
    first, second = (server.leg(one, "sim:2", False, stubs=["absent"]) for one in (before, after))
    return Verdict("sim:2", True, first, second, compare(first, second, simulated=True))


def test_it_tells_what_was_stood_in_for(server: Server) -> None:
    text = GROWING.format(field="allow_growth = True")
    found = verdict(server, text, text)
    assert found.outcome is Outcome.MATCH, describe(found)
    assert found.before.stubs == ["absent", "absent.layers", "absent.settings"]


def test_what_is_fed_has_the_shape_that_is_declared(server: Server) -> None:
    text = GROWING.format(field="allow_growth = True").replace(
        "tf.matmul(tf.ones([8, 8])", "tf.matmul(tf.placeholder(tf.float32, [None, 8], 'data')"
    )
    text = text.replace("session.run(result)", "session.run(result, {'data:0': dense.rows()})")
    found = verdict(server, text, text)
    assert found.outcome is Outcome.MATCH, describe(found)
    assert found.before.synthetic == ["data:0: float32[1, 8]"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("allow_growth = True", "allow_growth = False"),
        ("allow_growth = bool(absent.settings.growth)", "allow_growth = False"),
        (
            "per_process_gpu_memory_fraction = absent.settings.fraction() / 2",
            "allow_growth = False",
        ),
        ("visible_device_list = str(int(absent.settings.rank()))", "visible_device_list = ''"),
        ("visible_device_list = str(absent.settings.rank())", "visible_device_list = ''"),
    ],
)
def test_a_wrong_migration_is_no_match(server: Server, right: str, wrong: str) -> None:
    found = verdict(server, GROWING.format(field=right), GROWING.format(field=wrong))
    assert found.outcome in (Outcome.MISMATCH, Outcome.INCONCLUSIVE), describe(found)


def test_a_value_in_what_was_changed(server: Server) -> None:
    text = GROWING.format(field="allow_growth = bool(absent.settings.growth)")
    leg = server.leg(text, "sim:2", False, stubs=["absent"], lines=[7])
    assert list(leg.trouble) == ["program.py:7: a stand-in gives a value to what was changed"]


def test_the_first_line_says_so(tmp_path: Path) -> None:
    libraries_or_skip()
    text = "import librosa\n" + HELPER + "session = make_session()\nsession.run(librosa.read())\n"
    project(tmp_path, train=text)
    done = verify(tmp_path, "train.py")
    assert done.returncode == 3
    last = done.stdout.splitlines()[-1]
    assert last == "add: --until session --synthetic-data --stub librosa"
    done = verify(tmp_path, *last.split()[1:], "train.py")
    assert done.returncode == 0, done.stdout + done.stderr
    start = "match: until the first session: with stand-ins for librosa: train.py before and after"
    assert done.stdout.startswith(start)
