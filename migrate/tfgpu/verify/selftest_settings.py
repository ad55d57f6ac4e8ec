"""What a migration wrote into a file: the statements that set something, and their values.

Which calls set something, and of which type their values are, comes from the rules: from the code
that they emit, and from the programs after a migration in their examples.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from functools import cache

from tfgpu.code.parse import parse
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.dataclass import dataclass
from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.model import Emit, SettingRule

_TEMPLATE = re.compile(r"\$(\w+)")
_ENVIRONMENT = ("os.environ", "os.environ.setdefault", "os.putenv")


@dataclass(frozen=True, slots=True)
class Defaults:
    """What the code of the rules says about a call.

    `types` are those of its arguments, by their number; `put_back` are whole calls, as
    `ast.unparse` writes them, that set what TensorFlow 2 does by itself.
    """

    types: Mapping[int, str]
    put_back: frozenset[str]


@cache
def known_calls() -> Mapping[str, Defaults]:
    """Return what the rules say of every call that they write, by the last part of its name."""
    types: dict[str, dict[int, str]] = {}
    put_back: dict[str, set[str]] = {}
    for rule in load_rulebook().rules:
        if not isinstance(rule, SettingRule):
            continue
        for case in rule.cases:
            for call in _calls(case.emit):
                row = types.setdefault(last_name(call.func), {})
                for number, argument in enumerate(call.args):
                    if _is_value(argument):
                        row[number] = rule.type
        for emit in _emits_of_defaults(rule):
            for call in _calls(emit):
                put_back.setdefault(last_name(call.func), set()).add(arguments(call))
    return {
        name: Defaults(types.get(name, {}), frozenset(put_back.get(name, ())))
        for name in {*types, *put_back}
    }


def arguments(call: ast.Call) -> str:
    """Return the values that a call gives as text, without the device that it is about."""
    values = [ast.unparse(one) for one in call.args if not isinstance(one, ast.Name)]
    return ", ".join([*values, *(ast.unparse(one.value) for one in call.keywords)])


def _emits_of_defaults(rule: SettingRule) -> Iterator[Emit | None]:
    yield rule.put_back.emit
    for case in rule.cases:
        if case.put_back is not None:
            yield case.put_back.emit


def _calls(emit: Emit | None) -> Iterator[ast.Call]:
    """Yield the calls in the code of a rule, its placeholders as names."""
    if emit is None:
        return
    for text in (emit.statements, emit.environment, emit.each_gpu, emit.indexed, emit.visible):
        try:
            module = parse(_TEMPLATE.sub(r"_\1_", text).strip())
        except SyntaxError:  # a whole statement comes for the placeholder
            continue
        yield from (node for node in ast.walk(module) if isinstance(node, ast.Call))


def _is_value(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "_value_"


@cache
def _setters() -> frozenset[str]:
    """Return the last names of all calls of tf.config and helpers that stand as statements."""
    book = load_rulebook()
    texts = [example.after for rule in book.rules for example in rule.examples]
    found = set()
    for text in texts:
        try:
            module = parse(text)
        except SyntaxError:  # no Python
            continue
        for node in ast.walk(module):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                name = ast.unparse(node.value.func)
                if name.startswith(("tf.config.", "tf.debugging.")) or name in book.helpers:
                    found.add(last_name(node.value.func))
    return frozenset(found)


def _builtins_with_values(node: ast.expr) -> Iterator[ast.Call]:
    """Yield the calls of built-in functions that the rules write around a value, as `range`."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            known = known_calls().get(call.func.id)
            if known and known.types and hasattr(builtins, call.func.id):
                yield call


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A statement that the migration wrote.

    `calls` are the calls of its own that the rules know, itself a setter where `sets`; `variable`
    is the environment variable that it writes with `value`. `unit` is the outermost statement
    around it that the migration wrote, in the same function.
    """

    statement: ast.stmt
    unit: ast.stmt
    calls: tuple[ast.Call, ...]
    sets: bool
    variable: str = ""
    value: ast.expr | None = None


class File:
    """A file after a migration, with the statements in it that the migration wrote."""

    def __init__(self, text: str, lines: set[int]) -> None:
        self.text = text
        self.tree = Tree(parse(text), text)
        self.symbols = Symbols(self.tree)
        self._lines = lines
        self._helpers = {
            node
            for node in self.tree.nodes(ast.FunctionDef)
            if node.name in load_rulebook().helpers
        }

    def written(self) -> list[Written]:
        """Return what sets something, or holds a value for what does, in the order of the file."""
        statements: list[ast.Expr | ast.Assign] = [
            *self.tree.nodes(ast.Expr),
            *self.tree.nodes(ast.Assign),
        ]
        found = [
            one
            for statement in statements
            if statement.lineno in self._lines
            and not any(outer in self._helpers for outer in self.tree.within(statement))
            and (one := self._written(statement)) is not None
        ]
        return sorted(found, key=lambda one: self.tree.position(one.statement))

    def _written(self, statement: ast.Expr | ast.Assign) -> Written | None:
        unit = self._unit(statement)
        variable, value = self._variable(statement)
        if variable:
            return Written(statement, unit, (), True, variable, value)
        calls = tuple(
            node
            for node in ast.walk(statement.value)
            if isinstance(node, ast.Call) and self._is_known(node)
        )
        if calls:
            calls += tuple(_builtins_with_values(statement.value))
        sets = isinstance(statement, ast.Expr) and statement.value in calls
        sets = sets and last_name(statement.value.func) in _setters()  # type: ignore[attr-defined]
        return Written(statement, unit, calls, sets) if calls else None

    def _is_known(self, call: ast.Call) -> bool:
        """Tell whether a call is one of TensorFlow, or of a helper of the rules, with values."""
        name = last_name(call.func)
        if name in load_rulebook().helpers:
            return True
        canonical = self.symbols.name(call.func) or ""
        return canonical.startswith("tf.") and (name in _setters() or name in known_calls())

    def _variable(self, statement: ast.Expr | ast.Assign) -> tuple[str, ast.expr | None]:
        """Return the environment variable that a statement writes, and the value."""
        name: ast.expr | None = None
        if isinstance(statement, ast.Assign):
            target = statement.targets[0]
            if isinstance(target, ast.Subscript) and self._is_environment(target.value):
                name = target.slice
            value: ast.expr = statement.value
        else:
            call = statement.value
            if (
                isinstance(call, ast.Call)
                and len(call.args) == 2
                and self._is_environment(call.func)
            ):
                name, value = call.args
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            return name.value, value
        return "", None

    def _is_environment(self, node: ast.expr) -> bool:
        return self.symbols.name(node) in _ENVIRONMENT

    def _unit(self, statement: ast.stmt) -> ast.stmt:
        unit = statement
        for outer in self.tree.within(statement):
            if not isinstance(outer, ast.For | ast.If) or outer.lineno not in self._lines:
                break
            unit = outer
        return unit

    def loop_variables(self, written: Written) -> set[str]:
        """Return the names that the loops of the migration around a statement bind."""
        return {
            name.id
            for outer in self.tree.within(written.statement)
            if isinstance(outer, ast.For) and outer.lineno in self._lines
            for name in ast.walk(outer.target)
            if isinstance(name, ast.Name)
        }

    def enumerations(self, written: Written) -> Iterator[ast.Call]:
        """Yield the calls of enumerate() in the loops of the migration around a statement."""
        for outer in self.tree.within(written.statement):
            if isinstance(outer, ast.For) and outer.lineno in self._lines:
                call = outer.iter
                if isinstance(call, ast.Call) and last_name(call.func) == "enumerate":
                    yield call
