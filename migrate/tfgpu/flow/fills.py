"""What gives a parameter a config where a call gives none: `if config is None: config = ...`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from tfgpu.code.index import Scope
from tfgpu.flow.facts import Fill
from tfgpu.flow.locations import Reading

_AROUND = (ast.Call, ast.keyword, ast.Attribute)


def fill_of(reading: Reading, function: ast.FunctionDef, argument: ast.arg) -> Fill | None:
    """Return what fills a parameter before anything else is done with it, if that is certain.

    A ConfigProto is true, and equal to no None, whatever it has (measured), so that a test of its
    truth is one for None.
    """
    return _Fills(reading, function, argument).find()


def stored_fill_of(reading: Reading, function: ast.FunctionDef, argument: ast.arg) -> Fill | None:
    """Return what fills an attribute that is first set to a parameter of its method, if any.

    `self.config = config`, and right behind it `if self.config is None: self.config = ...`.
    """
    return _Fills(reading, function, argument).find_stored()


class _Fills:
    def __init__(self, reading: Reading, function: ast.FunctionDef, argument: ast.arg) -> None:
        self._read = reading
        self._function = function
        self._argument = argument
        self._name = argument.arg
        self._scope: Scope = reading.tree.scope(function.args)
        self._attribute = ""

    def find(self) -> Fill | None:
        for statement in self._block():
            missing = self._asks(statement.test) if isinstance(statement, ast.If) else None
            if missing is not None:
                assert isinstance(statement, ast.If)
                return self._statement(statement, missing)
        return self._choice()

    def _block(self) -> list[ast.stmt]:
        """Return the innermost block that has all that is done with the parameter.

        `if _SESSION is None:` may stand around it, or a `with`; a loop would come back to it.
        """
        done = {*self._read.symbols.uses((self._scope, self._name)), *self._others()}
        block: list[ast.stmt] | None = self._function.body
        while block is not None:
            found = block
            parts = [part for item in block for part in _parts_of(item)] if done else []
            block = next((part for part in parts if done.issubset(_nodes(part))), None)
        return found

    def find_stored(self) -> Fill | None:
        """Return the condition that fills an attribute; nothing else is done with the parameter."""
        store: ast.Assign | None = None
        for statement in self._function.body:
            if self._stores(statement):
                store, self._attribute = statement, ast.unparse(statement.targets[0])
            elif store is not None and isinstance(statement, ast.If):
                return self._stored(store, statement)
            elif not self._is_beside(statement):
                store = None
        return None

    def _stored(self, store: ast.Assign, statement: ast.If) -> Fill | None:
        looks = {*ast.walk(store), *ast.walk(statement.test)}
        if (
            not looks.issuperset(self._read.symbols.uses((self._scope, self._name)))
            or any(self._others())
            or statement.orelse
            or not self._asks(statement.test)
            or not self._binds(statement.body)
        ):
            return None
        inside = {node for item in statement.body for node in ast.walk(item)}
        return Fill(statement, statement.test, True, frozenset(inside))

    def _is_beside(self, statement: ast.stmt) -> bool:
        """Tell whether a statement only gives others a constant, or the value of a variable."""
        return (
            isinstance(statement, ast.Assign)
            and isinstance(statement.value, ast.Constant | ast.Name)
            and not any(map(self._is_it, statement.targets))
        )

    def _stores(self, statement: ast.stmt) -> TypeGuard[ast.Assign]:
        """Tell whether a statement stores the parameter in an attribute of the method's object."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
            return False
        (target,) = statement.targets
        holder = target.value if isinstance(target, ast.Attribute) else None
        firsts = [item.arg for item in self._function.args.args[:1]]
        return (
            isinstance(holder, ast.Name) and [holder.id] == firsts and self._is_it(statement.value)
        )

    def _asks(self, test: ast.expr) -> bool | None:
        """Tell whether a test holds where the parameter is None, or where not; None if neither."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self._asks(test.operand)
            return None if inner is None else not inner
        if isinstance(test, ast.Compare):
            (operator, *_), (other, *_) = test.ops, test.comparators
            known = isinstance(operator, ast.Is | ast.Eq | ast.IsNot | ast.NotEq)
            if len(test.ops) > 1 or not known or not self._read.values.is_none(other):
                return None
            return isinstance(operator, ast.Is | ast.Eq) if self._is_it(test.left) else None
        return False if self._is_it(test) else None

    def _is_it(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Attribute):
            return ast.unparse(node) == self._attribute
        return isinstance(node, ast.Name) and node.id == self._name

    def _others(self) -> Iterator[ast.AST]:
        """Yield what else the parameter is assigned."""
        for item in self._scope.bindings[self._name]:
            if item.node is not self._argument:
                yield item.node

    def _statement(self, statement: ast.If, missing: bool) -> Fill | None:
        """Return a condition that fills the parameter; only behind it anything is done with it."""
        tree = self._read.tree
        branch = statement.body if missing else statement.orelse
        inside = {node for item in branch for node in ast.walk(item)}
        others = list(map(tree.statement, self._others()))
        uses = self._read.symbols.uses((self._scope, self._name))
        start = tree.position(statement)
        if (
            not others
            or not self._binds(branch)
            or not inside.issuperset(others)
            or any(tree.position(use) < start for use in uses)
        ):
            return None
        return Fill(statement, statement.test, missing, frozenset(inside))

    def _binds(self, block: list[ast.stmt]) -> bool:
        """Tell whether a block certainly assigns to the parameter, or raises."""
        return any(
            isinstance(item, ast.Raise)
            or (isinstance(item, ast.Assign) and any(map(self._is_it, item.targets)))
            or (isinstance(item, ast.AnnAssign) and item.value and self._is_it(item.target))
            or (isinstance(item, ast.If) and self._binds(item.body) and self._binds(item.orelse))
            or (isinstance(item, ast.With) and self._binds(item.body))
            for item in block
        )

    def _choice(self) -> Fill | None:
        """Return the expression that fills a parameter: `config or ...`, `... if config else ...`.

        Nothing else may read the parameter, but what reads what such an expression was assigned.
        """
        tree = self._read.tree
        uses = list(self._read.symbols.uses((self._scope, self._name)))
        choices: list[ast.IfExp | ast.BoolOp] = []
        for use in uses:
            parent = tree.parent[use]
            while isinstance(parent, ast.Compare | ast.UnaryOp):
                parent = tree.parent[parent]
            if isinstance(parent, ast.IfExp | ast.BoolOp):
                choices.append(parent)
        found = self._parts(choices[0]) if choices else None
        if found is None:
            return None
        first = tree.statement(choices[0])
        whole = set(ast.walk(choices[0]))
        others = [*self._others(), *(use for use in uses if use not in whole)]
        targets = (
            first.targets if isinstance(first, ast.Assign) and first.value is choices[0] else []
        )
        is_first = first in self._block() and any(map(self._is_it, targets))
        starts = [tree.position(tree.statement(node)) for node in others]
        is_only = not others or (is_first and all(it >= tree.position(first) for it in starts))
        return found if is_only else None

    def _parts(self, node: ast.IfExp | ast.BoolOp) -> Fill | None:
        """Return the parts of an expression that is a parameter unless that is None."""
        if isinstance(node, ast.BoolOp):
            kept, fill = node.values[0], node.values[1]
            asked, missing = kept, False
            if len(node.values) != 2 or not isinstance(node.op, ast.Or):
                return None
        else:
            found = self._asks(node.test)
            if found is None:
                return None
            asked, missing = node.test, found
            fill, kept = (node.body, node.orelse) if missing else (node.orelse, node.body)
        inside = frozenset(ast.walk(fill))
        if not self._is_it(kept) or any(
            isinstance(it, ast.expr) and self._is_it(it) for it in inside
        ):
            return None
        return Fill(node, asked, missing, inside)


def _parts_of(statement: ast.stmt) -> list[list[ast.stmt]]:
    """Return the blocks of a statement that runs one of them once, if any."""
    if isinstance(statement, ast.If):
        # An `elif` cannot become statements without a condition.
        is_elif = len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If)
        return [statement.body, *([] if is_elif else [statement.orelse])]
    return [statement.body] if isinstance(statement, ast.With) else []


def _nodes(block: list[ast.stmt]) -> set[ast.AST]:
    return {node for item in block for node in ast.walk(item)}


def stands_alone(fill: Fill, reading: Reading) -> bool:
    """Tell whether no other condition decides whether an expression fills a parameter."""
    for around in reading.tree.within(fill.test):
        if isinstance(around, ast.stmt):
            return True
        if not isinstance(around, _AROUND):
            return False
    return True
