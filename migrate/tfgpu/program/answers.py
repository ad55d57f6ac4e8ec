"""What TensorFlow 1.15 and 2 answer to code that asks which of them runs it."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from tfgpu.code.canonical import canonical
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.rulebook.book import Rulebook

VERSION_NAMES = frozenset(["tf.__version__", "tf.VERSION", "tf.version.VERSION"])
EAGERLY = "tf.executing_eagerly"
# What the questions are asked with: the major version, and the whole one.
_RELEASES: Mapping[int, str] = {1: "1.15.5", 2: "2.21.0"}
# Constructors of versions that can be compared: distutils, packaging, pkg_resources, NumPy.
_PARSERS = frozenset(
    ["LooseVersion", "StrictVersion", "Version", "NumpyVersion", "parse_version", "parse"]
)
_STRING_METHODS = frozenset(
    ["startswith", "endswith", "split", "partition", "rpartition", "strip", "replace", "find"]
)
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}
_DEPTH = 8


class _UnknownError(Exception):
    """The value of an expression is not known."""


class Answers:
    """What TensorFlow 1.15 and 2 answer to the tests of one file."""

    def __init__(self, tree: Tree, symbols: Symbols, book: Rulebook) -> None:
        self._tree = tree
        self._symbols = symbols
        self._book = book
        self._found: dict[ast.AST, tuple[bool | None, bool | None]] = {}

    def of(self, test: ast.expr) -> tuple[bool | None, bool | None]:
        """Return what TensorFlow 1.15 and 2 answer to a test; None for unknown."""
        if test not in self._found:
            found: list[bool | None] = []
            for number in _RELEASES:
                try:
                    found.append(bool(self._value(test, number, _DEPTH)))
                except (_UnknownError, TypeError, ValueError, IndexError, AttributeError):
                    found.append(None)
            self._found[test] = (found[0], found[1])
        return self._found[test]

    def _value(self, node: ast.expr, number: int, depth: int) -> Any:
        """Return the value of an expression under one TensorFlow.

        Raises:
            _UnknownError: it is not known.
        """
        if not depth:
            raise _UnknownError

        def value(inner: ast.expr) -> Any:
            return self._value(inner, number, depth - 1)

        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Tuple | ast.List):
            return [value(item) for item in node.elts]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return not value(node.operand)
        if isinstance(node, ast.BoolOp):
            return self._joined(node, number, depth)
        if isinstance(node, ast.Compare):
            left = value(node.left)
            for sign, right_node in zip(node.ops, node.comparators, strict=True):
                right = value(right_node)
                compare = _COMPARISONS.get(type(sign))
                if compare is None:
                    raise _UnknownError
                if not compare(*_alike(left, right)):
                    return False
                left = right
            return True
        if isinstance(node, ast.Subscript):
            return _part(value(node.value), node.slice)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._listed(node, number, depth)
        if isinstance(node, ast.Call):
            return self._called(node, number, depth)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._named(node, number, depth)
        raise _UnknownError

    def _joined(self, node: ast.BoolOp, number: int, depth: int) -> bool:
        decides = isinstance(node.op, ast.Or)
        unknown = False
        for item in node.values:
            try:
                if bool(self._value(item, number, depth - 1)) is decides:
                    return decides
            except _UnknownError:
                unknown = True
        if unknown:
            raise _UnknownError
        return not decides

    def _named(self, node: ast.Name | ast.Attribute, number: int, depth: int) -> Any:
        if self._symbols.name(node) in VERSION_NAMES:
            return _RELEASES[number]
        if isinstance(node, ast.Attribute):
            inner = self._value(node.value, number, depth - 1)
            if isinstance(inner, list) and node.attr in ("version", "release"):
                return inner
            if isinstance(inner, list) and node.attr in ("major", "minor"):
                return inner[("major", "minor").index(node.attr)]
            raise _UnknownError
        bindings = self._tree.bindings(node)
        if len(bindings) != 1 or bindings[0].kind != "assign" or bindings[0].value is None:
            raise _UnknownError
        return self._value(bindings[0].value, number, depth - 1)

    def _called(self, node: ast.Call, number: int, depth: int) -> Any:
        word, builtin = last_name(node.func), self._tree.builtin(node.func)
        if builtin == "hasattr" and len(node.args) == 2:
            return self._has(node.args[0], node.args[1], number)
        if self._symbols.name(node.func) == EAGERLY:
            return number > 1
        function = self.returned(node.func)
        if function is not None and not node.args and not node.keywords:
            return self._value(function, number, depth - 1)
        if node.keywords:
            raise _UnknownError
        if isinstance(node.func, ast.Attribute) and word in _STRING_METHODS:
            owner = self._value(node.func.value, number, depth - 1)
            arguments = [self._value(item, number, depth - 1) for item in node.args]
            if isinstance(owner, str):
                arguments = [tuple(i) if isinstance(i, list) else i for i in arguments]
                return getattr(owner, word)(*arguments)
            raise _UnknownError
        if builtin == "map" and len(node.args) == 2 and self._tree.builtin(node.args[0]) == "int":
            return [int(item) for item in self._value(node.args[1], number, depth - 1)]
        if len(node.args) != 1:
            raise _UnknownError
        argument = self._value(node.args[0], number, depth - 1)
        if word in _PARSERS:
            return _numbers(argument)
        if builtin in ("int", "float", "str", "len") and isinstance(
            argument, str | int | float | list
        ):
            if builtin == "len":
                return len(argument)  # type: ignore[arg-type]
            return {"int": int, "float": float, "str": str}[builtin](argument)
        if builtin in ("tuple", "list") and isinstance(argument, list):
            return argument
        raise _UnknownError

    def _listed(self, node: ast.ListComp | ast.GeneratorExp, number: int, depth: int) -> list[Any]:
        (first, *more) = node.generators
        if more or first.ifs or not isinstance(first.target, ast.Name):
            raise _UnknownError
        call = node.elt
        if not (
            isinstance(call, ast.Call)
            and self._tree.builtin(call.func) == "int"
            and len(call.args) == 1
            and last_name(call.args[0]) == first.target.id
        ):
            raise _UnknownError
        return [int(item) for item in self._value(first.iter, number, depth - 1)]

    def _has(self, owner: ast.expr, name: ast.expr, number: int) -> bool:
        """Tell whether a TensorFlow has a name: `hasattr(tf, "ConfigProto")`."""
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
            raise _UnknownError
        paths = self._symbols.paths(owner)
        if len(set(map(canonical, paths))) != 1:
            raise _UnknownError
        path = min(paths, key=len)  # What `tf = tf.compat.v1` begins with.
        if path == "tensorflow.compat" and name.value == "v1" and number > 1:
            return True  # the last of TensorFlow 1 have it, too
        if not f"{path}.".startswith("tensorflow.") or path.startswith("tensorflow.compat"):
            raise _UnknownError
        whole = canonical(f"{path}.{name.value}")
        if self._book.is_v1_only(whole):
            return number == 1
        if self._book.is_v2_only(whole):
            return number > 1
        if name.value in ("__version__", "Variable", "constant", "compat", "keras", "config"):
            return True
        raise _UnknownError

    def returned(self, node: ast.expr) -> ast.expr | None:
        """Return what a function of the file returns that does nothing else."""
        if not isinstance(node, ast.Name):
            return None
        bindings = self._tree.bindings(node)
        function = bindings[0].node if len(bindings) == 1 else None
        if not isinstance(function, ast.FunctionDef) or function.decorator_list:
            return None
        body = [
            part
            for part in function.body
            if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        ]
        only = body[0] if len(body) == 1 else None
        return only.value if isinstance(only, ast.Return) else None


def _numbers(text: object) -> list[int]:
    """Return the parts of a version, as its parsers compare them."""
    if not isinstance(text, str):
        raise _UnknownError
    return [int(part) for part in re.findall(r"\d+", text)]


def _alike(left: object, right: object) -> tuple[Any, Any]:
    """Return two values so that they compare as the versions, or texts, that they are."""
    if isinstance(left, list) and isinstance(right, list):
        size = max(len(left), len(right))
        filled = [[*part, *[0] * (size - len(part))] for part in (left, right)]
        return filled[0], filled[1]
    if isinstance(left, list) and isinstance(right, str):
        return _alike(left, _numbers(right))
    if isinstance(left, str) and isinstance(right, list) and all(type(i) is int for i in right):
        return _alike(_numbers(left), right)
    return left, right


def _part(whole: object, index: ast.expr) -> Any:
    if not isinstance(whole, str | list | tuple):
        raise _UnknownError

    def bound(node: ast.expr | None) -> int | None:
        if node is None:
            return None
        found = ast.literal_eval(node)
        if not isinstance(found, int):
            raise _UnknownError
        return found

    if isinstance(index, ast.Slice):
        return whole[bound(index.lower) : bound(index.upper) : bound(index.step)]
    place = bound(index)
    if place is None:
        raise _UnknownError
    return whole[place]
