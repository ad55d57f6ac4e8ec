"""What of a class acts when an attribute of its objects is set, or reads all of its attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.classes import Classes
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree

# What a class has that every attribute of its objects goes through, or that stands in for one.
_EACH = (
    "__setattr__",
    "__getattr__",
    "__getattribute__",
    "__slots__",
    "__getstate__",
    "__match_args__",
)
# Bases whose objects refuse attributes, show them as text, or have them in one thread only.
_BASES = frozenset(
    [
        "typing.NamedTuple", "types.SimpleNamespace", "argparse.Namespace", "threading.local",
        "_thread._local",
    ]
)  # fmt: skip
# Decorators that write methods which read the fields of a class; with these arguments its objects
# refuse all other attributes, as those of the other decorators of these packages may.
_DATA = frozenset(["dataclasses.dataclass", "attr.s", "attr.attrs", "attr.dataclass"])
_REFUSES = ("frozen", "slots", None)
_PACKAGES = ("attr", "attrs", "pydantic")
SERIALIZERS = frozenset(
    [
        "pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "yaml", "jsonpickle",
        "shelve",
    ]
)  # fmt: skip
"""What writes all of an object into a file or a text, and makes one of that again."""
WRITES_ALL = ("dill.dump_session", "dill.dump_module")
"""What writes all variables of a script, with the objects that these have."""
STATES = ("__getstate__", "__reduce__", "__reduce_ex__")
"""The methods that give all of an object."""
# What sees variables, or objects, wherever they are, and arguments with which a traceback does.
_EVERYTHING = frozenset(
    [
        "gc.get_objects", "gc.get_referrers", "gc.get_referents", "inspect.getclosurevars",
        "sys.settrace", "sys.setprofile", "threading.settrace", "threading.setprofile",
        *WRITES_ALL,
    ]
)  # fmt: skip
_LOCALS = ("capture_locals", "show_locals")


def observers(
    owner: ast.ClassDef, name: str, classes: Classes, symbols: Symbols
) -> Iterator[ast.expr | ast.FunctionDef]:
    """Yield what acts when an attribute of a class is set, or reads it without its name."""
    for method in _EACH:
        for binding in classes.body_bindings(owner, method):
            if isinstance(binding.node, ast.FunctionDef):
                yield binding.node
            elif binding.value is not None:
                yield binding.value
    relatives = classes.in_order(owner)
    is_field = any(has_field(one, name) for one in relatives)
    for one in relatives:
        for base in one.bases:
            if not _BASES.isdisjoint(symbols.paths(base)):
                yield base
        for decorator in one.decorator_list:
            if _observes(decorator, is_field, symbols):
                yield decorator


def protocols(name: str, tree: Tree, symbols: Symbols) -> Iterator[ast.expr]:
    """Yield what lets `isinstance` ask any object for an attribute: `typing.runtime_checkable`."""
    for owner in tree.nodes(ast.ClassDef):
        for decorator in owner.decorator_list:
            checked = any(path.endswith(".runtime_checkable") for path in symbols.paths(decorator))
            methods = (getattr(item, "name", None) for item in owner.body)
            if checked and (has_field(owner, name) or name in methods):
                yield decorator


def has_field(owner: ast.ClassDef, name: str) -> bool:
    """Tell whether the body of a class declares an attribute: `config: object = None`."""
    return any(
        isinstance(target, ast.Name) and target.id == name
        for statement in owner.body
        if isinstance(statement, ast.AnnAssign | ast.Assign)
        for target in (
            statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        )
    )


def _observes(decorator: ast.expr, is_field: bool, symbols: Symbols) -> bool:
    """Tell whether a decorator makes a class read its fields, or refuse attributes."""
    given = decorator.keywords if isinstance(decorator, ast.Call) else []
    paths = symbols.paths(decorator.func if isinstance(decorator, ast.Call) else decorator)
    if not _DATA.isdisjoint(paths):
        return is_field or any(item.arg in _REFUSES for item in given)
    return any(path.partition(".")[0] in _PACKAGES for path in paths)


def sees_all(call: ast.Call, name: str | None) -> bool:
    """Tell whether a call of a library's function may see all that a program has in variables."""
    return name in _EVERYTHING or any(
        item.arg in _LOCALS and getattr(item.value, "value", True) is not False
        for item in call.keywords
    )
