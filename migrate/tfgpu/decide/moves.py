"""Where else the settings of a config can be made: right in front of its session, or earlier.

Between settings and their session nothing may run that would see them, or that they would have to
come after. In front of the statement that makes the session there is nothing in between.
"""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Iterable, Iterator

from tfgpu.code.dotted import base_of, split_name
from tfgpu.code.index import Binding
from tfgpu.code.scripts import runs_as_script_only
from tfgpu.code.tree import LOOPS, last_name
from tfgpu.decide.decision import Draft
from tfgpu.decide.effects import Effects
from tfgpu.decide.places import class_around
from tfgpu.flow.collect import Analysis

_TIMED = frozenset(["os.environ.get", "os.getenv"])
# Functions that store to an attribute whose name they are given, or may be.
_SETTERS = frozenset(["setattr", "delattr", "__setattr__", "vars"])
# Builtins, and a method of texts, whose result depends on what a container has.
_OF_CONTAINERS = frozenset(["len", "max", "min", "sum", "join"])
# What gives an object another name.
_SHARING = (
    ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Return,
    ast.Yield,
)  # fmt: skip
# Builtins by which variables of a module may be set.
_NAMESPACES = ("globals", "exec", "vars")
# Methods of flags, namespaces and dictionaries with attributes that change what they hold.
_CHANGERS = frozenset(
    [
        "update", "parse", "parse_args", "parse_known_args", "parse_dict", "parse_json",
        "set_hparam", "del_hparam", "override_from_dict", "merge_from_file", "merge_from_list",
        "merge_from_other_cfg", "set_default", "set_defaults", "unparse_flags", "setdefault",
    ]
)  # fmt: skip
# Methods of containers that change them.
_MUTATORS = frozenset(
    [
        "append", "appendleft", "extend", "extendleft", "insert", "remove", "pop", "popleft",
        "popitem", "clear", "update", "setdefault", "add", "discard",
        "__setitem__", "__delitem__", "__iadd__", "__ior__",
    ]
)  # fmt: skip


def targets(
    decision: Draft, analysis: Analysis, effects: Effects, graph_mode: bool
) -> Iterator[ast.stmt]:
    """Yield statements that all settings of a config can move in front of, the best one first.

    Code that lists the names of the function of a session would see those of the settings.

    In a program of TensorFlow 2 the eager context had made the GPUs before the config came.
    """
    if decision.moved is not None or not _can_move(decision, analysis):
        return
    around = class_around(decision.config.roots[0], analysis)
    if around is not None and _is_constant(decision, analysis):
        yield around
    front = _front_of_session(decision, analysis)
    is_unseen = front is not None and analysis.reflection.of_new_names(front) is None
    if front is not None and is_unseen and _keeps_values(decision, front, analysis, effects):
        yield front
    is_of_1 = effects.eager.is_of_tensorflow1(decision.config.roots[0])
    early = _front_of_start(decision, analysis, effects, graph_mode) if is_of_1 else None
    if early is not None and _keeps_values(decision, early, analysis, effects):
        yield early


def _can_move(decision: Draft, analysis: Analysis) -> bool:
    """Tell whether the settings are unconditional, and made by no other function."""
    tree = analysis.tree
    if decision.config.calls or decision.config.nones or len(decision.config.roots) != 1:
        return False
    guards = tree.guards(decision.config.roots[0])
    home = tree.function(decision.config.roots[0])
    return all(
        not outcome.setting.conditions
        and tree.guards(outcome.setting.node) == guards
        and tree.function(outcome.setting.node) is home
        for outcome in decision.outcomes
    )


def _front_of_session(decision: Draft, analysis: Analysis) -> ast.stmt | None:
    """Return the statement that makes the one session of a config and does nothing before it."""
    tree = analysis.tree
    if len(decision.config.sinks) != 1:
        return None
    sink = decision.config.sinks[0]
    root = decision.config.roots[0]
    made = sink.made
    here = tree.function(made) is tree.function(root)
    if sink.through is not None or not (here or _is_constant(decision, analysis)):
        return None
    statement = tree.statement(made)
    if tree.function(statement) is not tree.function(made):
        return None  # In a comprehension.
    if isinstance(statement, ast.With | ast.AsyncWith):
        whole: ast.expr | None = statement.items[0].context_expr
    elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return):
        whole = statement.value
    else:
        return None
    if whole is None or not _comes_first(made, whole, analysis):
        return None
    arguments = [*made.args, *(keyword.value for keyword in made.keywords)]
    if not all(item is sink.argument or _is_plain(item, analysis) for item in arguments):
        return None
    guards = tree.guards(root)
    same_loops = tree.guards(statement)[: len(guards)] == guards
    if here and (not same_loops or tree.position(statement) < tree.position(root)):
        return None
    return statement


