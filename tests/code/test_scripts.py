"""Which files are run as scripts: the same for the programs of a run and for the order of code."""

from __future__ import annotations

import pytest

from tests.code.test_order import Program
from tfgpu.code.scripts import is_test_module
from tfgpu.program.entries import may_run, programs_of
from tfgpu.program.modules import Modules

# What a file that others import does, and whether it may be run, too.
LIBRARIES = {
    "a part for a run": ("def f():\n    pass\n\nif __name__ == '__main__':\n    f()\n", True),
    "a part for a run, the names turned round": ("if '__main__' == __name__:\n    x = 1\n", True),
    "a session": ("sess = tf.Session()\n", True),
    "its own function is called": ("def main():\n    pass\n\nmain()\n", True),
    "its own class is made": ("class Main:\n    pass\n\nMain().run()\n", True),
    "a module that it imports is called": ("import util\n\nutil.run()\n", True),
    "a session by an object that it makes": (
        "class Main:\n    def train(self):\n        tf.Session()\n\nmain = Main()\nmain.train()\n",
        True,
    ),
    "a session by a function, in a branch": (
        "@wraps\ndef f(\n    x,\n):\n\n    tf.Session()\n\ndef g():\n    f(1)\nif X:\n    y = g()",
        True,
    ),
    "a session by a module that it imports": (
        "from maker import (\n    other, make as there)\nresult = there()\n",
        True,
    ),
    "an object that makes no session": ("class Log:\n    x = 1\n\nlog = Log()\nlog.run()\n", False),
    "a function of a library": (
        "from maker import make\nfrom os import getcwd\nx = getcwd()\n",
        False,
    ),
    "a session in a comment": ("def f():\n    tf.Session()\n\n# as f() does\n", False),
    "functions and names": ("X = 1\n\ndef f():\n    return X\n", False),
    "TensorFlow is set up": ("tf.disable_v2_behavior()\n", False),
    "a library is called": ("import logging\n\nlogging.info('there')\n", False),
    "a session in a function": ("def f():\n    return tf.Session()\n", False),
    "a call in a branch of another kind": ("def f():\n    f()\n", False),
}


@pytest.mark.parametrize(("text", "expected"), LIBRARIES.values(), ids=LIBRARIES)
def test_file_that_is_imported_and_may_be_run(text: str, expected: bool) -> None:
    files = {"main.py": "import lib, util\n", "lib.py": text, "util.py": "x = 1\n"}
    files["maker.py"] = "def make():\n    return tf.Session()\n"
    modules = Modules({path: code.encode() for path, code in files.items()})
    starts = {entry for program in programs_of(modules) for entry in program.entries} - {"maker.py"}
    assert starts == ({"main.py", "lib.py"} if expected else {"main.py"})
    order = Program(files).order
    (lib,) = (tree for tree in order._tree.files if tree.path == "lib.py")
    assert order.entries(lib) == starts


@pytest.mark.parametrize("text", [text for text, _ in LIBRARIES.values()], ids=LIBRARIES)
@pytest.mark.parametrize("more", ["", "import_module(name)\n"], ids=["named", "computed"])
def test_file_of_a_script_is_one_of_its_program(text: str, more: str) -> None:
    files = {"main.py": "import lib\nlib.go()\n", "lib.py": more + text, "test_lib.py": text}
    files["maker.py"] = "def make():\n    return tf.Session()\n"
    modules = Modules({path: code.encode() for path, code in files.items()})
    programs = programs_of(modules)
    runs = {(entry, path) for entry in files for path in files if may_run(entry, path, modules)}
    assert ("main.py", "lib.py") in runs
    assert (("main.py", "maker.py") in runs) == bool(more or "maker" in text)
    every = {(item.entries, path) for item in programs for path in item.files}
    assert {((entry,), path) for entry, path in runs} <= every


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("test_model.py", True),
        ("tests/model_test.py", True),
        ("tests\\conftest.py", True),
        ("tests/model.py", False),
        ("test_model", False),
        ("test_model.ipynb", False),
        ("contest.py", False),
    ],
)
def test_module_that_pytest_imports(path: str, expected: bool) -> None:
    assert is_test_module(path) is expected
