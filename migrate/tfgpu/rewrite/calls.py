"""Changes expressions inside one statement: a call loses an argument, or becomes other code."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TypeVar

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from tfgpu.code.tree import Tree
from tfgpu.rewrite import comments
from tfgpu.rewrite.changes import Plan

_Node = TypeVar("_Node", bound=cst.CSTNode)
_Item = TypeVar("_Item", cst.Arg, cst.BaseDictElement)
# What libcst calls otherwise than Python.
_KINDS = {"Comparison": "Compare", "UnaryOperation": "UnaryOp"}
# What stands from one line and column to another: expressions inside each other may start alike.
_Spot = tuple[str, tuple[int, int], tuple[int, int]]


class LocateError(Exception):
    """libcst's view of a file is not Python's; nothing of it is changed then."""


class CallChanger:
    """Changes the expressions of statements of a file, which libcst's positions tell apart."""

    def __init__(self, module: cst.Module, tree: Tree, plan: Plan) -> None:
        self._plan = plan
        self._wanted: dict[ast.stmt, dict[_Spot, ast.expr]] = {}
        changed = (*plan.replaced, *plan.called, *plan.renamed, *plan.cut)
        for node in (*changed, *plan.dropped, *plan.told):
            if isinstance(node, ast.expr):
                spot = (type(node).__name__, tree.position(node), tree.end(node))
                self._wanted.setdefault(tree.statement(node), {})[spot] = node
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self._positions = wrapper.resolve(PositionProvider) if self._wanted else {}

    def change(self, statement: ast.stmt, node: _Node) -> tuple[_Node, list[cst.Comment]]:
        """Return a statement with its expressions changed, and comments of arguments that went.

        Raises:
            LocateError: libcst does not see all expressions that are to be changed.
        """
        wanted = self._wanted.get(statement)
        if wanted is None:
            return node, []
        transformer = _Transformer(wanted, self._positions, self._plan)
        changed = node.visit(transformer)
        assert isinstance(changed, type(node))
        for kind, (line, _), _ in wanted:
            raise LocateError(f"line {line}: libcst does not see a {kind} that Python sees")
        return changed, transformer.comments


