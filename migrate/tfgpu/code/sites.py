"""Where functions are started from: the calls that are known, or that others may start them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from tfgpu.code.class_methods import ClassMethods
from tfgpu.code.classes import MADE_BY_CALLS
from tfgpu.code.finders import Finders
from tfgpu.code.index import Scope
from tfgpu.code.observers import SERIALIZERS
from tfgpu.code.processes import Processes
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name

if TYPE_CHECKING:
    from tfgpu.code.escapes import Escapes

# They call the function that they are given, or `main` of the module, once and at once.
_RUNNERS = frozenset(["tf.app.run", "absl.app.run", "app.run"])
# They leave a function what it was.
_TRANSPARENT = frozenset(["staticmethod", "classmethod", "abc.abstractmethod", "typing.overload"])
# Methods that need no object of their class.
_OF_CLASSES = frozenset(["__new__", "__init_subclass__", "__class_getitem__"])
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_DATA_CLASSES = frozenset(["dataclasses.dataclass", "attr.s", "functools.total_ordering"])
# What a comprehension runs in: the code around it.
INLINE = (ast.ListComp, ast.SetComp, ast.DictComp)


def home_of(node: ast.AST, tree: Tree) -> ast.AST:
    """Return the module, function or lambda whose code runs a node."""
    scope = tree.function(node)
    while isinstance(scope.node, INLINE) and scope.parent is not None:
        scope = tree.function(scope.node)
    return scope.node


def generators(tree: Tree) -> frozenset[ast.AST]:
    """Return the generator functions, whose code runs only when they are iterated."""
    return frozenset(
        home_of(node, tree) for kind in (ast.Yield, ast.YieldFrom) for node in tree.nodes(kind)
    )


class Sites:
    """The call sites of functions and methods in some files that are read as one.

    With `is_part` their program has more files, which are not analysed.
    """

    def __init__(
        self,
        tree: Tree,
        symbols: Symbols,
        finders: Finders,
        processes: Processes,
        is_part: bool,
    ) -> None:
        self._tree = tree
        self._symbols = symbols
        self._finders = finders
        self._processes = processes
        self._known: dict[ast.AST, list[ast.AST] | None] = {}
        self._generators = generators(tree)
        self._class_methods = ClassMethods(tree, symbols, finders.classes)
        self._is_part = is_part
        self._given_away: dict[ast.ClassDef, bool] = {}

    @cached_property
    def _escapes(self) -> Escapes:
        from tfgpu.code.escapes import Escapes  # noqa: PLC0415 - few need it

        return Escapes(self._tree, self._symbols)

    def of(self, function: ast.AST) -> list[ast.AST] | None:
        """Return the call sites of a function; None where unknown code may call it, at any time."""
        if function not in self._known:
            self._known[function] = self._find_sites(function)
        return self._known[function]

    def needed(self, home: ast.AST) -> list[ast.AST] | None:
        """Return calls of which one at least has begun whenever a function runs, if any are known.

        They call it, or what else its name may be, or make the object that it is a method of.
        """
        if self._is_unknown(home):
            return None
        scope, name = self._tree.scope(home), ""
        if isinstance(home, ast.Lambda):
            assigned = self._tree.parent[home]
            targets = assigned.targets if isinstance(assigned, ast.Assign) else []
            if len(targets) == 1 and isinstance(targets[0], ast.Name):
                scope, name = self._tree.scope(targets[0]), targets[0].id
        elif isinstance(home, _FUNCTIONS):
            if scope.kind == "class":
                return self._makers(home, scope)
            name = "" if home.decorator_list else home.name
        if not name or scope.kind == "class" or name.startswith("__") or name == "main":
            return None
        found = self._uses(name, self._tree.owner(name, scope) or scope)
        return None if found == [] and not self._processes.is_dead(home) else found

    def _makers(self, method: _Function, scope: Scope) -> list[ast.AST] | None:
        """Return the calls that make the objects of which a function is a method.

        None where objects may come in another way, or it can be called without one.
        """
        owner, name = scope.node, method.name
        assert isinstance(owner, ast.ClassDef)
        if name in _OF_CLASSES:
            return None
        if any(self._tree.builtin(item) != "property" for item in method.decorator_list):
            return None
        if any(self._tree.scope(use) is scope for use in self._tree.names.get(name, [])):
            return None  # A function, in the body of its class: `handlers = {"run": run}`.
        if any(item.path.partition(".")[0] in SERIALIZERS for item in self._tree.imports):
            return None
        related = {owner, *self._finders.classes.relatives(owner)}
        if not all(self._finders.classes.is_known(item, MADE_BY_CALLS) for item in related):
            return None
        return self._made(owner, frozenset())

    def _find_sites(self, function: ast.AST) -> list[ast.AST] | None:
        if not isinstance(function, ast.FunctionDef) or function in self._generators:
            return None
        if self._is_unknown(function):
            return None
        if any(not self._is_transparent(item) for item in function.decorator_list):
            return None
        scope = self._tree.scope(function)
        if scope.kind == "module" and function.name.startswith("__"):
            return None  # Python calls `__getattr__` and `__dir__` of a module.
        if scope.kind != "class":
            scope = self._tree.owner(function.name, scope) or scope  # `global` says another one
            if any(item.node is not function for item in scope.bindings.get(function.name, [])):
                return None
            found = self._uses(function.name, scope)
            if found == [] and function.name == "main" and scope.kind == "module":
                # Whoever starts the program calls it, once its module is there.
                return [self._tree.file(function).module.body[-1]]
            if found == [] and not self._processes.is_dead(function):
                return None
            return found
        owner = scope.node
        assert isinstance(owner, ast.ClassDef)
        if function.name == "__init__":
            if self._is_enum(owner):
                return None  # Its members are made where it is defined.
            return self._initialized(owner)
        special = function.name.startswith("__") and function.name.endswith("__")
        known = self._finders.classes.is_known(owner)
        if special or not known or self._objects_escape(owner):
            return None
        return self._method_uses(function, owner)

    def _is_unknown(self, function: ast.AST) -> bool:
        """Tell whether code that is not analysed, or not followed, may call a function."""
        return (
            self._is_part
            or self._finders.finds_any
            or self._processes.may_be_loaded(self._tree.file(function))
        )

    def _is_transparent(self, decorator: ast.expr) -> bool:
        return (self._tree.builtin(decorator) or self._symbols.name(decorator)) in _TRANSPARENT

    def _uses(self, name: str, scope: Scope) -> list[ast.AST] | None:
        """Return the calls of a function by its name; None where it is used otherwise."""
        variable = (scope, name)
        if self._finders.finds(name) or self._symbols.is_replaced(variable):
            return None
        importers = self._symbols.importers(variable)
        if any(self._tree.scope(item.statement).kind == "class" for item in importers):
            return None  # It is a method of that class.
        found: list[ast.AST] = []
        uses: list[ast.expr] = list(self._symbols.uses(variable))
        uses += self._unsure_uses(name, scope)
        for use in dict.fromkeys(uses):
            parent = self._tree.parent[use]
            if isinstance(parent, ast.Call) and parent.func is use:
                found.append(parent)
            elif (runner := self._runner(use)) is not None:
                found.append(runner)
            elif not self._is_harmless_use(use):
                return None
        if name == "main" and scope.kind == "module":
            # `tf.app.run()` runs the `main` of the script.
            home = self._tree.file(scope.node)
            for call in self._tree.calls:
                given = [*call.args, *call.keywords]
                if not given and self._is_runner(call) and self._tree.file(call) is home:
                    found.append(call)
        return found

    def _unsure_uses(self, name: str, scope: Scope) -> Iterator[ast.expr]:
        """Yield uses of a name in files that may have it from a module that is not resolved."""
        if scope.kind != "module":
            return
        home = self._tree.file(scope.node)
        for node in self._tree.names.get(name, []):
            there = self._tree.file(node)
            if (
                there is not home
                and there.star_imports
                and isinstance(node.ctx, ast.Load)
                and self._tree.owner(name, self._tree.scope(node)) is None
            ):
                yield node
        for item in self._symbols.importers((scope, name)):
            bindings = self._tree.bound(item)
            if len(bindings) > 1:
                # One of several things that a name may be.
                for node in self._tree.names.get(item.name, []):
                    if self._tree.bindings(node) is bindings and isinstance(node.ctx, ast.Load):
                        yield node
        for attribute in self._tree.attributes.get(name, []):
            if (
                isinstance(attribute.ctx, ast.Load)
                and self._symbols.variable(attribute) is None
                and self._may_be_file(attribute)
                and self._finders.may_be_module(attribute.value)
            ):
                yield attribute

    def _may_be_file(self, attribute: ast.Attribute) -> bool:
        paths = self._symbols.paths(attribute)
        return not paths or self._finders.may_be_file(paths)

    def _runner(self, use: ast.expr) -> ast.Call | None:
        """Return the call that runs a function which is given to it, once and at once."""
        parent = self._tree.parent[use]
        if isinstance(parent, ast.keyword):
            parent = self._tree.parent[parent]
        if isinstance(parent, ast.Call) and parent.func is not use and self._is_runner(parent):
            return parent
        return None

    def _is_runner(self, call: ast.Call) -> bool:
        return self._symbols.name(call.func) in _RUNNERS

    def _is_harmless_use(self, use: ast.expr) -> bool:
        """Tell whether a use does not let a function escape: an annotation, a test, `__name__`."""
        parent = self._tree.parent[use]
        if isinstance(parent, ast.Attribute):
            return parent.attr in ("__name__", "__doc__", "__module__", "__qualname__")
        return isinstance(parent, ast.arg) or (
            isinstance(parent, ast.FunctionDef) and parent.returns is use
        )

    def _initialized(self, owner: ast.ClassDef) -> list[ast.AST] | None:
        """Return the calls that run the `__init__` of a class, for new objects or for old ones."""
        found, classes = self._made(owner, frozenset()), self._finders.classes
        for use in self._tree.attributes.get("__init__", ()):
            method = self._tree.function(use).node
            # In an `__init__`, that of `super()` runs as what makes the object does.
            inherited = getattr(method, "name", "") == "__init__" and classes.is_super(use, ())
            by_class = classes.named(use.value) is not None
            if found is None or inherited or by_class or self._symbols.paths(use):
                continue
            call = self._constructed(use)
            found = None if call is None else [*found, call]
        return found

    def _made(self, owner: ast.ClassDef, seen: frozenset[ast.ClassDef]) -> list[ast.AST] | None:
        """Return the calls that make an object of a class, or of one that inherits from it."""
        if owner in seen:
            return None
        if any(not self._is_data(item) for item in owner.decorator_list):
            return None
        scope = self._tree.scope(owner)
        if scope.kind == "class" and self._tree.attributes.get(owner.name):
            return None  # `self.Block()`
        variable = (scope, owner.name)
        if self._finders.finds(owner.name) or len(scope.bindings.get(owner.name, [])) > 1:
            return None
        found: list[ast.AST] = []
        taken = dict.fromkeys(self._class_methods.class_uses(owner))
        uses = [*self._symbols.uses(variable), *self._unsure_uses(owner.name, scope), *taken]
        for use in dict.fromkeys(uses):
            parent = self._tree.parent[use]
            if isinstance(parent, ast.Call) and parent.func is use:
                found.append(parent)
            elif isinstance(parent, ast.ClassDef) and use in parent.bases:
                more = self._made(parent, seen | {owner})
                if more is None:
                    return None
                found += more
            elif self._is_super(use) or self._is_harmless_use(use):
                continue
            elif (call := self._constructed(parent)) is not None:
                found.append(call)
            elif not (self._is_check(use) or self._is_read(use, use in taken)):
                return None
        if not found and not self._processes.is_dead(owner):
            return None
        return found

    def _constructed(self, constructor: ast.AST) -> ast.Call | None:
        """Return the call of a constructor by its name: `Base.__init__(self)`."""
        if not (isinstance(constructor, ast.Attribute) and constructor.attr == "__init__"):
            return None
        call = self._tree.parent[constructor]
        return call if isinstance(call, ast.Call) and call.func is constructor else None

    def _is_enum(self, owner: ast.ClassDef) -> bool:
        return any(
            path.startswith("enum.")
            for item in self._finders.classes.relatives(owner)
            for base in item.bases
            for path in self._symbols.paths(base)
        )

    def _is_data(self, decorator: ast.expr) -> bool:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        return self._symbols.name(named) in _DATA_CLASSES

    def _is_super(self, use: ast.expr) -> bool:
        parent = self._tree.parent[use]
        return isinstance(parent, ast.Call) and self._tree.builtin(parent.func) == "super"

    def _is_read(self, use: ast.expr, is_taken: bool) -> bool:
        """Tell whether a class only serves to name what it has, or to make an object without more.

        With `is_taken` it is the class that a class method gets.
        """
        parent = self._tree.parent[use]
        if isinstance(parent, ast.Attribute) and parent.attr != "__init__":
            return is_taken or bool(self._finders.classes.member(parent))
        # `super().__new__(cls)`
        return isinstance(parent, ast.Call) and last_name(parent.func) == "__new__"

    def _is_check(self, use: ast.expr) -> bool:
        """Tell whether a class is only asked for: `isinstance(x, Trainer)`."""
        parent = self._tree.parent[use]
        if isinstance(parent, ast.Tuple):
            parent = self._tree.parent[parent]
        return isinstance(parent, ast.ExceptHandler) or (
            isinstance(parent, ast.Call)
            and self._tree.builtin(parent.func) in ("isinstance", "issubclass")
        )

    def _objects_escape(self, owner: ast.ClassDef) -> bool:
        """Tell whether objects of a class are given to code that may call any of their methods."""
        if owner not in self._given_away:
            self._given_away[owner] = True  # of classes that inherit from each other
            made = self._made(owner, frozenset())
            related = {owner, *self._finders.classes.relatives(owner)}
            self._given_away[owner] = (
                made is None
                or any(map(self._escapes.leaves, made))
                or any(map(self._escapes.leaves_methods, related))
            )
        return self._given_away[owner]

    def _method_uses(self, method: ast.FunctionDef, owner: ast.ClassDef) -> list[ast.AST] | None:
        """Return the calls of a method: all that call an attribute of its name on any object."""
        name = method.name
        if self._finders.finds(name):
            return None
        found: list[ast.AST] = []
        uses: list[ast.expr] = [
            item for item in self._tree.attributes.get(name, []) if isinstance(item.ctx, ast.Load)
        ]
        uses += [
            item
            for item in self._tree.names.get(name, [])
            if isinstance(item.ctx, ast.Load) and self._tree.scope(item) is self._tree.scope(method)
        ]
        for use in uses:
            if isinstance(use, ast.Attribute) and self._is_of_library(use):
                continue
            parent = self._tree.parent[use]
            if not (isinstance(parent, ast.Call) and parent.func is use):
                return None
            found.append(parent)
        if found or self._made(owner, frozenset()) == []:
            return found
        return None

    def _is_of_library(self, use: ast.expr) -> bool:
        """Tell whether an attribute certainly belongs to no object of a class of the files."""
        if self._symbols.paths(use):
            return True
        if isinstance(use, ast.Attribute) and self._finders.certain_origins.is_of_tensorflow(
            use.value
        ):
            return True
        variable = self._symbols.variable(use)
        if variable is None:
            return False
        bindings = variable[0].bindings[variable[1]]
        return bool(bindings) and all(
            isinstance(item.node, ast.FunctionDef | ast.ClassDef) for item in bindings
        )
