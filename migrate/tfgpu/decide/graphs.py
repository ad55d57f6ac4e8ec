"""Which code runs in a graph that is the default one, where operations initialise nothing."""

from __future__ import annotations

import ast
import itertools

from tfgpu.code.order import Order
from tfgpu.code.origins import Origin, Origins
from tfgpu.code.sites import home_of
from tfgpu.code.tree import Tree

# What makes a graph, or is one.
GRAPHS: frozenset[Origin] = frozenset(["tf.Graph()", "tf.get_default_graph()"])


class Graphs:
    """The statements `with graph.as_default()` of some files."""

    def __init__(self, tree: Tree, origins: Origins, order: Order) -> None:
        self._tree = tree
        self._origins = origins
        self._order = order

    def is_made_default(self, node: ast.expr) -> bool:
        """Tell whether an expression makes a graph of TensorFlow the default one."""
        method = node.func if isinstance(node, ast.Call) else None
        if not isinstance(method, ast.Attribute) or method.attr != "as_default":
            return False
        found = self._origins.of(method.value)
        return bool(found) and found <= GRAPHS

    def surround(self, node: ast.AST) -> bool:
        """Tell whether a node runs in a graph only, by its function or by all that lead to it."""
        if not self._tree.attributes.get("as_default"):
            return False
        return self._is_surrounded(node, frozenset())

    def _is_surrounded(self, node: ast.AST, seen: frozenset[ast.AST]) -> bool:
        if self.hold(node):
            return True
        home = home_of(node, self._tree)
        if home in seen:
            return True  # A function that calls itself is called by others first.
        sites = None if isinstance(home, ast.Module) else self._order.sites(home)
        return bool(sites) and all(self._is_surrounded(site, seen | {home}) for site in sites or ())

    def hold(self, node: ast.AST) -> bool:
        """Tell whether a statement `with` makes a graph the default one around a node."""
        home, inner = self._tree.function(node), node
        for around in self._tree.within(node):
            if self._tree.function(around) is not home:
                return False
            if isinstance(around, ast.With) and self._is_entered(around, inner):
                return True
            inner = around
        return False

    def _is_entered(self, statement: ast.With, inner: ast.AST) -> bool:
        """Tell whether a `with` has made a graph the default one before it comes to a node."""
        parts = [item.context_expr for item in statement.items]
        before = itertools.takewhile(lambda part: part is not inner, parts)
        return any(map(self.is_made_default, before))
