"""Findings: decisions, checks and queries as messages for the user."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import chain
from string import Template

from tfgpu.checks.report import Report
from tfgpu.code.parse import parse
from tfgpu.code.tree import Tree
from tfgpu.dataclass import replace
from tfgpu.decide.assumptions import Assumption
from tfgpu.decide.decision import Decision, Outcome
from tfgpu.decide.retired import RetiredCall
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.contrib import contrib_uses
from tfgpu.flow.facts import Sink
from tfgpu.flow.modern import ASKS, OldName
from tfgpu.flow.reasons import NotConverted, Problem, filled
from tfgpu.program.switch import IMPORTS
from tfgpu.program.switches import Cause
from tfgpu.results import ASSUMPTION, CAUSE, SESSION, SETTING, Finding, key
from tfgpu.rewrite.changes import Plan
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import (
    CheckRule,
    NamesRule,
    ReasonRule,
    Rule,
    SinkRule,
)
from tfgpu.selection import Selection

# What keeps imports and has a finding of its own, was asked for, or keeps none that would change.
_TOLD = (Cause.MISSING_NAME, Cause.REQUESTED, Cause.NO_NAME)
# What leaves a program, whose configs are converted, with TensorFlow 1.
_STUCK = (
    Cause.IMPORT_FORM,
    Cause.TWO_LIBRARIES,
    Cause.SHOWN,
    Cause.UNDONE,
    Cause.UNREADABLE,
    Cause.TURNS_EAGER,
)
# What stands beside the import of tensorflow.compat.v1 in a program that runs in graphs.
_OFF = " and `tf.disable_v2_behavior()`"
# A name of Keras that only Keras 2 has, and what runs a program with it.
_SET_SESSION = "tf.keras.backend.set_session"
_KERAS_2 = (
    "Keras 3 has no sessions: with TensorFlow 2.16 and newer, the program runs with tf-keras and "
    "TF_USE_LEGACY_KERAS=1, and what it imports from keras has to come from tensorflow.keras"
)
_TENSORFLOW1 = "the file stays TensorFlow 1 code"
_WITH_CONFIGS = (
    "nothing until the file is moved to TensorFlow 2: tfgpu migrate changes the query then"
)


# A node and the finding on it.
Found = tuple[ast.AST, Finding]


def findings(
    analysis: Analysis,
    decisions: list[Decision],
    retired: list[RetiredCall],
    hazards: list[Report],
    plans: Mapping[str, Plan],
    book: Rulebook,
    selection: Selection,
) -> Iterator[Found]:
    """Yield every finding with its node."""
    tell = _Findings(analysis, decisions, plans, book)
    yield from chain.from_iterable(map(tell.decision, decisions))
    yield from tell.keras_sessions()
    yield from chain(tell.hazards(), map(tell.check, hazards))
    yield from tell.python2()
    yield from tell.switched(selection)
    yield from chain.from_iterable(map(tell.retired, retired))
    yield from tell.names(selection)
    yield from tell.queries()


class _Findings:
    def __init__(
        self,
        analysis: Analysis,
        decisions: list[Decision],
        plans: Mapping[str, Plan],
        book: Rulebook,
    ) -> None:
        self._analysis = analysis
        self._tree = analysis.tree
        self._decisions = decisions
        self._plans = plans
        self._book = book

    def _make(
        self,
        rule: Rule,
        node: ast.AST,
        message: str,
        todo: str,
        fix: str,
        part: str = "",
        caused_by: str = "",
    ) -> Found:
        line, column = self._tree.position(node)
        end_line, end_column = self._tree.end(node)
        finding = Finding(
            code=rule.code,
            name=rule.name,
            line=line,
            column=column,
            message=message,
            todo=todo,
            fix=fix,
            severity=rule.severity,
            end_line=end_line,
            end_column=end_column,
            snippet=self._tree.file(node).line(line),
            part=part,
            caused_by=caused_by,
        )
        return node, finding

    def _reason_rule(self, name: str) -> ReasonRule:
        rule = self._book.find(name)
        assert isinstance(rule, ReasonRule)
        return rule

    def decision(self, decision: Decision) -> Iterator[Found]:
        """Yield the findings on one config, with the place where it is built."""
        config = self._tree.where(decision.config.built[0])
        for node, finding in self._decision(decision):
            yield node, replace(finding, config=config)

    def _decision(self, decision: Decision) -> Iterator[Found]:
        book, tree, problem = self._book, self._tree, decision.problem
        fix = "none" if problem else _fix(decision)
        if problem is not None and (isinstance(problem, reasons.NeedsUnsafe) or decision.assumable):
            fix = "unsafe"
        reported: set[ast.AST] = set()
        cause = ""
        if problem is not None and not isinstance(problem, reasons.Ignored):
            message, todo = self._reason(problem, decision)
            # A rule that converts with unsafe fixes has its own finding on what it converts.
            if not isinstance(problem, reasons.NeedsUnsafe):
                reported.add(problem.node)
            rule = problem.rule(book)
            before = self._key(problem.cause) if isinstance(problem, reasons.Consequence) else ""
            cause = self._key(problem)
            message = f"config kept: {message}"
            yield self._make(rule, problem.node, message, todo, fix, CAUSE, before)
        elif decision.moved is not None and not any(
            tree.statement(sink.made) is decision.moved for sink in decision.config.sinks
        ):
            line = tree.line_words(decision.config.built[0])
            message = f"the settings of line {line} move before this call, which starts the runtime"
            moved = self._reason_rule("runtime-first")
            todo = "run tfgpu migrate"
            yield self._make(moved, decision.moved, message, todo, fix, ASSUMPTION)
        if problem is None:
            yield from self._assumed(decision)
        for wrong in (item for item in decision.wrong if item is not problem):
            message, todo = self._reason(wrong, decision)
            yield self._make(wrong.rule(book), wrong.node, message, todo, "none", CAUSE)
        way = "run tfgpu migrate" if fix == "safe" else "run tfgpu migrate --unsafe-fixes"
        for outcome in decision.outcomes:
            node = outcome.setting.node
            if node not in reported:
                keeps = outcome.case is not None and outcome.case.keep is not None
                message, todo = _outcome(outcome, way)
                if fix == "none" and not keeps:
                    message = f"{outcome.setting.field} stays in the config, which is not converted"
                    todo = _kept(decision, book, tree, node)
                part, by = (CAUSE, "") if keeps else (SETTING, cause)
                _, finding = self._make(outcome.rule, node, message, todo, fix, part, by)
                if outcome.case is not None and outcome.case.drop is not None:
                    finding = replace(finding, severity="note")
                yield node, finding
        for sink in _sinks(decision, self._decisions):
            if sink.call not in reported:
                todo = way if fix != "none" else _kept(decision, book, tree, sink.call)
                message, part, by = sink.rule.summary, SESSION, cause
                if fix == "none" and sink.rule.converts == "never":
                    todo, part, by = sink.rule.todo or todo, CAUSE, ""
                elif fix == "none":
                    message = f"`{tree.source(sink.call.func)}` keeps its config"
                message += _removal(sink, book)
                yield self._make(sink.rule, sink.call, message, todo, fix, part, by)

    def _key(self, problem: Problem) -> str:
        """Return the key of the finding for a problem."""
        return key(self._tree.where(problem.node), problem.rule(self._book).code)

    def _reason(self, problem: Problem, decision: Decision) -> tuple[str, str]:
        """Return message and remedy for the problem that keeps a config."""
        rule = problem.rule(self._book)
        if isinstance(rule, ReasonRule):
            words = filled(problem, self._tree, self._book)
            details = {name: _shorten(text) for name, text in words.items()}
            message = Template(rule.message).substitute(details)
            return message, Template(rule.todo).substitute(details)
        assert isinstance(problem, NotConverted)
        if isinstance(rule, SinkRule):
            sink = next(sink for sink in decision.config.sinks if sink.call is problem.node)
            return f"{problem.why}{_removal(sink, self._book)}", problem.todo
        return problem.why, problem.todo

    def _assumed(self, decision: Decision) -> Iterator[Found]:
        """Yield the assumptions of a conversion, one finding for each kind."""
        kinds: dict[tuple[str, str], list[Assumption]] = {}
        for one in decision.assumptions:
            kinds.setdefault((one.problem.reason, one.kind), []).append(one)
        for alike in kinds.values():
            one, others = alike[0], len(alike) - 1
            number = "an assumption" if not others else f"{others + 1} assumptions"
            more = f", and {others} more like this" if others else ""
            message = f"converted on {number}: {one.words(self._tree)}{more}"
            todo = "check it, or run tfgpu migrate --verify, which checks it in the program's run"
            node = decision.config.built[0] if others else one.problem.node
            rule = one.problem.rule(self._book)
            yield self._make(rule, node, message, todo, "unsafe", ASSUMPTION)
        for needs in {item.why: item for item in reversed(decision.unsafe)}.values():
            message = f"converted by an unsafe fix: {needs.why}"
            rule = self._reason_rule("needs-unsafe")
            yield self._make(rule, needs.node, message, "check it", "unsafe", ASSUMPTION)

    def keras_sessions(self) -> Iterator[Found]:
        """Yield the findings on sessions that are passed to Keras."""
        gone = _gone(self._decisions, self._analysis)
        for use in self._analysis.facts.session_uses:
            message, todo, fix = use.rule.summary, "run tfgpu migrate", gone.get(use.call, "none")
            why = self._plans[self._tree.file(use.call).path].for_graphs
            if why is not None and use.call in gone:
                what = Template(why.cause.value).substitute(name=f"`{why.name}`")
                message = f"the session stays, without its config: {what} ({why.place})"
            if use.call not in gone:
                message = f"`{self._tree.source(use.call.func)}` keeps its session"
                todo = "remove it and set tf.config"
            elif fix == "unsafe":
                todo = "run tfgpu migrate --unsafe-fixes"
            stays = use.call not in gone or why is not None
            if stays:
                todo = f"{todo}; {_KERAS_2}"
            node, finding = self._make(use.rule, use.call, message, todo, fix)
            yield node, replace(finding, names=(_SET_SESSION,) if stays else ())

    def hazards(self) -> Iterator[Found]:
        """Yield the findings that do not depend on decisions about configs."""
        facts = self._analysis.facts
        unresolved = [reasons.UnresolvedName(call, call.func) for call in facts.unresolved]
        yield from map(self._told, (*unresolved, *facts.device_problems))
        for node, names in contrib_uses(self._analysis):
            _, finding = self._told(reasons.Contrib(node, ", ".join(names)))
            yield node, replace(finding, names=tuple(f"tf.contrib.{name}" for name in names))

    def _told(self, problem: Problem) -> Found:
        """Return the finding for a problem that keeps no config."""
        rule = self._reason_rule(problem.reason)
        message = Template(rule.message).substitute(filled(problem, self._tree, self._book))
        return self._make(rule, problem.node, message, rule.todo, "none")

    def python2(self) -> Iterator[Found]:
        """Yield a finding for each changed file that is Python 2 code."""
        rule = self._book.find("python2-code")
        for tree in self._tree.files:
            if tree.python2 and self._plans[tree.path] and isinstance(rule, CheckRule):
                first = tree.module.body[0]
                yield self._make(rule, first, rule.message, rule.todo, "none")

    def switched(self, selection: Selection) -> Iterator[Found]:
        """Yield the findings on imports that --imports switches, or leaves."""
        for tree in self._tree.files:
            obstacle = self._plans[tree.path].obstacle
            if obstacle is not None and obstacle.cause is Cause.LOSES:
                details = {"call": f"`{obstacle.name}`", "config": obstacle.config}
                node = _at(obstacle.line, tree)
                yield self.check(Report("lost-config", node, details))
                continue
            asked = selection.options_of(tree.path).imports
            cause = obstacle.cause if obstacle is not None else None
            is_stuck = cause in _STUCK and any(plan.bridge for plan in self._plans.values())
            if not (asked or is_stuck or cause is Cause.BESIDE):
                continue
            imports = self._plans[tree.path].imports
            statements = [*(item.statement for item in imports.switched), *imports.stars]
            if statements:
                first = min(statements, key=tree.position)
                details = {"import": f"`{ast.unparse(first)}`"}
                yield self.check(Report(IMPORTS, first, details))
            if obstacle is not None and obstacle.cause not in _TOLD:
                why = Template(obstacle.cause.value).substitute(name=f"`{obstacle.name}`")
                node = _at(obstacle.line, tree)
                off = "" if obstacle.cause is Cause.TURNS_EAGER else _OFF
                yield self.check(Report("imports-stay", node, {"why": why, "off": off}))

    def check(self, report: Report) -> Found:
        """Return the finding for the report of a check."""
        rule = self._book.find(report.rule)
        assert isinstance(rule, CheckRule), report.rule
        message = Template(rule.message).substitute(report.details)
        todo = Template(rule.todo).substitute(report.details)
        node, finding = self._make(rule, report.node, message, todo, rule.fix)
        finding = replace(finding, pending=True) if report.pending else finding
        gone = (report.details["name"],) if report.rule == "removed-name" else ()
        return node, replace(finding, names=gone)

    def retired(self, item: RetiredCall) -> Iterator[Found]:
        """Yield the finding on a call that becomes settings, or is only reported."""
        if item.outcome is not None:
            message, todo = _outcome(item.outcome, "run tfgpu migrate")
            message = f"{item.rule.summary}: {message}"
            yield self._make(item.rule, item.call, message, todo, "safe")
        else:
            why = f"; not changed here: {item.problem}" if item.rule.setting else ""
            message = f"{item.rule.summary}{why}"
            yield self._make(item.rule, item.call, message, item.rule.todo, "none")

    def names(self, selection: Selection) -> Iterator[Found]:
        """Yield the findings on renamed names; none for code that stays TensorFlow 1."""
        rule = self._book.names_rule
        for old in self._analysis.facts.old_names if rule is not None else ():
            if rule is not None and old.rename.since <= selection.options(old.node).min_tf:
                plan = self._plans[self._tree.file(old.node).path]
                fixed = old.node in plan.renamed or old.node in plan.imports.moved
                if not fixed and (plan.stays or old.problem in (None, ASKS)):
                    continue
                message, todo = _renamed(old, fixed, rule)
                yield self._make(rule, old.node, message, todo, "safe" if fixed else "none")

    def queries(self) -> Iterator[Found]:
        """Yield the findings on device queries."""
        for query in self._analysis.facts.queries:
            stays = self._plans[self._tree.file(query.call).path].stays
            why = query.problem or (_TENSORFLOW1 if stays else "")
            message = query.rule.summary + (f"; not changed here: {why}" if why else "")
            fix = "none" if why else "unsafe"
            node, finding = self._make(query.rule, query.call, message, query.rule.todo, fix)
            if why == _TENSORFLOW1:
                finding = replace(finding, todo=_WITH_CONFIGS, severity="note")
            yield node, finding


def _renamed(old: OldName, fixed: bool, rule: NamesRule) -> tuple[str, str]:
    """Return message and remedy for a name that was renamed."""
    since = ".".join(map(str, old.rename.since))
    message = f"{old.rename.before} is {old.rename.name} since TensorFlow {since}"
    if fixed:
        return message, "run tfgpu migrate"
    return f"{message}; left as it is: {old.problem}", rule.todo


def _removal(sink: Sink, book: Rulebook) -> str:
    """Return the release that removed the API of a sink, and its replacement."""
    removed = book.removed(sink.name or "")
    if removed is None:
        return ""
    return f"; TensorFlow {removed.since} removed {removed.name}: {removed.instead}"


def _sinks(decision: Decision, decisions: list[Decision]) -> list[Sink]:
    """Return the sinks that a config reaches, without those reported for an earlier config."""
    earlier = decisions[: decisions.index(decision)]
    known = {end.call for other in earlier for sink in other.config.sinks for end in sink.ends()}
    found: dict[ast.Call, Sink] = {}
    for sink in decision.config.sinks:
        for item in (sink, *sink.ends()):
            if item is sink or item.call not in known:
                found.setdefault(item.call, item)
    return list(found.values())


def _outcome(outcome: Outcome, way: str) -> tuple[str, str]:
    """Return message and remedy for one setting."""
    case, rule = outcome.case, outcome.rule
    if case is None:
        return f"{outcome.setting.field} is set again below", way
    if case.keep is not None:
        return case.keep, case.todo or way
    if case.drop is not None:
        return f"{outcome.setting.field} needs no code: {case.drop}", way
    return rule.summary, way


def _fix(decision: Decision) -> str:
    """Return the kind of fix that converts a config."""
    return "unsafe" if decision.unsafe or decision.assumptions else "safe"


def _gone(decisions: list[Decision], analysis: Analysis) -> dict[ast.Call, str]:
    """Return the set_session calls that the conversion removes, each with its kind of fix."""
    converted = {
        sink.call: _fix(item)
        for item in decisions
        if item.problem is None
        for sink in item.config.sinks
    }
    return {
        use.call: converted[use.session]
        for use in analysis.facts.session_uses
        if use.session in converted
    }


def _kept(decision: Decision, book: Rulebook, tree: Tree, node: ast.AST) -> str:
    """Return a reference to the finding that explains why a node is kept."""
    assert decision.problem is not None
    rule = decision.problem.rule(book)
    return f"see {rule.code} {rule.name} in {tree.where_from(decision.problem.node, node)}"


def _shorten(text: str) -> str:
    """Shorten long source code; reasons in words stay whole."""
    if len(text) <= 60:
        return text
    try:
        parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return text
    return f"{text[:57]}..."


def _at(line: int, tree: Tree) -> ast.AST:
    """Return the first node of a line, or else of the file."""
    nodes = [node for node in ast.walk(tree.module) if hasattr(node, "lineno")]
    return next((node for node in nodes if node.lineno == line), nodes[0])
