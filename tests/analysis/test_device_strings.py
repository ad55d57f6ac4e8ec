"""Devices that `tf.device` names and that are certainly not there."""

from __future__ import annotations

import pytest

from tests.tools import RAW, analysed, check_noop, names

TWO = 'os.environ["CUDA_VISIBLE_DEVICES"] = "1,2"\n'
HEAD = "import os\nimport tensorflow as tf\n"
LIST = 'gpus = tf.config.list_physical_devices("GPU")\n'
SET = "tf.config.set_visible_devices"


def use(device: str) -> str:
    return f"with tf.device({device}):\n    x = 1\n"


def found(program: str) -> list[str]:
    check_noop(program)
    return [item.message for item in analysed(program).findings if item.code == "TFG209"]


@pytest.mark.parametrize(
    "device",
    [
        '"/gpu:2"',
        '"GPU:3"',
        '"/device:GPU:2"',
        '"/job:localhost/replica:0/task:0/device:gpu:2"',
        '"/gpu:%d" % 2',
        '"/gpu:{}".format(2)',
        '"/gpu:{0}".format(2)',
        '"/gpu:{i}".format(i=2)',
        '"/gpu:" + str(2)',
        'f"/gpu:{2}"',
        'f"/{kind}:{number}"',
        "device_name=name",
    ],
)
def test_known_devices(device: str) -> None:
    constants = 'kind = "gpu"\nnumber = 2\nname = "/gpu:4"\n'
    (message,) = found(HEAD + constants + TWO + use(device))
    assert "line 6 leaves 2 visible GPU(s)" in message


@pytest.mark.parametrize(
    "device",
    [
        '"/gpu:1"', '"/gpu"', '"/gpu:*"', '"/cpu:7"', '""', "None", "name()", '"/gpu:%d" % n',
        '"/job:worker/gpu:5"', '"/task:1/gpu:5"', '"/gpu:%s:%s" % (1, 2)', 'f"/gpu:{2:02d}"',
        'f"/gpu:{n}"', '"/gpu:{i}".format(i=n)', '"/gpu:" + n', '"/gpu:%d" % True', "",
        '"/gpu:0/cpu:5"', "str(n, 1)", "5 + n", '"%d" % 1 % 2',
    ],
)  # fmt: skip
def test_devices_that_are_there_or_not_known(device: str) -> None:
    assert found(HEAD + TWO + use(device)) == []


@pytest.mark.parametrize(
    ("numbers", "is_found"),
    [
        ("range(3)", True),
        ("range(1, 4)", True),
        ("range(2)", False),
        ("range(0)", False),
        ("range(n)", False),
        ("range(4, 0, -1)", False),
        ("[2]", True),
        ("[1, 2]", False),
        ("[n]", False),
    ],
)
def test_loops(numbers: str, is_found: bool) -> None:
    loop = f'for i in {numbers}:\n    with tf.device("/gpu:%d" % i):\n        x = 1\n'
    assert bool(found(HEAD + TWO + loop)) is is_found


@pytest.mark.parametrize(
    ("limit", "count"),
    [
        (LIST + f'{SET}(gpus[0], "GPU")\n', "1"),
        (LIST + f'{SET}(gpus[n], device_type="GPU")\n', "1"),
        (LIST + f'{SET}([], "GPU")\n', "no"),
        (LIST + f'if gpus:\n    try:\n        {SET}(gpus[:2], "GPU")\n'
                "    except RuntimeError as e:\n        print(e)\n", "2"),
        (LIST + f'{SET}([gpus[0], gpus[3]], "GPU")\n', "2"),
        (LIST + f'some = gpus[:1]\n{SET}(some, "GPU")\n', "1"),
        (f'{SET}(tf.config.list_physical_devices("GPU")[1:3], "GPU")\n', "2"),
        ('os.environ["CUDA_VISIBLE_DEVICES"] = ""\n', "no"),
        ('os.environ["CUDA_VISIBLE_DEVICES"] = "-1"\n', "no"),
        ('os.environ["CUDA_VISIBLE_DEVICES"] = "0,-1,1"\n', "1"),
        (TWO + LIST + f'{SET}(gpus[:1], "GPU")\n', "1"),
        (f'def main():\n    {TWO}if __name__ == "__main__":\n    main()\n', "2"),
    ],
)  # fmt: skip
def test_limits(limit: str, count: str) -> None:
    (message,) = found(HEAD + limit + use('"/gpu:2"'))
    assert f"leaves {count} visible" in message


