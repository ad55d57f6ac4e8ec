"""The value of a word of shell, where it is known without running it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfgpu.flow.strings import HOLE

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPED = re.compile(r"\\\n|\\(.)", re.DOTALL)
_ESCAPED_IN_STRING = re.compile(r"\\\n|\\([\\\"$`])")
# `${X:-0}`, `${X-0}` and `${X:=0}`, with a default that is no expansion itself.
_DEFAULT = re.compile(r"\$\{\w+:?[-=]([\"']?)([^${}`\"']*)\1\}")


def evaluate(node: Node) -> tuple[str | None, str | None]:
    """Return the value of a word, None if it depends on the run, and then its default."""
    text = (node.text or b"").decode("utf-8", "replace")
    if HOLE in text:
        return None, None
    if node.type in ("word", "number"):
        return _ESCAPED.sub(r"\1", text) if "\\" in text else text, None
    if node.type == "raw_string":
        return text[1:-1], None
    if node.type == "ansi_c_string":
        return (None if "\\" in text else text[2:-1]), None
    if node.type == "string":
        if all(child.type == "string_content" for child in node.named_children):
            return _ESCAPED_IN_STRING.sub(r"\1", text[1:-1]), None
        return None, default_of(text[1:-1])
    if node.type == "concatenation":
        parts = [evaluate(child)[0] for child in node.named_children]
        return ("".join(map(str, parts)) if None not in parts else None), None
    return None, default_of(text)


def default_of(text: str) -> str | None:
    """Return the default of a text that is nothing but `${X:-0}`."""
    found = _DEFAULT.fullmatch(text)
    return found[2] if found is not None else None
