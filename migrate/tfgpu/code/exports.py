"""What the `__all__` of a module may name: texts in lists that are understood, else anything."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tfgpu.code.index import Index
from tfgpu.dataclass import dataclass

ALL = "__all__"
# They make a list of what they are given.
_COPIES = frozenset(["list", "tuple", "sorted", "set", "frozenset"])
# They read a list, and hand nothing of it on that could change it.
_READERS = _COPIES | {"len", "print", "extend", "update", "sum", "enumerate", "join"}
_LOOKUPS = frozenset(["getattr", "hasattr"])


@dataclass(frozen=True, slots=True)
class Exports:
    """The names that `__all__` may have, None where any; those of `certain` it has always."""

    possible: frozenset[str] | None
    certain: frozenset[str] = frozenset()

    def may_have(self, name: str) -> bool:
        """Tell whether `__all__` may have a name."""
        return self.possible is None or name in self.possible


def exports_of(module: Index) -> Exports:
    """Return what the `__all__` of a module may name, as far as its own file says."""
    steps = [binding.node for binding in module.root.bindings.get(ALL, ())]
    for use in module.names.get(ALL, ()):
        step = _adding(use, module)
        if step is not None:
            steps.append(step)
        elif isinstance(use.ctx, ast.Del) or not (_is_target(use) or _is_only_read(use, module)):
            return Exports(None)
    possible: set[str] = set()
    certain: set[str] = set()
    for node in sorted(steps, key=_place):
        names = _named(node)
        if names is None:
            return Exports(None)
        possible |= names
        certain = {*names, *(certain if isinstance(node, ast.Expr | ast.AugAssign) else ())}
    is_plain = all(node in module.module.body for node in steps)
    return Exports(frozenset(possible), frozenset(certain if is_plain else ()))


def changes_exports(module: Index) -> bool:
    """Tell whether a file may change `__all__` of a module, but for its own by that name."""
    uses: list[ast.expr] = [*module.attributes.get(ALL, ())]
    for item in module.imports:
        if item.alias.name == ALL:
            uses += module.names.get(item.name, ())
    return (
        not all(_is_only_read(use, module) for use in uses)
        or any(_is_written(text, module) for text in module.nodes(ast.Constant))
        or any(getattr(item, "arg", None) == ALL for item in module.nodes(ast.keyword))
    )


def _place(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _is_target(use: ast.expr) -> bool:
    return isinstance(use, ast.Name) and isinstance(use.ctx, ast.Store)


def _is_written(text: ast.AST, module: Index) -> bool:
    """Tell whether a text is that of `__all__`, and may stand for what is written."""
    if getattr(text, "value", None) != ALL or isinstance(module.parent[text], ast.Expr):
        return False
    call = module.parent[text]
    is_lookup = isinstance(call, ast.Call) and getattr(call.func, "id", "") in _LOOKUPS
    return not (is_lookup and _is_only_read(call, module))


def _is_only_read(node: ast.AST, module: Index) -> bool:
    """Tell whether nothing keeps the list that an expression is, nor changes it."""
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    parent = module.parent[node]
    if isinstance(parent, ast.Call):
        name = getattr(parent.func, "id", getattr(parent.func, "attr", ""))
        return node is not parent.func and name in (*_READERS, *_LOOKUPS)
    if isinstance(parent, ast.AugAssign):
        return node is parent.value
    if isinstance(parent, ast.For | ast.comprehension):
        return node is parent.iter
    return isinstance(parent, ast.BinOp | ast.Starred | ast.Compare | ast.Expr | ast.If)


def _adding(use: ast.Name, module: Index) -> ast.Expr | None:
    """Return the statement that adds to `__all__` by its method: `__all__.append("name")`."""
    method = module.parent[use]
    call = module.parent[method]
    statement = module.parent.get(call)
    is_method = isinstance(method, ast.Attribute) and method.attr in ("append", "extend", "insert")
    is_call = isinstance(call, ast.Call) and call.func is method
    return statement if is_method and is_call and isinstance(statement, ast.Expr) else None


def _named(node: ast.AST) -> frozenset[str] | None:
    """Return the names that a statement gives to `__all__`; None where they are not known."""
    if isinstance(node, ast.AugAssign):
        return _texts(node.value) if isinstance(node.op, ast.Add) else None
    if isinstance(node, ast.Assign) and len(node.targets) > 1:
        return None  # another name of the list
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return _texts(node.value)
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not call.args or call.keywords:
        return None
    given = call.args[-1]
    if isinstance(call.func, ast.Attribute) and call.func.attr == "extend":
        return _texts(given)
    return _texts(ast.List([given], ast.Load()))


def _texts(node: ast.AST | None) -> frozenset[str] | None:
    """Return the texts of a list that is written there; None where it has others."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _joined([_texts(node.left), _texts(node.right)])
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return _joined(map(_element, node.elts))
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if isinstance(node.func, ast.Name) and node.func.id in _COPIES:
        return _joined(map(_texts, node.args))
    text = node.func.value if isinstance(node.func, ast.Attribute) else None
    is_split = isinstance(node.func, ast.Attribute) and node.func.attr == "split"
    if is_split and isinstance(text, ast.Constant) and isinstance(text.value, str):
        return None if node.args else frozenset(text.value.split())
    return None


def _element(node: ast.expr) -> frozenset[str] | None:
    """Return the texts that an element is in a list."""
    if isinstance(node, ast.Starred):
        return _texts(node.value)
    value = node.value if isinstance(node, ast.Constant) else None
    return frozenset([value]) if isinstance(value, str) else None


def _joined(parts: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    """Return the texts of all parts; None where those of one are not known."""
    found: set[str] = set()
    for part in parts:
        if part is None:
            return None
        found |= part
    return frozenset(found)