def _comes_first(made: ast.Call, whole: ast.expr, analysis: Analysis) -> bool:
    """Tell whether an expression is a call, or calls that take its result and nothing else made."""
    while whole is not made:
        if not isinstance(whole, ast.Call) or not _is_plain(whole.func, analysis):
            return False
        given = [*whole.args, *(keyword.value for keyword in whole.keywords)]
        others = [item for item in given if not _is_plain(item, analysis)]
        if len(others) != 1:
            return False
        (whole,) = others
    return True


def _is_constant(decision: Draft, analysis: Analysis) -> bool:
    """Tell whether a config is always built alike, for a session in another function of its file.

    Whenever that is made, the config is there with all of its settings: nothing comes between its
    constructor and those.
    """
    tree, symbols = analysis.tree, analysis.symbols
    config = decision.config
    (root,), made = config.roots, config.sinks[0].made
    if tree.file(made) is not tree.file(root) or tree.guards(root):
        return False
    one, other = split_name(root.func)[0], split_name(made.func)[0]
    if one is None or other is None or one.id != other.id:
        return False
    owner = symbols.variable(one)
    if owner is None or owner[0].kind != "module" or owner != symbols.variable(other):
        return False
    own = tree.statement(root)
    block = tree.block(own)
    behind = itertools.takewhile(lambda item: item in config.statements, block[block.index(own) :])
    together = {own, *behind}
    return all(
        isinstance(outcome.setting.value.node, ast.Constant)
        and tree.statement(outcome.setting.node) in together
        for outcome in decision.outcomes
    )


def _is_plain(node: ast.expr, analysis: Analysis) -> bool:
    """Tell whether an argument is a name, a constant, or an attribute that no code finds."""
    return isinstance(base_of(node), ast.Name | ast.Constant) and analysis.values.quiet(node)


def _front_of_start(
    decision: Draft, analysis: Analysis, effects: Effects, graph_mode: bool
) -> ast.stmt | None:
    """Return the first statement of the config's block that makes the eager context."""
    tree, order = analysis.tree, effects.order
    root = decision.config.roots[0]
    block = tree.block(tree.statement(root))
    statements = [tree.statement(outcome.setting.node) for outcome in decision.outcomes]
    if any(statement not in block for statement in statements):
        return None
    last = max(map(tree.position, statements), default=tree.position(root))
    holding = set(block)
    reached = {
        around
        for effect in (effects.eager.in_graphs if graph_mode else effects.eager.starts(False))
        for node in (
            effect.node,
            *(node for chain in order.chains(effect.node) or () for _, node in chain),
        )
        for around in (node, *tree.within(node))
        if around in holding
        # A definition runs nothing of what it holds.
        and (node is around or not isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef))
    }
    early = min(reached, key=tree.position, default=None)
    if early is None or tree.position(early) >= last:
        return None
    return early if _has_tensorflow(early, analysis) else None


def _has_tensorflow(statement: ast.stmt, analysis: Analysis) -> bool:
    """Tell whether TensorFlow has been imported where a statement begins."""
    tree = analysis.tree
    here = tree.function(statement)
    places = [
        tree.position(item.statement)
        for item in tree.imports
        if item.path.partition(".")[0] == "tensorflow" and tree.function(item.statement) is here
    ]
    before = [place for place in places if place < tree.position(statement)]
    # A function may have it from its module; a name of its own is none of the module's.
    return bool(before) if here.kind == "module" else len(before) == len(places)


def _keeps_values(decision: Draft, target: ast.stmt, analysis: Analysis, effects: Effects) -> bool:
    """Tell whether every value of a config is the same in front of another statement."""
    return all(
        is_same_at(outcome.setting.value.node, target, analysis, effects)
        for outcome in decision.outcomes
    )


