"""Values that may be None: ConfigProto refuses them, and some functions of tf.config do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.soundness.test_windows import migrated
from tfgpu.cli import main

PROGRAM = """\
import argparse, os, sys
import tensorflow as tf
{}
config = tf.ConfigProto()
{}
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
"""
FIELD = "config.gpu_options.allow_growth = {}"
PARSER = "parser = argparse.ArgumentParser()\nparser.add_argument('--on', {})\n"
ARGUMENTS = f"{PARSER}args = parser.parse_args()"
SET_DEFAULTS = "parser.set_defaults(on=None)\nargs = parser.parse_args()"
INSTANCE = "class C:\n    def __init__(self, on=None):\n        self.on = on\nc = C(*sys.argv[1:])"
FLAG = "tf.flags.DEFINE_boolean('on', {}, '')\ntf.flags.FLAGS(sys.argv)"


@pytest.mark.parametrize(
    ("above", "value"),
    [
        ("on = {'1': True}.get(sys.argv[-1])", "on"),
        ("on = None\nif sys.argv[1:]:\n    on = True", "on"),
        ("", "True if sys.argv[1:] else None"),
        ("", "{'a': True}.get(sys.argv[-1])"),
        ("", "next(iter([]), None)"),
        ("", "getattr(os, 'on', None)"),
        ("", "(lambda: None if sys.argv[1:] else True)()"),
        ("def on():\n    if sys.argv[1:]:\n        return True\n    return", "on()"),
        (ARGUMENTS.format("type=bool"), "args.on"),
        (ARGUMENTS.format("type=bool, default=None"), "args.on"),
        (ARGUMENTS.format("action='store_const', const=True"), "args.on"),
        (FLAG.format("None"), "tf.flags.FLAGS.on"),
        (FLAG.replace("{}, ''", "default=None, help=''"), "tf.flags.FLAGS.on"),
        ("class C:\n    on = None\nif sys.argv[1:]:\n    C.on = True", "C.on"),
        (INSTANCE, "c.on"),
        ("def on():\n    if sys.argv[1:]:\n        return True", "on()"),
        ("class C:\n    @property\n    def on(self):\n        return None", "C().on"),
        ("on, off = (True, 1) if sys.argv[1:] else (None, 2)", "on"),
        ("given = {}", "given.pop('on', None)"),
        ("given = {'on': None}\nif sys.argv[1:]:\n    given['on'] = True", "given['on']"),
        (ARGUMENTS.format("default=1, type=int") + "\nargs.on = None", "args.on"),
        (PARSER.format("type=int") + "args = vars(parser.parse_args())", "args['on']"),
        (PARSER.format("default=1, type=int") + SET_DEFAULTS, "args.on"),
    ],
)
def test_what_may_be_none_keeps_a_config(tmp_path: Path, above: str, value: str) -> None:
    (tmp_path / "main.py").write_text(PROGRAM.format(above, FIELD.format(value)))
    run = CliRunner().invoke(main, ["audit", "--jobs", "1", str(tmp_path)])
    assert "may be None, which is no value for ConfigProto" in run.output, run.output


@pytest.mark.parametrize(
    ("above", "setting"),
    [
        ("on = {'1': True}.get(sys.argv[-1])", "if on is not None:\n    " + FIELD.format("on")),
        ("on = {'1': True}.get(sys.argv[-1])", FIELD.format("on if on else False")),
        (ARGUMENTS.format("type=bool"), "if args.on:\n    " + FIELD.format("args.on")),
        (ARGUMENTS.format("type=bool, default=False"), FIELD.format("args.on")),
        (ARGUMENTS.format("action='store_true'"), FIELD.format("args.on")),
        (ARGUMENTS.format("type=bool, required=True"), FIELD.format("args.on")),
        (FLAG.format("True"), FIELD.format("tf.flags.FLAGS.on")),
        ("def make(on=None):\n    return bool(on)", FIELD.format("make()")),
        ("on = None\non = bool(sys.argv[1:])", FIELD.format("on")),
        ("def make(on=None):\n    on = on or False\n    return on", FIELD.format("make()")),
        (
            "def make(on=None):\n    if on is None:\n        on = True\n    return on",
            FIELD.format("make()"),
        ),
    ],
)
def test_what_is_never_none_converts(tmp_path: Path, above: str, setting: str) -> None:
    assert "ConfigProto(" not in migrated(tmp_path, main=PROGRAM.format(above, setting))
