"""An `if` that ends its function in front of what stands behind it."""

from __future__ import annotations

import ast

import pytest

from tfgpu.code.tree import Tree


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("    if x:\n        one()\n        return\n    other()\n", True),
        ("    if x:\n        if y:\n            one()\n        return\n    other()\n", True),
        ("    if x:\n        pass\n    else:\n        one()\n        return\n    other()\n", True),
        ("    if x:\n        one()\n    other()\n", False),
        ("    other()\n    if x:\n        one()\n        return\n", False),
        ("    if x:\n        one()\n        return\n    else:\n        other()\n", False),
        ("    with y:\n        if x:\n            one()\n            return\n    other()\n", False),
        (
            "    with y:\n        if x:\n            one()\n            return\n        other()\n",
            True,
        ),
        (
            "    try:\n        if x:\n            one()\n            return\n"
            "    except E:\n        pass\n    other()\n",
            False,
        ),
    ],
)
def test_returns_before(text: str, ends: bool) -> None:
    text = f"def f():\n{text}"
    tree = Tree(ast.parse(text), text, "main.py")
    calls = {ast.unparse(call.func): call for call in tree.calls}
    assert tree.returns_before(calls["one"], calls["other"]) is ends
