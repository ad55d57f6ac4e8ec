"""What makes TensorFlow 2's eager context, before a program is migrated and after.

In graphs it is made by what traces functions, and by datasets; in eager code by any operation.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Container, Iterator
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from tfgpu.code.canonical import canonical
from tfgpu.code.dotted import base_of
from tfgpu.code.imported import Names
from tfgpu.code.order import Order
from tfgpu.code.origins import Origins
from tfgpu.code.prefixes import beginning_of
from tfgpu.code.tree import Tree, last_name, text_of
from tfgpu.code.when import When
from tfgpu.decide.early import Early
from tfgpu.decide.effect import Effect
from tfgpu.decide.graphs import Graphs
from tfgpu.decide.keras_traces import KerasTraces
from tfgpu.decide.quiet_calls import is_quiet_call
from tfgpu.decide.savers import Savers
from tfgpu.decide.starts import starts
from tfgpu.flow.collect import Analysis
from tfgpu.program.raw import GRAPH_MODE, needs_tensorflow1
from tfgpu.rulebook.book import Rulebook

if TYPE_CHECKING:
    from tfgpu.flow.datasets import Datasets

# A function by its name, and no type of values.
_FUNCTION = (
    r"^(?:tf|keras)\.(?:.*\.)?(?!(?:q?u?int|float|bfloat|complex)\d+$|"
    r"(?:half|double|bool|string|resource|variant)$)[a-z]\w*$"
)
# Operations that call Python, and where TensorFlow defines them.
_PYTHON_OPERATIONS = frozenset(
    ["tf.py_func", "tf.py_function", "tf.numpy_function", "tf.contrib.eager.py_func"]
)
_PYTHON_MODULE = "tf.python.ops.script_ops."
# What turns control flow of version 2 off.
_CONTROL_FLOW_OFF = frozenset(["tf.disable_v2_behavior", "tf.disable_control_flow_v2"])
# What turns eager execution on in TensorFlow 1.
EAGER = ("enable_eager_execution", "enable_v2_behavior")
_DATA = ("tensorflow.data", "tensorflow.contrib.data", "tensorflow.compat.v1.data")


# Methods of datasets whose names many other objects have, too.
_COMMON = frozenset(["save"])


class Eager:
    """What makes the eager context in some files."""

    def __init__(self, analysis: Analysis, book: Rulebook, names: Names, order: Order) -> None:
        self._analysis = analysis
        self._tree = analysis.tree
        self._symbols = analysis.symbols
        self._book = book
        self._names = names
        self._order = order
        self.savers = Savers(analysis, book, names)
        self._with_data: dict[Tree, bool] = {}

    @cached_property
    def in_graphs(self) -> list[Effect]:
        """What makes TensorFlow 2's eager context in a program that builds graphs."""
        tree, symbols = self._tree, self._symbols
        found = [
            Effect(call, text_of(call, tree)) for call in tree.calls if self._starts_eager(call)
        ]
        found += self._handed_on
        for function in self._traced:
            found.append(Effect(function, getattr(function, "name", "lambda")))
        for call in tree.calls:
            if symbols.name(call.func) == "tf.function" or self.savers.may_shard(call):
                found.append(Effect(call, text_of(call, tree)))
        found += KerasTraces(self._analysis, self._names, self._is_of_version_1).find()
        return [*found, *self._control_flow, *self._python_operations]

    def _is_of_version_1(self, node: ast.expr) -> bool:
        """Tell whether something of Keras is asked of TensorFlow 1, or of what stands for it."""
        if any(".compat.v2." in path for path in self._symbols.paths(node)):
            return False
        base = base_of(node)
        bindings = self._tree.bindings(base) if isinstance(base, ast.Name) else []
        paths = [binding.path or "" for binding in bindings]
        switched = self.is_of_tensorflow1(base)
        return bool(paths) and all(
            path.startswith("tensorflow.compat.v1") or (path == "tensorflow" and switched)
            for path in paths
        )

    @cached_property
    def _control_flow(self) -> list[Effect]:
        """The calls that trace functions, where control flow of version 2 is on."""
        tree, known = self._tree, self._book.control_flow
        calls = [call for call, name in self._symbols.calls(tree) if known.has(name)]
        return [Effect(call, text_of(call, tree)) for call in calls if self._traces(call)]

    def _traces(self, call: ast.Call) -> bool:
        """Tell whether control flow of version 2 may be on where it is built, once migrated.

        What is switched has the behaviour of version 2 off, unless it turned eager execution off.
        """
        if self._control_flow_off.is_on(call):
            return False
        return not self.is_of_tensorflow1(call) or any(
            self._order.share_process(other, call) for other in self._turns_off
        )

    @cached_property
    def _turns_off(self) -> list[ast.Call]:
        """The calls that turn eager execution off, but leave the rest of version 2 on."""
        calls = self._symbols.calls(self._tree)
        return [call for call, name in calls if name == "tf.disable_eager_execution"]

    @cached_property
    def _control_flow_off(self) -> Early:
        return Early(self._analysis, self.origins, self._order, _CONTROL_FLOW_OFF)

    @cached_property
    def _handed_on(self) -> list[Effect]:
        """What makes the eager context and is no call itself: it is called later, if ever."""
        tree = self._tree
        known = self._book.starts_runtime
        named = [
            node
            for node, path in self._names.found
            if isinstance(node.ctx, ast.Load)
            and self._names.is_whole(node)
            and _is_callable(canonical(path), known.names)
            and known.has(canonical(path))
        ]
        named += [
            node
            for node, path in self._names.found
            if isinstance(node.ctx, ast.Load)
            and canonical(path) == "tf.function"
            and self._names.is_value(node)
        ]
        methods = [
            node
            for method in known.methods
            for node in tree.attributes.get(method, [])
            if isinstance(node.ctx, ast.Load)
            and self._uses_data(tree.file(node))
            and self._datasets.is_method(node, When.NEVER) is not When.NEVER
        ]
        return [
            Effect(node, tree.source(node))
            for node in (*named, *methods)
            if not isinstance(parent := tree.parent[node], ast.Call) or parent.func is not node
        ]

    @cached_property
    def _traced(self) -> list[ast.AST]:
        """The functions that tf.function wraps by a decorator: calling them makes the context."""
        return [
            function
            for functions in self._tree.functions.values()
            for function in functions
            for decorator in getattr(function, "decorator_list", [])
            if self._symbols.name(_called(decorator)) == "tf.function"
        ]

    def _starts_eager(self, call: ast.Call) -> bool:
        name = self._symbols.name(call.func)
        known = self._book.starts_runtime
        if name is not None and known.has(name):
            return True
        if isinstance(call.func, ast.Attribute) and call.func.attr in known.telling:
            own = self._analysis.callees.classes.function(call.func)
            if own is None and not self._symbols.paths(call.func):
                return True
        if _finds_method(call, known.methods - _COMMON, self._tree):
            return self._uses_data(self._tree.file(call))
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in known.methods:
            return False
        uses_data = call.func.attr not in _COMMON and self._uses_data(self._tree.file(call))
        unknown = When.MAYBE if uses_data else When.NEVER
        return self._datasets.is_method(call.func, unknown) is not When.NEVER

    @cached_property
    def _python_operations(self) -> list[Effect]:
        """The calls that may run an operation which calls Python."""
        tree = self._tree
        named = (canonical(path) for _, path in self._names.found)
        called = (name for _, name in self._symbols.calls(tree))
        if not (any(map(_calls_python, chain(named, called))) or self._may_call_python):
            return []
        uses = [*tree.attributes.get("run", []), *tree.attributes.get("eval", [])]
        parents = [(use, tree.parent[use]) for use in uses]
        return [
            Effect(call, text_of(call, tree), in_session=True)
            for use, call in parents
            if isinstance(call, ast.Call) and call.func is use
        ]

    @property
    def _may_call_python(self) -> bool:
        """Whether one may be asked of what may be TensorFlow, or by a computed name."""
        last = sorted(name.rpartition(".")[2] for name in _PYTHON_OPERATIONS)
        nodes = (node for name in last for node in self._tree.attributes.get(name, ()))
        return any(not self._symbols.paths(node) for node in nodes) or any(
            self._tree.builtin(call.func) == "getattr"
            and call.args[1:]
            and not isinstance(call.args[1], ast.Constant)
            and any(path.startswith("tensorflow") for path in self._symbols.paths(call.args[0]))
            for call in self._tree.calls
        )

    @cached_property
    def _datasets(self) -> Datasets:
        from tfgpu.flow.datasets import Datasets  # noqa: PLC0415 - few need it

        return Datasets(self._tree, self._symbols, self.origins)

    @property
    def origins(self) -> Origins:
        """Where objects of the files come from."""
        return self._analysis.callees.finders.origins

    def _uses_data(self, tree: Tree) -> bool:
        """Tell whether objects in a file may be datasets of TensorFlow."""
        if tree not in self._with_data:
            self._with_data[tree] = any(
                self._order.share_process(file.module, tree.module) for file in self._data_files
            )
        return self._with_data[tree]

    @cached_property
    def _data_files(self) -> list[Tree]:
        """The files that name tf.data."""
        return [
            file
            for file in self._tree.files
            if any(path.startswith(_DATA) for path in self._data_paths(file))
        ]

    def _data_paths(self, tree: Tree) -> Iterator[str]:
        for attribute in tree.attributes.get("data", []):
            yield from self._symbols.paths(attribute)
        for item in tree.imports:
            yield item.path

    def starts(self, graph_mode: bool) -> list[Effect]:
        """Return what makes the eager context; `graph_mode` tells that operations do not."""
        return [*self.in_graphs, *self._early] if graph_mode else self.code

    def before(self, graph_mode: bool, node: ast.AST) -> list[Effect]:
        """Return what makes the eager context in the program of a node before its migration.

        In graphs of TensorFlow 1 hardly anything does.
        """
        if self.is_of_tensorflow1(node) and (graph_mode or not self.turns_on):
            return [*self._early, *self.in_version_1]
        return self.starts(graph_mode)

    @cached_property
    def in_version_1(self) -> list[Effect]:
        """What makes the eager context in graphs of TensorFlow 1.15, too."""
        known = self._book.starts_runtime.version1 | {"tf.function"}
        functions = set(self._traced)

        def makes(node: ast.AST) -> bool:
            called = node.func if isinstance(node, ast.Call) else node
            return node in functions or (
                isinstance(called, ast.expr) and self._symbols.name(called) in known
            )

        return [effect for effect in self.in_graphs if makes(effect.node)]

    @cached_property
    def turns_on(self) -> bool:
        """Whether anything in the files turns eager execution on in TensorFlow 1."""
        return any(self._tree.attributes.get(name) or self._tree.names.get(name) for name in EAGER)

    def is_of_tensorflow1(self, node: ast.AST) -> bool:
        """Tell whether the program of a node does not run on TensorFlow 2 as it is."""
        return any(
            self._order.share_process(file.module, node) for file in self._files_of_tensorflow1
        )

    @cached_property
    def _files_of_tensorflow1(self) -> list[Tree]:
        symbols, book = self._symbols, self._book
        return [file for file in self._tree.files if needs_tensorflow1(file, symbols, book)]

    @cached_property
    def code(self) -> list[Effect]:
        """What makes the eager context in code that no graph is the default one of."""
        outside = (item for item in self._computed if not self.graphs.surround(item.node))
        return [*self.in_graphs, *outside]

    @cached_property
    def certain(self) -> frozenset[ast.AST]:
        """The calls that make the eager context wherever they are reached."""
        found = starts(self._analysis, self._book)
        return frozenset(start.call for start in found if not start.silent)

    @cached_property
    def _early(self) -> list[Effect]:
        """The operations that may run before a program of TensorFlow 2 turns graph mode on."""
        return [effect for effect in self._operations if self._start_of_graphs.has(effect.node)]

    @cached_property
    def _computed(self) -> list[Effect]:
        """The operations that may run before graph mode is on, if it ever is."""
        return [item for item in self._operations if not self._start_of_graphs.is_on(item.node)]

    @cached_property
    def graphs(self) -> Graphs:
        """The statements that make a graph the default one."""
        return Graphs(self._tree, self.origins, self._order)

    def graphs_behind(self, node: ast.AST) -> list[ast.Call]:
        """Return the calls that may turn graph mode on in TensorFlow 2 only behind a node."""
        return self._start_of_graphs.behind(node)

    def is_early(self, node: ast.AST) -> bool:
        """Tell whether a node may be reached before a program of TensorFlow 2 turns graphs on."""
        return self._start_of_graphs.has(node)

    @cached_property
    def _start_of_graphs(self) -> Early:
        return Early(self._analysis, self.origins, self._order, GRAPH_MODE)

    @cached_property
    def _operations(self) -> list[Effect]:
        """The calls of TensorFlow or Keras in eager code, and of libraries that may call them."""
        found = []
        for call, name in self._symbols.calls(self._tree):
            root = name.partition(".")[0]
            if root in ("tf", "keras") and not is_quiet_call(name):
                found.append(Effect(call, text_of(call, self._tree)))
        return [*found, *self._given, *self._of_own_classes]

    @cached_property
    def _of_own_classes(self) -> list[Effect]:
        """The calls of classes that inherit from those of Keras, and of objects of these classes.

        What such an object is asked for may run in methods of Keras, or is called back by them.
        """
        tree, origins = self._tree, self.origins
        own = {item for item in tree.nodes(ast.ClassDef) if self._is_of_keras(item)}
        names = {item.name for item in own}
        return [
            Effect(call, text_of(call, tree))
            for call in (tree.calls if own else ())
            for used in (call.func, *_holder(call.func))
            if last_name(used) in names or not own.isdisjoint(origins.of(used))
        ]

    def _is_of_keras(self, owner: ast.ClassDef) -> bool:
        """Tell whether a class inherits from one of Keras that computes, directly or not."""
        bases = [
            base for item in self._analysis.callees.classes.relatives(owner) for base in item.bases
        ]
        names = [self._symbols.name(base) or "" for base in bases]
        return any(name.startswith("keras.") and not is_quiet_call(name) for name in names)

    @cached_property
    def _given(self) -> list[Effect]:
        """The functions of TensorFlow or Keras that calls and parameters take, to run later."""
        return [
            Effect(node, self._tree.source(node))
            for node, path in self._names.found
            if self._is_given(node)
            and self._names.is_whole(node)
            and re.match(_FUNCTION, name := canonical(path))
            and not is_quiet_call(name)
        ]

    def _is_given(self, node: ast.expr) -> bool:
        """Tell whether a node is handed to a call or a parameter, and not just asked for a name."""
        around = self._tree.parent[node]
        if isinstance(around, ast.arguments):
            return True
        call = self._tree.parent[around] if isinstance(around, ast.keyword) else around
        return (
            isinstance(call, ast.Call)
            and call.func is not node
            and last_name(call.func) not in ("hasattr", "getattr")
        )


def _calls_python(name: str) -> bool:
    return name in _PYTHON_OPERATIONS or name.startswith(_PYTHON_MODULE)


def _is_callable(name: str, known: Container[str]) -> bool:
    """Tell whether a name is one of a function, or of a class that does something when it is made.

    Others are constants, and classes that are only asked for: `tf.data.Dataset`.
    """
    last = name.rpartition(".")[2]
    return last[:1].islower() or name in known or (last.endswith("Dataset") and last != "Dataset")


def _finds_method(call: ast.Call, known: Collection[str], tree: Tree) -> bool:
    """Tell whether a call finds a method by its name: one of those known, or a computed one."""
    name = last_name(call.func)
    place = {"getattr": 1, "methodcaller": 0, "attrgetter": 0}.get(name)
    if place is None or len(call.args) <= place:
        return False
    method = call.args[place]
    if isinstance(method, ast.Constant):
        return method.value in known
    begin = beginning_of(method, tree)
    return any(name.startswith(begin) for name in known)


def _holder(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the object that a method is asked of."""
    if isinstance(node, ast.Attribute):
        yield node.value


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node
