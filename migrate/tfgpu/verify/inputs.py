"""What a program is told: options, variables of the environment, arguments.

A rewrite that takes the default
of an option for its value does the same as the program before, as long as nobody gives that option.
So options that only the program before reads are named.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tfgpu.code.tree import last_name
from tfgpu.verify.changed import Statement, all_statements, own_nodes

_Place = tuple[Path, int, int]
ARGUMENTS = "sys.argv"
_INPUT = "standard input"
_ALL = "os.environ"
_ENVIRONMENTS = ("environ", "environb")
# Methods of an environment that read one variable, and those that are about one.
_READS = ("get", "pop", "setdefault", "__getitem__", "__contains__")
_OF_ONE = (*_READS, "update", "__setitem__", "__delitem__")
_VARIABLE = re.compile(r"\$\{?(\w+)")
# What a definition tells people only, and what its name says already.
_HELP = ("help", "metavar", "dest")

NEVER = -1
"""The number of a part that no statement has: nothing notes that it ran."""


def lost_inputs(
    statements: Sequence[Statement],
    before: Mapping[Path, ast.Module],
    after: Mapping[Path, ast.Module],
) -> list[str]:
    """Return what some statements of a program read that another program does not read at all.

    Options are named as `--size`, variables of the environment by their names, or as `os.environ`
    where some code takes all of them. So are options that the statements define and that the other
    program does not take.
    """
    options = {name for module in before.values() for name in defined_options(ast.walk(module))}
    still = {name for module in after.values() for name in _read(ast.walk(module), options)}
    places = {(one.path, one.line, one.column) for one in statements}
    changed = [own_nodes(one) for place, one in placed(before) if place in places]
    nodes = [node for own in changed for node in own]
    lost = set(_read(nodes, options)) - still
    taken = [one for module in after.values() for one in _spellings(ast.walk(module))]
    return sorted(
        {f"--{name}" if name in options else name for name in lost}
        | {word for word, _ in _spellings(nodes) if not _takes(word, taken)}
    )


def _takes(word: str, taken: Iterable[tuple[str, bool]]) -> bool:
    """Tell whether a program takes an option, argparse by its beginning, too."""
    is_long = word.startswith("--")
    return any(one == word or (cut and is_long and one.startswith(word)) for one, cut in taken)


def _spellings(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, bool]]:
    """Yield the options that are defined, as a command line has them; whether by argparse."""
    for node in nodes:
        if isinstance(node, ast.Call):
            name, texts = last_name(node.func), list(map(_text, node.args))
            if name == "add_argument":
                yield from ((text, True) for text in texts if text.startswith("-"))
            elif name.startswith("DEFINE_"):
                yield from ((f"--{text}", False) for text in texts[:1] if text)


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
    for place, statement in placed(modules):
        one = places.get(place)
        names = list(defined_options(own_nodes(statement))) if one else []
        if one and names and all(is_given(names[0], words) for words in lists):
            found.append(replace(one, guards=(f"--{names[0]} is not given",), part=NEVER))
    return found


def untaken_options(
    statements: Sequence[Statement],
    modules: Mapping[Path, ast.Module],
    others: Mapping[Path, ast.Module],
    lists: Sequence[Sequence[str]],
) -> list[Statement]:
    """Return the definitions among some statements of options that no list of arguments gives.

    Those that the other program defines, too, but with other choices, another type or action: that
    shows where the option is given only.
    """
    places = {(one.path, one.line, one.column): one for one in statements}
    known = [one for module in others.values() for one in definitions(ast.walk(module))]
    found = []
    for place, statement in placed(modules):
        for option in definitions(own_nodes(statement)) if place in places else ():
            theirs = [one.spelled for one in known if one.name == option.name]
            is_flag = any(one.startswith(("-", "DEFINE_")) for one in option.spelled[:1])
            is_other = is_flag and theirs and option.spelled not in theirs
            names = (option.name, *option.spelled)
            if is_other and not any(is_given(one, words) for one in names for words in lists):
                guards = (f"--{option.name} is given",)
                found.append(replace(places[place], guards=guards, part=NEVER))
    return found


def placed(modules: Mapping[Path, ast.Module]) -> Iterator[tuple[_Place, ast.stmt]]:
    """Yield all statements of a program with their places."""
    for path, module in modules.items():
        for statement, _ in all_statements(module.body):
            yield (path, statement.lineno, statement.col_offset), statement


def is_given(name: str, arguments: Iterable[str]) -> bool:
    """Tell whether some arguments give an option, in any of its spellings."""
    words = list(arguments)
    plain = name.lstrip("-")
    return (name == ARGUMENTS and bool(words)) or any(
        one.partition("=")[0].lstrip("-").replace("-", "_") in (plain, f"no{plain}")
        for one in words
        if one.startswith("-")
    )


@dataclass(frozen=True, slots=True)
class _Definition:
    """An option that is defined: its name as attributes have it, its default, and all else of it.

    `spelled` are its spellings and how it is given. What help says of it is left out.
    """

    name: str
    default: str
    spelled: tuple[str, ...]


def definitions(nodes: Iterable[ast.AST]) -> Iterator[_Definition]:
    """Yield the options that are defined: by argparse, by flags, by `set_defaults`."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = last_name(node.func)
        texts = [text for one in node.args if (text := _text(one))]
        told = {one.arg or "": ast.dump(one.value) for one in node.keywords}
        default = told.pop("default", "")
        others = sorted(f"{key}={value}" for key, value in told.items() if key not in _HELP)
        if name == "add_argument":
            named = [_text(one.value) for one in node.keywords if one.arg == "dest"]
            long = [text for text in texts if text.startswith("--")] or texts
            for one in named or long[:1]:
                attribute = one.lstrip("-").replace("-", "_")
                yield _Definition(attribute, default, (*texts, *others))
        elif name.startswith("DEFINE_"):
            given = [*map(ast.dump, node.args[1:])]
            # `DEFINE_enum(name, default, values, help)`, and the others without values.
            values = given[1:2] if name.startswith(("DEFINE_enum", "DEFINE_multi_enum")) else []
            for one in texts[:1]:
                yield _Definition(one, "".join(given[:1]) + default, (name, *values, *others))
        elif name == "set_defaults":
            for keyword in node.keywords:
                yield _Definition(keyword.arg or "", told.get(keyword.arg or "", ""), (name,))


