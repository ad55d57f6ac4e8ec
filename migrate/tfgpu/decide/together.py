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
from collections.abc import Iterable, Iterator
from itertools import combinations

from tfgpu.code.values import Value
from tfgpu.code.when import When
from tfgpu.dataclass import dataclass, replace
from tfgpu.decide.assumptions import Assumption, unless_behind, unless_together
from tfgpu.decide.decision import Decision, Outcome, Place
from tfgpu.decide.effects import Effects
from tfgpu.decide.moves import targets
from tfgpu.decide.places import (
    in_one_choice,
    is_after,
    is_tied,
    may_end_between,
    needs_start,
    places,
    root_of,
    share_a_call,
)
from tfgpu.decide.quiet import Quiet
from tfgpu.decide.unseen import unseen_uses
from tfgpu.decide.vary import (
    always_sets,
    lingers,
    may_be_none,
    put_defaults_first,
    resets_of,
    setter,
)
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Made, PossibleSession, Setting, Sink
from tfgpu.flow.match import literal
from tfgpu.flow.reasons import Problem
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Case, Emit

_GROWTH = "gpu_options.allow_growth"
_Session = tuple[Made, "Decision | None"]


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
        self, decisions: list[Decision], analysis: Analysis, book: Rulebook, effects: Effects
    ) -> None:
        self._decisions = decisions
        self._analysis = analysis
        self._tree = analysis.tree
        self._book = book
        self._effects = effects
        self._order = effects.order
        self._sessions = self._all_sessions()
        self._quiet = Quiet(decisions, analysis)
        # Fields that configs were found to set themselves, whatever defaults are added to them.
        self._own: set[tuple[str, Decision]] = set()

    def decide(self, way: Way) -> None:
        """Find what keeps the configs."""
        self._graph_mode = way.graph_mode
        self._unsafe_fixes = way.unsafe_fixes
        self._assume = way.assume
        self._refuted = way.refuted
        steps = (
            self._unseen, self._beside_foreign, self._beside_own, self._alone,
            self._mixes, self._place, self._leak, self._asked,
        )  # fmt: skip
        for step in steps:
            for decision in self._decisions:
                found = step(decision)
                decision.problem = self._first(found, decision)
                if decision.problem is not None:
                    return
        for decision in self._decisions if way.assumes_graphs else ():
            made = decision.config.sinks[0].made
            fields = ", ".join(dict.fromkeys(item.setting.field for item in decision.outcomes))
            problem = reasons.EagerCode(made, fields)
            assumption = Assumption(problem, "graph-mode", made)
            decision.problem = self._first([assumption], decision)
        for decision in self._decisions:
            if decision.unsafe and not way.unsafe_fixes:
                where = decision.config.built[0]
                decision.problem = reasons.NeedsUnsafe(where, decision.unsafe[0])

    def _first(self, found: Iterable[Problem | Assumption], decision: Decision) -> Problem | None:
        """Return the first problem; what can be assumed is one unless that is allowed."""
        for item in found:
            if isinstance(item, Problem):
                return item
            if not self._assume or item.key(self._tree) in self._refuted:
                return item.problem
            decision.assumptions.append(item)
        return None

    def _unless_behind(
        self, late: ast.AST, early: ast.AST, problem: Problem
    ) -> Problem | Assumption:
        """Return a problem that there is if one place is reached behind another one."""
        return unless_behind(late, early, problem, self._order)

    def _unseen(self, decision: Decision) -> Iterator[Problem | Assumption]:
        """Find uses of the config, and of functions that it goes through, that are not seen."""
        return unseen_uses(decision, self._analysis, self._order)

    def _beside_foreign(self, decision: Decision) -> Iterator[Problem | Assumption]:
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
        # Keras makes a session of its own where it is given none.
        uses = self._analysis.facts.session_uses
        given = bool(uses) and all(use.session is not None for use in uses)
        found += [
            (item, None)
            for item in self._analysis.facts.possible_sessions
            if (item.takes_settings or (item.kind == "keras" and not given))
            and self._order.is_reached(item.made)
        ]
        # A text that is run may make one, too.
        found += [
            (PossibleSession(call, When.MAYBE, "exec", "call"), None)
            for call in self._order.texts
            if self._order.is_reached(call)
        ]
        return found

    def _may_follow(self, place: ast.AST, session: Made) -> bool:
        """Tell whether a session may be made behind a place."""
        anywhere = isinstance(session, PossibleSession) and session.anywhere
        # Settings come before the whole statement, whatever it does before it builds the config.
        start = self._tree.statement(place)
        return anywhere or any(
            self._order.may_precede(node, session.made) for node in (place, start)
        )

    def _beside_own(self, decision: Decision) -> Iterator[Problem | Assumption]:
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
        if any(_emits(place).environment for place in places(decision, self._analysis)):
            if self._effects.children:
                # The variable that stands for the settings would reach other processes, too.
                yield reasons.Fork(first, self._effects.children[0].name)
            for read in self._effects.environment_reads:
                yield reasons.EnvironmentRead(read.node, read.name)
        growing = _GROWTH in {outcome.setting.field for outcome in decision.outcomes}
        for effect in self._effects.own_settings:
            if order.share_process(effect.node, first) and not (
                growing and effect.name.endswith("set_memory_growth")
            ):
                problem = reasons.OwnSettings(effect.node, effect.name)
                yield from self._apart(effect.node, first, problem)

    def _apart(
        self, one: ast.AST, other: ast.AST, problem: Problem
    ) -> Iterator[Problem | Assumption]:
        """Yield a problem that there is if two places are reached in one run."""
        yield from unless_together(one, other, problem, self._order)

    # One config.

    def _alone(self, decision: Decision) -> Iterator[Problem]:
        """Find two ConfigProtos under one name, and put defaults back for repeated sessions."""
        problem = self._root_conflict(decision)
        if problem is None:
            put_defaults_first(decision, self._analysis, self._effects, self._graph_mode)
        else:
            yield problem

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
                    return reasons.DifferentConfigs(other, one, ", ".join(sorted(fields)))
        return None

    # Settings that do not mix.

    def _mixes(self, decision: Decision) -> Iterator[Problem | Assumption]:
        """Find a config of the program whose settings TensorFlow 2 refuses beside these."""
        for place in places(decision, self._analysis):
            for conflict in place.outcome.rule.conflicts:
                for other in self._decisions:
                    if other is decision or not self._share(decision, other):
                        continue
                    for behind in places(other, self._analysis):
                        field = behind.outcome.setting.field
                        problem = self._differ(decision, other, field)
                        if field not in conflict.fields:
                            continue
                        if conflict.order == "any":
                            yield from self._apart(place.node, behind.node, problem)
                        elif self._order.may_precede(place.node, behind.node):
                            yield self._unless_behind(behind.node, place.node, problem)
        yield from self._shows_what_was_hidden(decision)

    def _shows_what_was_hidden(self, decision: Decision) -> Iterator[Problem | Assumption]:
        """Find a later session that shows GPUs which this config hides, with growth or a limit.

        In TensorFlow 1 it makes them with its own growth and limit; tf.config has set those of this
        config for all GPUs, hidden ones too (measured).
        """
        acts = places(decision, self._analysis)
        hiding = [place for place in acts if place.outcome.rule.hides_gpus]
        if not any(place.outcome.rule.scope == "gpu" for place in acts):
            return
        for sink, other in self._sessions if hiding else ():
            if other is not decision and not self._is_same(decision, other):
                for place in hiding:
                    if self._may_follow(place.node, sink):
                        problem = self._mixed(sink, other, decision, place)
                        yield self._unless_behind(sink.made, place.node, problem)

    # Places.

    def _place(self, decision: Decision) -> Iterator[Problem | Assumption]:
        """Choose where the settings of a config are made; return why there is no place.

        Where there is none without a doubt, unsafe fixes take one on assumptions.
        """
        chosen: list[ast.stmt | None] = [None]
        chosen += targets(decision, self._analysis, self._effects, self._graph_mode)
        doubts: list[tuple[ast.stmt | None, list[Problem | Assumption]]] = []
        for target in chosen:
            decision.moved = target
            found = list(self._at_place(decision))
            if not found:
                return
            doubts.append((target, found))
        decision.moved, found = next(
            (doubt for doubt in doubts if all(isinstance(item, Assumption) for item in doubt[1])),
            (None, doubts[0][1]),
        )
        yield from found

    def _at_place(self, decision: Decision) -> Iterator[Problem | Assumption]:
        """Find what is wrong, or not certain, with the place of the settings of a config."""
        acts = places(decision, self._analysis)
        closed = self._is_closed(decision, acts)
        yield from self._behind_start(acts)
        yield from self._before_cuda(acts)
        yield from self._caught(decision)
        if any(sink.rule.converts == "eager" for sink in decision.config.sinks):
            yield from self._before_eager_code(acts)
        if not closed:
            yield from self._varies(decision, acts)
            yield from self._in_between(decision, acts)
            yield from self._behind_cuda(decision, acts)

    def _behind_start(self, acts: list[Place]) -> Iterator[Assumption]:
        """Find what makes the eager context before settings that raise behind it."""
        order = self._order
        starts = self._effects.starts(self._graph_mode)
        for place in acts:
            if not needs_start(place.outcome):
                continue
            # The same value again does not raise, but for limits (measured).
            repeated = place.always and place.constant and not _emits(place).indexed
            begin = self._begin(place)
            has_session = any(order.may_precede(made.made, begin) for made, _ in self._sessions)
            for start in starts:
                if start.in_session and not has_session:
                    continue
                if order.may_precede(start.node, begin) and not (
                    repeated and self._always_precedes(place, start.node)
                ):
                    problem = reasons.RuntimeFirst(place.node, start.name)
                    yield Assumption(problem, "no-eager-context-before", place.node)
                    return

    def _begin(self, place: Place) -> ast.AST:
        """Return a node that stands for where a setting acts.

        Settings that moved come in front of a whole statement: its first name or constant.
        """
        if not isinstance(place.node, ast.stmt):
            return place.node
        # The value of an assignment comes before its targets.
        assigned = isinstance(place.node, ast.Assign | ast.AnnAssign) and place.node.value
        whole = assigned or place.node
        leaves = [node for node in ast.walk(whole) if isinstance(node, ast.Name | ast.Constant)]
        return min(leaves, key=self._tree.position, default=place.node)

    def _always_precedes(self, place: Place, start: ast.AST) -> bool:
        """Tell whether a setting has been made whenever another node is reached."""
        if self._order.before(place.node, start) is When.ALWAYS:
            return True
        tree = self._tree
        guards = tree.guards(place.node)
        return (
            tree.function(place.node) is tree.function(start)
            and tree.position(place.node) <= tree.position(start)
            and tree.guards(start)[: len(guards)] == guards
        )

    def _before_cuda(self, acts: list[Place]) -> Iterator[Problem | Assumption]:
        """Find writes of CUDA's variables, and forks, behind settings that hide all GPUs.

        Such a session did not initialise CUDA as `compat.v1` of TensorFlow 2; tf.config does.
        """
        hiding = [
            place
            for place in acts
            if place.outcome.rule.hides_gpus
            and place.outcome.setting.value.known in (0, None, "-1")
        ]
        for place in hiding:
            for write in self._effects.environment:
                if self._order.may_precede(place.node, write.node):
                    problem = reasons.LateEnvironment(write.node, write.name, place.node)
                    yield self._unless_behind(write.node, place.node, problem)
            for fork in self._effects.forks:
                if self._order.may_precede(place.node, fork.node):
                    held = reasons.Fork(place.node, fork.name)
                    yield self._unless_behind(fork.node, place.node, held)

    def _caught(self, decision: Decision) -> Iterator[Problem]:
        """Find settings that tf.config may refuse where the program goes on without a session.

        Where TensorFlow 1 raised an error of its own, and in the session, the code of tf.config
        raises another one, in another place.
        """
        for outcome in decision.outcomes:
            # ConfigProto checks the types of values where they are set.
            if outcome.setting.value.known is None and self._is_tried(outcome.setting.node):
                yield reasons.CaughtError(outcome.setting.node)
                return
        if not any(map(_may_raise, decision.outcomes)):
            return
        if decision.moved is None and (
            not is_tied(decision, self._analysis) or may_end_between(decision, self._analysis)
        ):
            # They may be refused in a run that makes no session, and had no error at all.
            for outcome in filter(_names_gpus, decision.outcomes):
                yield reasons.CaughtError(outcome.setting.node)
        for sink in decision.config.sinks:
            for chain in self._order.chains(sink.made) or ():
                for _, node in chain:
                    for around in self._tree.within(node):
                        if isinstance(around, ast.Try) and around.handlers:
                            yield reasons.CaughtError(sink.made)
                            return

    def _is_tried(self, node: ast.AST) -> bool:
        """Tell whether the function of a node catches errors of any kind around it."""
        scope = self._tree.function(node)
        return any(
            isinstance(around, ast.Try)
            and any(_catches_values(handler) for handler in around.handlers)
            and node in {inner for item in around.body for inner in ast.walk(item)}
            for around in self._tree.within(node)
            if self._tree.function(around) is scope
        )

    def _varies(self, decision: Decision, acts: list[Place]) -> Iterator[Problem | Assumption]:
        """Find settings that wait for a session made elsewhere and may differ from run to run.

        Two objects that build their configs first and make their sessions later are an example:
        each session had its own config, and would get the one that was built last. So do two of
        which one has None for its config.
        """
        sinks = decision.config.sinks if decision.config.nones else []
        again = [sink for sink in sinks if not self._order.runs_once(sink.made)]
        for place in acts if again else ():
            home = self._tree.function(place.node)
            if not may_be_none(decision, place.node, self._analysis, self._order):
                continue
            for sink in again:
                elsewhere = self._tree.function(sink.made) is not home
                if elsewhere and self._may_follow(place.node, sink):
                    setting = place.outcome.setting
                    problem = reasons.Varies(setting.node, setting.field)
                    yield self._unless_behind(sink.made, sink.made, problem)
                    return
        for place in acts:
            if not (place.always and place.constant) and not self._order.runs_once(place.node):
                setting = place.outcome.setting
                problem = reasons.Varies(setting.node, setting.field)
                yield self._unless_behind(place.node, place.node, problem)
                return

    def _in_between(self, decision: Decision, acts: list[Place]) -> Iterator[Problem | Assumption]:
        """Find a session that may be made while settings wait for theirs."""
        sinks = decision.config.sinks
        for sink, other in self._sessions:
            if other is decision or self._is_same(decision, other):
                continue
            for place in acts:
                if self._may_follow(place.node, sink):
                    problem = self._mixed(sink, other, decision, place)
                    if len(sinks) == 1 and self._is_doubtful(place.node, sink):
                        yield Assumption(problem, "no-session-before", sinks[0].made)
                    else:
                        yield problem
                    return

    def _is_doubtful(self, node: ast.AST, session: Made) -> bool:
        """Tell whether it is not certain that a session is made behind a place."""
        return self._order.before(node, session.made) is not When.ALWAYS

    def _behind_cuda(self, decision: Decision, acts: list[Place]) -> Iterator[Assumption]:
        """Find what CUDA must not have been initialised for when it runs.

        Listing the physical GPUs initialises CUDA (measured: cuInit): it reads its environment
        variables then, and cannot be used any more in processes that are forked later.
        """
        order = self._order
        for place in acts:
            for sink in decision.config.sinks if _emits(place).lists_gpus else ():
                for write in self._effects.environment:
                    if order.between(place.node, write.node, sink.made) is not When.NEVER:
                        problem = reasons.LateEnvironment(write.node, write.name, place.node)
                        kind = "no-environment-write-between"
                        yield Assumption(problem, kind, place.node, sink.made)
                        return
                for fork in self._effects.forks:
                    if order.between(place.node, fork.node, sink.made) is not When.NEVER:
                        held = reasons.Fork(place.node, fork.name)
                        yield Assumption(held, "no-fork-between", place.node, sink.made)
                        return

    def _before_eager_code(self, acts: list[Place]) -> Iterator[Problem]:
        """Find what comes too late behind settings of eager code, which makes its GPUs later."""
        for place in acts:
            for write in self._effects.environment if _emits(place).lists_gpus else ():
                if self._order.may_precede(place.node, write.node):
                    yield reasons.LateEnvironment(write.node, write.name, place.node)
            for fork in self._effects.forks if _emits(place).lists_gpus else ():
                if self._order.may_precede(place.node, fork.node):
                    yield reasons.Fork(place.node, fork.name)

    def _is_closed(self, decision: Decision, acts: list[Place]) -> bool:
        """Tell whether a session of the config follows its settings, and nothing runs between.

        An exception between them could leave the settings to another session, so no call may stand
        there that is not known to be quiet.
        """
        if self._effects.threads and any(
            self._order.chains(sink.made) is None
            for sink, other in self._sessions
            if other is not decision and not self._is_same(decision, other)
        ):
            return False
        if _may_fail(decision) and any(
            other is not decision and self._share_made(decision, sink)
            for sink, other in self._sessions
        ):
            return False
        if (
            self._effects.threads
            and not all(place.constant for place in acts)
            and any(self._order.chains(sink.made) is None for sink in decision.config.sinks)
        ):
            return False  # Threads that make sessions with other values at the same time.
        if decision.moved is not None:
            return all(
                self._tree.statement(sink.made) is decision.moved for sink in decision.config.sinks
            )
        return is_tied(decision, self._analysis) and all(
            any(
                self._quiet.between(place, sink)
                for sink in decision.config.sinks
                if is_after(sink.made, place.node, self._analysis)
            )
            for place in acts
        )

    def _share_made(self, decision: Decision, session: Made) -> bool:
        return self._order.share_process(decision.config.built[0], session.made)

    # What stays behind a session.

    def _leak(self, decision: Decision) -> Iterator[Problem | Assumption]:
        """Keep what a config sets for its session from sessions that come later."""
        acts = [place for place in places(decision, self._analysis) if place.outcome.is_per_session]
        taken = list(self._free_threads(decision))
        for place in acts:
            is_meant = self._graph_mode or decision.is_eager
            if not is_meant and place.outcome.rule.harmless is None:
                setting = place.outcome.setting
                yield reasons.EagerCode(setting.node, setting.field)
            for sink, other in self._sessions:
                if other is decision or self._sets_itself(place, other):
                    continue
                if not self._may_follow(place.node, sink):
                    continue
                is_kept_out = (
                    self._put_back(decision, place)
                    if other is None
                    else self._is_covered(place, other)
                )
                if not is_kept_out:
                    problem = self._mixed(sink, other, decision, place)
                    yield self._unless_behind(sink.made, place.node, problem)
            yield from self._rerun(decision, place)
        yield from taken

    def _free_threads(self, decision: Decision) -> Iterator[Problem | Assumption]:
        """Put back what a later eager context would take, and find those that take it."""
        for place in places(decision, self._analysis):
            starts = [
                start
                for start in self._effects.starts(self._graph_mode)
                if place.outcome.rule.scope == "process"
                and self._order.may_precede(place.node, start.node)
            ]
            is_back = starts and self._put_back(decision, place, behind_starts=False)
            if not is_back and place.outcome.rule.eager_has_its_own:
                setting = place.outcome.setting
                problem = reasons.EagerCode(setting.node, setting.field)
                for start in starts:
                    if not self._effects.makes_sharded_saver(start.node):
                        yield self._unless_behind(start.node, place.node, problem)

    def _rerun(self, decision: Decision, place: Place) -> Iterator[Problem]:
        """Find sessions of a config itself that would find what an earlier one had."""
        for sink in decision.config.sinks:
            if lingers(place, sink, decision, self._analysis, self._order):
                setting = place.outcome.setting
                yield reasons.Varies(setting.node, setting.field)

    def _is_covered(self, place: Place, other: Decision) -> bool:
        """Let the sessions of another config not find a setting: by its own, or by the default."""
        field, rule = place.outcome.setting.field, place.outcome.rule
        missing = self._missing(setter(field), other)
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
        if not any(self._at_place(other)) and is_tied(other, self._analysis):
            return True
        other.resets = before
        return False

    def _sets_itself(self, place: Place, other: Decision | None) -> bool:
        """Tell whether a config always sets a field itself, whatever another one has set."""
        if other is None:
            return False
        name = setter(place.outcome.setting.field)
        if (name, other) not in self._own:
            if self._missing(name, other):
                return False
            self._own.add((name, other))
        return True

    def _missing(self, name: str, decision: Decision) -> list[ast.Call]:
        """Return where a config is built that does not always set a field then."""
        acts = places(decision, self._analysis)
        return [
            root
            for root in decision.config.roots
            if not always_sets(name, root, acts, self._analysis)
        ]

    def _put_back(self, decision: Decision, place: Place, behind_starts: bool = True) -> bool:
        """Put the default of a field back behind the session of a config, if that is exact.

        The session must be made by the statement itself, once. Visible devices cannot change any
        more where something has made the eager context (measured: RuntimeError).
        """
        sinks = decision.config.sinks
        rule = place.outcome.rule
        back = rule.put_back_of(place.outcome.case)
        if back.no_code == "none needed":
            return True
        if len(sinks) != 1 or back.emit is None or not self._graph_mode:
            return False
        sink = sinks[0]
        statement = self._tree.statement(sink.made)
        if sink.through is not None or sink.made is not sink.call or not _is_made_now(sink):
            return False
        if not (
            (
                isinstance(statement, ast.Assign | ast.AnnAssign)
                and statement.value is sink.made
                and _binds_names(statement)
            )
            or (
                isinstance(statement, ast.With)
                and statement.items[-1].context_expr is sink.made
                and statement.body[0].lineno > statement.lineno
            )
        ):
            return False
        if not is_tied(decision, self._analysis):
            return False
        if back.emit.needs_unmade_devices:
            starts = self._effects.starts(self._graph_mode)
            if starts and (
                behind_starts
                or any(self._order.may_precede(start.node, sink.made) for start in starts)
            ):
                return False
        setting = place.outcome.setting
        if setter(setting.field) not in {setter(item.setting.field) for item in decision.put_back}:
            case = Case(emit=back.emit)
            variables = {"field": setting.field.rpartition(".")[2]}
            quiet = replace(setting, value=Value(sink.made.func, "", None), conditions=())
            decision.put_back.append(Outcome(quiet, rule, case, variables))
        return True

    # Queries.

    def _asked(self, decision: Decision) -> Iterator[Problem | Assumption]:
        """Find calls that make the GPUs by themselves where the settings hide or split them."""
        acts = [
            place
            for place in places(decision, self._analysis)
            if _emits(place).environment
            or (_emits(place).asks_for_gpus and place.outcome.setting.field != _GROWTH)
        ]
        for query in self._analysis.facts.queries:
            rewritten = self._unsafe_fixes and query.form is not None
            if rewritten and query.form is not None and not query.form.initialises:
                if self._order.share_process(query.call, decision.config.built[0]):
                    decision.unsafe.append(query.rule.unsafe)
                continue
            problem = reasons.ProbeFirst(query.call, query.call.func)
            for place in places(decision, self._analysis) if rewritten else ():
                if needs_start(place.outcome) and self._order.may_precede(query.call, place.node):
                    yield self._unless_behind(place.node, query.call, problem)
            for place in acts:
                if self._order.may_precede(place.node, query.call):
                    yield self._unless_behind(query.call, place.node, problem)

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
        self, sink: Made, other: Decision | None, decision: Decision, place: Place
    ) -> Problem:
        """Return the problem of a session that would take on a setting it did not have."""
        field = place.outcome.setting.field
        if other is None:
            return reasons.SessionWithoutConfig(sink.made, field)
        return self._differ(decision, other, field)

    def _differ(self, decision: Decision, other: Decision, field: str) -> Problem:
        first, behind = decision.config.built[0], other.config.built[0]
        fields = ", ".join(_differing(decision, other)) or field
        return reasons.DifferentConfigs(first, behind, fields)


