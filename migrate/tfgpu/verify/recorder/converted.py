"""Gives AutoGraph the marked code of functions: it reads their files, not what was compiled.

What is marked in a `tf.function` would else never be seen to run.
"""

from __future__ import annotations

import ast
import copy
import importlib
import os
from typing import Any

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Converted:
    """The functions of marked files, by path and place."""

    def __init__(self) -> None:
        self._functions: dict[tuple[str, int, int], Any] = {}

    def keep(self, path: str, tree: ast.AST) -> None:
        """Keep the functions of a file, which has its marks."""
        for node in ast.walk(tree):
            if isinstance(node, _FUNCTIONS):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                self._functions[path, first, -1] = node
            elif isinstance(node, ast.Lambda):
                self._functions[path, node.lineno, node.col_offset] = node

    def watch(self) -> None:
        """Let AutoGraph get what was kept; TensorFlow is there."""
        parser: Any = importlib.import_module("tensorflow.python.autograph.pyct.parser")
        parse = parser.parse_entity

        def parse_entity(entity: Any, future_features: Any) -> Any:
            node, source = parse(entity, future_features)
            return self._marked(entity, node, len(future_features)) or node, source

        parser.parse_entity = parse_entity

    def _marked(self, entity: Any, node: Any, added: int) -> Any:
        """Return the stand-in of a function; None if the function is not marked.

        `added` are the lines that the parser puts in front of a function.
        """
        code = getattr(entity, "__code__", None)
        if code is None or not self._functions:
            return None
        is_lambda = type(node).__name__ == "Lambda"
        first = code.co_firstlineno
        place = (os.path.realpath(code.co_filename), first, node.col_offset if is_lambda else -1)
        found = self._functions.get(place)
        if found is None:
            return None
        shifted = ast.increment_lineno(
            copy.deepcopy(found), -first if is_lambda else added + 1 - first
        )
        gast: Any = importlib.import_module("gast")
        return gast.ast_to_gast(shifted)
