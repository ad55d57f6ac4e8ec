"""Large programs: their size decides nothing."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.cli.tools import tfgpu
from tests.program.test_once import kept
from tfgpu.program.units import FEW_FILES

KEPT = """
    import tensorflow as tf

    def odd():
        return tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=60000))
"""
PLAIN = """
    import tensorflow as tf

    def plain():
        config = tf.ConfigProto(allow_soft_placement=True)
        return tf.Session(config=config)
"""
TIMED = """
    import tensorflow as tf
    from settings import TIMEOUT

    def timed():
        return tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=TIMEOUT))
"""
TAKEN = """
    import tensorflow as tf

    def make():
        config = tf.ConfigProto(operation_timeout_in_ms=60000)
        config.gpu_options.allow_growth = True
        return config
"""
GROWS = PLAIN.replace("(allow_soft_placement=True)", "(intra_op_parallelism_threads=2)")
HOLDER = """
    import tensorflow as tf

    class Net(object):
        def __init__(self):
            self.config = tf.ConfigProto(allow_soft_placement=True)

        def run(self):
            return tf.Session(config=self.config)
"""
SHOWN = """
    import holder
    from show import show

    net = holder.Net()
    net.run()
    show(net)
"""
PROGRAMS = {
    "kept": {"odd.py": KEPT, "main.py": "import odd\n\nodd.odd()\n"},
    "kept beside another": {
        "odd.py": KEPT,
        "plain.py": PLAIN,
        "main.py": "import odd\nimport plain\n\nplain.plain()\n",
    },
    "kept in another program": {
        "odd.py": KEPT,
        "plain.py": PLAIN,
        "main.py": "import odd\n\nodd.odd()\n",
        "other.py": "import plain\n\nplain.plain()\n",
    },
    "a value of another file": {
        "settings.py": "TIMEOUT = 0\n",
        "timed.py": TIMED,
        "main.py": "import timed\n\ntimed.timed()\n",
    },
    "made for another file": {
        "made.py": TAKEN,
        "main.py": """
            import tensorflow as tf
            from made import make

            sess = tf.Session(config=make())
        """,
    },
    "a name of TensorFlow from another file": {
        "compat.py": "import tensorflow as tf\n",
        "odd.py": KEPT.replace("import tensorflow as tf", "from compat import tf"),
        "main.py": "import odd\n\nodd.odd()\n",
    },
    "a file in which nothing matters": {
        "tools.py": "import numpy\n\ndef size():\n    return numpy.ones(3).size\n",
        "plain.py": GROWS,
        "main.py": "import tools\nimport plain\n\nprint(tools.size())\nplain.plain()\n",
    },
    "a Saver that is sharded by its position": {
        "saving.py": """
            import tensorflow as tf

            def saver():
                return tf.train.Saver(None, False, 5)
        """,
        "plain.py": GROWS,
        "main.py": "import saving\nimport plain\n\nsaving.saver()\nplain.plain()\n",
    },
    "a method of datasets": {
        "data.py": "import tensorflow as tf\n\nRANGE = tf.data.Dataset.range(3)\n",
        "mapped.py": "def mapped(dataset):\n    return dataset.map(abs)\n",
        "plain.py": GROWS,
        "main.py": """
            import data, mapped, plain

            mapped.mapped(data.RANGE)
            plain.plain()
        """,
    },
    "an attribute that is read without a word of TensorFlow": {
        "holder.py": HOLDER,
        "show.py": "def show(thing):\n    print(thing.config)\n",
        "main.py": SHOWN,
    },
    "an object that is shown without a word of TensorFlow": {
        "holder.py": HOLDER,
        "show.py": "def show(thing):\n    print(sorted(vars(thing)))\n",
        "main.py": SHOWN,
    },
    "a file that imports a library": {
        "tools.py": "import foreign\n\ndef size():\n    return 3\n",
        "plain.py": GROWS,
        "main.py": "import tools\nimport plain\n\nprint(tools.size())\nplain.plain()\n",
    },
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_more_files_change_nothing(tmp_path: Path, name: str) -> None:
    more = {f"part_{number}.py": f"SIZE = {number}\n" for number in range(FEW_FILES + 5)}
    small = kept(tmp_path / "small", PROGRAMS[name])
    large = kept(tmp_path / "large", {**PROGRAMS[name], **more})
    main = dedent(PROGRAMS[name]["main.py"]).lstrip()
    more["parts.py"] = "".join(f"import {part.removesuffix('.py')}\n" for part in more)
    whole = {**PROGRAMS[name], **more, "main.py": f"import parts\n{main}"}
    assert kept(tmp_path / "imported", whole) == small
    assert small
    assert large == small


def test_long_chain_of_imports(tmp_path: Path) -> None:
    files = {f"part_{number}.py": f"import part_{number + 1}\n" for number in range(1100)}
    files["part_1100.py"] = PLAIN + "\n    plain()\n"
    assert kept(tmp_path, {**files, "main.py": "import part_0\n"}) == {None}


def test_the_diff_is_what_the_check_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An old name stays where its program goes on with TensorFlow 1: its file alone has none."""
    monkeypatch.chdir(tmp_path)
    files = {
        "odd.py": dedent(KEPT),
        "graphs.py": "import tensorflow as tf\n\nmade = tf.placeholder(tf.int32)\n",
        "main.py": "import tensorflow as tf\nimport graphs\n\n"
        "gpus = tf.config.experimental.list_physical_devices('GPU')\nprint(gpus, graphs.made)\n",
        **{f"part_{number}.py": f"SIZE = {number}\n" for number in range(FEW_FILES + 5)},
    }
    for name, text in files.items():
        Path(name).write_text(text)
    assert tfgpu("migrate", ".").stdout == ""
    assert tfgpu("migrate", "--check", ".").exit_code == 0
    assert "TFG801" not in tfgpu("audit", ".").stdout
