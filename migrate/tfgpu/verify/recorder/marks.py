"""Notes which statements of a change run, and checks assumptions in front of others.

A call is put in front of each when its file is compiled.

That costs nothing elsewhere, and works in every thread and in every version of Python. Lines keep
their numbers, since what is put in has the place of the statement.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import os
import sys
import threading
from collections.abc import Callable
from types import CodeType
from typing import Any

_CALL = "__tfgpu_ran__"


class Marks:
    """The marked statements of a leg: lines by path, and checks by path and line."""

    def __init__(
        self,
        lines: dict[str, list[int]],
        checks: dict[tuple[str, int], list[Callable[[Any], None]]],
        stream: Any,
        root: str,
    ) -> None:
        self._lines = {os.path.realpath(path): set(found) for path, found in lines.items()}
        self._checks = checks
        for path, line in checks:
            self._lines.setdefault(path, set()).add(line)
        self._stream = stream
        self._root = root
        self._ran: set[tuple[str, int]] = set()
        if self._lines:
            setattr(builtins, _CALL, self._note)
            self._watch_imports()

    def _note(self, path: str, line: int) -> None:
        for check in self._checks.get((path, line), ()):
            check(sys._getframe(1))
        if (path, line) not in self._ran:
            self._ran.add((path, line))
            self._stream.write("ran", path=os.path.relpath(path, self._root), line=line)

    def compile(self, source: bytes, path: str) -> CodeType:
        """Compile a file, with its marks where it has some."""
        whole = os.path.realpath(path)
        if whole not in self._lines:
            return compile(source, path, "exec", dont_inherit=True)
        self._stream.write("loaded", path=os.path.relpath(whole, self._root))
        tree = ast.parse(source, path)
        _Marker(whole, self._lines[whole]).visit(tree)
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def _watch_imports(self) -> None:
        loader: Any = importlib.machinery.SourceFileLoader
        get_code = loader.get_code

        def marked(this: Any, name: str) -> Any:
            path = this.get_filename(name)
            if os.path.realpath(path) in self._lines:
                return self.compile(this.get_data(path), path)  # not what is in __pycache__
            return get_code(this, name)

        loader.get_code = marked
        # The main module of a child of multiprocessing is compiled there.
        runpy: Any = importlib.import_module("runpy")
        runpy.compile = self._compile_main

    def _compile_main(self, source: Any, path: Any, *rest: Any, **options: Any) -> CodeType:
        if os.path.realpath(path) in self._lines:
            return self.compile(source, path)
        code: CodeType = compile(source, path, *rest, **options)
        return code

    def watch_script(self, path: str) -> None:
        """Note the lines of a script that Python itself compiles and runs."""
        whole = os.path.realpath(path) if path else ""
        lines = self._lines.get(whole)
        if not lines:
            return

        def trace(frame: Any, event: str, argument: Any) -> Any:
            if frame.f_code.co_filename != path and os.path.realpath(frame.f_code.co_filename) != (
                whole
            ):
                return None
            if event == "line" and frame.f_lineno in lines:
                self._note(whole, frame.f_lineno)
            return trace

        sys.settrace(trace)
        threading.settrace(trace)


class _Marker(ast.NodeTransformer):
    def __init__(self, path: str, lines: set[int]) -> None:
        self._path = path
        self._lines = lines

    def visit(self, node: Any) -> Any:
        self.generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, [each for one in block for each in self._marked(one)])
        return node

    def _marked(self, statement: Any) -> list[Any]:
        if not isinstance(statement, ast.stmt) or statement.lineno not in self._lines:
            return [statement]
        is_text = type(getattr(statement, "value", None)).__name__ in ("Constant", "Str")
        if (isinstance(statement, ast.Expr) and is_text) or _is_future(statement):
            return [statement]  # they stand first
        arguments: list[ast.expr] = [_constant(self._path), _constant(statement.lineno)]
        call = ast.Call(ast.Name(_CALL, ast.Load()), arguments, [])
        mark = ast.copy_location(ast.Expr(call), statement)
        return [mark, statement]


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _constant(value: Any) -> ast.expr:
    found: ast.expr = ast.parse(repr(value), mode="eval").body
    return found
