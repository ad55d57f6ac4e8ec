"""From the text of files to findings and new text. Both commands see the same decisions."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from functools import lru_cache

from tfgpu.checks.find import Hazards
from tfgpu.code.forest import Find, Forest
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass, field, replace
from tfgpu.decide.decide import decide, spread
from tfgpu.decide.decision import Decision
from tfgpu.decide.order import exports
from tfgpu.decide.outside import NOTHING, Outside
from tfgpu.files.cells import NO_CELLS, Cells
from tfgpu.findings import Finding, code_of, findings
from tfgpu.flow.collect import Analysis, collect
from tfgpu.flow.retired import RetiredCall, retired_calls
from tfgpu.ignores.apply import told
from tfgpu.inventory import Row, inventory
from tfgpu.options import Options
from tfgpu.rewrite.plan import CannotPlanError, Plan, make_plan
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Rule, SettingRule, SinkRule
from tfgpu.selection import Selection

_UNWANTED = "its rule is not selected, or ignored"
# What a file that sets or hands on variables of the environment holds, and parts of their names.
_ENVIRONMENT = ("env", "subprocess", "os.system", "popen")
_VARIABLES = ("CUDA", "cuda_vis", "TF_", "XLA_", "NVIDIA", "nvidia", "--g")


@dataclass(frozen=True, slots=True)
class ConfigResult:
    """One config of a file: where it is built, and the code of the rule that kept it, if any.

    `line` counts within the `cell` of a notebook (0: no notebook). `none_by` is the rule that says
    that tf.config has nothing for a config that is kept, if there is one. `final` tells that
    TensorFlow 2 has it all the same, in compat.v1 only. `session` are the settings that each
    session had for itself in TensorFlow 1, as `field=value`.
    """

    line: int
    kept_by: str | None
    none_by: str | None = None
    final: bool = False
    session: frozenset[str] = frozenset()
    cell: int = 0


@dataclass(slots=True)
class FileResult:
    """Everything that one file came to.

    `inventory` has its settings, where they were asked for; `early` are imports in front of
    settings that must come before the runtime is initialised.
    `exports` are names of it that hold or return configs, for other files too (the empty name
    stands for its import, where that applies settings), or on whose uses the decisions depend;
    `wanted` are dotted import paths that the
    analysis could not look into; `plan` and `analysis` are what the new text is made from.
    """

    findings: list[Finding] = field(default_factory=list)
    configs: list[ConfigResult] = field(default_factory=list)
    inventory: list[Row] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
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

    `python2` tells that it stands for Python 2.
    """

    text: str
    cells: Cells = NO_CELLS
    python2: bool = False


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
    return analyse_together({"": Text(text)}, book, {"": options}, outside)[""]


def analyse_together(
    texts: Mapping[str, Text],
    book: Rulebook,
    options: Mapping[str, Options],
    outside: Outside = NOTHING,
    find: Find | None = None,
    with_inventory: bool = False,
) -> dict[str, FileResult]:
    """Analyse the texts of files that import each other, by path, and decide on everything in them.

    `options` are those of each file, `find` tells which of the files an import means;
    `with_inventory` asks for all settings, too.

    Raises:
        SyntaxError: a text cannot be parsed.
    """
    trees = [_tree(text, path) for path, text in texts.items()]
    whole = trees[0] if find is None else Forest(trees, find)
    analysis = collect(whole, book, outside.rebound)
    selection = Selection(whole, options)
    _leave_unwanted(analysis, book, selection)
    decisions = decide(analysis, book, selection, outside)
    retired = retired_calls(analysis, book, selection)
    try:
        plans = _plans(analysis, decisions, retired, book, selection, outside)
    except CannotPlanError as error:
        if decisions:
            decisions[0].problem = error.problem
            spread(decisions, analysis)
        else:
            retired = [item.kept("a name that the new code needs is taken") for item in retired]
        plans = _plans(analysis, decisions, retired, book, selection, outside)
    hazards = Hazards(analysis, book)
    problems = list(hazards.find(outside))
    found = list(findings(analysis, decisions, retired, problems, plans, book, selection))
    if any(_may_set_variables(text.text) for text in texts.values()):
        from tfgpu.environment.python import environment_findings  # noqa: PLC0415 - few need it

        found += environment_findings(analysis, book)
    rows = _rows(analysis, decisions, retired, book) if with_inventory else []
    exported = [item for decision in decisions for item in exports(decision, analysis)]
    exported += analysis.facts.callers
    results = {}
    for tree in trees:
        here = analysis.of(tree)
        results[tree.path] = FileResult(
            findings=told(
                (item for node, item in found if tree.holds(node)),
                selection.comments(tree.path),
                options[tree.path],
                book,
                tree.line,
            ),
            configs=[
                _config_result(decision, decisions, tree, book)
                for decision in decisions
                if tree.holds(decision.config.built[0])
            ],
            inventory=sorted(
                dict.fromkeys(row for node, row in rows if tree.holds(node)),
                key=lambda row: (row.line, row.column),
            ),
            exports=[name for owner, name in exported if owner is tree],
            wanted=list(dict.fromkeys(_wanted(here))),
            early=hazards.early(),
            analysis=here,
            plan=plans[tree.path],
        )
    return results