def is_same_at(value: ast.expr, target: ast.stmt, analysis: Analysis, effects: Effects) -> bool:
    """Tell whether an expression has the same value in front of another statement."""
    symbols = analysis.symbols
    if not analysis.values.quiet(value) or analysis.values.computed(value):
        return False
    earlier = analysis.tree.position(target) < analysis.tree.position(value)
    way = _Way(value, target, analysis, effects)
    for node in ast.walk(value):
        if isinstance(node, ast.Subscript):
            return False
        if isinstance(node, ast.Call):
            timed = symbols.name(node.func) in _TIMED
            if timed or (earlier and analysis.values.is_rank(node)):
                # There is no rank before `hvd.init()`, and variables are written.
                return False
            if not all(way.keeps(item, whole=True) for item in node.args):
                return False
            if last_name(node.func) in _OF_CONTAINERS and any(map(way.is_shared, node.args)):
                return False
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if not way.keeps_name(node):
                return False
        elif (
            isinstance(node, ast.Attribute)
            and not _is_of_library(node, value, analysis)
            and not (way.keeps_attribute(node) and way.keeps(node.value))
        ):
            return False
    return True


def _is_of_library(node: ast.Attribute, value: ast.expr, analysis: Analysis) -> bool:
    """Tell whether an attribute is a function that is called, or a constant, of a library."""
    called = analysis.tree.parent[node] if node is not value else None
    is_called = isinstance(called, ast.Call) and called.func is node
    return analysis.values.known(node) is not None or (
        is_called and analysis.symbols.name(node) is not None
    )


