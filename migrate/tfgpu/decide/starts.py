"""Calls that certainly initialise the GPUs, so that tf.config raises or is ignored after them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass
from tfgpu.flow.collect import Analysis
from tfgpu.program.raw import GRAPH_MODE, uses_tensorflow1
from tfgpu.rulebook.book import Rulebook

_BUILDS_GRAPHS = GRAPH_MODE | {"keras.backend.set_session"}


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """A call that initialises the GPUs.

    `silent` tells that it does so beside TensorFlow 2's runtime: settings after it raise nothing.
    """

    call: ast.Call
    silent: bool


def called(call: ast.Call) -> str:
    """Return what is called, in words: of `Dense(1)(inputs)` the layer."""
    func = call.func
    return ast.unparse(func.func if isinstance(func, ast.Call) else func)


def starts(analysis: Analysis, book: Rulebook) -> Iterator[Start]:
    """Yield the calls of some files that certainly initialise the GPUs, in order."""
    graphs: dict[Tree, bool] = {}
    for call, name in analysis.symbols.calls(analysis.tree):
        if name in book.silent_starts:
            if not is_elsewhere(call, analysis):
                yield Start(call, silent=True)
        elif name in book.starts_eager and not is_elsewhere(call, analysis):
            tree = analysis.tree.file(call)
            always = name in book.starts_runtime.names
            if not always and tree not in graphs:
                graphs[tree] = is_graph_mode(analysis.of(tree), book)
            if always or not graphs[tree]:
                yield Start(call, silent=False)


def is_graph_mode(analysis: Analysis, book: Rulebook) -> bool:
    """Tell whether a file may build graphs, in which operations initialise nothing."""
    symbols, tree = analysis.symbols, analysis.tree
    return (
        any(item.path.startswith("tensorflow.compat.v1") for item in tree.imports)
        or any(name in _BUILDS_GRAPHS for _, name in symbols.calls(tree))
        or uses_tensorflow1(tree, symbols, book)
    )


def is_elsewhere(call: ast.Call, analysis: Analysis) -> bool:
    """Tell whether a call is in a graph (`with Graph()`), or in code that runs elsewhere."""
    for around in analysis.tree.within(call):
        if isinstance(around, ast.Lambda):
            return True
        if isinstance(around, ast.With) and any(
            "Graph" in ast.unparse(item.context_expr)
            for item in around.items
            if call not in set(ast.walk(item.context_expr))
        ):
            return True
        if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef) and around.decorator_list:
            return True
    return False