def _rows(
    analysis: Analysis, decisions: list[Decision], retired: list[RetiredCall], book: Rulebook
) -> list[tuple[ast.AST, Row]]:
    """Return every setting of the files for the inventory, with the node that makes it."""
    from tfgpu.environment.rows import python_rows  # noqa: PLC0415 - few need it

    return [*inventory(analysis, decisions, retired, book), *python_rows(analysis, book)]


def _config_result(
    decision: Decision, decisions: list[Decision], tree: Tree, book: Rulebook
) -> ConfigResult:
    return ConfigResult(
        tree.position(decision.config.built[0])[0],
        None if decision.problem is None else code_of(decision.problem, book),
        _none_by(decision, decisions, book),
        decision.final,
        decision.signature("session"),
    )


def _may_set_variables(text: str) -> bool:
    return all(any(part in text for part in parts) for parts in (_ENVIRONMENT, _VARIABLES))


def _leave_unwanted(analysis: Analysis, book: Rulebook, selection: Selection) -> None:
    """Let queries and old names stay whose rules do not hold where they stand."""
    facts = analysis.facts
    facts.queries[:] = [
        query
        if selection.wants(query.rule, query.call)
        else replace(query, form=None, problem=_UNWANTED)
        for query in facts.queries
    ]
    for found, rule in (
        (facts.old_names, book.names_rule),
        (facts.misspelt, book.find("unknown-name")),
    ):
        found[:] = [
            old
            if rule is None or selection.wants(rule, old.node)
            else replace(old, problem=_UNWANTED)
            for old in found
        ]


def _none_by(decision: Decision, decisions: list[Decision], book: Rulebook) -> str | None:
    """Return the rule by which a config that is kept has no equivalent, whatever kept it first."""
    if decision.problem is None:
        return None
    rules: list[Rule] = [
        outcome.rule for outcome in decision.outcomes if outcome.case and outcome.case.keep
    ]
    for sink in decision.config.sinks:
        rules += [end.rule for end in (sink, *sink.ends()) if end.rule.converts == "never"]
    rule = book.find(code_of(decision.problem, book))
    if isinstance(rule, SettingRule | SinkRule) or (rule and rule.equivalence == "none"):
        rules.insert(0, rule)
    if rules:
        return rules[0].code
    if decision.problem.reason != "beside-kept":
        return None
    stopped = next(
        item for item in decisions if item.problem and item.problem.reason != "beside-kept"
    )
    return _none_by(stopped, decisions, book)


@lru_cache(maxsize=128)
def _tree(text: Text, path: str) -> Tree:
    """Return the tree of a file, which is asked for again where files turn out to belong together.

    Raises:
        SyntaxError: the text cannot be parsed.
    """
    return Tree(parse(text.text), text.text, path, text.cells, text.python2)


def _plans(
    analysis: Analysis,
    decisions: list[Decision],
    retired: list[RetiredCall],
    book: Rulebook,
    selection: Selection,
    outside: Outside,
) -> dict[str, Plan]:
    return {
        tree.path: make_plan(
            analysis.of(tree),
            decisions,
            retired,
            book,
            selection,
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
    nodes += [base for config in facts.configs for base in config.bases]
    for node in nodes:
        if isinstance(node, ast.expr) and analysis.tree.holds(node):
            for name in ast.walk(node):
                if isinstance(name, ast.Name):
                    yield from analysis.symbols.origins(name)
