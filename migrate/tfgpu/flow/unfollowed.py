"""Settings of a ConfigProto on objects that are not followed, or by names: they are only told."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator

from tfgpu.code.tree import Tree, last_name
from tfgpu.flow import reasons
from tfgpu.flow.reasons import Problem
from tfgpu.rulebook.book import Rulebook

# A part that nothing else has; other fields count on what is named like a config.
_PART = "gpu_options"
_NAMED = re.compile(r"config|proto", re.IGNORECASE)


def unfollowed_settings(
    tree: Tree, book: Rulebook, followed: Container[ast.AST]
) -> Iterator[Problem]:
    """Yield the settings that belong to no config; `followed` are those that do."""
    for first in dict.fromkeys(path.partition(".")[0] for path in book.fields):
        for part in tree.attributes.get(first, []):
            node, path = _whole(part, tree)
            is_set = isinstance(node.ctx, ast.Store) and path in book.fields
            if is_set and node not in followed and _is_like_config(part, tree):
                yield reasons.UnfollowedSetting(node, node)
    if any(f"{_PART}." in file.text for file in tree.files):
        for table in tree.nodes(ast.Dict):
            for key in table.keys:
                name = key.value if isinstance(key, ast.Constant) else None
                if isinstance(name, str) and name.startswith(f"{_PART}.") and name in book.fields:
                    assert key is not None
                    yield reasons.UnfollowedSetting(key, key)


def _whole(part: ast.Attribute, tree: Tree) -> tuple[ast.Attribute | ast.Subscript, str]:
    """Return the field, or item of a field, that an expression begins, and its path."""
    node: ast.Attribute | ast.Subscript = part
    path = part.attr
    while isinstance(parent := tree.parent[node], ast.Attribute):
        node, path = parent, f"{path}.{parent.attr}"
    if isinstance(parent, ast.Subscript) and parent.value is node:
        key = parent.slice.value if isinstance(parent.slice, ast.Constant) else None
        node, path = parent, f"{path}.{key!s}"
    return node, path


def _is_like_config(part: ast.Attribute, tree: Tree) -> bool:
    """Tell whether the object that has a field is likely to be a config: no class here has it."""
    owner = part.value
    name = last_name(owner)
    return part.attr == _PART or (
        bool(_NAMED.search(name))
        and not any(part.attr in tree.scope(item).bindings for item in _class_bodies(tree))
        and not any(
            isinstance(other.ctx, ast.Store)
            and isinstance(other.value, ast.Name)
            and other.value.id == "self"
            for other in tree.attributes[part.attr]
        )
    )


def _class_bodies(tree: Tree) -> Iterator[ast.stmt]:
    """Yield the first statement of every class."""
    return (node.body[0] for node in tree.nodes(ast.ClassDef))
