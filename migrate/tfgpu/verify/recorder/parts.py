"""The parts of a statement that need not run where the statement does, in one order.

Whoever asks which of them ran and whoever notes it count them alike.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# Fields with expressions that are evaluated late, only on failure, or never.
_LEFT_OUT = frozenset({"annotation", "returns", "type_params", "msg"})

# Calls that give a default where there is nothing, with the number of the argument that it is.
_LOOKUPS = {
    "get": 1,
    "pop": 1,
    "setdefault": 1,
    "getenv": 1,
    "getattr": 2,
    "getint": 2,
    "getfloat": 2,
    "getboolean": 2,
}

# What is not the same each time that it is evaluated, or does something then.
_NOT_FIXED = (ast.Name, ast.Attribute, ast.Call, ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom)


@dataclass(frozen=True)
class Part:
    """A part of a statement: where it stands, in which conditional expression of the statement.

    `whole` is the outermost such expression, `holder` the one that decides about the part, which
    is its `field`, or of that the number `index`. Of an entry of a dictionary and of a default
    `name` tells which: they are evaluated at once, and asked for later or never. `is_taken` tells
    that it is the default of a call, such as `get`, which gives it or something else.
    """

    whole: ast.AST
    holder: Any
    field: str
    index: int | None = None
    name: Any = None
    is_taken: bool = False

    @property
    def node(self) -> Any:
        """The expression itself."""
        found = getattr(self.holder, self.field)
        return found if self.index is None else found[self.index]

    def replace(self, node: ast.expr) -> None:
        """Put another expression in its place."""
        if self.index is None:
            setattr(self.holder, self.field, node)
        else:
            getattr(self.holder, self.field)[self.index] = node


def parts_of(statement: ast.stmt) -> list[Part]:
    """Return the parts of a statement, without those of the statements in it.

    Entries of dictionaries and defaults of functions are among them where they are constants, or
    worked out of some: others may do something where they stand.
    """
    return [one for one in _all_parts(statement) if not _is_kept(one) or _is_fixed(one.node)]


def kept_names(statement: ast.stmt) -> list[Any]:
    """Return the names of all entries of dictionaries and defaults of functions in a statement."""
    return [one.name for one in _all_parts(statement) if _is_kept(one)]


def _all_parts(statement: ast.stmt) -> Iterator[Part]:
    yield from _parts(statement, None)
    yield from _defaults(statement)


def _is_kept(part: Part) -> bool:
    """Tell whether a part is a value that is evaluated at once, and asked for later or never."""
    return part.name is not None and not part.is_taken


def _defaults(statement: ast.stmt) -> Iterator[Part]:
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    every = statement.args
    named = [*getattr(every, "posonlyargs", ()), *every.args]
    named = named[len(named) - len(every.defaults) :]
    for field, arguments in (("defaults", named), ("kw_defaults", every.kwonlyargs)):
        for number, argument in enumerate(arguments):
            value = getattr(every, field)[number]
            if value is not None:
                yield Part(ast.keyword(argument.arg, value), every, field, number, argument.arg)


def is_dictionary(node: ast.AST) -> bool:
    """Tell whether an expression makes a dictionary of entries that are written there."""
    return isinstance(node, ast.Dict) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict"
    )


def _entries(node: Any) -> Iterator[Part]:
    if isinstance(node, ast.Call):
        for number, one in enumerate(node.keywords):
            if one.arg is not None:
                yield Part(ast.keyword(one.arg, one.value), node, "keywords", number, one.arg)
        return
    for number, (key, value) in enumerate(zip(node.keys, node.values)):  # noqa: B905 - Python 3.7
        if key is not None and _is_plain(key):
            whole = ast.Dict([key], [value])
            yield Part(whole, node, "values", number, ast.literal_eval(key))


def _taken(node: ast.AST) -> Iterator[Part]:
    """Yield the default that a call gives where what it looks for is not there."""
    if not isinstance(node, ast.Call) or any(isinstance(one, ast.Starred) for one in node.args):
        return
    name = getattr(node.func, "attr", "") or getattr(node.func, "id", "")
    first = _LOOKUPS.get(name)
    if first is None:
        return
    asked = "default", ast.dump(node.args[first - 1]) if len(node.args) >= first else name
    if len(node.args) == first + 1:
        default = node.args[first]
        yield Part(ast.keyword("default", default), node, "args", first, asked, True)
    for number, one in enumerate(node.keywords):
        if one.arg in ("default", "fallback"):
            whole = ast.keyword("default", one.value)
            yield Part(whole, node, "keywords", number, asked, True)


def _is_fixed(node: ast.expr) -> bool:
    """Tell whether a value is made of constants alone, such as `3` and `16 * 1024`."""
    return not any(isinstance(one, _NOT_FIXED) for one in ast.walk(node))


def _is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


def _parts(node: Any, whole: ast.AST | None) -> Iterator[Part]:
    mine = list(_held(node))
    if mine and whole is None:
        whole = node
    for field, index in mine:
        assert whole is not None
        yield Part(whole, node, field, index)
    if is_dictionary(node):
        yield from _entries(node)
    yield from _taken(node)
    for field, value in ast.iter_fields(node):
        if field in _LEFT_OUT:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_block(child):
                yield from _parts(child, whole)


def _held(node: Any) -> Iterator[tuple[str, int | None]]:
    """Yield what of an expression is not always evaluated."""
    if isinstance(node, ast.IfExp):
        yield "body", None
        yield "orelse", None
    elif isinstance(node, ast.BoolOp):
        yield from (("values", number) for number in range(1, len(node.values)))
    elif isinstance(node, ast.Compare):
        yield from (("comparators", number) for number in range(1, len(node.comparators)))
    elif isinstance(node, ast.Lambda):
        yield "body", None
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        yield "elt", None
    elif isinstance(node, ast.DictComp):
        yield "key", None


def _is_block(node: ast.AST) -> bool:
    """Tell whether a node holds statements, or is one."""
    return isinstance(node, (ast.stmt, ast.ExceptHandler)) or type(node).__name__ == "match_case"