def _catches_values(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler may catch what a wrong value raises."""
    if handler.type is None:
        return True
    names = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(handler.type)}
    return not names.isdisjoint({"Exception", "BaseException", "TypeError", "ValueError"})


def _may_raise(outcome: Outcome) -> bool:
    """Tell whether the code for a setting may raise: a GPU that is not there, an odd fraction."""
    emit = outcome.case.emit if outcome.case is not None else None
    known = outcome.setting.value.known
    if emit is None:
        return False
    return _names_gpus(outcome) or (bool(emit.helpers) and not isinstance(known, int | float))


def _names_gpus(outcome: Outcome) -> bool:
    """Tell whether a setting names GPUs by numbers that a machine may not have."""
    is_list = outcome.rule.hides_gpus and outcome.rule.type == "string"
    return is_list and outcome.setting.value.known not in ("", "0", "-1")


def _may_fail(decision: Decision) -> bool:
    """Tell whether TensorFlow may refuse to make the session of a config: a list maps GPUs anew."""
    return any(
        outcome.rule.hides_gpus and outcome.rule.type == "string" for outcome in decision.outcomes
    )


def _binds_names(statement: ast.Assign | ast.AnnAssign) -> bool:
    """Tell whether an assignment runs no code behind its value."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return all(
        isinstance(item, ast.Name)
        or (isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name))
        for item in targets
    )


def _is_made_now(sink: Sink) -> bool:
    """Tell whether a call makes its session at once, and once."""
    return sink.name is not None and sink.rule.makes.get(sink.name) == frozenset(["now"])


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
