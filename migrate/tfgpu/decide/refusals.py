"""Settings that may be refused: the error comes from another place than in TensorFlow 1."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfgpu.code.tree import Tree
from tfgpu.dataclass import replace
from tfgpu.decide.assumptions import Assumption
from tfgpu.decide.cluster import Cluster
from tfgpu.decide.decision import Draft, Outcome
from tfgpu.decide.discarded import unset_reads
from tfgpu.decide.places import is_tied, may_end_between
from tfgpu.files.pattern import expression
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.match import GPUS, wrong_type
from tfgpu.flow.reasons import Problem

# A GPU that a machine with GPUs may not have.
_OTHER_GPU = expression(rf"{re.escape(GPUS)}\[(?!0\])")
# Keras of TensorFlow 2, which has no functions for sessions; tensorflow.compat.v1.keras has them.
_WITHOUT_SESSIONS = ("tensorflow.keras.", "keras.")
_IMPORTS = (ast.Import, ast.ImportFrom)


def caught(decision: Draft, cluster: Cluster) -> Iterator[Problem | Assumption]:
    """Find settings that may raise where the program catches the error and continues.

    Where TensorFlow 1 raised an error of its own, and in the session, the code of tf.config
    raises another one, in another place.
    """
    order, analysis = cluster.order, cluster.analysis
    for outcome in decision.outcomes:
        # ConfigProto checks the types of values where they are set.
        if not _has_right_type(outcome, analysis):
            node = outcome.setting.node
            yield from _at(node, reasons.CaughtError(node), cluster)
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
    for sink in decision.config.sinks if refused else ():
        yield from _at(sink.made, reasons.CaughtError(sink.made), cluster)
    # A variable that was not set is an error, too, and no session without a config.
    for place, read in unset_reads(decision, analysis, order):
        unset = reasons.MixedOrigin(place, "nothing in some runs")
        yield Assumption(unset, "value-set", place, expression=ast.unparse(read) if read else "")
    for node in _missing(decision, analysis):
        if isinstance(node, ast.Try):
            yield reasons.CaughtError(node)
        else:
            yield from _at(node, reasons.CaughtError(node), cluster)


def _missing(decision: Draft, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield what fails on TensorFlow 2, in a program that runs there: its Keras has no sessions.

    That is `set_session` of `tf.keras.backend`, or of the package keras since its version 3, for a
    session of tensorflow.compat.v1; or a `try` around the import that has no other one instead.
    """
    config = decision.config
    made = {None, *(sink.made for sink in config.sinks)}
    built = {path for node in config.built for path in analysis.symbols.paths(node.func)}
    if not any(path.startswith("tensorflow.compat.v1.") for path in built):
        return
    for use in analysis.facts.session_uses:
        paths = analysis.symbols.paths(use.call.func)
        if use.session in made and any(path.startswith(_WITHOUT_SESSIONS) for path in paths):
            yield use.call
            bindings = analysis.symbols.bindings(use.call.func)
            for item in (one.node for one in bindings if one.kind == "import"):
                yield item
                yield from filter(_goes_on_without, analysis.tree.within(item))


def _goes_on_without(node: ast.AST) -> bool:
    """Tell whether a node is a `try` whose handlers import nothing in the place of its body."""
    handlers = node.handlers if isinstance(node, ast.Try) else []
    inside = (part for handler in handlers for part in ast.walk(handler))
    return bool(handlers) and not any(isinstance(part, _IMPORTS) for part in inside)


def _at(node: ast.AST, problem: Problem, cluster: Cluster) -> Iterator[Problem | Assumption]:
    """Yield a problem for all that may catch an exception which is raised at a node."""
    from tfgpu.decide.survival import catchers  # noqa: PLC0415 - few need it

    for catcher in catchers(node, cluster.analysis, cluster.order):
        # A handler that is not reached caught nothing; nor did what had not begun.
        if isinstance(catcher, ast.ExceptHandler):
            yield cluster.unless_behind(catcher.body[0], node, problem)
        elif isinstance(catcher, ast.stmt):
            yield cluster.unless_behind(node, catcher, problem)
        else:
            yield problem


def _has_right_type(outcome: Outcome, analysis: Analysis) -> bool:
    """Tell whether protobuf certainly takes the value of a setting."""
    value, rule = outcome.setting.value, outcome.rule
    if value.known is not None or rule.type == "any":
        return True
    if rule.type == "bool" and _is_truth(value.node, analysis.tree):
        return True
    given = analysis.possible.values(value.node)
    return given is not None and not any(
        wrong_type(replace(value, known=known), rule, outcome.setting.field) for known in given
    )


def _is_truth(node: ast.expr, tree: Tree) -> bool:
    """Tell whether an expression is True or False, whatever its operands are."""
    if isinstance(node, ast.BoolOp):
        return all(_is_truth(item, tree) for item in node.values)
    if isinstance(node, ast.Call):
        return tree.builtin(node.func) == "bool"
    if isinstance(node, ast.Compare):
        # Arrays compare item by item.
        return all(isinstance(one, ast.Is | ast.IsNot | ast.In | ast.NotIn) for one in node.ops)
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


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
