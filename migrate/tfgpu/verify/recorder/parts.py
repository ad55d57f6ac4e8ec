"""The parts of a statement that need not run where the statement does, in one order.

Whoever asks which of them ran and whoever notes it count them alike.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# Fields with expressions that are evaluated late, only on failure, or never.
_LEFT_OUT = frozenset({"annotation", "returns", "type_params", "msg"})


@dataclass(frozen=True)
class Part:
    """A part of a statement: where it stands, in which conditional expression of the statement.

    `whole` is the outermost such expression, `holder` the one that decides about the part, which
    is its `field`, or of that the number `index`. Of an entry of a dictionary and of a default
    `name` tells which: they are evaluated at once, and asked for later or never.
    """

    whole: ast.AST
    holder: Any
    field: str
    index: int | None = None
    name: Any = None

    @property
    def node(self) -> Any:
        """The expression itself."""
        found = getattr(self.holder, self.field)
        return found if self.index is None else found[self.index]

    def replace(self, node: ast.expr) -> None:
        """Put another expression in its place."""
        if self.index is None:
            setattr(self.holder, self.field, node)
        else:
            getattr(self.holder, self.field)[self.index] = node


def parts_of(statement: ast.stmt) -> list[Part]:
    """Return the parts of a statement, without those of the statements in it."""
    return [*_parts(statement, None), *_defaults(statement)]


def _defaults(statement: ast.stmt) -> Iterator[Part]:
    """Yield the defaults of a function that are plain values."""
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    every = statement.args
    named = [*getattr(every, "posonlyargs", ()), *every.args]
    named = named[len(named) - len(every.defaults) :]
    for field, arguments in (("defaults", named), ("kw_defaults", every.kwonlyargs)):
        for number, argument in enumerate(arguments):
            value = getattr(every, field)[number]
            if value is not None and _is_plain(value):
                yield Part(ast.keyword(argument.arg, value), every, field, number, argument.arg)


def _entries(node: ast.Dict) -> Iterator[Part]:
    """Yield the entries of a dictionary that are plain values."""
    for number, (key, value) in enumerate(zip(node.keys, node.values)):  # noqa: B905 - Python 3.7
        if key is not None and _is_plain(key) and _is_plain(value):
            whole = ast.Dict([key], [value])
            yield Part(whole, node, "values", number, ast.literal_eval(key))


def _is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


def _parts(node: Any, whole: ast.AST | None) -> Iterator[Part]:
    mine = list(_held(node))
    if mine and whole is None:
        whole = node
    for field, index in mine:
        assert whole is not None
        yield Part(whole, node, field, index)
    if isinstance(node, ast.Dict):
        yield from _entries(node)
    for field, value in ast.iter_fields(node):
        if field in _LEFT_OUT:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_block(child):
                yield from _parts(child, whole)


def _held(node: Any) -> Iterator[tuple[str, int | None]]:
    """Yield what of an expression is not always evaluated."""
    if isinstance(node, ast.IfExp):
        yield "body", None
        yield "orelse", None
    elif isinstance(node, ast.BoolOp):
        yield from (("values", number) for number in range(1, len(node.values)))
    elif isinstance(node, ast.Compare):
        yield from (("comparators", number) for number in range(1, len(node.comparators)))
    elif isinstance(node, ast.Lambda):
        yield "body", None
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        yield "elt", None
    elif isinstance(node, ast.DictComp):
        yield "key", None


def _is_block(node: ast.AST) -> bool:
    """Tell whether a node holds statements, or is one."""
    return isinstance(node, (ast.stmt, ast.ExceptHandler)) or type(node).__name__ == "match_case"
