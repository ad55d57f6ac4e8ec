"""Applies a plan to the text of a file, with libcst."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeVar

import libcst as cst

from tfgpu.code.tree import TRY, Tree
from tfgpu.rewrite import comments
from tfgpu.rewrite.calls import CallChanger
from tfgpu.rewrite.changes import Plan
from tfgpu.rewrite.compose import Piece
from tfgpu.rewrite.module import parsed
from tfgpu.rewrite.nesting import check_nesting
from tfgpu.rewrite.parameters import with_flag, without_decorators, without_parameter
from tfgpu.rewrite.style import indentation
from tfgpu.rewrite.top import add_beside, add_helpers, add_imports, change_import, disabling
from tfgpu.rewrite.whitespace import check_whitespace

Line = cst.SimpleStatementLine | cst.BaseCompoundStatement
_Node = TypeVar("_Node", bound=cst.CSTNode)
_PASS = cst.SimpleStatementLine([cst.Pass()])


def apply(plan: Plan, tree: Tree) -> str:
    """Return the new text of a file; the old one where the plan is empty.

    Raises:
        SourceError: libcst would lose blanks of the file, or it is nested too deeply for libcst.
        LocateError: libcst's view of the file is not Python's; nothing can be changed.
        libcst.ParserSyntaxError: libcst cannot parse the file.
        RecursionError: the new code is nested too deeply.
    """
    return _Applier(plan, tree).run() if plan else tree.text


def _emptied(plan: Plan) -> set[ast.stmt]:
    """Return the imports and `global` statements that lose all their names."""
    lost: dict[ast.stmt, int] = {}
    for item in plan.imports.removed:
        lost[item.statement] = lost.get(item.statement, 0) + 1
    for statement, _ in plan.unbound:
        lost[statement] = lost.get(statement, 0) + 1
    return {
        statement
        for statement, count in lost.items()
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal)
        and count == len(statement.names)
        and statement not in plan.imports.emptied
    }


class _Applier:
    def __init__(self, plan: Plan, tree: Tree) -> None:
        self._plan = plan
        self._tree = tree
        check_nesting(tree.module)
        check_whitespace(tree.text)
        self._module, self._end = parsed(tree.text)
        self._calls = CallChanger(self._module, tree, plan)
        self._unit = indentation(tree.module, tree)
        # Comments of statements that went, until the piece that replaces them is written.
        self._moved: dict[ast.stmt, list[cst.EmptyLine]] = {}
        self._trailing: dict[ast.stmt, cst.Comment] = {}
        # Comments at the end of conditions that were opened.
        self._below: dict[ast.stmt, list[cst.EmptyLine]] = {}
        self._inside_dropped: dict[ast.stmt, list[cst.EmptyLine]] = {}
        touched: set[ast.AST] = {
            *plan.removed,
            *plan.pieces,
            *plan.behind,
            *map(tree.statement, plan.dropped),
            *map(tree.statement, plan.told),
            *map(tree.statement, plan.replaced),
            *map(tree.statement, plan.called),
            *map(tree.statement, plan.renamed),
            *map(tree.statement, plan.cut),
            *map(tree.statement, plan.imports.moved),
            *plan.parameters,
            *plan.flags,
            *plan.methods,
            *plan.typeless,
            *plan.opened,
            *plan.imports.disable_after,
            *filter(None, [plan.imports.beside]),
            *(item.statement for item in (*plan.imports.switched, *plan.imports.removed)),
            *plan.imports.stars,
            *(statement for statement, _ in plan.unbound),
        }
        self._changed = touched
        self._vanishing = (plan.removed - plan.returns) | _emptied(plan)
        self._touched = touched | {around for node in touched for around in tree.within(node)}

    def run(self) -> str:
        lines, pending = self._block(self._tree.module.body, self._module.body)
        helpers = [line for code in self._plan.helpers for line in self._parse(code)]
        lines = add_helpers(lines, helpers)
        lines = add_imports(lines, self._plan.imports)
        module = self._module.with_changes(body=lines, footer=[*pending, *self._module.footer])
        return module.code + self._end

    def _parse(self, code: str) -> list[Line]:
        """Parse composed code, indented as the file is."""
        lines = []
        for line in code.split("\n"):
            depth = (len(line) - len(line.lstrip(" "))) // 4
            lines.append(self._unit * depth + line[4 * depth :])
        parsed = cst.parse_module("\n".join(lines) + "\n", self._module.config_for_parsing)
        return [line for line in parsed.body if isinstance(line, Line)]

    # Blocks.

    def _block(
        self, statements: Sequence[ast.stmt], lines: Sequence[cst.CSTNode]
    ) -> tuple[list[Line], list[cst.EmptyLine]]:
        """Rebuild the lines of a block; also return the comments that found no line below them."""
        self._stash(statements, lines)
        result: list[Line] = []
        pending: list[cst.EmptyLine] = []
        position = 0
        for line in lines:
            assert isinstance(line, Line)
            count = len(line.body) if isinstance(line, cst.SimpleStatementLine) else 1
            members = list(statements[position : position + count])
            position += count
            if self._touched.isdisjoint(members):
                new = [line]
            else:
                new = self._line(members, line)
                for member in members:
                    pending = comments.join(pending, self._moved.pop(member, []))
                    trailing = self._trailing.pop(member, None)
                    if trailing is not None and not comments.is_pragma(trailing):
                        pending.append(comments.own_line(trailing))
            if new and pending:
                first = new[0]
                new[0] = first.with_changes(
                    leading_lines=comments.join(pending, first.leading_lines)
                )
                pending = []
            result += new
            pending = comments.join(pending, self._below.pop(members[0], []))
        return result, comments.without_blanks(pending)

    def _stash(self, statements: Sequence[ast.stmt], lines: Sequence[cst.CSTNode]) -> None:
        """Keep the comments of all statements of a block that go, before pieces ask for them."""
        position = 0
        for line in lines:
            count = len(line.body) if isinstance(line, cst.SimpleStatementLine) else 1
            members = statements[position : position + count]
            position += count
            if isinstance(line, cst.SimpleStatementLine):
                for number, member in enumerate(members):
                    if member in self._vanishing:
                        self._stash_small(member, number, line)

    def _stash_small(self, member: ast.stmt, number: int, line: cst.SimpleStatementLine) -> None:
        moved = list(line.leading_lines) if number == 0 else []
        moved += map(comments.own_line, comments.inside(line.body[number]))
        last = number == len(line.body) - 1
        if last and line.trailing_whitespace.comment is not None:
            self._trailing[member] = line.trailing_whitespace.comment
        self._moved[member] = moved

    def _line(self, members: list[ast.stmt], line: Line) -> list[Line]:
        """Rebuild one line of statements, or one compound statement."""
        if members[0] in self._plan.opened:
            assert isinstance(line, cst.If)
            return self._opened(members[0], line)
        if not isinstance(line, cst.SimpleStatementLine):
            changed = self._compound(members[0], line)
            leading = list(line.leading_lines)
            return self._with_pieces(members[0], changed, leading)
        result: list[Line] = []
        for number, (member, small) in enumerate(zip(members, line.body, strict=True)):
            leading = list(line.leading_lines) if number == 0 else []
            trailing = cst.TrailingWhitespace()
            if number == len(members) - 1:
                trailing = line.trailing_whitespace
            kept: Line | None = None
            new_small = self._small(member, small)
            if new_small is not None:
                new_small = new_small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
                kept = cst.SimpleStatementLine([new_small], leading, trailing)
            result += self._with_pieces(member, kept, leading)
        if len(result) == len(members) > 1 and not (
            (self._plan.pieces.keys() | self._plan.behind.keys()) & set(members)
        ):
            # Nothing went and nothing came: the statements stay on their line.
            body = [
                small.with_changes(semicolon=old.semicolon)
                for new, old in zip(result, line.body, strict=True)
                if isinstance(new, cst.SimpleStatementLine)
                for small in new.body
            ]
            return [line.with_changes(body=body)]
        return result

    def _opened(self, statement: ast.stmt, node: cst.If) -> list[Line]:
        """Return the body of a condition that always holds."""
        assert isinstance(statement, ast.If)
        block = node.body
        lines: Sequence[cst.CSTNode] = block.body
        above = list(node.leading_lines)
        if isinstance(block, cst.SimpleStatementSuite):
            lines = [cst.SimpleStatementLine(block.body, (), block.trailing_whitespace)]
        elif isinstance(block, cst.IndentedBlock):
            above += map(comments.own_line, comments.inside(block.header))
        result, pending = self._block(statement.body, lines)
        if result:
            first = result[0]
            result[0] = first.with_changes(leading_lines=[*above, *first.leading_lines])
        footer = block.footer if isinstance(block, cst.IndentedBlock) else ()
        self._moved[statement] = [] if result else above
        self._below[statement] = [*pending, *footer]
        return result

    def _with_pieces(
        self, statement: ast.stmt, kept: Line | None, leading: list[cst.EmptyLine]
    ) -> list[Line]:
        """Put the pieces that belong before a statement above it."""
        result: list[Line] = []
        moves = kept is not None and statement in self._plan.pieces
        for number, piece in enumerate(self._plan.pieces.get(statement, ())):
            lines = self._piece(piece)
            if moves and number == 0:
                lines[0] = lines[0].with_changes(leading_lines=leading)
            result += lines
        if kept is not None:
            dropped = self._inside_dropped.pop(statement, [])
            if moves and result:
                # Comments above a statement that settings move in front of belong to it, as do the
                # blank lines above a class.
                stay = statement in self._plan.moved_to and (
                    isinstance(statement, ast.ClassDef) or comments.without_blanks(leading)
                )
                kept = kept.with_changes(leading_lines=leading if stay else [])
                if stay:
                    blanks = leading[: comments.leading_blanks(leading)]
                    result[0] = result[0].with_changes(leading_lines=blanks)
                if dropped:
                    first = result[0]
                    result[0] = first.with_changes(leading_lines=[*first.leading_lines, *dropped])
            elif dropped:
                kept = kept.with_changes(leading_lines=[*kept.leading_lines, *dropped])
        if statement is self._plan.imports.beside:
            result += add_beside(kept, self._plan.imports)
        elif kept is not None:
            result.append(kept)
        if not isinstance(statement, ast.With):
            for piece in self._plan.behind.get(statement, ()):
                result += self._parse(piece.code)
        if statement in self._plan.imports.disable_after:
            result += self._parse(disabling(self._plan.imports.disable_after[statement]))
        return result

    def _piece(self, piece: Piece) -> list[Line]:
        """Parse a piece and put the comments of the statements that it replaces above it."""
        lines = self._parse(piece.code)
        first: Line = lines[0]
        found = [
            (self._moved.pop(origin, []), self._trailing.pop(origin, None))
            for origin in self._before(piece)
        ]
        trailing = [comment for _, comment in found if comment is not None]
        alone = len(lines) == len(trailing) == 1 and isinstance(first, cst.SimpleStatementLine)
        beside = alone and not self._is_split(piece)
        above: list[cst.EmptyLine] = []
        for number, (moved, comment) in enumerate(found):
            above += comments.without_blanks(moved) if number else moved
            if comment is None:
                continue
            if beside:
                space = cst.SimpleWhitespace("  ")
                first = first.with_changes(
                    trailing_whitespace=cst.TrailingWhitespace(space, comment)
                )
            elif comments.is_pragma(comment):
                first = comments.ended(first, comment)
            else:
                above.append(comments.own_line(comment))
        lines[0] = first.with_changes(leading_lines=above)
        return lines

    def _is_split(self, piece: Piece) -> bool:
        """Tell whether a statement became more than this piece."""
        return any(
            other is not piece and not set(other.origins).isdisjoint(piece.origins)
            for pieces in self._plan.pieces.values()
            for other in pieces
        )

    def _before(self, piece: Piece) -> list[ast.stmt]:
        """Return the statements that went up to a piece, whose comments it takes over."""
        tree = self._tree
        last = max(map(tree.position, piece.origins))
        block = tree.block(piece.origins[0])
        gone = [
            statement
            for statement in {**self._moved, **self._trailing}
            if tree.position(statement) <= last and tree.block(statement) is block
        ]
        return sorted(gone, key=tree.position)

    # Statements.

    def _small(
        self, statement: ast.stmt, small: cst.BaseSmallStatement
    ) -> cst.BaseSmallStatement | None:
        """Rebuild a simple statement; None for one that goes."""
        if statement in self._plan.returns:
            return cst.Return()
        if statement in self._plan.removed:
            return None
        if statement not in self._changed:
            return small
        if isinstance(small, cst.Import | cst.ImportFrom):
            return self._import(statement, small)
        if isinstance(small, cst.Global | cst.Nonlocal):
            gone = {name for node, name in self._plan.unbound if node is statement}
            names = [item for item in small.names if item.name.value not in gone]
            if not names:
                return None
            names[-1] = names[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            return small.with_changes(names=names)
        return self._header(statement, small)

    def _import(
        self, statement: ast.stmt, small: cst.Import | cst.ImportFrom
    ) -> cst.Import | cst.ImportFrom | None:
        """Change the names of an import; the comments of those that go stand above it."""
        changed = change_import(small, statement, self._plan.imports)
        if changed is not None:
            left = set(map(id, comments.inside(changed)))
            lost = [item for item in comments.inside(small) if id(item) not in left]
            self._inside_dropped[statement] = list(map(comments.own_line, lost))
        return changed

    def _header(self, statement: ast.stmt, node: _Node) -> _Node:
        """Change the calls of a statement outside of its blocks."""
        changed, dropped = self._calls.change(statement, node)
        if dropped:
            self._inside_dropped[statement] = [comments.own_line(item) for item in dropped]
        return changed

    def _definition(
        self, statement: ast.stmt, node: cst.BaseCompoundStatement
    ) -> cst.BaseCompoundStatement:
        """Take out of a header what goes: a parameter, `@property`, the type of the result."""
        if isinstance(statement, ast.FunctionDef) and statement in self._plan.parameters:
            assert isinstance(node, cst.FunctionDef)
            name = self._plan.parameters[statement].arg
            node, dropped = without_parameter(node, name)
            self._inside_dropped.setdefault(statement, []).extend(map(comments.own_line, dropped))
        if isinstance(statement, ast.FunctionDef) and statement in self._plan.flags:
            assert isinstance(node, cst.FunctionDef)
            argument, flag = self._plan.flags[statement]
            node = with_flag(node, argument.arg, flag)
        if statement in self._plan.typeless:
            node = node.with_changes(returns=None)
        return without_decorators(node) if statement in self._plan.methods else node

    def _compound(self, statement: ast.stmt, node: cst.BaseCompoundStatement) -> Line:
        """Rebuild a compound statement: its header and its blocks."""
        if statement in self._changed:
            node = self._definition(statement, self._header(statement, node))
        if isinstance(node, cst.Match):
            assert isinstance(statement, ast.Match)
            cases = zip(statement.cases, node.cases, strict=True)
            return node.with_changes(cases=[self._part(case.body, part) for case, part in cases])
        body = self._suite(statement.body, node.body)  # type: ignore[attr-defined]
        first = [
            line
            for piece in self._plan.behind.get(statement, ())
            if isinstance(statement, ast.With)
            for line in self._parse(piece.code)
        ]
        changes: dict[str, object] = {"body": body.with_changes(body=[*first, *body.body])}
        if isinstance(node, cst.Try | cst.TryStar):
            assert isinstance(statement, TRY)
            handlers = zip(statement.handlers, node.handlers, strict=True)
            changes["handlers"] = [self._part(handler.body, part) for handler, part in handlers]
            if node.finalbody is not None:
                changes["finalbody"] = self._part(statement.finalbody, node.finalbody)
        orelse = getattr(node, "orelse", None)
        if orelse is not None:
            members: list[ast.stmt] = statement.orelse  # type: ignore[attr-defined]
            changes["orelse"] = self._orelse(members, orelse)
        return node.with_changes(**changes)

    def _orelse(self, members: list[ast.stmt], node: cst.If | cst.Else) -> cst.CSTNode | None:
        """Rebuild an `elif`, or an `else` that goes when nothing is left in it."""
        if isinstance(node, cst.If):
            return self._compound(members[0], node)
        block = self._suite(members, node.body)
        empty = block.body == [_PASS] and not comments.inside(node.with_changes(body=block))
        return None if empty else node.with_changes(body=block)

    def _part(self, members: list[ast.stmt], node: _Node) -> _Node:
        return node.with_changes(body=self._suite(members, node.body))  # type: ignore[attr-defined]

    def _suite(self, members: list[ast.stmt], block: cst.BaseSuite) -> cst.BaseSuite:
        """Rebuild the block of a compound statement; an empty one passes."""
        if self._touched.isdisjoint(members):
            return block
        if isinstance(block, cst.SimpleStatementSuite):
            line = cst.SimpleStatementLine(block.body, (), block.trailing_whitespace)
            lines, pending = self._block(members, [line])
            first = lines[0] if len(lines) == 1 else None
            if isinstance(first, cst.SimpleStatementLine) and not (first.leading_lines or pending):
                return block.with_changes(body=first.body)
            return cst.IndentedBlock(lines or [_PASS], footer=pending)
        lines, pending = self._block(members, block.body)
        footer = block.footer if isinstance(block, cst.IndentedBlock) else ()
        return block.with_changes(body=lines or [_PASS], footer=[*pending, *footer])
