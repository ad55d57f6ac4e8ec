"""Queries for devices, and what programs make of them."""

from __future__ import annotations

import pytest

from tests.tools import (
    SAFE,
    UNSAFE,
    analysed,
    check_body,
    check_kept,
    check_noop,
    check_transformed,
    names,
)
from tfgpu.options import Options

HEAD = "import tensorflow as tf\nfrom tensorflow.python.client import device_lib\n\n"
BARE = "import tensorflow as tf\n\n"
V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
Q = "device_lib.list_local_devices()"
GPU = 'x.device_type == "GPU"'
COUNT = 'len(tf.config.list_physical_devices("GPU"))'
ANY = 'bool(tf.config.list_physical_devices("GPU"))'
NAMES = '[x.name for x in tf.config.list_logical_devices("GPU")]'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"[x.name for x in {Q} if {GPU}]", NAMES),
        (f'[x.name for x in {Q} if "GPU" == x.device_type]', NAMES),
        (f'[x.name for x in {Q} if x.device_type == "CPU"]', NAMES.replace("GPU", "CPU")),
        (f"[x.name for x in {Q}]", "[x.name for x in tf.config.list_logical_devices()]"),
        (f"len([x.name for x in {Q} if {GPU}])", COUNT),
        (f"len([x for x in {Q} if {GPU}])", COUNT),
        (f"len([x.physical_device_desc for x in {Q} if {GPU}])", COUNT),
        (f"sum({GPU} for x in {Q})", COUNT),
        (f"sum([{GPU} for x in {Q}])", COUNT),
        (f"any({GPU} for x in {Q})", ANY),
        (f"any([{GPU} for x in {Q}])", ANY),
        (f"f(1, a.b, [[x.name for x in {Q} if {GPU}][0]], [y for y in z])",
         f"f(1, a.b, [{NAMES}[0]], [y for y in z])"),
    ],
)  # fmt: skip
def test_list_local_devices(before: str, after: str) -> None:
    check_transformed(f"{HEAD}y = {before}\n", f"{BARE}y = {after}\n", UNSAFE)
    check_noop(f"{HEAD}y = {before}\n")


def test_a_variable_that_is_read_once() -> None:
    check_transformed(
        f"{HEAD}def gpus():\n    # all\n    devices = {Q}\n"
        f"    return [x.name for x in devices if {GPU}]\n",
        f"{BARE}def gpus():\n    # all\n    return {NAMES}\n",
        UNSAFE,
    )


@pytest.mark.parametrize(
    "program",
    [
        f"y = [x.physical_device_desc for x in {Q} if {GPU}]\n",
        f"y = [x for x in {Q} if {GPU}]\n",
        f'y = [x.name for x in {Q} if x.device_type == "TPU"]\n',
        f'y = [x.name for x in {Q} if x.device_type != "CPU"]\n',
        f'y = [x.name for x in {Q} if "GPU" in x.name]\n',
        f"y = [x.name for x in {Q} if {GPU} if ok(x)]\n",
        f"y = [x.name for x in {Q} for z in x]\n",
        f'y = [x.name for x in {Q} if x.name == "/device:GPU:0"]\n',
        f"y = [x.name for x, z in {Q}]\n",
        f"y = {{x.name for x in {Q} if {GPU}}}\n",
        f"y = list(x.name for x in {Q} if {GPU})\n",
        f"y = [x.name for x in a if x in {Q}]\n",
        f'y = len([x.name for x in {Q} if x.device_type == "CPU"]) + len({Q})\n'.replace(
            f"len([x.name for x in {Q}", f"max([x.memory_limit for x in {Q}"
        ),
        f"for x in {Q}:\n    print(x)\n",
        f'print(f"{{[x.name for x in {Q}]}}")\n',
        "y = [x.name for x in device_lib.list_local_devices(config)]\n",
        f"devices = {Q}\ny = [x.name for x in devices]\n",
        f"def f():\n    d = {Q}\n    print(d)\n    return [x.name for x in d]\n",
        f"def f():\n    d = {Q}\n    d = 1\n    return [x.name for x in d]\n",
        f"def f():\n    d = {Q}\n    if a:\n        return [x.name for x in d]\n",
        f"def f():\n    global d\n    d = {Q}\n    return [x.name for x in d]\n",
        f"def f():\n    d.e = {Q}\n    return [x.name for x in d.e]\n",
        f"def f():\n    d = e = {Q}\n    return [x.name for x in d]\n",
        f"try:\n    a()\nexcept AttributeError:\n    y = [x.name for x in {Q} if {GPU}]\n",
        f"sess = tf.Session()\ny = [x.name for x in {Q}]\n",
        f"async def f():\n    return [x.name async for x in {Q}]\n",
    ],
)
def test_what_stays(program: str) -> None:
    check_noop(HEAD + program, UNSAFE)
    found = [item for item in analysed(HEAD + program).findings if item.code == "TFG703"]
    assert found
    assert all(item.fix == "none" and "not changed here: " in item.message for item in found)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = len({})", f"y = {COUNT}"),
        ("y = bool({})", f"y = {ANY}"),
        ("if {}:\n    y = 1", f"if {ANY}:\n    y = 1"),
        ("y = not {}", f"y = not {ANY}"),
        ("y = 1 if {} else 2", f"y = 1 if {ANY} else 2"),
        ("y = {}", None),
        ("for y in {}:\n    z = 1", None),
        ("y = 1 if z else {}", None),
    ],
)
def test_gpus_of_keras(before: str, after: str | None) -> None:
    for module, query in (
        ("from keras import backend as K", "K.tensorflow_backend._get_available_gpus()"),
        ("from keras.backend.tensorflow_backend import _get_available_gpus as g", "g()"),
    ):
        program = f"{module}\n\n{before.format(query)}\n"
        if after is None:
            check_noop(program, UNSAFE)
        else:
            check_transformed(program, f"import tensorflow as tf\n\n{after}\n", UNSAFE)


