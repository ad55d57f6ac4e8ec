"""Dictionaries that are unpacked into a message, as in `ConfigProto(**options)`.

A dictionary is followed only where all that is ever done with it is to fill it, by keys that are
written out, and then to unpack it once, in the same function and under the same conditions. The
`**kwargs` of a function are empty where no call gives any.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from tfgpu.code.index import Variable
from tfgpu.code.tree import Tree, assigns_one
from tfgpu.dataclass import dataclass, field
from tfgpu.flow import reasons
from tfgpu.flow.callers import READERS, Callers
from tfgpu.flow.facts import Config, Doubt, conditions
from tfgpu.flow.locations import Reading, join
from tfgpu.flow.parameters import Parameters
from tfgpu.flow.reasons import Problem
from tfgpu.rulebook.model import SinkRule

_SCALARS = frozenset(["bool", "int", "number", "string", "enum"])


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One key of a dictionary, its value, and the node that sets it."""

    key: str
    value: ast.expr
    node: ast.AST


@dataclass(slots=True, eq=False)
class Dictionary:
    """A dictionary that is unpacked.

    `made` are the expressions that make it, `statements` those that only make or fill it, `exports`
    names of modules that hold it, or one of the `functions` whose callers give nothing for it.
    """

    entries: list[Entry] = field(default_factory=list)
    made: list[ast.expr] = field(default_factory=list)
    statements: list[ast.stmt] = field(default_factory=list)
    exports: list[tuple[Tree, str]] = field(default_factory=list)
    functions: list[ast.FunctionDef] = field(default_factory=list)


