"""The answers of `names/answers.txt`: one for each name, with names that TensorFlow 2.21 has."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.tools import book

ANSWERS = book().answers

_LOOK = """
import sys
import tensorflow as tf
for name in sys.argv[1:]:
    found = tf
    try:
        for part in name.split(".")[1:]:
            found = getattr(found, part)
    except AttributeError:
        print(name)
"""


def test_there_is_an_answer_for_the_names_that_are_used_most() -> None:
    assert sum(name.startswith("tf.contrib.") for name in ANSWERS) >= 60
    for name in ("tf.estimator", "tf.layers", "tf.keras.utils.multi_gpu_model"):
        assert ANSWERS[name][0]
    assert all(answer and source for answer, source in ANSWERS.values())


def test_the_longest_name_counts() -> None:
    found = book().answer("tf.contrib.layers.python.layers.regularizers.l2_regularizer")
    assert found is not None
    assert "tf.keras.regularizers" in found
    assert book().answer("tf.contrib.nothing.of.this.name") is None
    assert book().answer("tf.contrib.rnn.GRUCell") == ANSWERS["tf.contrib.rnn.GRUCell"][0]


@pytest.mark.parametrize("keras", ["0", "1"])
def test_the_names_in_answers_are_there(keras: str) -> None:
    """Those that need Keras 2 say so: TF_USE_LEGACY_KERAS=1 stands in the answer."""
    pytest.importorskip("tensorflow")
    if keras == "1":
        pytest.importorskip("tf_keras")
    names = {
        name.rstrip(".")
        for answer, source in ANSWERS.values()
        if "2.21" in source and ("TF_USE_LEGACY_KERAS" in answer) == (keras == "1")
        for name in re.findall(r"(?<![\w.])tf\.[\w.]+", answer)
    }
    done = subprocess.run(
        [sys.executable, "-c", _LOOK, *sorted(names)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TF_USE_LEGACY_KERAS": keras},
    )
    assert names
    assert done.stdout == ""
