"""Classes of the files: whose `self` it is, what they inherit, and which have objects in common."""

from __future__ import annotations

import ast
from collections.abc import Collection, Container, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from tfgpu.code.abstract import is_abstract
from tfgpu.code.borrowed import CLASS_METHODS, Borrowed
from tfgpu.code.ends import may_end
from tfgpu.code.index import Binding
from tfgpu.code.special import special_methods
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree

if TYPE_CHECKING:
    from tfgpu.code.bases import Bases

# Methods that decide what an object is.
_MAKERS = frozenset(["__new__", "__getattribute__"])
# Those that a class, or a metaclass, may get elsewhere: `Settings.__new__ = make`.
_GIVEN = ("__new__", "__call__")
# Bases, and a metaclass, that run nothing and read nothing of a class but its abstract methods.
_ABSTRACT = ("abc.ABC", "abc.ABCMeta")
# Classes of libraries whose objects are made by calls alone, and are never sent to another process.
MADE_BY_CALLS = (
    "threading.Thread", "tf.train.SessionRunHook", "tf.train.SessionCreator",
    "tf.train.CheckpointSaverListener", "tf.estimator.SessionRunHook",
    "tf.estimator.CheckpointSaverListener", "keras.callbacks.Callback",
    "tf.python.training.session_run_hook.SessionRunHook",
    "tf.python.training.monitored_session.SessionCreator",
)  # fmt: skip
# Those of which objects have no attribute of another class of the program, either.
_APART = (*MADE_BY_CALLS, "unittest.TestCase", "tf.test.TestCase")
# What may set an attribute without its name.
_BY_NAME = ("setattr", "delattr", "vars", "exec", "eval")
_OF_OBJECTS = ("__dict__", "__setattr__", "__class__")


