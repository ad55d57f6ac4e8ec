"""All values that an expression can have, where every one of them is a literal of the files."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator

from tfgpu.code.index import Binding, Variable
from tfgpu.code.values import Enum
from tfgpu.flow.kinds import BOOL, kind_of
from tfgpu.flow.locations import Reading
from tfgpu.flow.match import text_of_number
from tfgpu.flow.parameters import Parameters
from tfgpu.rulebook.model import Literal

# So many steps a value is followed.
_DEPTH = 5


class Possible:
    """Collects the values of names that are assigned literals, or parameters that get them."""

    def __init__(self, reading: Reading, parameters: Parameters) -> None:
        self._read = reading
        self._parameters = parameters

    def values(self, node: ast.expr) -> list[Literal | Enum] | None:
        """Return all values of an expression, None where one of them is not known."""
        try:
            return list(self._values(node, set(), self._is_not_none(node))) or None
        except LookupError:
            return None

    def may_be_none(
        self, node: ast.expr, depth: int = _DEPTH, seen: set[str] | None = None
    ) -> bool:
        """Tell whether the files show a way in which an expression is None, `depth` steps far.

        What is stored under one of the names `seen` was looked at.
        """
        seen = set() if seen is None else seen
        name, values = _key(node), self._read.values
        if values.is_none(node) or (name and values.is_option_without_value(name)):
            return not self._is_guarded(node)
        if not depth or name in seen or values.known(node) is not None or self._is_guarded(node):
            return False
        seen.update([name] if name else ())
        return any(self.may_be_none(one, depth - 1, seen) for one in self._branches(node)) or (
            isinstance(node, ast.Call) and self._may_find_nothing(node)
        )

    def kinds(self, node: ast.expr) -> set[str]:
        """Return what the files show that an expression may be: a text, a bool, a float."""
        found = list(self._ways(node, _DEPTH, set()))
        known = {BOOL for one in found if isinstance(self._read.values.known(one), bool)}
        return known | ({kind_of(one, self._read) for one in found} - {""})

    def _ways(self, node: ast.expr, depth: int, seen: set[str]) -> Iterator[ast.expr]:
        """Yield an expression, and those that may be its value, `depth` steps far."""
        yield node
        name = _key(node)
        if not depth or name in seen or self._read.values.known(node) is not None:
            return
        seen.update([name] if name else ())
        others = _values(node) if isinstance(node, ast.BoolOp) else self._branches(node)
        for one in others:
            yield from self._ways(one, depth - 1, seen)

    def _branches(self, node: ast.expr) -> Iterator[ast.expr]:
        """Yield expressions each of which may be the value of another."""
        if isinstance(node, ast.IfExp):
            yield from (node.body, node.orelse)
        elif isinstance(node, ast.BoolOp):
            yield from node.values if isinstance(node.op, ast.And) else node.values[-1:]
        elif isinstance(node, ast.NamedExpr):
            yield node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Lambda):
            yield node.func.body
        elif isinstance(node, ast.Call):
            yield from (one.value for one in self._results(node) if one.value is not None)
        elif isinstance(node, ast.Subscript | ast.Attribute):
            yield from self._named(_key(node))
            yield from (one.value for one in self._read.symbols.bindings(node) if one.value)
        elif isinstance(node, ast.Name):
            bindings = self._last(node)
            filled = [one for one in bindings if one.value and self._fills(one.node, node)]
            for binding in filled or bindings:
                if binding.value is not None:
                    yield binding.value
                if isinstance(binding.node, ast.arg):
                    yield from self._passed(binding.node)
                elif binding.kind == "other":
                    yield from self._unpacked(binding.node)

    def _named(self, name: str) -> Iterator[ast.expr]:
        """Yield what the files store under a name: in an attribute, a class, a keyword, an entry.

        Of which object is not asked.
        """
        tree = self._read.tree
        for store in tree.attributes.get(name, ()):
            parent = tree.parent[store]
            if isinstance(parent, ast.Assign | ast.AnnAssign) and parent.value is not None:
                yield from [parent.value] if parent.value is not store else []
        for bound in tree.names.get(name, ()):
            parent = tree.parent[bound]
            in_class = isinstance(tree.parent.get(parent), ast.ClassDef)
            if in_class and isinstance(parent, ast.Assign | ast.AnnAssign) and parent.value:
                yield parent.value
        yield from (item.value for item in tree.nodes(ast.keyword) if item.arg == name)
        for function in tree.nodes(ast.FunctionDef) if name else ():
            if function.name == name:
                given = (getattr(one, "value", None) for one in tree.results(function))
                yield from (one for one in given if one is not None)
        for text in tree.texts.get(name, ()):
            parent = tree.parent[text]
            if isinstance(parent, ast.Dict) and text in parent.keys:
                yield parent.values[parent.keys.index(text)]
            around = tree.parent.get(parent)
            if isinstance(parent, ast.Subscript) and isinstance(around, ast.Assign):
                yield from [around.value] if parent in around.targets else []

    def _unpacked(self, node: ast.AST) -> Iterator[ast.expr]:
        """Yield the elements of what a statement unpacks."""
        value = getattr(self._read.tree.statement(node), "value", None)
        for part in ast.walk(value) if isinstance(value, ast.expr) else ():
            if isinstance(part, ast.Tuple | ast.List):
                yield from part.elts

    def _last(self, name: ast.Name) -> list[Binding]:
        """Return the bindings of a variable but for those that another one takes the place of."""
        tree = self._read.tree
        found = self._read.symbols.bindings(name)
        sure = [
            tree.position(one.node)
            for one in found
            if one.kind == "assign"
            and not tree.guards(one.node)
            and tree.scope(one.node) is tree.scope(name)
            and tree.position(one.node) < tree.position(tree.statement(name))
        ]
        return [one for one in found if not sure or tree.position(one.node) >= max(sure)]

    def _fills(self, statement: ast.AST, name: ast.Name) -> bool:
        """Tell whether a statement gives a variable a value where it is None: `if x is None:`."""
        return any(
            isinstance(around, ast.If)
            and part == "body"
            and (
                self._excludes(around.test, "orelse", name)
                or (
                    isinstance(around.test, ast.UnaryOp)
                    and isinstance(around.test.op, ast.Not)
                    and self._is_same(around.test.operand, name)
                )
            )
            for around, part in self._read.tree.guards(statement)
        )

    def _passed(self, argument: ast.arg) -> Iterator[ast.expr]:
        """Yield the default of a parameter, and what it is given where all calls are known."""
        function = self._read.tree.scope(argument).node
        if isinstance(function, ast.FunctionDef) and argument in (
            *function.args.args,
            *function.args.kwonlyargs,
        ):
            default = self._parameters.default(function, argument)
            with contextlib.suppress(LookupError):
                yield from self._given(function, argument)
                default = None
            if default is not None:
                yield default

    def _results(self, call: ast.Call) -> list[ast.Return]:
        """Return the `return` statements of the one function that a call certainly calls."""
        found = [item.node for item in self._read.symbols.bindings(call.func)]
        function = found[0] if len(found) == 1 else None
        if not isinstance(function, ast.FunctionDef) or function.decorator_list:
            return []
        return [one for one in self._read.tree.results(function) if isinstance(one, ast.Return)]

    def _may_find_nothing(self, call: ast.Call) -> bool:
        """Tell whether a call returns None where it finds nothing, or comes to no value."""
        looks = isinstance(call.func, ast.Attribute) and call.func.attr in ("get", "setdefault")
        looks = looks or self._read.symbols.name(call.func) == "os.getenv"
        if looks and len(call.args) == 1 and not call.keywords:
            return True
        results = self._results(call)
        if not results:
            # What it finds nothing for may be None: `pop(key, None)`, `fallback=None`.
            defaults = [*call.args[1:], *(item.value for item in call.keywords)]
            return any(map(self._read.values.is_none, defaults))
        function = self._read.tree.function(results[0]).node
        last = function.body[-1] if isinstance(function, ast.FunctionDef) else results[0]
        # What is in it may return in all of its ways.
        falls = isinstance(last, ast.If) and not last.orelse
        return falls or any(one.value is None for one in results)

    def _is_not_none(self, node: ast.expr) -> bool:
        """Tell whether an expression is a parameter that a test around it shows not to be None."""
        bindings = self._read.symbols.bindings(node) if isinstance(node, ast.Name) else []
        return [item.kind for item in bindings] == ["param"] and self._is_guarded(node)

    def _is_guarded(self, node: ast.expr) -> bool:
        """Tell whether a test around a variable, or an attribute, shows that it is not None."""
        return any(
            isinstance(around, ast.If | ast.IfExp)
            and any(self._excludes(test, part, node) for test in _tests(around.test, part))
            for around, part in self._read.tree.guards(node)
        )

    def _excludes(self, test: ast.expr, part: str, node: ast.expr) -> bool:
        """Tell whether an expression is not None in one part of an `if` with a test."""
        if isinstance(test, ast.Name | ast.Attribute):
            return part == "body" and self._is_same(test, node)
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return False
        (value,) = test.comparators
        wanted = ast.IsNot if part == "body" else ast.Is
        return (
            isinstance(test.ops[0], wanted)
            and isinstance(value, ast.Constant)
            and value.value is None
            and self._is_same(test.left, node)
        )

    def _is_same(self, one: ast.expr, other: ast.expr) -> bool:
        """Tell whether two expressions are the same variable, or attribute of one."""
        if isinstance(one, ast.Attribute) and isinstance(other, ast.Attribute):
            return one.attr == other.attr and self._is_same(one.value, other.value)
        if not isinstance(one, ast.Name) or not isinstance(other, ast.Name):
            return False
        variable = self._read.symbols.variable(one)
        return variable is not None and self._read.symbols.variable(other) == variable

    def _values(
        self, node: ast.expr, seen: set[Variable | str], but_none: bool = False
    ) -> Iterator[Literal | Enum]:
        """Yield the values of an expression but those of variables that were seen before.

        With `but_none` the expression is not None where it is asked for.

        Raises:
            LookupError: one of them is not known.
        """
        known = self._read.values.known(node)
        if known is not None:
            yield known
            return
        if but_none and isinstance(node, ast.Constant) and node.value is None:
            return
        if isinstance(node, ast.IfExp):
            yield from self._values(node.body, seen)
            yield from self._values(node.orelse, seen)
            return
        number, _ = text_of_number(node, self._read.values)
        if number is not None:
            for item in self._values(number, seen):
                if type(item) is not int:
                    raise LookupError
                yield str(item)
            return
        if isinstance(node, ast.Attribute):
            found = list(self._stored(node))
            # What is stored under one name is asked for together, whatever has it.
            is_new = node.attr not in seen
            seen.add(node.attr)
            for stored in found if is_new else ():
                yield from self._values(stored, seen)
            return
        variable = self._read.symbols.variable(node) if isinstance(node, ast.Name) else None
        if variable is None or variable[0].kind != "function":
            raise LookupError
        if variable in seen:
            return
        seen.add(variable)
        for binding in variable[0].bindings[variable[1]]:
            if binding.kind == "assign" and binding.value is not None:
                yield from self._values(binding.value, seen)
            elif binding.kind == "param" and isinstance(binding.node, ast.arg):
                for given in self._given(variable[0].node, binding.node):
                    yield from self._values(given, seen, but_none)
            else:
                raise LookupError

    def _stored(self, node: ast.Attribute) -> Iterator[ast.expr]:
        """Yield all that the files store in an attribute of objects of their classes, or of these.

        Raises:
            LookupError: the object may be another one, or an attribute be set in other ways.
        """
        tree, classes = self._read.tree, self._read.callees.classes
        named = classes.self_class(node) or classes.named(node.value)
        origins = self._read.callees.finders.origins.of(node.value) if named is None else {named}
        found = False
        for owner in origins:
            if not isinstance(owner, ast.ClassDef) or not self._holds_values(owner, node.attr):
                raise LookupError
            for binding in classes.body_bindings(owner, node.attr):
                if binding.kind != "assign" or binding.value is None:
                    raise LookupError
                found = True
                yield binding.value
        for item in tree.attributes.get(node.attr, []):
            if isinstance(item.ctx, ast.Load):
                continue
            parent = tree.parent[item]
            if not isinstance(parent, ast.Assign | ast.AnnAssign) or parent.value is None:
                raise LookupError
            found = True
            yield parent.value
        if not found:
            raise LookupError

    def _holds_values(self, owner: ast.ClassDef, name: str) -> bool:
        """Tell whether an attribute of a class, and of its objects, is what is stored there."""
        reflection, classes = self._read.reflection, self._read.callees.classes
        return not any(
            item.decorator_list
            or not classes.is_known(item)
            or next(reflection.of_attribute(item, name), None) is not None
            or next(reflection.of_class(item, name), None) is not None
            for item in classes.relatives(owner)
        )

    def _given(self, function: ast.AST, argument: ast.arg) -> Iterator[ast.expr]:
        """Yield what all calls of a function give for a parameter, its default among them."""
        if not isinstance(function, ast.FunctionDef) or argument not in (
            *function.args.args,
            *function.args.kwonlyargs,
        ):
            raise LookupError
        if self._parameters.not_followed(function) or self._parameters.doubt(function):
            raise LookupError
        default = self._parameters.default(function, argument)
        for _, given in self._parameters.calls(function, argument):
            value = default if given is None else given
            if value is None:
                raise LookupError
            yield value


def _values(node: ast.BoolOp) -> list[ast.expr]:
    """Return what may be the value of `a or b`, or `a and b`.

    The first of `a or b` may, too, where it is true: of `x and y` within it that is `y`.
    """
    if isinstance(node.op, ast.And):
        return node.values
    *before, last = node.values
    return [*map(_if_true, before), last]


def _if_true(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        node = node.values[-1]
    return node


def _key(node: ast.expr) -> str:
    """Return the name of an attribute, or the text that an entry is asked for by."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return node.attr if isinstance(node, ast.Attribute) else ""


def _tests(test: ast.expr, part: str) -> list[ast.expr]:
    """Return the tests that all hold in one part of an `if`, or all fail."""
    kind = ast.And if part == "body" else ast.Or
    is_joined = isinstance(test, ast.BoolOp) and isinstance(test.op, kind)
    return test.values if isinstance(test, ast.BoolOp) and is_joined else [test]
