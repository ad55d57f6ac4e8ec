"""What a call writes into a file or a text, with all that it has: `pickle.dump(nets, file)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.observers import SERIALIZERS
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree

_WRITES = frozenset(["dump", "dumps", "dump_all", "safe_dump", "encode", "hash"])
_WRITERS = frozenset(
    [
        "numpy.save", "numpy.savez", "numpy.savez_compressed", "pandas.to_pickle",
        "six.moves.cPickle.dump", "six.moves.cPickle.dumps", "sklearn.externals.joblib.dump",
    ]
)  # fmt: skip


def written(call: ast.Call, function: str, tree: Tree, symbols: Symbols) -> Iterator[ast.expr]:
    """Yield what a call of a function writes, with all that it has, into a file or a text."""
    module, _, name = function.rpartition(".")
    if function in _WRITERS or (module.partition(".")[0] in SERIALIZERS and name in _WRITES):
        for given in (*call.args, *(item.value for item in call.keywords)):
            yield from _held(given, tree, symbols)


def kept_by(owner: ast.ClassDef, tree: Tree, symbols: Symbols) -> Iterator[ast.expr]:
    """Yield what the code of a class assigns: its objects may have it as an attribute."""
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign):
            yield from _held(node.value, tree, symbols)


def _held(node: ast.expr, tree: Tree, symbols: Symbols) -> Iterator[ast.expr]:
    """Yield an expression, the items that it shows, and those of the variables among these."""
    for part in _parts_of(node):
        yield part
        if isinstance(part, ast.Name):
            yield from _put_into(part, tree, symbols)


def _put_into(name: ast.Name, tree: Tree, symbols: Symbols) -> Iterator[ast.expr]:
    """Yield what a variable shows, and what its methods and items are given: `nets.append(net)`.

    For a parameter it is what calls by the name of its function, or class, are given.
    """
    variable = symbols.variable(name)
    for binding in symbols.bindings(name):
        if binding.value is not None:
            yield from _parts_of(binding.value)
        elif binding.kind == "param":
            yield from _given_to(name, tree)
    for use in symbols.uses(variable) if variable is not None else ():
        around = tree.parent[use]
        above = tree.parent[around]
        if isinstance(around, ast.Subscript) and isinstance(above, ast.Assign):
            yield from _parts_of(above.value)
        elif isinstance(around, ast.Attribute) and isinstance(above, ast.Call):
            for given in above.args:
                yield from _parts_of(given)


def _given_to(parameter: ast.Name, tree: Tree) -> Iterator[ast.expr]:
    """Yield the arguments of calls that look like those of the function of a parameter."""
    scope = tree.function(parameter)
    function = parameter if scope is None else scope.node
    name = getattr(function, "name", "")
    if name == "__init__":
        name = getattr(tree.parent[function], "name", name)
    for callee in (*tree.names.get(name, ()), *tree.attributes.get(name, ())):
        call = tree.parent[callee]
        if isinstance(call, ast.Call) and call.func is callee:
            for given in (*call.args, *(item.value for item in call.keywords)):
                yield from _parts_of(given)


def _parts_of(node: ast.expr) -> Iterator[ast.expr]:
    """Yield an expression, and the items that it shows."""
    yield node
    if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
        for item in node.values if isinstance(node, ast.Dict) else node.elts:
            yield from _parts_of(item)
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        yield from _parts_of(node.value if isinstance(node, ast.DictComp) else node.elt)
