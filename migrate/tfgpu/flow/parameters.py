"""Follows configs through parameters: a function that only takes one on to sessions is a sink.

A parameter is followed only where all calls of its function are seen, and where nothing but sinks
see its value. Such a function is a sink at each of its calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.index import Scope
from tfgpu.code.tree import LOOPS, Tree
from tfgpu.dataclass import replace
from tfgpu.flow import reasons
from tfgpu.flow.callers import READERS, Callers
from tfgpu.flow.facts import Config, Doubt, Fill, Parameter, Passed, Sink
from tfgpu.flow.locations import Reading

_SEVERITY = ("always", "growth-only", "eager", "never")
# Names for a parameter that tells whether settings have been made.
_FLAGS = ("configured", "is_configured", "settings_made")


class Parameters(Callers):
    """The parameters of functions that only take configs on to sinks.

    `settled` are those that configs of the files come to, once `settle` was called.
    """

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._known: dict[ast.arg, Parameter | str] = {}
        self.settled: list[Parameter] = []

    def follow(
        self, call: ast.Call, function: ast.FunctionDef, place: str | int | None
    ) -> Sink | str:
        """Return the sink that a call is for one of its arguments, or why there is none.

        `place` is the position or the keyword of the argument.
        """
        argument = self.taker(call, function, place)
        found: Parameter | str = "it is taken apart"
        if argument is not None:
            found = self._parameter(function, argument)
        if isinstance(found, str):
            return f"is passed to `{function.name}` ({self.place(call)}), where {found}"
        if found not in self.settled:
            self.settled.append(found)
        return self._sink(call, found)

    def passed(self, function: ast.FunctionDef, argument: ast.arg | None) -> Passed | None:
        """Return a parameter that stands for what its only call gives; None for all others."""
        if argument is None or self.not_followed(function) or self._reader(function, argument):
            return None
        calls = self.calls(function, argument)
        if len(calls) != 1 or len(self._scope(function).bindings[argument.arg]) > 1:
            return None
        ((call, given),) = calls
        return None if given is None else Passed(function, argument, call, given)

    def doubts_behind(self, config: Config) -> Iterator[Doubt]:
        """Yield what else may call functions that only hand on what a config goes through."""
        ends = {*config.fills, *(item for sink in config.sinks for item in sink.way())}
        for parameter in self.settled:
            handed = {item for sink in parameter.sinks for item in sink.way()}
            if parameter not in ends and not ends.isdisjoint(handed):
                for item in self.doubts_of(parameter.function, parameter.function):
                    assert isinstance(item.problem, reasons.Parameter)
                    place, path = item.problem.node, item.problem.path
                    problem = reasons.Parameter(place, path, config.built[0])
                    yield replace(item, problem=problem)

    def mixed(self, function: ast.FunctionDef, argument: ast.arg) -> Parameter | None:
        """Return a parameter that some calls give, if a default takes its place for others."""
        found = self._parameter(function, argument)
        if isinstance(found, str) or found.fill is None:
            return None
        if found not in self.settled:
            self.settled.append(found)
        return found

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
                elif argument not in config_arguments and not self._is_filled(parameter, argument):
                    others.append(self._sink(call, parameter))
        return others

    def _is_filled(self, parameter: Parameter, argument: ast.expr | None) -> bool:
        """Tell whether every session of a call that gives no config is made with a default."""
        is_none = argument is None or self._read.values.is_none(argument)
        return is_none and (
            parameter.fill is not None
            or all(
                sink.through is not None and self._is_filled(sink.through, None)
                for sink in parameter.sinks
            )
        )

    def exports(self) -> Iterator[tuple[Tree, str]]:
        """Yield the functions whose callers in other files matter."""
        for parameter in self.settled:
            yield from self._read.exported(parameter.function)

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
        from tfgpu.flow.fills import fill_of  # noqa: PLC0415 - few need it

        fill = fill_of(self._read, function, argument)
        problem = self.not_followed(function) or self._not_handed_on(function, argument, fill)
        if problem is not None:
            return problem
        sinks = []
        for use in self._uses_of(function, argument, fill):
            sink = self._end(use, function)
            if isinstance(sink, str):
                return sink
            sinks.append(sink)
        if not sinks:
            return f"`{argument.arg}` reaches no session"
        calls = self.calls(function, argument)
        default = self.default(function, argument)
        lacking = next((call for call, given in calls if given is None), None)
        if default is None and lacking is not None:
            return f"the call in {self.place(lacking)} gives none, and fails for want of it"
        found = Parameter(function, argument, tuple(sinks), calls, default, fill)
        return replace(found, flag=self._flag(found)) if self._is_told(found) else found

    def _uses_of(
        self, function: ast.FunctionDef, argument: ast.arg, fill: Fill | None
    ) -> Iterator[ast.expr]:
        """Yield what takes on the value of a parameter that a call gives."""
        symbols, variable = self._read.symbols, (self._scope(function), argument.arg)
        if fill is None:
            yield from symbols.uses(variable)
            return
        gone: set[ast.AST] = {*fill.inside, *ast.walk(fill.asked)}
        if not isinstance(fill.test, ast.If):
            gone.update(ast.walk(fill.test))
            named = self._named(fill.test)
            if named is None:
                yield fill.test
            elif named != variable:
                yield from symbols.uses(named)
        yield from (use for use in symbols.uses(variable) if use not in gone)

    def _named(self, value: ast.expr) -> tuple[Scope, str] | None:
        """Return the variable that has nothing but a value, or that and an argument."""
        parent = self._read.tree.parent[value]
        if not isinstance(parent, ast.Assign) or len(parent.targets) > 1:
            return None
        variable = self._read.symbols.variable(parent.targets[0])
        if variable is None or not isinstance(parent.targets[0], ast.Name):
            return None
        bindings = variable[0].bindings[variable[1]]
        is_only = all(item.kind == "param" or item.value is value for item in bindings)
        return variable if is_only and variable[0].kind == "function" else None

    def _is_told(self, found: Parameter) -> bool:
        """Tell whether a function has to know if a call gave it a config."""
        if found.fill is not None:
            return True
        may_lack = any(
            given is None or self._read.values.is_none(given) or self._is_parameter(given)
            for _, given in found.calls
        )
        return may_lack and any(item.flag for sink in found.sinks for item in sink.way()[:1])

    def _is_parameter(self, node: ast.expr) -> bool:
        bindings = self._read.symbols.bindings(node)
        return any(binding.kind == "param" for binding in bindings)

    def _flag(self, found: Parameter) -> str:
        """Return a name for the flag that nothing in the function has, nor any call gives."""
        used = {item.arg for call, _ in found.calls for item in call.keywords}
        for node in ast.walk(found.function):
            used.add(getattr(node, "id", getattr(node, "arg", getattr(node, "name", None))))
        numbered = (f"{_FLAGS[0]}_{number}" for number in range(2, 99))
        return next(name for name in (*_FLAGS, *numbered) if name not in used)

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
        argument = self.taker(call, inner, place)
        found = self._parameter(inner, argument) if argument is not None else "it is taken apart"
        if isinstance(found, str):
            return f"it is passed to `{inner.name}` ({self.place(call)}), where {found}"
        return self._sink(call, found)

    def _not_handed_on(
        self, function: ast.FunctionDef, argument: ast.arg, fill: Fill | None
    ) -> str | None:
        """Find what a function does with a parameter but handing it on, or filling it."""
        from tfgpu.flow.fills import stands_alone  # noqa: PLC0415 - few need it

        default = self.default(function, argument)
        if default is not None and not self._read.values.is_none(default):
            return f"its default is `{self._read.tree.source(default)}`"
        bindings = self._scope(function).bindings[argument.arg]
        if fill is not None and not stands_alone(fill, self._read):
            return f"`{argument.arg}` is used in {self.place(fill.test)}"
        filled = fill is not None and (
            isinstance(fill.test, ast.If) or self._named(fill.test) is not None
        )
        if len(bindings) > 1 and not filled:
            place = next(item.node for item in bindings if item.node is not argument)
            return f"`{argument.arg}` is assigned another value in {self.place(_placed(place))}"
        return self._reader(function, argument)

    def _reader(self, function: ast.FunctionDef, argument: ast.arg) -> str | None:
        """Find what may read a parameter without its name, or later than the call that gives it."""
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in READERS:
                return f"`{node.id}` may read `{argument.arg}`, in {self.place(node)}"
            if isinstance(node, ast.Yield | ast.YieldFrom) and not self._is_opened(
                node, function, argument
            ):
                return f"it is used later, since `{function.name}` is a generator"
        return None

    def _is_opened(self, end: ast.expr, function: ast.FunctionDef, argument: ast.arg) -> bool:
        """Tell whether a `with` that calls a function comes to a `yield` behind all uses, once."""
        tree = self._read.tree
        uses = self._read.symbols.uses((self._scope(function), argument.arg))
        return (
            self.is_manager(function)
            and not any(isinstance(around, LOOPS) for around in tree.within(end))
            and all(tree.position(use) < tree.position(end) for use in uses)
        )


def _placed(node: ast.AST) -> ast.AST:
    """Return a node that has a place: an item of a `with` header has none of its own."""
    return node.context_expr if isinstance(node, ast.withitem) else node
