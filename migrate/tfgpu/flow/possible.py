"""All values that an expression can have, where every one of them is a literal of the files."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.index import Variable
from tfgpu.code.values import Enum
from tfgpu.flow.locations import Reading
from tfgpu.flow.parameters import Parameters
from tfgpu.rulebook.model import Literal


class Possible:
    """Collects the values of names that are assigned literals, or parameters that get them."""

    def __init__(self, reading: Reading, parameters: Parameters) -> None:
        self._read = reading
        self._parameters = parameters

    def values(self, node: ast.expr) -> list[Literal | Enum] | None:
        """Return all values of an expression, None where one of them is not known."""
        try:
            return list(self._values(node, set())) or None
        except LookupError:
            return None

    def _values(self, node: ast.expr, seen: set[Variable]) -> Iterator[Literal | Enum]:
        """Yield the values of an expression but those of variables that were seen before.

        Raises:
            LookupError: one of them is not known.
        """
        known = self._read.values.known(node)
        if known is not None:
            yield known
            return
        if isinstance(node, ast.IfExp):
            yield from self._values(node.body, seen)
            yield from self._values(node.orelse, seen)
            return
        variable = self._read.symbols.variable(node) if isinstance(node, ast.Name) else None
        if variable is None or variable[0].kind != "function":
            raise LookupError
        if variable in seen:
            return
        seen.add(variable)
        for binding in variable[0].bindings[variable[1]]:
            if binding.kind == "assign" and binding.value is not None:
                yield from self._values(binding.value, seen)
            elif binding.kind == "param" and isinstance(binding.node, ast.arg):
                for given in self._given(variable[0].node, binding.node):
                    yield from self._values(given, seen)
            else:
                raise LookupError

    def _given(self, function: ast.AST, argument: ast.arg) -> Iterator[ast.expr]:
        """Yield what all calls of a function give for a parameter, its default among them."""
        if not isinstance(function, ast.FunctionDef) or argument not in (
            *function.args.args,
            *function.args.kwonlyargs,
        ):
            raise LookupError
        if self._parameters.not_followed(function) or self._parameters.doubt(function):
            raise LookupError
        default = self._parameters.default(function, argument)
        for _, given in self._parameters.calls(function, argument):
            value = default if given is None else given
            if value is None:
                raise LookupError
            yield value
