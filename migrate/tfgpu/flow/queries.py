"""What the program makes of a query for devices, which decides what it can become."""

from __future__ import annotations

import ast
from string import Template

from tfgpu.code.tree import Tree
from tfgpu.flow.facts import Query, QueryForm
from tfgpu.flow.modern import asks_for_version
from tfgpu.rulebook.model import QueryRule


class Queries:
    """Finds the form of the queries of one file."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def query(self, call: ast.Call, rule: QueryRule) -> Query:
        """Return a query with its form, or with the reason why it has none."""
        if not _has_idle_arguments(call, rule):
            return Query(call, rule, None, "its arguments would be lost")
        if any(isinstance(node, ast.JoinedStr) for node in self._tree.within(call)):
            return Query(call, rule, None, "it stands inside an f-string")
        if asks_for_version(call, self._tree):
            return Query(call, rule, None, "the code around it asks which TensorFlow it runs on")
        form = self._form(call, rule)
        why = "tf.config has no equivalent for how its result is used, or that is not known"
        return Query(call, rule, form, "" if form else why)

    def _form(self, call: ast.Call, rule: QueryRule) -> QueryForm | None:
        if "value" in rule.forms:
            return _made(rule, "value", call)
        source, statements = self._used(call)
        found = self._names(source) if rule.gives == "names" else self._devices(source)
        if found is None or found[0] not in rule.forms:
            return None
        shape, node, item, kind = found
        return _made(rule, shape, node, item, kind, statements)

    def _used(self, call: ast.Call) -> tuple[ast.expr, tuple[ast.stmt, ...]]:
        """Return where a query is used: in its place, or as a variable that is read once."""
        tree = self._tree
        statement = tree.parent[call]
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return call, ()
        target = statement.targets[0]
        if not isinstance(target, ast.Name):
            return call, ()
        owner = tree.owner(target.id, tree.scope(target))
        uses = [
            name
            for name in tree.names[target.id]
            if isinstance(name.ctx, ast.Load) and tree.owner(name.id, tree.scope(name)) is owner
        ]
        local = owner is not None and owner.kind == "function" and owner is tree.function(call)
        if not local or len(uses) != 1 or len(tree.bindings(target)) != 1:
            return call, ()
        use = uses[0]
        if tree.block(tree.statement(use)) is not tree.block(statement):
            return call, ()
        return use, (statement,)

    def _names(self, source: ast.expr) -> tuple[str, ast.expr, str, str] | None:
        """Recognise what is done with a list of names of GPUs."""
        parent = self._tree.parent[source]
        if self._calls(parent, "len"):
            assert isinstance(parent, ast.Call)
            return "count", parent, "", "GPU"
        if self._calls(parent, "bool"):
            assert isinstance(parent, ast.Call)
            return "any", parent, "", "GPU"
        is_test = isinstance(parent, ast.If | ast.IfExp | ast.While) and parent.test is source
        if is_test or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)):
            return "any", source, "", "GPU"
        return None

    def _devices(self, source: ast.expr) -> tuple[str, ast.expr, str, str] | None:
        """Recognise what is done with a list of devices: a comprehension over it."""
        tree = self._tree
        generator = tree.parent[source]
        if not isinstance(generator, ast.comprehension) or generator.iter is not source:
            return None
        around = tree.parent[generator]
        if not isinstance(around, ast.ListComp | ast.GeneratorExp) or len(around.generators) != 1:
            return None
        if not isinstance(generator.target, ast.Name) or generator.is_async:
            return None
        item, outer = generator.target.id, tree.parent[around]
        if not generator.ifs:
            test = _kind(around.elt, item)
            if test == "GPU" and (self._calls(outer, "any") or self._calls(outer, "sum")):
                assert isinstance(outer, ast.Call)
                return ("any" if self._calls(outer, "any") else "count"), outer, "", test
        kind = _kind(generator.ifs[0], item) if len(generator.ifs) == 1 else ""
        if kind is None or len(generator.ifs) > 1 or not isinstance(around, ast.ListComp):
            return None
        plain = isinstance(around.elt, ast.Name) or _is_attribute(around.elt, item, None)
        if kind == "GPU" and plain and self._calls(outer, "len"):
            assert isinstance(outer, ast.Call)
            return "count", outer, "", kind
        if _is_attribute(around.elt, item, "name"):
            return "names", around, item, kind
        return None

    def _calls(self, node: ast.AST, name: str) -> bool:
        """Tell whether a node is a call of a builtin with one argument."""
        return (
            isinstance(node, ast.Call)
            and self._tree.builtin(node.func) == name
            and len(node.args) == 1
            and not node.keywords
        )


def _made(
    rule: QueryRule,
    shape: str,
    node: ast.expr,
    item: str = "",
    kind: str = "",
    statements: tuple[ast.stmt, ...] = (),
) -> QueryForm:
    argument = f'"{kind}"' if kind else ""
    code = Template(rule.forms[shape]).safe_substitute(item=item, kind=argument)
    return QueryForm(node, code, shape in rule.initialises, statements)


def _has_idle_arguments(call: ast.Call, rule: QueryRule) -> bool:
    """Tell whether a call has no arguments but constants that change nothing in its answer."""
    values = [*call.args, *(item.value for item in call.keywords)]
    return (
        len(call.args) <= len(rule.idle)
        and all(item.arg in rule.idle for item in call.keywords)
        and all(isinstance(value, ast.Constant) for value in values)
    )


def _is_attribute(node: ast.expr, item: str, name: str | None) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == item
        and name in (None, node.attr)
    )


def _kind(test: ast.expr, item: str) -> str | None:
    """Return the type that a test asks for: `x.device_type == "GPU"`."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or type(test.ops[0]) is not ast.Eq:
        return None
    for one, other in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
        if _is_attribute(one, item, "device_type") and isinstance(other, ast.Constant):
            return other.value if other.value in ("GPU", "CPU") else None
    return None
