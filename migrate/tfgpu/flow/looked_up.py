"""Sessions that are looked up by a name in TensorFlow, where that is an object among others.

`libs = {"tf": tf}`, `Backend(tf)`, `def f(lib=tf)`: what has the module may take a class of
sessions from it, or have Keras make one.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from tfgpu.code.canonical import canonical
from tfgpu.code.origins import UNKNOWN
from tfgpu.code.tree import Tree, last_name
from tfgpu.flow.locations import Reading

_SESSION, _OF_BACKEND = "tf.Session", "keras.backend.get_session"
# They give an attribute by its name, once they are called or later.
_BY_NAME = ("getattr", "attrgetter", "methodcaller", "__getattribute__", "partial", "map", "get")
_LATER = ("attrgetter", "methodcaller")
# What has all attributes of an object.
_WHOLE = ("vars", "getmembers")
# What may have an object that is stored, or returned, in origins.
_HOLDING = ("[]", "builtins.function()")
# The modules of Keras that have functions which make its session.
_OF_KERAS = ("backend", "models", "K")


def looked_up(reading: Reading, kinds: Mapping[str, str]) -> Iterator[tuple[ast.expr, str]]:
    """Yield what may make a session that is looked up by its name, with a name that makes one.

    `kinds` are the canonical names that make sessions, with their kinds. A call makes its session
    there, other code may at any time.
    """
    tree = reading.tree
    classes = [name for name, kind in kinds.items() if kind == "class"]
    functions = [name for name, kind in kinds.items() if kind == "keras" and name[0] != "."]
    modules = {name.rpartition(".")[0] for name in classes}
    of_keras = {name.rpartition(".")[0] for name in functions} | {"keras"}
    is_object = any(_objects(reading, modules))
    keras_words = sorted({name.rpartition(".")[2] for name in functions})
    words = sorted({name.rpartition(".")[2] for name in classes})
    if is_object or any(_objects(reading, of_keras)):
        words += keras_words
    for word in words:
        for text in tree.texts.get(word, ()):
            if _is_looked_up(text, reading):
                yield text, _SESSION
    for node in _computed(reading, modules) if is_object else ():
        yield node, _SESSION
    for word in keras_words if is_object else ():
        for attribute in tree.attributes.get(word, ()):
            if last_name(attribute.value) in _OF_KERAS and not reading.symbols.paths(attribute):
                call = tree.parent[attribute]
                if isinstance(call, ast.Call) and call.func is attribute:
                    yield call, _OF_BACKEND
                else:
                    yield attribute, _SESSION


def _objects(reading: Reading, modules: Collection[str]) -> Iterator[ast.AST]:
    """Yield where one of some modules becomes an object, or is found by its name."""
    names, tree = reading.callees.names, reading.tree
    for node, path in names.found:
        if canonical(path) in modules and names.is_whole(node) and names.is_value(node):
            yield node
    own = {item.name for item in tree.imports if canonical(item.path) in modules}
    for word in sorted(own | {text for text in tree.texts if text.startswith("tensorflow")}):
        yield from (text for text in tree.texts.get(word, ()) if _is_key(text, tree))


def _is_key(text: ast.AST, tree: Tree) -> bool:
    """Tell whether a text is what something is looked up by: `globals()["tf"]`."""
    parent = tree.parent[text]
    if isinstance(parent, ast.Subscript):
        return parent.slice is text
    return isinstance(parent, ast.Call) and last_name(parent.func) in _BY_NAME


def _is_looked_up(text: ast.AST, reading: Reading) -> bool:
    """Tell whether a text may name an attribute of an object of which the class is not known."""
    tree = reading.tree
    if not _is_key(text, tree):
        return False
    call = tree.parent[text]
    around = tree.parent[call]
    if isinstance(call, ast.Subscript) and isinstance(around, ast.Call) and around.func is call:
        return False  # A call of something that has such a name.
    # What is got from a module by its name is followed as that.
    return not (
        isinstance(call, ast.Call)
        and tree.builtin(call.func) == "getattr"
        and reading.symbols.paths(call.args[0])
    )


def _computed(reading: Reading, modules: Collection[str]) -> Iterator[ast.expr]:
    """Yield what gives attributes by names that are not known before a run."""
    tree, symbols, origins = reading.tree, reading.symbols, reading.callees.finders.origins

    def is_module(node: ast.expr, or_unknown: bool) -> bool:
        found = symbols.paths(node) or origins.of(node)
        texts = [item for item in found if isinstance(item, str)]
        return any(canonical(item) in modules for item in texts) or (
            or_unknown and any(item == UNKNOWN or any(map(item.count, _HOLDING)) for item in texts)
        )

    def gives(names: ast.expr, owner: ast.expr) -> bool:
        item = tree.parent[names]
        if isinstance(item, ast.Subscript) and isinstance(item.slice, ast.Constant):
            return False
        is_made = isinstance(item, ast.Subscript) and _makes(item, tree)
        return is_module(owner, or_unknown=is_made)

    for name in tree.names.get("getattr", ()):
        call = tree.parent[name]
        if not (isinstance(call, ast.Call) and call.func is name):
            yield name
            continue
        key = call.args[1] if len(call.args) > 1 else None
        if key is None or isinstance(key, ast.Constant) or symbols.paths(call.args[0]):
            continue
        may_be = _makes(call, tree) or "sess" in tree.source(key).lower()
        if may_be and is_module(call.args[0], or_unknown=True):
            yield call
    for call in tree.calls:
        word, given = last_name(call.func), call.args[:1]
        if (word in _LATER and not all(isinstance(item, ast.Constant) for item in given)) or (
            word in _WHOLE and given and gives(call, given[0])
        ):
            yield call
    for node in tree.attributes.get("__dict__", ()):
        if gives(node, node.value):
            yield node


def _makes(node: ast.expr, tree: Tree) -> bool:
    """Tell whether what was looked up is called as sessions are: hardly ever by position."""
    call = tree.parent[node]
    return isinstance(call, ast.Call) and call.func is node and not call.args
