"""What of Keras makes TensorFlow 2's eager context in graphs, too.

LSTM and GRU trace a function when they are called, and what makes layers of a description may make
one of these. Weights are written to, and read from, checkpoints of TensorFlow by functions of
TensorFlow 2; HDF5 files are not. Measured on TensorFlow 2.21 with tf_keras 2.21, in graph mode: all
layers, optimizers, losses, metrics, callbacks and functions of the backend were called, as far as
arguments could be made up for them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.imported import Names
from tfgpu.code.tree import last_name, text_of
from tfgpu.decide.effect import Effect
from tfgpu.flow.callees import argument
from tfgpu.flow.collect import Analysis

# Layers, models with them, and what makes either by a description.
_TRACED = (
    r"^keras\.(?:\w+\.)*(?:LSTM|GRU|(?:LSTM|GRU|Bidirectional|Sequential|Model)\.from_config|"
    r"load_model|clone_model|model_from_\w+|layers\.(?:\w+\.)*deserialize|"
    r"deserialize_keras_object)$"
)
_LAYERS = r"^keras\.(?:\w+\.)*(?:LSTM|GRU)$"
_SAVE_MODEL = r"^keras\.(?:\w+\.)*save_model$"
_CHECKPOINT = r"^keras\.(?:\w+\.)*ModelCheckpoint$"
# So many variables a path is followed through.
_DEPTH = 3
_HDF5 = (".h5", ".hdf5", ".keras")
_WEIGHTS = ("save_weights", "load_weights")
# Names of the same kind, whatever they are asked of.
_SAID = ("LSTM", "GRU", "deserialize_keras_object", "model_from_json", "model_from_config",
         "model_from_yaml", "clone_model", "save_model", "ModelCheckpoint")  # fmt: skip
_ANY_OF_THEM = rf"{_TRACED}|{_SAVE_MODEL}|{_CHECKPOINT}"
# The parameters of what writes files.
_OF_WEIGHTS = ("filepath", "overwrite", "save_format")
_OF_SAVE = ("filepath", "overwrite", "include_optimizer", "save_format")
_OF_SAVE_MODEL = ("model", *_OF_SAVE)
_OF_CHECKPOINT = ("filepath", "monitor", "verbose", "save_best_only", "save_weights_only")


class KerasTraces:
    """What makes the eager context by Keras in some files.

    `is_of_version_1` tells whether a name is that of the Keras of TensorFlow 1.
    """

    def __init__(
        self, analysis: Analysis, names: Names, is_of_version_1: Callable[[ast.expr], bool]
    ) -> None:
        self._analysis = analysis
        self._names = names
        self._tree = analysis.tree
        self._symbols = analysis.symbols
        self._is_of_version_1 = is_of_version_1

    def find(self) -> Iterator[Effect]:
        """Yield the calls that may make the context, and what is handed on to be called later."""
        for call in (*self._layers(), *self._files(), *self._unresolved()):
            yield Effect(call, text_of(call, self._tree))
        for node in (*self._own_classes(), *self._handed_on(), *self._methods_handed_on()):
            yield Effect(node, self._tree.source(node))

    def _layers(self) -> Iterator[ast.Call]:
        for call, name in self._symbols.calls(self._tree):
            if _matches(_TRACED, name) and not self._is_of_version_1(call.func):
                yield call

    def _own_classes(self) -> Iterator[ast.expr]:
        """Yield the uses of classes of the files that inherit from such a layer, or write files."""
        patterns = [_LAYERS]
        if any("save_weights_only" in tree.text for tree in self._tree.files):
            patterns.append(_CHECKPOINT)
        related = self._analysis.callees.classes.relatives
        names = {
            owner.name
            for owner in self._tree.nodes(ast.ClassDef)
            for base in (base for item in related(owner) for base in item.bases)
            for name in [self._symbols.name(base) or ""]
            if _matches("|".join(patterns), name)
            and not (_matches(_LAYERS, name) and self._is_of_version_1(base))
        }
        for node in self._named(names):
            parent = self._tree.parent[node]
            if not isinstance(parent, ast.ClassDef):
                yield parent if isinstance(parent, ast.Call) and parent.func is node else node

    def _named(self, names: Iterable[str]) -> Iterator[ast.Name | ast.Attribute]:
        """Yield what is read by one of some names, as a variable or as an attribute."""
        for name in sorted(names):
            for node in (*self._tree.names.get(name, ()), *self._tree.attributes.get(name, ())):
                if isinstance(node.ctx, ast.Load):
                    yield node

    def _unresolved(self) -> Iterator[ast.Call]:
        """Yield the calls of a name of Keras that is asked of what may be one of its modules."""
        for node in self._named(_SAID) if self._uses_keras else ():
            call = self._tree.parent[node]
            found = self._symbols.paths(node) or self._is_own(node)
            if isinstance(call, ast.Call) and call.func is node and not found:
                yield call

    def _handed_on(self) -> Iterator[ast.expr]:
        """Yield what names such a layer or function, and is no call of it."""
        for node, path in self._names.found:
            if (
                isinstance(node.ctx, ast.Load)
                and self._names.is_whole(node)
                and _matches(_ANY_OF_THEM, canonical(path))
                and not self._is_followed(node)
                and not (_matches(_TRACED, canonical(path)) and self._is_of_version_1(node))
            ):
                yield node

    def _is_followed(self, node: ast.expr) -> bool:
        """Tell whether a name is called, is a base of a class, or asked for by `isinstance`."""
        parent = self._tree.parent[node]
        if isinstance(parent, ast.Call):
            about = self._tree.builtin(parent.func) in ("isinstance", "issubclass")
            return parent.func is node or about
        return isinstance(parent, ast.ClassDef)

    def _methods_handed_on(self) -> Iterator[ast.expr]:
        for node in self._named(_WEIGHTS) if self._uses_keras else ():
            parent = self._tree.parent[node]
            if not (isinstance(parent, ast.Call) and parent.func is node):
                yield node

    def _is_own(self, node: ast.expr) -> bool:
        return self._analysis.callees.classes.function(node) is not None

    def _files(self) -> Iterator[ast.Call]:
        """Yield the calls that may write or read checkpoints of TensorFlow by Keras."""
        for node in self._named((*_WEIGHTS, "save")) if self._uses_keras else ():
            call = self._tree.parent[node]
            if isinstance(call, ast.Call) and call.func is node and not self._is_own(node):
                is_save = last_name(node) == "save"
                if _says_tf(call, _OF_SAVE) if is_save else self._is_checkpoint(call):
                    yield call
        for call, name in self._symbols.calls(self._tree):
            saves = _matches(_SAVE_MODEL, name) and _says_tf(call, _OF_SAVE_MODEL)
            if saves or (_matches(_CHECKPOINT, name) and self._is_of_weights(call)):
                yield call

    @cached_property
    def _uses_keras(self) -> bool:
        return any("keras" in tree.text for tree in self._tree.files)

    def _is_checkpoint(self, call: ast.Call) -> bool:
        """Tell whether weights may go to, or come from, a checkpoint of TensorFlow."""
        if _has_starred(call):
            return True
        form = argument(call, "save_format", _OF_WEIGHTS)
        if form is not None and not (isinstance(form, ast.Constant) and form.value is None):
            return not (isinstance(form, ast.Constant) and form.value in ("h5", "keras", "hdf5"))
        return self._may_be_other(argument(call, "filepath", _OF_WEIGHTS))

    def _is_of_weights(self, call: ast.Call) -> bool:
        if _has_starred(call):
            return True
        only = argument(call, "save_weights_only", _OF_CHECKPOINT)
        is_whole = only is None or self._analysis.values.known(only) in (False, 0)
        return not is_whole and self._may_be_other(argument(call, "filepath", _OF_CHECKPOINT))

    def _may_be_other(self, path: ast.expr | None) -> bool:
        """Tell whether a path may be one of no HDF5 file."""
        return path is None or not self._end(path, _DEPTH).endswith(_HDF5)

    def _end(self, node: ast.expr, depth: int) -> str:
        """Return how a text ends, as far as it is written: `os.path.join(folder, "w.h5")`."""
        known = self._analysis.values.known(node)
        if isinstance(known, str):
            return known
        if isinstance(node, ast.JoinedStr) and node.values:
            return self._end(node.values[-1], depth)
        if isinstance(node, ast.BinOp):
            return self._end(node.left if isinstance(node.op, ast.Mod) else node.right, depth)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "join" and node.args:
                return self._end(node.args[-1], depth)
            return self._end(node.func.value, depth) if node.func.attr == "format" else ""
        if isinstance(node, ast.Call) and self._tree.builtin(node.func) == "str" and node.args:
            return self._end(node.args[0], depth)
        if isinstance(node, ast.Name) and depth:
            values = [binding.value for binding in self._tree.bindings(node)]
            ends = {"" if one is None else self._end(one, depth - 1) for one in values}
            return ends.pop() if len(ends) == 1 else ""
        return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _has_starred(call: ast.Call) -> bool:
    return any(isinstance(one, ast.Starred) for one in call.args) or any(
        one.arg is None for one in call.keywords
    )


def _says_tf(call: ast.Call, parameters: tuple[str, ...]) -> bool:
    """Tell whether a call may ask for the format of TensorFlow."""
    if any(one.arg is None for one in call.keywords):
        return True
    form = argument(call, "save_format", parameters)
    return form is not None and not (
        isinstance(form, ast.Constant) and form.value in ("h5", "keras", "hdf5", None)
    )


def _matches(pattern: str, name: str) -> bool:
    """Tell whether a name of Keras matches; an expression is compiled where there are such."""
    return name.startswith("keras.") and re.match(pattern, name) is not None
