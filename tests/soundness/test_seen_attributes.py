"""What sees that a variable or attribute with a config goes, or replaces it, by decisions alone."""

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
        ("", "object", "", "print(len(pickle.dumps([1, (t, 2)])))"),
        ("import dill", "object", "", "dill.dump({'t': t}, open('t', 'wb'))"),
        ("import jsonpickle", "object", "", "print(jsonpickle.encode(t))"),
        ("", "object", "", "match t:\n    case T(config=c): print(c)"),
        ("", "object", "    __match_args__ = ('config',)\n", "match t:\n    case T(c): print(c)"),
        ("", "object", "", "setattr(t, 'config', None)"),
        (
            "",
            "object",
            "    def set(self, **all): self.__dict__.update(all)\n",
            "t.set(config=None)",
        ),
        ("", "object", "    def drop(self): vars(self)['config'] = None\n", "t.drop()"),
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
        "setattr(t, 'name', 'b')",
        "t.__dict__.update(name='b')",
        "t.__dict__['name'] = 'b'",
    ],
)
def test_what_is_about_others_keeps_nothing(tmp_path: Path, below: str) -> None:
    text = migrated(tmp_path, main=PROGRAM.format("", "object", "", below))
    assert "ConfigProto(" not in text


MODULE = """\
import gc, inspect, os, sys
import tensorflow as tf
{}
config: tf.ConfigProto = tf.ConfigProto(allow_soft_placement=True)
{}
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
{}
"""
INIT = "first = {0}.__init__\n{0}.__init__ = lambda *a, **k: (print(k), first(*a, **k))[1]"
FUNCTION = "def f():\n    return [1]"


@pytest.mark.parametrize(
    ("above", "between", "below", "code"),
    [
        ("", "globals()['config'] = None", "", "TFG904"),
        ("", "globals().update(config=None)", "", "TFG904"),
        ("given = {}", "globals().update(given)", "", "TFG904"),
        ("given = {}", "globals().update(**given)", "", "TFG904"),
        ("", "globals().__setitem__('config', None)", "", "TFG904"),
        ("import __main__", "__main__.config = None", "", "TFG904"),
        ("import __main__", "", "print(__main__.config.allow_soft_placement)", "TFG904"),
        ("import __main__", "vars(__main__).update(config=None)", "", "TFG904"),
        ("import __main__", "setattr(__main__, 'config', None)", "", "TFG904"),
        ("", "", "from __main__ import config as again\nprint(again)", "TFG924"),
        ("", "sys.modules['__main__'].config = None", "", "TFG904"),
        ("this = sys.modules[__name__]", "setattr(this, 'config', None)", "", "TFG904"),
        ("this = sys.modules[__name__]", "", "print(this.config)", "TFG904"),
        (FUNCTION, "for item in list(f.__globals__.values()): print(item)", "", "TFG904"),
        (FUNCTION, "", "print(gc.get_objects())", "TFG904"),
        (FUNCTION, "", "print(inspect.getclosurevars(f))", "TFG904"),
        ("sys.setprofile(print)", "", "", "TFG904"),
        ("", "", "print(__annotations__)", "TFG904"),
        ("", "", "print(sess._config)", "TFG904"),
        ("", "", "print(getattr(sess, '_config'))", "TFG904"),
        ("", "", "print(vars(sess))", "TFG904"),
        ("def show(given): print(given._config)", "", "show(sess)", "TFG904"),
        (INIT.format("tf.Session"), "", "", "TFG962"),
        ("S = tf.Session\n" + INIT.format("S"), "", "", "TFG962"),
        (
            "from tensorflow.python.client import session\n" + INIT.format("session.BaseSession"),
            "", "", "TFG962",
        ),
        ("import mock\nmock.patch('tensorflow.Session.__init__').start()", "", "", "TFG962"),
        ("import mock\nmock.patch.object(tf.Session, '__init__').start()", "", "", "TFG962"),
    ],
)  # fmt: skip
def test_variable_stays(tmp_path: Path, above: str, between: str, below: str, code: str) -> None:
    (tmp_path / "main.py").write_text(MODULE.format(above, between, below))
    run = CliRunner().invoke(main, ["audit", "--jobs", "1", str(tmp_path)])
    assert code in run.output, run.output


@pytest.mark.parametrize(
    ("above", "below"),
    [
        (FUNCTION, "print(f.__globals__['sess'], f()[0].__doc__)"),
        ("import __main__", "print(__main__.sess)"),
        ("", "globals().update(name=1)"),
        ("", "globals().update({'name': 1})"),
        ("class A:\n    def __init__(self): self._config = 1", "print(A()._config)"),
        ("", "print(getattr(sess, 'graph'))"),
        ("run = tf.Session.run\ntf.Session.run = lambda *a, **k: run(*a, **k)", ""),
    ],
)
def test_what_sees_others_keeps_nothing(tmp_path: Path, above: str, below: str) -> None:
    assert "ConfigProto(" not in migrated(tmp_path, main=MODULE.format(above, "", below))


def test_what_an_example_of_a_docstring_names_stays(tmp_path: Path) -> None:
    example = '"""Text.\n\n>>> {}\n1\n"""\n'
    for index, text in enumerate(("config.allow_soft_placement", "print(config)")):
        folder = tmp_path / str(index)
        folder.mkdir()
        main_text = example.format(text) + MODULE.format("", "", "")
        assert "ConfigProto(" in migrated(folder, main=main_text)
    make = "def make():\n    return tf.ConfigProto(allow_soft_placement=True)\n"
    body = f"import tensorflow as tf\n{make}sess = tf.Session(config=make())\n"
    head = '"""Text.\n\n>>> make().allow_soft_placement\nTrue\n"""\n'
    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()
    assert "ConfigProto(" in migrated(tmp_path / "with", main=head + body)
    assert "ConfigProto(" not in migrated(tmp_path / "without", main=body)


@pytest.mark.parametrize(
    ("above", "base", "inside", "below"),
    [
        ("import types", "types.SimpleNamespace", "", "print(t)"),
        ("import typing", "typing.NamedTuple", "", ""),
        ("", "object", "    __slots__ = ('name',)", ""),
        ("FORM = '{0.config}'", "object", "", "print(FORM.format(t))"),
        ("FORMS = ['{0.config}']", "object", "", "print(FORMS[0].format(t))"),
        ("F = []\nF.append('{0.config}')", "object", "", "print(F[0].format(t))"),
    ],
)
def test_what_reads_it_elsewhere_is_no_assumption(
    tmp_path: Path, above: str, base: str, inside: str, below: str
) -> None:
    """A run that does not come to a text, or the header of a class, again shows nothing."""
    (tmp_path / "main.py").write_text(PROGRAM.format(above, base, inside, below))
    run = CliRunner().invoke(main, ["migrate", "--unsafe-fixes", "--jobs", "1", str(tmp_path)])
    assert "TFG904 config-read [by hand]" in run.output, run.output
