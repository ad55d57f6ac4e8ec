"""Keras models that build their variables at once: the first variable initialises the GPUs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.tree import Tree
from tfgpu.decide.starts import Start, is_elsewhere, is_graph_mode
from tfgpu.flow.collect import Analysis
from tfgpu.rulebook.book import Rulebook

# Layers with variables. Measured with TensorFlow 2.21 and Keras 3.15: each made the eager context
# when it was called with keras.Input; Flatten did not.
_LAYERS = frozenset(
    ["BatchNormalization", "Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D",
     "Conv3DTranspose", "Dense", "DepthwiseConv1D", "DepthwiseConv2D", "EinsumDense", "Embedding",
     "GRU", "GroupNormalization", "LSTM", "LayerNormalization", "PReLU", "SeparableConv1D",
     "SeparableConv2D", "SimpleRNN"]
)  # fmt: skip
_SHAPES = frozenset(["batch_input_shape", "input_dim", "input_shape"])
_INPUTS = frozenset(["keras.Input", "keras.layers.Input", "keras.layers.InputLayer"])
_SEQUENTIAL = frozenset(["keras.Sequential", "keras.models.Sequential"])
_APPLICATIONS = "keras.applications."
# Keras without TensorFlow makes its variables elsewhere.
_OTHER_KERAS = "KERAS_BACKEND"
WORDS = frozenset(name.encode() for name in (*_LAYERS, "applications"))


def building(analysis: Analysis, book: Rulebook) -> Iterator[Start]:
    """Yield the calls that certainly make the variables of a Keras model, in eager code."""
    graphs: dict[Tree, bool] = {}
    if any(_OTHER_KERAS in file.text for file in analysis.tree.files):
        return
    for call in analysis.tree.calls:
        if _builds(call, analysis) and not is_elsewhere(call, analysis):
            tree = analysis.tree.file(call)
            if tree not in graphs:
                graphs[tree] = is_graph_mode(analysis.of(tree), book)
            if not graphs[tree]:
                yield Start(call, silent=False)


def _builds(call: ast.Call, analysis: Analysis) -> bool:
    """Tell whether a call makes variables: of a layer that has its input, or of a whole model."""
    if isinstance(call.func, ast.Call):
        return _is_layer(call.func, analysis)  # Dense(1)(inputs)
    name = analysis.symbols.name(call.func) or ""
    if name in _SEQUENTIAL:
        given = [*call.args[:1], *(item.value for item in call.keywords if item.arg == "layers")]
        layers = given[0].elts if given and isinstance(given[0], ast.List) else []
        has_shape = bool(layers) and _tells_shape(layers[0], analysis)
        return has_shape and any(_is_layer(layer, analysis) for layer in layers)
    if isinstance(call.func, ast.Attribute) and call.func.attr == "add" and len(call.args) == 1:
        layer = call.args[0]
        is_first = _is_layer(layer, analysis) and _tells_shape(layer, analysis)
        return is_first and _is_sequential(call.func.value, analysis)
    return name.startswith(_APPLICATIONS) and name.rpartition(".")[2][:1].isupper()


def _is_layer(node: ast.expr, analysis: Analysis) -> bool:
    """Tell whether an expression makes a layer with variables."""
    name = analysis.symbols.name(node.func) if isinstance(node, ast.Call) else None
    return name is not None and name.removeprefix("keras.layers.") in _LAYERS


def _tells_shape(node: ast.expr, analysis: Analysis) -> bool:
    """Tell whether a layer has the shape of its input: then it is built when it is added."""
    if not isinstance(node, ast.Call):
        return False
    has_shape = any(item.arg in _SHAPES for item in node.keywords)
    return has_shape or analysis.symbols.name(node.func) in _INPUTS


def _is_sequential(node: ast.expr, analysis: Analysis) -> bool:
    """Tell whether a name certainly stands for a model that takes layer after layer."""
    values = [binding.value for binding in analysis.symbols.bindings(node)]
    return bool(values) and all(
        isinstance(value, ast.Call) and analysis.symbols.name(value.func) in _SEQUENTIAL
        for value in values
    )
