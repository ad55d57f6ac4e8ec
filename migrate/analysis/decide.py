"""Decides for each config of a file: convert it, or keep it with a reason.

All settings of a config are converted or none, and all configs of a file or none: a Session that
keeps an explicit config beside converted ones ignores what tf.config has set, or fails with
AlreadyExistsError (measured on TensorFlow 2.21).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, combinations

from migrate.analysis.collect import Analysis
from migrate.analysis.facts import Config, Problem, Query, Setting, Sink
from migrate.analysis.flow import VIRTUAL_DEVICES
from migrate.analysis.virtual import virtual_statements
from migrate.rulebook.book import Rulebook
from migrate.rulebook.match import has_wrong_type, literal, match
from migrate.rulebook.model import Case, Rule, SettingRule

VISIBLE_LIST = "gpu_options.visible_device_list"
GROWTH = "gpu_options.allow_growth"
# What a session without a config may take on without any effect on a program that works.
_HARMLESS = frozenset(["allow_soft_placement", "log_device_placement"])


_LAZY = (
    ast.Lambda,
    ast.comprehension,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A setting, the rule and case that hold for it, and the variables of the case's templates.

    `case` is None for a setting that a later one overwrites.
    """

    setting: Setting
    rule: SettingRule
    case: Case | None
    variables: Mapping[str, str]


@dataclass(slots=True, eq=False)
class Decision:
    """What becomes of one config; it converts where there is no problem.

    `final` tells that it was kept because TensorFlow 2 has nothing but the compat.v1 config for
    it. `unsafe` says what can differ when it converts.
    """

    config: Config
    outcomes: list[Outcome] = field(default_factory=list)
    problem: Problem | None = None
    final: bool = False
    unsafe: list[str] = field(default_factory=list)

    def signature(self, scope: str, settings: Iterable[Setting] | None = None) -> frozenset[str]:
        """Return the settings of one scope that have an effect, comparable between configs."""
        chosen = None if settings is None else set(settings)
        return frozenset(
            f"{outcome.setting.field}={literal(outcome.setting.value, outcome.rule)}"
            if outcome.setting.value.known is not None
            else f"{outcome.setting.field}={ast.dump(outcome.setting.value.node)}"
            for outcome in self.outcomes
            if outcome.rule.scope == scope
            and outcome.case is not None
            and outcome.case.drop is None
            and (chosen is None or outcome.setting in chosen)
        )


def decide(
    analysis: Analysis,
    book: Rulebook,
    unsafe_fixes: bool,
    is_selected: Callable[[Rule], bool],
    used_elsewhere: Mapping[str, str],
) -> list[Decision]:
    """Decide on every config of a file.

    `used_elsewhere` names what other files import from this one, with the path of such a file.
    """
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
            _config_problems(decision, present, analysis, book),
            _outside_problems(decision, is_selected, used_elsewhere),
        )
        decision.problem = next(problems, None)
        decisions.append(decision)
    if decisions and not any(decision.problem for decision in decisions):
        _decide_together(decisions, analysis, unsafe_fixes)
    spread(decisions)
    return decisions


def spread(decisions: list[Decision]) -> None:
    """Keep every config of a file where one is kept."""
    kept = next((decision for decision in decisions if decision.problem), None)
    if kept is None or kept.problem is None:
        return
    for decision in decisions:
        if decision.problem is None:
            decision.problem = Problem(
                "beside-kept", decision.config.built[0], {"line": str(_line(kept.problem.node))}
            )
            decision.final = True
    if not all(decision.final for decision in decisions):
        for decision in decisions:
            decision.final = False


def _line(node: ast.AST) -> int:
    line: int = node.lineno  # type: ignore[attr-defined]
    return line


def _outside_problems(
    decision: Decision, is_selected: Callable[[Rule], bool], used_elsewhere: Mapping[str, str]
) -> Iterator[Problem]:
    """Find what the user, or another file, has against the conversion of a config."""
    for outcome in decision.outcomes:
        if not is_selected(outcome.rule):
            yield Problem("not-selected", outcome.setting.node, {"name": outcome.rule.name})
    for name in decision.config.exports:
        if name in used_elsewhere:
            details = {"name": name, "path": used_elsewhere[name]}
            yield Problem("used-elsewhere", decision.config.built[0], details)


# One config by itself.


