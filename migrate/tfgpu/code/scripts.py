"""Which files are run as scripts: the one answer, for whoever groups files and orders code.

A file that no other one imports is a script, of which `does_something` tells whether a run of it
does more than to define things. Of a file that others import `may_be_run` tells whether it may be a
script as well. It reads the text, so that files that do not parse have the same answer.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from tfgpu.files.pattern import expression

if TYPE_CHECKING:
    from tfgpu.code.tree import Tree

# A statement of a module that is a call, one that makes a session, and what a module defines: the
# name and the lines of it. What is left of a module without these and its comments runs at once.
_TOP_CALL = expression(rb"^([A-Za-z_]\w*)(?:\.[\w.]*)?\(", re.M)
_TOP_SESSION = expression(rb"^(?!def\b|class\b|from\b|import\b|#)\S.*Session\(", re.M)
_DEFINED = expression(
    rb"^(?:@.*\n){0,20}(?:async[ \t]+)?(?:def|class)[ \t]+(\w+).*\n(?:(?:[ \t\r)\]}#].*)?\n)*", re.M
)
_COMMENT = expression(rb"#.*|^(?:\"\"\"(?s:.*?)\"\"\"|'''(?s:.*?)''')", re.M)
_CALL = expression(rb"(?<![\w.])([A-Za-z_]\w*)(?:\.[\w.]*)?\(")
_FROM = expression(
    rb"^[ \t]*from[ \t]+(?:[\w.]*\.)?(\w+)[ \t]+import[ \t]+(\([^)]{0,2000}\)|.*)", re.M
)
_WORD = expression(rb"\w+")
_SESSION = expression(rb"Session\(|Supervisor\(")
_TEST_MODULE = expression(r"(?:^|[/\\])(?:test_[^/\\]*|[^/\\]*_test|conftest)\.py$")
# Calls of modules that do nothing else.
_SET_UP = frozenset(["set_verbosity", "filterwarnings", "simplefilter", "basicConfig"])


def may_be_run(code: bytes, imported: Callable[[], Iterable[tuple[str, bytes]]]) -> bool:
    """Tell whether a file may be run though others import it.

    It has a part for that, or makes a session, or calls its own code or that of a file that it has
    `imported` (paths and codes), when it is imported. A call of which the value is kept defines
    something, as a rule: it counts where what is called makes a session.
    """
    if (b"__main__" in code and b"__name__" in code) or _TOP_SESSION.search(code):
        return True
    code += b"\n"
    own = {match[1]: match[0] for match in _DEFINED.finditer(code)}
    top = _COMMENT.sub(b"", _DEFINED.sub(b"", code))
    called = {match[1] for match in _CALL.finditer(top)}
    if not called:
        return False
    files = {os.fsencode(PurePath(path).stem): text for path, text in imported()}
    stated = {match[1] for match in _TOP_CALL.finditer(top)}
    if not (stated.isdisjoint(own) and stated.isdisjoint(files)):
        return True
    return not called.isdisjoint(_makers(own, top, files))


def _makers(own: Mapping[bytes, bytes], top: bytes, files: Mapping[bytes, bytes]) -> set[bytes]:
    """Return the names in a file of what makes a session: of modules, functions and classes."""
    found = {name for name, text in files.items() if _SESSION.search(text)}
    for match in _FROM.finditer(top):
        if match[1] in found:
            found.update(_WORD.findall(match[2]))
    found.update(name for name, text in own.items() if _SESSION.search(text))
    users: dict[bytes, list[bytes]] = {}
    for name, text in own.items():
        for word in set(_WORD.findall(text)):
            users.setdefault(word, []).append(name)
    waiting = [*found]
    while waiting:
        more = {*users.get(waiting.pop(), ())} - found
        found |= more
        waiting += more
    return found


@lru_cache(maxsize=4096)
def is_test_module(path: str) -> bool:
    """Tell whether pytest imports a file, into one process with others."""
    return _TEST_MODULE.search(path) is not None


def does_something(statement: ast.stmt) -> bool:
    """Tell whether a statement of a module does more than to define, import, assign or set up."""
    if isinstance(
        statement,
        ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
        | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete | ast.Assert | ast.Pass,
    ):  # fmt: skip
        return False
    if isinstance(statement, ast.Try):
        return any(map(does_something, statement.body))
    if isinstance(statement, ast.If) and not is_main_guard(statement):
        return any(map(does_something, [*statement.body, *statement.orelse]))
    if not isinstance(statement, ast.Expr):
        return True
    return not (isinstance(statement.value, ast.Constant) or _sets_up(statement.value))


def _sets_up(value: ast.expr) -> bool:
    """Tell whether a call sets up Python or TensorFlow, as modules that others import do, too."""
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
        return False
    name, owner = value.func.attr, value.func.value
    is_path = isinstance(owner, ast.Attribute) and owner.attr == "path"
    return (
        name.startswith(("disable_", "enable_"))
        or name in _SET_UP
        or (is_path and name in ("append", "insert"))
    )


def runs_as_script_only(node: ast.AST, tree: Tree) -> bool:
    """Tell whether a node of a file runs where that is started, and not where it is imported."""
    return any(
        isinstance(around, ast.If) and is_main_guard(around) and part == "body"
        for around, part in tree.guards(node)
    )


def is_main_guard(statement: ast.stmt) -> bool:
    """Tell whether a statement is `if __name__ == ...:`."""
    return (
        isinstance(statement, ast.If)
        and isinstance(statement.test, ast.Compare)
        and isinstance(statement.test.left, ast.Name)
        and statement.test.left.id == "__name__"
        and isinstance(statement.test.ops[0], ast.Eq)
    )
