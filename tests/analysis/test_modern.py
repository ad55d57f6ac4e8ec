"""Names of TensorFlow 2 that got a better one."""

from __future__ import annotations

import pytest

from tests.tools import analysed, check_noop, check_transformed, names
from tfgpu.options import Options

OLD = "tf.config.experimental.list_physical_devices"
NEW = "tf.config.list_physical_devices"


@pytest.mark.parametrize(
    ("head", "old", "new"),
    [
        ("import tensorflow as tf", f"{OLD}()", f"{NEW}()"),
        ("import tensorflow as t", "t.config.experimental.list_logical_devices('GPU')",
         "t.config.list_logical_devices('GPU')"),
        ("import tensorflow", "tensorflow.config.experimental.get_visible_devices()",
         "tensorflow.config.get_visible_devices()"),
        ("import tensorflow.compat.v2 as tf", f"{OLD}()", f"{NEW}()"),
        ("import tensorflow as tf", "tf.compat.v1.config.experimental.list_physical_devices()",
         "tf.compat.v1.config.list_physical_devices()"),
        ("from tensorflow import config", "config.experimental.list_physical_devices()",
         "config.list_physical_devices()"),
        ("from tensorflow import config as c", "c.experimental.get_virtual_device_configuration(g)",
         "c.get_logical_device_configuration(g)"),
        ("import tensorflow as tf\nc = tf.config", "c.experimental.set_visible_devices([], 'GPU')",
         "c.set_visible_devices([], 'GPU')"),
        ("import tensorflow as tf", f"f = {OLD}", f"f = {NEW}"),
        ("import tensorflow as tf", f'print(f"{{x.y}} {{len({OLD}())}} {{a.b.c}}")',
         f'print(f"{{x.y}} {{len({NEW}())}} {{a.b.c}}")'),
        ("import tensorflow as tf", f"@d(a.b, {OLD}())\ndef f(x: a.b = {OLD}()):\n    {OLD}()",
         f"@d(a.b, {NEW}())\ndef f(x: a.b = {NEW}()):\n    {NEW}()"),
        ("import tensorflow as tf",
         f"try:\n    {OLD}()\nexcept a.B:\n    {OLD}()\nelse:\n    a.b({OLD})",
         f"try:\n    {NEW}()\nexcept a.B:\n    {NEW}()\nelse:\n    a.b({NEW})"),
        ("import tensorflow as tf", f"[(x.a, y) for x, y in {OLD}() if x.b]",
         f"[(x.a, y) for x, y in {NEW}() if x.b]"),
        ("import tensorflow as tf", "(tf.config  # here\n .experimental.list_physical_devices())",
         "(tf.config  # here\n .list_physical_devices())"),
    ],
)  # fmt: skip
def test_old_names(head: str, old: str, new: str) -> None:
    check_transformed(f"{head}\n\n{old}\n", f"{head}\n\n{new}\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("list_physical_devices", "list_physical_devices"),
        ("list_physical_devices as f, set_visible_devices",
         "list_physical_devices as f, set_visible_devices"),
        ("VirtualDeviceConfiguration", "LogicalDeviceConfiguration as VirtualDeviceConfiguration"),
        ("VirtualDeviceConfiguration as C", "LogicalDeviceConfiguration as C"),
    ],
)  # fmt: skip
def test_imported_names(before: str, after: str) -> None:
    check_transformed(
        f"from tensorflow.config.experimental import {before}\n",
        f"from tensorflow.config import {after}\n",
    )


@pytest.mark.parametrize(
    "program",
    [
        # Another way to the name, or names that stay beside it.
        "from tensorflow.config import experimental\nexperimental.list_physical_devices()\n",
        "from tensorflow.config.experimental import list_physical_devices, set_memory_growth\n",
        "import tensorflow.config.experimental as e\ne.list_physical_devices()\n",
        # The name is replaced, or may be.
        f"import tensorflow as tf\n{OLD} = fake\n{OLD}()\n",
        f"import tensorflow as tf\nwith patch('tensorflow{OLD[2:]}'):\n    {OLD}()\n",
        "from tensorflow.config.experimental import list_physical_devices\n"
        f"patch('tensorflow{OLD[2:]}')\n",
    ],
)
def test_old_names_that_stay(program: str) -> None:
    check_noop(program)
    found = [item for item in analysed(program).findings if item.name == "stable-names"]
    assert found
    assert all(item.fix == "none" and "left as it is" in item.message for item in found)


@pytest.mark.parametrize(
    "program",
    [
        # Code for several versions.
        f"import tensorflow as tf\nif tf.__version__ < '2.1':\n    {OLD}()\n",
        f"import tensorflow as tf\nNEW = tf.__version__ > '2'\nx = 0 if NEW else {OLD}()\n",
        f"import tensorflow as tf\ntry:\n    {NEW}()\nexcept AttributeError:\n    {OLD}()\n",
        "try:\n    from tensorflow.config import list_physical_devices\n"
        "except ImportError:\n"
        "    from tensorflow.config.experimental import list_physical_devices\n",
        f"import tensorflow as tf\nx = hasattr(tf.config, 'experimental') and {OLD}()\n",
        # TensorFlow 1 code, which stays so.
        f"import tensorflow as tf\n{OLD}()\nsess = tf.Session()\n",
        # Other things.
        f"import torch as tf\n{OLD}()\n",
        f"def f(tf):\n    {OLD}()\n",
        "import tensorflow as tf\ntf.config.experimental.set_memory_growth(gpu, True)\n",
        f"import tensorflow as tf\n{NEW}()\n# {OLD}\n",
    ],
)
def test_no_old_names(program: str) -> None:
    check_noop(program)
    assert names(analysed(program)) == []


def test_the_lowest_version_and_the_selection_decide() -> None:
    program = f"import tensorflow as tf\n\n{OLD}()\n"
    for options in (Options(min_tf=(2, 0)), Options(ignore=("stable-names",))):
        check_noop(program, options)
        assert names(analysed(program, options)) == []


def test_old_name_in_the_value_of_a_setting() -> None:
    before = f"""
        import tensorflow as tf

        config = tf.ConfigProto(inter_op_parallelism_threads=len({OLD}()))
        sess = tf.Session(config=config)
        print({OLD}())
        """
    after = f"""
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()

        tf.config.threading.set_inter_op_parallelism_threads(len({NEW}()))
        sess = tf.Session()
        print({NEW}())
        """
    check_transformed(before, after)


def test_a_kept_config_keeps_names_where_nothing_is_converted() -> None:
    before = f"""
        import tensorflow as tf

        sess = tf.Session(config=tf.ConfigProto(use_per_session_threads=True))
        print({OLD}())
        """
    check_noop(before)
    check_noop(before, Options(keep_imports=True))
