"""Settings that may be refused: the error comes from another place than in TensorFlow 1."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfgpu.code.tree import Tree
from tfgpu.decide.assumptions import Assumption
from tfgpu.decide.cluster import Cluster
from tfgpu.decide.decision import Draft, Outcome
from tfgpu.decide.discarded import may_be_unset
from tfgpu.decide.places import is_tied, may_end_between
from tfgpu.decide.survival import catchers
from tfgpu.files.pattern import expression
from tfgpu.flow import reasons
from tfgpu.flow.match import GPUS
from tfgpu.flow.reasons import Problem

# A GPU that a machine with GPUs may not have.
_OTHER_GPU = expression(rf"{re.escape(GPUS)}\[(?!0\])")


def caught(decision: Draft, cluster: Cluster) -> Iterator[Problem | Assumption]:
    """Find settings that may raise where the program catches the error and continues.

    Where TensorFlow 1 raised an error of its own, and in the session, the code of tf.config
    raises another one, in another place.
    """
    tree, order, analysis = cluster.tree, cluster.order, cluster.analysis
    for outcome in decision.outcomes:
        # ConfigProto checks the types of values where they are set.
        if outcome.setting.value.known is None and _is_tried(outcome.setting.node, tree):
            yield reasons.CaughtError(outcome.setting.node)
            return
    refused = any(map(_may_raise, decision.outcomes))
    if (
        refused
        and decision.moved is None
        and (not is_tied(decision, analysis) or may_end_between(decision, analysis))
    ):
        # They may be refused in a run that makes no session, and had no error at all.
        for outcome in filter(_names_gpus, decision.outcomes):
            node = outcome.setting.node
            refusal = reasons.CaughtError(node)
            if order.is_watchable(node):
                yield Assumption(refusal, "session-behind", node)
            else:
                yield refusal
    for sink in decision.config.sinks:
        # A variable that was not set is an error, too, and no session without a config.
        if not refused and not may_be_unset(decision, sink, analysis):
            continue
        unset = reasons.MixedOrigin(sink.made, "nothing in some runs")
        problem: Problem = reasons.CaughtError(sink.made) if refused else unset
        for catcher in catchers(sink.made, analysis, order):
            # A handler that is not reached caught nothing; nor did what had not begun.
            if isinstance(catcher, ast.ExceptHandler):
                yield cluster.unless_behind(catcher.body[0], sink.made, problem)
            elif isinstance(catcher, ast.stmt):
                yield cluster.unless_behind(sink.made, catcher, problem)
            else:
                yield problem


def _is_tried(node: ast.AST, tree: Tree) -> bool:
    """Tell whether the function of a node catches errors of any kind around it."""
    scope = tree.function(node)
    return any(
        isinstance(around, ast.Try)
        and any(_catches_values(handler) for handler in around.handlers)
        and node in {inner for item in around.body for inner in ast.walk(item)}
        for around in tree.within(node)
        if tree.function(around) is scope
    )


def _catches_values(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler may catch what a wrong value raises."""
    if handler.type is None:
        return True
    names = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(handler.type)}
    return not names.isdisjoint({"Exception", "BaseException", "TypeError", "ValueError"})


def _may_raise(outcome: Outcome) -> bool:
    """Tell whether the code for a setting may raise: a GPU that is not there, an odd fraction."""
    emit = outcome.case.emit if outcome.case is not None else None
    known = outcome.setting.value.known
    if emit is None:
        return False
    # TensorFlow 1 raises for more GPUs than a list of virtual devices is long, too.
    is_odd = bool(emit.helpers) and not isinstance(known, int | float)
    return _names_gpus(outcome) or bool(emit.indexed) or is_odd


def _names_gpus(outcome: Outcome) -> bool:
    """Tell whether a setting names GPUs by numbers that a machine may not have."""
    if outcome.rule.lists_gpus:
        return outcome.setting.value.known not in ("", "0", "-1")
    return bool(_OTHER_GPU.search(outcome.variables.get("statements", "")))
