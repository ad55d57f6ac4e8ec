"""What the configs and sessions of a program mean for each other.

tf.config is process-wide. Settings that TensorFlow 1 gave to one session reach every session that
is made without a config while they are in force; a fork or a write of CUDA_VISIBLE_DEVICES comes
too late after them; and they raise after whatever made TensorFlow 2's eager context. So settings
stay where their config was built only where nothing of that can run between them and their
session, else they move right in front of the session, and what other sessions must not find is
put back after it. What cannot be shown to be the same keeps the config.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import combinations

from tfgpu.code.when import When
from tfgpu.dataclass import dataclass
from tfgpu.decide.assumptions import Assumption, calls_of, unless_together
from tfgpu.decide.cluster import Cluster, emits
from tfgpu.decide.decision import Draft
from tfgpu.decide.effects import Effects
from tfgpu.decide.leaks import Leaks
from tfgpu.decide.obstacles import is_empty
from tfgpu.decide.per_session import (
    put_defaults_first,
)
from tfgpu.decide.places import (
    class_around,
    in_one_choice,
    is_left_in_cell,
    is_used_between,
    needs_start,
    outer_calls,
    places,
    root_of,
    share_a_call,
)
from tfgpu.decide.shown_later import shown_later
from tfgpu.decide.unseen import unseen_uses
from tfgpu.decide.window import Window
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Setting, Sink
from tfgpu.flow.kinds import BOOL, REFUSED, TYPES
from tfgpu.flow.locations import GROWTH
from tfgpu.flow.match import text_of_number
from tfgpu.flow.named_gpus import Devices
from tfgpu.flow.reasons import Problem
from tfgpu.rulebook.model import SettingRule

# What makes a value of a type of settings.
_CONVERSIONS = {
    "bool": '`value == "1"`, or as it is spelled',
    "int": "`int(value)`",
    "number": "`float(value)`",
}
_IN_A_RUN = "write a constant, or let a run check the value: tfgpu migrate --verify"


@dataclass(frozen=True, slots=True)
class Way:
    """How to decide: whether the program builds graphs only, and what is allowed.

    `unsafe_fixes` changes calls whose meaning can differ, `assume` converts on assumptions; of
    those `assumes_graphs` is that the program builds graphs only, and `refuted` are those that do
    not hold, by their keys.
    """

    graph_mode: bool
    unsafe_fixes: bool
    assume: bool
    assumes_graphs: bool = False
    refuted: frozenset[tuple[str, str, str]] = frozenset()


class Together:
    """Decides on configs that can be in one process with each other."""

    def __init__(
        self, decisions: list[Draft], analysis: Analysis, effects: Effects, way: Way
    ) -> None:
        self._cluster = Cluster(decisions, analysis, effects, way.graph_mode)
        self._window = Window(self._cluster)
        self._leaks = Leaks(self._cluster, self._window)
        self._way = way
        self._analysis = analysis
        self._tree = analysis.tree
        self._effects = effects
        self._order = effects.order

    def decide(self) -> None:
        """Find what keeps the configs."""
        steps = (
            self._values, self._targets, self._unseen, self._shared, self._beside_foreign,
            self._beside_own, self._alone, self._mixes, self._place, self._leaks.problems,
            self._asked,
        )  # fmt: skip
        for step in steps:
            for decision in self._cluster.decisions:
                found = step(decision)
                decision.problem = self._first(found, decision)
                if decision.problem is not None:
                    return
        for decision in self._cluster.decisions if self._way.assumes_graphs else ():
            sinks = decision.config.sinks
            in_graphs = (sink for sink in sinks if sink.rule.converts != "eager")
            sink = next(in_graphs, sinks[0])
            made = sink.made
            fields = ", ".join(dict.fromkeys(item.setting.field for item in decision.outcomes))
            problem = reasons.EagerCode(made, fields)
            assumption = Assumption(problem, "graph-mode", made, sessions=calls_of(sink))
            decision.problem = self._first([assumption], decision)
        for decision in self._cluster.decisions:
            if decision.unsafe and not self._way.unsafe_fixes:
                decision.problem = decision.unsafe[0]

    def _first(self, found: Iterable[Problem | Assumption], decision: Draft) -> Problem | None:
        """Return the first problem; what can be assumed is one unless that is allowed."""
        for item in found:
            if isinstance(item, Problem):
                return item
            if not self._way.assume or item.key(self._tree) in self._way.refuted:
                return item.problem
            decision.assumptions.append(item)
        return None

    def _values(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Find values known only at run time that may be None, or are right in a range only."""
        for outcome in decision.outcomes:
            case, setting = outcome.case, outcome.setting
            if case is not None and not case.guard:
                yield from self._nothing(setting, outcome.rule.name)
            yield from self._refused(setting, outcome.rule)
            if case is None or case.within is None:
                continue
            least, most = case.within
            values = self._analysis.possible.values(setting.value.node) or [""]
            if case.guard is not None:
                values = [item for item in values if item != 0]
            if not all(isinstance(item, int | float) and least <= item <= most for item in values):
                why = f"`{setting.value.text}` is known in a run only, and {case.outside}"
                yield Assumption(
                    reasons.NotConverted(setting.node, outcome.rule.name, why, _IN_A_RUN),
                    "value-in-range",
                    setting.node,
                    field=setting.field,
                    within=case.within,
                )

    def _refused(self, setting: Setting, rule: SettingRule) -> Iterator[Problem | Assumption]:
        """Find a value that may be of a type which ConfigProto refuses, and tf.config takes."""
        node, text = setting.value.node, setting.value.text
        number, in_digits = text_of_number(node, self._analysis.values)
        if number is not None and not in_digits and BOOL in self._analysis.possible.kinds(number):
            why = f"`{text}` may be the text of a bool, which is no number of a GPU"
            todo = f"write the number: {_CONVERSIONS['int']}"
            yield reasons.NotConverted(setting.node, rule.name, why, todo)
        refused = REFUSED.get(rule.type, set()) & self._analysis.possible.kinds(node)
        for kind in sorted(refused):
            why = f"`{text}` may be {kind}, and ConfigProto takes a value of type {rule.type}"
            todo = f"convert it where it is read: {_CONVERSIONS[rule.type]}"
            problem = reasons.NotConverted(setting.node, rule.name, why, todo)
            if self._analysis.values.quiet(node) and self._order.is_watchable(node):
                expression = f"not isinstance({text}, {TYPES[kind]})"
                yield Assumption(problem, "value-true", setting.node, expression=expression)
            else:
                yield problem

    def _nothing(self, setting: Setting, rule: str) -> Iterator[Problem | Assumption]:
        """Find a value that may be None: ConfigProto refuses it, or has no such field then."""
        node, text = setting.value.node, setting.value.text
        if self._analysis.possible.may_be_none(node):
            why = f"`{text}` may be None, which is no value for ConfigProto"
            todo = f"write `if {text} is not None:` around it, which shows that it has one"
            problem = reasons.NotConverted(setting.node, rule, why, todo)
            if self._analysis.values.quiet(node) and self._order.is_watchable(node):
                expression = f"({text}) is not None"
                yield Assumption(problem, "value-true", setting.node, expression=expression)
            else:
                yield problem

    def _targets(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Find targets that are known at run time only: another process would get the config."""
        for sink in decision.config.sinks:
            for end in sink.ends():
                if end.target is None or is_empty(end.target):
                    continue
                values = self._analysis.possible.values(end.target)
                if values is not None and not any(values):
                    continue
                problem = reasons.RemoteTarget(end.call)
                expression = f"not {ast.unparse(end.target)}"
                if self._order.is_watchable(end.call):
                    yield Assumption(problem, "value-true", end.call, expression=expression)
                else:
                    yield problem

    def _shared(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Find calls of a function that returns the config, each of which sets up its own one."""
        tree, config = self._tree, decision.config
        calls = outer_calls(decision, self._analysis)
        for place in places(decision, self._analysis) if len(calls) > 1 else ():
            inside = any(place.node is call for call in calls)
            inline = any(tree.statement(place.node) is sink.statement for sink in config.sinks)
            if not inside or not (place.always and (place.constant or inline)):
                problem = reasons.SharedHelper(place.node)
                precedes = self._order.may_precede
                for one, other in combinations(calls, 2):
                    if precedes(one, other) or precedes(other, one):
                        yield from unless_together(one, other, problem, self._order)
                return

    def _unseen(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Find uses of the config, and of functions that it goes through, that are not seen."""
        return unseen_uses(decision, self._analysis, self._order)

    def _beside_foreign(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Find sessions of the program that keep a config of their own, which is not followed.

        A function that several programs call loses its parameter for all of them.
        """
        first = decision.config.built[0]
        for sink in filter(self._is_beside, self._analysis.facts.foreign_sinks):
            problem = reasons.ForeignConfig(sink.made, sink.argument or sink.call)
            if share_a_call([sink], decision.config.sinks):
                yield problem
            yield from unless_together(sink.made, first, problem, self._order)

    def _is_beside(self, sink: Sink) -> bool:
        """Tell whether a session can be in one process with the configs, or is made by one call."""
        return self._order.is_reached(sink.made) and any(
            self._order.share_process(sink.made, decision.config.built[0])
            or share_a_call([sink], decision.config.sinks)
            for decision in self._cluster.decisions
        )

    def _beside_own(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Find calls of tf.config in the program itself, and files that only a run can name.

        A Session with a config ignores what tf.config has set, one without a config takes it.
        """
        first = decision.config.built[0]
        order = self._order
        home = self._tree.file(first)
        for call in order.texts:
            if self._tree.file(call) is home:
                # A text may use, and change, whatever the file has.
                yield reasons.DynamicImport(first, call.func)
        if any(emits(place).environment for place in places(decision, self._analysis)):
            # The variable that replaces the settings would reach other processes, too.
            for read in (*self._effects.children, *self._effects.environment_reads):
                if order.share_process(read.node, first):
                    problem = reasons.EnvironmentRead(read.node, read.name)
                    yield from unless_together(read.node, first, problem, order)
        grows = self._grows(decision)
        counted = self._effects.strategies if self._changes_devices(decision) else []
        for effect in (*self._effects.own_settings, *counted):
            if order.share_process(effect.node, first) and not (
                grows and self._turns_growth_on(effect.node)
            ):
                held = reasons.OwnSettings(effect.node, effect.name)
                yield from unless_together(effect.node, first, held, order)

    def _grows(self, decision: Draft) -> bool:
        """Tell whether a config certainly has GPUs grow, whichever way it is built, and no more."""
        acts = places(decision, self._analysis)
        refused = (GROWTH in one.fields for place in acts for one in place.outcome.rule.conflicts)
        return not any(refused) and any(
            place.outcome.setting.field == GROWTH
            and place.outcome.setting.value.known is True
            and place.always
            for place in acts
        )

    def _changes_devices(self, decision: Draft) -> bool:
        """Tell whether the eager context would have other devices with the settings of a config."""
        rules = [place.outcome.rule for place in places(decision, self._analysis)]
        return any(rule.hides_gpus or rule.conflicts for rule in rules)

    def _turns_growth_on(self, call: ast.AST) -> bool:
        """Tell whether a call of the program has all GPUs grow, as the config does."""
        if not isinstance(call, ast.Call):
            return False
        named = {item.arg: item.value for item in call.keywords}
        on = next(iter(call.args[1:2]), named.get("enable"))
        gpu = next(iter(call.args[:1]), named.get("device"))
        return (
            self._analysis.symbols.name(call.func) == "tf.config.experimental.set_memory_growth"
            and on is not None
            and self._analysis.values.known(on) is True
            and isinstance(gpu, ast.Name)
            and self._is_each_gpu(gpu, call)
        )

    def _is_each_gpu(self, name: ast.Name, call: ast.Call) -> bool:
        """Tell whether a name is that of a loop over all GPUs, each of which comes to a call."""
        statement = self._tree.statement(call)
        loop = self._tree.parent.get(statement) if statement is not None else None
        if not isinstance(loop, ast.For) or loop.body[0] is not statement:
            return False
        named = Devices(self._analysis).of(name)
        bound = [item.node for item in self._analysis.symbols.bindings(name)]
        return bound == [loop] and named is not None and named.kind == "GPU" and named.whole

    def _alone(self, decision: Draft) -> Iterator[Problem]:
        """Find two ConfigProtos under one name, and put defaults back for repeated sessions."""
        problem = self._root_conflict(decision)
        if problem is None:
            put_defaults_first(decision, self._analysis, self._effects, self._way.graph_mode)
        else:
            yield problem

    def _root_conflict(self, decision: Draft) -> Problem | None:
        """Find two ConfigProtos that travel under one name and differ."""
        tree = self._tree
        parts: dict[ast.Call, list[Setting]] = {root: [] for root in decision.config.roots}
        for setting in decision.config.settings:
            root = root_of(decision, setting.node, self._analysis)
            if root is not None:
                parts[root].append(setting)
        for one, other in combinations(sorted(parts, key=tree.position), 2):
            if tree.exclusive(one, other) or in_one_choice(one, other, self._analysis):
                continue
            if tree.returns_before(one, other) and all(map(self._order.runs_once, (one, other))):
                continue
            if not (parts[one] or is_used_between(one, other, self._analysis)):
                continue  # as if the first one were built where the other one is not
            for scope in ("session", "process"):
                first = decision.signature(scope, parts[one])
                second = decision.signature(scope, parts[other])
                if first != second:
                    fields = {entry.partition("=")[0] for entry in first ^ second}
                    return reasons.DifferentConfigs(other, one, ", ".join(sorted(fields)))
        return None

    def _mixes(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Find a config of the program whose settings TensorFlow 2 refuses beside these."""
        for place in places(decision, self._analysis):
            for conflict in place.outcome.rule.conflicts:
                for other in self._cluster.decisions:
                    if other is decision or not self._cluster.shares(
                        decision, other.config.built[0]
                    ):
                        continue
                    for behind in places(other, self._analysis):
                        field = behind.outcome.setting.field
                        problem = self._cluster.differ(decision, other, field)
                        if field not in conflict.fields:
                            continue
                        if conflict.order == "any":
                            yield from unless_together(
                                place.node, behind.node, problem, self._order
                            )
                        elif self._order.may_precede(place.node, behind.node):
                            yield self._cluster.unless_behind(behind.node, place.node, problem)
        yield from shown_later(decision, self._analysis, self._order, self._cluster)

    def _place(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Choose where the settings of a config are made; return why there is no place.

        Where there is none without a doubt, unsafe fixes take one on assumptions.
        """
        may_move, decision.moved = decision.moved is None, None
        found = _to_first_problem(self._window.problems(decision))
        # In the body of a class, their variables would be attributes of that.
        is_in_class = any(class_around(it, self._analysis) for it in decision.config.roots)
        if not (found or is_in_class or is_left_in_cell(decision, self._analysis)):
            return
        doubts: list[tuple[ast.stmt | None, list[Problem | Assumption]]] = [(None, found)]
        way = (self._analysis, self._effects, self._way.graph_mode)
        from tfgpu.decide.moves import targets  # noqa: PLC0415 - few need it

        for target in list(targets(decision, *way)) if may_move else ():
            decision.moved = target
            found = _to_first_problem(self._window.problems(decision))
            if not found:
                return
            doubts.append((target, found))
        assumed = [doubt for doubt in doubts if all(isinstance(it, Assumption) for it in doubt[1])]
        decision.moved, found = min(
            assumed, key=lambda doubt: len(doubt[1]), default=(None, doubts[0][1])
        )
        yield from found

    def _asked(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Find calls that make the GPUs by themselves where the settings hide or split them."""
        acts = [
            place
            for place in places(decision, self._analysis)
            if emits(place).environment
            or (emits(place).asks_for_gpus and place.outcome.setting.field != GROWTH)
        ]
        for query in self._analysis.facts.queries:
            rewritten = self._way.unsafe_fixes and query.form is not None
            if rewritten and query.form is not None and not query.form.initialises:
                if self._cluster.shares(decision, query.call):
                    decision.unsafe.append(reasons.NeedsUnsafe(query.call, query.rule.unsafe))
                continue
            problem = reasons.ProbeFirst(query.call, query.call.func)
            for place in places(decision, self._analysis) if rewritten else ():
                if needs_start(place.outcome) and self._order.may_precede(query.call, place.node):
                    yield self._cluster.unless_behind(place.node, query.call, problem)
            # The session has made the GPUs, which the query asks for as it did before (measured).
            is_made = any(
                self._order.before(sink.made, query.call) is When.ALWAYS
                for sink in decision.config.sinks
            )
            for place in acts:
                if is_made and not emits(place).environment:
                    continue
                if self._order.may_precede(place.node, query.call):
                    yield self._cluster.unless_behind(query.call, place.node, problem)


def _to_first_problem(found: Iterable[Problem | Assumption]) -> list[Problem | Assumption]:
    """Return what is found up to the first problem, behind which nothing matters any more."""
    listed: list[Problem | Assumption] = []
    for item in found:
        listed.append(item)
        if isinstance(item, Problem):
            break
    return listed