def test_a_number_before_settings_is_replaced_and_names_stay() -> None:
    growth = """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """
    module = "from tensorflow.python.client import device_lib\n"
    check_body(
        f"{module}print(len([x for x in {Q} if {GPU}]))\n" + _dedent(growth),
        f'print({COUNT})\nfor gpu in tf.config.list_physical_devices("GPU"):\n'
        "    tf.config.experimental.set_memory_growth(gpu, True)\nsess = tf.Session()\n",
        UNSAFE,
    )
    query = f"print([x.name for x in {Q} if {GPU}])\n"
    check_transformed(
        f"{HEAD}{query}{_dedent(growth)}",
        f"{V1}from tensorflow.python.client import device_lib\n\n{query}"
        'for gpu in tf.config.list_physical_devices("GPU"):\n'
        "    tf.config.experimental.set_memory_growth(gpu, True)\nsess = tf.Session()\n",
        UNSAFE,
    )


def _dedent(text: str) -> str:
    return "".join(line.strip() + "\n" for line in text.strip().splitlines())


def test_a_query_inside_a_value_that_moves() -> None:
    check_body(
        """
        config = tf.ConfigProto(allow_soft_placement=tf.test.is_gpu_available())
        sess = tf.Session(config=config)
        """,
        """
        tf.config.set_soft_device_placement(bool(tf.config.list_physical_devices("GPU")))
        sess = tf.Session()
        """,
        UNSAFE,
    )


def test_a_query_where_the_name_of_tensorflow_is_taken() -> None:
    check_noop(
        f"from tensorflow.python.client import device_lib\n\ntf = 1\ny = [x.name for x in {Q}]\n",
        UNSAFE,
    )


def test_a_query_beside_a_config_where_the_name_of_tensorflow_is_taken() -> None:
    check_kept(
        """
        from tensorflow import ConfigProto, Session
        from tensorflow.test import is_gpu_available

        tf = is_gpu_available()
        sess = Session(config=ConfigProto())
        """,
        "name-taken",
        UNSAFE,
    )


def test_a_query_whose_rule_is_not_selected() -> None:
    options = Options(unsafe_fixes=True, ignore=("TFG703",))
    check_noop(f"{HEAD}y = [x.name for x in {Q}]\n", options)


def test_arguments_are_never_lost() -> None:
    program = (
        f"{BARE}y = tf.test.is_gpu_available(cuda_only=True, min_cuda_compute_capability=(7, 0))\n"
    )
    check_noop(program, UNSAFE)
    (finding,) = analysed(program, SAFE).findings
    assert (finding.fix, finding.message.split("not changed here: ")[1]) == (
        "none",
        "its arguments would be lost",
    )


def test_query_of_the_module_that_has_it() -> None:
    text = "from tensorflow.python.platform import test\n\nprint(test.is_gpu_available())\n"
    assert names(analysed(text)) == ["is-gpu-available"]
