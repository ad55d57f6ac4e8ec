"""Configs of several files of one program that differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program.test_programs import results

MAIN = "import one\nimport two\n\none.make()\ntwo.make()\n"
SOFT = """
    import tensorflow as tf

    def make():
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
        return tf.Session(config=config)
"""
GROWTH = """
    import tensorflow as tf

    def make():
        x = tf.placeholder(tf.float32)
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        return tf.Session(config=config)
"""
VISIBLE = """
    import tensorflow as tf

    def make():
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = "0"
        return tf.Session(config=config)
"""
GRAPH_LATER = """
    import tensorflow.compat.v1 as tf

    def make():
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        return tf.Session(config=config)
"""


def kept(folder: Path, one: str, two: str, **more: str) -> list[str | None]:
    """Return what kept the configs of two files of one program."""
    files = {"main.py": MAIN, "one.py": one, "two.py": two}
    found = results(folder, files | {f"{name}.py": text for name, text in more.items()})
    return [found[name].configs[0].kept_by for name in ("one.py", "two.py")]


def test_each_file_sets_the_defaults_of_what_only_the_other_sets(tmp_path: Path) -> None:
    found = results(tmp_path, {"main.py": MAIN, "one.py": SOFT, "two.py": GROWTH})
    text = found["two.py"].new_text
    assert text is not None
    assert "    tf.config.set_soft_device_placement(False)\n" in text
    assert found["one.py"].configs[0].kept_by is None


def test_what_has_no_default_reaches_later_sessions(tmp_path: Path) -> None:
    bridge = """
        import tensorflow as tf

        def make():
            config = tf.ConfigProto()
            config.experimental.enable_mlir_bridge = True
            return tf.Session(config=config)
    """
    assert "TFG913" in kept(tmp_path / "before", bridge, SOFT)
    assert kept(tmp_path / "behind", SOFT, bridge) == [None, None]


def test_settings_move_to_the_session_that_another_method_makes(tmp_path: Path) -> None:
    two = """
        import tensorflow as tf

        class Maker:
            def __init__(self):
                self.config = tf.ConfigProto(device_count={"GPU": 1})

            def make(self):
                return tf.Session(config=self.config)

        def make():
            return Maker().make()
    """
    assert kept(tmp_path, SOFT, two) == [None, None]


def test_visible_devices_get_no_default_where_something_starts_the_runtime(tmp_path: Path) -> None:
    two = GROWTH.replace("x = tf.placeholder(tf.float32)", "config = None").replace(
        "return tf.Session(config=config)",
        "sess = tf.Session(config=config)\n        return tf.data.Dataset.range(8).map(str)",
    )
    two = two.replace("        config = None\n", "")
    assert "TFG913" in kept(tmp_path, VISIBLE, two)


def test_a_default_is_not_put_where_no_session_may_follow(tmp_path: Path) -> None:
    two = """
        import tensorflow as tf

        def make(train):
            x = tf.placeholder(tf.float32)
            config = tf.ConfigProto()
            if train:
                config.device_count["GPU"] = 1
                return tf.Session(config=config)
    """
    assert "TFG913" in kept(tmp_path, VISIBLE, two)


def test_defaults_are_set_where_imports_stay_as_they_are(tmp_path: Path) -> None:
    files = {"main.py": MAIN, "one.py": SOFT, "two.py": GRAPH_LATER}
    found = results(tmp_path, files, keep_imports=True)
    text = found["two.py"].new_text
    assert text is not None
    assert "    tf.config.set_soft_device_placement(False)\n" in text


@pytest.mark.parametrize(
    "imported",
    [
        "import tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n",
        "import tensorflow as tf\n\nx = tf.placeholder(tf.float32)\n",
    ],
)
def test_a_file_that_turns_eager_execution_off_makes_defaults_possible(
    tmp_path: Path, imported: str
) -> None:
    two = "import graphs\n" + "\n".join(line[4:] for line in GRAPH_LATER.splitlines()[1:])
    files = {"main.py": MAIN, "one.py": SOFT, "two.py": two, "graphs.py": imported}
    text = results(tmp_path, files)["two.py"].new_text
    assert text is not None
    assert "set_soft_device_placement(False)" in text


def test_a_file_that_cannot_be_parsed_turns_nothing_off(tmp_path: Path) -> None:
    two = "import graphs\n" + "\n".join(line[4:] for line in GRAPH_LATER.splitlines()[1:])
    assert kept(tmp_path, VISIBLE, two, graphs="import tensorflow\nprint 'x'\n") == [
        "TFG913",
        "TFG938",
    ]


def test_a_file_without_tensorflow_turns_nothing_off(tmp_path: Path) -> None:
    two = "import graphs\n" + "\n".join(line[4:] for line in GRAPH_LATER.splitlines()[1:])
    assert kept(tmp_path, VISIBLE, two, graphs="import os\n") == ["TFG913", "TFG938"]


def test_files_that_are_analysed_as_one_are_compared_there(tmp_path: Path) -> None:
    # The group knows that the first session comes before the second: nothing is put back for it.
    helper = """
        import tensorflow as tf

        def get_config():
            return tf.ConfigProto(allow_soft_placement=True)
    """
    main = """
        import tensorflow as tf
        import one

        first = tf.Session(config=one.get_config())
        config = tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 1})
        second = tf.Session(config=config)
    """
    found = results(tmp_path, {"main.py": main, "one.py": helper})
    for name in ("main.py", "one.py"):
        assert [config.kept_by for config in found[name].configs] == [None]
    text = found["one.py"].new_text
    assert text is not None
    assert text.endswith("get_config():\n    tf.config.set_soft_device_placement(True)\n")
