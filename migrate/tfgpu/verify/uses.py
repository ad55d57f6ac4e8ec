"""Which statements use what the statements of a change set, and what a program is told.

A run that stops early may have executed all that was changed, and nothing that it acts on:
`DEVICE = "/gpu:1"` at the top, and the operations that are put there in a function that is called
later. Names are followed by their scopes, attributes by their names alone. Not followed are
sessions, imports, functions and classes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tfgpu.code.tree import last_name
from tfgpu.verify.changed import (
    MOST_GUARDS,
    Statement,
    all_statements,
    decided_by,
    guard_of,
    own_nodes,
)
from tfgpu.verify.inputs import definitions, placed
from tfgpu.verify.lists import grouped
from tfgpu.verify.recorder.parts import Part, parts_of

_SESSION = re.compile(r"[sS]ession\w*$")
_MODULE = ""
_NOT_FOLLOWED = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

# A name in a file and a function of it ("" for the module's), or an attribute anywhere.
_Name = tuple[Path, str, str]
_Place = tuple[Path, int, int]
_ATTRIBUTE = (Path(), ".")


def uses_of_values(
    statements: Sequence[Statement],
    modules: Mapping[Path, ast.Module],
    others: Mapping[Path, ast.Module],
) -> list[Statement]:
    """Return the statements of a change and those that read plain values that it sets.

    A value such as `DEVICE = "/gpu:1"` does nothing where it stands, nor does an option. Of a
    condition that reads one so is the first statement of each block that it decides about, and of
    a statement each part that reads one, such as an arm of a conditional expression.
    `others` are the files of the other program: an option is no value where only its help differs.
    """
    places = {(one.path, one.line, one.column) for one in statements}
    files = [_File(path, module) for path, module in modules.items()]
    taking = [one for file in files for one in file.functions]
    lines = [line for file in files for line in file.lines()]
    known = {repr(one) for module in others.values() for one in definitions(ast.walk(module))}
    values = {
        (*_ATTRIBUTE, one.name)
        for place, statement in placed(modules)
        if place in places
        for one in definitions(own_nodes(statement))
        if repr(one) not in known
    }
    # A class whose bases were changed does nothing where it stands, either.
    values |= {
        (place[0], _MODULE, statement.name)
        for place, statement in placed(modules)
        if place in places and isinstance(statement, ast.ClassDef)
    }
    plain = [line for line in lines if line.is_value]
    values |= {name for line in plain if line.place in places for name in line.sets}
    given = [one for file in files for one in file.given(taking)]
    number = -1
    while number != len(values):  # what is worked out of a value is one, or gets it as an argument
        number = len(values)
        values |= {name for line in plain if line.uses & values for name in line.sets}
        values |= {name for name, uses in given if uses & values}
    read = {line.place: line.guards for line in lines if line.uses & values}
    for path, module in modules.items():
        for condition, first, guards in decided_by(module.body):
            if (path, condition.lineno, condition.col_offset) in read:
                read.setdefault((path, first.lineno, first.col_offset), guards)
    found = [
        Statement(path, number, guards, column)
        for (path, number, column), guards in read.items()
        if (path, number, column) not in places
    ]
    known_parts = {(one.path, one.line, one.column, one.part) for one in statements}
    parts = [
        Statement(path, number, (*line.guards, guard_of(part))[-MOST_GUARDS:], column, index)
        for line in lines
        for path, number, column in [line.place]
        for index, part, uses in line.parts
        if uses & values and (path, number, column, index) not in known_parts
    ]
    return [*statements, *found, *parts]


def uses_of(statements: Sequence[Statement], modules: Mapping[Path, ast.Module]) -> list[Statement]:
    """Return the statements of a change and those that use what they set, directly or not."""
    known = {(one.path, one.line, one.column): one for one in statements if not one.part}
    files = [_File(path, module) for path, module in modules.items()]
    lines = [line for file in files for line in file.lines()]
    set_: set[_Name] = set()
    waiting = [line for line in lines if line.place in known]
    while waiting:
        new = {name for line in waiting for name in line.sets} - set_
        set_ |= new
        waiting = [line for line in lines if line.place not in known and line.uses & new]
        for line in waiting:
            path, number, column = line.place
            known[line.place] = Statement(path, number, line.guards, column)
    parts = [one for one in statements if one.part]
    return sorted([*known.values(), *parts], key=lambda one: (one.path, one.line, one.column))


@dataclass(slots=True)
class _Line:
    """A statement: what it and its parts use, what it sets; whether that is plain values."""

    place: _Place
    guards: tuple[str, ...]
    is_value: bool
    sets: set[_Name] = field(default_factory=set)
    uses: set[_Name] = field(default_factory=set)
    parts: list[tuple[int, Part, set[_Name]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Function:
    """A function: what calls name it by (the class, if it makes objects), what it is given."""

    name: str
    parameters: Sequence[str]
    scope: tuple[Path, str]

    @staticmethod
    def of(
        function: ast.FunctionDef | ast.AsyncFunctionDef,
        holder: ast.AST,
        parameters: Sequence[str],
        scope: tuple[Path, str],
    ) -> _Function:
        is_static = any(last_name(one) == "staticmethod" for one in function.decorator_list)
        if not isinstance(holder, ast.ClassDef) or is_static:
            return _Function(function.name, parameters, scope)
        makes = function.name in ("__init__", "__new__")
        return _Function(holder.name if makes else function.name, parameters[1:], scope)


class _File:
    def __init__(self, path: Path, module: ast.Module) -> None:
        self._path = path
        self._module = module
        self._function: dict[ast.AST, str] = {}
        self._local: dict[str, set[str]] = {}
        self.functions: list[_Function] = []
        self._find_scopes(module, _MODULE)

    def _find_scopes(self, node: ast.AST, function: str) -> None:
        for child in ast.iter_child_nodes(node):
            self._function[child] = function
            inner = function
            if isinstance(child, _FUNCTIONS):
                inner = f"{function}/{child.lineno}:{child.col_offset}"
                arguments = child.args
                listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
                names = [one.arg for one in listed]
                self._local[inner] = set(names)
                if not isinstance(child, ast.Lambda):
                    self.functions.append(_Function.of(child, node, names, (self._path, inner)))
            elif isinstance(child, ast.Name) and not isinstance(child.ctx, ast.Load):
                self._local.setdefault(function, set()).add(child.id)
            elif isinstance(child, ast.Global):
                self._local.setdefault(function, set()).difference_update(child.names)
            self._find_scopes(child, inner)

    def _name(self, name: str, function: str) -> _Name:
        while function and name not in self._local.get(function, ()):
            function = function.rpartition("/")[0]
        return (self._path, function, name)

    def lines(self) -> Iterator[_Line]:
        """Yield all statements."""
        for statement, guards in all_statements(self._module.body):
            place = (self._path, statement.lineno, statement.col_offset)
            line = _Line(place, guards, _is_value(statement))
            if not isinstance(statement, _NOT_FOLLOWED):
                line.sets.update(self._sets(statement))
            line.uses.update(self._uses(statement))
            for index, part in enumerate(parts_of(statement), 1):
                uses = set(self._used(ast.walk(part.node)))
                line.parts.append((index, part, uses))
            yield line

    def given(self, functions: Iterable[_Function]) -> Iterator[tuple[_Name, set[_Name]]]:
        """Yield the parameters that calls give arguments for, and what these use."""
        taking = grouped(functions, lambda one: one.name)
        for call in ast.walk(self._module):
            if isinstance(call, ast.Call):
                by_name = [(one.arg or "", one.value) for one in call.keywords]
                for function in taking.get(last_name(call.func), ()):
                    in_order = zip(function.parameters, call.args, strict=False)
                    for name, value in [*in_order, *by_name]:
                        if name in function.parameters:
                            yield (*function.scope, name), set(self._used(ast.walk(value)))

    def _uses(self, statement: ast.stmt) -> Iterator[_Name]:
        return self._used(own_nodes(statement))

    def _used(self, nodes: Iterable[ast.AST]) -> Iterator[_Name]:
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield self._name(node.id, self._function[node])
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                yield (*_ATTRIBUTE, node.attr)

    def _sets(self, statement: ast.stmt) -> Iterator[_Name]:
        nodes = list(own_nodes(statement))
        if any(isinstance(node, ast.Call) and _makes_session(node) for node in nodes):
            return
        for node in nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                name = self._name(node.id, self._function[node])
                yield name
                if name[1] == _MODULE:  # other files see it as an attribute of this one
                    yield (*_ATTRIBUTE, node.id)
            elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(
                node.ctx, ast.Load
            ):
                yield from self._root(node)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            function = statement.value.func
            if isinstance(function, ast.Attribute):  # a method may change its object
                yield from self._root(function)

    def _root(self, node: ast.expr) -> Iterator[_Name]:
        """Yield the object that a target is a part of: `config` of `config.gpu_options.x`."""
        while isinstance(node, ast.Attribute | ast.Subscript):
            inner = node.value
            own = isinstance(inner, ast.Name) and inner.id in ("self", "cls")
            if own and isinstance(node, ast.Attribute):
                yield (*_ATTRIBUTE, node.attr)
                return
            node = inner
        if isinstance(node, ast.Name) and node.id not in self._imported():
            yield self._name(node.id, self._function[node])

    def _imported(self) -> set[str]:
        return {
            (alias.asname or alias.name).partition(".")[0]
            for node in ast.walk(self._module)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }


def _is_value(statement: ast.stmt) -> bool:
    """Tell whether a statement gives names to values that nothing is called for."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return all(map(_is_named, targets)) and not any(
        isinstance(node, ast.Call) for node in own_nodes(statement)
    )


def _is_named(target: ast.expr) -> bool:
    """Tell whether a target is a variable, or an attribute of `self`, or several of these."""
    if isinstance(target, ast.Tuple | ast.List):
        return all(map(_is_named, target.elts))
    if isinstance(target, ast.Attribute):
        return isinstance(target.value, ast.Name) and target.value.id in ("self", "cls")
    return isinstance(target, ast.Name)


def _makes_session(call: ast.Call) -> bool:
    return _SESSION.search(ast.unparse(call.func)) is not None
