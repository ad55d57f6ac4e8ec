"""Make a graph with a function of `tf`, and with that of `tf.compat.v1`; say whether they differ.

Reads lines of `name(arguments)` from standard input and writes, for each, "same" or what differs.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

tensorflow: Any = importlib.import_module("tensorflow")
tf: Any = importlib.import_module("tensorflow.compat.v1")
tf.disable_v2_behavior()


def described(value: Any) -> Any:
    """Return what a function returned, as text: structures of names and shapes."""
    if isinstance(value, tf.Operation):  # or what warns where it is not used
        return f"operation {value.name}"
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(described, value)]
    return f"{type(value).__name__} {value}" if not hasattr(value, "__enter__") else "context"


def graph(module: Any, call: str, shapes: bool) -> str:
    """Return the graph that a call makes, with what it returns or raises.

    `shapes` tells that tensors have known shapes.
    """
    name, _, arguments = call.partition("(")
    function: Callable[..., Any] = module
    for part in name.split("."):
        function = getattr(function, part)

    def tensor(kind: Any, *shape: int) -> Any:
        return tf.placeholder(kind, shape if shapes else None)

    with tf.Graph().as_default() as made:
        names = {
            "tf": tf,
            "x": tensor(tf.float32, 2, 3),
            "y": tensor(tf.float32, 2, 3),
            "n": tensor(tf.int32, 2),
            "one": tensor(tf.int32),
            "image": tensor(tf.float32, 1, 8, 8, 4),
            "line": tensor(tf.float32, 1, 8, 4),
            "volume": tensor(tf.float32, 1, 8, 8, 8, 4),
            "yes": tensor(tf.bool, 2, 3),
            "text": tensor(tf.string, 2),
            "sparse": tf.SparseTensor([[0, 0]], [1.0], [2, 2]),
            "f": function,
        }
        try:
            value = eval(f"f({arguments}", names)
            if hasattr(value, "__enter__"):
                with value as entered:
                    value = [entered, tf.add(names["x"], 1)]
        except Exception as error:  # the other may fail, too
            return f"{made.as_graph_def()} {type(error).__name__}"
        return f"{made.as_graph_def()} {described(value)}"


for line in sys.stdin.read().splitlines():
    pairs = [(graph(tensorflow, line, shapes), graph(tf, line, shapes)) for shapes in (True, False)]
    unlike = next(((one, other) for one, other in pairs if one != other), None)
    failed = pairs[0][0].endswith("Error")
    print("fails" if failed else "same" if unlike is None else f"{unlike}".replace("\n", " "))
