"""Where objects come from: the calls and classes that an expression's object may be made by.

Nothing is run, and nothing guessed: what is not seen is `UNKNOWN`, which is an origin like others.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tfgpu.code.canonical import canonical
from tfgpu.code.classes import Classes
from tfgpu.code.index import Binding, Scope, Variable
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.files.pattern import expression

if TYPE_CHECKING:
    from tfgpu.code.lists import Lists

# A class of the files that the object is made by, or the canonical path of what it comes from with
# all that was done to it: `tf.data.Dataset.range().map()`, `pandas.read_csv()[]`, `builtins.list`.
Origin = str | ast.ClassDef
UNKNOWN = "?"

_NOTHING: frozenset[Origin] = frozenset()
_UNKNOWN: frozenset[Origin] = frozenset([UNKNOWN])
_NUMBER: frozenset[Origin] = frozenset(["builtins.int"])
_LONGEST = 400
# An object of a class of TensorFlow, a session of one, and None. Attributes of such objects may be
# anything that the files have set.
_MADE = expression(
    r"tf(?:\.\w+)*\.[A-Z]\w*\(\)(?:\.(?:__enter__|managed_session)\(\))*|builtins\.NoneType"
)
# What a function is that `contextlib.contextmanager` decorates, when it has been called.
_MANAGER = "contextlib.GeneratorContextManager()"
_CLASS_METHOD = "builtins.classmethod"
_UNBOUND = frozenset([_CLASS_METHOD, "builtins.staticmethod"])
# What makes a method give its result where it is read, and not called.
_PROPERTIES = ("builtins.property", "functools.cached_property")
# Functions of Python whose result may be any object that exists already.
_COPIES = frozenset(["copy.copy()", "copy.deepcopy()"])
_HANDING_ON = frozenset(
    ["next", "getattr", "max", "min", "sum", "eval", "super", "vars", "globals", "locals"]
)
_DISPLAYS: dict[type[ast.expr], frozenset[Origin]] = {
    kind: frozenset([f"builtins.{name}"])
    for kind, name in (
        (ast.JoinedStr, "str"),
        (ast.List, "list"),
        (ast.ListComp, "list"),
        (ast.Tuple, "tuple"),
        (ast.Dict, "dict"),
        (ast.DictComp, "dict"),
        (ast.Set, "set"),
        (ast.SetComp, "set"),
        (ast.GeneratorExp, "generator"),
        (ast.Lambda, "function"),
        (ast.Compare, "bool"),
    )
}


class Origins:
    """The origins of objects in one file, or in several that are read as one.

    Python gives a parameter whatever it is called with: with `believes` it is what its annotation
    says, which is not certain.
    """

    def __init__(
        self, tree: Tree, symbols: Symbols, classes: Classes, believes: bool = True
    ) -> None:
        self._believes = believes
        self._tree = tree
        self._symbols = symbols
        self._classes = classes
        self._known: dict[ast.AST | Variable, frozenset[Origin]] = {}
        # What is being looked for, with its depth; and the lowest depth that came up again.
        self._open: dict[ast.AST | Variable, int] = {}
        self._lowest = sys.maxsize

    @cached_property
    def _lists(self) -> Lists:
        from tfgpu.code.lists import Lists  # noqa: PLC0415 - few need it

        return Lists(self._tree, self._symbols, self._classes)

    def of(self, node: ast.expr) -> frozenset[Origin]:
        """Return every origin that the object of an expression may have."""
        return self._once(node, self._short, node)

    def is_of_tensorflow(self, node: ast.expr) -> bool:
        """Tell whether an object is certainly of a class of TensorFlow, where it is not None."""
        origins = self.of(node)
        return bool(origins) and all(
            isinstance(item, str) and _MADE.fullmatch(item) for item in origins
        )

    def _once(
        self, key: ast.AST | Variable, find: Callable[..., frozenset[Origin]], *args: Any
    ) -> frozenset[Origin]:
        """Find origins once; nothing where they are being looked for: these come from themselves.

        What was found without a part that is still being looked for is not kept.
        """
        found = self._known.get(key)
        if found is not None:
            return found
        if key in self._open:
            self._lowest = min(self._lowest, self._open[key])
            return _NOTHING
        depth = self._open[key] = len(self._open)
        lowest, self._lowest = self._lowest, sys.maxsize
        found = find(*args)
        del self._open[key]
        if self._lowest >= depth:
            self._known[key] = found
            self._lowest = lowest
        else:
            self._lowest = min(lowest, self._lowest)
        return found

    def _short(self, node: ast.expr) -> frozenset[Origin]:
        found = self._find(node)
        if any(isinstance(item, str) and len(item) > _LONGEST for item in found):
            return _UNKNOWN
        return found

    def _find(self, node: ast.expr) -> frozenset[Origin]:
        display = _DISPLAYS.get(type(node))
        if display is not None:
            return display
        if isinstance(node, ast.Name | ast.Attribute):
            return self._named(node)
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.Constant):
            return frozenset([f"builtins.{type(node.value).__name__}"])
        if isinstance(node, ast.IfExp):
            return self.of(node.body) | self.of(node.orelse)
        if isinstance(node, ast.BoolOp):
            return _NOTHING.union(*map(self.of, node.values))
        if isinstance(node, ast.NamedExpr):
            return self.of(node.value)
        if isinstance(node, ast.Subscript):
            is_part = isinstance(node.slice, ast.Slice)
            return _then(self.of(node.value), "[]") if is_part else self._item(node.value)
        if isinstance(node, ast.UnaryOp):
            return _then(self.of(node.operand), ".__op__()")
        if isinstance(node, ast.BinOp):
            left = self.of(node.left)
            if isinstance(node.op, ast.Mod) and left == {"builtins.str"}:
                return left
            return _then(left, ".__op__()") | _then(self.of(node.right), ".__op__()")
        return _UNKNOWN

    def _named(self, node: ast.Name | ast.Attribute) -> frozenset[Origin]:
        paths = self._symbols.paths(node)
        if paths:
            return frozenset(map(canonical, paths))
        variable = self._symbols.variable(node)
        if variable is not None:
            return self._once(variable, self._variable, *variable)
        if isinstance(node, ast.Name):
            is_builtin = hasattr(builtins, node.id) and node.id not in _HANDING_ON
            return frozenset([f"builtins.{node.id}"]) if is_builtin else _UNKNOWN
        found = self._read_by_property(node)
        if found:
            return found
        owner = self._classes.self_class(node)
        if owner is not None:
            return self._attribute(node, owner)
        return _then(self.of(node.value), f".{node.attr}")

    def _variable(self, scope: Scope, name: str) -> frozenset[Origin]:
        if self._symbols.is_replaced((scope, name)):
            return _UNKNOWN
        grown = [one for one in scope.bindings[name] if isinstance(one.node, ast.AugAssign)]
        bound = [one for one in scope.bindings[name] if one not in grown]
        found = _NOTHING.union(*(self._bound(binding, name) for binding in bound))
        # `items += more` makes a list no other one.
        return found if not grown or found == {"builtins.list"} else _UNKNOWN

    def _bound(self, binding: Binding, name: str) -> frozenset[Origin]:
        node = binding.node
        if binding.path is not None:
            return frozenset([canonical(binding.path)])
        if binding.value is not None:
            return self.of(binding.value)
        if isinstance(node, ast.arg):
            return self._parameter(node)
        if isinstance(node, ast.withitem):
            is_name = isinstance(node.optional_vars, ast.Name)
            return self._entered(node.context_expr) if is_name else _UNKNOWN
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return frozenset(["builtins.function"])
        if isinstance(node, ast.For | ast.comprehension):
            return self._item(node.iter)
        if isinstance(node, ast.Tuple | ast.List):
            return self._unpacked(node, name)
        return _UNKNOWN

    def _item(self, node: ast.expr) -> frozenset[Origin]:
        """Return the origins of what is in a list, or in whatever else is asked for items."""
        elements = self._lists.elements(node)
        if elements is None:
            return _then(self.of(node), "[]")
        return _NOTHING.union(*map(self.of, elements))

    def _entered(self, manager: ast.expr) -> frozenset[Origin]:
        """Return the origins of what a `with` statement gives a name."""
        made = self.of(manager)
        function = self._classes.function(manager.func) if isinstance(manager, ast.Call) else None
        if made != {_MANAGER} or function is None:
            return _then(made, ".__enter__()")
        found = _NOTHING
        for node in self._tree.results(function):
            if isinstance(node, ast.YieldFrom):
                return _UNKNOWN
            if isinstance(node, ast.Yield) and node.value is not None:
                found |= self.of(node.value)
        return found or frozenset(["builtins.NoneType"])

    def _unpacked(self, target: ast.Tuple | ast.List, name: str) -> frozenset[Origin]:
        """Return the origins of a name among several that are assigned to at once."""
        statement = self._tree.parent[target]
        places = [
            place
            for place, item in enumerate(target.elts)
            if isinstance(item, ast.Name) and item.id == name
        ]
        if isinstance(statement, ast.For | ast.comprehension) and statement.target is target:
            return self._walked(statement.iter, target, places)
        if not places or not isinstance(statement, ast.Assign) or target not in statement.targets:
            return _UNKNOWN
        value = statement.value
        if not isinstance(value, ast.Tuple | ast.List):
            return _then(self.of(value), "[]")
        if len(value.elts) != len(target.elts) or any(
            isinstance(item, ast.Starred) for item in (*value.elts, *target.elts)
        ):
            return _UNKNOWN
        return _NOTHING.union(*(self.of(value.elts[place]) for place in places))

    def _walked(
        self, node: ast.expr, target: ast.Tuple | ast.List, places: list[int]
    ) -> frozenset[Origin]:
        """Return the origins of names in `for number, item in enumerate(items)`, or with `zip`."""
        named = self.of(node.func) if isinstance(node, ast.Call) else _NOTHING
        given = node.args if isinstance(node, ast.Call) else []
        starred = any(isinstance(item, ast.Starred) for item in (*given, *target.elts))
        if starred or not places:
            return _UNKNOWN
        if named == {"builtins.sorted"} and given:
            return self._walked(given[0], target, places)
        if set(places) == {0} and self._is_of_names(node):
            return frozenset(["builtins.str"])
        if named == {"builtins.enumerate"} and given and len(target.elts) == 2:
            items = [self._item(given[0]) if place else _NUMBER for place in places]
        elif named == {"builtins.zip"} and len(given) == len(target.elts):
            items = [self._item(given[place]) for place in places]
        else:
            return _then(self._item(node), "[]")
        return _NOTHING.union(*items)

    def _is_of_names(self, items: ast.expr) -> bool:
        """Tell whether an expression gives the items of a namespace: `vars(x).items()`."""
        method = items.func if isinstance(items, ast.Call) else None
        if not isinstance(method, ast.Attribute) or method.attr not in ("items", "iteritems"):
            return False
        owner = method.value
        if isinstance(owner, ast.Call):
            return self._tree.builtin(owner.func) in ("vars", "locals", "globals")
        return isinstance(owner, ast.Attribute) and owner.attr == "__dict__"

    def _parameter(self, argument: ast.arg) -> frozenset[Origin]:
        """Return what a parameter is annotated as, or not known; callers are not followed."""
        function = self._tree.parent[self._tree.parent[argument]]
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            positional = [*function.args.posonlyargs, *function.args.args]
            owner = self._tree.parent[function]
            is_first = bool(positional) and positional[0] is argument
            is_plain = not function.decorator_list or self._is_only(function, _CLASS_METHOD)
            if is_first and isinstance(owner, ast.ClassDef) and is_plain:
                return frozenset([owner])
        if argument.annotation is None or not self._believes:
            return _UNKNOWN
        return self._made(argument.annotation) or _UNKNOWN

    def _made(self, callee: ast.expr) -> frozenset[Origin]:
        """Return the origin of objects of a class; nothing if that is not known to be one."""
        bindings = self._symbols.bindings(callee)
        classes = [item.node for item in bindings if isinstance(item.node, ast.ClassDef)]
        if classes and len(classes) == len(bindings):
            return frozenset(classes)
        paths = self._symbols.paths(callee)
        return frozenset(f"{canonical(path)}()" for path in paths)

    def _called(self, call: ast.Call) -> frozenset[Origin]:
        made = self._made(call.func) or self._made_by_class(call.func)
        if made and made <= _COPIES and call.args and not isinstance(call.args[0], ast.Starred):
            return self.of(call.args[0])
        if made:
            return made
        function = self._classes.function(call.func)
        if function is not None:
            return self._returned(function)
        found = self._returned_by_method(call)
        if found:
            return found
        if isinstance(call.func, ast.Attribute) and self._classes.self_class(call.func) is not None:
            return _UNKNOWN
        return _then(self.of(call.func), "()")

    def _made_by_class(self, callee: ast.expr) -> frozenset[Origin]:
        """Return the classes of which `cls()` in a class method may make an object."""
        owner = self._classes.of_self(callee) if isinstance(callee, ast.Name) else None
        variable = self._symbols.variable(callee) if owner is not None else None
        if owner is None or variable is None or len(variable[0].bindings[variable[1]]) > 1:
            return _NOTHING
        method = variable[0].node
        is_class = isinstance(method, ast.FunctionDef) and self._is_only(method, _CLASS_METHOD)
        return frozenset(self._classes.relatives(owner)) if is_class else _NOTHING

    def _is_only(self, function: ast.FunctionDef | ast.AsyncFunctionDef, *kinds: str) -> bool:
        """Tell whether a function has one decorator, and that is one of some."""
        found = function.decorator_list
        return len(found) == 1 and any(self.of(found[0]) == {kind} for kind in kinds)

    def _returned_by_method(self, call: ast.Call) -> frozenset[Origin]:
        """Return the origins of what a method of objects of known classes returns."""
        if not isinstance(call.func, ast.Attribute):
            return _NOTHING
        return _NOTHING.union(*map(self._returned, self._methods(call.func)))

    def _read_by_property(self, node: ast.Attribute) -> frozenset[Origin]:
        """Return the origins of what a property of objects of known classes gives."""
        functions = self._methods(node)
        if not all(self._is_only(it, *_PROPERTIES) for it in functions):
            return _NOTHING
        return _NOTHING.union(*(self._once(it, self._given_back, it) for it in functions))

    def _methods(self, method: ast.Attribute) -> list[ast.FunctionDef]:
        """Return all methods that an attribute may be, of objects whose classes are known."""
        if method.attr in self._tree.set_attributes:
            return []
        own = self._classes.self_class(method)
        # A base that is not read may have a method of that name as well.
        if own is not None and not all(map(self._classes.is_known, self._classes.relatives(own))):
            return []
        found: list[ast.FunctionDef] = []
        for owner in self.of(method.value) if own is None else [own]:
            if not isinstance(owner, ast.ClassDef):
                return []
            bindings = self._classes.body_bindings(owner, method.attr)
            functions = [item.node for item in bindings if isinstance(item.node, ast.FunctionDef)]
            if not functions or len(functions) < len(bindings):
                return []
            found += functions
        return found

    def _returned(self, function: ast.FunctionDef) -> frozenset[Origin]:
        *outer, inner = [_NOTHING, *map(self.of, function.decorator_list)]
        decorators = _NOTHING.union(*outer)
        if inner == {"contextlib.contextmanager"} and decorators <= _UNBOUND:
            return frozenset([_MANAGER])
        if not (decorators | inner) <= _UNBOUND:
            return _UNKNOWN
        return self._once(function, self._given_back, function)

    def _given_back(self, function: ast.FunctionDef) -> frozenset[Origin]:
        found = _NOTHING
        for node in self._tree.results(function):
            if isinstance(node, ast.Yield | ast.YieldFrom):
                found = frozenset(["builtins.generator"])
                break
            if node.value is not None:
                found |= self.of(node.value)
        return found or frozenset(["builtins.NoneType"])

    def _attribute(self, node: ast.Attribute, owner: ast.ClassDef) -> frozenset[Origin]:
        """Return the origins of what is stored in an attribute of `self`."""
        stored = self.stored(node, owner)
        return _NOTHING.union(*map(self.of, stored)) if stored else _UNKNOWN

    def stored(self, node: ast.Attribute, owner: ast.ClassDef) -> list[ast.expr] | None:
        """Return all that is stored in an attribute of objects of a class; None if unknown."""
        body = self._classes.body_bindings(owner, node.attr) or self._classes.member(node)
        values = [item.value for item in body if isinstance(item.value, ast.Constant)]
        if len(values) < len(body):
            return None
        found: list[ast.expr] = [*values]
        for other in self._tree.attributes[node.attr]:
            if isinstance(other.ctx, ast.Load):
                continue
            statement = self._tree.parent[other]
            holder = self._classes.self_class(other)
            if holder is None or self._classes.are_related(holder, owner):
                if holder is None or not isinstance(statement, ast.Assign):
                    return None
                if other not in statement.targets:
                    return None
                found.append(statement.value)
        return found


def _then(origins: frozenset[Origin], done: str) -> frozenset[Origin]:
    """Return the origins of what is taken from objects, or what they return."""
    return frozenset(
        f"{item}{done}" if isinstance(item, str) and item != UNKNOWN else UNKNOWN
        for item in origins
    )
