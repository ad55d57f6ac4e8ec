"""From the text of files to findings and new text. Both commands see the same decisions."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

from tfgpu.checks.find import Hazards
from tfgpu.code.dotted import base_of
from tfgpu.code.parse import parse
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass, field, replace
from tfgpu.decide.assumptions import line_of
from tfgpu.decide.decide import decide
from tfgpu.decide.decision import Decision
from tfgpu.decide.effects import Effects
from tfgpu.decide.probes import leave_early
from tfgpu.decide.retired import RetiredCall
from tfgpu.files.cells import NO_CELLS, Cells
from tfgpu.files.pattern import expression
from tfgpu.findings import findings
from tfgpu.flow.collect import Analysis, collect
from tfgpu.flow.facts import Config
from tfgpu.flow.modern import OldName
from tfgpu.flow.reasons import Consequence, Refused, UnknownField, WrongType
from tfgpu.ignores.apply import told
from tfgpu.neighbours import NOTHING, Around
from tfgpu.options import Options
from tfgpu.planned import plan_together
from tfgpu.program.losses import NO_LOSSES, Losses
from tfgpu.results import Assumed, Caller, ConfigResult, Finding, KeptFor, Row
from tfgpu.rewrite.changes import Plan
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Rule, SettingRule, SinkRule
from tfgpu.selection import Selection
from tfgpu.texts.looks import LOOKS_LIKE

if TYPE_CHECKING:
    from tfgpu.code.forest import Find
    from tfgpu.decide.alone import IsOurs

# A tree takes some forty times the memory of its text. So many are kept for the next unit.
_MANY_TREES = 64
_UNWANTED = "its rule is not selected, or ignored"
# What a file that sets or passes on variables of the environment holds, and parts of their names.
_CONFIGS = ("gpu_options", "_soft_placement", "_parallelism", "device_count", "model_server")
_ENVIRONMENT = ("env", "subprocess", "os.system", "popen")
# The modules whose functions start commands.
_STARTS = expression(r"\b(?:os|commands)\b")
_LAUNCHERS = ("resource.gpu.amount", "horovodrun", "mpirun", "mpiexec")
# A ConfigProto as bytes or JSON, GPUs of a cloud.
_STORED = ("FromString(", "json_format", "accelerator_count")
_VARIABLES = (
    "CUDA", "cuda_vis", "TF_", "XLA_", "NVIDIA", "nvidia", "--g", *_LAUNCHERS, *_CONFIGS, *_STORED
)  # fmt: skip


@dataclass(slots=True)
class FileResult:
    """The complete result for one file.

    `pending` are findings of which launchers decide. `inventory` has its settings, where they were
    asked for; `early` are imports in front of settings that must come before the runtime is
    initialised. `kept_for` is the config of another file for which its configs are kept. `plan` and
    `analysis` are what the new text is made from.
    """

    findings: list[Finding] = field(default_factory=list)
    pending: list[Finding] = field(default_factory=list)
    configs: list[ConfigResult] = field(default_factory=list)
    inventory: list[Row] = field(default_factory=list)
    kept_for: KeptFor | None = None
    early: list[str] = field(default_factory=list)
    assumed: list[Assumed] = field(default_factory=list)
    losses: Losses = NO_LOSSES
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
        from tfgpu.rewrite.apply import apply  # noqa: PLC0415 - libcst costs 0.2 s to import

        text = apply(self.plan, self.analysis.tree)
        parse(text)
        return text


@dataclass(frozen=True, slots=True)
class Text:
    """The Python text of a file to analyse; a notebook's has cells.

    `python2` tells that it replaces Python 2.
    """

    text: str
    cells: Cells = NO_CELLS
    python2: bool = False


def analyse(text: str, book: Rulebook, options: Options, around: Around = NOTHING) -> FileResult:
    """Analyse the text of one file and decide on everything in it.

    Raises:
        SyntaxError: the text cannot be parsed.
    """
    return analyse_together({"": Text(text)}, book, {"": options}, around)[""]


def analyse_together(
    texts: Mapping[str, Text],
    book: Rulebook,
    options: Mapping[str, Options],
    around: Around = NOTHING,
    find: Find | None = None,
    with_inventory: bool = False,
) -> dict[str, FileResult]:
    """Analyse the texts of files that import each other, by path, and decide on everything in them.

    `options` are those of each file, `find` tells which of the files an import means;
    `with_inventory` asks for all settings, too.

    Raises:
        SyntaxError: a text cannot be parsed.
    """
    trees = [tree_of(text, path).for_analysis() for path, text in texts.items()]
    whole = trees[0]
    if find is not None:
        from tfgpu.code.forest import Forest  # noqa: PLC0415 - not for one file

        whole = Forest(trees, find)
    analysis = collect(whole, book, around.rebound)
    selection = Selection(whole, options)
    analysis = _without_unwanted(analysis, book, selection)
    effects = Effects(analysis, book, around.left_out)
    analysis = leave_early(analysis, effects.order, book)
    planned = plan_together(analysis, effects, book, selection, around)
    decisions, retired, plans = planned.decisions, planned.retired, planned.plans
    hazards = Hazards(analysis, book)
    problems = list(hazards.find(around.started))
    found = list(findings(analysis, decisions, retired, problems, plans, book, selection))
    found += _of_environment(trees, analysis, book)
    rows = _rows(analysis, decisions, retired, book) if with_inventory else []
    early = hazards.early()

    def result(tree: Tree) -> FileResult:
        comments = selection.comments(tree.path)
        here = (item for node, item in found if tree.holds(node))
        said = told(here, comments, options[tree.path], book, tree.line)
        return FileResult(
            findings=[item for item in said if not item.pending],
            pending=[item for item in said if item.pending],
            configs=_configs(tree, decisions, book, planned.lost),
            inventory=sorted(
                dict.fromkeys(row for node, row in rows if tree.holds(node)),
                key=attrgetter("line", "column"),
            ),
            assumed=_assumed(tree, decisions, analysis),
            kept_for=_kept_for(tree, whole, decisions, effects, book),
            early=early.get(tree.path, []),
            losses=planned.losses[tree.path],
            analysis=analysis.of(tree),
            plan=plans[tree.path],
        )

    return {tree.path: result(tree) for tree in trees}


def _of_environment(
    trees: list[Tree], analysis: Analysis, book: Rulebook
) -> list[tuple[ast.AST, Finding]]:
    """Return what there is to say of variables of the environment that the files set."""
    if not any(_may_set_variables(tree.text) for tree in trees):
        return []
    from tfgpu.environment.python import environment_findings  # noqa: PLC0415 - few need it

    setting = (tree for tree in trees if _holds_any(tree.text, _VARIABLES))
    return list(environment_findings(setting, analysis, book))


def _configs(
    tree: Tree, decisions: list[Decision], book: Rulebook, losing: list[Config]
) -> list[ConfigResult]:
    """Return the configs that are built in a file, in order."""
    found = (
        _config_result(decision, call, tree, book, decision.config in losing)
        for decision in decisions
        for call in decision.config.roots or decision.config.built[:1]
        if tree.holds(call)
    )
    return sorted(found, key=attrgetter("line"))


def kept_anyway(
    path: str, text: Text, book: Rulebook, options: Options, is_ours: IsOurs
) -> frozenset[str] | None:
    """Return what a file offers others of its configs; None where one of them may be converted.

    It may not where no other file of its program can change that it is kept. `is_ours` tells
    whether a dotted import of the file is that of another file of the run.

    Raises:
        SyntaxError: the text cannot be parsed.
    """
    from tfgpu.decide.alone import are_kept  # noqa: PLC0415 - few need it

    tree = tree_of(text, path).for_analysis()
    analysis = collect(tree, book)
    selection = Selection(tree, {path: options})
    effects = Effects(analysis, book)
    decisions = decide(analysis, book, selection, effects, {}, {})
    if not are_kept(decisions, analysis, book, is_ours):
        return None
    return frozenset(name for item in decisions for _, name in item.config.exports)


def _rows(
    analysis: Analysis, decisions: list[Decision], retired: list[RetiredCall], book: Rulebook
) -> list[tuple[ast.AST, Row]]:
    """Return every setting of the files for the inventory, with the node that makes it."""
    from tfgpu.environment.rows import python_rows  # noqa: PLC0415 - few need it
    from tfgpu.inventory import inventory  # noqa: PLC0415 - few need it

    return [*inventory(analysis, decisions, retired, book), *python_rows(analysis, book)]


def _config_result(
    decision: Decision, call: ast.Call, tree: Tree, book: Rulebook, loses: bool
) -> ConfigResult:
    return ConfigResult(
        tree.position(call)[0],
        None if decision.problem is None else decision.problem.rule(book).code,
        _none_by(decision, book),
        decision.final,
        decision.problem is not None and decision.assumable,
        decision.needs_unsafe,
        loses=loses and decision.problem is not None,
        fails=isinstance(decision.problem, UnknownField | WrongType | Refused),
    )


def _may_set_variables(text: str) -> bool:
    """Tell whether a file may set variables, start commands, or hold a ConfigProto as text."""
    if _holds_any(text, _ENVIRONMENT) or _LAUNCHERS[0] in text or _holds_any(text, _STORED):
        return True
    return _holds_any(text, _CONFIGS) and bool(_STARTS.search(text) or LOOKS_LIKE.search(text))


def _holds_any(text: str, parts: Iterable[str]) -> bool:
    return any(part in text for part in parts)


def _without_unwanted(analysis: Analysis, book: Rulebook, selection: Selection) -> Analysis:
    """Let queries and old names stay whose rules do not hold where they stand."""

    def wanted(found: list[OldName], rule: Rule | None) -> list[OldName]:
        return [
            old
            if rule is None or selection.wants(rule, old.node)
            else replace(old, problem=_UNWANTED)
            for old in found
        ]

    facts = analysis.facts
    queries = [
        query
        if selection.wants(query.rule, query.call)
        else replace(query, form=None, problem=_UNWANTED)
        for query in facts.queries
    ]
    old_names = wanted(facts.old_names, book.names_rule)
    misspelt = wanted(facts.misspelt, book.find("unknown-name"))
    facts = replace(facts, queries=queries, old_names=old_names, misspelt=misspelt)
    return replace(analysis, facts=facts)


def _none_by(decision: Decision, book: Rulebook) -> str | None:
    """Return the rule by which a config that is kept has no equivalent, whatever kept it first."""
    if decision.problem is None:
        return None
    rules: list[Rule] = [
        outcome.rule for outcome in decision.outcomes if outcome.case and outcome.case.keep
    ]
    for sink in decision.config.sinks:
        rules += [end.rule for end in (sink, *sink.ends()) if end.rule.converts == "never"]
    # What is done with the config itself, and not where it is, or what is around it.
    said = (problem.rule(book) for problem in decision.config.problems)
    rules += [rule for rule in said if rule.equivalence == "none"]
    rule = decision.problem.rule(book)
    if isinstance(rule, SettingRule | SinkRule) or (
        rule and rule.equivalence == "none" and not decision.assumable
    ):
        rules.insert(0, rule)
    if rules:
        return rules[0].code
    return None


def forget_trees() -> None:
    """Let go of the trees of files that were analysed, if there are many of them."""
    if tree_of.cache_info().currsize > _MANY_TREES:
        tree_of.cache_clear()
        parse.cache_clear()


@lru_cache(maxsize=2048)
def tree_of(text: Text, path: str) -> Tree:
    """Return the tree of a file, which every part of a run asks for.

    Raises:
        SyntaxError: the text cannot be parsed.
    """
    return Tree(parse(text.text, path), text.text, path, text.cells, text.python2)


def _kept_for(
    tree: Tree, whole: Tree, decisions: list[Decision], effects: Effects, book: Rulebook
) -> KeptFor | None:
    """Return the config of another file for which the configs of a file are kept."""
    for decision in decisions:
        problem = decision.problem
        if isinstance(problem, Consequence) and tree.holds(decision.config.built[0]):
            return KeptFor(
                whole.where(problem.cause.node),
                problem.cause.rule(book).code,
                tuple(sorted(effects.order.entries(tree))),
            )
    return None


def _assumed(tree: Tree, decisions: list[Decision], analysis: Analysis) -> list[Assumed]:
    """Return what the conversions of configs that are built in a file rest on."""
    return [
        Assumed(
            *item.key(analysis.tree),
            item.words(analysis.tree),
            tuple(_caller(call, analysis) for call in item.callers),
            item.field,
            item.within,
            item.expression,
            tuple(_caller(call, analysis) for call in item.sessions),
            item.in_front,
        )
        for decision in decisions
        if decision.problem is None and tree.holds(decision.config.built[0])
        for item in decision.assumptions
    ]


def _caller(call: ast.expr, analysis: Analysis) -> Caller:
    assert call.end_lineno is not None
    name = ""
    if isinstance(call, ast.Call) and isinstance(base_of(call.func), ast.Name):
        name = ast.unparse(call.func)
    return Caller(line_of(call, analysis.tree), call.lineno, call.end_lineno, name)
