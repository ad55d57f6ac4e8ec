"""Every GPU setting of a file as a row of a table, whatever becomes of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfgpu.checks.training import field_path, has_library, named_settings
from tfgpu.code.tree import Tree, last_name
from tfgpu.code.values import Enum, Value
from tfgpu.decide.decision import Decision
from tfgpu.decide.retired import RetiredCall
from tfgpu.flow.collect import Analysis
from tfgpu.flow.devices import gpu_devices
from tfgpu.flow.facts import Conditions, conditions
from tfgpu.flow.reasons import NeedsUnsafe
from tfgpu.results import Row
from tfgpu.rulebook.book import Rulebook

# A node and the row about it.
Noted = tuple[ast.AST, Row]


def inventory(
    analysis: Analysis,
    decisions: Sequence[Decision],
    retired: Sequence[RetiredCall],
    book: Rulebook,
) -> Iterator[Noted]:
    """Yield every setting with the node that makes it."""
    for decision in decisions:
        yield from _config(decision, analysis, book)
    for item in retired:
        yield from _retired(item, analysis)
    yield from _calls(analysis, book)
    yield from _arguments_that_set(analysis, book)
    yield from _devices(analysis)
    yield from _by_name(analysis, book)


def _by_name(analysis: Analysis, book: Rulebook) -> Iterator[Noted]:
    """Yield the keys of dictionaries that are named like fields, and not followed to a config."""
    check = book.find("setting-by-name")
    if check is None or not has_library(analysis):
        return
    for tree in analysis.tree.files:
        for key, value, name in named_settings(analysis.of(tree)):
            path = field_path(name, book)
            rule = book.rule_for(path, frozenset())
            yield _noted(
                tree,
                key,
                kind="config",
                setting=path,
                value=tree.source(value),
                constant=_constant(analysis.values.value(value)),
                rule="" if rule is None else rule.code,
                convertible="no",
                reason=check.code,
            )


def _devices(analysis: Analysis) -> Iterator[Noted]:
    """Yield the GPUs that operations are put on by name."""
    for tree in analysis.tree.files:
        for call, device in gpu_devices(tree, analysis.of(tree).symbols):
            yield _noted(
                tree,
                call,
                kind="device",
                setting="tf.device",
                value=tree.source(device),
                constant=_constant(analysis.values.value(device)),
                convertible="current",
            )


def _config(decision: Decision, analysis: Analysis, book: Rulebook) -> Iterator[Noted]:
    """Yield the settings of one config."""
    rules = {outcome.setting: outcome.rule.code for outcome in decision.outcomes}
    ends = [end for sink in decision.config.sinks for end in sink.ends()]
    names = dict.fromkeys(end.name or analysis.tree.source(end.call.func) for end in ends)
    convertible, reason = _becomes(decision, book)
    for setting in decision.config.settings:
        yield _noted(
            analysis.tree,
            setting.node,
            setting.conditions,
            kind="config",
            setting=setting.field,
            value=setting.value.text,
            constant=_constant(setting.value),
            sink=", ".join(names),
            rule=rules.get(setting, ""),
            convertible=convertible,
            reason=reason,
        )


def _becomes(decision: Decision, book: Rulebook) -> tuple[str, str]:
    if decision.problem is None:
        return ("unsafe" if decision.unsafe else "yes"), ""
    return (
        "unsafe" if isinstance(decision.problem, NeedsUnsafe) else "no",
        decision.problem.rule(book).code,
    )


def _retired(item: RetiredCall, analysis: Analysis) -> Iterator[Noted]:
    """Yield what a call sets that no release of TensorFlow has any more."""
    if item.rule.setting is None:
        return
    yield _noted(
        analysis.tree,
        item.call,
        kind="config",
        setting=item.rule.setting,
        value=_arguments(item.call, analysis.tree),
        sink=analysis.symbols.name(item.call.func) or "",
        rule=item.rule.code,
        convertible="no" if item.outcome is None else "yes",
        reason=item.rule.code if item.outcome is None else "",
    )


def _calls(analysis: Analysis, book: Rulebook) -> Iterator[Noted]:
    """Yield the calls of TensorFlow 2 that set something."""
    words = {name.rpartition(".")[2] for name in book.setters}
    for call in analysis.tree.calls:
        # What a function takes as `tf` has no other name.
        is_tf = isinstance(call.func, ast.Attribute) and call.func.attr in words
        name = analysis.symbols.name(call.func) or (ast.unparse(call.func) if is_tf else None)
        if name is not None and name in book.setters:
            yield _noted(
                analysis.tree,
                call,
                kind="tf.config",
                setting=name,
                value=_arguments(call, analysis.tree),
                convertible="no" if name in book.gone_setters else "current",
            )


def _arguments_that_set(analysis: Analysis, book: Rulebook) -> Iterator[Noted]:
    """Yield arguments that set something: `tf.function(jit_compile=True)`."""
    tree, parameters = analysis.tree, {name for _, name in book.setting_arguments}
    for item in tree.nodes(ast.keyword):
        call = tree.parent[item]
        if item.arg not in parameters or not isinstance(call, ast.Call):
            continue
        name = analysis.symbols.name(call.func) or f".{last_name(call.func)}"
        if (name, item.arg) in book.setting_arguments:
            value = tree.source(item.value)
            yield _noted(
                tree,
                item,
                kind="tf.config",
                setting=f"{name.removeprefix('.')}({item.arg})",
                value=value,
                constant=_constant(analysis.values.value(item.value)),
                convertible="current",
            )


def _noted(tree: Tree, node: ast.AST, tests: Conditions | None = None, **texts: str) -> Noted:
    """Return a node with its row; `tests` are the conditions that it stands under."""
    line, column = tree.position(node)
    guard = guard_text(tree, node, conditions(node, tree) if tests is None else tests)
    values = {"constant": "", "sink": "", "rule": "", "reason": "", **texts}
    return node, Row(cell=0, line=line, column=column, guard=guard, **values)


def _constant(value: Value) -> str:
    if value.known is None:
        return ""
    return value.known.name if isinstance(value.known, Enum) else repr(value.known)


def _arguments(call: ast.Call, tree: Tree) -> str:
    parts = [tree.source(argument) for argument in call.args]
    for item in call.keywords:
        parts.append(f"{f'{item.arg}=' if item.arg else '**'}{tree.source(item.value)}")
    return ", ".join(parts)


def guard_text(tree: Tree, node: ast.AST, tests: Conditions) -> str:
    """Return the statements around a node in its function, outermost first, as source."""
    parts = [_statement(tree, guard, field) for guard, field in tree.guards(node)]
    parts += [
        f"if {tree.source(test)}" if outcome else f"if not ({tree.source(test)})"
        for test, outcome in tests
    ]
    return "; ".join(part for part in parts if part)


def _statement(tree: Tree, guard: ast.AST, field: str) -> str:
    """Return one statement around a node; "" where it decides nothing about it."""
    if isinstance(guard, ast.If) and field in ("body", "orelse"):
        test = tree.source(guard.test)
        return f"if {test}" if field == "body" else f"if not ({test})"
    if isinstance(guard, ast.For | ast.AsyncFor) and field == "body":
        return f"for {tree.source(guard.target)} in {tree.source(guard.iter)}"
    if isinstance(guard, ast.While) and field == "body":
        return f"while {tree.source(guard.test)}"
    if isinstance(guard, ast.For | ast.AsyncFor | ast.While) and field == "orelse":
        return "else of a loop"
    if isinstance(guard, ast.ExceptHandler):
        return f"except {tree.source(guard.type)}" if guard.type else "except"
    if isinstance(guard, ast.match_case):
        return f"case {ast.unparse(guard.pattern)}"
    if isinstance(guard, ast.Try) and field in ("body", "orelse"):
        return "try" if field == "body" else "else of a try"
    return ""
