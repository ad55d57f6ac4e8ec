"""How computed names begin, those of imported modules too, as far as it is written there."""

from __future__ import annotations

import ast

from tfgpu.code.tree import Tree, last_name
from tfgpu.files.pattern import expression

# They are given the dotted name of a module.
_TAKE_MODULES = frozenset(["import_module", "__import__", "run_module"])
_PLACEHOLDER = expression(r"[%{]")


def prefix_of(node: ast.expr, tree: Tree) -> str:
    """Return how every name begins that a call imports: "configs." of `"configs.%s" % name`.

    A path, a text, or the name of an object says nothing of the sort.
    """
    if isinstance(node, ast.Call) and last_name(node.func) not in _TAKE_MODULES:
        return ""
    argument = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute):
        argument = argument.func.value if argument.func.attr == "format" else None
    elif isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Add | ast.Mod):
        argument = argument.left
    elif isinstance(argument, ast.JoinedStr) and argument.values:
        argument = argument.values[0]
    if isinstance(argument, ast.Name):
        bindings = tree.bindings(argument)
        argument = bindings[0].value if len(bindings) == 1 else None
    text = argument.value if isinstance(argument, ast.Constant) else ""
    whole = _PLACEHOLDER.split(text)[0] if isinstance(text, str) else ""
    beginning = whole[: whole.rfind(".") + 1]
    inside = beginning.lstrip(".")
    above = _package_of(node).split(".")
    levels = len(beginning) - len(inside)
    if not levels or not above[0] or levels > len(above):
        return inside
    return ".".join([*above[: len(above) - levels + 1], inside])


def beginning_of(key: ast.expr, tree: Tree) -> str:
    """Return how a computed text begins: "_cache_" of `"_cache_" + name`."""
    bindings = tree.bindings(key) if isinstance(key, ast.Name) else []
    value = bindings[0].value if len(bindings) == 1 else key
    parts = value.values[:1] if isinstance(value, ast.JoinedStr) else []
    parts += [value.left] if isinstance(value, ast.BinOp) else []
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    return _PLACEHOLDER.split(texts[0])[0] if texts and isinstance(texts[0], str) else ""


def _package_of(call: ast.AST) -> str:
    """Return the package that a relative import by a function starts from, if it is written."""
    if not isinstance(call, ast.Call):
        return ""
    given = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "package")]
    found = given[0] if len(given) == 1 else None
    is_text = isinstance(found, ast.Constant) and isinstance(found.value, str)
    return str(found.value) if is_text and isinstance(found, ast.Constant) else ""
