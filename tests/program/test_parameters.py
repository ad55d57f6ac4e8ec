"""Configs that go through parameters of functions of other files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program.test_programs import check, results

LIBRARY = """
    import tensorflow as tf

    def _create(variables, session_config=None):
        with tf.Session(config=session_config) as sess:
            sess.run(variables)

    def convert(path,
                session_config=None):
        return _create(
            path,
            session_config=session_config)
"""
LIBRARY_AFTER = """
    import tensorflow.compat.v1 as tf

    def _create(variables):
        with tf.Session() as sess:
            sess.run(variables)

    def convert(path):
        return _create(
            path)
"""
SCRIPT = """
    import tensorflow as tf

    from project import checkpoint

    def main():
        checkpoint.convert("a", session_config=tf.ConfigProto(device_count={"GPU": 0}))

    main()
"""
SCRIPT_AFTER = """
    import tensorflow as tf
    tf.compat.v1.disable_v2_behavior()

    from project import checkpoint

    def main():
        tf.config.set_visible_devices([], "GPU")
        checkpoint.convert("a")

    main()
"""


def test_function_of_another_file(tmp_path: Path) -> None:
    check(
        tmp_path,
        {
            "project/__init__.py": ("", ""),
            "project/checkpoint.py": (LIBRARY, LIBRARY_AFTER),
            "script.py": (SCRIPT, SCRIPT_AFTER),
        },
    )


@pytest.mark.parametrize(
    ("statement", "call"),
    [
        ("from project.checkpoint import convert", "convert"),
        ("from project.checkpoint import convert as go", "go"),
        ("import project.checkpoint", "project.checkpoint.convert"),
        ("import project.checkpoint as c", "c.convert"),
    ],
)
def test_all_ways_to_call_it(tmp_path: Path, statement: str, call: str) -> None:
    before = SCRIPT.replace("from project import checkpoint", statement)
    after = SCRIPT_AFTER.replace("from project import checkpoint", statement)
    check(
        tmp_path,
        {
            "project/__init__.py": ("", ""),
            "project/checkpoint.py": (LIBRARY, LIBRARY_AFTER),
            "script.py": (
                before.replace("checkpoint.convert(", f"{call}("),
                after.replace("checkpoint.convert(", f"{call}("),
            ),
        },
    )


def test_caller_that_gives_none_in_a_third_file(tmp_path: Path) -> None:
    other = "from project.checkpoint import convert\n\nconvert('b', {})\n"
    found = results(
        tmp_path,
        {
            "project/__init__.py": "",
            "project/checkpoint.py": LIBRARY,
            "script.py": SCRIPT.replace(
                'device_count={"GPU": 0}', "intra_op_parallelism_threads=1"
            ),
            "other.py": other.format("None"),
        },
    )
    assert found["other.py"].new_text == "from project.checkpoint import convert\n\nconvert('b')\n"


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ("from project.checkpoint import convert\n\nprint(convert)\n", "parameter"),
        ("from project.checkpoint import convert\n\nconvert('b', load())\n", "foreign-config"),
        ("from project.checkpoint import convert\n\nconvert('b', *more)\n", "parameter"),
        ("from project import checkpoint\n\ncheckpoint.convert = print\n", "parameter"),
        ("from project import checkpoint\n\ncheckpoint._create = print\n", "parameter"),
        ("from project.checkpoint import _create\n\n_create(x, load())\n", "foreign-config"),
        (
            "from project.checkpoint import _create\n\ndef go(config=None):\n"
            "    _create(x, config)\n\ngo(load())\n",
            "foreign-config",
        ),
        (
            "try:\n    from project.checkpoint import convert\nexcept ImportError:\n"
            "    from other import convert\n\nconvert('b', load())\n",
            "parameter",
        ),
        (
            "from project import checkpoint\n\ngetattr(checkpoint, 'convert')('b', load())\n",
            "parameter",
        ),
    ],
)
def test_what_a_third_file_does_with_it(tmp_path: Path, other: str, reason: str) -> None:
    found = results(
        tmp_path,
        {
            "project/__init__.py": "",
            "project/checkpoint.py": LIBRARY,
            "script.py": SCRIPT,
            "other.py": other,
        },
    )
    assert not [name for name, result in found.items() if result.changes]
    names = {finding.name for result in found.values() for finding in result.findings}
    assert reason in names


def test_config_that_another_program_keeps(tmp_path: Path) -> None:
    other = (
        "import tensorflow as tf\nfrom project.checkpoint import convert\n\n"
        "convert('b', tf.ConfigProto(operation_timeout_in_ms=1000))\n"
    )
    files = {"project/checkpoint.py": LIBRARY, "script.py": SCRIPT, "other.py": other}
    found = results(tmp_path, {"project/__init__.py": "", **files})
    kept = {name: [config.kept_by for config in found[name].configs] for name in files}
    assert kept == {"project/checkpoint.py": [], "script.py": ["TFG938"], "other.py": ["TFG405"]}


def test_only_the_files_of_the_run_are_known(tmp_path: Path) -> None:
    found = results(tmp_path, {"script.py": SCRIPT, "project/__init__.py": ""})
    assert not found["script.py"].changes
    assert "passed-on" in {finding.name for finding in found["script.py"].findings}


def test_method_that_another_file_calls(tmp_path: Path) -> None:
    found = results(
        tmp_path,
        {
            "trainer.py": """
                import tensorflow as tf

                class Trainer:
                    def train(self, config):
                        return tf.Session(config=config)

                    def run(self):
                        return self.train(tf.ConfigProto(allow_soft_placement=True))
                """,
            "other.py": "from trainer import Trainer\n\nTrainer().train(load())\n",
        },
    )
    assert not [name for name, result in found.items() if result.changes]


def test_path_through_files(tmp_path: Path) -> None:
    found = results(
        tmp_path,
        {
            "project/__init__.py": "",
            "project/checkpoint.py": LIBRARY.replace("sess.run", "print(session_config), sess.run"),
            "script.py": SCRIPT,
            "other.py": "from project import checkpoint\n\ncheckpoint.convert('b', None)\n",
        },
    )
    (finding,) = [item for item in found["script.py"].findings if item.name == "parameter"]
    script, library = tmp_path / "script.py", tmp_path / "project/checkpoint.py"
    assert finding.message == (
        f"config kept: the config built in line 6 is passed to `convert` ({script}:6), where "
        f"it is passed to `_create` ({library}:9), where it is passed to `print` ({library}:5)"
    )


def test_callers_of_a_function_that_hands_on_what_it_is_never_given(tmp_path: Path) -> None:
    found = results(
        tmp_path,
        {
            "project/__init__.py": "",
            "project/checkpoint.py": LIBRARY,
            "script.py": SCRIPT,
            "other.py": "from project.checkpoint import convert\n\n"
            "def go(config=None):\n    convert('b', config)\n",
            "third.py": "from other import go\n\ngo(load())\n",
        },
    )
    assert not [name for name, result in found.items() if result.changes]


FILLED = """
    import tensorflow as tf

    def make_session(config=None, graph=None):
        if config is None:
            config = tf.ConfigProto(allow_soft_placement=True)
        return tf.Session(config=config, graph=graph)
