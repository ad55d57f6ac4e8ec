"""Names of TensorFlow that a program replaces, so that its calls are not those of TensorFlow."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree

# setattr; patch, patch.object and patch.multiple of unittest.mock; setattr of pytest.
_SETTERS = frozenset(["setattr", "delattr", "patch", "object", "multiple"])


def replaced_names(tree: Tree, symbols: Symbols) -> dict[str, ast.AST]:
    """Return the last names that are stored in a module of TensorFlow, or may be, and where."""
    found: dict[str, ast.AST] = {}
    for name, attributes in tree.attributes.items():
        for attribute in attributes:
            if not isinstance(attribute.ctx, ast.Load):
                module = symbols.name(attribute.value) or ""
                if module.partition(".")[0] in ("tf", "keras"):
                    found.setdefault(name, attribute)
    for call in tree.calls:
        if getattr(call.func, "attr", getattr(call.func, "id", "")) in _SETTERS:
            for name in _names(call):
                found.setdefault(name, call)
    return found


def _names(call: ast.Call) -> Iterator[str]:
    for argument in call.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value.rpartition(".")[2]
    yield from (keyword.arg for keyword in call.keywords if keyword.arg is not None)
