"""What an expression certainly is where it has a value: a text, a bool, a number with a fraction.

ConfigProto refuses a text for a number, and a float or a bool for a whole one; some functions of
tf.config take either.
"""

from __future__ import annotations

import ast

from tfgpu.code.tree import Tree
from tfgpu.flow.locations import Reading

TEXT, FLOAT, BOOL = "a text", "a float", "a bool"
REFUSED = {"bool": {TEXT, FLOAT}, "int": {TEXT, FLOAT, BOOL}, "number": {TEXT}}
"""What fields of a type of settings do not take."""
TYPES = {TEXT: "str", FLOAT: "float", BOOL: "bool"}
"""The types of Python that these are."""

_VARIABLES = frozenset(["os.environ", "os.getenv", "os.environ.get", "sys.argv"])
_TO_TEXT = frozenset(["str", "repr", "ascii", "input", "raw_input", "format", "chr", "hex"])
_TO_BOOL = frozenset(["bool", "isinstance", "issubclass", "callable", "hasattr", "any", "all"])
# Methods of texts alone that give a text.
_OF_TEXTS = frozenset(["strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize"])


def kind_of(node: ast.expr, read: Reading) -> str:
    """Return what an expression by itself certainly is; nothing where that is not shown."""
    if isinstance(node, ast.Constant | ast.JoinedStr):
        return _of_constant(node)
    if isinstance(node, ast.BinOp):
        return _of_operation(node, read)
    if isinstance(node, ast.Subscript):
        is_one = not isinstance(node.slice, ast.Slice)
        return TEXT if is_one and read.symbols.name(node.value) in _VARIABLES else ""
    if isinstance(node, ast.Call):
        return _of_call(node, read)
    if isinstance(node, ast.Compare) or _negates(node):
        return BOOL
    if isinstance(node, ast.Attribute) and read.values.is_option_with_text(node.attr):
        return TEXT
    if isinstance(node, ast.Attribute) and read.values.is_option_with_bool(node.attr):
        return BOOL
    return ""


def _negates(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _of_constant(node: ast.Constant | ast.JoinedStr) -> str:
    value = node.value if isinstance(node, ast.Constant) else ""
    if isinstance(value, bool):
        return BOOL
    return TEXT if isinstance(value, str) else FLOAT if isinstance(value, float) else ""


def _of_operation(node: ast.BinOp, read: Reading) -> str:
    sides = {kind_of(node.left, read), kind_of(node.right, read)}
    if isinstance(node.op, ast.Mod) and kind_of(node.left, read) == TEXT:
        return TEXT
    if isinstance(node.op, ast.Div):
        tree: Tree = read.tree.file(node)
        return "" if tree.floors and FLOAT not in sides else FLOAT
    if isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        return TEXT if TEXT in sides else FLOAT if FLOAT in sides else ""
    return ""


def _of_call(node: ast.Call, read: Reading) -> str:
    builtin = read.tree.builtin(node.func)
    if builtin:
        if builtin in _TO_BOOL:
            return BOOL
        return TEXT if builtin in _TO_TEXT else FLOAT if builtin == "float" else ""
    if read.symbols.name(node.func) in _VARIABLES:
        return TEXT
    if isinstance(node.func, ast.Attribute):
        is_made = node.func.attr in ("format", "join") and kind_of(node.func.value, read) == TEXT
        return TEXT if is_made or node.func.attr in _OF_TEXTS else ""
    return ""
