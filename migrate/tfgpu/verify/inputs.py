"""What a program is told from outside: options, variables of the environment, arguments.

A rewrite that takes the default of an option for its value does the same as the program before, as
long as nobody gives that option. So options that only the program before reads are named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tfgpu.code.tree import last_name
from tfgpu.verify.changed import Statement, all_statements, own_nodes

_ARGUMENTS = "sys.argv"

# The number of a part that no statement has: nothing notes that it ran.
_NEVER = -1


def lost_inputs(
    statements: Sequence[Statement],
    before: Mapping[Path, ast.Module],
    after: Mapping[Path, ast.Module],
) -> list[str]:
    """Return what some statements of a program read that another program does not read at all.

    Options are named as `--size`, variables of the environment by their names.
    """
    options = {name for module in before.values() for name in defined_options(ast.walk(module))}
    still = {name for module in after.values() for name in _read(ast.walk(module), options)}
    places = {(one.path, one.line, one.column) for one in statements}
    read = {
        name
        for path, module in before.items()
        for statement, _ in all_statements(module.body)
        if (path, statement.lineno, statement.col_offset) in places
        for name in _read(own_nodes(statement), options)
    }
    return sorted(f"--{name}" if name in options else name for name in read - still)


def hidden_defaults(
    statements: Sequence[Statement],
    modules: Mapping[Path, ast.Module],
    lists: Sequence[Sequence[str]],
) -> list[Statement]:
    """Return the definitions of options among some statements that all lists of arguments give.

    Their defaults show in no run.
    """
    places = {(one.path, one.line, one.column): one for one in statements}
    found = []
    for path, module in modules.items():
        for statement, _ in all_statements(module.body):
            one = places.get((path, statement.lineno, statement.col_offset))
            names = list(defined_options(own_nodes(statement))) if one else []
            if one and names and all(is_given(names[0], words) for words in lists):
                found.append(replace(one, guards=(f"--{names[0]} is not given",), part=_NEVER))
    return found


def is_given(name: str, arguments: Iterable[str]) -> bool:
    """Tell whether some arguments give an option, in any of its spellings."""
    words = list(arguments)
    plain = name.lstrip("-")
    return (name == _ARGUMENTS and bool(words)) or any(
        one.partition("=")[0].lstrip("-").replace("-", "_") in (plain, f"no{plain}")
        for one in words
        if one.startswith("-")
    )


def defined_options(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of options that are defined, as attributes have them."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = last_name(node.func)
        texts = [text for one in node.args if (text := _text(one))]
        if name == "add_argument":
            named = [_text(one.value) for one in node.keywords if one.arg == "dest"]
            long = [text for text in texts if text.startswith("--")] or texts
            yield from (one.lstrip("-").replace("-", "_") for one in named or long[:1])
        elif name.startswith("DEFINE_"):
            yield from texts[:1]


def _read(nodes: Iterable[ast.AST], options: set[str]) -> Iterator[str]:
    """Yield the options, variables and arguments that some code reads."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            if node.attr in options:
                yield node.attr
            elif node.attr in ("argv", "parse_args", "parse_known_args"):
                yield _ARGUMENTS
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            text = _text(node.slice)
            if text and (text in options or last_name(node.value) == "environ"):
                yield text
        elif isinstance(node, ast.Call):
            yield from _asked_for(node, options)


def _asked_for(call: ast.Call, options: set[str]) -> Iterator[str]:
    """Yield what `getattr`, `environ.get` or `getenv` reads."""
    name = last_name(call.func)
    texts = [_text(one) for one in call.args]
    if name == "getattr" and len(texts) > 1 and texts[1] in options:
        yield texts[1]
    holder = call.func.value if isinstance(call.func, ast.Attribute) else None
    of_environment = name == "getenv" or (
        name == "get" and holder is not None and last_name(holder) == "environ"
    )
    if of_environment and texts and texts[0]:
        yield texts[0]


def _text(node: ast.AST) -> str:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if is_text else ""  # type: ignore[attr-defined]