class Unpacked:
    """The dictionaries that calls unpack into messages, and into sinks that keep their config."""

    def __init__(self, reading: Reading) -> None:
        self._read = reading
        self._callers = Callers(reading)
        self._known: dict[ast.keyword, Dictionary | None] = {}
        self._takers: dict[ast.expr, tuple[ast.Call, str]] = {}
        for call in reading.tree.calls:
            for keyword in call.keywords:
                if keyword.arg is None:
                    self._note(call, keyword)

    def of(self, keyword: ast.keyword) -> Dictionary | None:
        """Return the dictionary that `**` unpacks into a message, if all of it is known."""
        return self._known[keyword]

    def beside(self, call: ast.Call, config: Config, parameters: Parameters) -> None:
        """Note what a call that takes a config may unpack beside it: a graph, or nothing."""
        for keyword in (item for item in call.keywords if item.arg is None):
            problem, found = reasons.Kwargs(call, call), self._beside(keyword, call, parameters)
            if (
                found is None
                or any(entry.key != "graph" for entry in found.entries)
                or not all(next(parameters.all_calls(item), None) for item in found.functions)
            ):
                config.problems.append(problem)
                continue
            config.exports.extend(found.exports)
            for function in found.functions:
                config.doubts.extend(self.doubts(function, problem))

    def taker(self, value: ast.expr) -> tuple[ast.Call, str] | None:
        """Return the call that takes a value out of a dictionary, and the key."""
        return self._takers.get(value)

    def doubts(self, function: ast.FunctionDef, problem: Problem) -> Iterator[Doubt]:
        """Yield what else may call a function whose `**kwargs` are empty in the calls seen."""
        if self._callers.doubt(function) is not None:
            yield Doubt(problem, function, tuple(self._callers.all_calls(function)))

    def may_hold(self, call: ast.Call, key: str, parameters: Parameters) -> bool:
        """Tell whether what a call unpacks may hold an argument."""
        if any(isinstance(item, ast.Starred) for item in call.args):
            return True
        for item in (item for item in call.keywords if item.arg is None):
            found = self._beside(item, call, parameters)
            if found is None or any(entry.key == key for entry in found.entries):
                return True
        return False

    def _beside(
        self, keyword: ast.keyword, call: ast.Call, parameters: Parameters
    ) -> Dictionary | None:
        """Return what a call may unpack, of which only the keys count; None where it is not known.

        Of the `**kwargs` of a function, it is what its calls give.
        """
        found = self._look(keyword, call)
        if found is not None:
            return found
        variable = self._read.symbols.variable(keyword.value)
        function = variable[0].node if variable is not None else None
        if variable is None or not isinstance(function, ast.FunctionDef):
            return None
        rest = function.args.kwarg
        bindings = variable[0].bindings[variable[1]]
        if rest is None or [item.node for item in bindings] != [rest]:
            return None
        uses = list(self._read.symbols.uses(variable))
        if uses != [keyword.value] or _reads_names(function):
            return None
        if parameters.not_followed(function) is not None:
            return None
        named = {item.arg for item in (*function.args.args, *function.args.kwonlyargs)}
        found = Dictionary(functions=[function], exports=list(self._read.exported(function)))
        for item in (item for one in parameters.all_calls(function) for item in one.keywords):
            if item.arg is None:
                return None
            if item.arg not in named:
                found.entries.append(Entry(item.arg, item.value, item))
        return found

    def keeper(self, call: ast.Call) -> SinkRule | None:
        """Return the rule of a call that may be a sink, if that keeps its config in any case."""
        sink = self._read.callees.sink(call)
        rule = sink.rule if sink is not None else None
        for binding in self._read.symbols.bindings(call.func):
            if rule is None and binding.value is not None:
                rule = self._read.book.sinks.get(self._read.symbols.name(binding.value) or "")
        return rule if rule is not None and rule.converts == "never" else None

    def _note(self, call: ast.Call, keyword: ast.keyword) -> None:
        if self._read.message(call) is not None:
            found = self._known[keyword] = self._look(keyword, call)
            entries = found.entries if found is not None else []
        elif self.keeper(call) is not None:
            entries = list(self._all_entries(keyword.value))
        else:
            return
        self._takers.update((entry.value, (call, entry.key)) for entry in entries)

    def _all_entries(self, node: ast.expr) -> Iterator[Entry]:
        """Yield what is seen of a dictionary, whatever else is done with it."""
        variable = self._read.symbols.variable(node)
        if variable is None:
            yield from self._display(node) or ()
            return
        for binding in variable[0].bindings[variable[1]]:
            if binding.value is not None:
                yield from self._display(binding.value) or ()
        for use in self._read.symbols.uses(variable):
            yield from self._filled(use) or ()

    # One dictionary.

    def _look(self, keyword: ast.keyword, call: ast.Call) -> Dictionary | None:
        found = Dictionary()
        if not self._add(keyword.value, found, call):
            return None
        tree = self._read.tree
        for one, other in combinations(found.entries, 2):
            # The later value replaces the earlier one, as if the field was set twice.
            if one.key == other.key and not (
                tree.exclusive(one.node, other.node) or self._is_scalar(one.key, call)
            ):
                return None
        return found

    def _is_scalar(self, key: str, call: ast.Call) -> bool:
        """Tell whether a key of a message is a field that has one value, and no parts."""
        rules = self._read.book.fields.get(join(self._read.message(call) or "", key), [])
        return bool(rules) and all(rule.type in _SCALARS for rule in rules)

    def _add(self, node: ast.expr, found: Dictionary, call: ast.Call) -> bool:
        """Add what an expression puts into a dictionary; tell whether all of it is known."""
        variable = self._read.symbols.variable(node)
        if variable is not None:
            return self._add_variable(node, variable, found, call)
        if isinstance(node, ast.Call) and self._is_dict(node):
            entries = self._keywords(node)
            copied = all(self._add(argument, found, call) for argument in node.args)
        else:
            entries = self._display(node)
            copied = True
        found.entries += entries or ()
        return copied and entries is not None

    def _add_variable(
        self, node: ast.expr, variable: Variable, found: Dictionary, call: ast.Call
    ) -> bool:
        """Add the entries of a variable that only serves the dictionary."""
        tree = self._read.tree
        scope, name = variable
        if scope is not tree.function(call) or self._read.symbols.users(variable):
            return False
        if any(True for _ in self._read.reflection.of_variable(scope, name)):
            return False
        if isinstance(scope.node, ast.FunctionDef) and scope.node.args.kwarg is not None:
            rest = scope.node.args.kwarg
            if any(binding.node is rest for binding in scope.bindings[name]):
                return self._is_never_given(scope.node, variable, found)
        made: list[tuple[ast.stmt, list[Entry]]] = []
        for binding in scope.bindings[name]:
            statement = tree.statement(binding.node)
            entries = self._display(binding.value) if binding.value is not None else None
            if entries is None or not assigns_one(statement) or not self._leads_to(statement, call):
                return False
            assert binding.value is not None
            made.append((statement, entries))
            found.made.append(binding.value)
        filled: list[tuple[ast.stmt, list[Entry]]] = []
        for use in self._read.symbols.uses(variable):
            if use is not node:
                entries = self._filled(use)
                statement = tree.statement(use)
                if entries is None or not self._leads_to(statement, call):
                    return False
                filled.append((statement, entries))
        if not self._in_order(made, filled):
            return False
        for statement, entries in (*made, *filled):
            found.statements.append(statement)
            found.entries += entries
        if scope.kind == "module":
            found.exports.append((tree.file(call), name))
        return True

    def _is_never_given(self, function: ast.FunctionDef, rest: Variable, found: Dictionary) -> bool:
        """Tell whether the `**kwargs` of a function are empty: no call gives any, nothing else."""
        callers, arguments = self._callers, function.args
        names = {item.arg for item in (*arguments.args, *arguments.kwonlyargs)}
        if len(rest[0].bindings[rest[1]]) > 1 or callers.not_followed(function) is not None:
            return False
        calls = list(callers.all_calls(function))
        given = (keyword.arg for call in calls for keyword in call.keywords)
        found.functions.append(function)
        found.exports += self._read.exported(function)
        return (
            bool(calls)
            and names.issuperset(given)
            and not _reads_names(function)
            and all(map(self._is_unpacked, self._read.symbols.uses(rest)))
        )

    def _is_unpacked(self, use: ast.expr) -> bool:
        """Tell whether a use of a dictionary copies what is in it, into the arguments of a call."""
        parent = self._read.tree.parent[use]
        return isinstance(parent, ast.keyword) and parent.arg is None

    def _leads_to(self, statement: ast.stmt, call: ast.Call) -> bool:
        """Tell whether the call is made whenever a statement has run, and once."""
        tree = self._read.tree
        outer, inner = tree.guards(call), tree.guards(statement)
        return (
            tree.function(statement) is tree.function(call)
            and tree.position(statement) < tree.position(tree.statement(call))
            and inner[: len(outer)] == outer
            and all(isinstance(guard, ast.If) for guard, _ in inner[len(outer) :])
            and not conditions(call, tree)
        )

    def _in_order(
        self,
        made: list[tuple[ast.stmt, list[Entry]]],
        filled: list[tuple[ast.stmt, list[Entry]]],
    ) -> bool:
        """Tell whether a dictionary is made once, on each path, before it is filled."""
        tree = self._read.tree
        return all(
            tree.exclusive(one, other) for (one, _), (other, _) in combinations(made, 2)
        ) and all(
            tree.exclusive(first, then) or tree.position(first) < tree.position(then)
            for first, _ in made
            for then, _ in filled
        )

    def _filled(self, use: ast.expr) -> list[Entry] | None:
        """Return the entries that a statement adds to a dictionary; None if it does more."""
        tree = self._read.tree
        parent = tree.parent[use]
        around = tree.parent[parent]
        if isinstance(around, ast.Assign) and around.targets == [parent]:
            key = parent.slice if isinstance(parent, ast.Subscript) else None
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                return [Entry(key.value, around.value, parent)]
        is_update = isinstance(parent, ast.Attribute) and parent.attr == "update"
        if is_update and isinstance(around, ast.Call) and isinstance(tree.parent[around], ast.Expr):
            return self._given(around)
        return None

    def _given(self, call: ast.Call) -> list[Entry] | None:
        """Return the entries that a call of `dict` or `update` is given."""
        entries: list[Entry] = []
        for argument in call.args:
            display = self._display(argument)
            if display is None:
                return None
            entries += display
        keywords = self._keywords(call)
        return None if keywords is None else entries + keywords

    def _keywords(self, call: ast.Call) -> list[Entry] | None:
        """Return the entries that a call is given as keywords."""
        entries = []
        for keyword in call.keywords:
            if keyword.arg is None:
                return None
            entries.append(Entry(keyword.arg, keyword.value, keyword))
        return entries

    def _is_dict(self, call: ast.Call) -> bool:
        return self._read.tree.builtin(call.func) == "dict"

    def _display(self, node: ast.expr) -> list[Entry] | None:
        """Return the entries of a dictionary that is written out."""
        if isinstance(node, ast.Call) and self._is_dict(node):
            return self._given(node)
        if not isinstance(node, ast.Dict):
            return None
        entries = []
        for key, value in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                return None
            entries.append(Entry(key.value, value, key))
        return entries


def _reads_names(function: ast.FunctionDef) -> bool:
    """Tell whether a function may reach its variables by their names."""
    return any(getattr(node, "id", "") in READERS for node in ast.walk(function))
