"""The top of a migrated file: imports and helper functions."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

import libcst as cst

from tfgpu.program.raw import imports_any
from tfgpu.program.uses import WITH_KERAS
from tfgpu.rewrite import comments
from tfgpu.rewrite.imports import Imports

Line = cst.SimpleStatementLine | cst.BaseCompoundStatement
_V1 = "tensorflow.compat.v1"
# How lines begin that stand in front of the import of TensorFlow.
_PREPARATIONS = (
    "os.environ", "environ", "os.putenv(", "sys.path", "warnings.filterwarnings(",
    "warnings.simplefilter(",
)  # fmt: skip


def change_import(
    node: cst.Import | cst.ImportFrom, statement: ast.stmt, imports: Imports
) -> cst.Import | cst.ImportFrom | None:
    """Return an import with names switched to tensorflow.compat.v1 or removed; None for no name."""
    assert isinstance(statement, ast.Import | ast.ImportFrom)
    switched = {item.alias for item in imports.switched}
    removed = {item.alias for item in imports.removed}
    if isinstance(node.names, cst.ImportStar):
        assert isinstance(statement, ast.ImportFrom)
        if statement not in imports.stars:
            return node
        return node.with_changes(module=_dotted(_in_v1(statement.module or "")))
    names = []
    module = None
    for alias, name in zip(statement.names, node.names, strict=True):
        if alias in removed:
            continue
        if alias in imports.moved:
            module, new = imports.moved[alias]
            as_before = None if alias.name == new else cst.AsName(cst.Name(alias.name))
            names.append(name.with_changes(name=cst.Name(new), asname=name.asname or as_before))
        elif alias in switched and isinstance(statement, ast.Import):
            bound = cst.AsName(cst.Name(alias.asname or alias.name))
            names.append(
                name.with_changes(name=_dotted(_in_v1(alias.name)), asname=name.asname or bound)
            )
        else:
            names.append(name)
    if not names:
        return _module_of(imports.emptied.get(statement, ""))
    if statement.names[-1] in removed:
        # What is behind the last name, a comma and the end of its line, stays what it was.
        last = node.names[-1].comma
        comma = comments.without(last) if isinstance(last, cst.Comma) else last
        names[-1] = names[-1].with_changes(comma=comma)
    node = node.with_changes(names=names)
    if module is not None:
        return node.with_changes(module=_dotted(module))
    if isinstance(statement, ast.ImportFrom) and switched.intersection(statement.names):
        return node.with_changes(module=_dotted(_in_v1(statement.module or "")))
    return node


def _module_of(code: str) -> cst.Import | cst.ImportFrom | None:
    """Return the import of a module; None where there is none."""
    found = cst.parse_module(code).body
    line = found[0] if found else None
    assert line is None or isinstance(line, cst.SimpleStatementLine)
    small = None if line is None else line.body[0]
    assert small is None or isinstance(small, cst.Import | cst.ImportFrom)
    return small


def _in_v1(path: str) -> str:
    """Return where tensorflow.compat.v1 has a module of TensorFlow: `tensorflow.layers`."""
    return _V1 + path.removeprefix("tensorflow")


def _dotted(path: str) -> cst.BaseExpression:
    return cst.parse_expression(path)


def add_imports(lines: list[Line], imports: Imports) -> list[Line]:
    """Add imports at the top of a module: those of Python among their kind, in order."""
    for module in imports.added:
        if module in sys.stdlib_module_names:
            lines = _add_standard(lines, module)
        elif imports.beside is None:
            lines = _add_tensorflow(lines, imports)
    return lines


def add_beside(line: Line | None, imports: Imports) -> list[Line]:
    """Add the import of TensorFlow `beside` a line: above one of the same, or of Keras."""
    new = _of_tensorflow(imports)
    if line is None:
        return new
    assert isinstance(imports.beside, ast.Import | ast.ImportFrom)
    if imports_any(imports.beside, WITH_KERAS):
        return _insert([line], 0, new, gap=False)
    return [line, *new]


def disabling(name: str) -> str:
    """Return the call that turns TF2 behaviour off, by a name of TensorFlow or by its own."""
    if name:
        return f"{name}.disable_v2_behavior()"
    return f"from {_V1} import disable_v2_behavior\ndisable_v2_behavior()"


def _of_tensorflow(imports: Imports) -> list[Line]:
    """Return the import of TensorFlow that is added, with its TF2 behaviour off if it is v1."""
    return [
        _statement(code)
        for module, name in imports.added.items()
        if module not in sys.stdlib_module_names
        for code in (
            f"import {module} as {name}",
            *((disabling(name),) if module == _V1 else ()),
        )
    ]


def _add_standard(lines: list[Line], module: str) -> list[Line]:
    """Add `import module` among the imports of Python's own modules."""
    first = place = _first_import(lines)
    while place < len(lines) and (found := _standard_import(lines[place])) and found < module:
        place += 1
    new = _statement(f"import {module}")
    if place > first:
        return [*lines[:place], new, *lines[place:]]
    return _insert(
        lines, place, [new], gap=place < len(lines) and not _standard_import(lines[place])
    )


def _add_tensorflow(lines: list[Line], imports: Imports) -> list[Line]:
    """Add the import of TensorFlow after the first imports."""
    new = _of_tensorflow(imports)
    place = _first_import(lines, early=True)
    while place < len(lines) and (_standard_import(lines[place]) or _prepares(lines[place])):
        place += 1
    return _insert(lines, place, new, gap=place < len(lines) and not _is_plain_import(lines[place]))


