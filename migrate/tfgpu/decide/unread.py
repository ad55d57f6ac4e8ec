"""What runs code that is not read: of libraries, of objects that may come from them, of texts.

It may do anything. Libraries that are known not to configure GPUs, those of Python among them, are
taken to do nothing; what runs code of the program is followed instead.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property

from tfgpu.code.order import Order
from tfgpu.code.origins import UNKNOWN, Origin, Origins
from tfgpu.code.symbols import canonical
from tfgpu.flow.collect import Analysis

# Libraries that write no variable of CUDA and make no session, beside those of Python.
_TENSORFLOW = frozenset(["tf", "keras", "tensorflow"])
_KNOWN = _TENSORFLOW | frozenset(
    [
        "tensorboard", "absl", "gflags", "six", "future", "numpy", "scipy", "pandas", "matplotlib",
        "mpl_toolkits", "seaborn", "sklearn", "skimage", "PIL", "cv2", "imageio", "h5py", "tqdm",
        "yaml", "requests", "nltk", "librosa", "soundfile", "gym", "horovod", "mpi4py", "networkx",
        "termcolor", "colorama", "tabulate", "google", "pytest", "typing_extensions", "mock",
        "cython", "joblib", "numba", "jieba", "gensim", "easydict", "click", "psutil",
    ]
)  # fmt: skip
# What is taken out of objects of Python, or returned by what they returned, may be any object.
_HOLDS = re.compile(r"\[\]|\(\).*\(\)")
_CALLED = re.compile(r"\(\)")
_ANYTHING = frozenset(["copy", "imp", "importlib", "operator", "pickle", "pkgutil", "runpy"])
# Methods that objects of TensorFlow have, or objects that replace them: they build graphs, or ask a
# session to stop.
_OF_TENSORFLOW = frozenset(["compute_gradients", "apply_gradients", "request_stop"])
# Methods of `tf.train.SessionRunHook` that TensorFlow calls with objects of its own.
_HOOKS = frozenset(["after_create_session", "before_run", "after_run", "end"])
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_GIVEN = (ast.Call, ast.keyword, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Return, ast.Lambda)


class Unread:
    """What runs code that is not read, in one file or in several that are read as one.

    `named` are the expressions of the files that refer to something imported, each with its path.
    """

    def __init__(
        self,
        analysis: Analysis,
        origins: Origins,
        order: Order,
        named: Iterable[tuple[ast.Name | ast.Attribute, str]],
    ) -> None:
        self._analysis = analysis
        self._tree = analysis.tree
        self._symbols = analysis.symbols
        self._origins = origins
        self._order = order
        self._named = named

    def places(self) -> Iterator[ast.AST]:
        """Yield the imports, calls and `with` items that may run such code."""
        tree = self._tree
        for item in tree.imports:
            if self._is_library(item.path) and tree.linked(item) is None:
                yield item.statement
        yield from self._order.dynamic
        for call in tree.calls:
            if self._runs(call.func) and not self._analysis.values.is_rank(call):
                yield call
        entered = (item.context_expr for item in tree.nodes(ast.withitem))
        yield from filter(self._is_unread, entered)

    def _runs(self, callee: ast.expr) -> bool:
        """Tell whether a call may run code that is not read."""
        symbols = self._symbols
        paths = symbols.paths(callee)
        if paths:
            roots = {canonical(path).partition(".")[0] for path in paths}
            return any(map(self._is_library, paths)) or (
                self._are_handed_on and not roots <= _TENSORFLOW
            )
        if hasattr(builtins, self._analysis.callees.builtin(callee) or ""):
            return self._are_handed_on
        variable = symbols.variable(callee)
        bindings = variable[0].bindings[variable[1]] if variable is not None else []
        if isinstance(callee, ast.Attribute):
            bindings = bindings or self._analysis.callees.classes.member(callee)
        if bindings and all(isinstance(item.node, _DEFINITIONS) for item in bindings):
            return any(self._is_wrapped(item.node) for item in bindings)
        used = callee.value if isinstance(callee, ast.Attribute) else callee
        if isinstance(callee, ast.Attribute) and callee.attr in _OF_TENSORFLOW:
            return self._are_handed_on
        return self._are_handed_on or self._is_unread(used)

    def _is_wrapped(self, definition: ast.AST) -> bool:
        """Tell whether a decorator, or an inherited class, is code that is not read."""
        inherits = isinstance(definition, ast.ClassDef) and self._inherits(definition)
        return inherits or any(map(self._is_unread, getattr(definition, "decorator_list", [])))

    def _inherits(self, owner: ast.ClassDef, seen: frozenset[ast.ClassDef] = frozenset()) -> bool:
        """Tell whether objects of a class may have methods that are not read."""
        for base in (*owner.bases, *(keyword.value for keyword in owner.keywords)):
            known = self._analysis.callees.classes.named(base)
            if known in seen:
                continue
            if self._inherits(known, seen | {owner}) if known else self._is_unread(base):
                return True
        return False

    def _is_unread(self, node: ast.expr) -> bool:
        """Tell whether the object of an expression may have methods that are not read."""
        if (
            self._analysis.callees.builtin(node.func if isinstance(node, ast.Call) else node)
            == "super"
        ):
            around = self._tree.parent[self._tree.function(node).node]
            return not isinstance(around, ast.ClassDef) or self._inherits(around)
        if isinstance(node, ast.Name) and self._is_given_by_tensorflow(node):
            return False
        return not self._is_missing(node) and any(
            map(self._is_origin_unread, self._origins.of(node) or {UNKNOWN})
        )

    def _is_given_by_tensorflow(self, node: ast.Name) -> bool:
        """Tell whether a name is a parameter of a hook of sessions."""
        method = self._tree.function(node).node
        owner = self._tree.parent.get(method)
        return (
            isinstance(method, ast.FunctionDef)
            and method.name in _HOOKS
            and isinstance(owner, ast.ClassDef)
            and node.id in [parameter.arg for parameter in method.args.args[1:]]
            and len(self._tree.bindings(node)) == 1
            and any(
                canonical(path) == "tf.train.SessionRunHook"
                for base in owner.bases
                for path in self._symbols.paths(base)
            )
        )

    def _is_missing(self, node: ast.expr) -> bool:
        """Tell whether a name is bound nowhere: it raises an error, and nothing runs."""
        while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
            node = node.func if isinstance(node, ast.Call) else node.value
        return (
            isinstance(node, ast.Name)
            and not self._tree.bindings(node)
            and not hasattr(builtins, node.id)
            and not self._stars
        )

    @cached_property
    def _stars(self) -> bool:
        """Whether any names may come from libraries: `from tools import *`."""
        return any(
            alias.name == "*" and (node.level or self._is_library(node.module or ""))
            for node in self._tree.nodes(ast.ImportFrom)
            for alias in node.names
        )

    def _is_origin_unread(self, origin: Origin) -> bool:
        if isinstance(origin, ast.ClassDef):
            return self._inherits(origin)
        root = _root(origin)
        is_python = root == "builtins" or root in sys.stdlib_module_names
        holds = _HOLDS if root not in _ANYTHING else _CALLED
        if origin == UNKNOWN or (is_python and holds.search(origin)):
            return True
        return self._is_library(origin)

    def _is_library(self, path: str) -> bool:
        """Tell whether a dotted path leads to a library that is not known to do nothing."""
        root = _root(path)
        is_known = root in _KNOWN or root in sys.stdlib_module_names or root in ("builtins", "")
        return not is_known and not f"{path}.".startswith(self._read)

    @cached_property
    def _read(self) -> tuple[str, ...]:
        """The paths of imported modules that are files of the program."""
        tree = self._tree
        return tuple(f"{item.path}." for item in tree.imports if tree.linked(item) is not None)

    @cached_property
    def _are_handed_on(self) -> bool:
        """Whether functions of libraries are given to others: whoever is called may call them."""
        return any(
            isinstance(node.ctx, ast.Load)
            and self._is_library(path)
            and isinstance(parent := self._tree.parent[node], _GIVEN)
            and not (isinstance(parent, ast.Call) and parent.func is node)
            for node, path in self._named
        )


def _root(path: str) -> str:
    return canonical(path).partition(".")[0].partition("(")[0]