def _config_problems(
    decision: Decision, present: frozenset[str], analysis: Analysis, book: Rulebook
) -> Iterator[Problem]:
    config = decision.config
    virtual = [setting for setting in config.settings if setting.field == VIRTUAL_DEVICES]
    visible = next((item for item in config.settings if item.field == VISIBLE_LIST), None)
    statements = virtual_statements(virtual, visible, analysis.tree, analysis.values)
    unknown: list[Problem] = []
    kept: list[Problem] = []
    for setting in config.settings:
        rule = book.rule_for(setting.field, present)
        if rule is None:
            nearest = book.nearest_field(setting.field)
            hint = f"; the nearest field is {nearest}" if nearest else ""
            unknown.append(
                Problem("unknown-field", setting.node, {"field": setting.field, "hint": hint})
            )
            continue
        if has_wrong_type(setting.value, rule):
            details = {"field": setting.field, "text": setting.value.text, "type": rule.type}
            unknown.append(Problem("wrong-type", setting.node, details))
            continue
        found = match(rule, setting.value, analysis.values, statements)
        case, variables = found if found is not None else (None, {})
        variables = {**variables, "field": setting.field.rpartition(".")[2]}
        if case is not None and setting.field == VIRTUAL_DEVICES and setting is not virtual[-1]:
            case = None
        decision.outcomes.append(Outcome(setting, rule, case, variables))
        if case is not None and case.keep is not None:
            kept.append(Problem(rule.name, setting.node, {"why": case.keep}))
        if case is not None and case.unsafe is not None:
            decision.unsafe.append(case.unsafe)
    yield from config.problems
    yield from unknown
    if not config.sinks:
        yield Problem("unused-config", config.built[0])
    yield from _place_problems(config, analysis)
    if kept:
        decision.final = True
    yield from kept
    yield from _sink_problems(decision, analysis)
    yield from _set_twice(decision, analysis)


def _place_problems(config: Config, analysis: Analysis) -> Iterator[Problem]:
    """Find configs and sinks at places where no statement can be put before them."""
    nodes: list[ast.AST] = [
        *config.built, *(sink.call for sink in config.sinks), *(call for call, _ in config.calls)
    ]  # fmt: skip
    for node in nodes:
        problem = _no_place(node, analysis)
        if problem is not None:
            yield problem


def _no_place(node: ast.AST, analysis: Analysis) -> Problem | None:
    tree = analysis.tree
    child = node
    for parent in tree.within(node):
        if isinstance(parent, _LAZY) or (
            isinstance(parent, ast.BoolOp) and child is not parent.values[0]
        ):
            return Problem("no-place", node)
        if isinstance(parent, ast.stmt):
            repeated = isinstance(parent, ast.While | ast.FunctionDef | ast.AsyncFunctionDef)
            elif_test = isinstance(parent, ast.If) and _is_elif(parent, analysis)
            if repeated or elif_test or isinstance(parent, ast.ClassDef | ast.Assert):
                return Problem("no-place", node)
            if isinstance(parent, ast.With | ast.AsyncWith) and _uses_header(node, parent):
                return Problem("no-place", node)
            return None
        child = parent
    return None


def _is_elif(statement: ast.If, analysis: Analysis) -> bool:
    around = analysis.tree.parent[statement]
    return (
        isinstance(around, ast.If)
        and around.orelse == [statement]
        and around.col_offset == statement.col_offset
    )


def _uses_header(node: ast.AST, statement: ast.With | ast.AsyncWith) -> bool:
    """Tell whether an expression in a `with` header uses a name that the header binds."""
    bound = {
        name.id
        for item in statement.items
        if item.optional_vars is not None
        for name in ast.walk(item.optional_vars)
        if isinstance(name, ast.Name)
    }
    return any(isinstance(inner, ast.Name) and inner.id in bound for inner in ast.walk(node))


def _sink_problems(decision: Decision, analysis: Analysis) -> Iterator[Problem]:
    for sink in decision.config.sinks:
        rule = sink.rule
        if rule.converts == "never" or (
            rule.converts == "growth-only" and not _sets_growth_only(decision)
        ):
            yield Problem(rule.name, sink.call, {"why": rule.reason})
        elif _target(sink) is not None:
            yield Problem("remote-target", sink.call)
        elif any(isinstance(argument, ast.Starred) for argument in sink.call.args):
            yield Problem("no-place", sink.call)
    for use in analysis.facts.session_uses:
        made = any(sink.call is use.session for sink in decision.config.sinks)
        if use.problem is not None or (made and len(analysis.facts.session_uses) > 1):
            yield use.problem or Problem("keras-session-used", use.call)


def _sets_growth_only(decision: Decision) -> bool:
    effective = [item for item in decision.outcomes if item.case and item.case.drop is None]
    return (
        len(effective) == 1
        and effective[0].setting.field == GROWTH
        and effective[0].setting.value.known is True
        and not decision.config.calls
        and len(decision.config.sinks) == 1
    )


def _target(sink: Sink) -> ast.expr | None:
    """Return the target of a session on another process (an empty one is the process itself)."""
    name = sink.rule.target
    found: ast.expr | None = None
    if name is not None:
        found = next((item.value for item in sink.call.keywords if item.arg == name), None)
        if found is None and sink.call.args and sink.call.args[0] is not sink.argument:
            found = sink.call.args[0]
    if isinstance(found, ast.Constant) and not found.value:
        return None
    return found


