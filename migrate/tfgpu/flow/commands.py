"""Commands that a program starts, as shell: what of their text is known without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.dataclass import dataclass

# Stands in the text of a command for what only the run tells; no file has it.
HOLE = "\ue000"
_STARTS = re.compile(
    r"os\.(system|popen|spawn\w+)|subprocess\.(run|call|check_call|check_output|Popen|getoutput"
    r"|getstatusoutput)|commands\.(getoutput|getstatusoutput)"
)
_PERCENT = re.compile(r"%(\(\w+\))?[-#0 +]*\d*(\.\d+)?[a-zA-Z]|%%")
_BRACES = re.compile(r"\{\{|\}\}|\{[^{}]*\}")


@dataclass(frozen=True, slots=True, eq=False)
class Started:
    """A command that is started: its text as shell, or its words, and where each of them stands.

    `exact` tells that the one text is in the file as it is, after the opening quote.
    """

    node: ast.expr
    words: tuple[tuple[str, ast.expr], ...]
    is_shell: bool
    exact: bool = False


def started_commands(tree: Tree, symbols: Symbols) -> Iterator[Started]:
    """Yield the commands that some files start."""
    for call, name in symbols.calls(tree):
        if not call.args or not _STARTS.fullmatch(name):
            continue
        node = _assigned(call.args[0], symbols)
        if isinstance(node, ast.List | ast.Tuple):
            words = [(_text(_assigned(item, symbols)), item) for item in node.elts]
            yield Started(node, tuple(words), is_shell=False)
            continue
        if isinstance(node, ast.Call) and last_name(node.func) == "split":
            # `shlex.split("...")`, or `"...".split()`.
            split = node.args[0] if node.args else getattr(node.func, "value", node)
            node = _assigned(split, symbols)
        exact = isinstance(node, ast.Constant) and _is_plain(node, tree)
        yield Started(node, ((_text(node), node),), is_shell=True, exact=exact)


def _assigned(node: ast.expr, symbols: Symbols) -> ast.expr:
    """Return what a name is assigned, where that is one thing."""
    if isinstance(node, ast.Name):
        variable = symbols.variable(node)
        bindings = variable[0].bindings[variable[1]] if variable is not None else []
        if len(bindings) == 1 and bindings[0].value is not None:
            return bindings[0].value
    return node


def _is_plain(node: ast.Constant, tree: Tree) -> bool:
    """Tell whether a string is written on one line, without escapes and prefixes."""
    source = tree.source(node)
    return isinstance(node.value, str) and source[1:-1] == node.value


def _text(node: ast.expr) -> str:
    """Return the text of an expression, with holes."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            _text(part) if isinstance(part, ast.Constant) else HOLE for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left) + _text(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _PERCENT.sub(lambda found: "%" if found[0] == "%%" else HOLE, _text(node.left))
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "format"
    ):
        return _BRACES.sub(
            lambda found: found[0][0] if found[0] in ("{{", "}}") else HOLE,
            _text(node.func.value),
        )
    return HOLE
