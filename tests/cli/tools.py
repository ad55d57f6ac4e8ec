"""Runs `tfgpu` for the tests: in this process, and as a user starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from tfgpu.cli import main

ROOT = Path(__file__).resolve().parents[2]

# One config, in a function: no other file can use it.
GROWTH = """\
import tensorflow as tf

def train():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf.Session(config=config)
"""
GROWTH_AFTER = """\
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()

def train():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    return tf.Session()
"""
# One config that is kept, for TensorFlow 2 has no call for timeline_step; nothing changes.
KEPT = """\
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()

def train():
    config = tf.ConfigProto()
    config.graph_options.timeline_step = 3
    return tf.Session(config=config)
"""
# A query whose replacement is an unsafe fix, and no config.
QUERY = """\
import tensorflow as tf

def has_gpu():
    return tf.test.is_gpu_available()
"""
# One config that the import of the file puts in force: what other files import it matters.
SHARED = """\
import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
"""
CLEAN = "import tensorflow as tf\n\nprint(tf.constant(1))\n"
BROKEN = "import tensorflow as tf\nx = = tf.ConfigProto()\n"


def tfgpu(*arguments: str, stdin: bytes | None = None) -> Result:
    """Run the command in this process and check that it ended by itself."""
    result = CliRunner().invoke(main, arguments, input=stdin, prog_name="tfgpu")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def command(*arguments: str) -> list[str]:
    """Return the command as a user starts it."""
    return [sys.executable, "-m", "tfgpu", *arguments]


def environment(**variables: str) -> Mapping[str, str]:
    """Return an environment in which the command is found, whatever the folder."""
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    return {**inherited, "PYTHONPATH": str(ROOT), **variables}


def started(
    *arguments: str, folder: Path, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own, in a folder."""
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(**variables),
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
    )


def document(*arguments: str) -> dict[str, Any]:
    """Return the JSON document of an audit."""
    parsed: dict[str, Any] = json.loads(tfgpu("audit", "--format", "json", *arguments).stdout)
    return parsed


def write(path: Path, text: str | bytes) -> Path:
    """Write a file with the folders above it; text as it is, without other line endings."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path