class Classes:
    """The classes of one file, or of several that are read as one."""

    def __init__(self, tree: Tree, symbols: Symbols) -> None:
        self._tree = tree
        self._symbols = symbols
        self._lines: dict[ast.ClassDef, frozenset[ast.ClassDef]] = {}
        self._returning: set[ast.Call] = set()
        self._objects: dict[ast.expr, ast.ClassDef | None] = {}
        self._simple: dict[ast.FunctionDef, bool] = {}
        self._borrowed = Borrowed(tree, symbols, self)
        self._used: dict[str, dict[ast.ClassDef, list[ast.Attribute]]] = {}

    @cached_property
    def _bases(self) -> Bases:
        from tfgpu.code.bases import Bases  # noqa: PLC0415 - few need it

        return Bases(self._tree, self._symbols)

    def self_class(self, node: ast.Attribute) -> ast.ClassDef | None:
        """Return the class whose `self` an attribute belongs to."""
        return self.of_self(node.value) if isinstance(node.value, ast.Name) else None

    def of_self(self, node: ast.Name) -> ast.ClassDef | None:
        """Return the class whose `self` a name is, where its method runs for no other objects."""
        owner, method = self.own(node)
        return None if owner is None or self._borrowed.is_borrowed(method, owner) else owner

    def own(self, node: ast.Name) -> tuple[ast.ClassDef | None, ast.AST]:
        """Return the class and the method of which a name is the first parameter."""
        scope = self._tree.owner(node.id, self._tree.scope(node))
        if scope is None or not isinstance(scope.node, ast.FunctionDef):
            return None, node
        if any(self._tree.builtin(item) == "staticmethod" for item in scope.node.decorator_list):
            return None, node
        arguments = scope.node.args.posonlyargs + scope.node.args.args
        around = self._tree.parent[scope.node]
        is_self = bool(arguments) and arguments[0].arg == node.id
        is_self = is_self and len(scope.bindings[node.id]) == 1
        return (around if is_self and isinstance(around, ast.ClassDef) else None), scope.node

    def method_class(self, node: ast.Attribute) -> ast.ClassDef | None:
        """Return the class that defines what is read from `self`, an object, or a named class.

        Goes up through classes that have one base each; after an unknown base nothing is certain.
        """
        found = self._definers(node)
        if len(found) > 1:
            found = {it for it in found if it is None or not self.is_abstract(it, node.attr)}
        return found.pop() if len(found) == 1 else None

    def is_own(self, node: ast.Attribute) -> bool:
        """Tell whether an attribute is a method that classes of the files have, be it one of many.

        Nothing stores another value in it.
        """
        return node.attr not in self._tree.set_attributes and all(
            owner is not None
            and all(isinstance(it.node, ast.FunctionDef) for it in self.members(owner)[node.attr])
            for owner in self._definers(node)
        )

    def _definers(self, node: ast.Attribute) -> set[ast.ClassDef | None]:
        """Return each class that may define what is read from `self`, an object, or a class."""
        owner = self.self_class(node)
        if owner is None:
            owner = self.named(node.value) or self.object_class(node.value)
            return {self._definer(owner, node.attr)}
        # `self` may be an object of any class that inherits from its own.
        below = (item for item in self.relatives(owner) if owner in self.line(item))
        return {self._definer(item, node.attr) for item in below}

    def is_abstract(self, owner: ast.ClassDef, name: str) -> bool:
        """Tell whether a method of a class only says that others have it."""
        found = self.members(owner).get(name, [])
        return is_abstract(found, self.line(owner), self._tree, self._symbols)

    def is_object(self, node: ast.Attribute) -> bool:
        """Tell whether an attribute is read from an object of a class, and not from a class."""
        if self.object_class(node.value) is not None:
            return True
        if self.self_class(node) is None or not isinstance(node.value, ast.Name):
            return False
        scope = self._tree.owner(node.value.id, self._tree.scope(node))
        method = scope.node if scope is not None else None
        return (
            isinstance(method, ast.FunctionDef)
            and not any(self._tree.builtin(item) == "classmethod" for item in method.decorator_list)
            and method.name not in CLASS_METHODS
        )

    def only_class(self, node: ast.expr) -> ast.ClassDef | None:
        """Return the class that a class method gets, where no other one can be that."""
        if not isinstance(node, ast.Name):
            return None
        owner = self.of_self(node)
        scope = self._tree.owner(node.id, self._tree.scope(node))
        if owner is None or scope is None or len(self.relatives(owner)) > 1:
            return None
        assert isinstance(scope.node, ast.FunctionDef)
        kinds = [self._tree.builtin(item) for item in scope.node.decorator_list]
        return owner if kinds == ["classmethod"] else None

    def method(self, node: ast.Attribute) -> ast.FunctionDef | None:
        """Return the function that an attribute of an object, a class or `super()` certainly is."""
        found = self.function(node)
        return self.of_super(node) if found is None else found

    def is_by_class(self, callee: ast.expr) -> bool:
        """Tell whether a call names a method by its class, and gives the object, too."""
        if not isinstance(callee, ast.Attribute) or self.named(callee) is not None:
            return False
        return self.named(callee.value) is not None

    def object_class(self, node: ast.expr) -> ast.ClassDef | None:
        """Return the class of an object that is made here, or is all that a name ever holds."""
        if node in self._objects:
            return self._objects[node]
        found = self._object_class(node)
        # What is found while a call comes back to itself is no answer for others.
        if not self._returning:
            self._objects[node] = found
        return found

    def _object_class(self, node: ast.expr) -> ast.ClassDef | None:
        made: ast.expr | None = node
        if isinstance(node, ast.Attribute):
            made = self.stored(node) or node
        variable = self._symbols.variable(node)
        if variable is not None and variable[0].kind in ("function", "module"):
            bindings = variable[0].bindings[variable[1]]
            is_only = len(bindings) == 1 and not self._symbols.is_replaced(variable)
            made = bindings[0].value if is_only else None
        if not isinstance(made, ast.Call):
            return None
        found = self.named(made.func) or self.only_class(made.func)
        if found is None:
            return self._returned_class(made)
        return None if self._is_replaced(found) or not self._is_plain(found) else found

    def _is_replaced(self, made: ast.ClassDef | ast.FunctionDef) -> bool:
        """Tell whether another file gives the name of a class, or a function, another value."""
        return self._symbols.is_replaced((self._tree.scope(made), made.name))

    def _returned_class(self, call: ast.Call) -> ast.ClassDef | None:
        """Return the class of all objects that a function of the files returns.

        None where a call comes back to itself: `config = config.replace(steps=3)`.
        """
        if call in self._returning:
            return None
        self._returning.add(call)
        function = self.function(call.func)
        results = self._tree.results(function) if function and self._is_simple(function) else ()
        found = {
            self.object_class(node.value) if node.value is not None else None for node in results
        }
        self._returning.remove(call)
        return found.pop() if len(found) == 1 else None

    def _is_simple(self, function: ast.FunctionDef) -> bool:
        """Tell whether a call of a function runs that, and gives what a `return` in it says."""
        if function not in self._simple:
            self._simple[function] = self._gives_what_it_returns(function)
        return self._simple[function]

    def _gives_what_it_returns(self, function: ast.FunctionDef) -> bool:
        tree, name = self._tree, function.name
        kinds: tuple[str, ...] = ()
        if self._is_replaced(function):
            return False
        if tree.scope(function).kind == "class":
            kinds = ("classmethod", "staticmethod")
            # `vars(loader).update(load=other)`
            keywords = (node.arg for node in tree.nodes(ast.keyword))
            is_named = name in tree.texts or name in keywords
            if is_named or name in tree.set_attributes:
                return False
        return (
            all(tree.builtin(item) in kinds for item in function.decorator_list)
            and all(isinstance(node, ast.Return) for node in tree.results(function))
            and not (may_end(function, tree) or "__code__" in tree.attributes)
        )

    def stored(self, node: ast.Attribute) -> ast.expr | None:
        """Return all that is ever stored in an attribute of `self`, for objects of its class."""
        owner, tree = self.self_class(node), self._tree
        if owner is None or node.attr in tree.texts:
            return None
        stores = [
            item
            for item in tree.attributes.get(node.attr, ())
            if not isinstance(item.ctx, ast.Load) and not self._is_of_another(item, owner)
        ]
        if len(stores) != 1:
            return None
        by_name = any(map(tree.names.get, _BY_NAME)) or any(map(tree.attributes.get, _OF_OBJECTS))
        holder, statement = self.self_class(stores[0]), tree.parent[stores[0]]
        if (
            by_name
            or holder is None
            or not self.are_related(holder, owner)
            or not all(self._is_plain(item) for item in self.relatives(owner))
            or self.body_bindings(owner, node.attr)
        ):
            return None
        if isinstance(statement, ast.Assign) and statement.targets == stores:
            return statement.value
        return None

    def _is_of_another(self, node: ast.Attribute, owner: ast.ClassDef) -> bool:
        """Tell whether an attribute is of a `self` that is certainly none of a class."""
        other = self.self_class(node)
        return other is not None and self.are_apart(other, owner)

    def _is_plain(self, owner: ast.ClassDef, also: Container[str] = ()) -> bool:
        """Tell whether a call of a class makes an object of just that class."""
        line = self.line(owner)
        makers = any(not _MAKERS.isdisjoint(self.members(item)) for item in line)
        makers = makers or self._is_made_elsewhere
        decorated = any(item.decorator_list for item in line - {owner})
        return self.is_known(owner, also) and not (makers or decorated)

    @cached_property
    def _is_made_elsewhere(self) -> bool:
        """Whether a class may get what makes its objects, or its metaclass, outside of its body."""
        given = special_methods(self._tree)
        return any(None in given.get(name, ()) for name in _GIVEN)

    def is_known(self, owner: ast.ClassDef, also: Container[str] = ()) -> bool:
        """Tell whether all that a class inherits from is in the files, or adds nothing to it.

        It may inherit from classes with the names `also`.
        """
        return all(
            self._is_bare(node)
            or self._symbols.name(node) in also
            or (node in item.bases and self.defined(node) not in (None, item))
            for item in self.line(owner)
            for node in (*item.bases, *(keyword.value for keyword in item.keywords))
        )

    def _is_bare(self, node: ast.expr) -> bool:
        return self._tree.builtin(node) == "object" or self._symbols.name(node) in _ABSTRACT

    def member(self, node: ast.Attribute) -> list[Binding]:
        """Return what binds the name that is read from `self`, or from a class, in its body."""
        owner = self.method_class(node)
        return self.members(owner)[node.attr] if owner is not None else []

    def function(self, callee: ast.expr) -> ast.FunctionDef | None:
        """Return the function of the files, or the method of a class, that a callee names."""
        bindings = self._symbols.bindings(callee)
        if not bindings and isinstance(callee, ast.Attribute):
            bindings = self.member(callee)
        node = bindings[0].node if len(bindings) == 1 else None
        return node if isinstance(node, ast.FunctionDef) else None

    def initializer(self, owner: ast.ClassDef) -> ast.FunctionDef | None:
        """Return the `__init__` that is run for new objects of a class, its own or inherited."""
        return self.inherited(owner, "__init__")

    def of_super(self, node: ast.Attribute) -> ast.FunctionDef | None:
        """Return the method that `super().name` is, in a method of a class with one base."""
        owner = self._class_of_super(node)
        base = self.named(owner.bases[0]) if owner is not None and len(owner.bases) == 1 else None
        return self.inherited(base, node.attr) if base is not None else None

    def is_super(self, node: ast.Attribute, family: Collection[ast.ClassDef]) -> bool:
        """Tell whether an attribute is `super().name`, of the class around it if of a family."""
        call = node.value
        if not isinstance(call, ast.Call) or self._tree.builtin(call.func) != "super":
            return False
        around = {item for item in self._tree.within(node) if isinstance(item, ast.ClassDef)}
        return around.isdisjoint(family) or self._class_of_super(node) is not None

    def _class_of_super(self, node: ast.Attribute) -> ast.ClassDef | None:
        """Return the class in a method of which, and for which, `super` is called."""
        call, method = node.value, self._tree.function(node).node
        if not isinstance(call, ast.Call) or self._tree.builtin(call.func) != "super":
            return None
        owner = self._tree.scope(method).node if isinstance(method, ast.FunctionDef) else None
        said = self.named(call.args[0]) if call.args else owner
        return owner if isinstance(owner, ast.ClassDef) and said is owner else None

    def inherited(self, owner: ast.ClassDef, name: str) -> ast.FunctionDef | None:
        """Return the one method of a name that a class has, its own or inherited."""
        definer = self._definer(owner, name)
        bindings = self.members(definer)[name] if definer is not None else []
        node = bindings[0].node if len(bindings) == 1 else None
        return node if isinstance(node, ast.FunctionDef) else None

    def _definer(self, owner: ast.ClassDef | None, name: str) -> ast.ClassDef | None:
        """Return the class that binds a name in its body, up through classes with one base each."""
        seen: set[ast.ClassDef] = set()
        while owner is not None and owner not in seen:
            if self.members(owner).get(name):
                return owner
            seen.add(owner)
            owner = self.named(owner.bases[0]) if len(owner.bases) == 1 else None
        return None

    def body_bindings(self, owner: ast.ClassDef, name: str) -> list[Binding]:
        """Return what binds a name in the bodies of a class and of its relatives."""
        relatives = self.in_order(owner)
        return [item for other in relatives for item in self.members(other).get(name, [])]

    def attribute_class(self, node: ast.Attribute) -> ast.ClassDef | None:
        """Return the class of the objects, or the class, that an attribute is read from.

        The highest one that it inherits from and that uses the attribute.
        """
        owner = self.self_class(node) or self.named(node.value)
        # What reads it from a new object makes that, too: `Settings().config`.
        if owner is None and not isinstance(node.value, ast.Call):
            owner = self.object_class(node.value)
        return self.highest(owner, node.attr) if owner is not None else None

    def highest(self, owner: ast.ClassDef, name: str) -> ast.ClassDef:
        """Return the highest class that one inherits from and that uses an attribute."""
        found: ast.ClassDef | None = owner
        seen: set[ast.ClassDef] = set()
        while found is not None and found not in seen:
            if self.members(found).get(name) or found in self._users(name):
                owner = found
            seen.add(found)
            found = self.named(found.bases[0]) if len(found.bases) == 1 else None
        return owner

    def are_plain(self, owner: ast.ClassDef) -> bool:
        """Tell whether a class, and all that are related to it, are no more than their text says.

        Nothing decorates them or makes them in another way, and all that they inherit from is seen.
        """
        return not any(
            item.decorator_list or not self._is_plain(item, _APART) or self._bases.binds_any(item)
            for item in self.relatives(owner)
        )

    def may_have_more(self, name: str) -> bool:
        """Tell whether a class that is not known to be related may give objects an attribute."""
        return self._bases.may_give(name)

    def are_related(self, one: ast.ClassDef, other: ast.ClassDef) -> bool:
        """Tell whether an object can belong to both classes, as far as the files show."""
        return other in self.relatives(one)

    def are_apart(self, one: ast.ClassDef, other: ast.ClassDef) -> bool:
        """Tell whether no object can belong to both classes."""
        both = (*self.line(one), *self.line(other))
        return not (self.are_related(one, other) or any(map(self._bases.is_hidden, both)))

    def relatives(self, owner: ast.ClassDef) -> frozenset[ast.ClassDef]:
        """Return a class with all its base classes and subclasses in the files."""
        return self._related.get(owner, frozenset())

    def in_order(self, owner: ast.ClassDef) -> list[ast.ClassDef]:
        """Return the relatives of a class in the order of the files, the same in every run."""
        return sorted(self.relatives(owner), key=self._numbers.__getitem__)

    @cached_property
    def _numbers(self) -> Mapping[ast.ClassDef, int]:
        return {item: number for number, item in enumerate(self._tree.nodes(ast.ClassDef))}

    @cached_property
    def _related(self) -> Mapping[ast.ClassDef, frozenset[ast.ClassDef]]:
        found: dict[ast.ClassDef, set[ast.ClassDef]] = {}
        for line in map(self.line, self._tree.nodes(ast.ClassDef)):
            for owner in line:
                found.setdefault(owner, set()).update(line)
        return {owner: frozenset(relatives) for owner, relatives in found.items()}

    def stores(self, owner: ast.ClassDef, name: str) -> bool:
        """Tell whether a class sets an attribute of its `self`."""
        return any(isinstance(it.ctx, ast.Store) for it in self._users(name).get(owner, ()))

    def _users(self, name: str) -> Mapping[ast.ClassDef, list[ast.Attribute]]:
        """Return the classes that use an attribute of their `self`, with what does so."""
        if name not in self._used:
            found = self._used[name] = {}
            for node in self._tree.attributes.get(name, ()):
                owner = self.self_class(node)
                if owner is not None:
                    found.setdefault(owner, []).append(node)
        return self._used[name]

    def line(self, owner: ast.ClassDef) -> frozenset[ast.ClassDef]:
        """Return a class with all that it inherits from."""
        if owner not in self._lines:
            self._lines[owner] = frozenset([owner])
            known = [base for item in owner.bases if (base := self.defined(item)) is not None]
            self._lines[owner] = frozenset([owner]).union(*map(self.line, known))
        return self._lines[owner]

    def named(self, node: ast.expr) -> ast.ClassDef | None:
        """Return the class of the files that a name refers to, as it was defined."""
        found = self.defined(node)
        return found if found is not None and not found.decorator_list else None

    def defined(self, node: ast.expr) -> ast.ClassDef | None:
        """Return the class of the files that a name refers to, decorated or not."""
        found = self._symbols.definition(node)
        return found if isinstance(found, ast.ClassDef) else None

    def members(self, owner: ast.ClassDef) -> dict[str, list[Binding]]:
        """Return what the body of a class binds."""
        return self._tree.scope(owner.body[0]).bindings
