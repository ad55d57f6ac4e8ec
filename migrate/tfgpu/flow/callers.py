"""Who calls a function, and what else may: asked before a parameter of it can change."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from itertools import chain

from tfgpu.code.classes import MADE_BY_CALLS
from tfgpu.code.tree import last_name, text_of
from tfgpu.flow.locations import Reading

# Builtins that read variables by other ways than by their names.
READERS = frozenset(["locals", "vars", "eval", "exec"])
# Builtins that find, or replace, functions by strings.
_FINDERS = frozenset(["getattr", "setattr", "delattr", "globals"])
# Functions of unittest.mock and pytest that replace something by its name.
_PATCHERS = frozenset(["patch", "object", "setattr"])
# Methods of ExitStack and TestCase that enter a context manager.
_ENTERING = ("enter_context", "enterContext")


class Callers:
    """The calls of functions, methods and classes, and what they give."""

    def __init__(self, reading: Reading) -> None:
        self._read = reading

    def place(self, node: ast.AST) -> str:
        """Return the place of a node as messages write it."""
        tree = self._read.tree
        return f"line {tree.line_words(node)}" if len(tree.files) == 1 else tree.where(node)

    def _is_method(self, function: ast.FunctionDef) -> bool:
        return self._read.tree.scope(function).kind == "class"

    def _has(self, function: ast.FunctionDef, decorator: str) -> bool:
        return any(self._read.tree.builtin(item) == decorator for item in function.decorator_list)

    def _takes_self(self, function: ast.FunctionDef) -> bool:
        """Tell whether the first parameter of a function is an object, or a class, it is of."""
        return self._is_method(function) and not self._has(function, "staticmethod")

    def argument(self, function: ast.FunctionDef, name: str | None) -> ast.arg | None:
        """Return the parameter of a name that calls give, which `self` is none of."""
        arguments = function.args
        named = arguments.args[1 if self._takes_self(function) else 0 :]
        found = (item for item in (*named, *arguments.kwonlyargs) if item.arg == name)
        return None if arguments.posonlyargs else next(found, None)

    def taker(
        self, call: ast.Call, function: ast.FunctionDef, place: str | int | None
    ) -> ast.arg | None:
        """Return the parameter that an argument of a call is for, by its position or keyword.

        `Base.train(self, config)` gives the object, too.
        """
        if not isinstance(place, int):
            return self.argument(function, place)
        named = function.args.args
        by_class = self._read.callees.classes.is_by_class(call.func)
        is_given = by_class and not self._has(function, "classmethod")
        behind = place + int(self._takes_self(function) and not is_given)
        name = named[behind].arg if behind < len(named) else None
        return self.argument(function, name)

    def _uses(self, function: ast.FunctionDef) -> list[ast.expr]:
        """Return every expression that is known to name a function, method, or class to make."""
        tree, classes = self._read.tree, self._read.callees.classes
        if not self._is_method(function):
            return list(self._read.symbols.uses((tree.scope(function), function.name)))
        uses = (
            use
            for owner in self._made_by(function)
            for use in self._names_of(owner)
            if not (self._is_annotation(use) or self._is_of_family(use) or self._is_read(use))
        )
        named = tree.attributes.get(function.name, [])
        return [*uses, *(item for item in named if classes.method(item) is function)]

    def _made_by(self, function: ast.FunctionDef) -> list[ast.ClassDef]:
        """Return the classes for whose objects a function is the `__init__`, that of it first."""
        owner, classes = self._read.tree.scope(function).node, self._read.callees.classes
        if function.name != "__init__" or not isinstance(owner, ast.ClassDef):
            return []
        relatives = classes.in_order(owner)
        others = (item for item in relatives if classes.initializer(item) is function)
        return [owner, *(item for item in others if item is not owner)]

    def _is_of_family(self, use: ast.expr) -> bool:
        """Tell whether a class is named as a base, for `super`, or as what an object may be of."""
        parent = self._read.tree.parent[use]
        is_base = isinstance(parent, ast.ClassDef) and use in parent.bases
        return is_base or (
            isinstance(parent, ast.Call)
            and parent.func is not use
            and self._read.tree.builtin(parent.func) in ("super", "isinstance")
        )

    def _names_of(self, owner: ast.ClassDef) -> Iterator[ast.expr]:
        """Yield what names a class, by its name or as what a class method of it gets."""
        yield from self._read.symbols.uses((self._read.tree.scope(owner), owner.name))
        yield from self._read.callees.class_methods.class_uses(owner)

    def _is_read(self, use: ast.expr) -> bool:
        """Tell whether a class is named for something that it, or one it inherits from, has."""
        parent = self._read.tree.parent[use]
        return isinstance(parent, ast.Attribute) and bool(self._read.callees.classes.member(parent))

    def _is_annotation(self, node: ast.expr) -> bool:
        parent = self._read.tree.parent[node]
        return (
            isinstance(parent, ast.arg)
            or (isinstance(parent, ast.FunctionDef) and parent.returns is node)
            or (isinstance(parent, ast.AnnAssign) and parent.annotation is node)
        )

    def all_calls(self, function: ast.FunctionDef) -> Iterator[ast.Call]:
        """Yield the calls of a function, of which it is known that they are followed."""
        for use in self._uses(function):
            call = self._read.tree.parent[use]
            assert isinstance(call, ast.Call)
            yield call

    def _given(
        self, call: ast.Call, function: ast.FunctionDef, argument: ast.arg
    ) -> ast.expr | None:
        """Return what a call gives for a parameter."""
        for position, value in enumerate(call.args):
            if self.taker(call, function, position) is argument:
                return value
        return next((item.value for item in call.keywords if item.arg == argument.arg), None)

    def default(self, function: ast.FunctionDef, argument: ast.arg) -> ast.expr | None:
        """Return the default of a parameter."""
        arguments = function.args
        if argument in arguments.kwonlyargs:
            return arguments.kw_defaults[arguments.kwonlyargs.index(argument)]
        behind = len(arguments.args) - arguments.args.index(argument)
        return arguments.defaults[-behind] if behind <= len(arguments.defaults) else None

    def calls(
        self, function: ast.FunctionDef, argument: ast.arg
    ) -> tuple[tuple[ast.Call, ast.expr | None], ...]:
        """Return all calls of a function, each with what it gives for a parameter."""
        return tuple(
            (call, self._given(call, function, argument)) for call in self.all_calls(function)
        )

    def not_followed(self, function: ast.FunctionDef) -> str | None:
        """Find what keeps the calls of a function from being known."""
        tree = self._read.tree
        name = function.name
        if not self._is_as_written(function):
            if self.is_manager(function):
                return f"`{name}` gives a context manager that is not entered where it is called"
            return f"`{name}` has a decorator"
        if len(tree.scope(function).bindings[name]) > 1:
            return f"`{name}` is defined more than once"
        if self._is_method(function):
            # `kinds = {"plain": run}`, `start = run`: the body of a class has it by its name.
            for use in self._read.symbols.uses((tree.scope(function), name)):
                return f"`{name}` is not only called, but used in {self.place(use)}"
        made = self._made_by(function)
        if made:
            problem = self._not_only_made(made[0])
            problem = problem or next(filter(None, map(self._not_seen, made)), None)
            name = made[0].name
        elif self._is_method(function):
            problem = self._not_own(function)
        else:
            problem = self._not_seen(function)
        if problem is not None:
            return problem
        uses = self._uses(function)
        for use in uses:
            call = tree.parent[use]
            if not isinstance(call, ast.Call) or call.func is not use:
                return f"`{name}` is not only called, but used in {self.place(use)}"
            starred = any(isinstance(item, ast.Starred) for item in call.args)
            if starred or any(item.arg is None for item in call.keywords):
                return f"the arguments in {self.place(call)} are not known"
        for called in [item.name for item in made] or [name]:
            string = self.by_string(called)
            if string is not None:
                return f"a string in {self.place(string)} may name `{called}`"
        return None

    def _is_as_written(self, function: ast.FunctionDef) -> bool:
        """Tell whether its decorators leave what calls give to a function, and that it runs once.

        What `contextlib.contextmanager` makes of a function runs in the `with` that calls it.
        """
        if self._is_method(function) and self._read.callees.is_plain(function):
            return True
        return not function.decorator_list or (
            self.is_manager(function) and all(map(self._is_entered, self._uses(function)))
        )

    def _is_entered(self, use: ast.expr) -> bool:
        """Tell whether what a call of a function gives is entered on the spot."""
        call = self._read.tree.parent[use]
        taker = self._read.tree.parent[call]
        if isinstance(taker, ast.Call):
            return call in taker.args and last_name(taker.func) in _ENTERING
        return isinstance(taker, ast.withitem)

    def is_manager(self, function: ast.FunctionDef) -> bool:
        """Tell whether a function becomes one that gives a context manager."""
        innermost = function.decorator_list[-1:]
        kinds = [self._read.tree.builtin(item) for item in function.decorator_list[:-1]]
        return kinds in ([], ["staticmethod"], ["classmethod"]) and [
            self._read.symbols.name(item) for item in innermost
        ] == ["contextlib.contextmanager"]

    def doubt(self, function: ast.FunctionDef) -> str | None:
        """Find what else may call a function than the calls that are seen."""
        finders, classes = self._read.callees.finders, self._read.callees.classes
        made = self._made_by(function)
        names = [item.name for item in made] or [function.name]
        others: Iterable[ast.Attribute] = (
            node for name in names for node in finders.unknown_reads(name)
        )
        if not made and self._is_method(function):
            others = (
                item
                for item in self._read.tree.attributes.get(function.name, [])
                if not (
                    classes.method(item) or finders.certain_origins.is_of_tensorflow(item.value)
                )
            )
        for node in others:
            return f"`{self._read.tree.source(node)}` in {self.place(node)} may be the same"
        if finders.finds_any:
            first = finders.not_plain[0]
            text = text_of(first, self._read.tree)
            return f"`{text}` in {self.place(first)} may call `{names[0]}` without its name"
        found = next(filter(finders.finds, names), None)
        return None if found is None else f"a text may name `{found}`"

    def by_string(self, name: str) -> ast.Constant | None:
        """Return a string by which something of a name may be found, or replaced."""
        if name in self._given_to_finders:
            return self._given_to_finders[name]
        for text in self._given_to_patchers:
            value = text.value
            if isinstance(value, bytes):
                if name.encode() in value:
                    return text
            elif f".{value}".endswith(f".{name}"):
                return text
        return None

    @cached_property
    def _given_to_finders(self) -> dict[str, ast.Constant]:
        """The literals in statements with builtins that find things by name, the first of each."""
        tree, found = self._read.tree, dict[str, ast.Constant]()
        for finder in (node for item in _FINDERS for node in tree.names.get(item, [])):
            for node in ast.walk(tree.statement(finder)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.setdefault(node.value, node)
        return found

    @cached_property
    def _given_to_patchers(self) -> list[ast.Constant]:
        """The strings that patchers are given, and pickles: these have functions by their names."""
        kinds = {**dict.fromkeys(_PATCHERS, str), "loads": bytes}
        return [
            value
            for call in self._read.tree.calls
            for value in call.args
            if isinstance(value, ast.Constant)
            and isinstance(value.value, kinds.get(last_name(call.func), ()))
        ]

    def _not_own(self, function: ast.FunctionDef) -> str | None:
        """Find how a method may be called by others than its class, or another one instead."""
        tree = self._read.tree
        scope = tree.scope(function)
        assert isinstance(scope.node, ast.ClassDef)
        name = function.name
        if name.startswith("__") and name.endswith("__"):
            return f"`{name}` is called by Python itself"
        if not (self._is_plain(scope.node) and self._is_one_chain(function, scope.node)):
            return f"`{name}` may be another class's"
        return None

    def _is_one_chain(self, function: ast.FunctionDef, owner: ast.ClassDef) -> bool:
        """Tell whether all methods of a name that related classes have call one another.

        One that only has the same name would keep its parameters where this one loses some.
        """
        tree, classes = self._read.tree, self._read.callees.classes
        family = classes.relatives(owner)
        alike = [it for it in tree.functions[function.name] if tree.scope(it).node in family]
        calls = [
            {tree.function(use).node, classes.method(use)}
            for use in tree.attributes.get(function.name, ())
        ]
        pairs = [pair for pair in calls if len(pair) > 1 and pair.issubset(alike)]
        return len(alike) == 1 or {*alike} == {*chain.from_iterable(pairs)}

    def _is_plain(self, owner: ast.ClassDef, also: Container[str] = ()) -> bool:
        """Tell whether a class, and all that it inherits from, is one of the files as it stands.

        It may inherit from classes with the names `also`.
        """
        tree, classes = self._read.tree, self._read.callees.classes
        line = classes.line(owner)
        uses = (
            use for item in line for use in self._read.symbols.uses((tree.scope(item), item.name))
        )
        # `type(name, (Owner,), members)` makes another class of it.
        return (
            classes.is_known(owner, also)
            and not any(item.decorator_list or len(item.bases) > 1 for item in line)
            and not any(isinstance(tree.parent[use], ast.Tuple | ast.List) for use in uses)
        )

    def _not_only_made(self, owner: ast.ClassDef) -> str | None:
        """Find how the `__init__` of a class may be called but by its name: `type(x)(config)`."""
        tree, classes = self._read.tree, self._read.callees.classes
        types = [tree.parent[node] for node in tree.names.get("type", [])]
        makes = [*tree.attributes.get("__class__", []), *types]
        made = any(getattr(tree.parent.get(node), "func", None) is node for node in makes)
        family = classes.relatives(owner)
        others = all(
            self._read.symbols.paths(node)
            or classes.is_super(node, family)
            or classes.method(node) is not None
            or classes.named(node.value) not in {None, *family}
            for node in tree.attributes.get("__init__", [])
        )
        if made or not others or not all(map(self._is_made_by_calls, family)):
            return f"`{owner.name}` may be made in other ways"
        return None

    def _is_made_by_calls(self, owner: ast.ClassDef) -> bool:
        """Tell whether nothing in a class makes, or changes, objects of it by other means."""
        scope, callees = self._read.tree.scope, self._read.callees
        at_top = scope(owner).kind != "class"
        makes = "__new__" in scope(owner.body[0]).bindings or any(
            not (self._is_read(use) or callees.classes.only_class(use))
            for use in callees.class_methods.class_uses(owner)
        )
        return at_top and not makes and self._is_plain(owner, MADE_BY_CALLS)

    def _not_seen(self, function: ast.FunctionDef | ast.ClassDef) -> str | None:
        """Find how a function may be replaced, or reached by other names."""
        tree, symbols = self._read.tree, self._read.symbols
        variable = (tree.scope(function), function.name)
        for node in tree.attributes.get(function.name, []):
            if not isinstance(node.ctx, ast.Load) and symbols.variable(node) in (variable, None):
                return f"`{function.name}` may be replaced in {self.place(node)}"
        for statement in self._read.callees.finders.script_imports(function.name):
            return f"`{function.name}` may be what {self.place(statement)} imports"
        for item in symbols.importers(variable):
            if len(tree.bound(item)) > 1:
                return f"`{function.name}` has two origins in {self.place(item.statement)}"
        return None
