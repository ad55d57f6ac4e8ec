"""Names of TensorFlow and other libraries that a program replaces: its calls are not theirs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.lookups import NAMESPACES, SETTERS
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.program.raw import RAW

# What replaces an attribute that it is given the name of, as a text or as a keyword, and where the
# names of a module are: `mock.patch.multiple(gpu, tf=Fake)`, `vars(gpu)["tf"] = Fake`.
_PATCHERS = SETTERS | {"__setattr__", "partial", "setitem", "dict"}
_BY_KEYWORD = frozenset(["multiple", "update", "dict"])
_NAMESPACES = NAMESPACES | {"__dict__", "__globals__"}


def replaced_names(tree: Tree, symbols: Symbols) -> dict[str, ast.AST]:
    """Return the last names that are stored in a module of TensorFlow, or may be, and where.

    "" means all of them: what is stored has a name known only at run time.
    """
    found: dict[str, ast.AST] = {}
    for name, attributes in tree.attributes.items():
        for attribute in attributes:
            if isinstance(attribute.ctx, ast.Load):
                continue
            if _is_module(attribute.value, symbols):
                owner = symbols.name(attribute.value) or ""
                found.setdefault(_replaced(owner, name), attribute)
            elif (name[0].isupper() or name == "set_session") and _is_any(attribute.value, symbols):
                found.setdefault(name, attribute)
    for call in tree.calls:
        if last_name(call.func) in SETTERS:
            for name in _names(call, symbols):
                found.setdefault(name, call)
        reads = getattr(call.func, "id", "") == "vars" and call.args
        if reads and _is_module(call.args[0], symbols):
            found.setdefault("", call)
    for attribute in tree.attributes.get("__dict__", []):
        if _is_module(attribute.value, symbols):
            found.setdefault("", attribute)
    module = _in_place_of_module(tree)
    if module is not None:
        found.setdefault("", module)
    stores = list(_stores_of_any_name(tree, symbols)) if "" not in found else []
    if stores:
        from tfgpu.flow.handed_modules import HandedModules  # noqa: PLC0415 - few need it

        handed = HandedModules(tree, symbols)
        place = next((place for place, holder in stores if handed.may_be(holder)), None)
        if place is not None:
            found[""] = place
    return found


def _stores_of_any_name(tree: Tree, symbols: Symbols) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Yield what may store something, by any name, and in which object, that may be a module."""
    for call in tree.calls:
        last = last_name(call.func)
        names = call.args[1:2] if last in SETTERS else []
        is_any = any(not isinstance(name, ast.Constant) for name in names)
        is_any = is_any or (last == "vars" and not _looks(call, tree))
        if is_any and call.args and _is_any(call.args[0], symbols):
            yield call, call.args[0]
    for attribute in tree.attributes.get("__dict__", []):
        if not _looks(attribute, tree) and _is_any(attribute.value, symbols):
            yield attribute, attribute.value


def _is_any(node: ast.expr, symbols: Symbols) -> bool:
    """Tell whether a value may be a module that came from anywhere."""
    is_own = isinstance(node, ast.Name) and node.id in ("self", "cls")
    return not is_own and symbols.name(node) is None and not _is_class(node, symbols)


def _in_place_of_module(tree: Tree) -> ast.AST | None:
    """Return what puts another module in place of TensorFlow: `sys.modules["tensorflow"] = m`.

    So does what stores by that name where the loaded modules have another one, too.
    """
    asked = (node for node in tree.attributes.get("modules", ()) if not _looks(node, tree))
    changes: list[ast.AST] = [*asked, *tree.texts.get("sys.modules", ())]
    statements = {part for node in changes for part in _around(node, tree)}
    for text in tree.texts.get(RAW, ()) if changes else ():
        parent = tree.parent[text]
        stores = isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load)
        if stores or tree.statement(text) in statements:
            return text
    keywords = (item.value for item in tree.nodes(ast.keyword) if item.arg == RAW)
    return next((item for item in keywords if tree.statement(item) in statements), None)


def _around(node: ast.AST, tree: Tree) -> Iterator[ast.stmt]:
    """Yield the statement of a node, and the loops that it is in."""
    statement = tree.statement(node)
    yield statement
    yield from (guard for guard, _ in tree.guards(statement) if isinstance(guard, ast.For))


