"""Which GPUs are visible, and how they are split."""

from __future__ import annotations

import pytest

from tests.tools import UNSAFE, check_body, check_body_kept

V = "tf.GPUOptions.Experimental.VirtualDevices"
LIST = "gpus = tf.config.list_physical_devices({0}GPU{0})\n"


@pytest.mark.parametrize(
    ("ids", "count", "visible"),
    [
        ("1", "1", "gpus[1]"),
        ("1", "3", "gpus[1]"),
        ("1", "len(x)", "[gpus[1]] if len(x) != 0 else []"),
        ("0,1", "1", "[gpus[0], gpus[1]][:1]"),
        ("0,1", "len(x)", "[gpus[0], gpus[1]][:len(x)] if len(x) != 0 else []"),
    ],
)
def test_count_within_a_list(ids: str, count: str, visible: str) -> None:
    check_body(
        f"""
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "{ids}"
        config.device_count["GPU"] = {count}
        sess = tf.Session(config=config)
        """,
        f"""
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_visible_devices({visible}, "GPU")
        sess = tf.Session()
        """,
    )


@pytest.mark.parametrize("ids", ["0,1", "-1"])
def test_no_gpu_whatever_the_list_says(ids: str) -> None:
    check_body(
        f"""
        config = tf.ConfigProto(device_count={{"GPU": {0 if ids == "0,1" else 2}}})
        config.gpu_options.visible_device_list = "{ids}"
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        """
        tf.config.set_visible_devices([], "GPU")
        sess = tf.Session()
        """,
    )


def test_count_alone() -> None:
    check_body(
        "sess = tf.Session(config=tf.ConfigProto(device_count=dict(GPU=2, CPU=1)))\n",
        'gpus = tf.config.list_physical_devices("GPU")\n'
        'tf.config.set_visible_devices(gpus[:2], "GPU")\n'
        "sess = tf.Session()\n",
    )


def test_list_and_count_in_branches_that_exclude_each_other() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        if few:
            config.device_count["GPU"] = 1
        else:
            config.gpu_options.visible_device_list = "0"
        sess = tf.Session(config=config)
        """,
        """
        if few:
            gpus = tf.config.list_physical_devices("GPU")
            tf.config.set_visible_devices(gpus[:1], "GPU")
        else:
            gpus = tf.config.list_physical_devices("GPU")
            if gpus:
                tf.config.set_visible_devices(gpus[0], "GPU")
        sess = tf.Session()
        """,
    )


def test_lists_of_a_conditional_expression() -> None:
    check_body(
        """
        options = (tf.GPUOptions(visible_device_list="0") if a
                   else tf.GPUOptions(visible_device_list="1"))
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        """
        if a:
            gpus = tf.config.list_physical_devices("GPU")
            if gpus:
                tf.config.set_visible_devices(gpus[0], "GPU")
        else:
            gpus = tf.config.list_physical_devices("GPU")
            if gpus:
                tf.config.set_visible_devices(gpus[1], "GPU")
        sess = tf.Session()
        """,
    )


def test_lists_of_two_functions() -> None:
    # The second list behind the first one is fine, the first behind the second raises.
    check_body_kept(
        """
        def first():
            options = tf.GPUOptions(visible_device_list="0,1")
            config = tf.ConfigProto(gpu_options=options, device_count={"GPU": 1})
            return tf.Session(config=config)


        def second():
            options = tf.GPUOptions(visible_device_list="0")
            config = tf.ConfigProto(gpu_options=options, device_count={"GPU": 1})
            return tf.Session(config=config)
        """,
        "different-configs",
    )


def test_growth_that_is_decided_later_than_the_list() -> None:
    check_body(
        """
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="1"))
        print(1)
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        """
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_visible_devices(gpus[1], "GPU")
        print(1)
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        sess = tf.Session()
        """,
    )


# Virtual devices.

ONE = """
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_logical_device_configuration(
                gpus[0],
                [tf.config.LogicalDeviceConfiguration(memory_limit=limit)],
            )
        sess = tf.Session()
        """


