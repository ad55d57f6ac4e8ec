"""Dotted expressions, such as `tf.compat.v1.Session`, and their parts."""

from __future__ import annotations

import ast

from tfgpu.code.tree import Tree


def base_of(node: ast.expr) -> ast.expr:
    """Return what an expression starts with: `tf`, or a call."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def split_name(node: ast.expr) -> tuple[ast.Name | None, str]:
    """Return the name that a dotted expression starts with, and the rest with its dots."""
    if isinstance(node, ast.Name):
        return node, ""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    attributes.append("")
    tail = ".".join(reversed(attributes))
    return (node if isinstance(node, ast.Name) else None), tail


def whole_of(node: ast.expr, tree: Tree) -> ast.expr:
    """Return the whole expression that a name, or a part, starts."""
    while isinstance(parent := tree.parent[node], ast.Attribute):
        node = parent
    return node


def tail_of(node: ast.expr, tree: Tree) -> str:
    """Return the attributes that are taken of an expression, with their dots."""
    tail = ""
    while isinstance(parent := tree.parent[node], ast.Attribute):
        tail += f".{parent.attr}"
        node = parent
    return tail