"""
FILLED_AFTER = """
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()

    def make_session(graph=None):
        tf.config.set_soft_device_placement(True)
        return tf.Session(graph=graph)
"""


def test_parameter_that_no_file_gives(tmp_path: Path) -> None:
    one = "from util import make_session\n\nsess = make_session({}graph=None)\n"
    two = "import util as u\n\nwith u.make_session() as sess:\n    sess.run([])\n"
    check(
        tmp_path,
        {
            "util.py": (FILLED, FILLED_AFTER),
            "one.py": (one.format("None, "), one.format("")),
            "two.py": (two, two),
        },
    )


@pytest.mark.parametrize(
    "other",
    [
        "from util import make_session\n\nmake_session(load())\n",
        "import util\n\nutil.make_session(config=load())\n",
        "from util import make_session\n\nmake_session(*arguments)\n",
        "from util import make_session\n\nREGISTRY = [make_session]\n",
        "import util\n\nutil.make_session = print\n",
        "from util import *\n\nmake_session(load())\n",
    ],
)
def test_parameter_that_one_file_gives_or_may_give(tmp_path: Path, other: str) -> None:
    one = "from util import make_session\n\nsess = make_session()\n"
    found = results(tmp_path, {"util.py": FILLED, "one.py": one, "other.py": other})
    assert not [name for name, result in found.items() if result.changes]
    assert [config.kept_by for config in found["util.py"].configs] == ["TFG902"]


def test_parameter_of_a_function_that_nothing_calls(tmp_path: Path) -> None:
    found = results(tmp_path, {"util.py": FILLED, "one.py": "import util\n"})
    assert not [name for name, result in found.items() if result.changes]
