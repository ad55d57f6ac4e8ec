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
from collections.abc import Callable, Iterator
from functools import cached_property

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
_HDF5 = (".h5", ".hdf5", ".keras")
_WEIGHTS = ("save_weights", "load_weights")
# The parameters of what writes files.
_OF_WEIGHTS = ("filepath", "overwrite", "save_format")
_OF_SAVE = ("filepath", "overwrite", "include_optimizer", "save_format")
_OF_SAVE_MODEL = ("model", *_OF_SAVE)
_OF_CHECKPOINT = ("filepath", "monitor", "verbose", "save_best_only", "save_weights_only")


class KerasTraces:
    """What makes the eager context by Keras in some files.

    `is_of_version_1` tells whether a name is that of the Keras of TensorFlow 1.
    """

    def __init__(self, analysis: Analysis, is_of_version_1: Callable[[ast.expr], bool]) -> None:
        self._analysis = analysis
        self._tree = analysis.tree
        self._symbols = analysis.symbols
        self._is_of_version_1 = is_of_version_1

    def find(self) -> Iterator[Effect]:
        """Yield the calls that may make the context."""
        for call in (*self._layers(), *self._own_layers(), *self._files()):
            yield Effect(call, text_of(call, self._tree))

    def _layers(self) -> Iterator[ast.Call]:
        for call, name in self._symbols.calls(self._tree):
            if re.match(_TRACED, name) and not self._is_of_version_1(call.func):
                yield call

    def _own_layers(self) -> Iterator[ast.Call]:
        """Yield the calls of classes of the files that inherit from such a layer."""
        classes = self._analysis.callees.classes
        own = {
            owner
            for owner in self._tree.nodes(ast.ClassDef)
            for item in classes.relatives(owner)
            for base in item.bases
            if re.match(_LAYERS, self._symbols.name(base) or "") and not self._is_of_version_1(base)
        }
        names = {owner.name for owner in own}
        yield from (call for call in self._tree.calls if last_name(call.func) in names)

    def _files(self) -> Iterator[ast.Call]:
        """Yield the calls that may write or read checkpoints of TensorFlow by Keras."""
        if not self._uses_keras:
            return
        for name in _WEIGHTS:
            for node in self._tree.attributes.get(name, ()):
                call = self._tree.parent[node]
                if isinstance(call, ast.Call) and call.func is node and self._is_checkpoint(call):
                    yield call
        for node in self._tree.attributes.get("save", ()):
            call = self._tree.parent[node]
            if isinstance(call, ast.Call) and call.func is node and _says_tf(call, _OF_SAVE):
                yield call
        for call, name in self._symbols.calls(self._tree):
            saves = re.match(_SAVE_MODEL, name) and _says_tf(call, _OF_SAVE_MODEL)
            if saves or (re.match(_CHECKPOINT, name) and self._is_of_weights(call)):
                yield call

    @cached_property
    def _uses_keras(self) -> bool:
        return any("keras" in tree.text for tree in self._tree.files)

    def _is_checkpoint(self, call: ast.Call) -> bool:
        """Tell whether weights may go to, or come from, a checkpoint of TensorFlow."""
        form = argument(call, "save_format", _OF_WEIGHTS)
        if form is not None and not (isinstance(form, ast.Constant) and form.value is None):
            return not (isinstance(form, ast.Constant) and form.value in ("h5", "keras", "hdf5"))
        return self._may_be_other(argument(call, "filepath", _OF_WEIGHTS))

    def _is_of_weights(self, call: ast.Call) -> bool:
        only = argument(call, "save_weights_only", _OF_CHECKPOINT)
        is_whole = only is None or self._analysis.values.known(only) in (False, 0)
        return not is_whole and self._may_be_other(argument(call, "filepath", _OF_CHECKPOINT))

    def _may_be_other(self, path: ast.expr | None) -> bool:
        """Tell whether a path may be one of no HDF5 file."""
        known = None if path is None else self._analysis.values.known(path)
        text = known if isinstance(known, str) else "" if path is None else _end(path)
        return not text.endswith(_HDF5)


def _says_tf(call: ast.Call, parameters: tuple[str, ...]) -> bool:
    """Tell whether a call may ask for the format of TensorFlow."""
    form = argument(call, "save_format", parameters)
    return form is not None and not (
        isinstance(form, ast.Constant) and form.value in ("h5", "keras", "hdf5", None)
    )


def _end(node: ast.expr) -> str:
    """Return how a text ends, as far as it is written there: `os.path.join(folder, "w.h5")`."""
    if isinstance(node, ast.JoinedStr) and node.values:
        return _end(node.values[-1])
    if isinstance(node, ast.BinOp):
        return _end(node.right if isinstance(node.op, ast.Add) else node.left)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "join" and node.args:
            return _end(node.args[-1])
        return _end(node.func.value) if node.func.attr == "format" else ""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
