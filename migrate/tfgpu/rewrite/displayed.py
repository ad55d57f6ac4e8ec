"""What the cells of a notebook show: no more behind a rewrite than before it.

IPython shows the value of a cell's last statement where that is an expression, unless a `;` ends
the cell. A statement that goes can leave another one last, and `;` is lost where one is rewritten.
"""

from __future__ import annotations

import ast
import io
import tokenize

from tfgpu.code.parse import parse
from tfgpu.files.notebook import Notebook
from tfgpu.files.python2 import Python2
from tfgpu.files.read import Module

_BLANK = frozenset([tokenize.ENDMARKER, tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT])
# What a migration writes begins so, and returns None.
_SETTERS = ("set_", "enable_", "disable_")


def shows_no_more(source: Module, new: str) -> str:
    """Return the new text of a file: in a notebook, no cell of it shows a value that it did not.

    Raises:
        SourceError: the cells cannot be told apart any more.
    """
    notebook = source.inner if isinstance(source, Python2) else source
    if not isinstance(notebook, Notebook):
        return new
    cells = zip(notebook.split(source.text), notebook.split(new), strict=True)
    return notebook.joined(
        [after if before == after else _hushed(before, after, notebook) for before, after in cells]
    )


def _hushed(before: str, after: str, notebook: Notebook) -> str:
    """Return the new text of a cell, with `;` or None behind a value that is new in its output."""
    try:
        old, new = parse(before).body, parse(after).body
    except SyntaxError:
        return after
    last = new[-1] if new else None
    if not isinstance(last, ast.Expr) or last.end_lineno is None or last.end_col_offset is None:
        return after
    said, text = [ast.unparse(one) for one in old], ast.unparse(last)
    if old and isinstance(old[-1], ast.Expr) and not _is_quiet(before):
        is_new = text in said[:-1] and text != said[-1]
    else:
        is_new = text in said or not _is_setter(last.value)
    lines = after.split("\n")
    if not is_new or _is_quiet(after):
        return after
    magic = notebook.magic_in(lines[last.lineno - 1])
    if magic is None:
        line = lines[last.end_lineno - 1].encode()
        line = line[: last.end_col_offset] + b";" + line[last.end_col_offset :]
        lines[last.end_lineno - 1] = line.decode()
    elif magic.startswith("%"):
        # Its line stays as it is, and `%%time` alone is an error.
        lines.insert(last.end_lineno, "None")
    return "\n".join(lines)


def _is_setter(value: ast.expr) -> bool:
    """Tell whether an expression is a call as a migration writes it, which returns None."""
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr.startswith(_SETTERS)
    )


def _is_quiet(cell: str) -> bool:
    """Tell whether the last token of a cell is `;`, as IPython asks."""
    tokens = [
        token.string
        for token in tokenize.generate_tokens(io.StringIO(cell).readline)
        if token.type not in _BLANK
    ]
    return tokens[-1:] == [";"]
