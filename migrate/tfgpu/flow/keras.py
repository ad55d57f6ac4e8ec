"""Calls for which Keras makes a session of its own, where a program builds graphs.

Besides those that `names/sessions.txt` names, a session computes the constants of operations that a
model or layer takes between its layers (TensorFlow 1.15.5 and tf_keras 2.21,
`base_layer_utils._create_keras_history_helper`), and what `keras.backend.function` returns runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.canonical import canonical
from tfgpu.code.origins import UNKNOWN, Origin, Origins
from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.flow.locations import Reading
from tfgpu.flow.owners import made_by

# Methods of models that take tensors.
_TAKE_TENSORS = ("add_loss", "add_metric")
_FUNCTION = "keras.backend.function"
# Where what it returns may come from.
_RUNNING = frozenset([f"{_FUNCTION}()", UNKNOWN])
# Tensors that no operation makes of others.
_SOURCES = frozenset(
    ["placeholder", "variable", "constant", "zeros", "ones", "Variable", "get_variable", "Input"]
)
_OPERATIONS = ("keras.backend.", "keras.ops.", "tf.")
# Arguments that are no tensors, whatever stands in them.
_NO_TENSORS = (
    ast.Constant, ast.JoinedStr, ast.Dict, ast.Set, ast.Lambda, ast.Compare,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def keras_sessions(read: Reading, origins: Origins) -> Iterator[ast.Call]:
    """Yield the calls that may make Keras's session, and that no name of a list shows."""
    tree, symbols = read.tree, read.symbols
    if not _uses_keras(tree):
        return
    kinds = read.book.sessions
    has_functions = any(name == _FUNCTION for _, name in symbols.calls(tree))
    for call in tree.calls:
        method = call.func
        has_path = bool(symbols.paths(method))
        if isinstance(method, ast.Attribute) and not has_path:
            is_named = kinds.get(f".{method.attr}") == "keras"
            if (is_named or method.attr in ("evaluate", "predict")) and (
                made_by(method, ("keras.",), origins, read.callees) is not When.NEVER
            ):
                yield call
                continue
        runs = has_functions and not has_path
        if (
            (runs and not _RUNNING.isdisjoint(origins.of(method)))
            or _has_weights(call, read)
            or any(_is_computed(item, origins) for item in _tensors(call, read, origins))
        ):
            yield call


def _uses_keras(tree: Tree) -> bool:
    """Tell whether any file names Keras."""
    return "keras" in tree.attributes or any(
        canonical(item.path).partition(".")[0] == "keras" for item in tree.imports
    )


def _has_weights(call: ast.Call, read: Reading) -> bool:
    """Tell whether a layer or model begins with weights that it is given."""
    name = read.symbols.name(call.func) or ""
    given = next((item.value for item in call.keywords if item.arg == "weights"), None)
    if given is not None:
        return name.startswith("keras.") and not read.values.is_none(given)
    # Models of this module have weights unless they are given none.
    return name.startswith("keras.applications.") and name.rpartition(".")[2][0].isupper()


def _tensors(call: ast.Call, read: Reading, origins: Origins) -> list[ast.expr]:
    """Return what a call hands to a layer or model of Keras, or makes a model of.

    What can be no tensor is left out.
    """
    values = (*call.args, *(item.value for item in call.keywords))
    given = [item for item in values if _may_hold_tensors(item)]
    if not given:
        return []
    name = read.symbols.name(call.func) or ""
    is_layer = name.startswith("keras.layers.") and name.rpartition(".")[2][0].islower()
    is_model = name.startswith("keras.") and name.endswith((".Model", ".Functional", ".Network"))
    method = call.func
    adds = (
        isinstance(method, ast.Attribute)
        and method.attr in _TAKE_TENSORS
        and made_by(method, ("keras.",), origins, read.callees) is not When.NEVER
    )
    if is_layer or is_model or adds:
        return given
    made = origins.of(method)
    if any(isinstance(item, ast.ClassDef) or _is_object(item) for item in made):
        return given
    # What is not known may be a layer, where it is handed the result of an operation.
    return [item for item in given if UNKNOWN in made and isinstance(item, ast.BinOp)]


def _may_hold_tensors(node: ast.expr) -> bool:
    """Tell whether an argument may have a tensor, by how it is written."""
    if isinstance(node, ast.List | ast.Tuple):
        return any(map(_may_hold_tensors, node.elts))
    return not isinstance(node, _NO_TENSORS)


def _is_object(origin: Origin) -> bool:
    """Tell whether an origin is that of an object of Keras, or of a list of such objects."""
    return isinstance(origin, str) and origin.startswith("keras.") and origin.endswith(("()", "[]"))


def _is_computed(node: ast.expr, origins: Origins) -> bool:
    """Tell whether an argument may have a tensor that an operation has made of others."""
    if isinstance(node, ast.List | ast.Tuple):
        return any(_is_computed(item, origins) for item in node.elts)
    return any(map(_is_of_operation, origins.of(node)))


def _is_of_operation(origin: Origin) -> bool:
    if isinstance(origin, ast.ClassDef) or origin.startswith("builtins."):
        return False
    maker = origin.partition("(")[0]
    is_source = maker.rpartition(".")[2] in _SOURCES
    if origin == UNKNOWN or (maker.startswith(_OPERATIONS) and not is_source):
        return True
    changed = ".__op__()" in origin or origin.endswith("[]")
    return origin.startswith("keras.") and changed
