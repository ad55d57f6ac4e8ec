"""Notes which statements of a change run, and which parts; checks assumptions in front of others.

A call is put in front of each when its file is compiled. AutoGraph, which reads the files of
functions, and not what was compiled, is given their marked code.

That costs nothing elsewhere, and works in every thread and in every version of Python. Lines keep
their numbers, since what is put in has the place of the statement.
"""

from __future__ import annotations

import ast
import builtins
import copy
import importlib
import importlib.machinery
import os
import sys
import threading
from collections.abc import Callable
from types import CodeType
from typing import Any

from .parts import is_dictionary, parts_of

_CALL = "__tfgpu_ran__"
_ASKED = "__tfgpu_asked__"
_TAKEN = "__tfgpu_taken__"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Marks:
    """The marked statements of a leg by path, and checks by path and line.

    A mark has the line and the column of a statement, and the number of its part, or 0.
    """

    def __init__(
        self,
        marks: dict[str, list[list[int]]],
        checks: dict[tuple[str, int], list[Callable[[Any], None]]],
        stream: Any,
        root: str,
    ) -> None:
        self._marks = {
            os.path.realpath(path): {(line, column, part) for line, column, part in found}
            for path, found in marks.items()
        }
        self._checks = checks
        self._stream = stream
        self._root = root
        self._ran: set[tuple[str, int, int, int]] = set()
        self._files = {*self._marks, *(path for path, _ in checks)}
        self._last_lines: dict[tuple[str, int], int] = {}  # of the heads of checked statements
        self.converted = Converted()
        if self._files:
            self._give_call()
            self._watch_imports()

    def _give_call(self) -> None:
        def ran(path: str, line: int, column: int, part: int, *values: Any) -> None:
            if not values or (type(values[0]) is type(values[1]) and values[0] == values[1]):
                self._note(path, line, column, part, sys._getframe(1))

        def asked(plain: dict[Any, Any], path: str, place: tuple[int, int], parts: Any) -> Any:
            return _Asked(plain).tell(dict(parts), lambda part: self._note(path, *place, part))

        def taken(
            path: str, place: tuple[int, int, int], at: Any, look: Any, *rest: Any, **named: Any
        ) -> Any:
            found = look(*rest, **named)
            default = rest[at] if isinstance(at, int) else named[at]
            if found is default or _is_like(found, default):
                self._note(path, *place)
            return found

        given: dict[str, Any] = {_CALL: ran, _ASKED: asked, _TAKEN: taken}
        for name, function in given.items():
            function.autograph_info__ = {}  # AutoGraph calls it as it is
            setattr(builtins, name, function)

    def _note(self, path: str, line: int, column: int, part: int, frame: Any = None) -> None:
        checks = () if part or frame is None else self._checks.get((path, line), ())
        if checks and os.path.realpath(frame.f_code.co_filename) == path:
            for check in checks:
                check(frame)
        place = (path, line, column, part)
        if place not in self._ran:
            self._ran.add(place)
            name = os.path.relpath(path, self._root)
            self._stream.write("ran", path=name, line=line, column=column, part=part)

    def compile(self, source: bytes, path: str) -> CodeType:
        """Compile a file, with its marks where it has some."""
        whole = os.path.realpath(path)
        if whole not in self._files:
            return compile(source, path, "exec", dont_inherit=True)
        self._stream.write("loaded", path=os.path.relpath(whole, self._root))
        tree = ast.parse(source, path)
        checked = {line for of, line in self._checks if of == whole}
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt) and node.lineno in checked:
                place = (whole, node.lineno)
                last = self._last_lines.get(place, 0)
                self._last_lines[place] = max(last, last_line_of_head(node))
        _Marker(whole, self._marks.get(whole, set()), checked).visit(tree)
        ast.fix_missing_locations(tree)
        self.converted.keep(whole, tree)
        return compile(tree, path, "exec", dont_inherit=True)

    def last_line(self, path: str, line: int) -> int:
        """Return the last line of what the statement on a checked line runs before its block."""
        return self._last_lines.get((path, line), line)

    def _watch_imports(self) -> None:
        loader: Any = importlib.machinery.SourceFileLoader
        get_code = loader.get_code

        def marked(this: Any, name: str) -> Any:
            path = this.get_filename(name)
            if os.path.realpath(path) in self._files:
                return self.compile(this.get_data(path), path)  # not what is in __pycache__
            return get_code(this, name)

        loader.get_code = marked
        # The main module of a child of multiprocessing is compiled there.
        runpy: Any = importlib.import_module("runpy")
        runpy.compile = self._compile_main

    def _compile_main(self, source: Any, path: Any, *rest: Any, **options: Any) -> CodeType:
        if os.path.realpath(path) in self._files:
            return self.compile(source, path)
        code: CodeType = compile(source, path, *rest, **options)
        return code

    def watch_script(self, path: str) -> None:
        """Note the statements of a script that Python itself compiles and runs.

        Only the first of a line is seen, and no parts.
        """
        whole = os.path.realpath(path) if path else ""
        marks = sorted(self._marks.get(whole, ()), reverse=True)
        lines = {line: 0 for of, line in self._checks if of == whole}
        lines.update({line: column for line, column, part in marks if not part})
        if not lines:
            return
        is_script = {path: True}  # an import of TensorFlow makes millions of calls

        def trace(frame: Any, event: str, argument: Any) -> Any:
            file = frame.f_code.co_filename
            if file not in is_script:
                is_script[file] = os.path.realpath(file) == whole
            if not is_script[file]:
                return None
            if event == "line" and frame.f_lineno in lines:
                self._note(whole, frame.f_lineno, lines[frame.f_lineno], 0, frame)
            return trace

        sys.settrace(trace)
        threading.settrace(trace)


