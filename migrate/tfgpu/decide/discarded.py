"""Configs that no session takes although they were built: a variable becomes None, or is not set.

What one variable holds may come from another one: `self.config = self.other` puts None in the place
of a config if `self.other` is None, and `if log: config = own` leaves the None that was there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from tfgpu.code.order import Order
from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.decide.bound import is_bound, owner_may_be_unset
from tfgpu.decide.decision import Draft
from tfgpu.decide.per_session import Way, leads_through, may_become_none
from tfgpu.decide.places import is_after, origins, own_guards
from tfgpu.decide.unittest_order import is_run_by_tests, is_set_up
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Given

# Builtins that make no object of a class that they are given.
_ASKING = ("super", "isinstance", "issubclass")
_NONE: frozenset[ast.AST] = frozenset()
_LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)


def discards(decision: Draft, analysis: Analysis, order: Order) -> Iterator[ast.AST]:
    """Yield what may put None in the place of a config that was built, or leave it there."""
    tree = analysis.tree
    for node in decision.config.nones:
        statement = tree.statement(node)
        before = [it for it in origins(decision, node, analysis) if not tree.exclusive(it, node)]
        if any(tree.statement(item) is not statement for item in before):
            yield node
    for built in decision.config.built:
        home = tree.function(built)
        for none in may_become_none(decision, built, analysis):
            if tree.scope(none).kind == "class":  # A body runs before there are objects.
                found = _is_of_another_object(none, analysis, order)
            elif tree.function(none) is home or origins(decision, none, analysis):
                found = False
            else:
                found = _is_of_another_object(none, analysis, order)
                found = found or _comes_between(built, none, decision, order)
            if found:
                yield none
    if decision.config.nones:
        yield from _Copies(decision, analysis, order).discards()
        yield from _set_on_none(decision, analysis)


def _set_on_none(decision: Draft, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield what sets a field of a variable that may be None there: that is an error."""
    tree, config = analysis.tree, decision.config
    empty = set(map(tree.statement, config.nones))
    homes = {tree.function(item).node for item in config.nones}
    for node in _changed(decision, analysis):
        named = {_name(part) for part in ast.walk(node) if isinstance(part, ast.expr)} - {None}
        found = [it for it in _assignments(decision, analysis) if named & _targets(it, tree)]
        found = [it for it in found if it is not tree.statement(node)]
        made = [
            item
            for item in found
            if item not in empty
            and not (item.value is not None and analysis.callees.runs(item.value) in homes)
        ]
        here = [item for item in found if is_after(node, item, analysis)]
        ways: set[Way] = {
            (own_guards(decision, item, analysis), ()) for item in here if item in made
        }
        if here and len(made) < len(found) and not leads_through(ways, tree.guards(node)):
            yield node


