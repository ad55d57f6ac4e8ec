"""Finds the single numbers that a graph has as constants: rates, thresholds, numbers of steps.

Small whole numbers are left out: most are axes and sizes, which two spellings of one thing may have
otherwise.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

_SMALL = 10
# The types of numbers of `types.proto`: floats and whole ones.
_FLOATS = (1, 2, 14, 19)
_WHOLE = (3, 4, 5, 6, 9, 17, 22, 23)


def of_session(graph: Any, most: int) -> list[str]:
    """Return the constants of a session's graph, as far as its first operations go."""
    return sorted(
        text
        for one in graph.get_operations()[:most]
        if one.type == "Const" and one.outputs[0].shape.ndims == 0
        for text in _texts(one.get_attr("value"))
    )


def of_function(graph: Any) -> list[str]:
    """Return the constants of a function and of those that it calls."""
    definition = graph.as_graph_def()
    nodes = [
        *definition.node,
        *(one for each in definition.library.function for one in each.node_def),
    ]
    return sorted(
        text for one in nodes if one.op == "Const" for text in _texts(one.attr["value"].tensor)
    )


def _texts(tensor: Any) -> Iterator[str]:
    """Yield the text of a number."""
    if tensor.tensor_shape.dim or tensor.dtype not in (*_FLOATS, *_WHOLE):
        return
    util: Any = importlib.import_module("tensorflow.python.framework.tensor_util")
    value = util.MakeNdarray(tensor).item()
    if tensor.dtype in _FLOATS or abs(value) >= _SMALL:
        yield f"{value:.6g}"
