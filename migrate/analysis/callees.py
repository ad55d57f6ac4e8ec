"""What calls name: builtins, functions and methods of the file, and calls that take a config."""

from __future__ import annotations

import ast

from migrate.analysis.symbols import Symbols
from migrate.analysis.tree import Binding, Scope, Tree
from migrate.rulebook.book import Rulebook
from migrate.rulebook.model import SinkRule


class Callees:
    """The callees of one file."""

    def __init__(self, tree: Tree, symbols: Symbols, book: Rulebook) -> None:
        self._tree = tree
        self._symbols = symbols
        self._book = book

    def builtin(self, node: ast.expr) -> str | None:
        """Return the name of a builtin that an expression names."""
        if isinstance(node, ast.Name) and not self._tree.bindings(node):
            return node.id
        return None

    def self_class(self, node: ast.Attribute) -> ast.ClassDef | None:
        """Return the class whose `self` an attribute belongs to."""
        if not isinstance(node.value, ast.Name):
            return None
        scope = self._tree.owner(node.value.id, self._tree.scope(node))
        if scope is None or not isinstance(scope.node, ast.FunctionDef):
            return None
        if any(self.builtin(item) == "staticmethod" for item in scope.node.decorator_list):
            return None
        arguments = scope.node.args.posonlyargs + scope.node.args.args
        around = self._tree.parent[scope.node]
        is_self = bool(arguments) and arguments[0].arg == node.value.id
        return around if is_self and isinstance(around, ast.ClassDef) else None

    def function(self, node: ast.expr) -> ast.FunctionDef | None:
        """Return the function of this file, or method of this class, that a callee names."""
        bindings: list[Binding] = []
        variable = self._symbols.variable(node)
        if variable is not None:
            bindings = variable[0].bindings[variable[1]]
        elif isinstance(node, ast.Attribute):
            owner = self.self_class(node)
            if owner is not None and owner.body:
                bindings = self._tree.scope(owner.body[0]).bindings.get(node.attr, [])
        found = bindings[0].node if len(bindings) == 1 else None
        return found if isinstance(found, ast.FunctionDef) else None

    def is_overridden(self, function: ast.FunctionDef, scope: Scope) -> bool:
        """Tell whether another class of the file has a method of the same name."""
        return any(
            isinstance(other, ast.FunctionDef)
            and other.name == function.name
            and self._tree.scope(other).kind == "class"
            and self._tree.scope(other) is not scope
            for other in self._tree.parent
        )

    def sink_rule(self, call: ast.Call) -> SinkRule | None:
        """Return the rule of a call that takes a config, if it is one."""
        rule = self._book.sinks.get(self._symbols.name(call.func) or "")
        if rule is None and isinstance(call.func, ast.Attribute):
            method = self._book.sink_methods.get(call.func.attr)
            if method is not None and not self._symbols.paths(call.func):
                return method
        return rule


def config_argument(call: ast.Call, rule: SinkRule) -> ast.expr | None:
    """Return the argument of a call that carries the config."""
    for keyword in call.keywords:
        if keyword.arg == rule.argument:
            return keyword.value
    if rule.position is not None and len(call.args) > rule.position:
        return call.args[rule.position]
    return None
