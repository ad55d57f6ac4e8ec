"""Which TensorFlow a piece of code is for, where the code around it asks which one runs.

`if tf.__version__.startswith("1.")`, `hasattr(tf, "ConfigProto")` and `except AttributeError` are
questions. They are answered for TensorFlow 1.15 and for TensorFlow 2, where they are understood.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import cached_property
from itertools import chain
from typing import Any

from tfgpu.code.canonical import canonical
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.rulebook.book import Rulebook


class Version(Enum):
    """The TensorFlow that a program, or a branch of it, is for.

    NEITHER is for branches that neither 1.15 nor any TensorFlow 2 takes.
    """

    TF1 = "TensorFlow 1"
    TF2 = "TensorFlow 2"
    BOTH = "TensorFlow 1 and 2"
    NEITHER = "older than TensorFlow 1.15"
    UNKNOWN = "unknown"


# What the questions are asked with: the major version, and the whole one.
_RELEASES: Mapping[int, str] = {1: "1.15.5", 2: "2.21.0"}
_VERSION_NAMES = frozenset(["tf.__version__", "tf.VERSION", "tf.version.VERSION"])
_EAGERLY = "tf.executing_eagerly"
_LAST_NAMES = frozenset(name.rpartition(".")[2] for name in (*_VERSION_NAMES, _EAGERLY))
# Constructors of versions that can be compared: distutils, packaging, pkg_resources, NumPy.
_PARSERS = frozenset(
    ["LooseVersion", "StrictVersion", "Version", "NumpyVersion", "parse_version", "parse"]
)
_WORDS = re.compile(
    r"(?:^|_)(?:is_?)?(?:tf|tensorflow)_?(?:v?[12](?:_?x)?|version|ver)(?:$|_)", re.I
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
_IMPORT_ERRORS = frozenset(["ImportError", "ModuleNotFoundError"])
_NAME_ERRORS = frozenset(["AttributeError", "NameError"])
_ALL_ERRORS = frozenset(["Exception", "BaseException"])
_DEPTH = 8


class _UnknownError(Exception):
    """The value of an expression is not known."""


class Questions:
    """The questions of one file about the TensorFlow that runs it, and what they decide."""

    def __init__(self, tree: Tree, symbols: Symbols, book: Rulebook) -> None:
        self._tree = tree
        self._symbols = symbols
        self._book = book
        self._answers: dict[ast.AST, tuple[bool | None, bool | None]] = {}
        self._asked: dict[tuple[ast.AST, int], bool] = {}
        self._attempted: dict[ast.Try, Version | None] = {}
        self._above: dict[ast.AST, list[tuple[ast.expr, bool]]] = {}
        self._exits: dict[ast.AST, tuple[tuple[ast.expr, bool], ...]] = {}

    def version(self, node: ast.AST) -> Version:
        """Return which TensorFlow runs a node, as far as the code around it asks."""
        takes = {1: True, 2: True}
        for test, wanted in self._around(node):
            answers = self._answer(test)
            if None in answers:
                if self._asks(test):
                    return Version.UNKNOWN
                continue
            for number, answer in zip(takes, answers, strict=True):
                takes[number] = takes[number] and answer is wanted
        for handled, in_body in self._attempts(node):
            runs = self._attempt(handled)
            if runs is Version.UNKNOWN:
                return runs
            if runs is not None:
                first = runs in (Version.TF1, Version.BOTH)
                second = runs in (Version.TF2, Version.BOTH)
                takes[1] = takes[1] and first is in_body
                takes[2] = takes[2] and second is in_body
        if takes[1] and takes[2]:
            return Version.BOTH
        if takes[1] or takes[2]:
            return Version.TF1 if takes[1] else Version.TF2
        return Version.NEITHER

    @cached_property
    def dependent(self) -> tuple[ast.AST, ...]:
        """The questions that TensorFlow 1.15 and 2 answer differently, or not understood."""
        tree = self._tree
        found = list(self._dependent_tests()) if self._may_ask else []
        for attempt in tree.nodes(ast.Try):
            runs = self._attempt(attempt)
            if runs is not None and runs is not Version.BOTH:
                found.append(attempt)
        return tuple(sorted(found, key=lambda node: node.lineno))  # type: ignore[attr-defined]

    def _dependent_tests(self) -> Iterator[ast.AST]:
        tree = self._tree
        tests: Iterable[ast.If | ast.IfExp | ast.While | ast.Assert] = chain(
            tree.nodes(ast.If), tree.nodes(ast.IfExp), tree.nodes(ast.While), tree.nodes(ast.Assert)
        )
        for node in tests:
            first, second = self._answer(node.test)
            if (first is None or first is not second) and self._asks(node.test):
                yield node
        for choice in tree.nodes(ast.BoolOp):
            if getattr(tree.parent[choice], "test", None) is not choice and any(
                len(set(self._answer(value))) > 1 for value in choice.values
            ):
                yield choice

    def on_2(self, test: ast.expr) -> bool | None:
        """Return what TensorFlow 2 answers to a test, None where that is not known."""
        return self._answer(test)[1]

    # What decides whether a node runs.

    def _around(self, node: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
        """Yield the tests that decide whether a node runs, with the answer that lets it run."""
        child = node
        for around in self._tree.within(node):
            if isinstance(child, ast.stmt):
                yield from self._of_statement(child)
                return
            yield from _tests_of(child, around)
            child = around

    def _of_statement(self, statement: ast.stmt) -> list[tuple[ast.expr, bool]]:
        """Return the tests that decide whether a statement runs: those of all nodes in it."""
        if statement not in self._above:
            around = self._tree.parent[statement]
            self._above[statement] = [
                *_tests_of(statement, around),
                *self._earlier(statement, around),
                *self._around(around),
            ]
        return self._above[statement]

    def _earlier(self, statement: ast.stmt, around: ast.AST) -> tuple[tuple[ast.expr, bool], ...]:
        """Return the tests in front of a statement, in its block, that may leave the block."""
        if statement not in self._exits:
            for _, block in ast.iter_fields(around):
                passed: tuple[tuple[ast.expr, bool], ...] = ()
                for item in block if isinstance(block, list) else ():
                    self._exits[item] = passed
                    if isinstance(item, ast.Assert):
                        passed += ((item.test, True),)
                    elif isinstance(item, ast.If):
                        if _leaves(item.body):
                            passed += ((item.test, False),)
                        if item.orelse and _leaves(item.orelse):
                            passed += ((item.test, True),)
        return self._exits[statement]

    def _attempts(self, node: ast.AST) -> Iterator[tuple[ast.Try, bool]]:
        """Yield the `try` statements around a node; whether it is in their body."""
        if not self._tree.nodes(ast.Try):
            return
        child = node
        for around in self._tree.within(node):
            if isinstance(around, ast.Try) and child not in around.finalbody:
                yield around, child in around.body or child in around.orelse
            child = around

    def _attempt(self, node: ast.Try) -> Version | None:
        """Return which TensorFlow goes through the body of a `try`; None where it does not ask."""
        if node not in self._attempted:
            self._attempted[node] = self._try(node)
        return self._attempted[node]

    def _try(self, node: ast.Try) -> Version | None:
        caught = {name for handler in node.handlers for name in _caught(handler)}
        inside = [item for part in node.body for item in ast.walk(part)]
        if caught & (_IMPORT_ERRORS | _ALL_ERRORS):
            found = [path for item in inside for path in _imported(item)]
            others = [
                path
                for handler in node.handlers
                for part in handler.body
                for item in ast.walk(part)
                for path in _imported(item)
            ]
            if found and set(map(_same_keras, found)) != set(map(_same_keras, others)):
                first, second = self._exist(found)
                if first is None or second is None:
                    return Version.UNKNOWN if others else None
                if first and second:
                    # `except ImportError: import tensorflow as tf` is for TensorFlow 1 before 1.13.
                    return Version.UNKNOWN if others else None
                return Version.TF1 if first else Version.TF2
        if caught & _NAME_ERRORS:
            paths = [
                canonical(path)
                for item in inside
                if isinstance(item, ast.Attribute | ast.Name)
                for path in self._symbols.paths(item)
            ]
            paths = [path for path in paths if path.startswith("tf.")]
            if any(self._book.is_v1_only(path) for path in paths):
                return Version.TF1
            if any(self._book.is_v2_only(path) for path in paths):
                return Version.TF2
            return Version.UNKNOWN if paths else None
        return None

    def _exist(self, paths: list[str]) -> tuple[bool | None, bool | None]:
        """Tell whether TensorFlow 1.15 and 2 have all of some import paths."""
        first: bool | None = True
        second: bool | None = True
        for path in paths:
            if path.startswith(("tensorflow.python.", "tensorflow.core.", "keras.")):
                return None, None
            if path.startswith(("tensorflow.compat.v1", "tensorflow.compat.v2")):
                continue
            name = canonical(path)
            if self._book.is_v1_only(name) or self._book.is_missing(name):
                second = False
            elif self._book.is_v2_only(name):
                first = False
        return first, second

    # Answers.

    @cached_property
    def _may_ask(self) -> bool:
        """Whether anything in the file can ask for the version, or for a name of TensorFlow."""
        tree = self._tree
        imported = (item.path.rpartition(".")[2] for item in tree.imports)
        words = {*tree.names, *tree.attributes, *imported}
        return (
            not _LAST_NAMES.isdisjoint(words)
            or any(map(_WORDS.search, words))
            or any(map(self._asks_for_a_name, tree.calls))
        )

    def _asks(self, test: ast.expr, depth: int = 3) -> bool:
        """Tell whether an expression is about the version of TensorFlow."""
        if not self._may_ask:
            return False
        if (test, depth) not in self._asked:
            self._asked[test, depth] = self._mentions_version(test, depth)
        return self._asked[test, depth]

    def _mentions_version(self, test: ast.expr, depth: int) -> bool:
        for node in ast.walk(test):
            if isinstance(node, ast.Call) and self._asks_for_a_name(node):
                return True
            if not isinstance(node, ast.Name | ast.Attribute):
                continue
            if _WORDS.search(last_name(node)):
                return True
            name = self._symbols.name(node)
            if name in _VERSION_NAMES or name == _EAGERLY:
                return True
            if isinstance(node, ast.Name) and depth:
                values = [item.value for item in self._tree.bindings(node)]
                if any(value is not None and self._asks(value, depth - 1) for value in values):
                    return True
                function = self._function(node)
                if function is not None and self._asks(function, depth - 1):
                    return True
        return False

    def _asks_for_a_name(self, call: ast.Call) -> bool:
        """Tell whether a call asks TensorFlow for something by its name."""
        return (
            last_name(call.func) in ("hasattr", "getattr")
            and bool(call.args)
            and self._is_tensorflow(call.args[0])
        )

    def _is_tensorflow(self, node: ast.expr) -> bool:
        paths = self._symbols.paths(node)
        return any(f"{path}.".startswith(("tensorflow.", "keras.")) for path in paths)

    def _answer(self, test: ast.expr) -> tuple[bool | None, bool | None]:
        """Return what TensorFlow 1.15 and 2 answer to a test; None for unknown."""
        if test not in self._answers:
            found: list[bool | None] = []
            for number in _RELEASES:
                try:
                    found.append(bool(self._value(test, number, _DEPTH)))
                except (_UnknownError, TypeError, ValueError, IndexError, AttributeError):
                    found.append(None)
            self._answers[test] = (found[0], found[1])
        return self._answers[test]

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
        if self._symbols.name(node) in _VERSION_NAMES:
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
        word = last_name(node.func)
        if word == "hasattr" and len(node.args) == 2:
            return self._has(node.args[0], node.args[1], number)
        if self._symbols.name(node.func) == _EAGERLY:
            return number > 1
        function = self._function(node.func)
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
        if word == "map" and len(node.args) == 2 and last_name(node.args[0]) == "int":
            return [int(item) for item in self._value(node.args[1], number, depth - 1)]
        if len(node.args) != 1:
            raise _UnknownError
        argument = self._value(node.args[0], number, depth - 1)
        if word in _PARSERS:
            return _numbers(argument)
        if word in ("int", "float", "str", "len") and isinstance(
            argument, str | int | float | list
        ):
            if word == "len":
                return len(argument)  # type: ignore[arg-type]
            return {"int": int, "float": float, "str": str}[word](argument)
        if word in ("tuple", "list") and isinstance(argument, list):
            return argument
        raise _UnknownError

    def _listed(self, node: ast.ListComp | ast.GeneratorExp, number: int, depth: int) -> list[Any]:
        (first, *more) = node.generators
        if more or first.ifs or not isinstance(first.target, ast.Name):
            raise _UnknownError
        call = node.elt
        if not (
            isinstance(call, ast.Call)
            and last_name(call.func) == "int"
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

    def _function(self, node: ast.expr) -> ast.expr | None:
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


def _tests_of(child: ast.AST, around: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """Yield the tests of a node that decide whether a part of it runs."""
    if isinstance(around, ast.If | ast.While) and child is not around.test:
        yield around.test, child not in around.orelse
    elif isinstance(around, ast.IfExp) and child is not around.test:
        yield around.test, child is around.body
    elif isinstance(around, ast.BoolOp) and isinstance(child, ast.expr):
        before = around.values[: around.values.index(child)]
        yield from ((value, isinstance(around.op, ast.And)) for value in before)


def _leaves(block: list[ast.stmt]) -> bool:
    """Tell whether a block always leaves what it is in."""
    last = block[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return ast.unparse(last.value.func) in ("sys.exit", "exit", "quit", "os._exit")
    return isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break)


def _same_keras(path: str) -> str:
    """Return a path without the library that has Keras: which one that is asks for no version."""
    return path.removeprefix("tensorflow.") if path.startswith("tensorflow.keras") else path


def _caught(handler: ast.ExceptHandler) -> Iterator[str]:
    if handler.type is None:
        yield "Exception"
    else:
        for node in ast.walk(handler.type):
            if isinstance(node, ast.Name | ast.Attribute):
                yield last_name(node)


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield the paths of TensorFlow and Keras that a statement imports."""
    paths: list[str] = []
    if isinstance(node, ast.Import):
        paths = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and not node.level:
        paths = [f"{node.module}.{alias.name}" for alias in node.names]
    yield from (path for path in paths if f"{path}.".startswith(("tensorflow.", "keras.")))