class _Way:
    """What may run between a value and the statement that it moves in front of."""

    def __init__(
        self, value: ast.expr, target: ast.stmt, analysis: Analysis, effects: Effects
    ) -> None:
        self._analysis = analysis
        self._effects = effects
        self._tree = analysis.tree
        self._value = value
        self._own = set(ast.walk(value))
        ends = (value, target)
        self._ends = sorted(ends, key=self._tree.position)

    def _may_run(self, nodes: Iterable[ast.AST]) -> bool:
        order = self._effects.order
        first, last = self._ends
        return any(
            order.share_process(node, self._value)
            and order.may_precede(first, node)
            and order.may_precede(node, last)
            for node in nodes
        )

    def _are_over(self, bindings: list[Binding]) -> bool:
        """Tell whether a module binds a variable for the last time before either place.

        It does on any way that there is, or the error of `FLAGS = None` would come earlier.
        """
        tree, nodes = self._tree, [_placed(item.node) for item in bindings]
        last = max(nodes, key=tree.position)
        certain = len(tree.guards(last)) <= runs_as_script_only(last, tree)
        return certain and not any(
            tree.scope(node).kind != "module"
            or self._effects.order.may_precede(self._ends[0], node)
            for node in nodes
        )

    def keeps_name(self, node: ast.Name) -> bool:
        """Tell whether a name refers to the same object."""
        tree = self._tree
        variable = self._analysis.symbols.variable(node)
        bindings = variable[0].bindings[variable[1]] if variable is not None else []
        local = variable is not None and variable[0].node is tree.function(self._value).node
        start, end = map(tree.position, self._ends)
        # What comes round again comes between, too.
        loops = set(tree.within(self._ends[1])) - set(tree.within(self._ends[0]))
        loops = {item for item in loops if isinstance(item, LOOPS)}
        for binding in bindings:
            if tree.function(_placed(binding.node)) is not tree.function(self._value):
                local = False
            elif start <= tree.position(_placed(binding.node)) <= end or not loops.isdisjoint(
                tree.within(_placed(binding.node))
            ):
                return False
        if not local and len(bindings) > 1 and not self._are_over(bindings):
            return False
        if variable is None:
            return hasattr(builtins, node.id)
        finders = [call for each in _NAMESPACES for call in tree.names.get(each, [])]
        looks = self._analysis.reflection.of_variable(*variable)
        of_module = (
            other
            for other in tree.attributes.get(variable[1], [])
            if not isinstance(other.ctx, ast.Load)
            and self._analysis.symbols.variable(other) == variable
        )
        return variable[0].kind != "module" or not self._may_run((*finders, *looks, *of_module))

    def keeps_attribute(self, node: ast.Attribute) -> bool:
        """Tell whether nothing stores to an attribute of that name, of whichever object."""
        tree = self._tree
        stores: list[ast.AST] = [
            other
            for other in tree.attributes.get(node.attr, [])
            if not isinstance(other.ctx, ast.Load)
        ]
        bindings = self._analysis.symbols.bindings(node)
        stores += [_placed(item.node) for item in bindings] if len(bindings) > 1 else []
        for name in _CHANGERS | _SETTERS:
            for callee in (*tree.names.get(name, ()), *tree.attributes.get(name, ())):
                call = tree.parent[callee]
                if not isinstance(call, ast.Call) or call.func is not callee:
                    # `map(setattr, objects, names, values)`
                    stores.append(callee)
                    continue
                known = call.args[1] if name in _SETTERS and len(call.args) > 1 else None
                if not isinstance(known, ast.Constant) or known.value == node.attr:
                    stores.append(call)
        stores += tree.attributes.get("__dict__", [])
        stores += [
            other
            for other in tree.attributes.get("__class__", [])
            if not isinstance(other.ctx, ast.Load)
        ]
        # Options are parsed again by a call of what holds them, under any name.
        stores += [call for call in tree.calls if last_name(call.func) == "FLAGS"]
        return not self._may_run(stores)

    def keeps(self, node: ast.expr, whole: bool = False) -> bool:
        """Tell whether nothing changes what the object of a name holds.

        Stores to its attributes are found by their names; what else functions of the program do
        with it, under a name of their own, matters where it is looked at as a `whole`: `len(x)`.
        """
        if not isinstance(node, ast.Name | ast.Attribute):
            return True
        symbols, tree = self._analysis.symbols, self._tree
        variable, paths = symbols.variable(node), symbols.paths(node)
        name = node.id if isinstance(node, ast.Name) else node.attr
        spellings = sorted({name, *symbols.spellings(name)})
        alike: list[ast.expr] = [item for each in spellings for item in tree.names.get(each, [])]
        alike += [item for each in spellings for item in tree.attributes.get(each, [])]
        return not self._may_run(
            other
            for other in alike
            if other not in self._own
            and (
                (paths and symbols.paths(other) == paths)
                or (variable is not None and symbols.variable(other) == variable)
                or (variable is None and not paths and isinstance(other, ast.Attribute))
            )
            and self._may_change(other, whole)
        )

    def is_shared(self, node: ast.expr) -> bool:
        """Tell whether the object of a name has other names, or one of its methods that change it.

        What these do is not followed.
        """
        symbols, tree = self._analysis.symbols, self._tree
        variable, name = symbols.variable(node), last_name(node)
        if isinstance(node, ast.Name) and any(item.kind == "param" for item in tree.bindings(node)):
            return True
        for use in (*tree.names.get(name, ()), *tree.attributes.get(name, ())):
            parent = tree.parent[use]
            if symbols.variable(use) != variable or not isinstance(use.ctx, ast.Load):
                continue
            if isinstance(parent, ast.Attribute):
                call = tree.parent[parent]
                called = isinstance(call, ast.Call) and call.func is parent
                if parent.attr in _MUTATORS and not called:
                    return True
            elif isinstance(parent, _SHARING):
                return True
        return False

    def _may_change(self, node: ast.expr, whole: bool) -> bool:
        """Tell whether the object of a name may be changed where the name stands."""
        parent = self._tree.parent[node]
        call: ast.AST = parent
        if isinstance(parent, ast.Attribute):
            call = self._tree.parent[parent]
            if not (isinstance(call, ast.Call) and call.func is parent):
                # Stores are found by the name of the attribute.
                return whole and parent.attr in _MUTATORS
        elif isinstance(parent, ast.Subscript):
            return not isinstance(parent.ctx, ast.Load) or isinstance(
                self._tree.parent[parent], ast.Attribute
            )
        elif isinstance(parent, ast.keyword):
            call = self._tree.parent[parent]
        elif not isinstance(parent, ast.Call):
            return not isinstance(parent, ast.expr | ast.If | ast.While | ast.For)
        if not isinstance(call, ast.Call):
            return True
        is_given = not isinstance(parent, ast.Attribute)
        runs = self._analysis.callees.runs(call) is not None and not (whole and is_given)
        return not runs and not self._analysis.values.quiet(call)


def _placed(node: ast.AST) -> ast.AST:
    """Return a node that has a line: a comprehension or a `with` item has none of its own."""
    if hasattr(node, "lineno"):
        return node
    return next((item for item in ast.walk(node) if hasattr(item, "lineno")), node)
