"""What the configs and sessions of one file mean for each other.

tf.config is process-wide. Settings that TensorFlow 1 gave to one session reach every session that
is made without a config, so two configs that differ, or a session that had none, can stop a
conversion; and a query that initialises the GPUs first makes tf.config ineffective, silently.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain, combinations

from tfgpu.decide.cuda import fork, late_environment
from tfgpu.decide.decision import Decision
from tfgpu.decide.once import runs_once
from tfgpu.decide.order import (
    Place,
    comes_after_in_helper,
    comes_between,
    in_one_choice,
    is_tied,
    may_come_first,
    places,
    root_of,
)
from tfgpu.decide.vary import last_cover, lingers, put_defaults_first
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Made, PossibleSession, Problem, Setting

# What a session without a config may take on without any effect on a program that works.
_GROWTH = "gpu_options.allow_growth"
HARMLESS = frozenset(["allow_soft_placement", "log_device_placement"])


def decide_together(
    decisions: list[Decision], analysis: Analysis, unsafe_fixes: bool, starts_runtime: bool
) -> None:
    """Find what stops all configs of a file, and what needs unsafe fixes.

    `starts_runtime` tells that the program may initialise TensorFlow 2's runtime by itself.
    """
    facts = analysis.facts
    first = decisions[0]
    if facts.foreign_sinks:
        sink = facts.foreign_sinks[0]
        text = analysis.tree.source(sink.argument or sink.call)
        first.problem = Problem("foreign-config", sink.made, {"text": text})
        return
    for decision in decisions:
        decision.problem = _root_conflict(decision, analysis) or _varies(decision, analysis)
        if decision.problem is not None:
            return
    for decision in decisions:
        put_defaults_first(decision, analysis, starts_runtime)
    sessions = _sessions(decisions, analysis)
    for decision in decisions:
        decision.problem = next(
            chain(
                _process_conflicts(decision, sessions, analysis),
                _session_conflicts(decision, sessions, analysis),
            ),
            None,
        )
        if decision.problem is not None:
            return
    for decision in decisions:
        decision.problem = late_environment(decision, analysis) or fork(decision, analysis)
        if decision.problem is not None:
            return
        for query in facts.queries:
            if may_come_first(query.call, decision, analysis):
                rewritten = unsafe_fixes and query.form is not None
                if rewritten and query.form is not None and not query.form.initialises:
                    decision.unsafe.append(query.rule.unsafe)
                elif rewritten or not _bears(decision, query.call, analysis):
                    details = {"callee": analysis.tree.source(query.call.func)}
                    decision.problem = Problem("probe-first", query.call, details)
                    return
        if decision.unsafe and not unsafe_fixes:
            place = decision.config.built[0]
            decision.problem = Problem("needs-unsafe", place, {"why": decision.unsafe[0]})


def _bears(decision: Decision, query: ast.Call, analysis: Analysis) -> bool:
    """Tell whether a query that stays does the same before and after the conversion.

    It makes the GPUs by itself, and what a config says about them has no effect behind it, then as
    now. But behind tf.config calls that hide or split GPUs it raises (measured).
    """
    tree = analysis.tree
    for place in places(decision, analysis):
        emit = place.outcome.case.emit if place.outcome.case is not None else None
        if emit is None or not (emit.asks_for_gpus or emit.environment):
            continue
        only_growth = emit.each_gpu and place.outcome.setting.field == _GROWTH
        if not only_growth and not (
            tree.function(query) is tree.function(place.node)
            and tree.position(query) < tree.position(place.node)
            and not tree.in_loop(query)
        ):
            return False
    return True


def _sessions(decisions: list[Decision], analysis: Analysis) -> list[tuple[Made, Decision | None]]:
    """Return all sessions of a file that take tf.config, each with its config."""
    found: list[tuple[Made, Decision | None]] = [
        (sink, decision) for decision in decisions for sink in decision.config.sinks
    ]
    # An InteractiveSession without a config brings one of its own.
    found += [
        (sink, None) for sink in analysis.facts.plain_sinks if sink.rule.converts != "growth-only"
    ]
    found += [(item, None) for item in analysis.facts.possible_sessions if item.takes_settings]
    return found


def _is_anywhere(session: Made) -> bool:
    """Tell whether a session may be made at any time, by any code."""
    return isinstance(session, PossibleSession) and session.anywhere


def _varies(decision: Decision, analysis: Analysis) -> Problem | None:
    """Find settings that wait for a session made elsewhere and may differ from run to run.

    Two objects that build their configs first and make their sessions later are an example: each
    session had its own config, and would get the one that was built last.
    """
    if is_tied(decision, analysis):
        return None
    for place in places(decision, analysis):
        if not (place.always and place.constant) and not runs_once(place.node, analysis):
            details = {"field": place.outcome.setting.field}
            return Problem("varies", place.outcome.setting.node, details)
    return None


def _process_conflicts(
    decision: Decision,
    sessions: list[tuple[Made, Decision | None]],
    analysis: Analysis,
) -> Iterator[Problem]:
    """Find sessions that might be the first of the process, with settings of another config.

    The first session decides on GPU devices and thread pools, before and after.
    """
    own = decision.signature("process")
    tied = is_tied(decision, analysis)
    acts = [place for place in places(decision, analysis) if place.outcome.rule.scope == "process"]
    for sink, other in sessions:
        if other is decision or own == (other.signature("process") if other else frozenset()):
            continue
        for place in acts:
            if analysis.tree.exclusive(place.node, sink.made) and tied:
                continue
            if (
                not tied
                or _is_anywhere(sink)
                or comes_after_in_helper(place, sink.made, analysis)
                or any(
                    comes_between(sink.made, place.node, session.made, analysis)
                    for session in decision.config.sinks
                )
            ):
                yield _mixed(sink, other, decision, place, analysis)


def _session_conflicts(
    decision: Decision,
    sessions: list[tuple[Made, Decision | None]],
    analysis: Analysis,
) -> Iterator[Problem]:
    """Find sessions that would take on what only others had: soft placement, device counts, ..."""
    acts = [place for place in places(decision, analysis) if place.outcome.rule.scope == "session"]
    for place in acts:
        field = place.outcome.setting.field
        for sink, other in sessions:
            last = last_cover(field, sink, other, analysis)
            if last is None:
                harmed = _is_anywhere(sink) or lingers(place, sink, other, decision, analysis)
            else:
                harmed = (
                    other is not decision
                    and not _are_equal(place, last)
                    and (
                        comes_between(place.node, last.node, sink.made, analysis)
                        or comes_after_in_helper(last, place.node, analysis)
                    )
                )
            if not harmed:
                continue
            if last is None and field in HARMLESS and other is not decision:
                line = analysis.tree.line_words(sink.made)
                decision.unsafe.append(f"the session in line {line} takes on {field} too")
            else:
                yield _mixed(sink, other, decision, place, analysis)


def _are_equal(one: Place, other: Place) -> bool:
    """Tell whether two settings are of one field and one known value."""
    first, second = one.outcome.setting, other.outcome.setting
    return (
        first.field == second.field
        and first.value.known is not None
        and first.value.known == second.value.known
    )


def _mixed(
    sink: Made,
    other: Decision | None,
    decision: Decision,
    place: Place,
    analysis: Analysis,
) -> Problem:
    """Return the problem of a session that would take on a setting it did not have."""
    field = place.outcome.setting.field
    if other is None:
        return Problem("session-without-config", sink.made, {"fields": field})
    if other is decision:
        return Problem("varies", place.outcome.setting.node, {"field": field})
    details = {
        "place": _line(other.config.built[0], analysis),
        "fields": ", ".join(_differing(decision, other)) or field,
    }
    return Problem("different-configs", decision.config.built[0], details)


def _differing(one: Decision, other: Decision) -> list[str]:
    """Return the fields that two configs set differently."""
    return sorted(
        {
            entry.partition("=")[0]
            for scope in ("session", "process")
            for entry in one.signature(scope) ^ other.signature(scope)
        }
    )


def _line(node: ast.AST, analysis: Analysis) -> str:
    tree = analysis.tree
    return tree.where(node) if len(tree.files) > 1 else f"line {tree.line_words(node)}"


def _root_conflict(decision: Decision, analysis: Analysis) -> Problem | None:
    """Find two ConfigProtos that travel under one name and differ."""
    tree = analysis.tree
    parts: dict[ast.Call, list[Setting]] = {root: [] for root in decision.config.roots}
    for setting in decision.config.settings:
        root = root_of(decision, setting.node, analysis)
        if root is not None:
            parts[root].append(setting)
    for one, other in combinations(parts, 2):
        if tree.exclusive(one, other) or in_one_choice(one, other, analysis):
            continue
        for scope in ("session", "process"):
            first = decision.signature(scope, parts[one])
            second = decision.signature(scope, parts[other])
            if first != second:
                fields = {entry.partition("=")[0] for entry in first ^ second}
                details = {
                    "place": _line(one, analysis),
                    "fields": ", ".join(sorted(fields)),
                }
                return Problem("different-configs", other, details)
    return None
