"""What a variable that is set too late is not said to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tfgpu.cli import main

HEAD = "import os\nimport tensorflow as tf\nconfig = tf.ConfigProto()\n"
LISTED = 'config.gpu_options.visible_device_list = "0,1"\n'
SESSION = "sess = tf.Session(config=config)\n"
WRITE = 'os.environ["CUDA_VISIBLE_DEVICES"] = "{}"\n'
DEVICE = 'with tf.device("/gpu:0"):\n    a = tf.constant(1)\n'


def codes(tmp_path: Path, text: str) -> set[str]:
    (tmp_path / "main.py").write_text(text)
    output = CliRunner().invoke(main, ["audit", "--jobs", "1", "-v", str(tmp_path)]).output
    return {word for word in output.split() if word in ("TFE001", "TFE055", "TFE056", "TFG209")}


@pytest.mark.parametrize(
    "text",
    [
        HEAD + SESSION + WRITE.format("") + DEVICE,
        HEAD + LISTED + SESSION + WRITE.format("1"),
        HEAD + SESSION + "def later():\n    " + WRITE.format("1"),
    ],
)
def test_what_is_set_too_late_does_nothing_else(tmp_path: Path, text: str) -> None:
    assert codes(tmp_path, text) == {"TFE055"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (HEAD + WRITE.format("-1") + SESSION + DEVICE, {"TFE001", "TFG209"}),
        (HEAD + WRITE.format("1") + LISTED + SESSION, {"TFE001", "TFE056"}),
    ],
)
def test_what_is_set_in_time_is_told(tmp_path: Path, text: str, found: set[str]) -> None:
    assert codes(tmp_path, text) == found
