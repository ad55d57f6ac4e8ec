"""Looks once more at what plans take away: whoever noted that a statement goes, each part must.

The analysis notes in many places what goes with a config. Here one question is asked of all of it:
is there anything else in it that the program has a use for?
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfgpu.code.tree import Tree
from tfgpu.decide.decision import Decision
from tfgpu.flow.collect import Analysis
from tfgpu.flow.contents import METHODS
from tfgpu.flow.locations import VIRTUAL_DEVICES
from tfgpu.flow.reasons import Problem, Stored
from tfgpu.rewrite.changes import Plan
from tfgpu.rulebook.book import MESSAGES

# What changes a message, a list or a dictionary.
_METHODS = (*METHODS, "update")
_RUNS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)


def unaccounted(
    plans: Iterable[Plan], decisions: Iterable[Decision], analysis: Analysis
) -> Problem | None:
    """Return a problem where plans take away what is not known to go with the configs.

    That is a call that makes or passes on none of them, or a variable, or an attribute of `self`,
    that code which stays still reads.

    Args:
        plans: the plans of all files of `analysis`.
        decisions: on its configs; those without a problem are converted.
        analysis: the files that are analysed as one.
    """
    plans = list(plans)
    converted = [decision for decision in decisions if decision.problem is None]
    noted = {item for decision in converted for item in decision.config.statements}
    noted.update(item for use in analysis.facts.session_uses for item in use.statements)
    removed = [item for plan in plans for item in plan.removed if item in noted]
    if not removed:
        return None
    known = _all(_known(converted, analysis))
    gone = _all(_gone(plans)) - _all(_moved(converted))
    for statement in removed:
        own = _all(
            item.target for item in ast.walk(statement) if isinstance(item, ast.comprehension)
        )
        for node in ast.walk(statement):
            if node in own:
                continue
            if isinstance(node, _RUNS) and node not in known:
                changes = node.func if isinstance(node, ast.Call) else None
                if changes is not None and _is_value(changes, analysis):
                    continue
                if not isinstance(changes, ast.Attribute) or changes.attr not in _METHODS:
                    return Stored(statement, node)
                read = _holder(changes.value)
            elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
                read = node
            else:
                continue
            if any(use not in gone for use in _uses(read, analysis)):
                return Stored(statement, node)
    return None


def _is_value(function: ast.expr, analysis: Analysis) -> bool:
    """Tell whether a function only makes a message or a dictionary."""
    return analysis.symbols.name(function) in MESSAGES or analysis.tree.builtin(function) == "dict"


def _holder(part: ast.expr) -> ast.expr:
    """Return the variable, or attribute of `self`, that has a part of a message."""
    while True:
        if isinstance(part, ast.Call):
            part = part.func
        elif isinstance(part, ast.Subscript) or (
            isinstance(part, ast.Attribute)
            and not (isinstance(part.value, ast.Name) and part.value.id == "self")
        ):
            part = part.value
        else:
            return part


def _all(nodes: Iterable[ast.AST | None]) -> set[ast.AST]:
    return {inner for node in nodes if node is not None for inner in ast.walk(node)}


def _known(converted: list[Decision], analysis: Analysis) -> Iterator[ast.AST | None]:
    """Yield what makes configs, sets them, or passes them on, and on which conditions."""
    for decision in converted:
        config = decision.config
        yield from (*config.built, *config.dictionaries, *config.nones)
        yield from (call for call, _ in config.calls)
        for setting in config.settings:
            yield from (setting.node, setting.value.node)
        for outcome in decision.outcomes:
            if outcome.case is not None and outcome.case.emit is not None:
                yield from (test for test, _ in outcome.setting.conditions)
    for use in analysis.facts.session_uses:
        yield from (use.call, use.session)


def _gone(plans: list[Plan]) -> Iterator[ast.AST]:
    """Yield what goes: statements, arguments, targets, what becomes other code."""
    for plan in plans:
        yield from plan.removed
        yield from plan.dropped.values()
        yield from (value for value, _, _ in plan.told.values())
        yield from plan.cut
        yield from plan.replaced
        for statement in plan.opened:
            if isinstance(statement, ast.If):
                yield statement.test


def _moved(converted: list[Decision]) -> Iterator[ast.AST]:
    """Yield the values that the new code has as they are."""
    for decision in converted:
        for outcome in decision.outcomes:
            setting, case = outcome.setting, outcome.case
            if case is not None and case.emit is not None and setting.field != VIRTUAL_DEVICES:
                yield setting.value.node


def _uses(target: ast.expr, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield what reads a variable, or an attribute of `self` in its class."""
    variable = analysis.symbols.variable(target)
    if variable is not None:
        yield from analysis.symbols.uses(variable)
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        tree, owner = analysis.tree, target.value
        home = _class(target, tree)
        for use in tree.attributes.get(target.attr, ()):
            if (
                isinstance(use.ctx, ast.Load)
                and isinstance(use.value, ast.Name)
                and use.value.id == owner.id
                and _class(use, tree) is home
            ):
                yield use


def _class(node: ast.AST, tree: Tree) -> ast.AST | None:
    return next((item for item in tree.within(node) if isinstance(item, ast.ClassDef)), None)