def _looks(names: ast.expr, tree: Tree, *, is_name: bool = False) -> bool:
    """Tell whether a dictionary of names is only looked at: `"name" in sys.modules`."""
    parent = tree.parent[names]
    if isinstance(parent, ast.Attribute):
        return parent.attr in ("get", "keys", "items", "values")
    if isinstance(parent, ast.Call):
        return tree.builtin(parent.func) in ("list", "sorted", "set", "len", "dict", "print", "str")
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name) and not is_name:
        uses = tree.names[parent.targets[0].id]
        return all(_looks(it, tree, is_name=True) for it in uses if isinstance(it.ctx, ast.Load))
    is_item = isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Load)
    is_copy = isinstance(parent, ast.keyword) and parent.arg is None
    return is_item or is_copy or isinstance(parent, ast.Compare | ast.For | ast.comprehension)


def replaced_alias(name: str, tree: Tree) -> ast.AST | None:
    """Return what may give a module's name for TensorFlow, `tf`, to something else, or None.

    `gpu.tf = Fake`, `setattr(gpu, "tf", Fake)`, `mock.patch("gpu.tf")`, `vars(gpu)["tf"] = Fake`.
    """
    for attribute in tree.attributes.get(name, ()):
        own = isinstance(attribute.value, ast.Name) and attribute.value.id in ("self", "cls")
        if not (own or isinstance(attribute.ctx, ast.Load)):
            return attribute
    for text, nodes in tree.texts.items():
        for node in nodes if text == name or text.endswith(f".{name}") else ():
            parent = tree.parent[node]
            if isinstance(parent, ast.Call):
                # The path that `patch` is given, or the name behind an object.
                if node in parent.args[text == name :] and last_name(parent.func) in _PATCHERS:
                    return node
            elif isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load):
                around = parent.value
                around = around.func if isinstance(around, ast.Call) else around
                if last_name(around) in _NAMESPACES:
                    return node
    for keyword in tree.nodes(ast.keyword):
        method = getattr(tree.parent[keyword], "func", None)
        is_patcher = isinstance(method, ast.Attribute) and method.attr in _BY_KEYWORD
        if keyword.arg == name and is_patcher:
            return keyword.value
    return None


def stored_paths(tree: Tree, symbols: Symbols) -> Iterator[tuple[str, ast.AST]]:
    """Yield the paths of what is stored in modules of libraries, and where: `math.tf = tf`."""
    for name, attributes in tree.attributes.items():
        for attribute in attributes:
            if not isinstance(attribute.ctx, ast.Load):
                paths = symbols.paths(attribute.value)
                yield from ((f"{path}.{name}", attribute) for path in paths)
    for call in tree.calls:
        if tree.builtin(call.func) == "setattr" and len(call.args) > 1:
            key = call.args[1]
            known = isinstance(key, ast.Constant) and isinstance(key.value, str)
            ends = f".{ast.literal_eval(key)}" if known else ""
            yield from ((path + ends, call) for path in symbols.paths(call.args[0]))


def _is_module(node: ast.expr, symbols: Symbols) -> bool:
    """Tell whether an expression is TensorFlow or Keras, or something in them."""
    return (symbols.name(node) or "").partition(".")[0] in ("tf", "keras")


def _is_class(node: ast.expr, symbols: Symbols) -> bool:
    """Tell whether an expression is a class of the files, whose methods are its own."""
    bindings = symbols.bindings(node)
    return bool(bindings) and all(isinstance(item.node, ast.ClassDef) for item in bindings)


def _replaced(owner: str, name: str) -> str:
    """Return the last name of what is another thing where a name in a module or class is stored.

    With a special method all objects of a class are others: a base class has many names.
    """
    if not name.startswith("__"):
        return name
    last = owner.rpartition(".")[2]
    return "" if last.startswith(("Base", "_")) else last


def _names(call: ast.Call, symbols: Symbols) -> Iterator[str]:
    owner = symbols.name(call.args[0]) or "" if call.args else ""
    if len(call.args) > 1 and not isinstance(call.args[1], ast.Constant):
        yield from [""] if _is_module(call.args[0], symbols) else []
    is_own = bool(call.args) and _is_class(call.args[0], symbols)
    for argument in call.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            around, _, name = argument.value.rpartition(".")
            if not (is_own and name.startswith("__")):
                yield _replaced(around or owner, name)
    yield from (keyword.arg for keyword in call.keywords if keyword.arg is not None)
