"""`tfgpu migrate --report`: what is done, what blocks the rest, and what is to be done by hand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.test_migrate import TWO_ON_ASSUMPTIONS
from tests.cli.tools import CLEAN, GROWTH, GROWTH_AFTER, KEPT, tfgpu, write

CONTRIB = """\
import tensorflow as tf

def build():
    return tf.contrib.rnn.BasicLSTMCell(3)
"""
MAIN = """\
import model
import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def report(*arguments: str) -> str:
    result = tfgpu("migrate", "--report", "MIGRATION.md", *arguments)
    assert result.exit_code == 0, result.stderr
    return Path("MIGRATION.md").read_text(encoding="utf-8")


def test_what_would_be_done_and_what_was(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", GROWTH)
    text = report(".")
    assert "## Would be done\n\n1 of 1 config in 1 changed file." in text
    assert "tfgpu migrate --write" in text
    assert path.read_text() == GROWTH
    text = report("--write", "--force", ".")
    assert "## Done\n\n1 of 1 config in 1 changed file." in text
    assert path.read_text() == GROWTH_AFTER


def test_what_blocks_says_how_many_configs_and_that_they_work(tmp_path: Path) -> None:
    write(tmp_path / "a.py", KEPT)
    write(tmp_path / "b.py", KEPT)
    text = report(".")
    assert "| 2 | TFG521 graph-options-v1-only: " in text
    assert "They work on TensorFlow 2 as `tf.compat.v1.ConfigProto`." in text


def test_names_with_their_answers_and_the_programs_that_they_stop(tmp_path: Path) -> None:
    write(tmp_path / "main.py", MAIN)
    write(tmp_path / "model.py", CONTRIB)
    write(tmp_path / "other.py", GROWTH)
    write(
        tmp_path / "kept.py", KEPT.replace(".compat.v1", "").replace("tf.disable_v2_behavior()", "")
    )
    write(tmp_path / "clean.py", CLEAN)
    text = report(".")
    row = "| tf.contrib.rnn.BasicLSTMCell | 1 | <code>./model.py:4</code> | "
    assert f"{row}tf.compat.v1.nn.rnn&#95;cell.BasicLSTMCell with tf-keras" in text
    programs = text.partition("## Programs")[2].partition("## Next")[0]
    assert "| <code>./main.py</code> | no: tf.contrib.rnn.BasicLSTMCell |" in programs
    assert "| <code>./other.py</code> | with the change, as far as is known here |" in programs
    assert "| <code>./kept.py</code> | with --imports, as far as is known here |" in programs
    assert "clean.py" not in programs


def test_a_file_with_several_uses_of_a_name_is_one_file(tmp_path: Path) -> None:
    run = "tf.estimator.RunConfig(session_config=tf.ConfigProto())"
    write(tmp_path / "one.py", f"import tensorflow as tf\na = {run}\nb = {run}\n")
    write(tmp_path / "two.py", f"import tensorflow as tf\na = {run}\n")
    assert "| tf.estimator | 2 | <code>./one.py:2</code> |" in report(".")


def test_it_needs_files(tmp_path: Path) -> None:
    write(tmp_path / "a.py", GROWTH)
    assert tfgpu("migrate", "--check", "--report", "x.md", "a.py").exit_code == 2
    assert not (tmp_path / "x.md").exists()


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    """Markdown decodes no escapes between backticks."""
    write(tmp_path / "a_b.py", GROWTH)
    assert "- <code>./a&#95;b.py</code>" in report(".")


def commands(text: str) -> list[str]:
    """Return the commands of a report."""
    return re.findall(r"^```sh\n(.*)\n```$", text, re.M)


def test_the_next_commands_can_be_copied(tmp_path: Path) -> None:
    names = [f"file {number}.py" for number in range(12)]
    for name in names:
        write(tmp_path / name, GROWTH)
    (make,) = commands(report(*names))
    assert tfgpu(*shlex.split(make)[1:], "--force").exit_code == 0
    assert {(tmp_path / name).read_text() for name in names} == {GROWTH_AFTER}


def test_commands_name_a_script_that_starts(tmp_path: Path) -> None:
    write(tmp_path / "a.py", CONTRIB)
    write(tmp_path / "the main.py", MAIN.replace("import model\n", ""))
    make, *_ = commands(report("--write", "--force"))
    assert make == "tfgpu verify './the main.py' --from-ref HEAD"


def test_what_would_convert_on_assumptions_is_checked_with_a_script(tmp_path: Path) -> None:
    write(tmp_path / "train.py", TWO_ON_ASSUMPTIONS)
    check, trust = commands(report())
    assert check == "tfgpu migrate --verify --program ./train.py"
    assert trust == "tfgpu migrate --unsafe-fixes"
    assert tfgpu(*shlex.split(trust)[1:]).exit_code == 0
