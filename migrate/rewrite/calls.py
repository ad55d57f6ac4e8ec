"""Changes calls inside one statement: an argument goes, or the call becomes other code."""

from __future__ import annotations

import ast
from typing import TypeVar

import libcst as cst

from migrate.rewrite import comments
from migrate.rewrite.locate import LocateError, match_calls
from migrate.rewrite.plan import Plan

_Node = TypeVar("_Node", bound=cst.CSTNode)


def change_calls(statement: ast.stmt, node: _Node, plan: Plan) -> tuple[_Node, list[cst.Comment]]:
    """Return a statement with its calls changed, and the comments of arguments that went.

    Raises:
        LocateError: the calls of the statement cannot be told apart.
    """
    transformer = _Transformer(match_calls(statement, node), plan)
    changed = node.visit(transformer)
    assert isinstance(changed, type(node))
    return changed, transformer.comments


class _Transformer(cst.CSTTransformer):
    def __init__(self, calls: dict[cst.Call, ast.Call], plan: Plan) -> None:
        super().__init__()
        self._calls = calls
        self._plan = plan
        self.comments: list[cst.Comment] = []

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> bool:
        return False

    def visit_SimpleStatementSuite(self, node: cst.SimpleStatementSuite) -> bool:
        return False

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        call = self._calls.get(original_node)
        if call is None:
            return updated_node
        code = self._plan.replaced.get(call)
        if code is not None:
            return cst.parse_expression(code)
        argument = self._plan.dropped.get(call)
        if argument is None:
            return updated_node
        number = _index(call, argument)
        if number >= len(original_node.args):
            raise LocateError(f"line {call.lineno}: no argument {number}")
        self.comments += comments.inside(original_node.args[number])
        return _without(updated_node, number)


def _index(call: ast.Call, argument: ast.expr) -> int:
    """Return the position of an argument among all arguments in the order of the source."""
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    values.sort(key=lambda value: (value.lineno, value.col_offset))
    return values.index(argument)


def _without(call: cst.Call, number: int) -> cst.Call:
    """Return a call without one argument; the layout of the others stays."""
    args = [arg for position, arg in enumerate(call.args) if position != number]
    if not args:
        space = call.whitespace_before_args
        if comments.inside(space):
            return call.with_changes(args=[])
        return call.with_changes(args=[], whitespace_before_args=cst.SimpleWhitespace(""))
    if number == len(args):
        last = args[-1]
        kept = isinstance(last.comma, cst.Comma) and comments.inside(last.comma)
        if not kept:
            gone = comments.without(call.args[number])
            args[-1] = last.with_changes(
                comma=gone.comma, whitespace_after_arg=gone.whitespace_after_arg
            )
    return call.with_changes(args=args)
