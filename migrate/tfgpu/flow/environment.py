"""What sets, or may set, variables that are read with the GPUs: what decisions ask."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.files.cells import WRITES_VARIABLE
from tfgpu.files.pattern import expression

_VISIBLE = "CUDA_VISIBLE_DEVICES"
# Names of os.environ in its modules; and the functions, of whichever module, that write variables.
_DICTIONARIES = ("environ", "environb")
_SETTERS = frozenset(["putenv", "unsetenv", "setenv", "delenv", "clearenv"])
_MODULES = frozenset(["os", "posix"])
# Texts that name one of these: `mock.patch.dict("os.environ")`, `CDLL(None)["setenv"]`.
_NAMED = expression(r"^[\w.]*\b(environb?|putenv|setenv|unsetenv|clearenv)$")
_ENV_MAGIC = expression(r"%*(?:set_)?env\s.*(?:CUDA_|TF_XLA_)")
# What takes a copy of the variables, or writes them out; definitions of files are read.
_COPIERS = ("subprocess.", "os.exec", "os.spawn", "os.posix_spawn", "logging.", "pprint.", "json.")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_READS = frozenset(["get", "copy", "items", "keys", "values", "__contains__", "__getitem__"])
# Methods of dictionaries that change them, of whatever is given.
_CHANGES = ("update", "setdefault", "pop", "__setitem__", "__ior__")
_COPIES = frozenset(["dict", "len", "print", "sorted", "list", "set", "str"])
# Functions of other packages that write variables.
_LOADERS = ("dotenv.load_dotenv", "dotenv.main.load_dotenv", "environs.", "GPUtil.setVisible")


def environment_writes(tree: Tree, symbols: Symbols) -> Iterator[tuple[str, ast.AST]]:
    """Yield what sets, or may set, variables that are read with the GPUs, with a variable's name.

    Of os.environ, whatever is not known to read it, or to write another variable, may do so. Where
    it is passed on, or may be found by another name, whatever names such a variable may, too,
    and what stores under a key known only at run time.
    """
    handed_on: list[ast.AST] = list(_finders(tree, symbols))
    every = environments(tree, symbols)
    for node in every:
        around = tree.parent[node]
        found = _written(node, tree)
        if found is not None:
            yield found, around if isinstance(around, ast.expr) else node
            handed_on += [node] if _is_handed_on(node, tree) else []
    for call, path in symbols.calls(tree):
        if path.startswith(_LOADERS):
            yield _VISIBLE, call
    for call in tree.calls:
        name = last_name(call.func)
        if name in _SETTERS or name == WRITES_VARIABLE:
            known = _names_of(call.args[0]) if call.args else None
            if known is not None and len(call.args) == 1:
                known = [text.partition("=")[0] for text in known]  # as C has it
            yield from ((item, call) for item in _read(known))
        elif _is_env_magic(call):
            yield _VISIBLE, call
    yield from (
        (str(target.slice.value), target)
        for target in tree.nodes(ast.Subscript)
        if isinstance(target.slice, ast.Constant)
        and _is_variable(target.slice.value)
        and not isinstance(target.ctx, ast.Load)
        and target.value not in every
        and _is_unread(target.value, tree, symbols)
    )
    yield from ((_VISIBLE, each) for each in handed_on)
    if handed_on:
        if any(_may_act_later(each, tree, symbols) for each in handed_on):
            # Whoever has the function may call it at any time: a finalizer, a timer, a partial.
            yield from ((_VISIBLE, each) for each in (*tree.calls, *tree.nodes(ast.Assign)))
        read = {_key(node, tree) for node in every if _written(node, tree) is None}
        yield from ((_VISIBLE, each) for each in _possible_writes(tree) if each not in read)


def _is_env_magic(call: ast.Call) -> bool:
    """Tell whether a call may run `%env CUDA_VISIBLE_DEVICES=0`, as notebooks become scripts."""
    if last_name(call.func) not in ("run_line_magic", "magic"):
        return False
    words = [item.value if isinstance(item, ast.Constant) else "CUDA_" for item in call.args]
    return _ENV_MAGIC.match(" ".join(map(str, words))) is not None


def _finders(tree: Tree, symbols: Symbols) -> Iterator[ast.AST]:
    """Yield what may find os.environ, or a function that writes variables, by another name."""
    for setter in sorted(_SETTERS):
        for attribute in tree.attributes.get(setter, []):
            if not _calls(tree.parent[attribute], attribute):
                yield attribute
        for item in tree.imports:
            if item.path.rpartition(".")[2] == setter:
                yield item.statement
    for module in sorted({item.name for item in tree.imports if item.path in _MODULES}):
        for node in tree.names.get(module, []):
            if symbols.name(node) in _MODULES and not isinstance(tree.parent[node], ast.Attribute):
                yield node
    for text in filter(_NAMED.search, tree.texts):
        yield from tree.texts[text]


def _is_unread(node: ast.expr, tree: Tree, symbols: Symbols) -> bool:
    """Tell whether an expression comes from code that is not read: it may be os.environ."""
    while True:
        variable = symbols.variable(node)
        if variable is not None:
            bindings = variable[0].bindings.get(variable[1], [])
            return any(binding.kind == "import" for binding in bindings)
        if not isinstance(node, ast.Attribute):
            return isinstance(node, ast.Name) and tree.owner(node.id, tree.scope(node)) is None
        node = node.value


def _is_handed_on(node: ast.expr, tree: Tree) -> bool:
    """Tell whether os.environ, or a method of it, becomes a value that others may use."""
    parent = tree.parent[node]
    if isinstance(parent, ast.Attribute):
        return not _calls(tree.parent[parent], parent)
    return not isinstance(parent, ast.Subscript | ast.AugAssign)


def _may_act_later(node: ast.AST, tree: Tree, symbols: Symbols) -> bool:
    """Tell whether a function that writes variables, or os.environ, is given to code not read.

    That may write whenever it is called: no other place has to name a variable.
    """
    parent = tree.parent[node]
    if isinstance(parent, ast.Attribute) or getattr(node, "attr", "") in _SETTERS:
        return True
    call = tree.parent[parent] if isinstance(parent, ast.keyword) else parent
    if not isinstance(node, ast.expr) or not isinstance(call, ast.Call):
        return False
    is_own = any(isinstance(item.node, _DEFINITIONS) for item in symbols.bindings(call.func))
    return not (is_own or (symbols.name(call.func) or "").startswith(_COPIERS))


def _key(node: ast.expr, tree: Tree) -> ast.AST | None:
    """Return the key under which something is looked up where os.environ stands."""
    parent = tree.parent[node]
    call = tree.parent[parent]
    if isinstance(parent, ast.Subscript):
        return parent.slice
    if isinstance(parent, ast.Compare):
        return parent.left
    return call.args[0] if isinstance(call, ast.Call) and call.args else None


def _possible_writes(tree: Tree) -> Iterator[ast.AST]:
    """Yield what may write such a variable into a dictionary, whichever that is."""
    for text in tree.nodes(ast.Constant):
        if _is_variable(text.value):
            yield text
    for keyword in tree.nodes(ast.keyword):
        if _is_variable(keyword.arg):
            yield keyword.value
    for method in _CHANGES:
        for attribute in tree.attributes.get(method, ()):
            call = tree.parent[attribute]
            given = call.args[:1] if _calls(call, attribute) else [attribute]
            if not all(isinstance(item, ast.Constant) for item in given):
                yield attribute
    yield from (item for item in tree.nodes(ast.AugAssign) if isinstance(item.op, ast.BitOr))
    for target in tree.nodes(ast.Subscript):
        if not isinstance(target.ctx, ast.Load | ast.Del):
            # Others name no variable: a number, a part of a list, an index of an array.
            known = (ast.Constant, ast.Slice, ast.UnaryOp, ast.Tuple)
            if not isinstance(target.slice, known):
                yield target


def _is_variable(value: object) -> bool:
    """Tell whether a text names a variable that is read when the GPUs are listed.

    CUDA reads all of its own when it is initialised, TensorFlow those of XLA when it asks for the
    devices of XLA (measured on TensorFlow 2.21: a later TF_XLA_FLAGS does not cluster graphs).
    """
    name = value.decode("latin-1") if isinstance(value, bytes) else value
    return isinstance(name, str) and (name.startswith("CUDA_") or name == "TF_XLA_FLAGS")


def _written(node: ast.expr, tree: Tree) -> str | None:
    """Return such a variable that may be written where os.environ stands; None for none."""
    parent = tree.parent[node]
    if isinstance(parent, ast.Subscript) and parent.value is node:
        if isinstance(parent.ctx, ast.Load):
            return None
        return next(_read(_names_of(parent.slice)), None)
    if isinstance(parent, ast.Compare) and node in parent.comparators:
        return None
    if isinstance(parent, ast.Attribute):
        call = tree.parent[parent]
        if parent.attr in _READS:
            return None
        if not _calls(call, parent):
            return _VISIBLE
        if parent.attr in ("setdefault", "pop", "__setitem__") and call.args:
            return next(_read(_names_of(call.args[0])), None)
        if parent.attr == "update":
            names: list[str] | None = []
            for argument in call.args:
                keys = argument.keys if isinstance(argument, ast.Dict) else [None]
                for key in keys:
                    found = None if key is None else _names_of(key)
                    names = None if found is None or names is None else names + found
            for keyword in call.keywords:
                names = None if keyword.arg is None or names is None else [*names, keyword.arg]
            return next(_read(names), None)
        return _VISIBLE
    if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
        return None
    if isinstance(parent, ast.Expr):
        return None
    if isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in _COPIES:
        return None
    if isinstance(parent, ast.Dict) and parent.keys[parent.values.index(node)] is None:
        return None  # `{**os.environ}` copies it.
    if isinstance(parent, ast.keyword) and parent.arg is None:
        return None
    return _VISIBLE


def _calls(call: ast.AST, func: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(call, ast.Call) and call.func is func


def _names_of(node: ast.expr) -> list[str] | None:
    """Return the one string that an expression is; None where it is not known."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        value = node.value
        return [value if isinstance(value, str) else value.decode("latin-1")]
    return None


