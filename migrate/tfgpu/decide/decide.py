"""Decides for each config of a file: convert it, or keep it with a reason.

All settings of a config are converted or none, and all configs of a file or none: a Session that
keeps an explicit config beside converted ones ignores what tf.config has set, or fails with
AlreadyExistsError (measured on TensorFlow 2.21).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from tfgpu.decide.decision import Decision
from tfgpu.decide.obstacles import config_problems
from tfgpu.decide.outside import Outside, other_files, outside_problems, unseen_callers
from tfgpu.decide.runtime import Starts, runtime_first
from tfgpu.decide.together import decide_together
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Problem
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Rule
from tfgpu.selection import Selection

# The reason to keep a config that a comment gives; nothing is said about it.
IGNORED = "ignored"


def decide(
    analysis: Analysis,
    book: Rulebook,
    selection: Selection,
    outside: Outside,
) -> list[Decision]:
    """Decide on every config of a file, or of several that are analysed as one."""
    present = frozenset(
        setting.field
        for config in analysis.facts.configs
        for setting in config.settings
        if setting.value.known is None or setting.value.known
    )
    decisions = []
    for config in analysis.facts.configs:
        decision = Decision(config)
        problems = chain(
            config_problems(decision, present, analysis, book),
            outside_problems(decision, analysis, selection, outside),
        )
        decision.problem = next(problems, None)
        decisions.append(decision)
    starts = Starts(analysis, book, outside.starting)
    starts_runtime = bool(decisions) and starts.any()
    if decisions and not any(decision.problem for decision in decisions):
        decide_together(decisions, analysis, selection.unsafe_fixes, starts_runtime)
    if not any(decision.problem for decision in decisions):
        for decision in decisions:
            decision.problem = other_files(decision, analysis, book, outside, starts_runtime)
    if starts_runtime and not any(decision.problem for decision in decisions):
        for decision in decisions:
            decision.problem = runtime_first(decision, starts, analysis)
    if decisions and not any(decision.problem for decision in decisions):
        decisions[0].problem = unseen_callers(decisions[0], analysis, outside)
    # Last, so that a comment changes nothing about the reasons that there are without it.
    if not any(decision.problem for decision in decisions):
        for decision in decisions:
            decision.problem = next(_ignored(decision, analysis, book, selection), None)
    spread(decisions, analysis)
    return decisions


def _ignored(
    decision: Decision, analysis: Analysis, book: Rulebook, selection: Selection
) -> Iterator[Problem]:
    """Find what a comment ignores about a config that could be converted: it is to stay."""
    said: list[tuple[Rule | None, ast.AST]] = [
        (outcome.rule, outcome.setting.node) for outcome in decision.outcomes
    ]
    ends = [end for sink in decision.config.sinks for end in (sink, *sink.ends())]
    calls = {end.call for end in ends}
    uses = [use for use in analysis.facts.session_uses if use.session in calls]
    said += [(end.rule, end.call) for end in ends]
    said += [(use.rule, use.call) for use in uses]
    if decision.moved is not None:
        said.append((book.find("runtime-first"), decision.moved))
    if decision.note is not None:
        said.append((book.find(decision.note.reason), decision.note.node))
    for rule, node in said:
        if rule is not None and selection.ignores(rule, node):
            yield Problem(IGNORED, node)


def spread(decisions: list[Decision], analysis: Analysis) -> None:
    """Keep every config of a file where one is kept."""
    stopped = next((item.problem for item in decisions if item.problem is not None), None)
    if stopped is None:
        return
    for decision in decisions:
        if decision.problem is None:
            first = decision.config.built[0]
            place = analysis.tree.where_from(stopped.node, first)
            decision.problem = Problem("beside-kept", first, {"place": place})
            decision.final = True
    if not all(decision.final for decision in decisions):
        for decision in decisions:
            decision.final = False
