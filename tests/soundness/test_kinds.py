"""Values of a type that ConfigProto refuses: some functions of tf.config take them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.soundness.test_none import ARGUMENTS, FIELD, FLAG, PROGRAM
from tests.soundness.test_windows import migrated
from tfgpu.cli import main

THREADS = "config.intra_op_parallelism_threads = {}"
FRACTION = "config.gpu_options.per_process_gpu_memory_fraction = {}"
COUNT = "config.device_count['GPU'] = {}"
STRING_FLAG = FLAG.replace("DEFINE_boolean('on', {}", "DEFINE_string('on', '1'")


@pytest.mark.parametrize(
    ("above", "setting"),
    [
        ("", FIELD.format("os.environ.get('ON', '1')")),
        ("", FIELD.format("os.environ['ON']")),
        ("", FIELD.format("os.environ.get('ON') or True")),
        ("", FIELD.format("sys.argv[-1].lower()")),
        ("", FIELD.format("'%d' % len(sys.argv)")),
        ("", FIELD.format("''.join(sys.argv)")),
        ("on = os.getenv('ON', 'yes')", FIELD.format("on")),
        ("def on():\n    return input()", FIELD.format("on()")),
        ("def make(on):\n    return on\non = make(sys.argv[1])", FIELD.format("on")),
        ("class C:\n    def __init__(self):\n        self.on = repr(1)", FIELD.format("C().on")),
        (ARGUMENTS.format("default=True"), FIELD.format("args.on")),
        (ARGUMENTS.format("default=0, type=str"), FIELD.format("args.on")),
        (STRING_FLAG, FIELD.format("tf.flags.FLAGS.on")),
        ("", THREADS.format("os.cpu_count() / 2")),
        ("", THREADS.format("float(len(sys.argv))")),
        ("", THREADS.format("0.5 * os.cpu_count()")),
        ("", FRACTION.format("os.environ.get('PART', 0.5)")),
        ("", THREADS.format("'--cpu' not in sys.argv")),
        ("", THREADS.format("not sys.argv[1:]")),
        ("on = len(sys.argv) > 2", COUNT.format("on")),
        ("class C:\n    on: bool = True", COUNT.format("C.on")),
        (ARGUMENTS.format("action='store_true'"), COUNT.format("args.on")),
        (FLAG.format("True"), COUNT.format("tf.flags.FLAGS.on")),
        ("", THREADS.format("len(sys.argv) > 1 and 2")),
    ],
)
def test_what_may_be_refused_keeps_a_config(tmp_path: Path, above: str, setting: str) -> None:
    (tmp_path / "main.py").write_text(PROGRAM.format(above, setting))
    run = CliRunner().invoke(main, ["audit", "--jobs", "1", str(tmp_path)])
    assert ", and ConfigProto takes a value of type" in run.output, run.output


@pytest.mark.parametrize(
    ("above", "setting"),
    [
        ("", FIELD.format("os.environ.get('ON') == '1'")),
        ("", FIELD.format("bool(os.environ.get('ON'))")),
        ("", THREADS.format("os.cpu_count() // 2")),
        ("", THREADS.format("int(os.environ.get('THREADS', 2))")),
        ("", THREADS.format("int(os.cpu_count() / 2)")),
        ("", COUNT.format("int('--cpu' not in sys.argv)")),
        ("", THREADS.format("len(sys.argv) > 1 and 1 or 2")),
        (ARGUMENTS.format("default=False, action='store_true'"), FIELD.format("args.on")),
        (ARGUMENTS.format("default=2, type=int"), THREADS.format("args.on")),
    ],
)
def test_what_is_taken_converts(tmp_path: Path, above: str, setting: str) -> None:
    assert "ConfigProto(" not in migrated(tmp_path, main=PROGRAM.format(above, setting))


LIST = "config.gpu_options.visible_device_list = {}"


@pytest.mark.parametrize(
    ("above", "text"),
    [
        ("", "str(True)"),
        ("on = True", "f'{on}'"),
        ("on = len(sys.argv) > 2", "'%s' % on"),
        ("", "'{}'.format(True if sys.argv else 0)"),
    ],
)
def test_the_text_of_a_bool_is_no_list_of_gpus(tmp_path: Path, above: str, text: str) -> None:
    program = PROGRAM.format(above, LIST.format(text))
    assert "ConfigProto(" in migrated(tmp_path, main=program)


@pytest.mark.parametrize("text", ["str(int(True))", "'%d' % True", "f'{True:d}'"])
def test_the_text_of_a_number_is_a_list_of_gpus(tmp_path: Path, text: str) -> None:
    program = PROGRAM.format("", LIST.format(text))
    assert "ConfigProto(" not in migrated(tmp_path, main=program)
