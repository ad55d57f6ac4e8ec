"""From the text of a file to Python's syntax tree."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tfgpu.files.pattern import expression

# What may be a private name.
_PRIVATE = expression(r"(?<!\w)__(?!\w*__(?!\w))\w")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES = (*_DEFINITIONS, ast.Lambda)


@lru_cache(maxsize=2048)
def parse(text: str, path: str = "") -> ast.Module:
    """Parse Python source: once for a file, as two files with the same text share no nodes.

    Raises:
        SyntaxError: the text is not Python 3, or too deeply nested; a NUL byte is one too.
    """
    if (at := text.find("\0")) >= 0:  # versions of Python differ in the error, and name no line
        place = (None, text.count("\n", 0, at) + 1, None, None)
        raise SyntaxError("a NUL byte, which no source code has", place)
    with warnings.catch_warnings():
        # Invalid escapes in strings are the user's, and no news here.
        warnings.simplefilter("ignore")
        try:
            module = ast.parse(text)
            if _PRIVATE.search(text):
                _mangle(module, "")
        except (RecursionError, MemoryError) as error:
            raise SyntaxError("too deeply nested to be parsed") from error
        except ValueError as error:
            raise SyntaxError(str(error)) from error
    return module


def _mangle(node: ast.AST, owner: str) -> None:
    """Give the private names of classes the names that Python gives them.

    `self.__config` in a class and in one that inherits from it are two attributes.
    """
    if isinstance(node, ast.ClassDef):
        owner = node.name.lstrip("_")
    for child in ast.iter_child_nodes(node):
        _mangle(child, owner)
        if not owner:
            continue
        if isinstance(child, ast.Attribute):
            child.attr = _mangled(child.attr, owner)
        elif isinstance(node, ast.ClassDef) and isinstance(child, _DEFINITIONS):
            child.name = _mangled(child.name, owner)
    if isinstance(node, ast.ClassDef) and owner:
        for name in _own_names(node.body):
            name.id = _mangled(name.id, owner)


def _own_names(nodes: Iterable[ast.AST]) -> Iterator[ast.Name]:
    """Yield the names in the body of a class, but for those in functions and classes of it."""
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node
        elif not isinstance(node, _SCOPES):
            yield from _own_names(ast.iter_child_nodes(node))


def _mangled(name: str, owner: str) -> str:
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{owner}{name}" if is_private else name