def _set_twice(decision: Decision, analysis: Analysis) -> Iterator[Problem]:
    """Find fields that are set twice on one path, and drop what is overwritten right away."""
    tree = analysis.tree
    for (number, one), (_, other) in combinations(enumerate(decision.outcomes), 2):
        if one.setting.field != other.setting.field or one.setting.field == VIRTUAL_DEVICES:
            continue
        a, b = one.setting, other.setting
        if tree.exclusive(a.node, b.node) or a.conditions != b.conditions:
            continue
        if len(decision.config.roots) > 1:
            continue
        same_block = tree.block(a.statement) is tree.block(b.statement)
        if same_block and analysis.values.quiet(a.value.node):
            decision.outcomes[number] = Outcome(a, one.rule, None, one.variables)
        elif not (_is_setter(one) and _is_setter(other)):
            yield Problem("set-twice", b.node, {"field": b.field, "line": str(_line(a.node))})


def _is_setter(outcome: Outcome) -> bool:
    """Tell whether the later of two such pieces of code overrides the earlier one."""
    emit = outcome.case.emit if outcome.case is not None else None
    if emit is None:
        return False
    return bool(
        emit.statements or emit.options or (outcome.setting.field == GROWTH and emit.each_gpu)
    )


# All configs of a file.


def _decide_together(decisions: list[Decision], analysis: Analysis, unsafe_fixes: bool) -> None:
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
        for query in facts.queries:
            if _may_come_first(query, decision, analysis):
                if query.rule.rewrite is None or query.call.args or query.call.keywords:
                    details = {"callee": analysis.tree.source(query.call.func)}
                    decision.problem = Problem("probe-first", query.call, details)
                    return
                decision.unsafe.append(query.rule.unsafe)
        if decision.unsafe and not unsafe_fixes:
            place = decision.config.built[0]
            decision.problem = Problem("needs-unsafe", place, {"why": decision.unsafe[0]})


def _may_come_first(query: Query, decision: Decision, analysis: Analysis) -> bool:
    """Tell whether a query can run before the last session of a config is made."""
    tree = analysis.tree
    return not all(
        tree.function(sink.call) is tree.function(query.call)
        and tree.position(sink.call) < tree.position(query.call)
        and not tree.in_loop(query.call)
        for sink in decision.config.sinks
    )


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
        if not _is_tied(decision, analysis) and decision.signature("process"):
            return Problem("session-without-config", sink.call, {"fields": _fields(decision)})
        if session:
            fields = {entry.partition("=")[0] for entry in session}
            if not fields <= _HARMLESS:
                return Problem("session-without-config", sink.call, {"fields": ", ".join(fields)})
            decision.unsafe.append(
                f"the session without a config in line {_line(sink.call)} takes on "
                f"{' and '.join(sorted(fields))} too"
            )
    return None


def _fields(decision: Decision) -> str:
    return ", ".join(dict.fromkeys(outcome.setting.field for outcome in decision.outcomes))


def _pair_conflict(one: Decision, other: Decision, analysis: Analysis) -> Problem | None:
    if all(_exclusive(a, b, analysis) for a in one.config.sinks for b in other.config.sinks):
        return None
    difference = one.signature("session") ^ other.signature("session")
    if not (_is_tied(one, analysis) and _is_tied(other, analysis)):
        difference |= one.signature("process") ^ other.signature("process")
    if not difference:
        return None
    details = {
        "line": str(_line(other.config.built[0])),
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
                details = {"line": str(_line(one)), "fields": ", ".join(sorted(fields))}
                return Problem("different-configs", other, details)
    return None


def _in_one_choice(one: ast.AST, other: ast.AST, analysis: Analysis) -> bool:
    """Tell whether two expressions are the two sides of one conditional expression."""
    tree = analysis.tree
    return any(
        isinstance(around, ast.IfExp) and around in set(tree.within(other))
        for around in tree.within(one)
    )


def _is_tied(decision: Decision, analysis: Analysis) -> bool:
    """Tell whether a session of the config is made wherever its settings are applied.

    Then its settings are in force when the first session is made, exactly as before; else they
    could reach a session that had nothing to do with the config.
    """
    tree = analysis.tree
    config = decision.config
    helpers = {
        tree.function(call_site.body[0])
        for call, _ in config.calls
        for call_site in _called(call, analysis)
    }
    places: list[ast.AST] = [
        outcome.setting.node
        for outcome in decision.outcomes
        if outcome.case is not None and outcome.case.emit is not None
        and tree.function(outcome.setting.node) not in helpers
    ]  # fmt: skip
    places += [call for call, _ in config.calls if tree.function(call) not in helpers]
    return all(
        any(
            tree.function(sink.call) is tree.function(place)
            and tree.position(tree.statement(sink.call)) >= tree.position(tree.statement(place))
            and tree.guards(place)[: len(tree.guards(sink.call))] == tree.guards(sink.call)
            for sink in config.sinks
        )
        for place in places
    )


def _called(call: ast.Call, analysis: Analysis) -> list[ast.FunctionDef]:
    function = analysis.flow.function(call.func)
    return [function] if function is not None else []
