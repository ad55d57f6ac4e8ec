"""Commands that a program starts, as shell: what of their text is known without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.dataclass import dataclass
from tfgpu.files.pattern import expression
from tfgpu.flow.strings import Strings

_STARTS = expression(
    r"os\.(system|popen|spawn\w+)|subprocess\.(run|call|check_call|check_output|Popen|getoutput"
    r"|getstatusoutput)|commands\.(getoutput|getstatusoutput)"
)


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
    strings = Strings(tree, symbols)
    for call, name in symbols.calls(tree):
        if not call.args or not _STARTS.fullmatch(name):
            continue
        node = strings.assigned(call.args[0])
        if isinstance(node, ast.List | ast.Tuple):
            words = [(strings.one(item), item) for item in node.elts]
            yield Started(node, tuple(words), is_shell=False)
            continue
        if isinstance(node, ast.Call) and last_name(node.func) == "split":
            # `shlex.split("...")`, or `"...".split()`.
            split = node.args[0] if node.args else getattr(node.func, "value", node)
            node = strings.assigned(split)
        exact = isinstance(node, ast.Constant) and _is_plain(node, tree)
        yield Started(node, ((strings.one(node), node),), is_shell=True, exact=exact)


def _is_plain(node: ast.Constant, tree: Tree) -> bool:
    """Tell whether a string is written on one line, without escapes and prefixes."""
    source = tree.source(node)
    return isinstance(node.value, str) and source[1:-1] == node.value
