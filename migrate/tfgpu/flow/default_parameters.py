"""Parameters that a function fills itself where it gets none.

In `def make(config=None)` with `if config is None: config = ...`, or with `config or ...`, the
parameter only serves callers that give a config. Where there are none, it goes, and what stands for
it is always taken. Where some calls give one, and some do not, the parameter becomes a flag: it is
True where the caller has made its settings, and the function makes its own where it is False.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.index import Scope
from tfgpu.dataclass import replace
from tfgpu.flow import reasons
from tfgpu.flow.facts import Conditions, Config, Fill, Filled, Parameter
from tfgpu.flow.locations import Reading
from tfgpu.flow.parameters import Parameters
from tfgpu.flow.reasons import Problem

# Calls of a function, each with what it gives for a parameter.
Calls = tuple[tuple[ast.Call, ast.expr | None], ...]


class FilledParameters:
    """The parameters that hold configs of their functions.

    `found` are those that are never given; `mixed` are given by some calls, and filled for others.
    """

    def __init__(self, reading: Reading, parameters: Parameters) -> None:
        self._read = reading
        self._parameters = parameters
        self.found: dict[tuple[Scope, str], Filled] = {}
        self.mixed: dict[tuple[Scope, str], Parameter] = {}

    def look(self, scope: Scope, name: str, prefix: str) -> str | None:
        """Analyse a parameter that may hold a config; return why it cannot be removed.

        `prefix` is the part that it holds.
        """
        function = scope.node
        argument = None
        if isinstance(function, ast.FunctionDef):
            argument = self._parameters.argument(function, name)
        if argument is None or not isinstance(function, ast.FunctionDef):
            return "what callers pass is not known"
        problem = self._parameters.not_followed(function)
        if problem is not None:
            return problem
        calls = self._parameters.calls(function, argument)
        if not calls:
            return f"no call of `{function.name}` is known"
        given = self._given(calls)
        if given is not None:
            parameter = None if prefix else self._parameters.mixed(function, argument)
            if parameter is None:
                return given
            self.mixed[scope, name] = parameter
            return None
        fill = self._fill(function, argument)
        if fill is None:
            return "where it gets its default is not certain"
        self.found[scope, name] = Filled(function, argument, fill.test, calls)
        return None

    def _given(self, calls: Calls) -> str | None:
        """Say which call gives something for a parameter."""
        for call, given in calls:
            if given is not None and not self._read.values.is_none(given):
                text = self._read.tree.source(given)
                return f"`{text}` is passed in {self._parameters.place(call)}"
        return None

    def is_tested(self, node: ast.AST) -> bool:
        """Tell whether an expression is the parameter where it is looked at before it is filled."""
        tests = [item.test for item in self.found.values()]
        tests += [item.fill.test for item in self.mixed.values() if item.fill is not None]
        looks = (test.test if isinstance(test, ast.If) else test for test in tests)
        return any(node in set(ast.walk(look)) for look in looks)

    def opened(self) -> Iterator[ast.If | ast.IfExp | ast.BoolOp]:
        """Yield the conditions that will always be true, or stand as an `if` of their own."""
        yield from (filled.test for filled in self.found.values())
        for parameter in self.mixed.values():
            if parameter.fill is not None and isinstance(parameter.fill.test, ast.BoolOp):
                yield parameter.fill.test

    def settle(self, config: Config) -> None:
        """Correct the conditions of a config for the parameters that are filled."""
        config.settings[:] = [
            replace(item, conditions=self._conditions(item.node, item.conditions))
            for item in config.settings
        ]
        config.calls[:] = [(call, self._conditions(call, tests)) for call, tests in config.calls]

    def _conditions(self, node: ast.AST, tests: Conditions) -> Conditions:
        """Return the conditions of a node, without those that there will be none of any more."""
        always = {
            item.test.test for item in self.found.values() if isinstance(item.test, ast.IfExp)
        }
        left = tuple(item for item in tests if item[0] not in always)
        for parameter in self.mixed.values():
            fill = parameter.fill
            if fill is not None and isinstance(fill.test, ast.BoolOp) and node in fill.inside:
                return ((fill.asked, fill.missing), *left)
        return left

    def problems(self, config: Config, configs: list[Config]) -> Iterator[Problem]:
        """Find why a function cannot be told whether its caller has made the settings."""
        place = self._parameters.place
        mixed, first = list(self.mixed.values()), config.built[0]
        for sink in config.sinks:
            for parameter in sink.way():
                name = parameter.function.name
                path = f"is passed to `{name}` ({place(sink.call)}), where "
                word = f"`{parameter.argument.arg}`"
                if parameter.fill is not None and parameter not in mixed:
                    where = place(parameter.fill.test)
                    yield reasons.Parameter(sink.call, f"{path}{word} is filled in {where}", first)
                elif parameter.flag and config.nones:
                    yield reasons.Parameter(sink.call, f"{path}{word} may be None", first)
        for parameter in config.fills:
            name = parameter.function.name
            is_given = any(parameter in sink.way() for other in configs for sink in other.sinks)
            elsewhere = next(self._elsewhere(config, parameter), None)
            if not is_given:
                why = self._given(parameter.calls)
                path = f"is stored in the parameter `{parameter.argument.arg}`, and {why}"
                yield reasons.Parameter(parameter.argument, path, first)
            elif elsewhere is not None or config.nones:
                where = place(elsewhere or config.nones[0])
                path = f"is what `{name}` takes where it is given none, and also used in {where}"
                yield reasons.Parameter(parameter.argument, path, first)

    def _elsewhere(self, config: Config, parameter: Parameter) -> Iterator[ast.AST]:
        """Yield what there is of a config that fills a parameter where no call lacks it."""
        tree, fill = self._read.tree, parameter.fill
        made = [*config.roots, *(call for call, _ in config.calls if isinstance(call, ast.Call))]
        if fill is None or fill.inside.isdisjoint(made):
            yield config.built[0]
        settings = (item.node for item in config.settings)
        for node in (*config.built, *(call for call, _ in config.calls), *settings):
            home = tree.function(node).node is parameter.function
            if fill is not None and home and node not in fill.inside:
                yield node

    def _fill(self, function: ast.FunctionDef, argument: ast.arg) -> Fill | None:
        """Return what fills a parameter that no call gives, and has nothing to do else."""
        from tfgpu.flow.fills import fill_of, stored_fill_of  # noqa: PLC0415 - few need it

        default = self._parameters.default(function, argument)
        whole = self._read, function, argument
        fill = fill_of(*whole) or stored_fill_of(*whole)
        if fill is None or default is None or not self._read.values.is_none(default):
            return None
        is_plain = fill.missing and not getattr(fill.test, "orelse", ())
        return fill if is_plain or not isinstance(fill.test, ast.If) else None