class _Marker(ast.NodeTransformer):
    """Puts a call in front of marked statements and parts, and of those on checked lines."""

    def __init__(self, path: str, marks: set[tuple[int, int, int]], checked: set[int]) -> None:
        self._path = path
        self._marks = marks
        self._checked = checked
        self._marked_lines = checked | {line for line, _, _ in marks}

    def visit(self, node: Any) -> Any:
        self.generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, [each for one in block for each in self._marked(one)])
        return node

    def _marked(self, statement: Any) -> list[Any]:
        is_statement = isinstance(statement, ast.stmt)
        if not is_statement or statement.lineno not in self._marked_lines:
            return [statement]
        line, column = statement.lineno, statement.col_offset
        entries: dict[Any, list[tuple[Any, int]]] = {}
        for number, part in enumerate(parts_of(statement), 1):
            if (line, column, number) not in self._marks:
                continue
            if part.is_taken:
                self._take(part, (line, column, number))
                continue
            if is_dictionary(part.holder):
                entries.setdefault(part.holder, []).append((part.name, number))
                continue
            call = self._call(line, column, number)
            if isinstance(part.holder, ast.arguments):
                call.args += [ast.Name(part.name, ast.Load()), part.node]
                first = 1 if _is_text(statement.body[0]) else 0
                statement.body.insert(first, ast.copy_location(ast.Expr(call), statement.body[0]))
            else:
                noted = ast.BoolOp(ast.Or(), [call, part.node])
                part.replace(ast.copy_location(noted, part.node))
        if entries:
            _Entries(self._path, (line, column), entries).visit(statement)
        if (line, column, 0) not in self._marks and line not in self._checked:
            return [statement]
        if _is_text(statement) or _is_future(statement):
            return [statement]  # they stand first
        mark = ast.copy_location(ast.Expr(self._call(line, column, 0)), statement)
        return [statement, mark] if _is_directive(statement) else [mark, statement]

    def _take(self, part: Any, place: tuple[int, int, int]) -> None:
        """Let a call tell whether it gives its default."""
        call = part.holder
        at = part.index if part.field == "args" else call.keywords[part.index].arg
        told = map(_constant, (self._path, place, at))
        call.args = [*told, call.func, *call.args]
        call.func = ast.copy_location(ast.Name(_TAKEN, ast.Load()), call.func)

    def _call(self, *place: int) -> ast.Call:
        arguments = [_constant(self._path), *map(_constant, place)]
        return ast.Call(ast.Name(_CALL, ast.Load()), arguments, [])


class _Entries(ast.NodeTransformer):
    """Lets dictionaries tell which of some entries are asked for."""

    def __init__(self, path: str, place: tuple[int, int], entries: dict[Any, Any]) -> None:
        self._path, self._place, self._entries = path, place, entries

    def visit(self, node: Any) -> Any:
        """Put a call around a dictionary."""
        parts = self._entries.get(node)
        self.generic_visit(node)
        if parts is None:
            return node
        told = map(_constant, (self._path, self._place, parts))
        return ast.copy_location(ast.Call(ast.Name(_ASKED, ast.Load()), [node, *told], []), node)


