"""One parsed file with what `ast` leaves out: parents, scopes, bindings and guards."""

from __future__ import annotations

import ast
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cached_property
from pathlib import PurePath

from tfgpu.code.exports import Exports, changes_exports, exports_of
from tfgpu.code.index import Binding, Import, Index, Scope
from tfgpu.files.cells import NO_CELLS, Cells
from tfgpu.place import place

# `try`, and `try` with `except*`, which Python 3.10 does not have.
TRY: tuple[type[ast.Try], ...] = (ast.Try, getattr(ast, "TryStar", ast.Try))
LOOPS = (ast.For, ast.AsyncFor, ast.While)


def last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name, `Session` of `tf.Session`; nothing for others."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


_START, _END = (0, 0), (sys.maxsize, 0)
# The modules of the builtins, and the name that modules have for them.
_BUILTINS = frozenset(["builtins", "__builtin__", "__builtins__"])


def _first(item: tuple[tuple[int, int], object]) -> tuple[int, int]:
    return item[0]


class Tree(Index):
    """A module and what is asked about it.

    `path` names its file, `cells` are those of a notebook, `python2` tells that the text replaces
    Python 2. `opened` are conditions that the analysis of this tree found to hold always. A
    `Forest` has the same reading methods over several modules.
    """

    def __init__(
        self,
        module: ast.Module,
        text: str,
        path: str = "",
        cells: Cells = NO_CELLS,
        python2: bool = False,
    ) -> None:
        super().__init__(module)
        self.text = text
        self.path = path
        self.cells = cells
        self.python2 = python2
        self.opened: frozenset[ast.AST] = frozenset()
        self.swallowing: frozenset[ast.AST] = frozenset()
        self._guards: dict[ast.AST, tuple[tuple[ast.AST, str], ...]] = {}
        self._lines: list[str] = []
        self._code: dict[Scope, list[tuple[tuple[int, int], ast.stmt | ast.expr]]] = {}

    def for_analysis(self) -> Tree:
        """Return a tree of the same nodes, for one analysis and what it finds out about them.

        Everything that was read of the file is shared, and nothing of that ever changes.
        """
        tree = copy(self)
        tree._guards = {}
        return tree

    @property
    def floors(self) -> bool:
        """Whether the quotient of two integers is an integer, as in Python 2."""
        return self.python2 and all(item.path != "__future__.division" for item in self.imports)

    def open(self, tests: Iterable[ast.AST]) -> None:
        """Record the conditions that are always true after the migration: they guard nothing."""
        self.opened = frozenset(tests)
        self._guards.clear()

    def swallow(self, statements: Iterable[ast.AST]) -> None:
        """Record the `with` statements that may end an exception in their bodies."""
        self.swallowing = frozenset(statements)
        self._guards.clear()

    @property
    def files(self) -> list[Tree]:
        """Every module, as a tree of its own."""
        return [self]

    def file(self, node: ast.AST) -> Tree:
        """Return the tree of the module that a node is in."""
        return self

    def linked(self, item: Import) -> tuple[Tree, str] | None:
        """Return the module that an import means, and the name that it takes from there."""
        return None

    def means(self, dotted: str) -> bool:
        """Tell whether an import of a dotted path may mean one of several files."""
        return False

    @cached_property
    def is_package(self) -> bool:
        """Whether the file is the module of a package."""
        return PurePath(self.path).stem == "__init__"

    def has_submodule(self, package: Tree, name: str) -> bool:
        """Tell whether an import of a module may give its name in a package to it, later on."""
        return False

    def starred(self, tree: Tree, after: int = 0) -> list[Tree]:
        """Return the modules that a module imports everything from, behind a line."""
        return []

    def star_binders(self, tree: Tree, name: str, after: int = 0) -> list[Tree | None]:
        """Return the modules that a name may come from by the star imports behind a line."""
        return []

    def star_brings(self, name: str) -> bool | None:
        """Tell whether `from module import *` brings a name of the module; None if unknown."""
        if "__all__" not in self.root.bindings:
            return not name.startswith("_")
        if name in self.exports.certain:
            return True
        return None if self.exports.may_have(name) else False

    @cached_property
    def exports(self) -> Exports:
        """What the file's `__all__` may name."""
        return exports_of(self)

    @cached_property
    def changes_exports(self) -> bool:
        """Whether the file may change what `__all__` of a module is in another way."""
        return changes_exports(self)

    def may_export(self, module: Tree, name: str) -> bool:
        """Tell whether `__all__` of a module among the files may have a name."""
        return module.exports.may_have(name)

    def loaded_modules(self) -> Iterator[tuple[ast.expr, Tree, str]]:
        """Yield each text that may import a module of the files, that, and what it names in it."""
        return iter(())

    def imported_modules(self) -> Iterator[tuple[ast.stmt, Tree]]:
        """Yield each import statement with every module of the files that it runs."""
        own = PurePath(self.path).stem
        written = ((item.statement, item.path) for item in self.imports)
        for statement, path in (*self.imports_by_name(), *written):
            if path == own or path.startswith(f"{own}."):
                yield statement, self

    def imports_by_name(self) -> Iterator[tuple[ast.stmt, str]]:
        """Yield the calls that import a module by a name which is written there."""
        for call in self.calls:
            name = last_name(call.func)
            first = call.args[0] if call.args else None
            named = first.value if isinstance(first, ast.Constant) else None
            if name in ("import_module", "__import__") and isinstance(named, str):
                yield self.statement(call), named

    @cached_property
    def texts(self) -> dict[str, list[ast.Constant]]:
        """The nodes of each text; one of bytes is there as its Latin-1."""
        found: dict[str, list[ast.Constant]] = {}
        for node in self.nodes(ast.Constant):
            value = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
            if isinstance(value, str):
                found.setdefault(value, []).append(node)
        return found

    def code(
        self, scope: Scope, first: tuple[int, int] = _START, last: tuple[int, int] = _END
    ) -> list[ast.stmt | ast.expr]:
        """Return the statements and expressions that a function or module runs, in order.

        Those of inner functions are left out, and all that do not begin after `first` and before
        `last`.
        """
        found = self._code_of(scope)
        start = bisect_right(found, first, key=_first)
        end = bisect_left(found, last, key=_first)
        return [node for _, node in found[start:end]]

    def _code_of(self, scope: Scope) -> list[tuple[tuple[int, int], ast.stmt | ast.expr]]:
        if not self._code:
            for node in self._scope:
                if isinstance(node, ast.stmt | ast.expr):
                    found = self._code.setdefault(self.function(node), [])
                    found.append((self.position(node), node))
            for found in self._code.values():
                found.sort(key=_first)
        return self._code.get(scope, [])

    def holds(self, node: ast.AST) -> bool:
        """Tell whether a node is in the module."""
        return node in self._scope

    def scope(self, node: ast.AST) -> Scope:
        """Return the scope that a node is in (for a function: the scope around it)."""
        return self._scope[node]

    def function(self, node: ast.AST) -> Scope:
        """Return the module or function scope whose code runs a node; skips class scopes."""
        scope = self._scope[node]
        while scope.kind == "class" and scope.parent is not None:
            scope = scope.parent
        return scope

    def bound(self, item: Import) -> list[Binding]:
        """Return every place that binds the name of an import, which may be declared global."""
        owner = self.owner(item.name, item.scope)
        return owner.bindings[item.name] if owner is not None else []

    def bindings(self, name: ast.Name) -> list[Binding]:
        """Return every place that binds the variable that a name refers to."""
        owner = self.owner(name.id, self._scope[name])
        return owner.bindings[name.id] if owner is not None else []

    def builtin(self, node: ast.AST) -> str:
        """Return the name of the builtin that an expression names; nothing for others."""
        if not isinstance(node, ast.Name) or self.bindings(node) or self._is_shadowed(node):
            return ""
        return node.id

    def _is_shadowed(self, name: ast.Name) -> bool:
        """Tell whether a name that nothing else binds may be another than that of the builtin."""
        return any(
            not isinstance(item.ctx, ast.Load) and last_name(item.value) in _BUILTINS
            for item in self.attributes.get(name.id, ())
        )

    def results(
        self, function: ast.FunctionDef
    ) -> Iterator[ast.Return | ast.Yield | ast.YieldFrom]:
        """Yield where a function itself returns or yields."""
        for node in ast.walk(function):
            if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) and (
                self.function(node).node is function
            ):
                yield node

    def statement(self, node: ast.AST) -> ast.stmt:
        """Return the innermost statement around a node."""
        while not isinstance(node, ast.stmt):
            node = self.parent[node]
        return node

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """Return the list of statements that a statement is an element of."""
        parent = self.parent[statement]
        for _, value in ast.iter_fields(parent):
            if isinstance(value, list) and statement in value:
                return value
        raise AssertionError("a statement always stands in a block")  # pragma: no cover

    def is_last(self, statement: ast.stmt) -> bool:
        """Tell whether a function ends after a statement, wherever that is in it."""
        child: ast.AST = statement
        while True:
            assert isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
            parent = self.parent[child]
            if isinstance(child, ast.stmt) and self.block(child)[-1] is not child:
                return False
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
                return True
            if isinstance(parent, (*LOOPS, *TRY)):
                return False
            child = parent

    def guards(self, node: ast.AST) -> tuple[tuple[ast.AST, str], ...]:
        """Return what may leave a node out inside its function, outermost first.

        That are compound statements, and expressions such as `a if b else c`. Each comes with the
        name of the field that holds the node ("body", "orelse", ...). `with` blocks and classes run
        their body always and once, and are left out, but for those that may end an exception in it.
        """
        if node not in self._guards:
            self._guards[node] = tuple(self._find_guards(node))
        return self._guards[node]

    def _find_guards(self, node: ast.AST) -> list[tuple[ast.AST, str]]:
        scope_node = self.function(node).node
        statement = self.statement(node)
        found = list(self._branches(node, statement))
        child: ast.AST = statement
        while child is not scope_node and child in self.parent:
            parent = self.parent[child]
            if (
                isinstance(parent, ast.stmt | ast.ExceptHandler | ast.match_case)
                and not isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                and (
                    not isinstance(parent, ast.With | ast.AsyncWith)
                    or (parent in self.swallowing and child in parent.body)
                )
                and parent not in self.opened
            ):
                found.append((parent, self._field(parent, child)))
            child = parent
        return found[::-1]

    def _branches(self, node: ast.AST, statement: ast.stmt) -> Iterator[tuple[ast.AST, str]]:
        """Yield the expressions of a statement around a node that may leave it out."""
        child = node
        while child is not statement:
            parent = self.parent[child]
            if isinstance(parent, ast.IfExp) and child is not parent.test:
                part = "body" if child is parent.body else "orelse"
            elif isinstance(parent, ast.BoolOp) and child is not parent.values[0]:
                part = f"values {parent.values.index(child)}"  # type: ignore[arg-type]
            elif isinstance(parent, ast.Compare) and child in parent.comparators[1:]:
                part = f"comparators {parent.comparators.index(child)}"
            elif isinstance(parent, ast.Assert | ast.GeneratorExp):
                part = "msg"
            else:
                part = ""
            if part and parent not in self.opened:
                yield parent, part
            child = parent

    @staticmethod
    def _field(parent: ast.AST, child: ast.AST) -> str:
        for name, value in ast.iter_fields(parent):
            if value is child or (isinstance(value, list) and child in value):
                return name
        raise AssertionError("a child always stands in a field")  # pragma: no cover

    def exclusive(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether at most one of two nodes of the same function can run in one pass."""
        if self.function(one) is not self.function(other):
            return False
        for (first, field_one), (second, field_other) in zip(
            self.guards(one), self.guards(other), strict=False
        ):
            if first is not second:
                return False
            if field_one != field_other:
                return isinstance(first, ast.If | ast.IfExp)
        return False

    def returns_before(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether an `if` around a node ends its function in front of another node of it."""
        if self.function(one) is not self.function(other):
            return False
        guards, others = self.guards(one), self.guards(other)
        level = next((n for n, item in enumerate(guards) if item not in others), len(guards))
        guard, part = next(iter(guards[level:]), (one, ""))
        block = getattr(guard, part) if isinstance(guard, ast.If) else []
        if not (block and isinstance(block[-1], ast.Return)):
            return False
        if self.position(other) < self.position(block[-1]) or guard in dict(others):
            return False
        around = set(self.within(other))
        # What a `with` statement swallows goes on behind it.
        return not any(
            isinstance(item, ast.With | ast.AsyncWith) and item not in around
            for item in self.within(guard)
        )

    def in_loop(self, node: ast.AST) -> bool:
        """Tell whether a node is in a loop of its function."""
        return any(
            isinstance(guard, ast.For | ast.AsyncFor | ast.While) and part == "body"
            for guard, part in self.guards(node)
        )

    def source(self, node: ast.expr) -> str:
        """Return the text of an expression on one line, as written where it stands on one line.

        What needs parentheses as an argument or a value has them.
        """
        if isinstance(node, ast.NamedExpr | ast.Yield | ast.YieldFrom):
            return ast.unparse(node)
        if node.lineno == node.end_lineno:
            line = self.line(node.lineno).encode()
            return line[node.col_offset : node.end_col_offset].decode()
        return ast.unparse(node)

    def line(self, number: int) -> str:
        """Return a line of the file by its number from 1, without its line ending."""
        if not self._lines:
            text = self.text.replace("\r\n", "\n").replace("\r", "\n")
            self._lines += text.split("\n")
        return self._lines[number - 1]

    def position(self, node: ast.AST) -> tuple[int, int]:
        """Return line and column of a node, both from 1, the column in characters."""
        number: int = node.lineno  # type: ignore[attr-defined]
        offset: int = node.col_offset  # type: ignore[attr-defined]
        return number, self._column(number, offset)

    def _column(self, number: int, offset: int) -> int:
        """Return the column, in characters and from 1, of a byte of a line."""
        if self.text.isascii():
            return offset + 1
        return len(self.line(number).encode()[:offset].decode()) + 1

    def line_words(self, node: ast.AST) -> str:
        """Return the line number of a node as messages write it after "line"."""
        return self.cells.words(node.lineno)  # type: ignore[attr-defined]

    def where(self, node: ast.AST) -> str:
        """Return where a node stands, as messages about several files name it."""
        cell, line = self.cells.place(node.lineno)  # type: ignore[attr-defined]
        return place(self.path, line, cell=cell)

    def where_from(self, node: ast.AST, other: ast.AST) -> str:
        """Return where a node stands, as messages about another node of the files name it."""
        if self.file(node) is self.file(other):
            return f"line {self.line_words(node)}"
        return self.where(node)

    def end(self, node: ast.AST) -> tuple[int, int]:
        """Return line and column after the last character of a node, counted as its position."""
        number: int = node.end_lineno  # type: ignore[attr-defined]
        offset: int = node.end_col_offset  # type: ignore[attr-defined]
        return number, self._column(number, offset)

    def within(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the expressions and statements around a node, innermost first."""
        while node in self.parent:
            node = self.parent[node]
            yield node


def text_of(node: ast.AST, tree: Tree) -> str:
    """Return what is called, or else run, in words that fit into a message."""
    whole = node.func if isinstance(node, ast.Call) else node
    text = tree.source(whole) if isinstance(whole, ast.expr) else ast.unparse(whole)
    text = text.partition("\n")[0].rstrip(":")
    if len(text) < 50:
        return text
    if isinstance(whole, ast.Import | ast.ImportFrom):
        named = getattr(whole, "module", None) or whole.names[0].name
        return f"import of {named}"
    return whole.attr if isinstance(whole, ast.Attribute) else "the call"


def assigns_one(statement: ast.stmt) -> bool:
    """Tell whether a statement assigns to one target, and is nothing else."""
    if isinstance(statement, ast.Assign):
        return len(statement.targets) == 1
    return isinstance(statement, ast.AnnAssign)
