"""What `ast` leaves out of a module, noted in one pass: parents, scopes, bindings and imports.

It walks with an explicit stack, so that a deeply nested file cannot exhaust Python's.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeVar

from tfgpu.dataclass import dataclass, field

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Values that may be something of a module, or what a call returns.
_GIVEN = (ast.Name, ast.Attribute, ast.Call)
# Fields that hold no nodes, or nodes that say nothing about a place.
_LEAVES = frozenset(
    ["ctx", "id", "attr", "kind", "type_comment", "type_ignores", "level", "op", "ops"]
)
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


# Methods that set, or delete, items of a dictionary.
_CHANGES = frozenset(["update", "__setitem__", "setdefault", "pop", "__delitem__"])
_Node = TypeVar("_Node", bound=ast.AST)
# A variable: the scope that binds it, and its name there.
Variable = tuple[Scope, str]
# A field that may hold nodes, and whether those are of the outer scope.
_Part = tuple[str, bool]
# What notes a node of a kind, in a scope.
_Note = Callable[[Any, Any, "Scope"], "Scope"]


class Index:
    """A module with parents, scopes and an index of its names and attributes.

    `given` are the names, dotted names and calls that names are assigned.
    """

    def __init__(self, module: ast.Module) -> None:
        self.module = module
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
        self._scope: dict[ast.AST, Scope] = {}
        self._by_kind: dict[type[ast.AST], list[ast.AST]] = {}
        self._build()
        self._move_outside_bindings()
        self._bind_spelled()
        self._bind_starred()

    def nodes(self, kind: type[_Node]) -> list[_Node]:
        """Return every node of a class."""
        return self._by_kind.get(kind, [])  # type: ignore[return-value]

    @cached_property
    def set_attributes(self) -> frozenset[str]:
        """The names of attributes that statements set or delete."""
        return frozenset(
            name
            for name, nodes in self.attributes.items()
            if not all(isinstance(node.ctx, ast.Load) for node in nodes)
        )

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
                while isinstance(owner.node, COMPREHENSIONS) and owner.parent is not None:
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

    def _bind_spelled(self) -> None:
        """Bind functions and classes that a namespace gets by their names: `globals()["f"] = g`."""
        namespaces = (
            name
            for word in ("globals", "vars", "locals")
            for name in self.names.get(word, ())
            if word == "globals" or self._scope[name] is self.root
        )
        for name in namespaces:
            call = self.parent[name]
            if isinstance(call, ast.Call) and call.func is name and not call.args:
                for spelled in self._spelled(call):
                    found = self.root.bindings.get(spelled, ())
                    if any(item.kind in ("def", "class") for item in found):
                        self._bind(self.root, spelled, Binding("other", call))

    def _spelled(self, namespace: ast.Call) -> Iterator[str]:
        """Yield the names that a statement sets, or deletes, in a namespace."""
        parent = self.parent[namespace]
        keys: list[ast.expr] = []
        if isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load):
            keys.append(parent.slice)
        elif isinstance(parent, ast.Attribute):
            changed = self.parent[parent]
            if isinstance(changed, ast.Call) and parent.attr in _CHANGES:
                keys += changed.args[:1]
                yield from (item.arg for item in changed.keywords if item.arg is not None)
        for key in keys:
            items = key.keys if isinstance(key, ast.Dict) else [key]
            for item in items:
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    yield item.value

    def _bind_starred(self) -> None:
        """Let a star import bind the variables that are assigned above it, or not always: it may.

        A name that is bound below it, whatever happens, is that from there on.
        """
        for star in self.star_imports:
            for name, bindings in self.root.bindings.items():
                own = [item for item in bindings if item.node not in self.star_imports]
                above = [item for item in own if _at(item.node) < _at(star)]
                may = any(item.kind == "assign" for item in above) or not (
                    above or self._is_bound_again(name, own, star)
                )
                if may and name[0] != "_":
                    bindings.append(Binding("other", star))

    def _is_bound_again(self, name: str, bindings: list[Binding], star: ast.ImportFrom) -> bool:
        """Tell whether a name is another one below a star import, wherever it is read."""
        if any((item.path or "").startswith(("tensorflow", "keras")) for item in bindings):
            return True  # `try: import tensorflow.compat.v1 as tf`: each stands for the other
        always = [_at(item.node) for item in bindings if self._is_certain(item.node)]
        return bool(always) and not any(
            isinstance(use.ctx, ast.Load) and _at(star) < _at(use) < min(always)
            for use in self.names.get(name, ())
        )

    def always_binds(self, name: str) -> bool:
        """Tell whether a module that was imported has a name, whatever else happened."""
        bindings = [item.node for item in self.root.bindings.get(name, ())]
        is_deleted = any(isinstance(node, ast.Delete) for node in bindings)
        return not is_deleted and any(map(self._is_certain, bindings))

    def _is_certain(self, node: ast.AST) -> bool:
        """Tell whether what binds a name is a statement of the module itself, or a part of one."""
        while isinstance(node, ast.Tuple | ast.List | ast.Starred | ast.alias):
            node = self.parent[node]
        binds = isinstance(node, ast.stmt) and not isinstance(node, ast.Delete | ast.For | ast.With)
        return binds and node in self.module.body

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


def _parts_of(kind: type[ast.AST]) -> tuple[_Part, ...]:
    """Return the fields of a kind of node that may hold nodes, and which are of the outer scope."""
    if kind is ast.Constant:
        return ()
    return tuple((name, name in _OUTER) for name in kind._fields if name not in _LEAVES)


def _at(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


_NOTES: dict[type[ast.AST], _Note] = {
    ast.Name: Index._note_name,
    ast.Attribute: Index._note_attribute,
    ast.Call: Index._note_call,
    ast.Import: Index._note_import,
    ast.ImportFrom: Index._note_import,
    ast.arg: Index._note_argument,
    ast.Global: Index._note_outside,
    ast.Nonlocal: Index._note_outside,
    ast.FunctionDef: Index._note_function,
    ast.AsyncFunctionDef: Index._note_function,
    ast.ClassDef: Index._note_class,
    **dict.fromkeys((ast.Lambda, *COMPREHENSIONS), Index._note_expression),
    ast.ExceptHandler: Index._note_handler,
    ast.MatchAs: Index._note_handler,
    ast.MatchStar: Index._note_handler,
    ast.MatchMapping: Index._note_mapping,
}
