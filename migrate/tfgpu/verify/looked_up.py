"""Which values of a change are read, if at all, by names that are known at run time only.

`getattr(SET, mode)`, `globals()[mode]` and `Size[mode]` read an attribute, a variable or a member
that no statement names. Nothing notes which, so a value of the change that is set for them alone
is taken for one that was not read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tfgpu.code.tree import last_name
from tfgpu.verify.changed import Statement, all_statements
from tfgpu.verify.inputs import NEVER

# Functions that give values by their names, or all of an object.
_GIVE_ALL = {"vars", "globals", "locals", "eval", "exec", "asdict", "astuple", "attrgetter"}
_BY_NAME = {"getattr", "attrgetter"}


def read_by_name(
    statements: Sequence[Statement], modules: Mapping[Path, ast.Module]
) -> list[Statement]:
    """Return those among some statements that set what no statement of the program names.

    These are variables and attributes in a program that looks some up by names of the run, and
    attributes of a class that its bases or its decorators may read.
    """
    nodes = [node for module in modules.values() for node in ast.walk(module)]
    named = {name for node in nodes for name in _named(node)}
    looks_up = any(map(_looks_up, nodes))
    places = {(one.path, one.line, one.column): one for one in statements if not one.part}
    found = []
    for path, module in modules.items():
        of_classes = _made_by_others(module)
        local = _local(module)
        for statement, _ in all_statements(module.body):
            one = places.get((path, statement.lineno, statement.col_offset))
            if one is None or not (looks_up or statement in of_classes):
                continue
            for name in _sets(statement, statement in local):
                if name not in named:
                    guards = (f"{name} is read (no statement names it, so no run tells)",)
                    found.append(replace(one, guards=guards, part=NEVER))
    return found


def _made_by_others(module: ast.Module) -> set[ast.stmt]:
    """Return the statements of classes that other code may take apart, such as an Enum."""
    return {
        statement
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef) and (node.bases or node.decorator_list)
        for statement in node.body
    }


def _local(module: ast.Module) -> set[ast.AST]:
    """Return what stands in functions, where nothing outside sees a variable."""
    return {
        inner
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
    }


def _sets(statement: ast.stmt, is_local: bool) -> Iterator[str]:
    """Yield the variables and attributes that a statement gives values to."""
    if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            if isinstance(target, ast.Attribute):
                own = isinstance(target.value, ast.Name) and target.value.id in ("self", "cls")
                if own:
                    yield target.attr
            elif isinstance(target, ast.Name) and not is_local and not target.id.startswith("_"):
                yield target.id
    call = getattr(statement, "value", None)
    if isinstance(call, ast.Call) and last_name(call.func) == "setattr":
        yield from _texts(call)


def _named(node: ast.AST) -> Iterator[str]:
    """Yield the variables and attributes that a node reads, or imports, by their names."""
    if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
        yield node.id if isinstance(node, ast.Name) else node.attr
    elif isinstance(node, ast.alias):
        yield node.name
    elif isinstance(node, ast.Call) and last_name(node.func) in _BY_NAME:
        yield from _texts(node)


def _looks_up(node: ast.AST) -> bool:
    """Tell whether a node looks something up by a name that is known at run time only."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("__dict__", "__members__", "_asdict")
    if not isinstance(node, ast.Call):
        return False
    name = last_name(node.func)
    return name in _GIVE_ALL or (name in _BY_NAME and not list(_texts(node)))


def _texts(call: ast.Call) -> Iterator[str]:
    for one in call.args:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
