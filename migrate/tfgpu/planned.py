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
from tfgpu.flow.facts import Config
from tfgpu.flow.reasons import NotNamed
from tfgpu.neighbours import Around, AskedModes
from tfgpu.program.entries import programs_of
from tfgpu.program.losses import Losses
from tfgpu.program.modules import Modules
from tfgpu.program.switch import plan_switches
from tfgpu.program.switches import Cause, Obstacle, Switches
from tfgpu.program.uses import Uses
from tfgpu.rewrite.account import unaccounted
from tfgpu.rewrite.changes import Plan
from tfgpu.rewrite.compose import CannotPlanError
from tfgpu.rewrite.plan import make_plan
from tfgpu.rulebook.book import Rulebook
from tfgpu.selection import Selection


@dataclass(frozen=True, slots=True)
class Planned:
    """What becomes of the configs of some files, and of each file, by its path.

    `retired` are calls of functions that are gone, `lost` kept configs that TensorFlow 2 would
    ignore.
    """

    decisions: list[Decision]
    retired: list[RetiredCall]
    plans: Mapping[str, Plan]
    losses: Mapping[str, Losses]
    lost: list[Config]


def plan_together(
    analysis: Analysis, effects: Effects, book: Rulebook, selection: Selection, around: Around
) -> Planned:
    """Decide on everything in files, and plan their new text.

    What was decided for graphs has to hold in eager code, too, where nothing else needs graphs.
    """
    planner = _Planner(analysis, effects, book, selection, around)
    modes = around.graph_mode
    is_known = isinstance(modes, AskedModes) or bool(modes) or around.switches is not None
    if not is_known and len(analysis.tree.files) == 1:
        modes = _Alone(planner)
    found = planner.planned(modes)
    loses = around.switches is None and any(item.sessions for item in found.losses.values())
    if loses and isinstance(modes, AskedModes) and modes.settle(found.losses):
        return planner.planned(modes)
    return found


class _Planner:
    def __init__(
        self,
        analysis: Analysis,
        effects: Effects,
        book: Rulebook,
        selection: Selection,
        around: Around,
    ) -> None:
        self._analysis = analysis
        self._effects = effects
        self._book = book
        self._selection = selection
        self._around = around

    @property
    def path(self) -> str:
        """The path of the file, where there is one."""
        (tree,) = self._analysis.tree.files
        return tree.path

    def planned(self, modes: Mapping[str, When]) -> Planned:
        """Decide on all configs, and plan the new text of all files.

        Where code cannot be laid out, or would change files that were not named, what needs it is
        kept.
        """
        analysis, book, selection, effects = (
            self._analysis, self._book, self._selection, self._effects
        )  # fmt: skip
        around = self._around
        decisions = decide(analysis, book, selection, effects, around.unreadable, modes)
        retired = retired_calls(analysis, book, selection, effects)
        lost = list(lost_configs(decisions, analysis, effects))
        obstacles = _obstacles(lost, analysis.tree)
        try:
            plans = self._plans(decisions, retired, obstacles)
        except CannotPlanError as error:
            if decisions:
                decisions = keep_all(decisions, error.problem, analysis.tree)
            else:
                retired = [item.kept("a name that the new code needs is taken") for item in retired]
            plans = self._plans(decisions, retired, obstacles)
        if around.beside and goes_to_tensorflow2(decisions):
            kept = [_kept(decision, "") for decision in decisions]
            left = self._plans(kept, retired, obstacles)
            beside = sorted(around.beside & plans.keys())
            changed = [path for path in beside if _differ(plans[path], left[path])]
            if changed:
                decisions = [_kept(decision, changed[0]) for decision in decisions]
                plans = left
        losses = _losses(plans, obstacles)
        return Planned(decisions, retired, plans, losses, [item.decision.config for item in lost])

    def _plans(
        self,
        decisions: list[Decision],
        retired: list[RetiredCall],
        obstacles: Mapping[str, tuple[Obstacle, ...]],
    ) -> dict[str, Plan]:
        around = self._around

        def made(switches: Switches) -> dict[str, Plan]:
            return {
                tree.path: make_plan(
                    self._analysis.of(tree),
                    decisions,
                    retired,
                    self._book,
                    self._selection,
                    switches,
                    tree.path in around.starred,
                    around.asked.get(tree.path, ()),
                    around.tensorflow1,
                )
                for tree in self._analysis.tree.files
            }

        if around.switches is not None:
            plans = made(around.switches)
        else:
            plans = made(Switches(()))
            if len(plans) == 1 and (goes_to_tensorflow2(decisions) or self._asks_for_switch):
                plans = made(self.alone(_losses(plans, obstacles)))
        problem = unaccounted(plans.values(), decisions, self._analysis)
        if problem is not None:
            raise CannotPlanError(problem)
        return plans

    @property
    def _asks_for_switch(self) -> bool:
        return self._selection.options_of(self.path).imports

    def alone(self, losses: Mapping[str, Losses]) -> Switches:
        """Decide on the imports of a file that is a program of its own."""
        (tree,) = self._analysis.tree.files
        modules = Modules({tree.path: tree.text.encode()})
        options = self._selection.options_of(tree.path)
        parsed = (tree, self._analysis.symbols)
        uses = Uses(modules, lambda _: parsed, self._book)
        return plan_switches(programs_of(modules), uses, options, [tree.path], losses)


class _Alone(AskedModes):
    """Whether a file that is a program of its own builds graphs only, once migrated."""

    def __init__(self, planner: _Planner) -> None:
        self._planner = planner

    def planned(self, losses: Mapping[str, Losses]) -> dict[str, When]:
        """Return the mode of the file where it loses something."""
        path = self._planner.path
        return {path: self._planner.alone(losses).graph_mode(path)}


def _kept(decision: Decision, path: str) -> Decision:
    """Return a decision that does not convert, because of a file that was not named."""
    problem = decision.problem or NotNamed(decision.config.built[0], path)
    return replace(decision, problem=problem)


def _differ(one: Plan, other: Plan) -> bool:
    """Tell whether two plans take away, or add, other code."""
    return (one.gone, one.pieces.keys(), one.behind.keys()) != (
        other.gone, other.pieces.keys(), other.behind.keys()
    )  # fmt: skip


def goes_to_tensorflow2(decisions: list[Decision]) -> bool:
    """Tell whether any config is converted; where none is, nothing is written."""
    return any(decision.problem is None for decision in decisions)


def _obstacles(lost: Iterable[Lost], tree: Tree) -> dict[str, tuple[Obstacle, ...]]:
    """Return what takes settings from kept configs, by the files that build these."""
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


def _losses(
    plans: Mapping[str, Plan], obstacles: Mapping[str, tuple[Obstacle, ...]]
) -> dict[str, Losses]:
    return {
        path: Losses(plan.gone, frozenset(plan.sessions), obstacles.get(path, ()))
        for path, plan in plans.items()
    }
