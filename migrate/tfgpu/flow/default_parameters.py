"""Parameters that a function fills itself where it gets none, and that no call ever gives.

In `def make(config=None)` with `if config is None: config = ...`, or with `config or ...`, the
parameter only serves callers that give a config. Where there are none, it goes, and what stands for
it is always taken.
"""

from __future__ import annotations

import ast

from tfgpu.code.tree import Scope
from tfgpu.dataclass import replace
from tfgpu.flow.facts import Filled, Setting
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
        """Tell whether an expression is the parameter where it is looked at before it is filled."""
        variable = self._read.symbols.variable(node)
        filled = self.found.get(variable) if variable is not None else None
        if filled is None:
            return False
        looked = filled.test.test if isinstance(filled.test, ast.If) else filled.test
        return node in set(ast.walk(looked))

    def settled(self, setting: Setting) -> Setting:
        """Return a setting without the tests that there will be none of any more."""
        filled = [item.test for item in self.found.values()]
        tests = {item.test for item in filled if isinstance(item, ast.IfExp)}
        if not any(test in tests for test, _ in setting.conditions):
            return setting
        left = tuple(item for item in setting.conditions if item[0] not in tests)
        return replace(setting, conditions=left)

    def _test(
        self, scope: Scope, name: str, argument: ast.arg
    ) -> ast.If | ast.IfExp | ast.BoolOp | None:
        """Return what fills a parameter: the first thing that is done with it."""
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
        return self._choice(function, scope, name, argument)

    def _choice(
        self, function: ast.FunctionDef, scope: Scope, name: str, argument: ast.arg
    ) -> ast.IfExp | ast.BoolOp | None:
        """Return the expression that fills a parameter: `config or ...`, `... if config else ...`.

        Nothing else may read the parameter, but what reads what such an expression was assigned.
        """
        tree = self._read.tree
        choices: list[ast.IfExp | ast.BoolOp] = []
        for use in self._read.symbols.uses((scope, name)):
            parent = tree.parent[use]
            while isinstance(parent, ast.Compare | ast.UnaryOp):
                parent = tree.parent[parent]
            if isinstance(parent, ast.IfExp | ast.BoolOp):
                choices.append(parent)
        choice = choices[0] if choices else None
        if choice is None or not self._is_choice(choice, name):
            return None
        others = [item.node for item in scope.bindings[name] if item.node is not argument]
        inside = set(ast.walk(choice))
        others += [use for use in self._read.symbols.uses((scope, name)) if use not in inside]
        first = tree.statement(choice)
        targets = first.targets if isinstance(first, ast.Assign) and first.value is choice else []
        is_first = first in function.body and any(getattr(it, "id", "") == name for it in targets)
        starts = [tree.position(tree.statement(node)) for node in others]
        is_only = not others or (is_first and all(it >= tree.position(first) for it in starts))
        return choice if is_only else None

    def _is_choice(self, node: ast.IfExp | ast.BoolOp, name: str) -> bool:
        """Tell whether an expression is a parameter unless that is None, and nothing else."""
        if isinstance(node, ast.BoolOp):
            kept, fill = node.values[0], node.values[1]
            if len(node.values) != 2 or not isinstance(node.op, ast.Or):
                return False
        elif self._is_missing(node.test, name):
            kept, fill = node.orelse, node.body
        elif self._is_given(node.test, name):
            kept, fill = node.body, node.orelse
        else:
            return False
        names = [item.id for item in ast.walk(fill) if isinstance(item, ast.Name)]
        return isinstance(kept, ast.Name) and kept.id == name and name not in names

    def _is_given(self, test: ast.expr, name: str) -> bool:
        """Tell whether a test holds where a parameter, a config or None, is not None."""
        if (
            isinstance(test, ast.Compare)
            and isinstance(test.ops[0], ast.IsNot)
            and len(test.ops) == 1
            and self._read.values.is_none(test.comparators[0])
        ):
            test = test.left
        return isinstance(test, ast.Name) and test.id == name

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
