"""The names by which files refer to what they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from itertools import chain

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
