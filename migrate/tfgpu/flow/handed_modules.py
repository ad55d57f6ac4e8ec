"""Under which names code may have a module that it is handed: `patch(tf)`, `def patch(module)`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfgpu.code.dotted import whole_of
from tfgpu.code.index import Variable
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name

# Modules of what makes, or takes, a config, and functions that only look at one.
_MODULES = frozenset(["tf", "tf.train", "keras", "keras.backend"])
_LOOKS = frozenset(["hasattr", "getattr", "dir", "print", "str", "repr", "type", "isinstance"])
_ANY = "*"


class HandedModules:
    """The variables and parameters that may have such a module, and the names of attributes.

    What is put into something else, such as a list, may come out of it under any name of its file.
    """

    def __init__(self, tree: Tree, symbols: Symbols) -> None:
        self._tree = tree
        self._symbols = symbols
        self._found: set[Variable | str] = set()
        self._open: set[Tree] = set()
        seen: set[ast.expr] = set()
        waiting = dict.fromkeys(self._modules())
        while waiting:
            node, _ = waiting.popitem()
            for taker in self._takers(node):
                if isinstance(taker, ast.expr):
                    uses: list[ast.expr] = [taker]
                elif taker == _ANY:
                    uses = []
                    self._open.add(tree.file(node))
                else:
                    attributes = tree.attributes.get(taker, ()) if isinstance(taker, str) else ()
                    uses = [*attributes] if isinstance(taker, str) else [*symbols.uses(taker)]
                    self._found.add(taker)
                waiting.update(dict.fromkeys(use for use in uses if use not in seen))
                seen.update(uses)

    def may_be(self, node: ast.expr) -> bool:
        """Tell whether an expression may be such a module."""
        return self._tree.file(node) in self._open or any(
            (isinstance(part, ast.Attribute) and part.attr in self._found)
            or (isinstance(part, ast.Name) and self._is_one(part))
            for part in ast.walk(node)
        )

    def _is_one(self, name: ast.Name) -> bool:
        variable = self._symbols.variable(name)
        return variable in self._found or self._symbols.name(name) in _MODULES

    def _modules(self) -> Iterator[ast.expr]:
        """Yield the modules that are values, but for names that are followed: `K = tf.keras`."""
        for name in (name for file in self._tree.files for name in self._symbols.readers(file)):
            whole = whole_of(name, self._tree)
            around = self._tree.parent[whole]
            is_alias = isinstance(around, ast.Assign) and isinstance(around.targets[0], ast.Name)
            in_class = self._tree.scope(whole).kind == "class"
            if self._symbols.name(whole) in _MODULES and (in_class or not is_alias):
                yield whole

    def _takers(self, node: ast.expr) -> Iterator[Variable | str | ast.expr]:
        """Yield what gets the value of an expression, and the expressions that have the same."""
        parent = self._tree.parent[node]
        if isinstance(parent, ast.Assign | ast.AnnAssign | ast.NamedExpr):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            yield from map(self._target, targets)
        if isinstance(parent, ast.IfExp | ast.BoolOp | ast.NamedExpr):
            yield parent
        elif isinstance(parent, ast.Return):
            name = getattr(self._tree.function(parent).node, "name", _ANY)
            yield from (call for call in self._tree.calls if last_name(call.func) == name)
        elif isinstance(parent, ast.keyword):
            around = self._tree.parent[parent]
            yield from self._given(around, parent.arg) if isinstance(around, ast.Call) else [_ANY]
        elif isinstance(parent, ast.Call) and parent.func is not node:
            yield from self._given(parent, parent.args.index(node))
        elif not isinstance(
            parent,
            ast.Assign | ast.AnnAssign | ast.Attribute | ast.Call | ast.Expr | ast.Compare
            | ast.FormattedValue,
        ):  # fmt: skip
            yield _ANY

    def _target(self, target: ast.expr) -> Variable | str:
        variable = self._symbols.variable(target) if isinstance(target, ast.Name) else None
        if variable is not None:
            return variable if variable[0].kind != "class" else variable[1]
        return target.attr if isinstance(target, ast.Attribute) else _ANY

    def _given(self, call: ast.Call, place: int | str | None) -> Iterator[Variable | str]:
        """Yield the parameters of functions of the files that an argument may be for."""
        tree, name = self._tree, last_name(call.func)
        if tree.builtin(call.func) in _LOOKS:
            return
        functions = [*tree.functions.get(name, ())]
        if any(owner.name == name for owner in tree.nodes(ast.ClassDef)):
            functions += tree.functions.get("__init__", ())
        if place is None or not functions or isinstance(call.func, ast.Lambda):
            yield _ANY
        for function in functions:
            kinds = map(tree.builtin, function.decorator_list)
            is_method = tree.scope(function).kind == "class" and "staticmethod" not in kinds
            arguments = [item.arg for item in (*function.args.posonlyargs, *function.args.args)]
            taken = arguments[int(is_method) :][place:][:1] if isinstance(place, int) else [place]
            known = taken if {*taken} <= {*arguments, *_names(function.args.kwonlyargs)} else []
            scope = tree.scope(function.args)
            yield from ((scope, name) for name in known if name is not None)
            if not known:
                yield _ANY


def _names(arguments: Iterable[ast.arg]) -> Iterator[str]:
    return (item.arg for item in arguments)
