"""One thing that a program does, and its name in words."""

from __future__ import annotations

import ast

from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """One thing that a program does: the node that does it, and its name in words.

    With `in_session` it runs in a session, which has to be made first.
    """

    node: ast.AST
    name: str
    in_session: bool = False


def text_of(node: ast.AST, tree: Tree) -> str:
    """Return what is called, or else run, in words that fit into a message."""
    whole = node.func if isinstance(node, ast.Call) else node
    text = tree.source(whole) if isinstance(whole, ast.expr) else ast.unparse(whole)
    if len(text) < 50:
        return text
    if isinstance(whole, ast.Import | ast.ImportFrom):
        named = getattr(whole, "module", None) or whole.names[0].name
        return f"import of {named}"
    return whole.attr if isinstance(whole, ast.Attribute) else "the call"