def _insert(lines: list[Line], place: int, new: list[Line], gap: bool) -> list[Line]:
    """Insert lines, with the empty lines above the next one; `gap` asks for one between them."""
    rest = list(lines[place:])
    blanks, own = comments.split(rest[0].leading_lines)
    if not _is_plain_import(rest[0]):
        own = list(rest[0].leading_lines)
        blanks = [cst.EmptyLine(indent=False)] if place else []
    if gap and not own:
        own = [cst.EmptyLine(indent=False)]
    rest[0] = rest[0].with_changes(leading_lines=own)
    new[0] = new[0].with_changes(leading_lines=blanks)
    return [*lines[:place], *new, *rest]


def _first_import(lines: list[Line], early: bool = False) -> int:
    """Return the place of the first import, or of the first line after the docstring.

    An import below definitions or calls comes too late for what they may need; an `early` one below
    whatever may import something, too.
    """
    for number, line in enumerate(lines):
        if _is_plain_import(line):
            return number
        if isinstance(line, cst.FunctionDef | cst.ClassDef) or _is_call(line):
            break
        if early and (not isinstance(line, cst.SimpleStatementLine) or _has_call(line)):
            break
    return next((number for number, line in enumerate(lines) if not _is_intro(line)), len(lines))


def _is_call(line: Line) -> bool:
    if not isinstance(line, cst.SimpleStatementLine):
        return False
    return isinstance(line.body[0], cst.Expr) and isinstance(line.body[0].value, cst.Call)


def _has_call(line: Line) -> bool:
    tree = ast.parse(cst.Module([line]).code)
    return any(isinstance(node, ast.Call) for node in ast.walk(tree))


def _prepares(line: Line) -> bool:
    """Tell whether a line sets what the import of TensorFlow may read, or runs no TensorFlow."""
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return False
    code = cst.Module([]).code_for_node(line.body[0])
    return code.startswith(_PREPARATIONS)


def _standard_import(line: Line) -> str | None:
    """Return the module that a line imports, where that is one of Python's own."""
    if not isinstance(line, cst.SimpleStatementLine):
        return None
    first = line.body[0]
    module: cst.CSTNode | None = None
    if isinstance(first, cst.Import):
        module = first.names[0].name
    elif isinstance(first, cst.ImportFrom) and not first.relative:
        module = first.module
    name = cst.Module([]).code_for_node(module) if module is not None else ""
    return name if name.partition(".")[0] in sys.stdlib_module_names else None


def _statement(code: str) -> Line:
    line = cst.parse_statement(code)
    assert isinstance(line, cst.SimpleStatementLine)
    return line


def _is_plain_import(line: Line) -> bool:
    """Tell whether a line imports something, `__future__` excepted."""
    if not isinstance(line, cst.SimpleStatementLine):
        return False
    first = line.body[0]
    if isinstance(first, cst.ImportFrom):
        return not (isinstance(first.module, cst.Name) and first.module.value == "__future__")
    return isinstance(first, cst.Import)


def _is_intro(line: Line) -> bool:
    """Tell whether a line is a docstring or a `__future__` import."""
    if not isinstance(line, cst.SimpleStatementLine):
        return False
    first = line.body[0]
    if isinstance(first, cst.Expr):
        return isinstance(first.value, cst.SimpleString | cst.ConcatenatedString)
    return isinstance(first, cst.ImportFrom)


def add_helpers(lines: list[Line], helpers: Sequence[Line]) -> list[Line]:
    """Add functions after the imports at the top of a module, before anything that calls them."""
    if not helpers:
        return lines
    names = [line.name.value for line in helpers if isinstance(line, cst.FunctionDef)]
    place = 0
    for number, line in enumerate(lines):
        if isinstance(line, cst.FunctionDef | cst.ClassDef) or _mentions(line, names):
            break
        if _imports(line) or _is_intro(line) or _is_disable(line):
            place = number + 1
    gap = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]
    new = [line.with_changes(leading_lines=gap) for line in helpers]
    rest = list(lines[place:])
    if rest:
        leading = list(rest[0].leading_lines)
        missing = 2 - comments.leading_blanks(leading)
        rest[0] = rest[0].with_changes(leading_lines=[*gap[: max(missing, 0)], *leading])
    return [*lines[:place], *new, *rest]


def _mentions(line: Line, names: Sequence[str]) -> bool:
    code = cst.Module([]).code_for_node(line)
    return any(name in code for name in names)


def _imports(line: Line) -> bool:
    """Tell whether a line is an import, or a `try` or `if` around one."""
    if isinstance(line, cst.SimpleStatementLine):
        return any(isinstance(item, cst.Import | cst.ImportFrom) for item in line.body)
    if isinstance(line, cst.Try | cst.If):
        inner = line.body.body
        return any(isinstance(item, cst.SimpleStatementLine) and _imports(item) for item in inner)
    return False


def _is_disable(line: Line) -> bool:
    if not isinstance(line, cst.SimpleStatementLine) or not isinstance(line.body[0], cst.Expr):
        return False
    call = line.body[0].value
    return (
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Attribute)
        and call.func.attr.value == "disable_v2_behavior"
    )
