"""What runs code that is not read: of libraries, of objects that may come from them, of texts.

It may do anything. Libraries that are known not to configure GPUs, those of Python among them, are
taken to do nothing; what runs code of the program is followed instead.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cached_property
from typing import TypeVar

from tfgpu.code.canonical import canonical
from tfgpu.code.held import ANYTHING, PYTHON, is_held, root_of
from tfgpu.code.order import Order
from tfgpu.code.origins import UNKNOWN, Origin, Origins
from tfgpu.dataclass import dataclass
from tfgpu.decide.given import given_for, is_decorated
from tfgpu.decide.libraries import Libraries
from tfgpu.files.pattern import expression
from tfgpu.flow.collect import Analysis

_TENSORFLOW = frozenset(["tf", "keras", "tensorflow"])
# Builtins that call nothing but methods which objects have by a name of Python's own.
_QUIET = frozenset(
    [
        "abs", "bool", "bytes", "callable", "chr", "divmod", "float", "getattr", "hasattr", "id",
        "int", "isinstance", "issubclass", "len", "object", "ord", "print", "range", "repr",
        "round", "setattr", "str",
    ]
)  # fmt: skip
# Hooks of sessions, and those of their methods that TensorFlow calls with objects of its own.
_HOOKS = expression(r"tf\.(?:train|estimator)\.\w+Hook")
_CALLED_BY_TENSORFLOW = frozenset(["after_create_session", "before_run", "after_run", "end"])
# They return dictionaries of Python, whatever these hold.
_NAMESPACES = frozenset(["globals", "locals", "vars"])
_Node = TypeVar("_Node", bound=ast.AST)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_GIVEN = (ast.Call, ast.keyword, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Return, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Counted:
    """Which objects count as those of unread code: all unknown ones, or what `outside` may give.

    That is code that is none of the files and calls a function of them.
    """

    unknown: bool = True
    outside: bool = True


ALL = Counted()


class Unread:
    """What runs code that is not read, in one file or in several that are read as one.

    `named` are the expressions of the files that refer to something imported, each with its path.
    `libraries` tells which of them are not read; `not_plain` is what is no plain Python.
    """

    def __init__(
        self,
        analysis: Analysis,
        origins: Origins,
        order: Order,
        named: Iterable[tuple[ast.Name | ast.Attribute, str]],
        libraries: Libraries,
        not_plain: Iterable[ast.AST],
    ) -> None:
        self._libraries = libraries
        self._not_plain = not_plain
        self._analysis = analysis
        self._tree = analysis.tree
        self._symbols = analysis.symbols
        self._origins = origins
        self._order = order
        self._named = named
        self._open: set[ast.expr] = set()
        self._counted = ALL
        # Where such code is looked for: None for everywhere.
        self._among: frozenset[ast.AST] | None = None

    @cached_property
    def places(self) -> list[ast.AST]:
        """The imports, calls and `with` items that may run such code."""
        return list(self._find())

    @cached_property
    def foreign(self) -> list[ast.AST]:
        """Those of them that name what is not read, or what may be any code."""
        return self._without(Counted(unknown=False, outside=False))

    @cached_property
    def sure(self) -> frozenset[ast.AST]:
        """Those of them that stay, if no object that is not known comes from code not read.

        A function that nothing here calls may be given any object by code outside of the files.
        """
        return frozenset(self._without(Counted(unknown=False, outside=True)))

    def _without(self, counted: Counted) -> list[ast.AST]:
        """Return the places that stay where less counts: no other place can be one of them."""
        other = copy(self)
        other._counted, other._among = counted, frozenset(self.places)
        return list(other._find())

    def _looked_at(self, nodes: Iterable[_Node]) -> Iterator[_Node]:
        among = self._among
        return (node for node in nodes if among is None or node in among)

    def _find(self) -> Iterator[ast.AST]:
        tree = self._tree
        for item in tree.imports:
            if self._libraries.is_import_unread(item):
                yield item.statement
        yield from self._stars
        yield from self._not_plain
        yield from self._order.dynamic
        for call in self._looked_at(tree.calls):
            if self._runs(call) and not self._analysis.values.is_rank(call):
                yield call
        entered = (item.context_expr for item in tree.nodes(ast.withitem))
        yield from filter(self._is_unread, self._looked_at(entered))
        yield from filter(self._is_unread, self._looked_at(self._decorators()))
        for owner in tree.nodes(ast.ClassDef):
            yield from filter(self._is_unread_base, self._looked_at(_bases(owner)))

    def _decorators(self) -> Iterator[ast.expr]:
        """Yield what is applied to functions and classes where they are defined."""
        for kind in _DEFINITIONS:
            for definition in self._tree.nodes(kind):
                yield from getattr(definition, "decorator_list", [])

    def _runs(self, call: ast.Call) -> bool:
        """Tell whether a call may run code that is not read."""
        symbols, callee = self._symbols, call.func
        paths = symbols.paths(callee)
        named = self._named_import(call, paths)
        if named is not None:
            return self._is_named_unread(call, named)
        if paths:
            roots = {canonical(path).partition(".")[0] for path in paths}
            return any(map(self._libraries.is_unread, paths)) or (
                not roots <= _TENSORFLOW and self._may_call_back(call)
            )
        builtin = self._analysis.tree.builtin(callee) or ""
        if hasattr(builtins, builtin):
            plain = not any(isinstance(item, ast.Starred) for item in call.args)
            return not (builtin in _QUIET and plain) and self._may_call_back(call)
        bindings = symbols.bindings(callee)
        if isinstance(callee, ast.Attribute):
            bindings = bindings or self._analysis.callees.classes.member(callee)
        if bindings and all(isinstance(item.node, _DEFINITIONS) for item in bindings):
            return any(self._is_wrapped(item.node) for item in bindings)
        used = callee.value if isinstance(callee, ast.Attribute) else callee
        return self._is_unread(used) or self._may_call_back(call)

    def _named_import(self, call: ast.Call, paths: Iterable[str]) -> str | None:
        """Return the module that a call imports by a name that is written there."""
        builtin = self._analysis.tree.builtin(call.func)
        if "importlib.import_module" not in paths and builtin != "__import__":
            return None
        first = call.args[0] if call.args else None
        name = first.value if isinstance(first, ast.Constant) else None
        return name if isinstance(name, str) else None

    def _is_named_unread(self, call: ast.Call, name: str) -> bool:
        """Tell whether a module that is imported by its name is none that is read, or known."""
        statement = self._tree.statement(call)
        if self._libraries.is_left_out(statement, name):
            return False
        if not name.startswith("."):
            return self._libraries.is_unread(name)
        return statement not in {one for one, _ in self._tree.imported_modules()}

    def _is_wrapped(self, definition: ast.AST) -> bool:
        """Tell whether a decorator, or an inherited class, is code that is not read."""
        inherits = isinstance(definition, ast.ClassDef) and self._inherits(definition)
        return inherits or any(map(self._is_unread, getattr(definition, "decorator_list", [])))

    def _inherits(self, owner: ast.ClassDef, seen: frozenset[ast.ClassDef] = frozenset()) -> bool:
        """Tell whether objects of a class may have methods that are not read."""
        return any(self._is_unread_base(base, seen | {owner}) for base in _bases(owner))

    def _is_unread_base(self, base: ast.expr, seen: frozenset[ast.ClassDef] = frozenset()) -> bool:
        known = self._analysis.callees.classes.named(base)
        if known in seen:
            return False
        return self._inherits(known, seen) if known else self._is_unread(base)

    def _is_unread(self, node: ast.expr) -> bool:
        """Tell whether the object of an expression may have methods that are not read."""
        builtin = self._analysis.tree.builtin(node.func if isinstance(node, ast.Call) else node)
        if builtin in _NAMESPACES:
            return False
        if builtin == "super":
            around = self._tree.parent[self._tree.function(node).node]
            return not isinstance(around, ast.ClassDef) or self._inherits(around)
        if isinstance(node, ast.Name) and (
            self._is_given_by_tensorflow(node) or is_decorated(node, self._analysis)
        ):
            return False
        if node in self._open:
            return False  # It is given on and on; what it was first is asked, too.
        given = self._given(node)
        if given is not None and self._origins.of(node) == {UNKNOWN}:
            self._open.add(node)
            found = any(map(self._is_unread, given))
            self._open.remove(node)
            return found
        if self._is_asked_of_library(node):
            return False
        if not self._counted.unknown and self._counted.outside and self._is_outside(node):
            return True
        return not self._is_missing(node) and any(
            map(self._is_origin_unread, self._origins.of(node) or {UNKNOWN})
        )

    def _is_asked_of_library(self, node: ast.expr) -> bool:
        """Tell whether an object comes out of one of a known library: `x.get_shape()[0]`."""
        owner: ast.expr = node
        while isinstance(owner, ast.Attribute | ast.Subscript | ast.Call):
            owner = owner.func if isinstance(owner, ast.Call) else owner.value
            given = self._given(owner)
            if given is not None and owner not in self._open:
                self._open.add(owner)
                found = bool(given) and all(map(self._is_of_library, given))
                self._open.remove(owner)
                return found
        return False

    def _is_of_library(self, node: ast.expr) -> bool:
        """Tell whether an object is certainly one of a library that is known to do nothing."""
        origins = self._origins.of(node)
        return self._is_asked_of_library(node) or bool(
            origins
            and all(
                isinstance(one, str)
                and one != UNKNOWN
                and root_of(one) not in PYTHON
                and not self._libraries.is_unread(one)
                for one in origins
            )
        )

    def _is_outside(self, node: ast.expr) -> bool:
        """Tell whether a name is a parameter of a function that nothing in the files calls."""
        bindings = self._tree.bindings(node) if isinstance(node, ast.Name) else []
        return any(
            isinstance(item.node, ast.arg)
            and self._is_uncalled(self._tree.function(item.node).node)
            for item in bindings
        )

    def _is_uncalled(self, function: ast.AST) -> bool:
        if not isinstance(function, ast.FunctionDef) or function.decorator_list:
            return False
        name, owner = function.name, self._tree.parent[function]
        if name == "main" or (name.startswith("__") and name.endswith("__")):
            return False
        classes = self._analysis.callees.classes
        inherits = isinstance(owner, ast.ClassDef) and any(
            item.decorator_list or not classes.is_known(item) for item in classes.relatives(owner)
        )
        return not (inherits or self._is_named(name))

    def _is_named(self, name: str) -> bool:
        """Tell whether a function or method of a name is asked for anywhere, also by a text."""
        uses = (*self._tree.names.get(name, ()), *self._tree.attributes.get(name, ()))
        return name in self._tree.texts or any(isinstance(use.ctx, ast.Load) for use in uses)

    def _given(self, node: ast.expr) -> list[ast.expr] | None:
        """Return all that a parameter without an annotation, or an attribute, may be, if known."""
        if isinstance(node, ast.Attribute):
            owner = self._analysis.callees.classes.self_class(node)
            return None if owner is None else self._origins.stored(node, owner) or None
        bindings = self._tree.bindings(node) if isinstance(node, ast.Name) else []
        parameter = bindings[0].node if len(bindings) == 1 else None
        if not isinstance(parameter, ast.arg) or parameter.annotation is not None:
            return None
        return given_for(parameter, self._tree, self._order)

    def _is_given_by_tensorflow(self, node: ast.Name) -> bool:
        """Tell whether a name is a parameter of a hook of sessions that only TensorFlow calls."""
        method = self._tree.function(node).node
        owner = self._tree.parent.get(method)
        return (
            isinstance(method, ast.FunctionDef)
            and method.name in _CALLED_BY_TENSORFLOW
            and isinstance(owner, ast.ClassDef)
            and node.id in [parameter.arg for parameter in method.args.args[1:]]
            and len(self._tree.bindings(node)) == 1
            and any(
                _HOOKS.fullmatch(canonical(path))
                for base in owner.bases
                for path in self._symbols.paths(base)
            )
            and not any(
                isinstance(use.ctx, ast.Load) and self._may_be(use.value, owner)
                for use in self._tree.attributes.get(method.name, [])
            )
        )

    def _may_be(self, node: ast.expr, owner: ast.ClassDef) -> bool:
        """Tell whether the object of an expression may be one of a class."""
        return any(
            origin == UNKNOWN
            or (
                isinstance(origin, ast.ClassDef)
                and self._analysis.callees.classes.are_related(origin, owner)
            )
            for origin in self._origins.of(node) or {UNKNOWN}
        )

    def _is_missing(self, node: ast.expr) -> bool:
        """Tell whether a name is bound nowhere: it raises an error, and nothing runs."""
        while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
            node = node.func if isinstance(node, ast.Call) else node.value
        return (
            isinstance(node, ast.Name)
            and not self._tree.bindings(node)
            and not hasattr(builtins, node.id)
            and not self._stars
        )

    @cached_property
    def _stars(self) -> list[ast.ImportFrom]:
        """The statements that bring any names of libraries: `from tools import *`."""
        read = {statement for statement, _ in self._tree.imported_modules()}
        return [
            node
            for node in self._tree.nodes(ast.ImportFrom)
            if node.names[0].name == "*"
            and node not in read
            and not self._libraries.is_left_out(node, "." * node.level + (node.module or ""))
            and (node.level or self._libraries.is_unread(node.module or ""))
        ]

    def _is_origin_unread(self, origin: Origin) -> bool:
        if isinstance(origin, ast.ClassDef):
            return self._inherits(origin)
        if origin == UNKNOWN or is_held(origin):
            return self._counted.unknown or _is_of_anything(origin)
        return self._libraries.is_unread(origin)

    def _may_call_back(self, call: ast.Call) -> bool:
        """Tell whether functions of libraries have been given to others, which may call them."""
        return any(self._order.may_precede(node, call) for node in self._handed_on)

    @cached_property
    def _handed_on(self) -> list[ast.AST]:
        """The functions of libraries that are given to others."""
        return [
            node
            for node, path in self._named
            if isinstance(node.ctx, ast.Load)
            and self._libraries.is_unread(path)
            and isinstance(parent := self._tree.parent[node], _GIVEN)
            and not (isinstance(parent, ast.Call) and parent.func is node)
        ]


def _is_of_anything(origin: str) -> bool:
    return origin != UNKNOWN and root_of(origin) in ANYTHING


def _bases(owner: ast.ClassDef) -> list[ast.expr]:
    return [*owner.bases, *(keyword.value for keyword in owner.keywords)]
