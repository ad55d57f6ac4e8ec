"""Growth, limits and devices: each mistake in several shapes, and what is no mistake."""

from __future__ import annotations

import pytest

from tests.checks.tools import found, hazards

LIMIT = "[tf.config.LogicalDeviceConfiguration(memory_limit=1024)]"
GROW = "tf.config.experimental.set_memory_growth"
SPLIT = "tf.config.set_logical_device_configuration"


def test_growth_behind_logical_devices_of_the_same_gpu_raises() -> None:
    (finding,) = found(f"{SPLIT}(gpus[0], {LIMIT})\n{GROW}(gpus[0], True)\n{GROW}(other, True)\n")
    assert finding.name == "growth-and-virtual"
    assert "ValueError" in finding.message


def test_growth_of_another_gpu_is_dropped() -> None:
    (finding,) = found(f"{SPLIT}(gpus[0], {LIMIT})\n{GROW}(gpus[1], True)\n{GROW}(other, True)\n")
    assert "dropped" in finding.message


NO_BOTH = [
    f"{SPLIT}(gpus[0], {LIMIT})\nfor gpu in gpus:\n    {GROW}(gpu, False)\n",
    f"{SPLIT}(device, {LIMIT})\nfor gpu in gpus:\n    {GROW}(gpu, True)\n",
    f"def one():\n    {SPLIT}(gpus[0], {LIMIT})\n\n\ndef two():\n    {GROW}(gpus[1], x)\n",
]


@pytest.mark.parametrize("text", NO_BOTH)
def test_growth_that_may_stand_alone_is_no_mistake(text: str) -> None:
    assert hazards(text) == []


ONE = {
    f"{GROW}(gpus[0], True)": True,
    f"for gpu in gpus[:1]:\n    {GROW}(gpu, True)": True,
    f"first = gpus[0]\n{GROW}(device=first, enable=True)": True,
    f"{GROW}(gpus[0], False)": False,
    f"for gpu in gpus[1:]:\n    {GROW}(gpu, True)": False,
    f"for gpu in gpus[:]:\n    {GROW}(gpu, True)": False,
    f"for number, gpu in enumerate(gpus):\n    {GROW}(gpu, True)": False,
    f"[{GROW}(gpu, True) for gpu in gpus if gpu.name]": False,
    f"import os\n\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n{GROW}(gpus[0], True)": False,
    f"gpus = gpus[:1]\n{GROW}(gpus[0], True)": False,
    f"for gpu in gpus[0]:\n    {GROW}(gpu, True)": False,
    f"{GROW}([gpus[0]][0], True)": False,
}


@pytest.mark.parametrize("text", ONE)
def test_growth_on_one_gpu_only(text: str) -> None:
    names = [item.partition(":")[0] for item in hazards(f"{text}\n")]
    assert names == (["growth-on-one-gpu"] if ONE[text] else [])


WRONG = {
    f"{GROW}(gpus[0], 0.5)": "growth-not-bool",
    f"{GROW}('GPU:0', True)": "wrong-device",
    f"{GROW}(0, True)": "wrong-device",
    f"{GROW}(gpus[:1], True)": "wrong-device",
    f"{GROW}(tf.config.list_physical_devices('CPU')[0], True)": "wrong-device",
    f"{SPLIT}(gpus, {LIMIT})": "wrong-device",
    "tf.config.set_visible_devices(['GPU:0'], 'GPU')": "wrong-device",
    f"{SPLIT}(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=-5)])": "wrong-limit",
    f"{SPLIT}(gpus[0], [tf.config.LogicalDeviceConfiguration('1024')])": "wrong-limit",
    f"{SPLIT}(gpus[0], [tf.config.LogicalDeviceConfiguration(None)])": "wrong-limit",
    f"{SPLIT}(tf.config.list_physical_devices('CPU')[0], {LIMIT})": "wrong-limit",
    "tf.config.set_visible_devices(gpus[:2])": "visible-without-type",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_tensorflow_refuses(text: str) -> None:
    assert hazards(f"{text}\n") == [f"{WRONG[text]}:4"]


RIGHT = [
    f"{GROW}(device, enable)",
    f"{GROW}()",
    f"{SPLIT}(gpus[0], configurations)",
    f"{SPLIT}(gpus[0], [tf.config.LogicalDeviceConfiguration(**options)])",
    "sizes = [tf.config.LogicalDeviceConfiguration(memory_limit=size)]",
    "tf.config.experimental.set_virtual_device_configuration(gpus[0], virtual_devices=[])",
    "tf.config.set_visible_devices(tf.config.list_physical_devices(kind))",
    "tf.config.set_visible_devices(gpus[0] if gpus else [], 'GPU')",
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_cannot_be_told_is_left_alone(text: str) -> None:
    assert hazards(f"{text}\n") == []
