"""Python's less usual ways to build, change and hand over a config."""

from __future__ import annotations

import pytest

from tests.tools import check_body, check_body_kept, check_not_converted

SOFT = "tf.ConfigProto(allow_soft_placement=True)"
SET = "tf.config.set_soft_device_placement(True)"


def test_setattr_with_a_literal_name() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        setattr(config, "allow_soft_placement", True)
        setattr(config.gpu_options, "allow_growth", growth)
        sess = tf.Session(config=config)
        """,
        """
        tf.config.set_soft_device_placement(True)
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, growth)
        sess = tf.Session()
        """,
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('setattr(config, name, True)', "passed-on"),
        ('setattr(config, "allow_soft_placement")', "passed-on"),
        ('setattr(config, 0, True)', "passed-on"),
        ('setattr(config, "allow_soft_placement", True, *more)', "passed-on"),
        ('setattr(config, "allow_soft_placement", True, **more)', "passed-on"),
        ('print(setattr(config, "allow_soft_placement", True))', "passed-on"),
        ('setattr(other, "config", config)', "passed-on"),
        ('setattr(config, "gpu_options", options)', "config-read"),
        ('setattr(config, "device_count", {"GPU": 0})', "config-read"),
        ('setattr(config, "allow_soft", True)', "unknown-field"),
        ('text_format.Parse("allow_soft_placement: true", config)', "passed-on"),
        ('text_format.Merge(text, config)', "passed-on"),
        ('config.MergeFromString(data)', "config-read"),
        ('config.ParseFromString(data)', "config-read"),
        ("config = pickle.loads(pickle.dumps(config))", "passed-on"),
    ],
)  # fmt: skip
def test_change_that_is_kept(line: str, reason: str) -> None:
    check_body_kept(
        f"""
        config = tf.ConfigProto()
        {line}
        sess = tf.Session(config=config)
        """,
        reason,
    )


def test_setattr_of_the_file() -> None:
    check_body(
        """
        def setattr(config, name, value):
            print(name, value)


        config = tf.ConfigProto()
        setattr(config, "allow_soft_placement", True)
        sess = tf.Session(config=config)
        """,
        """
        def setattr(name, value):
            print(name, value)


        setattr("allow_soft_placement", True)
        sess = tf.Session()
        """,
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            f"config = proto = {SOFT}\nsess = tf.Session(config=proto)",
            f"{SET}\nsess = tf.Session()",
        ),
        (
            f"config = proto = None\nproto = {SOFT}\nsess = tf.Session(config=proto)",
            f"config = None\n{SET}\nsess = tf.Session()",
        ),
        (
            f"(config := {SOFT})\nsess = tf.Session(config=config)",
            f"{SET}\nsess = tf.Session()",
        ),
        (
            f"with tf.Session(config=(config := {SOFT})) as sess:\n    pass",
            f"{SET}\nwith tf.Session() as sess:\n    pass",
        ),
        (
            f"proto = (config := {SOFT})\nconfig.log_device_placement = True\n"
            "sess = tf.Session(config=proto)",
            f"{SET}\ntf.debugging.set_log_device_placement(True)\nsess = tf.Session()",
        ),
        (
            f"with ExitStack() as stack:\n    s = stack.enter_context(tf.Session(config={SOFT}))",
            f"with ExitStack() as stack:\n    {SET}\n    s = stack.enter_context(tf.Session())",
        ),
        (
            f"with contextlib.closing(tf.Session(config={SOFT})) as sess:\n    pass",
            f"{SET}\nwith contextlib.closing(tf.Session()) as sess:\n    pass",
        ),
        (
            f"async def run():\n    config = {SOFT}\n    async with lock:\n"
            "        sess = tf.Session(config=config)",
            f"async def run():\n    {SET}\n    async with lock:\n        sess = tf.Session()",
        ),
        (
            f"class Model:\n    config = 1\n    sess = tf.Session(config={SOFT})",
            f"{SET}\n\nclass Model:\n    config = 1\n    sess = tf.Session()",
        ),
        (
            f'if __name__ == "__main__":\n    sess = tf.Session(config={SOFT})',
            f'if __name__ == "__main__":\n    {SET}\n    sess = tf.Session()',
        ),
        (
            f"def outer():\n    config = {SOFT}\n\n    def inner():\n"
            "        return tf.Session(config=config)\n\n    return inner",
            f"def outer():\n    {SET}\n\n    def inner():\n"
            "        return tf.Session()\n\n    return inner",
        ),
        (
            "_SESSION = None\n\n\ndef get_session():\n    global _SESSION\n"
            f"    if _SESSION is None:\n        config = {SOFT}\n"
            "        _SESSION = tf.Session(config=config)\n    return _SESSION",
            "_SESSION = None\n\n\ndef get_session():\n    global _SESSION\n"
            f"    if _SESSION is None:\n        {SET}\n"
            "        _SESSION = tf.Session()\n    return _SESSION",
        ),
        (
            f"for step in range(3):\n    config = {SOFT}\n    with tf.Session(config=config):\n"
            "        pass",
            f"for step in range(3):\n    {SET}\n    with tf.Session():\n        pass",
        ),
        (
            f"try:\n    sess = tf.Session(config={SOFT})\nexcept ValueError:\n"
            f"    sess = tf.Session(config={SOFT})",
            f"try:\n    {SET}\n    sess = tf.Session()\nexcept ValueError:\n"
            f"    {SET}\n    sess = tf.Session()",
        ),
        (
            "try:\n    sess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=8))\n"
            "except ValueError:\n"
            "    sess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=1))",
            "try:\n    tf.config.threading.set_intra_op_parallelism_threads(8)\n"
            "    sess = tf.Session()\nexcept ValueError:\n"
            "    tf.config.threading.set_intra_op_parallelism_threads(1)\n    sess = tf.Session()",
        ),
        (
            f"try:\n    sess = tf.Session(config={SOFT})\n"
            "except ValueError:\n    sess = tf.Session(config=tf.ConfigProto())",
            f"try:\n    {SET}\n    sess = tf.Session()\nexcept ValueError:\n"
            "    tf.config.set_soft_device_placement(False)\n    sess = tf.Session()",
        ),
    ],
)  # fmt: skip
def test_statement(before: str, after: str) -> None:
    check_body(before + "\n", after + "\n")


def test_chained_targets_of_which_one_is_an_attribute() -> None:
    check_body(
        """
        class Trainer:
            def __init__(self):
                self.config = config = tf.ConfigProto(allow_soft_placement=True)
                config.log_device_placement = True

            def run(self):
                return tf.Session(config=self.config)
        """,
        """
        class Trainer:
            def __init__(self):
                tf.config.set_soft_device_placement(True)
                tf.debugging.set_log_device_placement(True)

            def run(self):
                return tf.Session()
        """,
    )


@pytest.mark.parametrize(
    "lines",
    [
        f"if (config := {SOFT}):\n    sess = tf.Session(config=config)",
        f"sessions = [tf.Session(config=(config := {SOFT})) for _ in names]",
        f"table['config'] = config = {SOFT}\nsess = tf.Session(config=config)",
        f"other.config = config = {SOFT}\nsess = tf.Session(config=config)",
        f"count, config = 1, {SOFT}\nsess = tf.Session(config=config)",
        f"config, *rest = {SOFT}, 1\nsess = tf.Session(config=config)",
        f"get_config = lambda: {SOFT}\nsess = tf.Session(config=get_config())",
        f"def run(config={SOFT}):\n    return tf.Session(config=config)",
        f"async def get():\n    return {SOFT}\n\n\nasync def run():\n"
        "    return tf.Session(config=await get())",
    ],
)
def test_kept(lines: str) -> None:
    check_not_converted(f"import tensorflow as tf\n\n{lines}\n")


# What differs is named.


def test_configs_for_training_and_evaluation() -> None:
    check_body(
        """
        train = tf.ConfigProto(allow_soft_placement=True, log_device_placement=True)
        test = tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 0})
        trainer = tf.Session(config=train)
        tester = tf.Session(config=test)
        """,
        """
        tf.config.set_soft_device_placement(True)
        tf.debugging.set_log_device_placement(True)
        trainer = tf.Session()
        tf.debugging.set_log_device_placement(False)
        tf.config.set_soft_device_placement(True)
        tf.config.set_visible_devices([], "GPU")
        tester = tf.Session()
        """,
    )


def test_configs_of_an_object_for_training_and_evaluation() -> None:
    result = check_body_kept(
        """
        class Model:
            def __init__(self):
                self.train = tf.ConfigProto(allow_soft_placement=True, log_device_placement=True)
                self.test = tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 0})

            def run(self):
                return tf.Session(config=self.train), tf.Session(config=self.test)
        """,
        "different-configs",
    )
    message = next(item.message for item in result.findings if item.name == "different-configs")
    assert "differs in device_count.GPU, log_device_placement, and" in message


def test_two_configs_under_one_name_in_branches() -> None:
    result = check_body_kept(
        """
        config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=True)
        trainer = tf.Session(config=config)
        if testing:
            config = tf.ConfigProto(allow_soft_placement=True)
        tester = tf.Session(config=config)
        """,
        "different-configs",
    )
    message = next(item.message for item in result.findings if item.name == "different-configs")
    assert "differs in log_device_placement, and" in message
