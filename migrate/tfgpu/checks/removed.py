"""Uses of names that TensorFlow has removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.checks.report import Report
from tfgpu.code.canonical import canonical
from tfgpu.code.dotted import whole_of
from tfgpu.flow.collect import Analysis
from tfgpu.flow.modern import asks_for_version
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Removed

# tf.contrib has a rule of its own.
_CONTRIB = "tf.contrib"


def removed_names(analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    """Find, for each file and each removed name, the first use."""
    for tree in analysis.tree.files:
        here = analysis.of(tree)
        for removed in book.removed_names:
            if not removed.name.startswith(_CONTRIB):
                uses = _uses(removed, here, book)
                first = min(uses, key=tree.position, default=None)
                if first is not None:
                    details = {
                        "name": removed.name.replace("keras.", "tf.keras.", 1),
                        "since": removed.since,
                        "instead": removed.instead,
                    }
                    yield Report("removed-name", first, details)


def _uses(removed: Removed, analysis: Analysis, book: Rulebook) -> Iterator[ast.AST]:
    """Yield where a name, or one below it, is used; calls that a rule of their own has, not."""
    tree, symbols = analysis.tree, analysis.symbols
    for item in tree.imports:
        is_below = f"{canonical(item.path)}.".startswith(f"{removed.name}.")
        if is_below and _is_tensorflow(item.path) and not asks_for_version(item.statement, tree):
            yield item.alias
    for node in tree.attributes.get(removed.name.rpartition(".")[2], []):
        paths = symbols.paths(node)
        if symbols.name(node) != removed.name or not all(map(_is_tensorflow, paths)):
            continue
        whole = whole_of(node, tree)
        is_told = symbols.name(whole) in book.sinks or symbols.name(whole) in book.calls
        if not is_told and not asks_for_version(node, tree):
            yield node


def _is_tensorflow(path: str) -> bool:
    """Tell whether a path is one of TensorFlow's own: Keras by itself still has such names."""
    return path.startswith("tensorflow.") and not path.startswith("tensorflow.python.")
