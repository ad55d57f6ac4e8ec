"""Whether a dictionary with variables of the environment becomes one, and whose.

A key that is called like a variable may as well be a word of its description, or a table of tests.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.files.pattern import expression
from tfgpu.flow.variables import DICTIONARIES, Write

# What takes strings only, and raises a TypeError for anything else.
PROCESS = "process"
# What some program makes an environment of, in a way of its own: `docker.run(environment=...)`.
OTHER = "other"
_OWN = frozenset(["os.environ", "os.environb"])
_COPIES = DICTIONARIES | {"copy", "deepcopy"}
_NAMES = frozenset(
    ["env", "envs", "environ", "environment", "env_vars", "extra_env", "environment_variables"]
)
_STARTS = expression(r"(?:subprocess|os|asyncio)\.\w+(?:\.\w+)?")
_TAKES_LAST = expression(r"os\.(?:exec(?:le|lpe|ve|vpe)|spawn(?:le|lpe|ve|vpe)|posix_spawnp?)")
_DEPTH = 6


def mapping_of(write: Write, tree: Tree) -> ast.expr | None:
    """Return the dictionary that a variable is set in; None where a call sets it by its name."""
    node = write.node
    parent = tree.parent[node]
    if isinstance(node, ast.Subscript):
        return node.value
    if isinstance(node, ast.keyword) and isinstance(parent, ast.Call):
        if last_name(parent.func) in DICTIONARIES:
            return parent
        return _changed(parent)
    if isinstance(node, ast.Call):
        return node.args[0] if last_name(node.func) == "setitem" else _changed(node)
    if isinstance(parent, ast.Dict):
        return parent
    around = tree.parent[parent] if isinstance(parent, ast.Tuple | ast.List) else None
    return around if isinstance(around, ast.List | ast.Tuple | ast.Set) else None


def _changed(call: ast.Call) -> ast.expr | None:
    """Return the dictionary that a method of it changes."""
    methods = ("update", "setdefault", "__setitem__")
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr in methods
    return call.func.value if is_method and isinstance(call.func, ast.Attribute) else None


def destination(write: Write, tree: Tree, symbols: Symbols) -> str:
    """Return what certainly takes a variable: PROCESS, OTHER, or nothing that is known."""
    if write.how != "child":
        return PROCESS
    mapping = mapping_of(write, tree)
    if mapping is None:
        # A function that is called like one that sets variables, or a list of `NAME=value`.
        call = tree.parent[write.node]
        if isinstance(write.node, ast.keyword) and isinstance(call, ast.Call):
            return OTHER if "env" in ast.unparse(call.func).lower() else ""
        return OTHER
    return _Follows(tree, symbols).one(mapping, _DEPTH)


class _Follows:
    def __init__(self, tree: Tree, symbols: Symbols) -> None:
        self._tree = tree
        self._symbols = symbols

    def one(self, node: ast.expr, depth: int) -> str:
        """Return what takes a dictionary, wherever it is used."""
        if self._is_copy(node, depth):
            return PROCESS
        found = (
            {self._taken(use, depth - 1) for use in (node, *self._uses(node))} if depth else set()
        )
        return PROCESS if PROCESS in found else OTHER if OTHER in found else ""

    def _uses(self, node: ast.expr) -> Iterator[ast.expr]:
        variable = self._symbols.variable(node) if isinstance(node, ast.Name) else None
        if variable is not None:
            yield from filter(self._tree.holds, self._symbols.uses(variable))

    def _is_copy(self, node: ast.expr | None, depth: int) -> bool:
        """Tell whether a dictionary is made from os.environ."""
        if node is None or not depth:
            return False
        if self._symbols.name(node) in _OWN:
            return True
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.Call) and last_name(node.func) in _COPIES:
            inner = node.func.value if isinstance(node.func, ast.Attribute) else None
            parts = [inner, *node.args, *(item.value for item in node.keywords if not item.arg)]
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            parts = [value for key, value in pairs if key is None]
        elif isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.IfExp):
            parts = [node.body, node.orelse]
        elif isinstance(node, ast.Name):
            parts = [item.value for item in self._symbols.bindings(node)]
        return any(self._is_copy(part, depth - 1) for part in parts)

    def _taken(self, node: ast.expr, depth: int) -> str:
        """Return what takes a dictionary where it stands."""
        parent = self._tree.parent[node]
        around = self._tree.parent.get(parent)
        if isinstance(parent, ast.keyword) and isinstance(around, ast.Call):
            return self._by_name(parent.arg, around, depth)
        if isinstance(parent, ast.Call) and node in parent.args:
            return self._by_place(node, parent, depth)
        if isinstance(parent, ast.Attribute) and isinstance(around, ast.Call):
            return self.one(around, depth) if parent.attr == "copy" else ""
        if isinstance(parent, ast.Dict) and node in parent.values:
            key = parent.keys[parent.values.index(node)]
            return self.one(parent, depth) if key is None else _named(key)
        if isinstance(parent, ast.BinOp | ast.IfExp):
            return self.one(parent, depth)
        if isinstance(parent, ast.Assign) and parent.value is node:
            return self._stored(parent.targets, depth)
        if isinstance(parent, ast.AugAssign) and parent.value is node:
            return self.one(parent.target, depth)
        return ""

    def _by_name(self, name: str | None, call: ast.Call, depth: int) -> str:
        if name is None:
            return self.one(call, depth) if last_name(call.func) in DICTIONARIES else ""
        if name == "env" and _STARTS.fullmatch(self._symbols.name(call.func) or ""):
            return PROCESS
        return OTHER if name in _NAMES else ""

    def _by_place(self, node: ast.expr, call: ast.Call, depth: int) -> str:
        callee = self._symbols.name(call.func) or ""
        changed = _changed(call)
        if _TAKES_LAST.fullmatch(callee) and call.args[-1] is node:
            return PROCESS
        if last_name(call.func) in _COPIES:
            first = call.args[0]
            text = first.value if isinstance(first, ast.Constant) else self._symbols.name(first)
            # `mock.patch.dict(os.environ, ...)`
            return PROCESS if text in _OWN else self.one(call, depth)
        return self.one(changed, depth) if changed is not None else ""

    def _stored(self, targets: list[ast.expr], depth: int) -> str:
        found = set()
        for target in targets:
            if isinstance(target, ast.Subscript):
                found.add(_named(target.slice))
            elif self._symbols.name(target) in _OWN:
                found.add(PROCESS)
            found |= {self._taken(use, depth) for use in self._uses(target)} if depth else set()
        return PROCESS if PROCESS in found else OTHER if OTHER in found else ""


def _named(key: ast.expr) -> str:
    """Return what an entry of a description is: `{"env": {...}}` of a job has its environment."""
    return OTHER if isinstance(key, ast.Constant) and key.value in _NAMES else ""
