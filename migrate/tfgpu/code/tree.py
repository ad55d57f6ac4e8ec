"""One parsed file with what `ast` leaves out: parents, scopes, bindings and guards.

Everything here walks with an explicit stack, so that a deeply nested file cannot exhaust Python's.
"""

from __future__ import annotations

import ast
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from typing import Any, TypeVar

from tfgpu.dataclass import dataclass, field
from tfgpu.files.cells import NO_CELLS, Cells
from tfgpu.place import place

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Values that may be something of a module, or what a call returns.
_GIVEN = (ast.Name, ast.Attribute, ast.Call)
# Fields that hold no nodes, or nodes that say nothing about a place.
_LEAVES = frozenset(
    ["ctx", "id", "attr", "kind", "type_comment", "type_ignores", "level", "op", "ops"]
)
# `try`, and `try` with `except*`, which Python 3.10 does not have.
TRY: tuple[type[ast.Try], ...] = (ast.Try, getattr(ast, "TryStar", ast.Try))
# Fields whose nodes belong to the scope around the node.
_OUTER = frozenset(
    ["decorator_list", "returns", "bases", "keywords", "defaults", "kw_defaults", "annotation"]
)


@dataclass(eq=False, slots=True)
class Binding:
    """One place that binds a name.

    `kind` is "import" (`path` says what), "assign" (`value` says what), "def", "class", "param" or
    "other" (loops, `with`, `except`, unpacking, ...).
    """

    kind: str
    node: ast.AST
    value: ast.expr | None = None
    path: str | None = None


@dataclass(eq=False, slots=True)
class Scope:
    """A module, class or function scope and the names bound in it."""

    kind: str
    node: ast.AST
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outside: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class Import:
    """One name that an import statement binds, and the dotted path that it refers to."""

    alias: ast.alias
    statement: ast.Import | ast.ImportFrom
    scope: Scope
    name: str
    path: str


# A field that may hold nodes, and whether those are of the outer scope.
_Part = tuple[str, bool]
# What notes a node of a kind, in a scope.
_Note = Callable[[Any, Any, "Scope"], "Scope"]


def _parts_of(kind: type[ast.AST]) -> tuple[_Part, ...]:
    """Return the fields of a kind of node that may hold nodes, and which are of the outer scope."""
    if kind is ast.Constant:
        return ()
    return tuple((name, name in _OUTER) for name in kind._fields if name not in _LEAVES)


def last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name, `Session` of `tf.Session`; nothing for others."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


_Node = TypeVar("_Node", bound=ast.AST)
_START, _END = (0, 0), (sys.maxsize, 0)


