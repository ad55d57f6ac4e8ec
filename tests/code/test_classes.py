"""How classes of the files are related."""

from __future__ import annotations

import ast

from tfgpu.code.classes import Classes
from tfgpu.code.forest import Forest
from tfgpu.code.parse import parse
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.program.modules import Modules


def test_order_of_relatives() -> None:
    # Sets of nodes have another order in each run; of several causes the first one is reported.
    names = [f"sub{number:02}" for number in range(16)]
    files = {"base.py": "class Base:\n    config = None\n"}
    for name in names:
        files[f"{name}.py"] = f"from base import Base\n\nclass {name}(Base):\n    config = make()\n"
    modules = Modules({path: text.encode() for path, text in files.items()})
    trees = [Tree(parse(text), text, path) for path, text in files.items()]
    forest = Forest(trees, modules.find)
    classes = Classes(forest, Symbols(forest))
    (base,) = trees[0].nodes(ast.ClassDef)
    found = classes.body_bindings(base, "config")
    assert [forest.file(binding.node).path for binding in found] == list(files)
    assert [owner.name for owner in classes.in_order(base)] == ["Base", *names]