class _Asked(dict):  # type: ignore[type-arg]  # it has no type arguments in Python 3.7
    """A dictionary that tells which of some entries are asked for; a copy tells nothing.

    Without these it is a plain one: libraries make others of its class (`tf.nest`).
    """

    def __init__(self, *plain: Any, **named: Any) -> None:
        super().__init__(*plain, **named)
        self._parts: dict[Any, int] = {}

    def tell(self, parts: dict[Any, int], note: Callable[[int], None]) -> _Asked:
        """Note from now on which of some entries are asked for."""
        self._parts, self._note = parts, note
        return self

    def _ask(self, *keys: Any) -> None:
        for key in keys:
            if key in self._parts:
                self._note(self._parts[key])

    def __getitem__(self, key: Any) -> Any:
        self._ask(key)
        return super().__getitem__(key)

    def get(self, key: Any, *rest: Any) -> Any:
        self._ask(key)
        return super().get(key, *rest)

    def pop(self, key: Any, *rest: Any) -> Any:
        self._ask(key)
        return super().pop(key, *rest)

    def items(self) -> Any:
        self._ask(*self._parts)
        return super().items()

    def values(self) -> Any:
        self._ask(*self._parts)
        return super().values()

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


def _is_like(found: Any, default: Any) -> bool:
    try:
        return type(found) is type(default) and bool(found == default)
    except Exception:  # arrays, and what else says nothing
        return False


def last_line_of_head(statement: ast.stmt) -> int:
    """Return the last line of what a statement runs before its block, or of one without a block."""
    blocks = [
        each
        for name in ("body", "orelse", "finalbody", "handlers", "cases")
        for each in getattr(statement, name, ())
    ]
    inner = {node for each in blocks for node in ast.walk(each)}
    lines = (getattr(node, "lineno", 0) for node in ast.walk(statement) if node not in inner)
    return max(lines)


def _is_text(statement: ast.stmt) -> bool:
    kind = type(getattr(statement, "value", None)).__name__
    return isinstance(statement, ast.Expr) and kind in ("Constant", "Str")


def _is_directive(statement: ast.stmt) -> bool:
    """Tell whether AutoGraph wants a statement to be the first of its loop."""
    call = getattr(statement, "value", None)
    function = getattr(call, "func", None)
    name = getattr(function, "attr", getattr(function, "id", ""))
    return isinstance(statement, ast.Expr) and name == "set_loop_options"


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _constant(value: Any) -> ast.expr:
    found: ast.expr = ast.parse(repr(value), mode="eval").body
    for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
        found.__dict__.pop(name, None)  # it stands where the call does
    return found


class Converted:
    """The functions of marked files, by path and place."""

    def __init__(self) -> None:
        self._functions: dict[tuple[str, int, int], Any] = {}

    def keep(self, path: str, tree: ast.AST) -> None:
        """Keep the functions of a file, which has its marks."""
        for node in ast.walk(tree):
            if isinstance(node, _FUNCTIONS):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                self._functions[path, first, -1] = node
            elif isinstance(node, ast.Lambda):
                self._functions[path, node.lineno, node.col_offset] = node

    def watch(self) -> None:
        """Let AutoGraph get what was kept; TensorFlow is there."""
        parser: Any = importlib.import_module("tensorflow.python.autograph.pyct.parser")
        parse = parser.parse_entity

        def parse_entity(entity: Any, future_features: Any) -> Any:
            node, source = parse(entity, future_features)
            return self._marked(entity, node, len(future_features)) or node, source

        parser.parse_entity = parse_entity

    def _marked(self, entity: Any, node: Any, added: int) -> Any:
        """Return the stand-in of a function; None if the function is not marked.

        `added` are the lines that the parser puts in front of a function.
        """
        code = getattr(entity, "__code__", None)
        if code is None or not self._functions:
            return None
        is_lambda = type(node).__name__ == "Lambda"
        first = code.co_firstlineno
        place = (os.path.realpath(code.co_filename), first, node.col_offset if is_lambda else -1)
        found = self._functions.get(place)
        if found is None:
            return None
        shifted = ast.increment_lineno(
            copy.deepcopy(found), -first if is_lambda else added + 1 - first
        )
        gast: Any = importlib.import_module("gast")
        return gast.ast_to_gast(shifted)
