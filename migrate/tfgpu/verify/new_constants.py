"""Which constants were changed from one version of a program to the other, and nothing around them.

A number that a queue, a dataset or a loop is given may decide what a GPU does and leave no trace in
what a run records: where the runs are the same, nothing shows that it does not matter.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from tfgpu.code.tree import TRY
from tfgpu.verify.changed import INNER, only_tells

# What only decides what Keras prints; how the process ends is compared.
_PRINTED = "verbose"
_ENDS = frozenset({"exit", "quit", "sys.exit", "os._exit"})

_Value: TypeAlias = tuple[str, object]


_NO_HANDLER: _Value = ("no handler", None)


@dataclass(frozen=True, slots=True)
class _Spelled:
    """A statement of a function, or the handlers of a `try`, and the constants in it in order."""

    line: int
    constants: tuple[_Value, ...]


def changed_constants(before: ast.Module, after: ast.Module) -> list[tuple[int, str]]:
    """Return the constants that are not the same in statements that are the same but for them.

    Each has the line of its statement in the second module, and both values as code. Constants are
    numbers, truth values, None, names in capitals of other objects, and errors that a handler
    names; texts are not: devices, names and variables of the environment are compared by what they
    bring about.
    """
    mine, theirs = _by_shape(before), _by_shape(after)
    found: list[tuple[int, str]] = []
    for shape, left in mine.items():
        right = theirs.get(shape, [])
        for one, other in zip(_only(left, right), _only(right, left), strict=False):
            texts = [
                f"{old[0]}, then {new[0]}"
                for old, new in zip_longest(one.constants, other.constants, fillvalue=_NO_HANDLER)
                if old[1] != new[1]
            ]
            found.append((other.line, "; ".join(texts)))
    return sorted(found)


def _only(mine: list[_Spelled], theirs: list[_Spelled]) -> list[_Spelled]:
    """Return the statements of one side without as many of the same constants on the other."""
    waiting = [tuple(value for _, value in one.constants) for one in theirs]
    found = []
    for one in mine:
        values = tuple(value for _, value in one.constants)
        if values in waiting:
            waiting.remove(values)
        else:
            found.append(one)
    return found


def _by_shape(module: ast.Module) -> dict[object, list[_Spelled]]:
    """Return the statements that have constants, by their functions and what is around these."""
    found: dict[object, list[_Spelled]] = defaultdict(list)
    waiting: list[tuple[ast.AST, str]] = [(module, "")]
    while waiting:
        node, within = waiting.pop()
        if isinstance(node, ast.stmt):
            parts = list(_parts(node))
            constants = tuple(part for part in parts if isinstance(part, tuple))
            if constants:
                shape = tuple("" if isinstance(part, tuple) else part for part in parts)
                found[within, shape].append(_Spelled(node.lineno, constants))
        if isinstance(node, TRY) and node.handlers:
            caught = tuple(_error(one) for one in node.handlers)
            body = tuple(ast.dump(one) for one in node.body)
            found[within, body].append(_Spelled(node.handlers[0].lineno, caught))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            within += f".{node.name}"
        inner = [one for one in ast.iter_child_nodes(node) if isinstance(one, INNER)]
        waiting += [(one, within) for one in reversed(inner)]
    return found


def _error(handler: ast.excepthandler) -> _Value:
    assert isinstance(handler, ast.ExceptHandler)
    text = f"except {ast.unparse(handler.type)}" if handler.type else "except"
    return text, text


def _parts(statement: ast.stmt) -> Iterator[str | _Value]:
    """Yield what a statement itself consists of, its constants as pairs of code and value."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        value = _constant(node)
        if value is not None:
            yield value
            continue
        if isinstance(node, ast.Call) and (only_tells(node) or ast.unparse(node.func) in _ENDS):
            yield ast.unparse(node.func)
            continue
        if isinstance(node, ast.keyword) and node.arg == _PRINTED:
            yield f"{node.arg}="
            continue
        inner = [one for one in ast.iter_child_nodes(node) if not isinstance(one, INNER)]
        plain = [one for _, one in ast.iter_fields(node) if not isinstance(one, ast.AST | list)]
        yield f"{type(node).__name__} {len(inner)} {plain}"
        waiting += reversed(inner)


def _constant(node: ast.AST) -> _Value | None:
    """Return a constant as code and its value, nothing of another expression or of a text."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _constant(node.operand)
        number = inner[1] if inner else None
        return (f"-{inner[0]}", -number) if inner and isinstance(number, int | float) else None
    if isinstance(node, ast.Attribute) and node.attr.isupper():
        return ast.unparse(node), ast.unparse(node)
    if isinstance(node, ast.Constant) and not isinstance(node.value, str | bytes):
        return ast.unparse(node), node.value
    return None
