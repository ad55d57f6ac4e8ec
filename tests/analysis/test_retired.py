"""`tf.config.gpu` of the betas of TensorFlow 2.0."""

from __future__ import annotations

import pytest

from tests.tools import analysed, check_noop, check_transformed, names
from tfgpu.options import Options

HEAD = "import tensorflow as tf\n\n"
GROWTH = "tf.config.gpu.set_per_process_memory_growth"
FRACTION = "tf.config.gpu.set_per_process_memory_fraction"
LOOP = (
    'for gpu in tf.config.list_physical_devices("GPU"):\n'
    "    tf.config.experimental.set_memory_growth(gpu, {})\n"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{GROWTH}(True)\n", LOOP.format("True")),
        (f"{GROWTH}(enabled=flag)\n", LOOP.format("flag")),
        (f"def f():\n    {GROWTH}(True)\n",
         "def f():\n" + "".join(f"    {line}\n" for line in LOOP.format("True").splitlines())),
        (f"{GROWTH}(False)\nf()\n", "f()\n"),
        (f"{GROWTH}(f())\n", LOOP.replace("for", "allow_growth = f()\nfor", 1)
         .format("allow_growth")),
    ],
)  # fmt: skip
def test_growth(before: str, after: str) -> None:
    check_transformed(HEAD + before, HEAD + after)


def test_growth_beside_a_fraction() -> None:
    result = analysed(f"{HEAD}{FRACTION}(0.5)\n{GROWTH}(True)\n")
    text = result.new_text()
    assert text is not None
    assert 'os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"' in text
    assert "_gpu_memory_limit_mib(0.5, index)" in text
    assert [item.fix for item in result.findings] == ["safe", "safe"]


@pytest.mark.parametrize(
    "program",
    [
        f"x = {GROWTH}(True)\n",
        f"{GROWTH}()\n",
        f"{GROWTH}(*a)\n",
        f"{GROWTH}(enable=True)\n",
        f'{GROWTH}("yes")\n',
        f"{FRACTION}(-0.5)\n",
        f"{FRACTION}(1.5)\n{GROWTH}(True)\n",
        f"{GROWTH}(True)\n{GROWTH}(False)\n",
        f"{GROWTH}(True)\nprint(tf.config.gpu.get_per_process_memory_growth())\n",
        f"try:\n    {GROWTH}(True)\nexcept AttributeError:\n    pass\n",
        f"{GROWTH}(True)\ntf.config.experimental.set_memory_growth(gpu, True)\n",
        f"{GROWTH}(True)\nconfig = tf.compat.v1.ConfigProto()\n",
        f"{GROWTH}(True)\nsess = tf.compat.v1.Session()\n",
        f'import os\n{GROWTH}(True)\nos.environ["CUDA_VISIBLE_DEVICES"] = "1"\n',
        f"import multiprocessing\n{GROWTH}(True)\nmultiprocessing.Process(target=work).start()\n",
        f"_gpu_memory_limit_mib = 1\n{FRACTION}(0.5)\n",
    ],
)
def test_what_stays(program: str) -> None:
    check_noop(HEAD + program)
    found = [item for item in analysed(HEAD + program).findings if item.code[:5] == "TFG80"]
    assert found
    assert all(item.fix == "none" for item in found)


@pytest.mark.parametrize("rule", ["TFG802", "allow-growth"])
def test_the_selection_decides(rule: str) -> None:
    check_noop(f"{HEAD}{GROWTH}(True)\n", Options(ignore=(rule,)))


def test_another_gpu_module() -> None:
    program = f"import mine as tf\n{GROWTH}(True)\n"
    check_noop(program)
    assert names(analysed(program)) == []