@pytest.mark.parametrize(
    "line",
    [
        "devices.add(memory_limit_mb=[limit])",
        f"devices.append({V}(memory_limit_mb=[limit]))",
        f"devices.append({V}(memory_limit_mb=(limit,)))",
        f"devices.extend([{V}(memory_limit_mb=[limit])])",
        f"devices.extend(({V}(memory_limit_mb=[limit]), {V}()))",
        f"devices.extend([{V}(memory_limit_mb=[limit]), {V}(memory_limit_mb=[])])",
    ],
)
def test_virtual_devices(line: str) -> None:
    check_body(
        f"""
        config = tf.ConfigProto()
        devices = config.gpu_options.experimental.virtual_devices
        {line}
        sess = tf.Session(config=config)
        """,
        ONE,
    )


def test_virtual_devices_of_the_constructor() -> None:
    check_body(
        f"""
        part = tf.GPUOptions.Experimental(virtual_devices=[{V}(memory_limit_mb=[limit])])
        sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(experimental=part)))
        """,
        ONE,
    )


def test_virtual_devices_with_priorities() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        config.gpu_options.experimental.virtual_devices.add(
            memory_limit_mb=[1, 2], priority=[0, -1])
        sess = tf.Session(config=config)
        """,
        """
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_logical_device_configuration(
                gpus[0],
                [
                    tf.config.LogicalDeviceConfiguration(memory_limit=1, experimental_priority=0),
                    tf.config.LogicalDeviceConfiguration(memory_limit=2, experimental_priority=-1),
                ],
            )
        sess = tf.Session()
        """,
    )


def test_virtual_devices_of_the_gpu_of_a_rank() -> None:
    check_body(
        """
        import horovod.tensorflow as hvd
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = str(hvd.local_rank())
        config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[1])
        sess = tf.Session(config=config)
        """,
        """
        import horovod.tensorflow as hvd
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
            tf.config.set_logical_device_configuration(
                gpus[hvd.local_rank()],
                [tf.config.LogicalDeviceConfiguration(memory_limit=1)],
            )
        sess = tf.Session()
        """,
    )


BAD = {
    "more-than-the-list": """
        config.gpu_options.visible_device_list = "0,1"
        devices.add(memory_limit_mb=[1])
        """,
    "unknown-list": """
        config.gpu_options.visible_device_list = FLAGS.gpus
        devices.add(memory_limit_mb=[1])
        """,
    "two-for-one-rank": """
        config.gpu_options.visible_device_list = str(hvd.local_rank())
        devices.add(memory_limit_mb=[1])
        devices.add(memory_limit_mb=[1])
        """,
    "limits-in-a-variable": "devices.add(memory_limit_mb=limits)\n",
    "starred-limits": "devices.add(memory_limit_mb=[*limits])\n",
    "calls-for-limits": "devices.add(memory_limit_mb=[read()])\n",
    "unpacked": "devices.add(**options)\n",
    "another-field": "devices.add(memory=[1])\n",
    "positional": f"devices.append({V}([1]))\n",
    "priorities-that-do-not-match": "devices.add(memory_limit_mb=[1, 2], priority=[0])\n",
    "variable": "devices.append(device)\n",
    "two-arguments": f"devices.append({V}(), {V}())\n",
}


@pytest.mark.parametrize("name", BAD)
def test_virtual_devices_that_cannot_be_followed(name: str) -> None:
    lines = BAD[name].replace("\n        ", "\n").lstrip("\n")
    text = (
        "config = tf.ConfigProto()\ndevices = config.gpu_options.experimental.virtual_devices\n"
        f"{lines}sess = tf.Session(config=config)\n"
    )
    check_body_kept(text, "virtual-devices")


def test_order_of_gpus_and_virtual_devices() -> None:
    before = """
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "1,0"
        config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[1])
        config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[2])
        sess = tf.Session(config=config)
        """
    check_body_kept(before, "needs-unsafe")
    result = check_body_kept(before, "needs-unsafe")
    assert {item.fix for item in result.findings} == {"unsafe"}
    lines = {item.name: item.line for item in result.findings}
    assert lines["needs-unsafe"] == lines["visible-device-list"]


def test_order_and_count_of_gpus() -> None:
    check_body_kept(
        """
        config = tf.ConfigProto(device_count={"GPU": number})
        config.gpu_options.visible_device_list = "1,0"
        sess = tf.Session(config=config)
        """.replace("number", "1"),
        "needs-unsafe",
    )
    check_body_kept(
        """
        options = tf.GPUOptions(visible_device_list="1,0")
        first = tf.Session(config=load())
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
        """,
        "foreign-config",
        UNSAFE,
    )
