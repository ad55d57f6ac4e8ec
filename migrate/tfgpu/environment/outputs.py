"""Where a command of a shell script writes to: a file, a pipe, or the terminal; its heredocs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_TAKES = frozenset(
    ["redirected_statement", "pipeline", "command_substitution", "process_substitution"]
)
# What all commands inside of write to where it is redirected itself.
_GROUPS = frozenset(
    ["compound_statement", "subshell", "list", "do_group", "for_statement", "c_style_for_statement",
     "while_statement", "if_statement", "elif_clause", "else_clause", "case_statement", "case_item"]
)  # fmt: skip
_WRITES = frozenset([">", ">>", ">|", "&>", "&>>"])


def is_shown(node: Node) -> bool:
    """Tell whether what a command prints is for people: no file, pipe or variable takes it."""
    around = node.parent
    while around is not None and around.type not in _TAKES:
        around = around.parent
    return around is None


def output_of(node: Node) -> str:
    """Return the file that takes what a command prints, as it is written; nothing for none."""
    inner, around = node, node.parent
    while around is not None:
        if around.type == "redirected_statement":
            found = [_text(item) for item in _files(around)]
            if found:
                return found[-1]
        elif around.type == "pipeline":
            last = around.named_children[-1]
            if last.id != inner.id:
                return _of_tee(last)
        elif around.type not in _GROUPS:
            return ""
        inner, around = around, around.parent
    return ""


def heredocs_of(node: Node) -> Iterator[Node]:
    """Yield the bodies of the heredocs that a command reads."""
    parent = node.parent
    if parent is not None and parent.type == "redirected_statement":
        for item in _redirects(parent):
            for child in item.named_children:
                if child.type == "heredoc_body":
                    yield child


def _files(statement: Node) -> Iterator[Node]:
    for item in _redirects(statement):
        descriptor = item.child_by_field_name("descriptor")
        destination = item.child_by_field_name("destination")
        is_output = any(child.type in _WRITES for child in item.children)
        if is_output and destination is not None and _text(descriptor) in ("", "1"):
            yield destination


def _redirects(statement: Node) -> Iterator[Node]:
    """Yield the redirections of a statement, those behind the mark of a heredoc, too."""
    waiting = list(statement.children_by_field_name("redirect"))
    while waiting:
        item = waiting.pop(0)
        waiting += item.children_by_field_name("redirect")
        yield item


def _of_tee(command: Node) -> str:
    """Return the file that `tee -a FILE` writes, nothing of another command."""
    words = [_text(word) for word in command.named_children]
    if command.type != "command" or words[:1] != ["tee"]:
        return ""
    return next((word for word in words[1:] if not word.startswith("-")), "")


def _text(node: Node | None) -> str:
    return "" if node is None else (node.text or b"").decode("utf-8", "replace")
