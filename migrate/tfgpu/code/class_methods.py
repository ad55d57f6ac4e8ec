"""Class methods, and what is done with the class that they get."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from itertools import chain

from tfgpu.code.borrowed import CLASS_METHODS
from tfgpu.code.classes import Classes
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class ClassMethods:
    """The class methods of some files: a call of what they get makes an object of their class."""

    def __init__(self, tree: Tree, symbols: Symbols, classes: Classes) -> None:
        self._tree = tree
        self._symbols = symbols
        self._classes = classes

    def class_uses(self, owner: ast.ClassDef) -> Iterator[ast.expr]:
        """Yield what is done with the class that class methods get, which may be this one.

        Of methods with other decorators, which may be class methods, only calls of what they get.
        """
        tree = self._tree
        for item in self._classes.line(owner):
            for binding in chain.from_iterable(self._classes.members(item).values()):
                function = binding.node
                if not isinstance(function, _FUNCTIONS):
                    continue
                kinds = {tree.builtin(decorator) for decorator in function.decorator_list}
                takes_class = function.name in CLASS_METHODS or "classmethod" in kinds
                for first in [*function.args.posonlyargs, *function.args.args][:1]:
                    for use in self._symbols.uses((tree.scope(function.args), first.arg)):
                        called = getattr(tree.parent[use], "func", None) is use
                        if takes_class or (called and self._may_take_class(function, kinds)):
                            yield use

    def _may_take_class(self, function: _Function, kinds: Collection[str | None]) -> bool:
        """Tell whether decorators, or `name = classmethod(name)`, may make a class method."""
        wraps = (self._tree.parent[node] for node in self._tree.names.get("classmethod", ()))
        given = (call.args for call in wraps if isinstance(call, ast.Call))
        named = any(getattr(item, "id", "") == function.name for args in given for item in args)
        return named or bool({*kinds} - {"staticmethod", "property"})
