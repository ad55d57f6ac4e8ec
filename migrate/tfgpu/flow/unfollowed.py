"""Settings of a ConfigProto on objects that are not followed, or by names: they are only told."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator

from tfgpu.code.tree import Tree, last_name
from tfgpu.files.pattern import expression
from tfgpu.flow import reasons
from tfgpu.flow.reasons import Problem
from tfgpu.rulebook.book import Rulebook

# A part that nothing else has; other fields count on what is named like a config.
_PART = "gpu_options"
_NAMED = expression(r"config|proto", re.IGNORECASE)
_OPTIONS = expression(r"opt(?:ion)?s$", re.IGNORECASE)
# Fields whose names nothing else has.
FIELDS = frozenset(
    ["allow_growth", "per_process_gpu_memory_fraction", "visible_device_list",
     "allow_soft_placement", "log_device_placement", "intra_op_parallelism_threads",
     "inter_op_parallelism_threads"]
)  # fmt: skip


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
    yield from _of_options(tree, book, followed)
    yield from _by_name(tree, followed)
    if any(f"{_PART}." in file.text for file in tree.files):
        for table in tree.nodes(ast.Dict):
            for key in table.keys:
                name = key.value if isinstance(key, ast.Constant) else None
                if isinstance(name, str) and name.startswith(f"{_PART}.") and name in book.fields:
                    assert key is not None
                    yield reasons.UnfollowedSetting(key, key)


def _of_options(tree: Tree, book: Rulebook, followed: Container[ast.AST]) -> Iterator[Problem]:
    """Yield the settings of a part of a config by itself: `options.allow_growth = True`."""
    for name in sorted(FIELDS & tree.attributes.keys()):
        for node in tree.attributes[name] if f"{_PART}.{name}" in book.fields else ():
            is_set = isinstance(node.ctx, ast.Store) and node not in followed
            is_part = last_name(node.value) != _PART or isinstance(node.value, ast.Name)
            if is_set and is_part and _is_options(node.value, node, tree):
                yield reasons.UnfollowedSetting(node, node)


def _by_name(tree: Tree, followed: Container[ast.AST]) -> Iterator[Problem]:
    """Yield the fields that are set by their names: `setattr(options, "allow_growth", True)`."""
    for call in tree.calls:
        if last_name(call.func) not in ("setattr", "__setattr__") or call in followed:
            continue
        owner = call.func.value if isinstance(call.func, ast.Attribute) else call.args[:1]
        owner = owner[0] if isinstance(owner, list) and owner else owner
        names = [item.value for item in call.args if isinstance(item, ast.Constant)]
        is_field = any(isinstance(name, str) and name in FIELDS for name in names[:1])
        if is_field and isinstance(owner, ast.expr) and _is_filled(owner):
            yield reasons.UnfollowedSetting(call, call)


def _is_options(owner: ast.expr, field: ast.Attribute, tree: Tree) -> bool:
    """Tell whether an object is likely to be the options of GPUs: by its name, or how it is got."""
    if not isinstance(owner, ast.Name | ast.Attribute):
        return _PART in ast.unparse(owner)
    return bool(_OPTIONS.search(last_name(owner))) and not _is_own(field, tree)


def _is_filled(owner: ast.expr) -> bool:
    """Tell whether an object whose field is set by its name is likely to be a config or a part."""
    name = last_name(owner)
    return bool(_NAMED.search(name) or _OPTIONS.search(name)) or _PART in ast.unparse(owner)


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
    return part.attr == _PART or (bool(_NAMED.search(name)) and not _is_own(part, tree))


def _is_own(part: ast.Attribute, tree: Tree) -> bool:
    """Tell whether a class of the files has an attribute of that name."""
    return any(part.attr in tree.scope(item).bindings for item in _class_bodies(tree)) or any(
        isinstance(other.ctx, ast.Store)
        and isinstance(other.value, ast.Name)
        and other.value.id == "self"
        for other in tree.attributes[part.attr]
    )


def _class_bodies(tree: Tree) -> Iterator[ast.stmt]:
    """Yield the first statement of every class."""
    return (node.body[0] for node in tree.nodes(ast.ClassDef))
