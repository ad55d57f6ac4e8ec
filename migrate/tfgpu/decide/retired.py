"""Calls of the betas of TensorFlow 2.0 that set for all GPUs what a field of ConfigProto sets."""

from __future__ import annotations

import ast

from tfgpu.dataclass import dataclass, replace
from tfgpu.decide.decision import Outcome
from tfgpu.decide.effects import Effects
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Setting
from tfgpu.flow.match import match, wrong_type
from tfgpu.flow.modern import asks_for_version
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import CallRule
from tfgpu.selection import Selection

_OTHER_WAYS = frozenset(
    [
        "set_memory_growth",
        "set_logical_device_configuration",
        "set_virtual_device_configuration",
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class RetiredCall:
    """A call of a removed function: `outcome` is its replacement, `problem` why there is none."""

    call: ast.Call
    rule: CallRule
    outcome: Outcome | None
    problem: str | None

    def kept(self, problem: str) -> RetiredCall:
        """Return the same call as one that stays."""
        return replace(self, outcome=None, problem=problem)


def retired_calls(
    analysis: Analysis, book: Rulebook, selection: Selection, effects: Effects
) -> list[RetiredCall]:
    """Decide on the calls of functions that are gone: all of a file convert, or none."""
    symbols = analysis.symbols
    found = [
        (call, rule)
        for call in analysis.tree.calls
        if (rule := book.calls.get(symbols.one_of(call.func, book.calls) or "")) is not None
    ]
    settings = [(call, rule, _setting(call, rule, analysis)) for call, rule in found]
    present = frozenset(
        setting.field
        for _, _, setting in settings
        if setting is not None and (setting.value.known is None or setting.value.known)
    )
    outcomes = [
        None if setting is None else _outcome(setting, present, analysis, book)
        for _, _, setting in settings
    ]
    problem = _problem(found, outcomes, analysis, selection, effects) if found else None
    return [
        RetiredCall(call, rule, None if problem else outcome, problem)
        for (call, rule), outcome in zip(found, outcomes, strict=True)
    ]


def _setting(call: ast.Call, rule: CallRule, analysis: Analysis) -> Setting | None:
    """Return the setting that a call makes, where it is a statement with one plain argument."""
    statement = analysis.tree.statement(call)
    arguments = [*call.args, *(item.value for item in call.keywords)]
    if rule.setting is None or len(arguments) != 1 or isinstance(arguments[0], ast.Starred):
        return None
    if not isinstance(statement, ast.Expr) or statement.value is not call:
        return None
    if call.keywords and call.keywords[0].arg != rule.argument:
        return None
    return Setting(rule.setting, analysis.values.value(arguments[0]), call, statement)


def _outcome(
    setting: Setting, present: frozenset[str], analysis: Analysis, book: Rulebook
) -> Outcome | None:
    rule = book.rule_for(setting.field, present)
    if rule is None or wrong_type(setting.value, rule, setting.field):
        return None
    found = match(rule, setting.value, analysis.values, None)
    return None if found is None else Outcome(setting, rule, *found)


def _problem(
    found: list[tuple[ast.Call, CallRule]],
    outcomes: list[Outcome | None],
    analysis: Analysis,
    selection: Selection,
    effects: Effects,
) -> str | None:
    """Return why the calls of a file must stay."""
    tree = analysis.tree
    if analysis.facts.configs:
        return "the file has a ConfigProto, too"
    if analysis.facts.plain_sinks:
        # Converted configs leave such sessions behind: what stays with them must stay without.
        return "the file makes a session as TensorFlow 1 does"
    if any(not _OTHER_WAYS.isdisjoint(file.words | file.attributes.keys()) for file in tree.files):
        return "the file sets growth or limits of memory in another way, too"
    if any(asks_for_version(call, tree) for call, _ in found):
        return "the code around it asks which TensorFlow it runs on"
    fields = [item.setting.field for item in outcomes if item is not None]
    if len(fields) < len(outcomes):
        return "one of these calls is not a statement with one plain value"
    if len(set(fields)) < len(fields):
        return "the file sets it twice"
    for item in outcomes:
        if item is not None and item.case is not None and item.case.keep is not None:
            return item.case.keep
        if item is not None and not selection.selects(item.rule, item.setting.node):
            return f"{item.rule.name} is not selected"
    if not all(selection.wants(rule, call) for call, rule in found):
        return "one of these rules is not selected, or ignored"
    asking = [
        item.setting.node
        for item in outcomes
        if item is not None and item.case and item.case.emit and item.case.emit.asks_for_gpus
    ]
    for write in effects.environment if asking else ():
        if any(effects.order.may_precede(node, write.node) for node in asking):
            return f"{write.name} is set later; listing the GPUs makes CUDA read it"
    if asking and effects.forks:
        return "the program may start processes, which cannot use CUDA once the GPUs were listed"
    return None
