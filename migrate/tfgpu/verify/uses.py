"""Which statements use what the statements of a change set, and what a program is told.

A run that stops early may have executed all that was changed, and nothing that it acts on:
`DEVICE = "/gpu:1"` at the top, and the operations that are put there in a function that is called
later. Names are followed by their scopes, attributes by their names alone. Not followed are
sessions, imports, functions and classes.

A program is told options, variables of the environment, arguments. A rewrite that takes the default
of an option for its value does the same as the program before, as long as nobody gives that option.
So options that only the program before reads are named.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tfgpu.code.tree import last_name
from tfgpu.verify.changed import Statement, all_statements, decided_by, own_nodes

_SESSION = re.compile(r"[sS]ession\w*$")
_MODULE = ""
_NOT_FOLLOWED = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

# A name in a file and a function of it ("" for the module's), or an attribute anywhere.
_Name = tuple[Path, str, str]
_Place = tuple[Path, int, int]
_ATTRIBUTE = (Path(), ".")
_ARGUMENTS = "sys.argv"
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


def uses_of_values(
    statements: Sequence[Statement],
    modules: Mapping[Path, ast.Module],
    others: Mapping[Path, ast.Module],
) -> list[Statement]:
    """Return the statements of a change and those that read plain values that it sets.

    A value such as `DEVICE = "/gpu:1"` does nothing where it stands, nor does an option. Of a
    condition that reads one so is the first statement of each block that it decides about.
    `others` are the files of the other program: an option is no value where only its help differs.
    """
    places = {(one.path, one.line, one.column) for one in statements}
    lines = [line for path, module in modules.items() for line in _File(path, module).lines()]
    known = {repr(one) for module in others.values() for one in _definitions(ast.walk(module))}
    values = {
        (*_ATTRIBUTE, one.name)
        for place, statement in _placed(modules)
        if place in places
        for one in _definitions(own_nodes(statement))
        if repr(one) not in known
    }
    waiting = [line for line in lines if line.is_value and line.place in places]
    read: dict[_Place, tuple[str, ...]] = {}
    while waiting:
        values |= {name for line in waiting for name in line.sets}
        # What is worked out of a value is one.
        waiting = [
            line
            for line in lines
            if line.place not in read and line.place not in places and line.uses & values
        ]
        read.update((line.place, line.guards) for line in waiting)
        waiting = [line for line in waiting if line.is_value]
    read.update((line.place, line.guards) for line in lines if line.uses & values)
    for path, module in modules.items():
        for condition, first, guards in decided_by(module.body):
            if (path, condition.lineno, condition.col_offset) in read:
                read.setdefault((path, first.lineno, first.col_offset), guards)
    found = [
        Statement(path, number, guards, column)
        for (path, number, column), guards in read.items()
        if (path, number, column) not in places
    ]
    return [*statements, *found]


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
    """A statement: what it sets, what it uses; whether it only gives names to plain values."""

    place: _Place
    guards: tuple[str, ...]
    is_value: bool
    sets: set[_Name] = field(default_factory=set)
    uses: set[_Name] = field(default_factory=set)


class _File:
    def __init__(self, path: Path, module: ast.Module) -> None:
        self._path = path
        self._module = module
        self._function: dict[ast.AST, str] = {}
        self._local: dict[str, set[str]] = {}
        self._find_scopes(module, _MODULE)

    def _find_scopes(self, node: ast.AST, function: str) -> None:
        for child in ast.iter_child_nodes(node):
            self._function[child] = function
            inner = function
            if isinstance(child, _FUNCTIONS):
                inner = f"{function}/{child.lineno}:{child.col_offset}"
                arguments = child.args
                listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
                self._local[inner] = {one.arg for one in listed}
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
            yield line

    def _uses(self, statement: ast.stmt) -> Iterator[_Name]:
        for node in own_nodes(statement):
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
    changed = [own_nodes(one) for place, one in _placed(before) if place in places]
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
    for place, statement in _placed(modules):
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
    known = [one for module in others.values() for one in _definitions(ast.walk(module))]
    found = []
    for place, statement in _placed(modules):
        for option in _definitions(own_nodes(statement)) if place in places else ():
            theirs = [one.spelled for one in known if one.name == option.name]
            is_flag = any(one.startswith(("-", "DEFINE_")) for one in option.spelled[:1])
            is_other = is_flag and theirs and option.spelled not in theirs
            names = (option.name, *option.spelled)
            if is_other and not any(is_given(one, words) for one in names for words in lists):
                guards = (f"--{option.name} is given",)
                found.append(replace(places[place], guards=guards, part=NEVER))
    return found


def _placed(modules: Mapping[Path, ast.Module]) -> Iterator[tuple[_Place, ast.stmt]]:
    """Yield all statements of a program with their places."""
    for path, module in modules.items():
        for statement, _ in all_statements(module.body):
            yield (path, statement.lineno, statement.col_offset), statement


def is_given(name: str, arguments: Iterable[str]) -> bool:
    """Tell whether some arguments give an option, in any of its spellings."""
    words = list(arguments)
    plain = name.lstrip("-")
    return (name == _ARGUMENTS and bool(words)) or any(
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


def _definitions(nodes: Iterable[ast.AST]) -> Iterator[_Definition]:
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
    yield from (one.name for one in _definitions(nodes) if one.spelled != ("set_defaults",))


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
                yield _ARGUMENTS
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