def _read(names: list[str] | None) -> Iterator[str]:
    """Yield the variables read with the GPUs among names; one where the names are not known."""
    if names is None:
        yield _VISIBLE
    else:
        yield from (name for name in names if _is_variable(name))


def environments(tree: Tree, symbols: Symbols) -> list[ast.expr]:
    """Return every expression that is os.environ, or may be it by another way to its module."""
    found: list[ast.expr] = []
    for name in _DICTIONARIES:
        names = symbols.spellings(name)
        names |= {item.name for item in tree.imports if item.path.endswith(f".{name}")}
        for spelling in sorted(names):
            nodes: list[ast.Attribute | ast.Name] = [*tree.attributes.get(spelling, [])]
            nodes += tree.names.get(spelling, [])
            for node in nodes:
                path = symbols.name(node)
                if isinstance(node.ctx, ast.Store) and not _is_augmented(node, tree):
                    continue  # another value
                if path is not None:
                    is_it = path.endswith(f".{name}")
                elif isinstance(node, ast.Name) and not tree.bindings(node):
                    is_it = spelling == name or bool(tree.file(node).star_imports)
                else:
                    is_attribute = isinstance(node, ast.Attribute) and spelling == name
                    is_it = is_attribute or _may_import(node, names, tree, symbols)
                if is_it:
                    found.append(node)
    return found


def _is_augmented(node: ast.expr, tree: Tree) -> bool:
    """Tell whether a name is changed in place: `environ |= values`."""
    return isinstance(tree.parent[node], ast.AugAssign)


def _may_import(node: ast.expr, names: set[str], tree: Tree, symbols: Symbols) -> bool:
    """Tell whether one of the values of a name is an import of something of some names."""
    bindings = symbols.bindings(node)
    augmented = [item for item in bindings if isinstance(item.node, ast.AugAssign)]
    return any(
        item.path is not None and item.path.rpartition(".")[2] in names for item in bindings
    ) or (
        # It has no other value here than what a star import gave it.
        bool(augmented) and len(augmented) == len(bindings) and bool(tree.file(node).star_imports)
    )
