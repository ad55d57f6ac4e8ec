"""Which TensorFlow a piece of code is for, where the code around it asks which one runs.

`if tf.__version__.startswith("1.")`, `hasattr(tf, "ConfigProto")` and `except AttributeError` are
questions; `answers` has what TensorFlow 1.15 and TensorFlow 2 say to them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cached_property
from itertools import chain

from tfgpu.code.canonical import canonical
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.files.pattern import expression
from tfgpu.program.answers import EAGERLY, VERSION_NAMES, Answers
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


_LAST_NAMES = frozenset(name.rpartition(".")[2] for name in (*VERSION_NAMES, EAGERLY))
_WORDS = expression(
    r"(?:^|_)(?:is_?)?(?:tf|tensorflow)_?(?:v?[12](?:_?x)?|version|ver)(?:$|_)", re.I
)
_IMPORT_ERRORS = frozenset(["ImportError", "ModuleNotFoundError"])
_NAME_ERRORS = frozenset(["AttributeError", "NameError"])
_ALL_ERRORS = frozenset(["Exception", "BaseException"])


class Questions:
    """The questions of one file about the TensorFlow that runs it, and what they decide."""

    def __init__(self, tree: Tree, symbols: Symbols, book: Rulebook) -> None:
        self._tree = tree
        self._symbols = symbols
        self._book = book
        self._answers = Answers(tree, symbols, book)
        self._asked: dict[tuple[ast.AST, int], bool] = {}
        self._attempted: dict[ast.Try, Version | None] = {}
        self._above: dict[ast.AST, list[tuple[ast.expr, bool]]] = {}
        self._exits: dict[ast.AST, tuple[tuple[ast.expr, bool], ...]] = {}

    def version(self, node: ast.AST) -> Version:
        """Return which TensorFlow runs a node, as far as the code around it asks."""
        takes = {1: True, 2: True}
        for test, wanted in self._around(node):
            answers = self._answers.of(test)
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
            first, second = self._answers.of(node.test)
            if (first is None or first is not second) and self._asks(node.test):
                yield node
        for choice in tree.nodes(ast.BoolOp):
            if getattr(tree.parent[choice], "test", None) is not choice and any(
                len(set(self._answers.of(value))) > 1 for value in choice.values
            ):
                yield choice

    def on_2(self, test: ast.expr) -> bool | None:
        """Return what TensorFlow 2 answers to a test, None where that is not known."""
        return self._answers.of(test)[1]

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
            # TensorFlow's Keras lacks what the package of that name may have.
            inside = f"tf.{path.removeprefix('tensorflow.')}"
            if any(self._book.is_v1_only(it) or self._book.is_missing(it) for it in (name, inside)):
                second = False
            elif self._book.is_v2_only(name):
                first = False
        return first, second

    # Whether a test asks.

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
            if name in VERSION_NAMES or name == EAGERLY:
                return True
            if isinstance(node, ast.Name) and depth:
                values = [item.value for item in self._tree.bindings(node)]
                if any(value is not None and self._asks(value, depth - 1) for value in values):
                    return True
                function = self._answers.returned(node)
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
