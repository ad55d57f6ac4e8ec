"""Values that Python 2 computes in another way than Python 3."""

from __future__ import annotations

import pytest

from tests.tools import SAFE, book
from tfgpu.engine import Text, analyse_together


def kept_by(body: str, python2: bool = True, head: str = "") -> list[str | None]:
    """Return by which rule each config of a file that stands for Python 2 is kept."""
    text = f"{head}import tensorflow as tf\n\n{body}sess = tf.Session(config=config)\n"
    result = analyse_together({"": Text(text, python2=python2)}, book(), {"": SAFE})[""]
    codes = [config.kept_by for config in result.configs]
    return [None if code is None else book().find(code).name for code in codes]  # type: ignore[union-attr]


FRACTION = (
    "config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction={0}))\n"
)


@pytest.mark.parametrize(
    "body",
    [
        FRACTION.format("1 / 2"),
        FRACTION.format("1 / workers"),
        FRACTION.format("min(1, 2 / 3)"),
        "fraction = 1 / 2\n" + FRACTION.format("fraction"),
        "half = 1 / 2\nfraction = half\n" + FRACTION.format("fraction"),
        "fraction = 1\nfraction /= 2\n" + FRACTION.format("fraction"),
        "config = tf.ConfigProto(intra_op_parallelism_threads=cores / 2)\n",
        "config = tf.ConfigProto(device_count={'GPU': count / 2})\n",
    ],
)
def test_what_may_be_rounded_down_is_kept(body: str) -> None:
    assert kept_by(body) == ["python2-division"]
    assert "python2-division" not in kept_by(body, python2=False)
    assert "python2-division" not in kept_by(body, head="from __future__ import division\n")


@pytest.mark.parametrize(
    "body",
    [
        FRACTION.format("0.5"),
        FRACTION.format("1. / 2"),
        FRACTION.format("1 / 2."),
        FRACTION.format("float(1) / workers"),
        FRACTION.format("1.0 * 3 / workers"),
        "fraction = 1\nfraction /= 2.0\n" + FRACTION.format("fraction"),
        "fraction = fraction = 0.5\n" + FRACTION.format("fraction"),
        "config = tf.ConfigProto(intra_op_parallelism_threads=8 // 2)\n",
    ],
)
def test_what_is_the_same_in_both_is_not(body: str) -> None:
    assert "python2-division" not in kept_by(body)
