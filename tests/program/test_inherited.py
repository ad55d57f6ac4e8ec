"""Classes that inherit a config, or what returns one, from a class in another file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program.test_programs import check, results

HEAD = "import tensorflow.compat.v1 as tf\n    tf.disable_v2_behavior()"
RAW = "import tensorflow as tf"
BASE = """
    {}


    class Base:
        def __init__(self):
            {}

        def get_config(self):
            {}
"""
TRAINER = """
    {}
    import base


    class Trainer(base.Base):
        def run(self):
            return tf.Session({})

        def evaluate(self):
            {}
"""


def test_attribute_and_method_of_a_base_in_another_file(tmp_path: Path) -> None:
    check(
        tmp_path,
        {
            "base.py": (
                BASE.format(
                    RAW,
                    "self.config = tf.ConfigProto(allow_soft_placement=True)",
                    "return tf.ConfigProto(allow_soft_placement=True)",
                ),
                BASE.format(
                    RAW,
                    "tf.config.set_soft_device_placement(True)",
                    "tf.config.set_soft_device_placement(True)",
                ),
            ),
            "trainer.py": (
                TRAINER.format(
                    RAW, "config=self.config", "return tf.Session(config=self.get_config())"
                ),
                TRAINER.format(HEAD, "", "self.get_config()\n            return tf.Session()"),
            ),
        },
    )


def test_base_whose_attribute_another_file_reads(tmp_path: Path) -> None:
    found = results(
        tmp_path,
        {
            "base.py": """
                import tensorflow as tf


                class Base:
                    def __init__(self):
                        self.config = tf.ConfigProto(allow_soft_placement=True)

                    def run(self):
                        return tf.Session(config=self.config)
            """,
            "shown.py": """
                from base import Base


                class Shown(Base):
                    def show(self):
                        print(self.config)
            """,
        },
    )
    assert [result.new_text for result in found.values()] == [None, None]
    assert [item.name for item in found["shown.py"].findings] == ["passed-on"]


def test_base_that_makes_a_session_too(tmp_path: Path) -> None:
    # Without its base the class would look complete.
    found = results(
        tmp_path,
        {
            "base.py": """
                import tensorflow as tf


                class Base:
                    def run(self):
                        self.log(self.config)
                        return tf.Session(config=self.config)
            """,
            "trainer.py": """
                import tensorflow as tf
                from base import Base


                class Trainer(Base):
                    def __init__(self):
                        self.config = tf.ConfigProto(allow_soft_placement=True)
                        self.pretrained = tf.Session(config=self.config)
            """,
        },
    )
    assert [result.new_text for result in found.values()] == [None, None]


OBJECT = """
    {}


    class Trainer:
        def __init__(self):
            {}

        def get_config(self):
            {}

        def run(self):
            {}
"""
SOFT = "tf.ConfigProto(allow_soft_placement=True)"
HELD = OBJECT.format(RAW, f"self.config = {SOFT}", "pass", "tf.Session(config=self.config)")
MADE = OBJECT.format(RAW, "pass", f"return {SOFT}", "tf.Session(config=self.get_config())")
TAKEN = OBJECT.format(RAW, "pass", "pass", "pass") + (
    "\n        def make(self, config=None):\n            return tf.Session(config=config)\n"
    f"\n        def again(self):\n            return self.make({SOFT})\n"
)
FILLED = OBJECT.format(RAW, "pass", "pass", "return self.make()") + (
    "\n        def make(self, config=None):\n            if config is None:\n"
    f"                config = {SOFT}\n            return tf.Session(config=config)\n"
)
START = "import shown\nimport trainer\n\nshown.show(trainer.Trainer())\n"


@pytest.mark.parametrize(
    ("trainer", "use"),
    [
        (HELD, "print(it.config)"),
        (MADE, "print(it.get_config())"),
        (TAKEN, "it.make(load())"),
        (FILLED, "it.make(load())"),
    ],
)
def test_file_that_is_given_an_object_and_imports_nothing(
    tmp_path: Path, trainer: str, use: str
) -> None:
    files = {"trainer.py": trainer, "shown.py": f"def show(it):\n    {use}\n", "main.py": START}
    assert not [name for name, result in results(tmp_path, files).items() if result.changes]
    # Another program has nothing to do with it.
    files = {"trainer.py": trainer, "shown.py": files["shown.py"], "main.py": "import trainer\n"}
    assert [name for name, result in results(tmp_path, files).items() if result.changes]


def test_attributes_of_other_objects_are_no_matter(tmp_path: Path) -> None:
    shown = """
        class Shown:
            def __init__(self):
                self.config = {}

            def show(self):
                print(self.config)
    """
    files = {"trainer.py": HELD, "shown.py": shown, "main.py": "import trainer, shown\n"}
    assert results(tmp_path, files)["trainer.py"].changes
