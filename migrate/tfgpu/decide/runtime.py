"""What initialises the runtime of TensorFlow 2 before the settings of a config would be made.

Behind such a call tf.config raises RuntimeError. Where it stands in the same function the settings
move in front of it.
"""

from __future__ import annotations

import ast

from tfgpu.code.when import When
from tfgpu.decide.decision import Decision, Outcome
from tfgpu.decide.order import callee, places
from tfgpu.flow.collect import Analysis
from tfgpu.flow.datasets import Datasets
from tfgpu.flow.facts import Problem
from tfgpu.rulebook.book import Rulebook


class Starts:
    """The calls of some files that initialise the runtime, or come to one that does."""

    def __init__(self, analysis: Analysis, book: Rulebook, starting: frozenset[str]) -> None:
        self._analysis = analysis
        self._book = book
        self._starting = starting
        self._by_function: dict[ast.AST, bool] = {}
        self._datasets = Datasets(analysis.tree, analysis.symbols, analysis.callees.classes)

    def any(self) -> bool:
        """Tell whether there may be any at all."""
        calls = self._analysis.tree.calls
        return any(self._starts_itself(call) or self._is_elsewhere(call) for call in calls) or any(
            self._analysis.symbols.name(item) == "tf.function"
            for item in self._analysis.tree.attributes.get("function", [])
        )

    def starts(self, call: ast.Call) -> bool:
        """Tell whether a call may initialise the runtime."""
        if self._starts_itself(call) or self._is_elsewhere(call):
            return True
        functions = self._analysis.tree.functions.get(callee(call), [])
        return any(map(self._function_starts, functions))

    def _starts_itself(self, call: ast.Call) -> bool:
        name = self._analysis.symbols.name(call.func)
        if name in self._book.starts_runtime or any(
            f"{name}({keyword.arg}=True)" in self._book.starts_runtime
            and self._analysis.values.known(keyword.value) is not False
            for keyword in call.keywords
        ):
            return True
        is_method = f".{callee(call)}" in self._book.starts_runtime
        return is_method and self._datasets.is_method(call) is not When.NEVER

    def _is_elsewhere(self, call: ast.Call) -> bool:
        """Tell whether a call goes to a module of the program that holds such calls."""
        return any(
            path == module or path.startswith(f"{module}.")
            for path in self._analysis.symbols.paths(call.func)
            for module in self._starting
        )

    def _function_starts(self, function: ast.AST) -> bool:
        if function not in self._by_function:
            self._by_function[function] = False
            tree = self._analysis.tree
            self._by_function[function] = any(
                map(self._is_traced, getattr(function, "decorator_list", []))
            ) or any(
                self.starts(call) for call in tree.calls if tree.function(call).node is function
            )
        return self._by_function[function]

    def _is_traced(self, decorator: ast.expr) -> bool:
        """Tell whether a decorator makes a function that initialises the runtime when called."""
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        return self._analysis.symbols.name(named) == "tf.function"


def needs_start(outcome: Outcome) -> bool:
    """Tell whether a setting can only be made before the runtime is initialised."""
    emit = outcome.case.emit if outcome.case is not None else None
    return emit is not None and (
        emit.asks_for_gpus or bool(emit.environment) or ".threading." in emit.statements
    )


def runtime_first(decision: Decision, starts: Starts, analysis: Analysis) -> Problem | None:
    """Find a call that initialises the runtime before settings that cannot be made behind it.

    Where the settings can move in front of it, `decision.moved` becomes the statement that they
    move to, and there is no problem.
    """
    tree = analysis.tree
    for place in places(decision, analysis):
        if not needs_start(place.outcome):
            continue
        earlier = _earlier(place.node, starts, analysis)
        if earlier is None:
            continue
        first = earlier if tree.function(earlier) is tree.function(place.node) else None
        target = _target(decision, first, analysis) if first is not None else None
        if target is None:
            return Problem("runtime-first", place.node, {"callee": _text(earlier, analysis)})
        decision.moved = target
    return None