def defined_options(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of options that are defined, as attributes have them."""
    yield from (one.name for one in definitions(nodes) if one.spelled != ("set_defaults",))


def _read(nodes: Iterable[ast.AST], options: set[str]) -> Iterator[str]:
    """Yield the options, variables and arguments that some code reads."""
    listed = list(nodes)
    named: set[ast.AST] = set()  # the environments that a variable is read of, or set in
    for node in listed:
        if isinstance(node, ast.Subscript) and _is_environment(node.value):
            named.add(node.value)
        elif isinstance(node, ast.Attribute) and _is_environment(node.value):
            named |= {node.value} if node.attr in _OF_ONE else set()
        elif isinstance(node, ast.Compare) and _text(node.left):
            named |= {one for one in node.comparators if _is_environment(one)}
    for node in listed:
        if node not in named and _is_environment(node):
            yield _ALL
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            name = last_name(node)
            if isinstance(node, ast.Attribute) and name in options:
                yield name
            elif name in ("argv", "parse_args", "parse_known_args"):
                yield ARGUMENTS
            elif name == "stdin":
                yield _INPUT
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            text = _text(node.slice)
            if text and (text in options or _is_environment(node.value)):
                yield text
        elif isinstance(node, ast.Compare) and any(one in named for one in node.comparators):
            yield _text(node.left)
        elif isinstance(node, ast.Call):
            yield from _asked_for(node, options)


def _is_environment(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and last_name(node) in _ENVIRONMENTS


def _asked_for(call: ast.Call, options: set[str]) -> Iterator[str]:
    """Yield what `getattr`, `environ.get`, `getenv`, `expandvars` or `input` reads."""
    name = last_name(call.func)
    texts = [_text(one) for one in call.args]
    if name == "getattr" and len(texts) > 1 and texts[1] in options:
        yield texts[1]
    if name in ("input", "raw_input"):
        yield _INPUT
    if name == "expandvars":
        found = _VARIABLE.findall(texts[0]) if texts else []
        yield from found or [_ALL]
    holder = call.func.value if isinstance(call.func, ast.Attribute) else None
    of_environment = name in ("getenv", "getenvb") or (
        name in _READS and holder is not None and _is_environment(holder)
    )
    if of_environment:
        yield (texts[0] if texts else "") or _ALL


def _text(node: ast.AST) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, bytes):
        return os.fsdecode(value)
    return value if isinstance(value, str) else ""
