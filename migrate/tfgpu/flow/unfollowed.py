"""Settings of a ConfigProto on objects that are not followed, or by names: they are only told."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from tfgpu.code.tree import Tree
from tfgpu.flow.facts import Problem
from tfgpu.rulebook.book import Rulebook

_PART = "gpu_options"
REASON = "unfollowed-setting"


def unfollowed_settings(
    tree: Tree, book: Rulebook, followed: Container[ast.AST]
) -> Iterator[Problem]:
    """Yield the settings of GPU options that belong to no config; `followed` are those that do."""
    for part in tree.attributes.get(_PART, []):
        node: ast.Attribute = part
        path = _PART
        parent: ast.AST = tree.parent[node]
        while isinstance(parent, ast.Attribute):
            node, path = parent, f"{path}.{parent.attr}"
            parent = tree.parent[node]
        is_set = isinstance(node.ctx, ast.Store) and path in book.fields
        if is_set and node not in followed and part is not node:
            yield Problem(REASON, node, {"text": tree.source(node)})
    if any(f"{_PART}." in file.text for file in tree.files):
        for table in tree.parent:
            for key in table.keys if isinstance(table, ast.Dict) else ():
                name = key.value if isinstance(key, ast.Constant) else None
                if isinstance(name, str) and name.startswith(f"{_PART}.") and name in book.fields:
                    assert key is not None
                    yield Problem(REASON, key, {"text": tree.source(key)})
