"""What protocol buffers do with what is set before and after: replaced, merged, cleared."""

from __future__ import annotations

import pytest

from tests.tools import check_body, check_body_kept

GROWTH = """for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
"""
A = 'a = tf.GPUOptions(visible_device_list="1")\n'
B = "b = tf.GPUOptions(allow_growth=True)\n"
SESSION = "sess = tf.Session(config=config)\n"


@pytest.mark.parametrize(
    "changes",
    [
        "config.gpu_options.CopyFrom(a)\nconfig.gpu_options.CopyFrom(b)\n",
        'config.gpu_options.visible_device_list = "1"\nconfig.gpu_options.CopyFrom(b)\n',
        "config.gpu_options.MergeFrom(a)\nconfig.gpu_options.Clear()\n"
        "config.gpu_options.MergeFrom(b)\n",
        'config.gpu_options.CopyFrom(a)\nconfig.ClearField("gpu_options")\n'
        "config.gpu_options.allow_growth = True\n",
        'config.gpu_options.visible_device_list = "1"\n'
        'config.gpu_options.ClearField("visible_device_list")\nconfig.gpu_options.CopyFrom(b)\n',
        "config.gpu_options.SetInParent()\nconfig.gpu_options.CopyFrom(b)\n",
        "config.allow_soft_placement = True\nconfig.Clear()\nconfig.gpu_options.MergeFrom(b)\n",
        "config.gpu_options.allow_growth = False\nconfig.gpu_options.CopyFrom(b)\n",
        "options = config.gpu_options\noptions.CopyFrom(a)\noptions.CopyFrom(b)\n",
    ],
)
def test_what_was_set_before_is_gone(changes: str) -> None:
    parts = "".join(part for part in (A, B) if f"({part[0]})" in changes)
    before = f"{parts}config = tf.ConfigProto()\n{changes}{SESSION}"
    check_body(before, f"{GROWTH}sess = tf.Session()\n")


@pytest.mark.parametrize(
    "changes",
    [
        "config = tf.ConfigProto(gpu_options=a)\nconfig.gpu_options.CopyFrom(b)\n",
        "config = tf.ConfigProto(gpu_options=a, log_device_placement=True)\n"
        "base = tf.ConfigProto(gpu_options=b)\nconfig.CopyFrom(base)\n",
    ],
)
def test_message_of_the_constructor_is_replaced(changes: str) -> None:
    check_body(f"{A}{B}{changes}{SESSION}", f"{GROWTH}sess = tf.Session()\n")


def test_merge_keeps_what_was_set_before() -> None:
    check_body(
        "a = tf.GPUOptions(force_gpu_compatible=False)\n"
        f"{B}config = tf.ConfigProto(gpu_options=a)\n"
        "config.allow_soft_placement = True\n"
        f"config.gpu_options.MergeFrom(b)\n{SESSION}",
        f"{GROWTH}tf.config.set_soft_device_placement(True)\nsess = tf.Session()\n",
    )


@pytest.mark.parametrize(
    "configs",
    [
        "base = tf.ConfigProto(gpu_options=b)\nconfig = tf.ConfigProto()\n"
        "config.allow_soft_placement = True\nconfig.MergeFrom(base)\n",
        "config = tf.ConfigProto(gpu_options=b)\n"
        "config.MergeFrom(tf.ConfigProto(allow_soft_placement=True))\n",
        "base = tf.ConfigProto()\nbase.MergeFrom(tf.ConfigProto(gpu_options=b))\n"
        "config = tf.ConfigProto(allow_soft_placement=True)\nconfig.MergeFrom(base)\n",
    ],
)
def test_whole_config_that_is_merged_into_another_one(configs: str) -> None:
    check_body(
        f"{B}{configs}{SESSION}",
        f"{GROWTH}tf.config.set_soft_device_placement(True)\nsess = tf.Session()\n",
    )


def test_number_of_devices_by_update() -> None:
    check_body(
        f"config = tf.ConfigProto()\nconfig.device_count.update(GPU=0)\n{SESSION}",
        'tf.config.set_visible_devices([], "GPU")\nsess = tf.Session()\n',
    )


def test_part_that_is_replaced_whatever_was_set() -> None:
    check_body(
        f"{A}{B}config = tf.ConfigProto()\nif x:\n    config.gpu_options.CopyFrom(a)\n"
        f"config.gpu_options.CopyFrom(b)\n{SESSION}",
        f"{GROWTH}if x:\n    pass\nsess = tf.Session()\n",
    )


@pytest.mark.parametrize(
    ("reason", "changes"),
    [
        # Which comes first is not known, or a session has seen the first.
        (
            "set-twice",
            "config.gpu_options.CopyFrom(a)\nif x:\n    config.gpu_options.CopyFrom(b)\n",
        ),
        (
            "set-twice",
            "for o in x:\n    config.gpu_options.CopyFrom(a)\n    config.gpu_options.CopyFrom(b)\n",
        ),
        (
            "set-twice",
            "config.gpu_options.CopyFrom(a)\none = tf.Session(config=config)\n"
            "config.gpu_options.CopyFrom(b)\n",
        ),
        (
            "set-twice",
            "config.gpu_options.allow_growth = False\nconfig.gpu_options.MergeFrom(b)\n",
        ),
        ("set-twice", "config.gpu_options.CopyFrom(a)\nif x:\n    config.gpu_options.Clear()\n"),
        # It is a config of its own where it has a session, or another one takes its fields, too.
        (
            "different-configs",
            "base = tf.ConfigProto(allow_soft_placement=True)\nconfig.MergeFrom(base)\n"
            "one = tf.Session(config=base)\nconfig.gpu_options.allow_growth = True\n",
        ),
        (
            "different-configs",
            "base = tf.ConfigProto(allow_soft_placement=True)\nconfig.MergeFrom(base)\n"
            "other = tf.ConfigProto(gpu_options=b)\nother.MergeFrom(base)\n"
            "if x:\n    config = other\n",
        ),
        (
            "set-twice",
            "config.gpu_options.visible_device_list = pick()\nconfig.gpu_options.CopyFrom(b)\n",
        ),
        ("refused", "config.gpu_options = a\n"),
        ("config-read", "config.gpu_options.ClearField(name)\n"),
        ("config-read", "config.ParseFromString(data)\n"),
        ("config-read", "config.gpu_options.MergeFromString(data)\n"),
        ("config-read", "x = config.gpu_options.SerializeToString()\n"),
        ("config-read", "setattr(config, 'gpu_options', a)\n"),
        ("passed-on", "text_format.Merge(text, config)\n"),
        ("passed-on", "text_format.Parse(text, config)\n"),
        ("passed-on", "json_format.ParseDict(values, config)\n"),
    ],
)
def test_what_is_not_certain_keeps_the_config(reason: str, changes: str) -> None:
    check_body_kept(f"{A}{B}config = tf.ConfigProto()\n{changes}{SESSION}", reason)
