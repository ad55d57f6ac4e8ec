"""Configs that are handed over in a way that no TensorFlow takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tfgpu.cli import main

HEAD = "import tensorflow as tf\nconfig = tf.ConfigProto(allow_soft_placement=True)\n"
OPTIONS = "options = tf.GPUOptions(allow_growth=True)\n"


def audited(tmp_path: Path, text: str) -> str:
    (tmp_path / "main.py").write_text(text)
    return CliRunner().invoke(main, ["audit", "--jobs", "1", str(tmp_path)]).output


@pytest.mark.parametrize(
    ("text", "way"),
    [
        (f"{HEAD}sess = tf.Session(config)\n", "`config=` in front of it"),
        (f"{HEAD}sess = tf.InteractiveSession(config)\n", "`config=` in front of it"),
        (f"{HEAD}{OPTIONS}sess = tf.Session(config=options)\n", "tf.ConfigProto(gpu_options=...)"),
        (f"{HEAD}{OPTIONS}config = tf.ConfigProto(options)\n", "`gpu_options=` in front of it"),
        (f"{HEAD}{OPTIONS}config.gpu_options = options\n", "`config.gpu_options.CopyFrom(...)`"),
    ],
)
def test_what_is_refused_is_an_error_with_its_way_out(tmp_path: Path, text: str, way: str) -> None:
    output = audited(tmp_path, text)
    assert "TFG970 refused" in output and way in output, output


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}sess = tf.Session('', None, config)\n",
        f"{HEAD}sess = tf.Session(*[], config=config)\n",
        "import tensorflow as tf\nclass Model:\n    def __init__(self):\n"
        "        self.gpu_options = tf.GPUOptions(allow_growth=True)\n"
        "        config = tf.ConfigProto(gpu_options=self.gpu_options)\n"
        "        self.sess = tf.Session(config=config)\n",
        f"{HEAD}given = []\nother = tf.ConfigProto(*given)\nsess = tf.Session(config=other)\n",
    ],
)
def test_what_is_taken_is_none(tmp_path: Path, text: str) -> None:
    assert "TFG970" not in audited(tmp_path, text)


def test_a_refused_config_works_nowhere(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(f"{HEAD}sess = tf.Session(config)\n")
    output = CliRunner().invoke(main, ["migrate", "--jobs", "1", str(tmp_path)]).output
    assert "works on TensorFlow 2" not in output
    assert "TensorFlow refuses what the program does with it, in every version" in output
