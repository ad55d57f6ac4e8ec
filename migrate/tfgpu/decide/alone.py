"""Configs that one file keeps by itself, whatever the rest of its program does.

The rest of a large program is read to find out whether a config can be converted. Where a setting
of it has no equivalent, and nothing outside of the file can change that, there is nothing to find
out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from tfgpu.code.canonical import canonical
from tfgpu.decide.decision import Decision, Outcome
from tfgpu.flow.collect import Analysis
from tfgpu.flow.locations import VIRTUAL_DEVICES
from tfgpu.flow.reasons import cause_of
from tfgpu.rulebook.book import MESSAGES, Rulebook

# Files that build configs name one of these.
_BUILDERS = ("ConfigProto", "GPUOptions")
# A value is followed through so many names.
_DEPTH = 4
# Tells whether a dotted import is that of another file of the run.
IsOurs = Callable[[str], bool]


def are_kept(
    decisions: list[Decision], analysis: Analysis, book: Rulebook, is_ours: IsOurs
) -> bool:
    """Tell whether a file that was decided on by itself keeps all configs, however it is used."""
    certain = {item.problem for item in decisions if _is_certain(item, analysis, book, is_ours)}
    return _knows_builders(analysis) and all(
        item.problem is not None and cause_of(item.problem) in certain for item in decisions
    )


def _knows_builders(analysis: Analysis) -> bool:
    """Tell whether everything that is named like the class of a config is known to be one."""
    tree, symbols = analysis.tree, analysis.symbols
    named = [
        node
        for name in _BUILDERS
        for node in (*tree.names.get(name, []), *tree.attributes.get(name, []))
    ]
    imported = [item.path for item in tree.imports if item.path.rpartition(".")[2] in _BUILDERS]
    return all(symbols.name(node) in MESSAGES for node in named) and all(
        canonical(path) in MESSAGES for path in imported
    )


def _is_certain(decision: Decision, analysis: Analysis, book: Rulebook, is_ours: IsOurs) -> bool:
    """Tell whether a config is kept by a reason within its own file."""
    problem = decision.problem
    if problem is None:
        return False
    return any(
        outcome.case is not None
        and outcome.case.keep is not None
        and outcome.rule.name == problem.reason
        and outcome.setting.node is problem.node
        and outcome.setting.field != VIRTUAL_DEVICES
        and not any(rule.beside for rule in book.fields.get(outcome.setting.field, ()))
        and _is_own(outcome, analysis, is_ours)
        for outcome in decision.outcomes
    )


def _is_own(outcome: Outcome, analysis: Analysis, is_ours: IsOurs) -> bool:
    """Tell whether the value of a setting rests on no name of another file."""
    waiting = [(outcome.setting.value.node, _DEPTH)]
    while waiting:
        value, depth = waiting.pop()
        for node in ast.walk(value):
            if not isinstance(node, ast.Name):
                continue
            for binding in analysis.tree.bindings(node):
                if binding.path is not None and is_ours(binding.path):
                    return False
                if binding.value is not None and depth:
                    waiting.append((binding.value, depth - 1))
    return not any(analysis.tree.star_imports)
