"""Parameters that a function fills itself where it gets none, and that no call ever gives.

In `def make(config=None)` with `if config is None: config = ...`, the parameter only serves callers
that give a config. Where there are none, it goes, and what stands under the test always runs.
"""

from __future__ import annotations

import ast

from tfgpu.code.tree import Scope
from tfgpu.flow.facts import Filled
from tfgpu.flow.locations import Reading
from tfgpu.flow.parameters import Parameters


class FilledParameters:
    """The parameters that are filled and never given; `found` are all of them."""

    def __init__(self, reading: Reading, parameters: Parameters) -> None:
        self._read = reading
        self._parameters = parameters
        self.found: dict[tuple[Scope, str], Filled] = {}

    def look(self, scope: Scope, name: str) -> str | None:
        """Analyse a parameter that may hold a config; return why it cannot be removed."""
        function = scope.node
        argument = None
        if isinstance(function, ast.FunctionDef):
            argument = self._parameters.argument(function, name)
        if argument is None or not isinstance(function, ast.FunctionDef):
            return "what callers pass is not known"
        problem = self._parameters.not_followed(function)
        if problem is not None:
            return problem
        calls = self._parameters.calls(function, argument)
        if not calls:
            return f"no call of `{function.name}` is known"
        for call, given in calls:
            if given is not None and not self._read.values.is_none(given):
                text = self._read.tree.source(given)
                return f"`{text}` is passed in {self._parameters.place(call)}"
        test = self._test(scope, name, argument)
        if test is None:
            return "where it gets its default is not certain"
        self.found[scope, name] = Filled(function, argument, test, calls)
        return None

    def is_tested(self, node: ast.expr) -> bool:
        """Tell whether an expression is the parameter in its own `is None` test."""
        variable = self._read.symbols.variable(node)
        filled = self.found.get(variable) if variable is not None else None
        return filled is not None and node in set(ast.walk(filled.test.test))

    def _test(self, scope: Scope, name: str, argument: ast.arg) -> ast.If | None:
        """Return the `if` that fills a parameter: the first thing that is done with it."""
        tree = self._read.tree
        function = scope.node
        assert isinstance(function, ast.FunctionDef)
        default = self._parameters.default(function, argument)
        if default is None or not self._read.values.is_none(default):
            return None
        for statement in function.body:
            if isinstance(statement, ast.If) and self._is_missing(statement.test, name):
                others = [item.node for item in scope.bindings[name] if item.node is not argument]
                starts = [tree.position(tree.statement(node)) for node in others]
                later = all(start > tree.position(statement) for start in starts)
                return statement if later and not statement.orelse else None
        return None

    def _is_missing(self, test: ast.expr, name: str) -> bool:
        """Tell whether a test holds where a parameter is None."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = test.operand
        elif (
            isinstance(test, ast.Compare)
            and isinstance(test.ops[0], ast.Is)
            and len(test.ops) == 1
            and self._read.values.is_none(test.comparators[0])
        ):
            inner = test.left
        else:
            return False
        return isinstance(inner, ast.Name) and inner.id == name
