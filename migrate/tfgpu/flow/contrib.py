"""Uses of `tf.contrib`, which TensorFlow 2 does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.dotted import tail_of
from tfgpu.flow.collect import Analysis

_CONTRIB = "tensorflow.contrib"


def contrib_uses(analysis: Analysis) -> list[tuple[ast.AST, list[str]]]:
    """Return, for each file that uses it, the first place and the names below `tf.contrib`."""
    found = []
    for tree in analysis.tree.files:
        uses = sorted(_uses(analysis.of(tree)), key=lambda use: tree.position(use[0]))
        if uses:
            found.append((uses[0][0], list(dict.fromkeys(name for _, name in uses if name))))
    return found


def _uses(analysis: Analysis) -> Iterator[tuple[ast.AST, str]]:
    tree = analysis.tree
    for item in tree.imports:
        if item.path.startswith(f"{_CONTRIB}."):
            yield item.alias, item.path[len(_CONTRIB) + 1 :]
    for node in tree.attributes.get("contrib", []):
        if _CONTRIB in analysis.symbols.paths(node):
            yield node, tail_of(node, tree)[1:]
