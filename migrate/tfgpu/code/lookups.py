"""Where a program looks something up by a string: `getattr(x, name)`, `globals()[name]`, `eval`."""

from __future__ import annotations

import ast
import re
from functools import cached_property

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.files.pattern import expression

RUNS_TEXT = frozenset(["exec", "eval", "execfile", "__import__", "compile"])
BY_NAME = frozenset(["operator.methodcaller", "operator.attrgetter"])
MEMBERS = frozenset(["inspect.getmembers", "inspect.getmembers_static"])
# They find, or replace, an attribute of an object.
ATTRIBUTES = frozenset(["getattr", "setattr", "delattr"])
_OF_OBJECTS = ("__dict__", "__getattribute__")
# Builtins that only look at what they are given by position, or call its special methods.
LOOKING = frozenset(
    [
        "isinstance", "issubclass", "hasattr", "print", "type", "repr", "str", "id", "super", "len",
        "bool", "hash",
    ]
)  # fmt: skip
# They set what a text, or a keyword, names: setattr, that of pytest, and patch, patch.object and
# patch.multiple of unittest.mock.
SETTERS = frozenset(["setattr", "delattr", "patch", "object", "multiple"])
NAMESPACES = frozenset(["globals", "locals", "vars"])
_LOOKUPS = NAMESPACES | RUNS_TEXT | ATTRIBUTES | BY_NAME | MEMBERS
_EXAMPLE = expression(r"^[ \t]*(?:>>>|\.\.\.) (.*)$", re.M)
IDENTIFIER = expression(r"[A-Za-z_]\w*")


def names_set(tree: Tree) -> frozenset[str]:
    """Return the names in calls that may set something by its name."""
    found: set[str] = set()
    for call in tree.calls:
        if last_name(call.func) in (*SETTERS, "__setattr__", "setitem"):
            found.update(item.arg for item in call.keywords if item.arg is not None)
            found.update(
                item.value.rpartition(".")[2]
                for item in call.args
                if isinstance(item, ast.Constant) and isinstance(item.value, str)
            )
    return frozenset(found)


class Lookups:
    """The lookups by a string in some files."""

    def __init__(self, tree: Tree, symbols: Symbols) -> None:
        self._tree = tree
        self._symbols = symbols

    @cached_property
    def _named(self) -> frozenset[str]:
        """The names that are written out where something is found by them, or in a text."""
        return frozenset(
            name
            for node in self._lookups
            for argument in (*getattr(node, "args", ()), self._tree.parent[node])
            for inner in ast.walk(argument)
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
            for name in IDENTIFIER.findall(inner.value)
        ).union(self.examples)

    @cached_property
    def examples(self) -> frozenset[str]:
        """The names in the examples of docstrings, which doctest runs: `>>> make_config()`."""
        return frozenset(
            name
            for file in self._tree.files
            if ">>>" in file.text
            for line in _EXAMPLE.findall(file.text)
            for name in IDENTIFIER.findall(line)
        )

    @cached_property
    def _lookups(self) -> tuple[ast.expr, ...]:
        """Every lookup by a string, whether it is written out or not."""
        found: list[ast.expr] = [
            call
            for call in self._symbols.calls_of(self._tree, _LOOKUPS)
            if self._tree.builtin(call.func) in NAMESPACES | RUNS_TEXT | ATTRIBUTES
            or self._symbols.name(call.func) in BY_NAME | MEMBERS
        ]
        for name in _OF_OBJECTS:
            found += self._tree.attributes.get(name, [])
        # Whoever has the function calls it: `reduce(getattr, names, module)`.
        found += [
            node
            for name in sorted((ATTRIBUTES | RUNS_TEXT) - {"__import__"})
            for node in self._tree.names.get(name, [])
            if isinstance(node.ctx, ast.Load)
            and self._tree.builtin(node)
            and getattr(self._tree.parent[node], "func", None) is not node
        ]
        return tuple(node for node in found if self._builtin_name(node) != "compile")

    def _builtin_name(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return node.id
        return self._tree.builtin(node.func) if isinstance(node, ast.Call) else ""

    @cached_property
    def _runs_texts(self) -> bool:
        """Whether a text is run that may name anything."""
        found = (node for node in self._lookups if self._builtin_name(node) in RUNS_TEXT)
        given = (node.args[:1] if isinstance(node, ast.Call) else [] for node in found)
        return not all(args and isinstance(args[0], ast.Constant) for args in given)
