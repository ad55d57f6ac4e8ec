"""Variables of the environment that Python code sets where os.environ stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.dataclass import dataclass, replace
from tfgpu.flow.environment import environments
from tfgpu.flow.strings import Strings

_OWN = frozenset(["os.environ", "os.environb"])
# Methods of dictionaries that take one key away.
REMOVES = frozenset(["pop", "__delitem__", "delenv", "unsetenv", "delitem"])
DICTIONARIES = frozenset(["dict", "OrderedDict"])
_PASSED_ON = frozenset(["items", "iteritems", "copy", "deepcopy", "list", "sorted"])


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """One variable that is set: its name, the expression of its value, and the node that sets it.

    `how` is "environ" for the process itself, "setdefault" where that has no value yet, "putenv"
    past os.environ, "child" for a process that is started, and "removed" where it is taken away.
    `known` is the value where that is a part of a text: `environment=["NAME=1"]`.
    """

    name: str
    value: ast.expr
    node: ast.AST
    how: str
    known: str | None = None


def writes(tree: Tree, symbols: Symbols) -> list[Write]:
    """Return the variables that a file sets for its own process, as far as names are known."""
    return Variables(tree, symbols).own()


class Variables:
    """The variables that are set in one file."""

    def __init__(self, tree: Tree, symbols: Symbols) -> None:
        self._tree = tree
        self._symbols = symbols
        self._strings = Strings(tree, symbols)

    def own(self) -> list[Write]:
        """Return what is set where os.environ stands, or by a function of its module."""
        found: dict[ast.AST, Write] = {}
        for node in self._environments():
            for write in self._at(node):
                if self._tree.holds(write.node):
                    found.setdefault(write.node, write)
        for text in (node for name in sorted(_OWN) for node in self._tree.texts.get(name, ())):
            call = self._tree.parent.get(text)
            if isinstance(call, ast.Call) and text in call.args:
                # `mock.patch.dict("os.environ", ...)`
                found.update((write.node, write) for write in self._handed(call))
        for call, name in self._symbols.calls(self._tree):
            if name in ("os.putenv", "os.environ.setdefault") and len(call.args) == 2:
                how = name.rpartition(".")[2]
                found.update((call, write) for write in self._keyed(call, how))
            elif name == "os.unsetenv" and call.args:
                found.update((call, write) for write in self._keyed(call, "removed"))
        return list(found.values())

    def _environments(self) -> Iterator[ast.expr]:
        """Yield every expression that is os.environ, or a variable that is nothing else."""
        for attribute in self._tree.attributes.get("environ", ()):
            if isinstance(attribute.ctx, ast.Store) and self._symbols.name(attribute) in _OWN:
                yield attribute
        for node in environments(self._tree, self._symbols):
            parent = self._tree.parent[node]
            if self._symbols.name(node) in _OWN:
                yield node
            if not isinstance(parent, ast.Assign) or parent.value is not node:
                continue
            for target in parent.targets:
                variable = self._symbols.variable(target) if isinstance(target, ast.Name) else None
                for use in self._symbols.uses(variable) if variable is not None else ():
                    if self._tree.holds(use) and self._symbols.name(use) in _OWN:
                        yield use

    def _at(self, node: ast.expr) -> Iterator[Write]:
        """Yield what is set where os.environ stands."""
        parent = self._tree.parent[node]
        if isinstance(parent, ast.Subscript) and parent.value is node:
            yield from self._stored(parent, "environ")
        elif isinstance(parent, ast.Assign | ast.AugAssign) and node is not parent.value:
            yield from self._entries(parent.value, "environ")
        elif isinstance(parent, ast.Attribute):
            yield from self._by_method(parent)
        elif isinstance(parent, ast.Call) and node in parent.args:
            yield from self._handed(parent)

    def _by_method(self, method: ast.Attribute) -> Iterator[Write]:
        """Yield what a method of os.environ sets."""
        call = self._tree.parent[method]
        if isinstance(call, ast.keyword) and call.arg == "initializer":
            around = self._tree.parent[call]
            given = [
                item.value for item in getattr(around, "keywords", []) if item.arg == "initargs"
            ]
            if given and isinstance(given[0], ast.Tuple) and len(given[0].elts) == 2:
                key, value = given[0].elts
                yield from (Write(name, value, key, "environ") for name in self._strings.known(key))
        if not isinstance(call, ast.Call) or call.func is not method:
            return
        if method.attr in ("update", "__ior__"):
            yield from self._all_entries(call, call.args, "environ")
        elif method.attr in REMOVES:
            yield from self._keyed(call, "removed")
        elif method.attr in ("__setitem__", "setdefault") and len(call.args) == 2:
            how = "setdefault" if method.attr == "setdefault" else "environ"
            yield from self._keyed(call, how)

    def _handed(self, call: ast.Call) -> Iterator[Write]:
        """Yield what a function sets that os.environ is handed to: `mock.patch.dict`, `setitem`."""
        name = last_name(call.func)
        if name == "dict" and isinstance(call.func, ast.Attribute):
            yield from self._all_entries(call, call.args[1:], "environ")
        elif name in ("setitem", "delitem") and len(call.args) > 1:
            value = call.args[2] if len(call.args) > 2 else call.args[1]
            how = "environ" if name == "setitem" else "removed"
            for text in self._strings.known(call.args[1]):
                yield Write(text, value, call, how)

    def _all_entries(self, call: ast.Call, given: list[ast.expr], how: str) -> Iterator[Write]:
        for argument in given:
            yield from self._entries(argument, how)
        for keyword in call.keywords:
            if keyword.arg is None or keyword.arg == "values":
                yield from self._entries(keyword.value, how)
            elif keyword.arg != "clear":
                yield Write(keyword.arg, keyword.value, keyword, how)

    def _keyed(self, call: ast.Call, how: str) -> Iterator[Write]:
        """Yield the variable that is the first argument of a call, with the second as its value."""
        key, value = call.args[0], call.args[-1]
        if isinstance(key, ast.Name) and (entries := self._looped(key, value, how)):
            yield from entries
        else:
            yield from (Write(name, value, call, how) for name in self._strings.known(key))

    def _stored(self, target: ast.Subscript, how: str) -> Iterator[Write]:
        """Yield the variable whose item of a dictionary is set, or deleted."""
        value = self._value(target)
        if value is None:
            return
        how = "removed" if isinstance(target.ctx, ast.Del) else how
        if isinstance(target.slice, ast.Name):
            entries = self._looped(target.slice, value, how)
            if entries:
                yield from entries
                return
        for name in self._strings.known(target.slice):
            yield Write(name, value, target, how)

    def _value(self, target: ast.Subscript) -> ast.expr | None:
        """Return what an item is set to; the item itself where that is changed, or deleted."""
        parent = self._tree.parent[target]
        if isinstance(target.ctx, ast.Load):
            return None
        if isinstance(target.ctx, ast.Del) or isinstance(parent, ast.AugAssign):
            return target
        if isinstance(parent, ast.Assign) and target in parent.targets:
            return parent.value
        if isinstance(parent, ast.AnnAssign) and parent.target is target:
            return parent.value
        assign = self._tree.parent[parent]
        if isinstance(parent, ast.Tuple | ast.List) and isinstance(assign, ast.Assign):
            values = assign.value
            if isinstance(values, ast.Tuple | ast.List) and len(values.elts) == len(parent.elts):
                return values.elts[parent.elts.index(target)]
        return None

    def _looped(self, key: ast.Name, value: ast.expr, how: str) -> list[Write]:
        """Return what a loop sets: each entry of what it goes through, at its own place."""
        loop = next((item for item in self._loops(key) if _binds(item.target, key.id)), None)
        if loop is None:
            return []
        if not isinstance(loop.target, ast.Tuple):
            names = self._listed(loop.iter)
            return [Write(name, value, item, how) for name, item in names]
        if len(loop.target.elts) != 2 or getattr(loop.target.elts[0], "id", "") != key.id:
            return []
        other = getattr(loop.target.elts[1], "id", "")
        return [
            write if getattr(value, "id", "") == other else replace(write, value=value)
            for write in self._entries(loop.iter, how)
        ]

    def _loops(self, node: ast.AST) -> Iterator[ast.For | ast.comprehension]:
        """Yield the loops around a node in its function, innermost first."""
        for around in self._tree.within(node):
            if isinstance(around, ast.For):
                yield around
            elif isinstance(around, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
                yield from around.generators
            elif isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                return

    def _listed(self, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        """Yield the texts of a list that is written out, each with the node of it."""
        node = self._strings.assigned(node)
        keys = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        for item in keys:
            if isinstance(item, ast.Constant) and isinstance(item.value, str):
                yield item.value, item

    def _entries(self, node: ast.expr, how: str, depth: int = 5) -> Iterator[Write]:
        """Yield the entries of a dictionary, or of a list of pairs, however it is written."""
        node = self._strings.assigned(node)
        if not depth:
            return
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if key is None:
                    yield from self._entries(value, how, depth - 1)
                else:
                    yield from (Write(name, value, key, how) for name in self._strings.known(key))
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            yield from self._pairs(node.elts, how)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            yield from self._entries(node.left, how, depth - 1)
            yield from self._entries(node.right, how, depth - 1)
        elif isinstance(node, ast.IfExp):
            yield from self._entries(node.body, how, depth - 1)
            yield from self._entries(node.orelse, how, depth - 1)
        elif isinstance(node, ast.Call):
            yield from self._called(node, how, depth - 1)

    def _pairs(self, items: list[ast.expr], how: str) -> Iterator[Write]:
        for item in items:
            if isinstance(item, ast.Tuple | ast.List) and len(item.elts) == 2:
                key, value = item.elts
                yield from (Write(name, value, key, how) for name in self._strings.known(key))

    def _called(self, call: ast.Call, how: str, depth: int) -> Iterator[Write]:
        """Yield the entries of `dict(...)`, `zip(names, values)`, `entries.items()`."""
        name = last_name(call.func)
        if name in DICTIONARIES:
            for argument in call.args:
                yield from self._entries(argument, how, depth)
            for keyword in call.keywords:
                if keyword.arg is None:
                    yield from self._entries(keyword.value, how, depth)
                else:
                    yield Write(keyword.arg, keyword.value, keyword, how)
        elif name == "zip" and len(call.args) == 2:
            keys, values = (getattr(self._strings.assigned(item), "elts", []) for item in call.args)
            for key, value in zip(keys, values, strict=False):
                yield from (Write(text, value, key, how) for text in self._strings.known(key))
        elif name in _PASSED_ON:
            inner = call.func.value if isinstance(call.func, ast.Attribute) else None
            inner = call.args[0] if call.args else inner
            if inner is not None:
                yield from self._entries(inner, how, depth)


def _binds(target: ast.expr, name: str) -> bool:
    return any(isinstance(item, ast.Name) and item.id == name for item in ast.walk(target))