def _changed(decision: Draft, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield what sets fields of a config: settings, what is merged, functions that do either."""
    config, function = decision.config, analysis.tree.function
    for setting in config.settings:
        yield setting.node
        # `config.MergeFrom(tf.ConfigProto(...))`
        statement = setting.statement
        around = statement.value if isinstance(statement, ast.Expr) else None
        yield from [around.func] if isinstance(around, ast.Call) else []
        home = function(setting.node).node
        yield from (item.given for item in config.passed if item.function is home)


def unset_reads(
    decision: Draft, analysis: Analysis, order: Order
) -> Iterator[tuple[ast.AST, ast.expr | None]]:
    """Yield where a variable that should have a config is read, and may have no value.

    By a session, or by what hands the config on to it: `config = self.config`, `return config`.
    """
    reads: list[tuple[ast.AST, ast.expr | None]] = [
        (sink.made, sink.argument) for sink in decision.config.sinks
    ]
    for item in decision.config.statements:
        value = item.value if isinstance(item, ast.Assign | ast.AnnAssign | ast.Return) else None
        if isinstance(value, ast.Name | ast.Attribute):
            reads.append((value, value))
    for place, read in reads:
        if _is_unset(decision, place, read, analysis, order):
            yield place, read


def _is_unset(
    decision: Draft, place: ast.AST, read: ast.expr | None, analysis: Analysis, order: Order
) -> bool:
    """Tell whether what is read at a place may have no value there."""
    tree = analysis.tree
    name = _name(read)
    if isinstance(read, ast.Name) and is_bound(read, tree):
        return False
    if isinstance(read, ast.Attribute) and owner_may_be_unset(read, place, tree, order):
        return True
    found: list[ast.stmt] = []
    found += (item for item in _assignments(decision, analysis) if name in _targets(item, tree))
    found += (tree.statement(one.made) for one in decision.config.given if name in _names(one))
    before = [item for item in found if is_after(place, item, analysis)]
    ways: set[Way] = {(tree.guards(item), ()) for item in before}
    # What sets it in another function: by itself, or in both branches of a statement.
    wholes: dict[ast.AST, set[Way]] = {}
    for item in found:
        if tree.function(item) is not tree.function(place) and not _leaves_before(item, tree):
            guards = tree.guards(item)
            wholes.setdefault(guards[0][0] if guards else item, set()).add((guards, ()))
    return bool(found) and not (
        leads_through(ways, tree.guards(place))
        or any(
            leads_through(parts, ())
            and _came_before(whole, place, analysis, order)
            and _is_for_all_objects(whole, place, read, analysis, order)
            for whole, parts in wholes.items()
        )
    )


def _came_before(assignment: ast.AST, place: ast.AST, analysis: Analysis, order: Order) -> bool:
    """Tell whether a function assigns before another one reads.

    Nobody calls the methods of an object that has not been made, nor does other code call the
    functions of a module that has not been imported.
    """
    tree = analysis.tree
    home = tree.function(assignment).node
    if isinstance(home, ast.Module) and order.chains(place) is None:
        return True
    if is_set_up(home, analysis) and is_run_by_tests(place, home, analysis):
        return True
    is_made = isinstance(home, ast.FunctionDef) and home.name == "__init__"
    is_made = is_made and not _is_replaced(home, analysis)
    # What reads it from a class, or an object, comes behind the body of that.
    is_made = is_made or tree.scope(assignment).kind == "class"
    return is_made or order.always_after(place, assignment)


def _is_replaced(initializer: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a class may be given another initializer: `Net.__init__ = prepare`."""
    tree, classes = analysis.tree, analysis.callees.classes
    owner = tree.parent[initializer]
    others = (it for it in tree.attributes.get("__init__", ()) if isinstance(it.ctx, ast.Store))
    for of in (classes.defined(it.value) for it in others):
        if of is None or not isinstance(owner, ast.ClassDef) or classes.are_related(of, owner):
            return True
    return False


def _is_for_all_objects(
    assignment: ast.AST,
    place: ast.AST,
    read: ast.expr | None,
    analysis: Analysis,
    order: Order,
) -> bool:
    """Tell whether each object of which an attribute is read got that before.

    A subclass may have an `__init__` that does not call that of its base, or not always, and a
    method may be called for another object only.
    """
    tree, classes = analysis.tree, analysis.callees.classes
    home, body = tree.function(assignment).node, tree.scope(assignment).node
    owner = classes.self_class(read) if isinstance(read, ast.Attribute) else None
    of = None
    if owner is None:
        around = body if isinstance(body, ast.ClassDef) else tree.parent.get(home)
        owner = around if isinstance(around, ast.ClassDef) else None
        of = ast.unparse(read.value) if isinstance(read, ast.Attribute) else None
    if owner is None:
        return True
    below = (item for item in classes.relatives(owner) if owner in classes.line(item))
    made = [item for item in below if _is_made(item, analysis)]
    if isinstance(body, ast.ClassDef):
        return all(body in classes.line(item) for item in made)
    if not isinstance(home, ast.FunctionDef) or not isinstance(tree.parent[home], ast.ClassDef):
        return True
    if is_set_up(home, analysis):
        return all(_runs(classes.inherited(item, home.name), home, analysis) for item in made)
    by_itself = home.name != "__init__" and (
        _is_made_once(owner, order) or _runs(tree.function(place).node, home, analysis, of)
    )
    # `Trainer.__new__(Trainer)` runs no constructor.
    unmade = (tree.function(use).node for use in tree.attributes.get("__new__", ()))
    if any(getattr(method, "name", "") != "__new__" for method in unmade):
        return by_itself
    return by_itself or all(_runs(classes.initializer(item), home, analysis) for item in made)


def _is_made(owner: ast.ClassDef, analysis: Analysis) -> bool:
    """Tell whether a class is named for more than what others inherit from it."""
    tree = analysis.tree
    uses = list(analysis.symbols.uses((tree.scope(owner), owner.name)))
    around = [tree.parent[use] for use in uses]
    return not uses or not all(
        isinstance(item, ast.ClassDef)
        or (isinstance(item, ast.Attribute) and item.attr == "__init__")
        or (isinstance(item, ast.Call) and tree.builtin(item.func) in _ASKING)
        for item in around
    )


def _runs(
    method: ast.AST | None,
    inner: ast.AST,
    analysis: Analysis,
    of: str | None = None,
    seen: frozenset[ast.AST] = _NONE,
) -> bool:
    """Tell whether a method is another one, or certainly calls that: `super().__init__()`.

    With `of` it calls that, or what does so, of an object of this name.
    """
    if method is None or method in seen or method is inner:
        return method is inner
    tree, classes = analysis.tree, analysis.callees.classes
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and of in (None, ast.unparse(call.func.value))
        and not tree.guards(call)
        and not _leaves_before(call, tree)
        and _runs(classes.method(call.func), inner, analysis, seen=seen | {method})
        for call in ast.walk(method)
    )