def _at(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _first(item: tuple[tuple[int, int], object]) -> tuple[int, int]:
    return item[0]


# A variable: the scope that binds it, and its name there.
Variable = tuple[Scope, str]


class Tree:
    """A module with parents, scopes and an index of its names and attributes.

    `path` names its file, `cells` are those of a notebook, `python2` tells that the text replaces
    Python 2. `opened` are conditions that the analysis of this tree found to hold always, `given`
    the names, dotted names and calls that names are assigned. A `Forest` has the same reading
    methods over several modules.
    """

    def __init__(
        self,
        module: ast.Module,
        text: str,
        path: str = "",
        cells: Cells = NO_CELLS,
        python2: bool = False,
    ) -> None:
        self.module = module
        self.text = text
        self.path = path
        self.cells = cells
        self.python2 = python2
        self.parent: dict[ast.AST, ast.AST] = {}
        self.names: dict[str, list[ast.Name]] = {}
        self.attributes: dict[str, list[ast.Attribute]] = {}
        self.calls: list[ast.Call] = []
        self.imports: list[Import] = []
        self.imported: dict[ast.AST, Import] = {}
        self.functions: dict[str, list[ast.AST]] = {}
        self.star_imports: dict[ast.ImportFrom, str] = {}
        self.words: set[str] = set()
        self.given: dict[str, list[ast.expr]] = {}
        self.root = Scope("module", module, None)
        self.opened: frozenset[ast.AST] = frozenset()
        self._scope: dict[ast.AST, Scope] = {}
        self._guards: dict[ast.AST, tuple[tuple[ast.AST, str], ...]] = {}
        self._by_kind: dict[type[ast.AST], list[ast.AST]] = {}
        self._lines: list[str] = []
        self._code: dict[Scope, list[tuple[tuple[int, int], ast.stmt | ast.expr]]] = {}
        self._build()
        self._move_outside_bindings()
        self._bind_starred()

    def _build(self) -> None:
        parents, scopes, by_kind = self.parent, self._scope, self._by_kind
        kinds: dict[type[ast.AST], tuple[list[ast.AST], tuple[_Part, ...], _Note | None]] = {}
        stack: list[tuple[ast.AST, Scope]] = [(self.module, self.root)]
        pop, push = stack.pop, stack.append
        while stack:
            node, scope = pop()
            scopes[node] = scope
            kind = type(node)
            known = kinds.get(kind)
            if known is None:
                note = _NOTES.get(kind)
                known = kinds[kind] = (by_kind.setdefault(kind, []), _parts_of(kind), note)
            found, parts, note = known
            found.append(node)
            inner = scope if note is None else note(self, node, scope)
            for name, outer in parts:
                value = getattr(node, name, None)
                if not value:
                    continue
                here = inner
                if outer:
                    # Defaults, decorators and bases belong to the scope around.
                    inside = kind is ast.arguments or kind is ast.arg
                    here = scope.parent or scope if inside else scope
                if type(value) is list:
                    for child in value:
                        if isinstance(child, ast.AST):
                            parents[child] = node
                            push((child, here))
                elif isinstance(value, ast.AST):
                    parents[value] = node
                    push((value, here))
        self.calls.sort(key=lambda call: (call.lineno, call.col_offset))
        self.imports.sort(key=lambda item: (item.alias.lineno, item.alias.col_offset))

    # What is noted of a node, by its kind: each returns the scope of the node's children.

    def _note_name(self, node: ast.Name, scope: Scope) -> Scope:
        self.words.add(node.id)
        if node.id in self.names:
            self.names[node.id].append(node)
        else:
            self.names[node.id] = [node]
        if type(node.ctx) is not ast.Load:
            binding, owner = self._assignment(node), scope
            if isinstance(binding.node, ast.NamedExpr):
                # `:=` binds outside of comprehensions.
                while isinstance(owner.node, _COMPREHENSIONS) and owner.parent is not None:
                    owner = owner.parent
            self._bind(owner, node.id, binding)
        return scope

    def _note_attribute(self, node: ast.Attribute, scope: Scope) -> Scope:
        if node.attr in self.attributes:
            self.attributes[node.attr].append(node)
        else:
            self.attributes[node.attr] = [node]
        return scope

    def _note_call(self, node: ast.Call, scope: Scope) -> Scope:
        self.calls.append(node)
        return scope

    def _note_argument(self, node: ast.arg, scope: Scope) -> Scope:
        self._bind(scope, node.arg, Binding("param", node))
        return scope

    def _note_outside(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> Scope:
        kind = "global" if isinstance(node, ast.Global) else "nonlocal"
        scope.outside.update(dict.fromkeys(node.names, kind))
        return scope

    def _note_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Scope:
        self._bind(scope, node.name, Binding("def", node))
        # A class is called by its name, and runs its `__init__`.
        name = node.name
        if name == "__init__" and isinstance(scope.node, ast.ClassDef):
            name = scope.node.name
        self.functions.setdefault(name, []).append(node)
        return Scope("function", node, scope)

    def _note_class(self, node: ast.ClassDef, scope: Scope) -> Scope:
        self._bind(scope, node.name, Binding("class", node))
        return Scope("class", node, scope)

    def _note_expression(self, node: ast.expr, scope: Scope) -> Scope:
        return Scope("function", node, scope)

    def _note_handler(
        self, node: ast.ExceptHandler | ast.MatchAs | ast.MatchStar, scope: Scope
    ) -> Scope:
        if node.name:
            self._bind(scope, node.name, Binding("other", node))
        return scope

    def _note_mapping(self, node: ast.MatchMapping, scope: Scope) -> Scope:
        if node.rest:
            self._bind(scope, node.rest, Binding("other", node))
        return scope

    def _note_import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> Scope:
        for alias in node.names:
            if isinstance(node, ast.Import):
                bound = alias.asname or alias.name.partition(".")[0]
                path = alias.name if alias.asname else bound
            elif alias.name == "*":
                self.star_imports[node] = "." * node.level + (node.module or "")
                continue
            else:
                bound = alias.asname or alias.name
                path = "." * node.level + (f"{node.module}." if node.module else "") + alias.name
            self._bind(scope, bound, Binding("import", alias, path=path))
            self.imports.append(Import(alias, node, scope, bound, path))
            self.imported[alias] = self.imports[-1]
        return scope

    def _assignment(self, name: ast.Name) -> Binding:
        parent = self.parent[name]
        if isinstance(parent, ast.Assign) and name in parent.targets:
            return Binding("assign", parent, parent.value)
        if isinstance(parent, ast.AnnAssign) and parent.value is not None:
            return Binding("assign", parent, parent.value)
        if isinstance(parent, ast.NamedExpr):
            return Binding("assign", parent, parent.value)
        return Binding("other", parent)

    def _bind(self, scope: Scope, name: str, binding: Binding) -> None:
        self.words.add(name)
        scope.bindings.setdefault(name, []).append(binding)
        if isinstance(binding.value, _GIVEN):
            self.given.setdefault(name, []).append(binding.value)

    def _move_outside_bindings(self) -> None:
        """Give bindings of names that are declared `global` or `nonlocal` to their scope."""
        for scope in dict.fromkeys(self._scope.values()):
            for name, kind in scope.outside.items():
                found = scope.bindings.pop(name, [])
                owner = self.root if kind == "global" else self.owner(name, scope)
                if owner is not None and found:
                    owner.bindings.setdefault(name, []).extend(found)

    def _bind_starred(self) -> None:
        """Let a star import bind the variables that are assigned above it: it may."""
        for node in self.star_imports:
            for name, bindings in self.root.bindings.items():
                first = bindings[0]
                if first.kind == "assign" and _at(first.node) < _at(node) and name[0] != "_":
                    bindings.append(Binding("other", node))

    def for_analysis(self) -> Tree:
        """Return a tree of the same nodes, for one analysis and what it finds out about them.

        Everything that was read of the file is shared, and nothing of that ever changes.
        """
        tree = copy(self)
        tree._guards = {}
        return tree

    def open(self, tests: Iterable[ast.AST]) -> None:
        """Record the conditions that are always true after the migration: they guard nothing."""
        self.opened = frozenset(tests)
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

    def starred(self, tree: Tree, after: int = 0) -> list[Tree]:
        """Return the modules that a module imports everything from, behind a line."""
        return []

    def imported_modules(self) -> Iterator[tuple[ast.stmt, Tree]]:
        """Yield each import statement with every module of the files that it runs."""
        return iter(())

    @property
    def exported(self) -> frozenset[str]:
        """The names in the file's `__all__`."""
        return frozenset(
            item.value
            for binding in self.root.bindings.get("__all__", [])
            if binding.value is not None
            for item in ast.walk(binding.value)
            if isinstance(item, ast.Constant) and isinstance(item.value, str)
        )

    def nodes(self, kind: type[_Node]) -> list[_Node]:
        """Return every node of a class."""
        return self._by_kind.get(kind, [])  # type: ignore[return-value]

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

    def owner(self, name: str, scope: Scope) -> Scope | None:
        """Return the scope whose variable a name in `scope` refers to; None for builtins."""
        first: Scope | None = scope
        while first is not None:
            if first.outside.get(name) == "global":
                while first.parent is not None:
                    first = first.parent
                return first if name in first.bindings else None
            if name in first.bindings and (first.kind != "class" or first is scope):
                return first
            first = first.parent
        return None

    def bound(self, item: Import) -> list[Binding]:
        """Return every place that binds the name of an import, which may be declared global."""
        owner = self.owner(item.name, item.scope)
        return owner.bindings[item.name] if owner is not None else []

    def bindings(self, name: ast.Name) -> list[Binding]:
        """Return every place that binds the variable that a name refers to."""
        owner = self.owner(name.id, self._scope[name])
        return owner.bindings[name.id] if owner is not None else []

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
            if isinstance(parent, (ast.For, ast.AsyncFor, ast.While, *TRY)):
                return False
            child = parent

    def guards(self, node: ast.AST) -> tuple[tuple[ast.AST, str], ...]:
        """Return the compound statements around a node inside its function, outermost first.

        Each comes with the name of the field that holds the node ("body", "orelse", ...). `with`
        blocks run their body always and once, and are left out.
        """
        if node not in self._guards:
            self._guards[node] = tuple(self._find_guards(node))
        return self._guards[node]

    def _find_guards(self, node: ast.AST) -> list[tuple[ast.AST, str]]:
        found: list[tuple[ast.AST, str]] = []
        scope_node = self.function(node).node
        child: ast.AST = self.statement(node)
        while child is not scope_node and child in self.parent:
            parent = self.parent[child]
            if (
                isinstance(parent, ast.stmt | ast.ExceptHandler | ast.match_case)
                and not isinstance(
                    parent, ast.With | ast.AsyncWith | ast.FunctionDef | ast.AsyncFunctionDef
                )
                and parent not in self.opened
            ):
                found.append((parent, self._field(parent, child)))
            child = parent
        return found[::-1]

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
                return isinstance(first, ast.If)
        return False

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
        line = self.line(number)
        return offset + 1 if line.isascii() else len(line.encode()[:offset].decode()) + 1

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


_NOTES: dict[type[ast.AST], _Note] = {
    ast.Name: Tree._note_name,
    ast.Attribute: Tree._note_attribute,
    ast.Call: Tree._note_call,
    ast.Import: Tree._note_import,
    ast.ImportFrom: Tree._note_import,
    ast.arg: Tree._note_argument,
    ast.Global: Tree._note_outside,
    ast.Nonlocal: Tree._note_outside,
    ast.FunctionDef: Tree._note_function,
    ast.AsyncFunctionDef: Tree._note_function,
    ast.ClassDef: Tree._note_class,
    **dict.fromkeys((ast.Lambda, *_COMPREHENSIONS), Tree._note_expression),
    ast.ExceptHandler: Tree._note_handler,
    ast.MatchAs: Tree._note_handler,
    ast.MatchStar: Tree._note_handler,
    ast.MatchMapping: Tree._note_mapping,
}
