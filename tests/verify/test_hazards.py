"""Examples of hazards run on TensorFlow and simulated GPUs: what raises does, and only that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.verify.server import Server
from tests.verify.wrong_migrations import WITHOUT_WAITING
from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.model import Example

# Mistakes that TensorFlow does not notice: settings that it drops, lists that are empty.
SILENT = {"TFH002-1", "TFH003-1", "TFH003-2", "TFH305-1", "TFH305-2"}
# Stands for a name that no TensorFlow has yet.
_LATER = "something_of_a_later_release"
# What a first operation shows: settings that were taken, and cannot be kept.
LAST_LINE = "\nprint(tf.reduce_sum(tf.constant([1.0, 2.0])))\n"


def examples() -> Iterator[object]:
    """The examples of rules about what is wrong in TensorFlow 2 code."""
    for rule in load_rulebook().rules:
        if rule.group == "tf2" and (rule.severity == "error" or rule.name == "growth-on-one-gpu"):
            for number, example in enumerate(rule.examples, 1):
                if "import tensorflow as tf" in example.before and _LATER not in example.before:
                    name = f"{rule.code}-{number}"
                    raises = example.reported and name not in SILENT
                    yield pytest.param(example, raises, id=name)


@pytest.mark.parametrize(("example", "raises"), [*examples()])
def test_reported_examples_raise_and_the_others_run(
    server: Server, example: Example, raises: bool
) -> None:
    text = example.before + LAST_LINE
    if "memory_limit=0" in text:
        text = WITHOUT_WAITING + text
    leg = server.leg(text, "sim:2x1GiB", tensorflow1=False, keras_2=False)
    assert leg.ended == ("exception" if raises else "end"), leg.stderr