def _leaves_before(node: ast.AST, tree: Tree) -> bool:
    home = tree.function(node)
    return any(
        isinstance(item, ast.Return)
        and tree.function(item) is home
        and tree.position(item) < tree.position(node)
        for item in ast.walk(home.node)
    )


def _assignments(decision: Draft, analysis: Analysis) -> list[ast.Assign | ast.AnnAssign]:
    config = decision.config
    nones = map(analysis.tree.statement, config.nones)
    found = dict.fromkeys((*config.statements, *nones))
    return [item for item in found if isinstance(item, ast.Assign | ast.AnnAssign)]


def _is_of_another_object(none: ast.AST, analysis: Analysis, order: Order) -> bool:
    """Tell whether an attribute that is set to None may be that of an object without a config.

    It is not where only one object is ever made of its class, and none of a related one.
    """
    tree, classes = analysis.tree, analysis.callees.classes
    body = tree.scope(none).node
    targets = getattr(tree.statement(none), "targets", ())
    attributes = [item for item in targets if isinstance(item, ast.Attribute)]
    owners = [body] if isinstance(body, ast.ClassDef) else map(classes.attribute_class, attributes)
    return not all(
        owner is not None and classes.relatives(owner) <= {owner} and _is_made_once(owner, order)
        for owner in owners
    )


def _is_made_once(owner: ast.ClassDef, order: Order) -> bool:
    """Tell whether a program makes one object of a class at most."""
    methods = (item for item in owner.body if isinstance(item, ast.FunctionDef))
    made = next((calls for item in methods if (calls := order.makers(item)) is not None), None)
    return made is not None and len(made) <= 1 and all(map(order.runs_once, made))


def _comes_between(one: ast.AST, other: ast.AST, decision: Draft, order: Order) -> bool:
    return any(
        order.between(one, other, sink.made) is not When.NEVER for sink in decision.config.sinks
    )


