"""Where else the settings of a config can be made: right in front of its session, or earlier.

Between settings and their session nothing may run that would see them, or that they would have to
come behind. In front of the statement that makes the session there is nothing in between.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from tfgpu.decide.decision import Decision
from tfgpu.decide.effects import Effects
from tfgpu.flow.collect import Analysis

_TIMED = frozenset(["os.environ.get", "os.getenv"])


def targets(
    decision: Decision, analysis: Analysis, effects: Effects, graph_mode: bool
) -> Iterator[ast.stmt]:
    """Yield statements that all settings of a config can move in front of, the best one first.

    In a program that runs eagerly the eager context had made the GPUs before the config came.
    """
    if decision.moved is not None or not _can_move(decision, analysis):
        return
    front = _front_of_session(decision, analysis)
    if front is not None and _keeps_values(decision, front, analysis, effects):
        yield front
    early = _front_of_start(decision, analysis, effects) if graph_mode else None
    if early is not None and _keeps_values(decision, early, analysis, effects):
        yield early


def _can_move(decision: Decision, analysis: Analysis) -> bool:
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


def _front_of_session(decision: Decision, analysis: Analysis) -> ast.stmt | None:
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
    if whole is None or not _comes_first(made, whole):
        return None
    arguments = [*made.args, *(keyword.value for keyword in made.keywords)]
    if not all(_is_plain(item) or item is sink.argument for item in arguments):
        return None
    guards = tree.guards(root)
    same_loops = tree.guards(statement)[: len(guards)] == guards
    if here and (not same_loops or tree.position(statement) < tree.position(root)):
        return None
    return statement


def _comes_first(made: ast.Call, whole: ast.expr) -> bool:
    """Tell whether an expression is a call, or calls that take its result and nothing else made."""
    while whole is not made:
        if not isinstance(whole, ast.Call) or not _is_plain(whole.func):
            return False
        given = [*whole.args, *(keyword.value for keyword in whole.keywords)]
        others = [item for item in given if not _is_plain(item)]
        if len(others) != 1:
            return False
        (whole,) = others
    return True


def _is_constant(decision: Decision, analysis: Analysis) -> bool:
    """Tell whether a config is always built alike, for a session in another function of its file.

    Whenever that is made, the config is there with all of its settings: nothing comes between its
    constructor and those.
    """
    tree, symbols = analysis.tree, analysis.symbols
    config = decision.config
    (root,), made = config.roots, config.sinks[0].made
    if tree.file(made) is not tree.file(root) or tree.guards(root):
        return False
    one, other = _first_name(root.func), _first_name(made.func)
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


def _first_name(node: ast.expr) -> ast.Name | None:
    """Return the name that a dotted expression begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def _is_plain(node: ast.expr) -> bool:
    """Tell whether an argument is a name, a constant, or an attribute of a name."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name | ast.Constant)


def _front_of_start(decision: Decision, analysis: Analysis, effects: Effects) -> ast.stmt | None:
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
        for effect in effects.eager_starts
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
    return tree.function(statement).kind != "module" or any(
        item.path.partition(".")[0] == "tensorflow"
        and tree.file(item.statement) is tree.file(statement)
        and tree.position(item.statement) < tree.position(statement)
        for item in tree.imports
    )


def _keeps_values(
    decision: Decision, target: ast.stmt, analysis: Analysis, effects: Effects
) -> bool:
    """Tell whether every value of a config is the same in front of another statement."""
    return all(
        _is_same_at(outcome.setting.value.node, target, analysis, effects)
        for outcome in decision.outcomes
    )


def _is_same_at(value: ast.expr, target: ast.stmt, analysis: Analysis, effects: Effects) -> bool:
    """Tell whether an expression has the same value in front of another statement."""
    tree, symbols = analysis.tree, analysis.symbols
    if not analysis.values.quiet(value):
        return False
    earlier = tree.position(target) < tree.position(value)
    start, end = sorted([tree.position(target), tree.position(value)])
    for node in ast.walk(value):
        if isinstance(node, ast.Call):
            timed = symbols.name(node.func) in _TIMED
            if timed or (earlier and analysis.values.is_rank(node)):
                # There is no rank before `hvd.init()`, and variables are written.
                return False
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            variable = symbols.variable(node)
            bindings = variable[0].bindings[variable[1]] if variable is not None else []
            local = variable is not None and variable[0].node is tree.function(value).node
            for binding in bindings:
                if tree.function(_placed(binding.node)) is not tree.function(value):
                    if len(bindings) > 1:
                        return False
                elif start <= tree.position(_placed(binding.node)) <= end:
                    return False
            if not local and len(bindings) > 1:
                return False
        elif isinstance(node, ast.Attribute) and not symbols.paths(node):
            stores = [
                other
                for other in tree.attributes.get(node.attr, [])
                if not isinstance(other.ctx, ast.Load)
            ]
            if any(_may_run_between(other, start, end, value, target, effects) for other in stores):
                return False
        elif isinstance(node, ast.Subscript):
            return False
    return True


def _placed(node: ast.AST) -> ast.AST:
    """Return a node that has a line: a comprehension or a `with` item has none of its own."""
    if hasattr(node, "lineno"):
        return node
    return next((item for item in ast.walk(node) if hasattr(item, "lineno")), node)


def _may_run_between(
    store: ast.AST,
    start: tuple[int, int],
    end: tuple[int, int],
    value: ast.expr,
    target: ast.stmt,
    effects: Effects,
) -> bool:
    order = effects.order
    if not order.share_process(store, value):
        return False
    first, second = (value, target) if effects.position(value) == start else (target, value)
    return order.may_precede(first, store) and order.may_precede(store, second)