def _text(call: ast.Call, analysis: Analysis) -> str:
    text = analysis.tree.source(call.func)
    return text if len(text) < 50 else callee(call)


def _earlier(node: ast.AST, starts: Starts, analysis: Analysis) -> ast.Call | None:
    """Return the first call that may initialise the runtime before a node is reached.

    Looks at what stands before it in its function, in the functions that call that one, and in
    the `__init__` of its class.
    """
    tree = analysis.tree
    seen: set[ast.AST] = set()
    waiting = [node]
    while waiting:
        at = waiting.pop(0)
        scope = tree.function(at)
        if scope.node in seen:
            continue
        seen.add(scope.node)
        before = [
            call
            for call in tree.calls
            if tree.function(call) is scope
            and tree.position(call) < tree.position(at)
            and not tree.exclusive(call, at)
            and at not in set(tree.within(call))
            and call not in set(tree.within(at))
        ]
        found = next((call for call in before if starts.starts(call)), None)
        if found is not None:
            return found
        name = getattr(scope.node, "name", "")
        owner = tree.parent.get(scope.node)
        if isinstance(owner, ast.ClassDef):
            inits = (item for item in owner.body if getattr(item, "name", "") == "__init__")
            init = next(inits, None)
            if init is not None and init is not scope.node:
                inside = (call for call in tree.calls if tree.function(call).node is init)
                found = next(filter(starts.starts, inside), None)
                if found is not None:
                    return found
            if name == "__init__":
                name = owner.name
        waiting += [call for call in tree.calls if name and callee(call) == name]
    return None


def _target(decision: Decision, call: ast.Call, analysis: Analysis) -> ast.stmt | None:
    """Return the statement before which all settings of a config can be made, if there is one."""
    tree = analysis.tree
    statements = [
        tree.statement(node)
        for node in (
            *(outcome.setting.node for outcome in decision.outcomes),
            *(item for item, _ in decision.config.calls),
        )
    ]
    block = tree.block(statements[0])
    target: ast.AST = tree.statement(call)
    while target in tree.parent and target not in block:
        target = tree.parent[target]
    if not isinstance(target, ast.stmt) or any(item not in block for item in statements):
        return None
    conditional = any(outcome.setting.conditions for outcome in decision.outcomes)
    helpers = bool(decision.config.calls)
    known = all(
        _is_known(outcome.setting.value.node, target, analysis) for outcome in decision.outcomes
    )
    if conditional or helpers or not known or _sessions_between(target, statements, analysis):
        return None
    return target


def _is_known(value: ast.expr, target: ast.stmt, analysis: Analysis) -> bool:
    """Tell whether an expression has the same value in front of an earlier statement."""
    tree = analysis.tree
    if not analysis.values.quiet(value):
        return False
    start, end = tree.position(target), tree.position(value)
    for node in ast.walk(value):
        if isinstance(node, ast.expr) and analysis.values.is_rank(node):
            # There is no rank before `hvd.init()`.
            return False
        if isinstance(node, ast.Name):
            variable = analysis.symbols.variable(node)
            bindings = variable[0].bindings[variable[1]] if variable is not None else []
            for binding in bindings:
                same = tree.function(binding.node) is tree.function(value)
                if same and start <= tree.position(binding.node) <= end:
                    return False
        elif isinstance(node, ast.Attribute):
            for other in tree.attributes.get(node.attr, []):
                between = start <= tree.position(other) <= end
                if not isinstance(other.ctx, ast.Load) and between:
                    return False
    return True


def _sessions_between(target: ast.stmt, statements: list[ast.stmt], analysis: Analysis) -> bool:
    """Tell whether a session is made between a statement and the settings behind it."""
    tree = analysis.tree
    sinks = [sink for config in analysis.facts.configs for sink in config.sinks]
    last = max(tree.position(statement) for statement in statements)
    return any(
        tree.function(sink.call) is tree.function(target)
        and tree.position(target) <= tree.position(sink.call) < last
        for sink in (*sinks, *analysis.facts.plain_sinks)
    )
