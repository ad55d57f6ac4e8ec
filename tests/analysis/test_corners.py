"""Rare shapes, each of which has one right outcome."""

from __future__ import annotations

import pytest

from tests.tools import check_kept, check_transformed, migrated

HEAD = "import tensorflow as tf\n\n"


@pytest.mark.parametrize("counts", ["make()", "project.counts()"])
def test_device_count_that_a_function_makes(counts: str) -> None:
    text = migrated(
        f"{HEAD}def make():\n    return {{}}\n\n\n"
        f"sess = tf.Session(config=tf.ConfigProto(device_count={counts}))\n"
    )
    assert f"config=tf.ConfigProto(device_count={counts})" in text


def test_copy_by_keyword() -> None:
    check_kept(
        f"{HEAD}options = tf.GPUOptions(allow_growth=True)\nconfig = tf.ConfigProto()\n"
        "config.gpu_options.CopyFrom(other=options)\nsess = tf.Session(config=config)\n",
        "passed-on",
    )


def test_config_in_the_place_of_a_keras_session() -> None:
    check_kept(
        f"{HEAD}from keras import backend as K\n\nK.set_session(tf.ConfigProto())\n", "passed-on"
    )


def test_settings_move_behind_functions_that_call_each_other() -> None:
    before = (
        f"{HEAD}def ping():\n    pong()\n\n\ndef pong():\n    ping()\n\n\n"
        "def other():\n    return tf.Session()\n\n\n"
        "def run():\n"
        "    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))\n"
        "    ping()\n    other()\n    return tf.Session(config=config)\n"
    )
    assert migrated(before).endswith(
        "def run():\n    ping()\n    other()\n"
        '    for gpu in tf.config.list_physical_devices("GPU"):\n'
        "        tf.config.experimental.set_memory_growth(gpu, True)\n"
        "    return tf.Session()\n"
    )


def test_return_at_the_end_of_a_loop_still_returns() -> None:
    head = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n\n\n"
    check_transformed(
        f"{head}def get():\n    for name in names:\n"
        "        return tf.ConfigProto(allow_soft_placement=True)\n\n\n"
        "sess = tf.Session(config=get())\n",
        f"{head}def get():\n    for name in names:\n"
        "        tf.config.set_soft_device_placement(True)\n        return\n\n\n"
        "get()\nsess = tf.Session()\n",
    )


def test_copy_of_what_a_function_makes() -> None:
    head = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n\n\n"
    check_transformed(
        f"{head}def options():\n    return tf.GPUOptions(allow_growth=True)\n\n\n"
        "config = tf.ConfigProto()\nconfig.gpu_options.CopyFrom(options())\n"
        "sess = tf.Session(config=config)\n",
        f"{head}def options():\n"
        '    for gpu in tf.config.list_physical_devices("GPU"):\n'
        "        tf.config.experimental.set_memory_growth(gpu, True)\n\n\n"
        "options()\nsess = tf.Session()\n",
    )


def test_copy_of_a_parameter() -> None:
    check_kept(
        f"{HEAD}def make(options):\n    config = tf.ConfigProto()\n"
        "    config.gpu_options.CopyFrom(options)\n    return tf.Session(config=config)\n",
        "parameter",
    )
