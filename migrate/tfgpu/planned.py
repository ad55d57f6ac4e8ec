"""Decides on the configs of files that are analysed together, and plans their new text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.dataclass import dataclass, replace
from tfgpu.decide.decide import decide, keep_all
from tfgpu.decide.decision import Decision
from tfgpu.decide.effects import Effects
from tfgpu.decide.lost import Lost, lost_configs
from tfgpu.decide.retired import RetiredCall, retired_calls
from tfgpu.flow.collect import Analysis
from tfgpu.flow.reasons import NotNamed
from tfgpu.neighbours import Around, AskedModes
from tfgpu.program.entries import programs_of
from tfgpu.program.modules import Modules
from tfgpu.program.switch import plan_switches
from tfgpu.program.switches import Cause, Obstacle, Switches
from tfgpu.program.uses import Uses
from tfgpu.rewrite.changes import CannotPlanError, Plan
from tfgpu.rewrite.plan import make_plan
from tfgpu.rulebook.book import Rulebook
from tfgpu.selection import Selection


@dataclass(frozen=True, slots=True)
class Planned:
    """What becomes of the configs of some files, and of each file, by its path.

    `lost` are kept configs that TensorFlow 2 would ignore, `losing` what keeps the imports of files
    for them, `retired` calls of functions that are gone.
    """

    decisions: list[Decision]
    retired: list[RetiredCall]
    plans: Mapping[str, Plan]
    lost: list[Lost]
    losing: Mapping[str, tuple[Obstacle, ...]]


def plan_together(
    analysis: Analysis, effects: Effects, book: Rulebook, selection: Selection, around: Around
) -> Planned:
    """Decide on everything in files, and plan their new text.

    What was decided for graphs has to hold in eager code, too, where nothing else needs graphs.
    """

    def planned(modes: Mapping[str, When]) -> Planned:
        decisions = decide(
            analysis, book, selection, effects, around.users, around.unreadable, modes
        )
        retired = retired_calls(analysis, book, selection, effects)
        lost = list(lost_configs(decisions, analysis, effects))
        losing = _obstacles(lost, analysis.tree)
        plans, decisions, retired = _planned(
            analysis, decisions, retired, book, selection, around, losing
        )
        return Planned(decisions, retired, plans, lost, losing)

    found = planned(around.graph_mode)
    modes = _without_sessions(analysis, found.plans, book, selection, around, found.losing)
    return found if modes is None else planned(modes)


def _planned(
    analysis: Analysis,
    decisions: list[Decision],
    retired: list[RetiredCall],
    book: Rulebook,
    selection: Selection,
    around: Around,
    losing: Mapping[str, tuple[Obstacle, ...]],
) -> tuple[dict[str, Plan], list[Decision], list[RetiredCall]]:
    """Return the plans of all files; where code cannot be laid out, what needs it is kept.

    So is what would change files that were not named.
    """
    try:
        plans = _plans(analysis, decisions, retired, book, selection, around, losing)
    except CannotPlanError as error:
        if decisions:
            decisions = keep_all(decisions, error.problem, analysis.tree)
        else:
            retired = [item.kept("a name that the new code needs is taken") for item in retired]
        plans = _plans(analysis, decisions, retired, book, selection, around, losing)
    if not around.beside or not goes_to_tensorflow2(decisions):
        return plans, decisions, retired
    kept = [_kept(decision, "") for decision in decisions]
    left = _plans(analysis, kept, retired, book, selection, around, losing)
    beside = sorted(around.beside & plans.keys())
    changed = [path for path in beside if _differ(plans[path], left[path])]
    if not changed:
        return plans, decisions, retired
    return left, [_kept(decision, changed[0]) for decision in decisions], retired


def _kept(decision: Decision, path: str) -> Decision:
    """Return a decision that does not convert, because of a file that was not named."""
    problem = decision.problem or NotNamed(decision.config.built[0], path)
    return replace(decision, problem=problem)


def _differ(one: Plan, other: Plan) -> bool:
    """Tell whether two plans take away, or add, other code."""
    return (one.gone, one.pieces.keys(), one.behind.keys()) != (
        other.gone, other.pieces.keys(), other.behind.keys()
    )  # fmt: skip


def _plans(
    analysis: Analysis,
    decisions: list[Decision],
    retired: list[RetiredCall],
    book: Rulebook,
    selection: Selection,
    around: Around,
    losing: Mapping[str, tuple[Obstacle, ...]],
) -> dict[str, Plan]:
    def made(switches: Switches) -> dict[str, Plan]:
        return {
            tree.path: make_plan(
                analysis.of(tree),
                decisions,
                retired,
                book,
                selection,
                switches.file(tree.path),
                switches.bridge(tree.path),
                tree.path in around.starred,
                tree.path in switches.graphs,
                around.asked.get(tree.path, ()),
                around.tensorflow1,
            )
            for tree in analysis.tree.files
        }

    if around.switches is not None:
        return made(around.switches)
    plans = made(Switches(()))
    if len(plans) > 1 or not goes_to_tensorflow2(decisions):
        return plans
    return made(_alone(analysis, plans, book, selection, losing))


def _without_sessions(
    analysis: Analysis,
    plans: Mapping[str, Plan],
    book: Rulebook,
    selection: Selection,
    around: Around,
    losing: Mapping[str, tuple[Obstacle, ...]],
) -> Mapping[str, When] | None:
    """Return the graph modes of programs that lose Keras's session; None if they stay."""
    modes = around.graph_mode
    if around.switches is not None or not any(plan.sessions for plan in plans.values()):
        return None
    if isinstance(modes, AskedModes) and modes:
        gone = {path: plan.gone for path, plan in plans.items()}
        sessions = {path: plan.sessions for path, plan in plans.items()}
        return modes if modes.settle(gone, sessions, losing) else None
    if modes or len(plans) > 1:
        return None
    (path,) = plans
    mode = _alone(analysis, plans, book, selection, losing).graph_mode(path)
    return None if mode is When.ALWAYS else {path: When.MAYBE}


def _alone(
    analysis: Analysis,
    plans: Mapping[str, Plan],
    book: Rulebook,
    selection: Selection,
    losing: Mapping[str, tuple[Obstacle, ...]],
) -> Switches:
    """Decide on the imports of a file that is a program of its own."""
    (tree,) = analysis.tree.files
    modules = Modules({tree.path: tree.text.encode()})
    options = selection.options_of(tree.path)
    gone = {path: plan.gone for path, plan in plans.items()}
    sessions = {path: plan.sessions for path, plan in plans.items()}
    parsed = (tree, analysis.symbols)
    facts = ([tree.path], gone, sessions, losing)
    uses = Uses(modules, lambda _: parsed, book)
    return plan_switches(programs_of(modules), uses, options, *facts)


def goes_to_tensorflow2(decisions: list[Decision]) -> bool:
    """Tell whether any config is converted; where none is, nothing is written."""
    return any(decision.problem is None for decision in decisions)


def _obstacles(lost: Iterable[Lost], tree: Tree) -> dict[str, tuple[Obstacle, ...]]:
    """Return what keeps imports for the sake of kept configs, by the files that build these."""
    found: dict[str, tuple[Obstacle, ...]] = {}
    for item in lost:
        built = item.decision.config.built[0]
        path = tree.file(built).path
        for start in item.starts:
            where = Obstacle(
                Cause.LOSES,
                tree.file(start.node).path,
                getattr(start.node, "lineno", 0),
                start.name,
                tree.where_from(built, start.node),
            )
            found[path] = (*found.get(path, ()), where)
    return found
