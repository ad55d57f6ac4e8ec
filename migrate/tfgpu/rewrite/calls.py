"""Changes expressions inside one statement: a call loses an argument, or becomes other code."""

from __future__ import annotations

import ast
from typing import TypeVar

import libcst as cst

from tfgpu.rewrite import comments
from tfgpu.rewrite.locate import match_nodes
from tfgpu.rewrite.plan import Plan

_Node = TypeVar("_Node", bound=cst.CSTNode)


def change_calls(statement: ast.stmt, node: _Node, plan: Plan) -> tuple[_Node, list[cst.Comment]]:
    """Return a statement with its expressions changed, and the comments of arguments that went.

    Raises:
        LocateError: the expressions of the statement cannot be told apart.
    """
    transformer = _Transformer(match_nodes(statement, node), plan)
    changed = node.visit(transformer)
    assert isinstance(changed, type(node))
    return changed, transformer.comments


class _Transformer(cst.CSTTransformer):
    def __init__(self, nodes: dict[cst.CSTNode, ast.AST], plan: Plan) -> None:
        super().__init__()
        self._nodes = nodes
        self._plan = plan
        self.comments: list[cst.Comment] = []

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> bool:
        return False

    def visit_SimpleStatementSuite(self, node: cst.SimpleStatementSuite) -> bool:
        return False

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        call = self._nodes.get(original_node)
        if not isinstance(call, ast.Call):
            return updated_node
        code = self._plan.replaced.get(call)
        if code is not None:
            return cst.parse_expression(code)
        name = self._plan.called.get(call)
        if name is not None:
            updated_node = updated_node.with_changes(func=cst.parse_expression(name))
        argument = self._plan.dropped.get(call)
        if argument is None:
            return updated_node
        changed = self._without_argument(call, argument, original_node, updated_node)
        return _entered(changed) if call in self._plan.entered else changed

    def _without_argument(
        self, call: ast.Call, argument: ast.expr, original_node: cst.Call, updated_node: cst.Call
    ) -> cst.Call:
        number = _index(call, argument)
        self.comments += comments.inside(original_node.args[number])
        behind = any(arg.keyword is None for arg in original_node.args[number + 1 :])
        by_place = original_node.args[number].keyword is None
        if behind and by_place and call not in self._plan.shortened:
            # The arguments behind it keep their places.
            args = list(updated_node.args)
            args[number] = args[number].with_changes(value=cst.Name("None"))
            return updated_node.with_changes(args=args)
        return _without(updated_node, number)

    def leave_ListComp(
        self, original_node: cst.ListComp, updated_node: cst.ListComp
    ) -> cst.BaseExpression:
        comprehension = self._nodes.get(original_node)
        assert comprehension is None or isinstance(comprehension, ast.expr)
        code = self._plan.replaced.get(comprehension) if comprehension is not None else None
        return updated_node if code is None else cst.parse_expression(code)

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        attribute = self._nodes.get(original_node)
        assert attribute is None or isinstance(attribute, ast.Attribute)
        renamed = self._plan.renamed.get(attribute) if attribute is not None else None
        if renamed is None:
            return updated_node
        head: cst.BaseExpression = updated_node
        dots: list[cst.Dot] = []
        for _ in range(renamed.depth):
            assert isinstance(head, cst.Attribute)
            dots.append(head.dot)
            head = head.value
        # The first new name keeps the line breaks and comments around the dot before the old one.
        for name in renamed.names:
            head = cst.Attribute(head, cst.Name(name), dots.pop() if dots else cst.Dot())
        return head.with_changes(lpar=updated_node.lpar, rpar=updated_node.rpar)


def _entered(call: cst.Call) -> cst.Call:
    """Return `tf.Session(...).__enter__()` for a call that makes another kind of session."""
    assert isinstance(call.func, cst.Attribute)
    session = call.with_changes(func=call.func.with_changes(attr=cst.Name("Session")))
    return cst.Call(cst.Attribute(session, cst.Name("__enter__")))


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
