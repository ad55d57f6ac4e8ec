"""Follows configs through parameters: a function that only takes one on to sessions is a sink.

A parameter is followed only where all calls of its function are seen, and where nothing but sinks
see its value. Such a function is a sink at each of its calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfgpu.code.tree import Scope, Tree, last_name
from tfgpu.flow import reasons
from tfgpu.flow.facts import Doubt, Parameter, Sink
from tfgpu.flow.locations import Reading

# Builtins that read variables by other ways than by their names.
_READERS = frozenset(["locals", "vars", "eval", "exec"])
# Builtins that find, or replace, functions by strings.
_FINDERS = frozenset(["getattr", "setattr", "delattr", "globals"])
# Functions of unittest.mock and pytest that replace something by its name.
_PATCHERS = frozenset(["patch", "object", "setattr"])
_SEVERITY = ("always", "growth-only", "eager", "never")


class Parameters:
    """The parameters of functions that only take configs on to sinks.

    `settled` are those that configs of the files come to, once `settle` was called.
    """

    def __init__(self, reading: Reading) -> None:
        self._read = reading
        self._known: dict[ast.arg, Parameter | str] = {}
        self.settled: list[Parameter] = []

    def follow(
        self, call: ast.Call, function: ast.FunctionDef, place: str | int | None
    ) -> Sink | str:
        """Return the sink that a call is for one of its arguments, or why there is none.

        `place` is the position or the keyword of the argument.
        """
        argument = self.argument(function, place)
        found: Parameter | str = "it is taken apart"
        if argument is not None:
            found = self._parameter(function, argument)
        if isinstance(found, str):
            return f"is passed to `{function.name}` ({self.place(call)}), where {found}"
        if found not in self.settled:
            self.settled.append(found)
        return self._sink(call, found)

    def doubts(self, sink: Sink) -> Iterator[Doubt]:
        """Yield what else may call the functions that a sink hands a config to."""
        through = sink.through
        if through is not None:
            yield from self.doubts_of(through.function, sink.call)
            for inner in through.sinks:
                yield from self.doubts(inner)

    def doubts_of(self, function: ast.FunctionDef, place: ast.AST) -> Iterator[Doubt]:
        """Yield what else may call a function that a config is passed to at a place."""
        doubt = self.doubt(function)
        if doubt is not None:
            path = f"is passed to `{function.name}` ({self.place(place)}), where {doubt}"
            problem = reasons.Parameter(place, path)
            yield Doubt(problem, function, tuple(self.all_calls(function)))

    def settle(self, config_arguments: set[ast.expr]) -> list[Sink]:
        """Return the calls of all functions followed that give no config, or an unknown one.

        Adds what the functions pass on to the known arguments of sinks.
        """
        others = []
        for parameter in self.settled:
            for sink in parameter.sinks:
                assert sink.argument is not None
                config_arguments.add(sink.argument)
                if sink.through is not None and sink.through not in self.settled:
                    self.settled.append(sink.through)
        for parameter in self.settled:
            for call, argument in parameter.calls:
                outer = self._handed_on(argument) if argument is not None else None
                if outer is not None:
                    if outer not in self.settled:
                        # Its own calls are looked at in their turn.
                        self.settled.append(outer)
                        config_arguments.update(
                            sink.argument for sink in outer.sinks if sink.argument is not None
                        )
                elif argument not in config_arguments:
                    others.append(self._sink(call, parameter))
        return others

    def exports(self) -> Iterator[tuple[Tree, str]]:
        """Yield the functions whose callers in other files matter."""
        for parameter in self.settled:
            yield from self._read.exported(parameter.function)

    def place(self, node: ast.AST) -> str:
        """Return the place of a node as messages write it."""
        tree = self._read.tree
        return f"line {tree.line_words(node)}" if len(tree.files) == 1 else tree.where(node)

    def _handed_on(self, argument: ast.expr) -> Parameter | None:
        """Return the parameter that an argument passes on, if that only goes to sinks."""
        variable = self._read.symbols.variable(argument)
        if variable is None or not isinstance(variable[0].node, ast.FunctionDef):
            return None
        found = self.argument(variable[0].node, variable[1])
        known = self._parameter(variable[0].node, found) if found is not None else None
        return known if isinstance(known, Parameter) else None

    def _sink(self, call: ast.Call, parameter: Parameter) -> Sink:
        rules = [end.rule for sink in parameter.sinks for end in sink.ends()]
        rule = max(rules, key=lambda rule: _SEVERITY.index(rule.converts))
        argument = next(value for other, value in parameter.calls if other is call)
        statement = self._read.tree.statement(call)
        name = parameter.function.name
        return Sink(call, rule, argument, None, statement, name, call, parameter)

    # One parameter.

    def _is_method(self, function: ast.FunctionDef) -> bool:
        return self._read.tree.scope(function).kind == "class"

    def argument(self, function: ast.FunctionDef, place: str | int | None) -> ast.arg | None:
        """Return the parameter that an argument is for; `place` is a position or a keyword."""
        if function.args.posonlyargs:
            return None
        named = function.args.args[1 if self._is_method(function) else 0 :]
        if isinstance(place, int):
            return named[place] if place < len(named) else None
        found = (item for item in (*named, *function.args.kwonlyargs) if item.arg == place)
        return next(found, None)

    def _parameter(self, function: ast.FunctionDef, argument: ast.arg) -> Parameter | str:
        if argument not in self._known:
            # A function that comes back to itself is not followed.
            self._known[argument] = f"`{function.name}` calls itself"
            self._known[argument] = self._look(function, argument)
        return self._known[argument]

    def _look(self, function: ast.FunctionDef, argument: ast.arg) -> Parameter | str:
        """Analyse a parameter: the arguments that reach it, and its uses."""
        others = [
            item
            for item in (*function.args.args, *function.args.kwonlyargs)
            if item is not argument and isinstance(self._known.get(item), Parameter)
        ]
        if others:
            return f"`{function.name}` takes two configs"
        problem = self.not_followed(function) or self._not_handed_on(function, argument)
        if problem is not None:
            return problem
        sinks = []
        for use in self._read.symbols.uses((self._scope(function), argument.arg)):
            sink = self._end(use, function)
            if isinstance(sink, str):
                return sink
            sinks.append(sink)
        if not sinks:
            return f"`{argument.arg}` reaches no session"
        calls = self.calls(function, argument)
        default = self.default(function, argument)
        return Parameter(function, argument, tuple(sinks), calls, default)

    def _scope(self, function: ast.FunctionDef) -> Scope:
        return self._read.tree.scope(function.args)

    def _end(self, use: ast.expr, function: ast.FunctionDef) -> Sink | str:
        """Return the sink that takes a parameter where it is used, or what else is done there."""
        tree = self._read.tree
        parent = tree.parent[use]
        place: str | int | None = None
        call: ast.AST = parent
        if isinstance(parent, ast.keyword):
            place, call = parent.arg, tree.parent[parent]
        elif isinstance(parent, ast.Call) and use in parent.args:
            place = parent.args.index(use)
        if not isinstance(call, ast.Call) or place is None:
            return f"`{self._read.tree.source(use)}` is used in {self.place(use)}"
        if tree.function(use).node is not function:
            return f"it is used later, in {self.place(use)}"
        sink = self._read.callees.sink(call)
        if sink is not None and sink.argument is use and sink.rule.converts != "gone":
            return sink
        inner = self._read.callees.called(call.func)
        if inner is None:
            return f"it is passed to `{tree.source(call.func)}` ({self.place(call)})"
        argument = self.argument(inner, place)
        found = self._parameter(inner, argument) if argument is not None else "it is taken apart"
        if isinstance(found, str):
            return f"it is passed to `{inner.name}` ({self.place(call)}), where {found}"
        return self._sink(call, found)

    def _not_handed_on(self, function: ast.FunctionDef, argument: ast.arg) -> str | None:
        """Find what a function does with a parameter but handing it on."""
        default = self.default(function, argument)
        if default is not None and not self._read.values.is_none(default):
            return f"its default is `{self._read.tree.source(default)}`"
        bindings = self._scope(function).bindings[argument.arg]
        if len(bindings) > 1:
            place = next(item.node for item in bindings if item.node is not argument)
            return f"`{argument.arg}` is assigned another value in {self.place(_placed(place))}"
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in _READERS:
                return f"`{node.id}` may read `{argument.arg}`, in {self.place(node)}"
            if isinstance(node, ast.Yield | ast.YieldFrom):
                return f"it is used later, since `{function.name}` is a generator"
        return None

    # All calls of a function.

    def _uses(self, function: ast.FunctionDef) -> list[ast.expr]:
        """Return every expression that is known to name a function, method, or class to make."""
        tree = self._read.tree
        owner = self._made_by(function)
        if owner is not None:
            uses = self._read.symbols.uses((tree.scope(owner), owner.name))
            return [use for use in uses if not self._is_annotation(use)]
        if self._is_method(function):
            found = tree.attributes.get(function.name, [])
            return [item for item in found if self._names(item, function)]
        return list(self._read.symbols.uses((tree.scope(function), function.name)))

    def _made_by(self, function: ast.FunctionDef) -> ast.ClassDef | None:
        """Return the class whose objects a function is the `__init__` of."""
        owner = self._read.tree.scope(function).node
        is_init = function.name == "__init__" and isinstance(owner, ast.ClassDef)
        return owner if is_init and isinstance(owner, ast.ClassDef) else None

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
            if self.argument(function, position) is argument:
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
        if function.decorator_list:
            return f"`{name}` has a decorator"
        if len(tree.scope(function).bindings[name]) > 1:
            return f"`{name}` is defined more than once"
        owner = self._made_by(function)
        if owner is not None:
            problem = self._not_only_made(owner) or self._not_seen(owner)
            name = owner.name
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
        string = self.by_string(name)
        if string is not None:
            return f"a string in {self.place(string)} may name `{name}`"
        return None

    def doubt(self, function: ast.FunctionDef) -> str | None:
        """Find what else may call a function than the calls that are seen."""
        owner = self._made_by(function)
        named = function if owner is None else owner
        name = named.name
        others: Iterable[ast.Attribute] = self._read.callees.finders.unknown_reads(name)
        if owner is None and self._is_method(function):
            found = self._read.tree.attributes.get(name, [])
            others = (item for item in found if not self._names(item, function))
        for node in others:
            return f"`{self._read.tree.source(node)}` in {self.place(node)} may be the same"
        if self._read.callees.finders.finds(named):
            return f"`{name}` may be found by a computed string"
        return None

    def _names(self, node: ast.Attribute, method: ast.FunctionDef) -> bool:
        """Tell whether an attribute is certainly that of `self` in the class of a method."""
        owner = self._read.tree.scope(method).node
        return self._read.callees.classes.self_class(node) is owner

    def by_string(self, name: str) -> ast.Constant | None:
        """Return a string by which something of a name may be found, or replaced."""
        tree = self._read.tree
        for finder in (node for item in _FINDERS for node in tree.names.get(item, [])):
            for node in ast.walk(tree.statement(finder)):
                if isinstance(node, ast.Constant) and node.value == name:
                    return node
        for call in tree.calls:
            last = last_name(call.func)
            for value in call.args if last == "loads" else ():
                known = value.value if isinstance(value, ast.Constant) else None
                if isinstance(known, bytes) and name.encode() in known:
                    assert isinstance(value, ast.Constant)
                    return value  # A pickle has functions by their names.
            for value in call.args if last in _PATCHERS else ():
                text = value.value if isinstance(value, ast.Constant) else None
                if isinstance(text, str) and f".{text}".endswith(f".{name}"):
                    assert isinstance(value, ast.Constant)
                    return value
        return None

    def _not_own(self, function: ast.FunctionDef) -> str | None:
        """Find how a method may be called by others than its class, or another one instead."""
        tree = self._read.tree
        scope = tree.scope(function)
        assert isinstance(scope.node, ast.ClassDef)
        name = function.name
        if name.startswith("__") and name.endswith("__"):
            return f"`{name}` is called by Python itself"
        if self._read.callees.is_overridden(function, scope) or not self._is_plain(scope.node):
            return f"`{name}` may be another class's"
        return None

    def _is_plain(self, owner: ast.ClassDef) -> bool:
        """Tell whether a class is decorated by nothing and has no unknown bases."""
        if owner.decorator_list or owner.keywords:
            return False
        tree = self._read.tree
        uses = self._read.symbols.uses((tree.scope(owner), owner.name))
        # `type(name, (Owner,), members)` makes another class of it.
        return all(
            self._read.callees.builtin(base) == "object" for base in owner.bases
        ) and not any(isinstance(tree.parent[use], ast.Tuple | ast.List) for use in uses)

    def _not_only_made(self, owner: ast.ClassDef) -> str | None:
        """Find how the `__init__` of a class may be called but by its name: `type(x)(config)`."""
        tree, classes = self._read.tree, self._read.callees.classes
        members = tree.scope(owner.body[0]).bindings
        named = tree.attributes.get("__init__", [])
        types = [tree.parent[node] for node in tree.names.get("type", [])]
        makes = [*tree.attributes.get("__class__", []), *types]
        made = any(getattr(tree.parent.get(node), "func", None) is node for node in makes)
        others = all(
            isinstance(node.value, ast.Call)
            or self._read.symbols.paths(node)
            or classes.named(node.value) not in (None, owner)
            for node in named
        )
        class_methods = any(
            self._read.callees.builtin(decorator) == "classmethod"
            for item in owner.body
            if isinstance(item, ast.FunctionDef)
            for decorator in item.decorator_list
        )
        is_alone = classes.relatives(owner) == {owner} and self._is_plain(owner)
        at_top = tree.scope(owner).kind != "class"
        if "__new__" in members or made or not others or class_methods or not (is_alone and at_top):
            return f"`{owner.name}` may be made in other ways"
        return None

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


def _placed(node: ast.AST) -> ast.AST:
    """Return a node that has a place: an item of a `with` header has none of its own."""
    return node.context_expr if isinstance(node, ast.withitem) else node
