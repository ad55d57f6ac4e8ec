"""From the text of files to findings and new text. Both commands see the same decisions."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from string import Template

from migrate.analysis.collect import Analysis, collect
from migrate.analysis.contrib import contrib_uses
from migrate.analysis.decide import NOTHING, Outside, decide, spread
from migrate.analysis.decision import Decision, Outcome
from migrate.analysis.facts import Problem, Sink
from migrate.analysis.forest import Find, Forest
from migrate.analysis.modern import OldName
from migrate.analysis.order import exports
from migrate.analysis.retired import RetiredCall, retired_calls
from migrate.analysis.tree import Tree
from migrate.options import Options
from migrate.rewrite.plan import CannotPlanError, Plan, make_plan
from migrate.rulebook.book import Rulebook
from migrate.rulebook.model import NamesRule, QueryRule, ReasonRule, Rule, SettingRule, SinkRule

_TENSORFLOW1 = "the file is TensorFlow 1 code, and stays so"


@dataclass(frozen=True, slots=True)
class Finding:
    """What the user is told: rule, place (line and column from 1), message, what to do.

    `fix` is "safe", "unsafe" or "none" (the code stays as it is).
    """

    code: str
    name: str
    line: int
    column: int
    message: str
    todo: str
    fix: str


@dataclass(frozen=True, slots=True)
class ConfigResult:
    """One config of a file: where it is built, and the code of the rule that kept it, if any.

    `final` tells that it was kept because TensorFlow 2 has nothing else for it, `session` are the
    settings that each session had for itself in TensorFlow 1, as `field=value`.
    """

    line: int
    kept_by: str | None
    final: bool = False
    session: frozenset[str] = frozenset()


@dataclass(slots=True)
class FileResult:
    """Everything that one file came to.

    `exports` are names of it that hold or return configs, for other files too (the empty name
    stands for its import, where that applies settings); `wanted` are dotted import paths that the
    analysis could not look into; `plan` and `analysis` are what the new text is made from.
    """

    findings: list[Finding] = field(default_factory=list)
    configs: list[ConfigResult] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)
    analysis: Analysis | None = None
    plan: Plan | None = None

    def new_text(self) -> str | None:
        """Return the migrated text, None where nothing changes. Loads libcst.

        Raises:
            LocateError, libcst.ParserSyntaxError: libcst sees another program than Python does.
            SyntaxError: the new text does not parse (nothing is ever written then).
        """
        if not self.plan or self.analysis is None:
            return None
        from migrate.rewrite.apply import apply  # noqa: PLC0415 - libcst costs 0.2 s to import

        text = apply(self.plan, self.analysis.tree)
        parse(text)
        return text


def parse(text: str) -> ast.Module:
    """Parse Python source.

    Raises:
        SyntaxError: the text is not Python 3, or too deeply nested; a NUL byte is one too.
    """
    with warnings.catch_warnings():
        # Invalid escapes in strings are the user's, and no news here.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (RecursionError, MemoryError) as error:
            raise SyntaxError("too deeply nested to be parsed") from error
        except ValueError as error:
            raise SyntaxError(str(error)) from error


def analyse(text: str, book: Rulebook, options: Options, outside: Outside = NOTHING) -> FileResult:
    """Analyse the text of one file and decide on everything in it.

    Raises:
        SyntaxError: the text cannot be parsed.
    """
    return analyse_together({"": text}, book, options, outside)[""]


def analyse_together(
    texts: Mapping[str, str],
    book: Rulebook,
    options: Options,
    outside: Outside = NOTHING,
    find: Find | None = None,
) -> dict[str, FileResult]:
    """Analyse the texts of files that import each other, by path, and decide on everything in them.

    `find` tells which of the files an import means.

    Raises:
        SyntaxError: a text cannot be parsed.
    """
    trees = [Tree(parse(text), text, path) for path, text in texts.items()]
    whole = trees[0] if find is None else Forest(trees, find)
    analysis = collect(whole, book, outside.rebound)
    decisions = decide(analysis, book, options.unsafe_fixes, options.selects, outside)
    retired = retired_calls(analysis, book, options.selects)
    try:
        plans = _plans(analysis, decisions, retired, book, options, outside)
    except CannotPlanError as error:
        if decisions:
            decisions[0].problem = error.problem
            spread(decisions, analysis)
        else:
            retired = [item.kept("a name that the new code needs is taken") for item in retired]
        plans = _plans(analysis, decisions, retired, book, options, outside)
    found = list(_findings(analysis, decisions, retired, plans, book, options))
    exported = [item for decision in decisions for item in exports(decision, analysis)]
    results = {}
    for tree in trees:
        here = analysis.of(tree)
        results[tree.path] = FileResult(
            findings=sorted(
                (item for node, item in found if tree.holds(node) and options.selects(item)),
                key=lambda item: (item.line, item.column, item.code),
            ),
            configs=[
                ConfigResult(
                    tree.position(decision.config.built[0])[0],
                    None if decision.problem is None else _rule(decision.problem, book).code,
                    decision.final,
                    decision.signature("session"),
                )
                for decision in decisions
                if tree.holds(decision.config.built[0])
            ],
            exports=[name for owner, name in exported if owner is tree],
            wanted=list(dict.fromkeys(_wanted(here))),
            analysis=here,
            plan=plans[tree.path],
        )
    return results


def _plans(
    analysis: Analysis,
    decisions: list[Decision],
    retired: list[RetiredCall],
    book: Rulebook,
    options: Options,
    outside: Outside,
) -> dict[str, Plan]:
    return {
        tree.path: make_plan(
            analysis.of(tree),
            decisions,
            retired,
            book,
            options,
            switches=tree.path in outside.switched,
            handed_on={name for path, name in outside.handed_on if path == tree.path},
        )
        for tree in analysis.tree.files
    }


def _wanted(analysis: Analysis) -> Iterator[str]:
    """Yield the imports behind what could not be followed in a file."""
    facts = analysis.facts
    nodes: list[ast.AST | None] = [call.func for call in facts.unresolved]
    nodes += [problem.node for config in facts.configs for problem in config.problems]
    nodes += [sink.argument for sink in facts.foreign_sinks]
    for node in nodes:
        if isinstance(node, ast.expr) and analysis.tree.holds(node):
            for name in ast.walk(node):
                if isinstance(name, ast.Name):
                    yield from analysis.symbols.origins(name)


def _rule(problem: Problem, book: Rulebook) -> Rule:
    rule = book.find(problem.reason)
    assert rule is not None, problem.reason
    return rule


def _findings(
    analysis: Analysis,
    decisions: list[Decision],
    retired: list[RetiredCall],
    plans: Mapping[str, Plan],
    book: Rulebook,
    options: Options,
) -> Iterator[tuple[ast.AST, Finding]]:
    """Yield every finding with the node that it is about."""
    tree = analysis.tree

    def make(
        rule: Rule, node: ast.AST, message: str, todo: str, fix: str
    ) -> tuple[ast.AST, Finding]:
        return node, Finding(rule.code, rule.name, *tree.position(node), message, todo, fix)

    for decision in decisions:
        problem = decision.problem
        fix = "none" if problem else "unsafe" if decision.unsafe else "safe"
        if problem is not None and problem.reason == "needs-unsafe":
            fix = "unsafe"
        reported: set[ast.AST] = set()
        if problem is not None:
            rule = _rule(problem, book)
            message, todo = _reason(problem, rule, decision, book)
            reported.add(problem.node)
            yield make(rule, problem.node, message, todo, fix)
        way = "run tfgpu migrate" if fix == "safe" else "run tfgpu migrate --unsafe-fixes"
        for outcome in decision.outcomes:
            if outcome.setting.node in reported:
                continue
            message, todo = _outcome(
                outcome, way if fix != "none" else _kept(decision, book, tree, outcome.setting.node)
            )
            if fix == "none":
                message = f"kept for now: {message}"
            yield make(outcome.rule, outcome.setting.node, message, todo, fix)
        for sink in decision.config.sinks:
            if sink.call not in reported:
                todo = way if fix != "none" else _kept(decision, book, tree, sink.call)
                yield make(
                    sink.rule, sink.call, f"{sink.rule.summary}{_removal(sink, book)}", todo, fix
                )
    for use in analysis.facts.session_uses:
        todo = (
            "run tfgpu migrate"
            if use.call in _gone(decisions, analysis)
            else ("remove it and set tf.config: Keras 3 has no session")
        )
        yield make(use.rule, use.call, use.rule.summary, todo, "none")
    unresolved = [
        Problem("unresolved-name", call, {"text": tree.source(call.func)})
        for call in analysis.facts.unresolved
    ]
    for problem in (*unresolved, *analysis.facts.device_problems):
        rule = _rule(problem, book)
        assert isinstance(rule, ReasonRule)
        message = Template(rule.message).safe_substitute(problem.details)
        yield make(rule, problem.node, message, rule.todo, "none")
    for node, names in contrib_uses(analysis):
        contrib = book.find("contrib")
        assert isinstance(contrib, ReasonRule)
        message = Template(contrib.message).safe_substitute(names=", ".join(names))
        yield make(contrib, node, message, contrib.todo, "none")
    for decision in decisions:
        if decision.problem is None and decision.moved is not None:
            first = book.find("runtime-first")
            assert first is not None
            line, _ = tree.position(decision.config.built[0])
            message = f"the settings of line {line} move in front of this: it starts the runtime"
            fix = "unsafe" if decision.unsafe else "safe"
            yield make(first, decision.moved, message, "run tfgpu migrate", fix)
    for item in retired:
        if item.outcome is not None:
            message, todo = _outcome(item.outcome, "run tfgpu migrate")
            message = f"{item.rule.summary}: {message}"
            yield make(item.rule, item.call, message, todo, "safe")
        else:
            why = f"; not here: {item.problem}" if item.rule.setting else ""
            message = f"{item.rule.summary}{why}"
            yield make(item.rule, item.call, message, item.rule.todo, "none")
    for old in analysis.facts.old_names:
        if book.names_rule is not None and old.rename.since <= options.min_tf:
            plan = plans[tree.file(old.node).path]
            fixed = old.node in plan.renamed or old.node in plan.imports.moved
            message, todo = _renamed(old, fixed, book.names_rule)
            yield make(book.names_rule, old.node, message, todo, "safe" if fixed else "none")
    for query in analysis.facts.queries:
        why = query.problem or (_TENSORFLOW1 if plans[tree.file(query.call).path].stays else "")
        message = query.rule.summary + (f"; not here: {why}" if why else "")
        yield make(query.rule, query.call, message, query.rule.todo, "none" if why else "unsafe")


def _renamed(old: OldName, fixed: bool, rule: NamesRule) -> tuple[str, str]:
    """Return the message and the way out for a name that got a better one."""
    since = ".".join(map(str, old.rename.since))
    message = f"{old.rename.before} is {old.rename.name} since TensorFlow {since}"
    if fixed:
        return message, "run tfgpu migrate"
    why = old.problem or _TENSORFLOW1
    return f"{message}; left as it is: {why}", rule.todo


def _removal(sink: Sink, book: Rulebook) -> str:
    """Return since when TensorFlow does not have what a sink calls, and what it has instead."""
    removed = book.removed(sink.name or "")
    if removed is None:
        return ""
    return f"; TensorFlow {removed.since} removed {removed.name}: {removed.instead}"


def _outcome(outcome: Outcome, way: str) -> tuple[str, str]:
    """Return the message and the way out for one setting."""
    case, rule = outcome.case, outcome.rule
    if case is None:
        return f"{outcome.setting.field} is set again below", way
    if case.keep is not None:
        return case.keep, case.todo or way
    if case.drop is not None:
        return f"{outcome.setting.field} needs no code: {case.drop}", way
    return rule.summary, way


def _gone(decisions: list[Decision], analysis: Analysis) -> set[ast.Call]:
    """Return the set_session calls that disappear."""
    converted = {
        sink.call for item in decisions if item.problem is None for sink in item.config.sinks
    }
    return {use.call for use in analysis.facts.session_uses if use.session in converted}


def _kept(decision: Decision, book: Rulebook, tree: Tree, node: ast.AST) -> str:
    """Say where the reason stands why what a node does is kept."""
    assert decision.problem is not None
    rule = _rule(decision.problem, book)
    line, _ = tree.position(decision.problem.node)
    other = tree.file(decision.problem.node)
    place = f"line {line}" if other is tree.file(node) else f"{other.path}:{line}"
    return f"stays for now: its config is kept, see {rule.code} {rule.name} in {place}"


def _reason(problem: Problem, rule: Rule, decision: Decision, book: Rulebook) -> tuple[str, str]:
    """Return the message and the way out for a problem."""
    if isinstance(rule, ReasonRule):
        details = {name: _shorten(text) for name, text in problem.details.items()}
        message = Template(rule.message).safe_substitute(details)
        return f"config kept: {message}", Template(rule.todo).safe_substitute(details)
    if isinstance(rule, SinkRule):
        sink = next(sink for sink in decision.config.sinks if sink.call is problem.node)
        return f"config kept: {rule.reason}{_removal(sink, book)}", rule.todo
    assert isinstance(rule, SettingRule | QueryRule)
    todo = next(
        item.case.todo or ""
        for item in decision.outcomes
        if item.setting.node is problem.node and item.case is not None
    )
    return f"config kept: {problem.details['why']}", todo


def _shorten(text: str) -> str:
    """Cut a piece of source that would fill the screen; reasons in words stay whole."""
    is_code = "(" in text or "{" in text or "[" in text
    return f"{text[:57]}..." if is_code and len(text) > 60 else text
