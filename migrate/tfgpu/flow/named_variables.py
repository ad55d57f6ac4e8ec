"""Variables of the environment that are set by their names: in a dictionary, a loop, by a call.

A text that is the name of a variable that counts is followed to what it is the key of. Such names
are rare enough elsewhere; what becomes of a dictionary is not followed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.files.pattern import expression
from tfgpu.flow.strings import HOLE
from tfgpu.flow.variables import DICTIONARIES, REMOVES, Variables, Write

# Functions, of whichever module, that set the variable that they are given the name of.
_SETS = expression(
    r"_*(?:set|put|add|export|change|update|patch|override|temp|temporary|with|modify)_?(?:os_?)?env\w*"
    r"|\w*env(?:ironment)?_?var\w*|__setitem__|setdefault|setitem", re.IGNORECASE
)  # fmt: skip
# Arguments that are lists of `NAME=value`.
_LISTS = frozenset(["env", "envs", "environment", "env_vars"])
_ASSIGNED = expression(r"(\w+)=(.*)", re.DOTALL)


def named_writes(tree: Tree, symbols: Symbols, names: Collection[str]) -> list[Write]:
    """Return where a file sets variables of some names, in whichever dictionary or by what call."""
    return list(_Named(tree, symbols).by_name(names))


class _Named(Variables):
    """The variables that one file sets by their names."""

    def by_name(self, names: Collection[str]) -> Iterator[Write]:
        """Yield what is set by some names of variables, wherever these stand."""
        for node, name in self._named(names):
            yield from self._of_key(node, name)
        for keyword in self._tree.nodes(ast.keyword):
            if keyword.arg is not None and keyword.arg in names:
                yield Write(keyword.arg, keyword.value, keyword, "child")
            elif keyword.arg in _LISTS and isinstance(keyword.value, ast.List | ast.Tuple):
                yield from self._assigned(keyword.value, names)

    def _assigned(self, items: ast.List | ast.Tuple, names: Collection[str]) -> Iterator[Write]:
        """Yield the texts of a list that set a variable: `NAME=value`."""
        for item in items.elts:
            for text in self._strings.of(item):
                found = _ASSIGNED.fullmatch(text)
                if found is not None and found[1] in names:
                    known = found[2] if HOLE not in found[2] else None
                    yield Write(found[1], item, item, "child", known)

    def _named(self, names: Collection[str]) -> Iterator[tuple[ast.expr, str]]:
        """Yield each expression that is one of some names of variables."""
        for value in sorted(names):
            for text in self._tree.texts.get(value, ()):
                yield text, value
                yield from ((use, value) for use in self._uses(text))
        # Constants of other files have names in capitals.
        for word in self._tree.names.keys() | self._tree.attributes.keys():
            nodes = [*self._tree.names.get(word, ()), *self._tree.attributes.get(word, ())]
            for node in nodes if word.isupper() else ():
                if isinstance(node.ctx, ast.Load) and not self._is_bound_here(node):
                    name = self._strings.one(node)
                    if name in names:
                        yield node, name

    def _is_bound_here(self, node: ast.expr) -> bool:
        """Tell whether a name is one that this file binds, whose value was found there."""
        return isinstance(node, ast.Name) and any(
            item.kind != "import" for item in self._tree.bindings(node)
        )

    def _uses(self, text: ast.Constant) -> Iterator[ast.expr]:
        """Yield the uses in this file of a name that is assigned a text, and nothing else."""
        parent = self._tree.parent[text]
        targets = parent.targets if isinstance(parent, ast.Assign) else []
        for target in targets:
            variable = self._symbols.variable(target) if isinstance(target, ast.Name) else None
            if variable is not None and len(variable[0].bindings[variable[1]]) == 1:
                yield from filter(self._tree.holds, self._symbols.uses(variable))

    def _of_key(self, key: ast.expr, name: str) -> Iterator[Write]:
        parent = self._tree.parent[key]
        if isinstance(parent, ast.Subscript) and parent.slice is key:
            value = self._value(parent)
            if value is not None:
                how = "removed" if isinstance(parent.ctx, ast.Del) else "child"
                yield Write(name, value, parent, how)
        elif isinstance(parent, ast.Dict):
            yield Write(name, parent.values[parent.keys.index(key)], key, "child")
        elif isinstance(parent, ast.Call) and key in parent.args:
            yield from self._of_argument(parent, parent.args.index(key), name)
        elif isinstance(parent, ast.keyword) and parent.arg == "name":
            # `V1EnvVar(name=..., value=...)`
            keywords = getattr(self._tree.parent[parent], "keywords", [])
            values = [item.value for item in keywords if item.arg == "value"]
            yield from (Write(name, value, key, "child") for value in values)
        elif isinstance(parent, ast.Tuple | ast.List):
            yield from self._of_element(parent, key, name)

    def _of_argument(self, call: ast.Call, place: int, name: str) -> Iterator[Write]:
        """Yield what a call sets that is given the name of a variable."""
        callee = last_name(call.func)
        value = call.args[place + 1] if place + 1 < len(call.args) else None
        is_environment = "env" in ast.unparse(call.func).lower()
        if callee in REMOVES and place == 0 and is_environment:
            yield Write(name, call.args[0], call, "removed")
        elif value is not None and (_SETS.fullmatch(callee) or self._sets(call, place)):
            own = callee in ("setenv", "putenv") or not _SETS.fullmatch(callee)
            yield Write(name, value, call, "environ" if own else "child")

    def _sets(self, call: ast.Call, place: int) -> bool:
        """Tell whether a function of this file stores in os.environ under one of its parameters."""
        for function in self._tree.functions.get(last_name(call.func), ()):
            if not isinstance(function, ast.FunctionDef):
                continue
            parameters = [item.arg for item in function.args.args]
            if isinstance(call.func, ast.Attribute) and parameters[:1] in (["self"], ["cls"]):
                parameters = parameters[1:]
            if place < len(parameters) and self._stores(function, parameters[place]):
                return True
        return False

    def _stores(self, function: ast.FunctionDef, parameter: str) -> bool:
        return any(
            isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Store)
            and getattr(node.slice, "id", "") == parameter
            and last_name(node.value) == "environ"
            for node in ast.walk(function)
        )

    def _of_element(self, pair: ast.Tuple | ast.List, key: ast.expr, name: str) -> Iterator[Write]:
        """Yield what is set by a pair, or by one of several names, that a loop goes through."""
        around = self._tree.parent[pair]
        if pair.elts[0] is key and len(pair.elts) == 2:
            if isinstance(around, ast.keyword) and around.arg == "initargs":
                yield from self._of_initializer(around, pair, name)
                return
            if isinstance(around, ast.List | ast.Tuple | ast.Set):
                if any(self._is_stored(use) for use in self._ways(around)):
                    yield Write(name, pair.elts[1], key, "child")
                return
        for use in self._ways(pair):
            loop = self._tree.parent[use]
            if isinstance(loop, ast.For) and loop.iter is use:
                yield from self._in_loop(loop, key, name)

    def _of_initializer(self, given: ast.keyword, pair: ast.expr, name: str) -> Iterator[Write]:
        call = self._tree.parent[given]
        assert isinstance(call, ast.Call) and isinstance(pair, ast.Tuple | ast.List)
        for keyword in call.keywords:
            if keyword.arg == "initializer":
                made = ast.Call(func=keyword.value, args=pair.elts, keywords=[])
                if self._sets(made, 0):
                    yield Write(name, pair.elts[1], pair.elts[0], "environ")

    def _ways(self, node: ast.expr) -> Iterator[ast.expr]:
        """Yield where a list is used: it itself, or the name that it is assigned."""
        yield node
        parent = self._tree.parent[node]
        for target in parent.targets if isinstance(parent, ast.Assign) else ():
            variable = self._symbols.variable(target) if isinstance(target, ast.Name) else None
            if variable is not None:
                yield from filter(self._tree.holds, self._symbols.uses(variable))

    def _is_stored(self, pairs: ast.expr) -> bool:
        """Tell whether pairs become a dictionary, or items of one."""
        parent = self._tree.parent[pairs]
        if isinstance(parent, ast.Call):
            return last_name(parent.func) in (*DICTIONARIES, "update")
        if not isinstance(parent, ast.For) or parent.iter is not pairs:
            return False
        names = getattr(parent.target, "elts", [])
        key = getattr(names[0], "id", None) if names else None
        return key is not None and any(True for _ in self._keyed_by(parent, key))

    def _in_loop(self, loop: ast.For, key: ast.expr, name: str) -> Iterator[Write]:
        target = loop.target.id if isinstance(loop.target, ast.Name) else None
        for item in self._keyed_by(loop, target) if target is not None else ():
            if isinstance(item, ast.Subscript):
                value = self._value(item)
                how = "removed" if isinstance(item.ctx, ast.Del) else "child"
                if value is not None:
                    yield Write(name, value, key, how)
            else:
                how = "removed" if last_name(item.func) in REMOVES else "child"
                yield Write(name, item.args[-1], key, how)

    def _keyed_by(self, loop: ast.For, key: str) -> Iterator[ast.Subscript | ast.Call]:
        """Yield what stores, or removes, under the variable of a loop."""
        for statement in loop.body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Subscript):
                    is_set = not isinstance(node.ctx, ast.Load)
                    if is_set and getattr(node.slice, "id", "") == key:
                        yield node
                elif isinstance(node, ast.Call) and node.args:
                    callee = last_name(node.func)
                    is_set = bool(_SETS.fullmatch(callee)) or callee in REMOVES
                    if is_set and getattr(node.args[0], "id", "") == key:
                        yield node
