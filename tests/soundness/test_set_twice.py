"""A field that is set twice: the first value counts where the program leaves between the two."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from tests.differential.runner import SAME, Entry, Program, Runner
from tests.soundness.test_windows import migrated

BUILDER = """
import tensorflow as tf

def build(text="2"):
    c = tf.ConfigProto(intra_op_parallelism_threads=2)
{}
    return c

with tf.Session(config=build()) as session:
    print(session.run(tf.constant(1)))
"""
HELPER = """
import tensorflow as tf

def tune(c, text):
{}

config = tf.ConfigProto(intra_op_parallelism_threads=2)
try:
    tune(config, "no number")
except (ValueError, AssertionError):
    pass
with tf.Session(config=config) as session:
    with tf.device("/gpu:7"):
        print(session.run(tf.constant(1.0)))
"""
ON, OFF = "c.allow_soft_placement = True", "c.allow_soft_placement = False"
ONE, TWO = (f"c.gpu_options.visible_device_list = '{gpus}'" for gpus in ("0", "0,1"))


def compared(runner: Runner, text: str, body: str) -> None:
    program = text.format(indent(dedent(body).strip(), "    "))
    report = runner.compare(Program({"main.py": program}, [Entry("main.py")]))
    assert report.outcome == SAME, report


LEAVES = [
    "if text: return c",
    "if not text: pass\nelif text == '2': return c",
    "for _ in text: return c",
    "for _ in text:\n    if text: return c",
]


@pytest.mark.parametrize("leaves", LEAVES)
def test_builders_that_return_early(runner: Runner, leaves: str) -> None:
    compared(runner, BUILDER, f"{ON}\n{leaves}\n{OFF}")


@pytest.mark.parametrize("leaves", LEAVES)
def test_lists_of_gpus_that_count_on_some_ways_keep_a_config(tmp_path: Path, leaves: str) -> None:
    body = indent(f"{ONE}\n{leaves}\n{TWO}", "    ")
    assert "ConfigProto(" in migrated(tmp_path, main=BUILDER.format(body))


@pytest.mark.parametrize(
    "fails",
    [
        "int(text)",
        "assert not text",
        "if text: raise ValueError",
        f"{ON}\nnumber = int(text)",
    ],
)
def test_helpers_that_fail(runner: Runner, fails: str) -> None:
    compared(runner, HELPER, f"{ON}\n{fails}\n{OFF}")


def test_a_value_that_fails(runner: Runner) -> None:
    compared(runner, HELPER, f"{ON}\nc.allow_soft_placement = bool(int(text))")


@pytest.mark.parametrize(
    "dead",
    [
        f"{ON}\nreturn c\n{OFF}",
        f"return c\n{ONE}",
        f"if text: return c\nelse: return c\n{ONE}",
        f"while True: return c\n{ONE}",
        f"with tf.name_scope('a'): return c\n{ONE}",
        f"for _ in text:\n    break\n    {ONE}",
        f"if text:\n    return c\n    {ONE}",
    ],
)
def test_settings_behind_a_return_are_none(tmp_path: Path, dead: str) -> None:
    program = BUILDER.format(indent(dead, "    "))
    assert "ConfigProto(" in migrated(tmp_path, main=program)


@pytest.mark.parametrize(
    "body",
    [f"{ON}\n{OFF}", f"{ON}\nc.gpu_options.allow_growth = True\n{OFF}", f"{ON}\nx = 1\n{OFF}"],
)
def test_what_certainly_takes_the_place_of_another_is_all_that_stays(
    tmp_path: Path, body: str
) -> None:
    text = migrated(tmp_path, main=BUILDER.format(indent(body, "    ")))
    assert "set_soft_device_placement(False)" in text
    assert "set_soft_device_placement(True)" not in text