class _Copies:
    """The assignments of one variable, or attribute, that holds a config to another one."""

    def __init__(self, decision: Draft, analysis: Analysis, order: Order) -> None:
        self._decision = decision
        self._analysis = analysis
        self._tree = analysis.tree
        self._order = order
        config = decision.config
        found = _assignments(decision, analysis)
        nones = {analysis.tree.statement(item) for item in config.nones}
        self._nones = [item for item in found if item in nones]
        self._others = [item for item in found if item not in nones]

    def discards(self) -> Iterator[ast.AST]:
        """Yield the copies that may put None in the place of a config, or leave it there."""
        copies = [item for item in self._others if _name(item.value) is not None]
        held = {name for item in self._nones for name in _targets(item, self._tree)}
        for copy in copies:
            is_none = self._may_be_none(copy)
            left_out = bool(held & _targets(copy, self._tree)) and self._may_be_left_out(copy)
            if left_out or (is_none and any(map(partial(self._replaces, copy), self._others))):
                yield copy
            if is_none:
                held |= _targets(copy, self._tree)

    def _may_be_none(self, copy: ast.Assign | ast.AnnAssign, depth: int = 5) -> bool:
        """Tell whether the variable that is copied may be None."""
        name = _name(copy.value)
        home, guards = self._tree.function(copy), self._tree.guards(copy)
        start = max(
            (
                self._tree.position(item)
                for item in self._others
                if name in _targets(item, self._tree)
                and self._tree.function(item) is home
                and _name(item.value) is None
                and self._tree.position(item) < self._tree.position(copy)
                and guards[: len(around := self._tree.guards(item))] == around
            ),
            default=None,
        )
        for item in self._nones:
            if name in _targets(item, self._tree) and not self._is_over(item, start, home):
                return True
        return depth > 0 and any(
            name in _targets(item, self._tree)
            and item is not copy
            and not self._is_over(item, start, home)
            and self._may_be_none(item, depth - 1)
            for item in self._others
            if _name(item.value) is not None
        )

    def _is_over(self, item: ast.stmt, start: tuple[int, int] | None, home: object) -> bool:
        """Tell whether a variable has been set again, whatever the way, since a statement."""
        return start is not None and (
            self._tree.function(item) is not home or self._tree.position(item) < start
        )

    def _replaces(
        self, copy: ast.Assign | ast.AnnAssign, other: ast.Assign | ast.AnnAssign
    ) -> bool:
        """Tell whether what is copied may come in the place of what another statement assigned."""
        if copy is other or not _targets(copy, self._tree) & _targets(other, self._tree):
            return False
        return _comes_between(other, copy, self._decision, self._order)

    def _may_be_left_out(self, copy: ast.stmt) -> bool:
        """Tell whether a config that was built may not get to where a session finds it."""
        before = origins(self._decision, copy, self._analysis)
        guards = self._tree.guards(copy)
        return not before or any(
            guards != self._tree.guards(item)[: len(guards)]
            or any(isinstance(around, ast.Try | ast.With | ast.AsyncWith) for around, _ in guards)
            or self._leaves(item, copy)
            for item in before
        )

    def _leaves(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether a function may be left, or a loop go on, between two of its nodes."""
        position = self._tree.position
        return any(
            isinstance(node, _LEAVES) and position(one) < position(node) < position(other)
            for node in ast.walk(self._tree.function(other).node)
        )


def _names(given: Given) -> tuple[str, str]:
    return f"[{given.name!r}]", f".{given.name}"


def _targets(statement: ast.Assign | ast.AnnAssign, tree: Tree) -> set[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    prefix = "." if tree.scope(statement).kind == "class" else ""
    return {prefix + name for target in targets if (name := _name(target)) is not None}


def _name(node: ast.expr | None) -> str | None:
    """Return the name of a variable or attribute, as it may be one that another name says."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        return f"[{node.slice.value!r}]" if isinstance(node.slice, ast.Constant) else None
    return f".{node.attr}" if isinstance(node, ast.Attribute) else None
