"""The names by which files refer to what they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from itertools import chain

from tfgpu.code.lookups import LOOKING
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree


class Names:
    """The names and attributes of some files that refer to something imported."""

    def __init__(self, tree: Tree, symbols: Symbols) -> None:
        self._tree = tree
        self._symbols = symbols

    @cached_property
    def found(self) -> list[tuple[ast.Name | ast.Attribute, str]]:
        """Every name and attribute that does so, and what it may refer to."""
        tree = self._tree
        named: Iterator[ast.Name | ast.Attribute] = chain(*tree.names.values())
        imported = self._symbols.imported_parts()
        return [
            (node, path)
            for node in chain(named, *tree.attributes.values())
            if node in imported
            for path in sorted(self._symbols.paths(node))
        ]

    def is_whole(self, node: ast.expr) -> bool:
        """Tell whether a name is not just the beginning of a longer one."""
        parent = self._tree.parent[node]
        return not (isinstance(parent, ast.Attribute) and self._symbols.paths(parent))

    def is_value(self, node: ast.AST) -> bool:
        """Tell whether what a name refers to goes where it is not followed by that name."""
        tree = self._tree
        parent = tree.parent[node]
        if isinstance(parent, ast.Attribute):
            return False
        if isinstance(parent, ast.Call):
            return parent.func is not node and tree.builtin(parent.func) not in LOOKING
        if isinstance(parent, ast.Assign):
            return not all(map(self._is_followed, parent.targets))
        if isinstance(parent, ast.AnnAssign | ast.arg):
            return parent.annotation is not node
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
            return parent.returns is not node and node not in parent.decorator_list
        return not isinstance(
            parent, ast.ClassDef | ast.ExceptHandler | ast.Expr | ast.Compare | ast.With
        )

    def _is_followed(self, target: ast.expr) -> bool:
        """Tell whether a variable is known to be what is assigned to it, wherever it is used."""
        is_variable = isinstance(target, ast.Name) and self._tree.scope(target).kind != "class"
        return is_variable and bool(self._symbols.paths(target))
