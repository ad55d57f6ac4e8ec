"""What the configs and sessions of a program mean for each other.

tf.config is process-wide. Settings that TensorFlow 1 gave to one session reach every session that
is made without a config while they are in force; a fork or a write of CUDA_VISIBLE_DEVICES comes
too late behind them; and they raise behind whatever made TensorFlow 2's eager context. So settings
stay where their config was built only where nothing of that can run between them and their
session, else they move right in front of the session, and what other sessions must not find is
put back behind it. What cannot be shown to be the same keeps the config.
"""

from __future__ import annotations

import ast
from itertools import combinations

from tfgpu.code.when import When
from tfgpu.decide.decision import Decision
from tfgpu.decide.effects import Effects
from tfgpu.decide.moves import targets
from tfgpu.decide.places import (
    Place,
    in_one_choice,
    is_after,
    is_tied,
    needs_start,
    places,
    root_of,
)
from tfgpu.decide.vary import always_sets, lingers, put_defaults_first, resets_of, setter
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Parameter, Problem, Setting, Sink
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.match import literal
from tfgpu.rulebook.model import Emit

_GROWTH = "gpu_options.allow_growth"
_Session = tuple[Sink, "Decision | None"]


class Together:
    """Decides on configs that can be in one process with each other."""

    def __init__(
        self, decisions: list[Decision], analysis: Analysis, book: Rulebook, effects: Effects
    ) -> None:
        self._decisions = decisions
        self._analysis = analysis
        self._tree = analysis.tree
        self._book = book
        self._effects = effects
        self._order = effects.order
        self._sessions = self._all_sessions()

    def decide(self, graph_mode: bool, unsafe_fixes: bool) -> None:
        """Find what keeps the configs; `graph_mode` tells that their program builds graphs only."""
        self._graph_mode = graph_mode
        foreign = next(filter(self._is_beside, self._analysis.facts.foreign_sinks), None)
        if foreign is not None:
            text = self._tree.source(foreign.argument or foreign.call)
            self._decisions[0].problem = Problem("foreign-config", foreign.made, {"text": text})
            return
        for step in (self._alone, self._mixes, self._place, self._leak, self._asked):
            for decision in self._decisions:
                decision.problem = step(decision)
                if decision.problem is not None:
                    return
        for decision in self._decisions:
            if decision.unsafe and not unsafe_fixes:
                where = decision.config.built[0]
                decision.problem = Problem("needs-unsafe", where, {"why": decision.unsafe[0]})

    def _is_beside(self, sink: Sink) -> bool:
        """Tell whether a session can be made in one process with the configs."""
        return self._order.is_reached(sink.made) and any(
            self._order.share_process(sink.made, decision.config.built[0])
            for decision in self._decisions
        )

    def _all_sessions(self) -> list[_Session]:
        """Return all sessions of the program that take tf.config, each with its config."""
        found: list[_Session] = [
            (sink, decision) for decision in self._decisions for sink in decision.config.sinks
        ]
        # An InteractiveSession without a config brings one of its own.
        found += [
            (sink, None)
            for sink in self._analysis.facts.plain_sinks
            if sink.rule.converts != "growth-only" and self._order.is_reached(sink.made)
        ]
        return found

    # One config.

    def _alone(self, decision: Decision) -> Problem | None:
        """Find two ConfigProtos under one name, and put defaults back for repeated sessions."""
        problem = self._root_conflict(decision)
        if problem is None:
            put_defaults_first(decision, self._analysis, self._effects, self._graph_mode)
        return problem

    def _root_conflict(self, decision: Decision) -> Problem | None:
        """Find two ConfigProtos that travel under one name and differ."""
        tree = self._tree
        parts: dict[ast.Call, list[Setting]] = {root: [] for root in decision.config.roots}
        for setting in decision.config.settings:
            root = root_of(decision, setting.node, self._analysis)
            if root is not None:
                parts[root].append(setting)
        for one, other in combinations(parts, 2):
            if tree.exclusive(one, other) or in_one_choice(one, other, self._analysis):
                continue
            for scope in ("session", "process"):
                first = decision.signature(scope, parts[one])
                second = decision.signature(scope, parts[other])
                if first != second:
                    fields = {entry.partition("=")[0] for entry in first ^ second}
                    details = {"place": self._line(one), "fields": ", ".join(sorted(fields))}
                    return Problem("different-configs", other, details)
        return None

    # Settings that do not mix.

    def _mixes(self, decision: Decision) -> Problem | None:
        """Find a config of the program whose settings TensorFlow 2 refuses beside these."""
        limited = self._sets(decision, limits=True)
        for other in self._decisions if limited else ():
            if other is decision or not self._share(decision, other):
                continue
            if self._sets(other, limits=False) and any(
                self._order.may_precede(limit.node, growth.node)
                for limit in limited
                for growth in self._sets(other, limits=False)
            ):
                # Growth raises ValueError where a limit is set, even behind the first session.
                return self._differ(decision, other, _GROWTH)
        return None

    def _sets(self, decision: Decision, limits: bool) -> list[Place]:
        """Return where a config sets limits of memory, or growth."""
        return [
            place
            for place in places(decision, self._analysis)
            if (place.outcome.setting.field == _GROWTH) is not limits
            and bool(_emits(place).indexed or _emits(place).each_gpu)
        ]

    # Places.

    def _place(self, decision: Decision) -> Problem | None:
        """Choose where the settings of a config are made; return why there is no place."""
        problem = self._at_place(decision)
        if problem is None:
            return None
        resets = decision.resets
        for target in targets(decision, self._analysis, self._effects):
            decision.moved = target
            if self._at_place(decision) is None:
                return None
        decision.moved, decision.resets = None, resets
        return problem

    def _at_place(self, decision: Decision) -> Problem | None:
        """Find what is wrong with the place of the settings of a config."""
        acts = places(decision, self._analysis)
        return (
            self._behind_start(acts)
            or self._varies(decision, acts)
            or self._in_between(decision, acts)
            or self._behind_cuda(decision, acts)
        )

    def _behind_start(self, acts: list[Place]) -> Problem | None:
        """Find what makes the eager context before settings that raise behind it."""
        order = self._order
        starts = self._effects.starts(self._graph_mode)
        for place in acts:
            if not needs_start(place.outcome):
                continue
            for start in starts:
                repeated = place.always and place.constant
                if order.may_precede(start.node, place.node) and not (
                    repeated and order.before(place.node, start.node) is When.ALWAYS
                ):
                    details = {"callee": start.name}
                    return Problem("runtime-first", place.node, details)
        return None

    def _varies(self, decision: Decision, acts: list[Place]) -> Problem | None:
        """Find settings that wait for a session made elsewhere and may differ from run to run.

        Two objects that build their configs first and make their sessions later are an example:
        each session had its own config, and would get the one that was built last.
        """
        if self._is_closed(decision, acts):
            return None
        for place in acts:
            if not (place.always and place.constant) and not self._order.runs_once(place.node):
                details = {"field": place.outcome.setting.field}
                return Problem("varies", place.outcome.setting.node, details)
        return None

    def _in_between(self, decision: Decision, acts: list[Place]) -> Problem | None:
        """Find a session that may be made while settings wait for theirs."""
        if self._is_closed(decision, acts):
            return None
        for sink, other in self._sessions:
            if other is decision or self._is_same(decision, other):
                continue
            for place in acts:
                if self._order.may_precede(place.node, sink.made):
                    return self._mixed(sink, other, decision, place)
        return None

    def _behind_cuda(self, decision: Decision, acts: list[Place]) -> Problem | None:
        """Find what CUDA must not have been initialised for when it runs.

        Listing the physical GPUs initialises CUDA (measured: cuInit): it reads its environment
        variables then, and cannot be used any more in processes that are forked later.
        """
        asking = [place for place in acts if _emits(place).asks_for_gpus]
        if not asking or self._is_closed(decision, acts):
            return None
        order = self._order
        for place in asking:
            for sink in decision.config.sinks:
                for write in self._effects.environment:
                    if order.between(place.node, write.node, sink.made) is not When.NEVER:
                        line = self._tree.where_from(place.node, write.node)
                        details = {"name": write.name, "line": line.removeprefix("line ")}
                        return Problem("late-environment", write.node, details)
                for fork in self._effects.forks:
                    if order.between(place.node, fork.node, sink.made) is not When.NEVER:
                        return Problem("fork", place.node, {"name": fork.name})
        return None

    def _is_closed(self, decision: Decision, acts: list[Place]) -> bool:
        """Tell whether a session of the config follows its settings, and nothing runs between.

        An exception between them could leave the settings to another session, so no call may stand
        there that is not known to be quiet.
        """
        if decision.moved is not None:
            return all(
                self._tree.statement(sink.made) is decision.moved for sink in decision.config.sinks
            )
        return is_tied(decision, self._analysis) and all(
            any(
                self._is_quiet(place, sink)
                for sink in decision.config.sinks
                if is_after(sink.made, place.node, self._analysis)
            )
            for place in acts
        )

    def _is_quiet(self, place: Place, sink: Sink) -> bool:
        """Tell whether nothing of effect runs between a setting and the session of its config."""
        tree = self._tree
        config = [decision.config for decision in self._decisions if decision.config.sinks]
        own = {
            node
            for item in config
            for root in (*item.built, *(call for call, _ in item.calls), *item.dictionaries)
            for node in (root, *((root.func,) if isinstance(root, ast.Call) else ()))
        }
        scope = tree.function(place.node)
        first, last = tree.position(place.node), tree.position(sink.made)
        inside = set(ast.walk(sink.made))
        for node in ast.walk(scope.node):
            if not isinstance(node, ast.Call | ast.Await | ast.Yield | ast.YieldFrom):
                continue
            if tree.function(node) is not scope and tree.function(node).kind == "module":
                continue
            within = first < tree.position(node) < last or (
                node in inside and node is not sink.made
            )
            if within and not self._does_nothing(node, own):
                return False
        helper = tree.function(place.outcome.setting.node)
        if helper is not scope and not self._ends_quietly(place.outcome.setting.node, own):
            return False
        return sink.through is None or self._begins_quietly(sink.through, own)

    def _does_nothing(self, node: ast.AST, own: set[ast.AST]) -> bool:
        if node in own:
            return True
        if not isinstance(node, ast.Call):
            return False
        statement = self._tree.statement(node)
        gone = any(statement in decision.config.statements for decision in self._decisions)
        return self._analysis.values.quiet(node) or (
            gone and isinstance(node.func, ast.Attribute) and node.func.attr in _MESSAGE_METHODS
        )

    def _ends_quietly(self, setting: ast.AST, own: set[ast.AST]) -> bool:
        """Tell whether a function does nothing of effect behind a setting in it."""
        tree = self._tree
        scope = tree.function(setting)
        return all(
            self._does_nothing(call, own)
            for call in tree.calls
            if tree.function(call) is scope and tree.position(call) > tree.position(setting)
        )

    def _begins_quietly(self, through: Parameter, own: set[ast.AST]) -> bool:
        """Tell whether a function does nothing of effect before it makes a session."""
        tree = self._tree
        for sink in through.sinks:
            if tree.in_loop(sink.made):
                return False
            for call in tree.calls:
                if (
                    tree.function(call).node is through.function
                    and tree.position(call) < tree.position(sink.made)
                    and not self._does_nothing(call, own)
                ):
                    return False
            if sink.through is not None and not self._begins_quietly(sink.through, own):
                return False
        return len(through.sinks) == 1

    # What stays behind a session.

    def _leak(self, decision: Decision) -> Problem | None:
        """Keep what a config sets for its session from sessions that come later."""
        acts = [
            place
            for place in places(decision, self._analysis)
            if place.outcome.rule.scope == "session"
        ]
        for place in acts:
            for sink, other in self._sessions:
                if other is decision or not self._order.may_precede(place.node, sink.made):
                    continue
                if other is None:
                    if not self._put_back(decision, place):
                        return self._mixed(sink, other, decision, place)
                elif not self._is_covered(place, other):
                    return self._mixed(sink, other, decision, place)
            again = self._rerun(decision, place)
            if again is not None:
                return again
        return None

    def _rerun(self, decision: Decision, place: Place) -> Problem | None:
        """Find sessions of a config itself that would find what an earlier one had."""
        for sink in decision.config.sinks:
            if lingers(place, sink, decision, self._analysis, self._order):
                return Problem(
                    "varies", place.outcome.setting.node, {"field": place.outcome.setting.field}
                )
        return None

    def _is_covered(self, place: Place, other: Decision) -> bool:
        """Let the sessions of another config not find a setting: by its own, or by the default."""
        field, rule = place.outcome.setting.field, place.outcome.rule
        acts = places(other, self._analysis)
        missing = [
            root
            for root in other.config.roots
            if not always_sets(setter(field), root, acts, self._analysis)
        ]
        if not missing:
            return True
        if not self._graph_mode or other.config.nones:
            return False
        resets = [
            reset for root in missing for reset in resets_of(field, rule, root, self._analysis)
        ]
        if len(resets) < len(missing):
            return False
        before = other.resets
        known = {(item.setting.field, item.setting.node) for item in before}
        other.resets = before + [
            item for item in resets if (item.setting.field, item.setting.node) not in known
        ]
        if self._at_place(other) is None and is_tied(other, self._analysis):
            return True
        other.resets = before
        return False

    def _put_back(self, decision: Decision, place: Place) -> bool:
        """Put the default of a field back behind the session of a config, if that is exact.

        The session must be made by the statement itself, once. Visible devices cannot change any
        more where something has made the eager context (measured: RuntimeError).
        """
        sinks = decision.config.sinks
        rule = place.outcome.rule
        if len(sinks) != 1 or rule.reset is None or not self._graph_mode:
            return False
        sink = sinks[0]
        statement = self._tree.statement(sink.made)
        if sink.through is not None or sink.name not in _MADE_AT_ONCE or sink.made is not sink.call:
            return False
        if not (
            (isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is sink.made)
            or (
                isinstance(statement, ast.With)
                and len(statement.items) == 1
                and statement.items[0].context_expr is sink.made
                and statement.body[0].lineno > statement.lineno
            )
        ):
            return False
        if not is_tied(decision, self._analysis):
            return False
        if rule.reset.asks_for_gpus:
            starts = self._effects.starts(self._graph_mode)
            if starts or self._hides_beside_growth(decision):
                return False
        found = resets_of(
            place.outcome.setting.field, rule, decision.config.roots[0], self._analysis
        )
        known = {setter(item.setting.field) for item in decision.put_back}
        decision.put_back += [item for item in found if setter(item.setting.field) not in known]
        return bool(found)

    def _hides_beside_growth(self, decision: Decision) -> bool:
        """Tell whether GPUs that a config hides would differ from others in memory growth.

        TensorFlow 2 then raises "Memory growth cannot differ between GPU devices" (measured); and a
        list of GPUs that does not start at 0 cannot be put back.
        """
        listed = any(
            outcome.setting.field == "gpu_options.visible_device_list"
            for outcome in decision.outcomes
        )
        grows = any(
            self._sets(other, limits=False)
            for other in self._decisions
            if other is decision or self._share(decision, other)
        )
        return listed or grows

    # Queries.

    def _asked(self, decision: Decision) -> Problem | None:
        """Find calls that make the GPUs by themselves where the settings hide or split them."""
        acts = [
            place
            for place in places(decision, self._analysis)
            if _emits(place).environment
            or (_emits(place).asks_for_gpus and place.outcome.setting.field != _GROWTH)
        ]
        for query in self._analysis.facts.queries:
            if any(self._order.may_precede(place.node, query.call) for place in acts):
                details = {"callee": self._tree.source(query.call.func)}
                return Problem("probe-first", query.call, details)
        return None

    # Words.

    def _share(self, one: Decision, other: Decision) -> bool:
        return self._order.share_process(one.config.built[0], other.config.built[0])

    def _is_same(self, decision: Decision, other: Decision | None) -> bool:
        """Tell whether sessions of two configs are always set up in the same way."""
        mine = self._always(decision)
        if other is None:
            return mine == frozenset()
        theirs = self._always(other)
        return mine is not None and mine == theirs

    def _always(self, decision: Decision) -> frozenset[str] | None:
        """Return the settings of a config that are the same each time; None if not all are."""
        acts = places(decision, self._analysis)
        if not all(place.always and place.constant for place in acts):
            return None
        outcomes = [place.outcome for place in acts]
        return frozenset(
            f"{item.setting.field}={literal(item.setting.value, item.rule)}" for item in outcomes
        )

    def _mixed(
        self, sink: Sink, other: Decision | None, decision: Decision, place: Place
    ) -> Problem:
        """Return the problem of a session that would take on a setting it did not have."""
        field = place.outcome.setting.field
        if other is None:
            return Problem("session-without-config", sink.made, {"fields": field})
        return self._differ(decision, other, field)

    def _differ(self, decision: Decision, other: Decision, field: str) -> Problem:
        details = {
            "place": self._line(other.config.built[0]),
            "fields": ", ".join(_differing(decision, other)) or field,
        }
        return Problem("different-configs", decision.config.built[0], details)

    def _line(self, node: ast.AST) -> str:
        tree = self._tree
        return tree.where(node) if len(tree.files) > 1 else f"line {tree.line_words(node)}"


# Methods of messages that only change them.
_MESSAGE_METHODS = frozenset(["CopyFrom", "MergeFrom", "add", "append", "extend", "update"])
# Calls that make their session at once, and once.
_MADE_AT_ONCE = frozenset(["tf.Session"])


def _emits(place: Place) -> Emit:
    """Return what a setting that acts at a place emits."""
    assert place.outcome.case is not None
    assert place.outcome.case.emit is not None
    return place.outcome.case.emit


def _differing(one: Decision, other: Decision) -> list[str]:
    """Return the fields that two configs set differently."""
    return sorted(
        {
            entry.partition("=")[0]
            for scope in ("session", "process")
            for entry in one.signature(scope) ^ other.signature(scope)
        }
    )
