"""What the configs and sessions of one file mean for each other.

tf.config is process-wide. Settings that TensorFlow 1 gave to one session reach every session that
is made without a config, so two configs that differ, or a session that had none, can stop a
conversion; and a query that initialises the GPUs first makes tf.config ineffective, silently.
"""

from __future__ import annotations

import ast
from itertools import combinations

from migrate.analysis.collect import Analysis
from migrate.analysis.decision import Decision
from migrate.analysis.facts import Problem, Setting, Sink
from migrate.analysis.order import (
    comes_between,
    fork,
    is_tied,
    late_environment,
    may_come_first,
)

# What a session without a config may take on without any effect on a program that works.
_HARMLESS = frozenset(["allow_soft_placement", "log_device_placement"])


def decide_together(decisions: list[Decision], analysis: Analysis, unsafe_fixes: bool) -> None:
    """Find what stops all configs of a file, and what needs unsafe fixes."""
    facts = analysis.facts
    first = decisions[0]
    if facts.foreign_sinks:
        sink = facts.foreign_sinks[0]
        assert sink.argument is not None
        text = analysis.tree.source(sink.argument)
        first.problem = Problem("foreign-config", sink.call, {"text": text})
        return
    for decision in decisions:
        conflict = _conflict(decision, decisions, analysis)
        if conflict is not None:
            decision.problem = conflict
            return
    for decision in decisions:
        decision.problem = late_environment(decision, analysis) or fork(decision, analysis)
        if decision.problem is not None:
            return
        for query in facts.queries:
            if may_come_first(query.call, decision, analysis):
                if query.rule.rewrite is None or query.call.args or query.call.keywords:
                    details = {"callee": analysis.tree.source(query.call.func)}
                    decision.problem = Problem("probe-first", query.call, details)
                    return
                decision.unsafe.append(query.rule.unsafe)
        if decision.unsafe and not unsafe_fixes:
            place = decision.config.built[0]
            decision.problem = Problem("needs-unsafe", place, {"why": decision.unsafe[0]})


def _conflict(decision: Decision, decisions: list[Decision], analysis: Analysis) -> Problem | None:
    """Find another session of the file that would come to work under these settings."""
    roots = _root_conflict(decision, analysis)
    if roots is not None:
        return roots
    for other in decisions:
        if other is not decision:
            problem = _pair_conflict(decision, other, analysis)
            if problem is not None:
                return problem
    for sink in analysis.facts.plain_sinks:
        if sink.rule.converts == "growth-only":
            # It brings a config of its own and takes nothing from tf.config.
            continue
        session = decision.signature("session")
        if all(_exclusive(sink, own, analysis) for own in decision.config.sinks):
            continue
        apart = not is_tied(decision, analysis) or comes_between(sink.call, decision, analysis)
        if apart and decision.signature("process"):
            return Problem("session-without-config", sink.call, {"fields": _fields(decision)})
        if session:
            fields = {entry.partition("=")[0] for entry in session}
            if not fields <= _HARMLESS:
                details = {"fields": ", ".join(sorted(fields))}
                return Problem("session-without-config", sink.call, details)
            line = analysis.tree.position(sink.call)[0]
            decision.unsafe.append(
                f"the session without a config in line {line} takes on "
                f"{' and '.join(sorted(fields))} too"
            )
    return None


def _fields(decision: Decision) -> str:
    return ", ".join(dict.fromkeys(outcome.setting.field for outcome in decision.outcomes))


def _pair_conflict(one: Decision, other: Decision, analysis: Analysis) -> Problem | None:
    if all(_exclusive(a, b, analysis) for a in one.config.sinks for b in other.config.sinks):
        return None
    difference = one.signature("session") ^ other.signature("session")
    if not (is_tied(one, analysis) and is_tied(other, analysis)):
        difference |= one.signature("process") ^ other.signature("process")
    if not difference:
        return None
    details = {
        "line": str(analysis.tree.position(other.config.built[0])[0]),
        "fields": ", ".join(sorted({entry.partition("=")[0] for entry in difference})),
    }
    return Problem("different-configs", one.config.built[0], details)


def _exclusive(one: Sink, other: Sink, analysis: Analysis) -> bool:
    return analysis.tree.exclusive(one.call, other.call)


def _root_conflict(decision: Decision, analysis: Analysis) -> Problem | None:
    """Find two ConfigProtos that travel under one name and differ."""
    tree = analysis.tree
    parts: dict[ast.Call, list[Setting]] = {root: [] for root in decision.config.roots}
    for setting in decision.config.settings:
        before = [
            root
            for root in parts
            if tree.function(root) is tree.function(setting.node)
            and tree.position(root) <= tree.position(setting.node)
        ]
        if before:
            parts[max(before, key=tree.position)].append(setting)
    for one, other in combinations(parts, 2):
        if tree.exclusive(one, other) or _in_one_choice(one, other, analysis):
            continue
        for scope in ("session", "process"):
            if decision.signature(scope, parts[one]) != decision.signature(scope, parts[other]):
                fields = {setting.field for setting in (*parts[one], *parts[other])}
                details = {
                    "line": str(analysis.tree.position(one)[0]),
                    "fields": ", ".join(sorted(fields)),
                }
                return Problem("different-configs", other, details)
    return None


def _in_one_choice(one: ast.AST, other: ast.AST, analysis: Analysis) -> bool:
    """Tell whether two expressions are the two sides of one conditional expression."""
    tree = analysis.tree
    return any(
        isinstance(around, ast.IfExp) and around in set(tree.within(other))
        for around in tree.within(one)
    )
