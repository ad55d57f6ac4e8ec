"""What sees that an attribute with a config goes, in many spellings: by decisions alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.soundness.test_windows import migrated
from tfgpu.cli import main

PROGRAM = """\
import pickle
import tensorflow as tf
{}
class T({}):
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)
        self.name = "a"
{}
    def run(self):
        with tf.Session(config=self.config) as sess:
            return sess.run(tf.constant(1))
t = T()
t.run()
{}
"""
SET = "    def __setattr__(self, k, v):\n        print(k)\n        object.__setattr__(self, k, v)\n"


@pytest.mark.parametrize(
    ("above", "base", "inside", "below"),
    [
        ("", "object", SET, ""),
        (f"class B:\n{SET}", "B", "", ""),
        ("class B:\n    __slots__ = ('name',)", "B", "    __slots__ = ('name',)", ""),
        ("", "object", "    def __getattribute__(self, k):\n        return print(k)\n", ""),
        ("", "object", "", "class S(T):\n" + SET),
        ("", "object", "", "print(len(pickle.dumps(t)))"),
        ("", "object", "", "match t:\n    case T(config=c): print(c)"),
        ("", "object", "", "print('{0.config.allow_soft_placement}'.format(t))"),
        ("", "object", "    def show(self): return '{self.config}'.format(self=self)", ""),
    ],
)
def test_config_stays(tmp_path: Path, above: str, base: str, inside: str, below: str) -> None:
    (tmp_path / "main.py").write_text(PROGRAM.format(above, base, inside, below))
    run = CliRunner().invoke(main, ["audit", "--jobs", "1", str(tmp_path)])
    assert "TFG904" in run.output, run.output


@pytest.mark.parametrize(
    "below",
    [
        "match t:\n    case T(name=c): print(c)",
        "print('{0.name}'.format(t))",
        "print(len(pickle.dumps([1])))",
        "class S:\n" + SET,
    ],
)
def test_what_is_about_others_keeps_nothing(tmp_path: Path, below: str) -> None:
    text = migrated(tmp_path, main=PROGRAM.format("", "object", "", below))
    assert "ConfigProto(" not in text