class _Transformer(cst.CSTTransformer):
    def __init__(
        self,
        wanted: dict[_Spot, ast.expr],
        positions: Mapping[cst.CSTNode, CodeRange],
        plan: Plan,
    ) -> None:
        super().__init__()
        self._wanted = wanted
        self._positions = positions
        self._plan = plan
        self._cut: set[cst.AssignTarget] = set()
        self.comments: list[cst.Comment] = []

    def _spot(self, node: cst.CSTNode) -> _Spot:
        at = self._positions[node]
        start, end = (at.start.line, at.start.column + 1), (at.end.line, at.end.column + 1)
        kind = type(node).__name__
        return _KINDS.get(kind, kind), start, end

    def _find(self, node: cst.CSTNode) -> ast.expr | None:
        """Return the node of the syntax tree that is to be changed, if this is one."""
        return self._wanted.pop(self._spot(node), None)

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> bool:
        return False

    def visit_SimpleStatementSuite(self, node: cst.SimpleStatementSuite) -> bool:
        return False

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        call = self._find(original_node)
        if not isinstance(call, ast.Call):
            return updated_node
        code = self._plan.replaced.get(call)
        if code is not None:
            return cst.parse_expression(code)
        name = self._plan.called.get(call)
        if name is not None:
            updated_node = updated_node.with_changes(func=cst.parse_expression(name))
        if call in self._plan.told:
            return self._told(call, original_node, updated_node)
        argument = self._plan.dropped.get(call)
        if argument is None:
            return updated_node
        changed = self._without_argument(call, argument, original_node, updated_node)
        return _entered(changed) if call in self._plan.entered else changed

    def leave_Dict(self, original_node: cst.Dict, updated_node: cst.Dict) -> cst.Dict:
        made = self._find(original_node)
        value = self._plan.dropped.get(made) if isinstance(made, ast.Dict) else None
        if not isinstance(made, ast.Dict) or value is None:
            return updated_node
        number = made.values.index(value)
        lines = _next_lines(original_node.elements, number)
        gone = comments.inside(original_node.elements[number])
        self.comments += [item for item in gone if item not in comments.of_lines(lines)]
        return _without_item(updated_node, number)

    def _without_argument(
        self, call: ast.Call, argument: ast.expr, original_node: cst.Call, updated_node: cst.Call
    ) -> cst.Call:
        number = _index(call, argument)
        lines = _next_lines(original_node.args, number)
        gone = comments.inside(original_node.args[number])
        self.comments += [item for item in gone if item not in comments.of_lines(lines)]
        behind = any(arg.keyword is None for arg in original_node.args[number + 1 :])
        by_place = original_node.args[number].keyword is None
        if behind and by_place and call not in self._plan.shortened:
            # The arguments after it keep their places.
            args = list(updated_node.args)
            args[number] = args[number].with_changes(value=cst.Name("None"))
            return updated_node.with_changes(args=args)
        return _without(updated_node, number)

    def _told(self, call: ast.Call, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Return a call with a flag in the place of an argument."""
        argument, flag, code = self._plan.told[call]
        number = _index(call, argument)
        self.comments += comments.inside(original_node.args[number].value)
        args = list(updated_node.args)
        name = args[number].keyword and cst.Name(flag)
        args[number] = args[number].with_changes(value=cst.parse_expression(code), keyword=name)
        return updated_node.with_changes(args=args)

    def _replaced(self, old: cst.CSTNode, new: cst.BaseExpression) -> cst.BaseExpression:
        """Return an expression, or the code that takes its place."""
        found = self._find(old)
        code = self._plan.replaced.get(found) if found is not None else None
        if code is None:
            return new
        # `if(a) is None:` has no space that code without brackets could do with.
        around = new.left if isinstance(new, cst.Comparison) and not new.lpar else new
        return cst.parse_expression(code).with_changes(lpar=around.lpar, rpar=around.rpar)

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:
        target = self._wanted.get(self._spot(node.target))
        if target not in self._plan.cut:
            return True
        self._find(node.target)
        self._cut.add(node)
        return False

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:
        pairs = zip(original_node.targets, updated_node.targets, strict=True)
        return updated_node.with_changes(
            targets=[new for old, new in pairs if old not in self._cut]
        )

    def leave_Comparison(
        self, original_node: cst.Comparison, updated_node: cst.Comparison
    ) -> cst.BaseExpression:
        return self._replaced(original_node, updated_node)

    def leave_UnaryOperation(
        self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation
    ) -> cst.BaseExpression:
        return self._replaced(original_node, updated_node)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self._replaced(original_node, updated_node)

    def leave_ListComp(
        self, original_node: cst.ListComp, updated_node: cst.ListComp
    ) -> cst.BaseExpression:
        return self._replaced(original_node, updated_node)

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        attribute = self._find(original_node)
        renamed = (
            self._plan.renamed.get(attribute) if isinstance(attribute, ast.Attribute) else None
        )
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
    if lines := _next_lines(call.args, number):
        if number:
            args[number - 1] = _with_lines(args[number - 1], lines)
        else:
            space = _longer(call.whitespace_before_args, lines)
            return call.with_changes(args=args, whitespace_before_args=space)
    elif number == len(args):
        last = args[-1]
        gone = comments.without(call.args[number])
        if isinstance(last.comma, cst.Comma) and comments.inside(last.comma):
            args[-1] = last.with_changes(comma=_ending_as(gone, last.comma))
        else:
            args[-1] = last.with_changes(
                comma=gone.comma, whitespace_after_arg=gone.whitespace_after_arg
            )
    return call.with_changes(args=args)


def _without_item(node: cst.Dict, number: int) -> cst.Dict:
    """Return a dictionary without one item; the layout, and the comments, of the others stay."""
    left = [item for position, item in enumerate(node.elements) if position != number]
    if lines := _next_lines(node.elements, number):
        if number:
            left[number - 1] = _with_lines(left[number - 1], lines)
        else:
            space = _longer(node.lbrace.whitespace_after, lines)
            node = node.with_changes(lbrace=node.lbrace.with_changes(whitespace_after=space))
    if number < len(left):
        return node.with_changes(elements=left)
    end, none = node.rbrace.whitespace_before, cst.SimpleWhitespace("")
    if not left:
        start = node.lbrace.whitespace_after
        end = _joined(start, end) if comments.inside(start) or comments.inside(end) else none
        lbrace = node.lbrace.with_changes(whitespace_after=none)
        node = node.with_changes(lbrace=lbrace)
    else:
        comma = left[-1].comma
        assert isinstance(comma, cst.Comma)
        if comments.inside(comma.whitespace_after):
            end = _joined(comma.whitespace_after, end)
        stays = isinstance(node.elements[number].comma, cst.Comma)
        bare = comma.with_changes(whitespace_after=none)
        left[-1] = left[-1].with_changes(comma=bare if stays else cst.MaybeSentinel.DEFAULT)
    rbrace = node.rbrace.with_changes(whitespace_before=end)
    return node.with_changes(elements=left, rbrace=rbrace)


def _next_lines(
    items: Sequence[cst.Arg] | Sequence[cst.BaseDictElement], number: int
) -> cst.ParenthesizedWhitespace | None:
    """Return the lines behind an item, where they have comments on the one that comes next."""
    comma = items[number].comma
    space = comma.whitespace_after if isinstance(comma, cst.Comma) else None
    if number + 1 == len(items) or not isinstance(space, cst.ParenthesizedWhitespace):
        return None
    return space if comments.of_lines(space) else None


def _with_lines(item: _Item, lines: cst.ParenthesizedWhitespace) -> _Item:
    """Return an item with the lines that stood behind the one that followed it."""
    comma = item.comma
    assert isinstance(comma, cst.Comma)
    space = _longer(comma.whitespace_after, lines)
    return item.with_changes(comma=comma.with_changes(whitespace_after=space))


def _longer(
    space: cst.BaseParenthesizableWhitespace, lines: cst.ParenthesizedWhitespace
) -> cst.ParenthesizedWhitespace:
    """Return a space, and the lines of another one behind it."""
    if not isinstance(space, cst.ParenthesizedWhitespace):
        return lines.with_changes(first_line=cst.TrailingWhitespace())
    more = [*space.empty_lines, *lines.empty_lines]
    return lines.with_changes(first_line=space.first_line, empty_lines=more)


def _joined(
    space: cst.BaseParenthesizableWhitespace, end: cst.BaseParenthesizableWhitespace
) -> cst.BaseParenthesizableWhitespace:
    """Return the lines of a space, and of the one behind it, as one."""
    if not isinstance(space, cst.ParenthesizedWhitespace):
        return end
    if not isinstance(end, cst.ParenthesizedWhitespace):
        return space
    lines = [*space.empty_lines]
    if end.first_line.comment is not None:
        line = cst.EmptyLine(space.indent, space.last_line, end.first_line.comment)
        lines.append(line)
    return end.with_changes(first_line=space.first_line, empty_lines=[*lines, *end.empty_lines])


def _ending_as(gone: cst.Arg, comma: cst.Comma) -> cst.Comma:
    """Return a comma before which an argument went: the bracket behind that keeps its column."""
    space = gone.comma.whitespace_after if isinstance(gone.comma, cst.Comma) else None
    last = space or gone.whitespace_after_arg
    before = comma.whitespace_after
    if not (
        isinstance(last, cst.ParenthesizedWhitespace)
        and isinstance(before, cst.ParenthesizedWhitespace)
    ):
        return comma
    behind = before.with_changes(indent=last.indent, last_line=last.last_line)
    return comma.with_changes(whitespace_after=behind)
