"""What names stand for."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from tests.tools import migrated
from tfgpu.code.forest import Forest
from tfgpu.code.parse import parse
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.program.modules import Modules


@pytest.mark.parametrize(
    "function",
    [
        "def made(depth):\n    return made(depth - 1).inner\n",
        "def made(depth):\n    return other(depth).inner\n\n\n"
        "def other(depth):\n    return made(depth).outer\n",
    ],
)
def test_function_that_returns_a_part_of_its_own_result(function: str) -> None:
    before = (
        "import tensorflow as tf\n\n\n"
        f"{function}\n\n"
        "sess = tf.Session(config=tf.ConfigProto(log_device_placement=True))\n"
        "made(3).run()\n"
    )
    assert "tf.debugging.set_log_device_placement(True)" in migrated(before)


def test_calls_of_imported_names_are_those_that_have_a_name() -> None:
    root = Path(__file__).parents[2]
    texts = [path.read_text() for path in sorted((root / "fixtures").rglob("*.py"))]
    texts += [path.read_text() for path in sorted((root / "tests" / "soundness").rglob("*.py"))]
    texts.append(_GIVEN)
    found = 0
    for text in texts:
        tree = Tree(parse(text), text)
        one, other = Symbols(tree), Symbols(tree)
        names = ((call, other.name(call.func)) for call in tree.calls)
        calls = one.calls(tree)
        assert calls == [(call, name) for call, name in names if name is not None]
        parts = {*chain(*tree.names.values()), *chain(*tree.attributes.values())}
        assert {node for node in parts if other.paths(node)} <= one.imported_parts()
        found += len(calls)
    assert found > 200


def test_calls_across_files() -> None:
    files = {
        "lib.py": "from tensorflow import Session as Made\nimport tensorflow as tf\n\n\n"
        "def given():\n    return tf\n",
        "main.py": "import lib\nfrom lib import Made, given\n\nmodule = lib.given()\n"
        "Made()\nlib.Made()\ngiven().Session()\nmodule.Session()\n",
        "star.py": "from lib import *\n\nMade()\nprint(Made)\n",
    }
    modules = Modules({path: text.encode() for path, text in files.items()})
    trees = [Tree(parse(text), text, path) for path, text in files.items()]
    forest = Forest(trees, modules.find)
    named = Symbols(forest).calls(forest)
    assert [name for _, name in named].count("tf.Session") == 5


def test_order_of_replacements() -> None:
    # Twelve spellings of one variable, replaced in files of their own: no run gives another order.
    names = [f"name{number:02}" for number in range(12)]
    files = {"settings.py": "config = 1\n"}
    for name in names:
        files[f"{name}.py"] = f"from settings import config as {name}\n"
        files[f"{name}_main.py"] = f"import {name} as module\n\nmodule.{name} = None\n"
    modules = Modules({path: text.encode() for path, text in files.items()})
    trees = [Tree(parse(text), text, path) for path, text in files.items()]
    symbols = Symbols(Forest(trees, modules.find))
    found = symbols.replacements((trees[0].root, "config"))
    assert [attribute.attr for attribute in found] == names


_GIVEN = """
import importlib
import tensorflow as tf
import tensorflow.compat.v1 as v1


def import_tf():
    return tf


first = import_tf()
second = importlib.import_module("tensorflow")
third = getattr(tf, "Session")
fourth = fifth = first.compat
(sixth := v1).Session()
if first:
    seventh: object = fourth.v1
for eighth in ():
    eighth.Session()
first.Session(), second.Session(), third(), fifth.v1.Session(), sixth.Session(), seventh.Session()
importlib.import_module("tensorflow").Session()
import_tf().Session()
"""