@pytest.mark.parametrize(
    "limit",
    [
        "",
        LIST + f'{SET}(gpus, "GPU")\n',
        LIST + f'{SET}(gpus[n:], "GPU")\n',
        LIST + f'some = gpus[:1]\nsome = gpus\n{SET}(some, "GPU")\n',
        LIST + f'some = one = gpus\nmore = one\n{SET}(more, "GPU")\n',
        LIST + f'{SET}(gpus[-1:1], "GPU")\n',
        LIST + f'{SET}(other[:1], "GPU")\n',
        f'{SET}(gpus=1)\n',
        LIST + f'if n:\n    {SET}(gpus[:1], "GPU")\n',
        LIST + f'if n < 2:\n    {SET}(gpus[:1], "GPU")\n',
        LIST + f'{SET}(gpus[:1], "GPU")\n{SET}(gpus[:3], "GPU")\n',
        LIST + f'{SET}(gpus[:1], "CPU")\n',
        LIST + f'def f():\n    {SET}(gpus[:1], "GPU")\n',
        LIST + f'{SET}(gpus[:1], "GPU")\n'
               "tf.config.set_logical_device_configuration(gpus[0], [a, b, c])\n",
        'os.environ["CUDA_VISIBLE_DEVICES"] = n\n',
        'os.environ["CUDA_VISIBLE_DEVICES"] = "GPU-8932f937"\n',
        'os.environ["CUDA_VISIBLE_DEVICES"] = a = "1"\n',
        TWO + 'os.environ["CUDA_VISIBLE_DEVICES"] = "0,1,2"\n',
        'os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")\n',
    ],
)  # fmt: skip
def test_no_certain_limit(limit: str) -> None:
    assert found(HEAD + limit + use('"/gpu:2"')) == []


def test_a_limit_of_the_module_holds_in_its_functions() -> None:
    assert len(found(HEAD + TWO + 'def f():\n    with tf.device("/gpu:2"):\n        g()\n')) == 1


def test_a_limit_that_comes_later_or_a_device_under_a_condition() -> None:
    assert found(HEAD + use('"/gpu:2"') + TWO) == []
    assert found(HEAD + TWO + 'if n > 2:\n    with tf.device("/gpu:2"):\n        x = 1\n') == []


@pytest.mark.parametrize(
    ("config", "count"),
    [
        ('visible_device_list="1,2"', "2"),
        ('visible_device_list="0"', "1"),
        ('visible_device_list=""', None),
        ('visible_device_list="a"', None),
        ('visible_device_list="0" if n else "1,2,3"', None),
        ("allow_growth=True", None),
    ],
)
def test_configs(config: str, count: str | None) -> None:
    program = f"""
def train():
    with tf.device("/gpu:2"):
        x = tf.constant(1)
    sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions({config})))
"""
    result = analysed(RAW + program)
    messages = [item.message for item in result.findings if item.code == "TFG209"]
    assert [f"leaves {count} visible" in message for message in messages] == [True] * bool(count)


SOFT = {
    "allow_soft_placement=True": True,
    "allow_soft_placement=False": False,
    "allow_soft_placement=n": False,
    "log_device_placement=True": False,
}


@pytest.mark.parametrize("field", SOFT)
def test_soft_placement_is_named_where_it_is_certain(field: str) -> None:
    config = f'tf.ConfigProto(device_count={{"GPU": 0}}, {field})'
    result = analysed(f"{RAW}{use(repr('/gpu:0'))}sess = tf.Session(config={config})\n")
    (found,) = [item for item in result.findings if item.code == "TFG209"]
    assert found.message.endswith("silently, by soft placement (line 5)") == SOFT[field]
    assert found.severity == "error"


@pytest.mark.parametrize("value", ["True", "False"])
def test_soft_placement_of_tf_config(value: str) -> None:
    hides = 'tf.config.set_visible_devices([], "GPU")\n'
    soft = f"tf.config.set_soft_device_placement({value})\n"
    result = analysed(f"{RAW}{hides}{soft}{use(repr('/gpu:0'))}")
    (found,) = [item for item in result.findings if item.code == "TFG209"]
    assert ("soft placement (line 4)" in found.message) == (value == "True")


def test_a_limit_under_a_condition() -> None:
    options = 'tf.GPUOptions(visible_device_list="0")'
    config = f"tf.ConfigProto(gpu_options={options} if n else tf.GPUOptions())"
    program = f"{RAW}{use(repr('/gpu:2'))}sess = tf.Session(config={config})\n"
    assert "gpu-out-of-range" not in names(analysed(program))


def test_device_count_and_sessions_without_the_config() -> None:
    one = 'sess = tf.Session(config=tf.ConfigProto(device_count={"GPU": 1}))\n'
    device = use('"/gpu:1"')
    assert names(analysed(RAW + device + one)).count("gpu-out-of-range") == 1
    for other in (
        "sess = tf.Session()\n",
        "sess = tf.Session(config=f())\n",
        one.replace("1", "2"),
    ):
        assert "gpu-out-of-range" not in names(analysed(RAW + device + one + other))


@pytest.mark.parametrize("device", ["/device:XLA_GPU:0", "/device:xla_cpu:0"])
def test_xla_devices(device: str) -> None:
    program = HEAD + use(f'"{device}"')
    check_noop(program)
    assert names(analysed(program)) == ["xla-device"]
