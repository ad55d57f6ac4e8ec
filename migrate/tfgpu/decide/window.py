"""The window between the settings of a config and its sessions: what must not run there.

Settings stay where their config was built only where nothing in the window can tell, else they
move in front of their session. What cannot be shown to be harmless is a problem, or an assumption.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator

from tfgpu.code.tree import text_of
from tfgpu.code.when import When
from tfgpu.decide.assumptions import Assumption, calls_of, is_readable, unless_started
from tfgpu.decide.cluster import Cluster, emits
from tfgpu.decide.decision import Draft, Place
from tfgpu.decide.effect import Effect
from tfgpu.decide.per_session import left_to_another, may_lack
from tfgpu.decide.places import is_after, is_tied, leads_to, needs_start, places
from tfgpu.decide.quiet import Quiet
from tfgpu.decide.refusals import caught
from tfgpu.decide.sent import sent
from tfgpu.flow import reasons
from tfgpu.flow.facts import Made, Sink
from tfgpu.flow.reasons import Problem


class Window:
    """Finds what is wrong with the place of the settings of a config."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._analysis = cluster.analysis
        self._tree = cluster.tree
        self._order = cluster.order
        self._effects = cluster.effects
        self._graph_mode = cluster.graph_mode
        self.quiet = Quiet(cluster.decisions, cluster.analysis, cluster.effects.eager.graphs)

    def problems(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Find what is wrong, or not certain, with the place of the settings of a config."""
        acts = places(decision, self._analysis)
        closed = self._is_closed(decision, acts)
        yield from self._behind_start(acts)
        yield from self._before_cuda(decision, acts)
        yield from caught(decision, self._cluster)
        yield from sent(decision, acts, self._cluster)
        eager = any(sink.rule.converts == "eager" for sink in decision.config.sinks)
        if eager:
            yield from self._before_eager_code(acts)
        if eager or not closed:
            # Of two calls that turn eager execution on, TensorFlow 1 heeded the first.
            yield from self._varies(decision, acts)
        if not eager:
            yield from self._without_effect(decision, acts)
            yield from self._before_operations(decision, acts)
        if not closed:
            yield from self._in_between(decision, acts)
            yield from self._behind_cuda(decision, acts)
            yield from self._before_unread(decision, acts)

    def _behind_start(self, acts: list[Place]) -> Iterator[Problem | Assumption]:
        """Find what makes the eager context, or may, before settings that raise after it."""
        shown: list[ast.AST] = []
        for place in acts:
            for start, problem in self._starts(place) if needs_start(place.outcome) else ():
                if all(
                    self._order.between(node, start, place.node) is not When.NEVER for node in shown
                ):
                    sure = start in self._effects.eager.certain
                    if sure and self._order.before(start, place.node) is When.ALWAYS:
                        yield problem
                    else:
                        yield unless_started(place.node, problem)
                        yield from self._cluster.unless_again(place.node, problem)
                    shown.append(place.node)
                    break

    def _starts(self, place: Place) -> Iterator[tuple[ast.AST, Problem]]:
        """Yield what may make the eager context before a setting acts, each with the problem."""
        order = self._order
        # The same value again does not raise, but for limits (measured).
        repeated = place.always and place.constant and not emits(place).indexed
        repeated = repeated and not place.outcome.setting.conditions
        begin = self._begin(place)

        def comes_first(effect: Effect) -> bool:
            return order.may_precede(effect.node, begin) and not (
                repeated and self._always_precedes(place, effect.node)
            )

        has_session = any(order.may_precede(made.made, begin) for made, _ in self._cluster.sessions)
        for start in self._effects.eager.starts(self._graph_mode):
            if (has_session or not start.in_session) and comes_first(start):
                yield start.node, reasons.RuntimeFirst(place.node, start.name, start.node)
        for code in self._effects.unread(self._graph_mode):
            if comes_first(code):
                through = self._through(code.node)
                yield code.node, reasons.UnreadFirst(place.node, code.name, code.node, through)

    def _through(self, node: ast.AST) -> str:
        """Return in words what may lead to a place that no calls lead to, "" where nothing does."""
        tree, finders = self._tree, self._analysis.callees.finders
        first = finders.not_plain[0] if finders.finds_any else node
        if first is node or self._order.chains(node) is not None:
            return ""
        place = f"line {tree.line_words(first)}" if len(tree.files) == 1 else tree.where(first)
        return f", to which `{text_of(first, tree)}` ({place}) may lead"

    def _begin(self, place: Place) -> ast.AST:
        """Return the node where a setting takes effect.

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

    def _before_cuda(self, decision: Draft, acts: list[Place]) -> Iterator[Problem | Assumption]:
        """Find writes of CUDA's variables, and forks, after settings that hide GPUs.

        A session without GPUs did not initialise CUDA as `compat.v1` of TensorFlow 2, and one with
        some did nothing with the others; tf.config lists all.
        """
        some = [place for place in acts if place.outcome.rule.hides_gpus]
        hiding = [place for place in some if place.outcome.setting.value.known in (0, None, "-1")]
        for place in hiding:
            for write in self._effects.environment:
                if self._order.may_precede(place.node, write.node):
                    problem = reasons.LateEnvironment(write.node, write.name, place.node)
                    yield self._cluster.unless_behind(write.node, place.node, problem)
        for place in some:
            for fork in self._forks_behind(place):
                if place in hiding or self._shows_others(decision, fork.node):
                    held = reasons.Fork(place.node, fork.name)
                    if not fork.certain:
                        yield Assumption(held, "no-fork-behind", place.node)
                        break  # The others are assumed not to fork, too.
                    yield self._cluster.unless_behind(fork.node, place.node, held)

    def _forks_behind(self, place: Place) -> Iterator[Effect]:
        """Yield what may fork after a setting; first what certainly does where it is reached."""
        for fork in sorted(self._effects.forks, key=lambda fork: not fork.certain):
            if self._order.may_precede(place.node, fork.node):
                yield fork

    def _shows_others(self, decision: Draft, fork: ast.AST) -> bool:
        """Tell whether a session behind a fork may show GPUs that a config hides."""
        return any(
            not (other and self._cluster.is_same(decision, other))
            and self._cluster.may_follow(fork, session)
            for session, other in self._cluster.sessions
        )

    def _varies(self, decision: Draft, acts: list[Place]) -> Iterator[Problem | Assumption]:
        """Find settings that wait for a session made elsewhere and may differ from run to run.

        Two objects that build their configs first and make their sessions later are an example:
        each session had its own config, and would get the one that was built last. So do two of
        which one has None for its config, and one for which no session is made.
        """
        for place in acts:
            is_only = self._order.runs_once(place.node)
            for sink in left_to_another(place, decision, self._analysis, self._order):
                if self._cluster.may_follow(place.node, sink):
                    setting = place.outcome.setting
                    problem = reasons.Varies(setting.node, setting.field)
                    behind = self._cluster.unless_behind(sink.made, sink.made, problem)
                    yield behind if is_only else problem
                    return
        for place in acts:
            if not (place.always and place.constant) and not self._order.runs_once(place.node):
                setting = place.outcome.setting
                problem = reasons.Varies(setting.node, setting.field)
                once = self._cluster.unless_behind(place.node, place.node, problem)
                if isinstance(once, Assumption) or not (place.always and self._is_readable(place)):
                    yield once
                    return
                expression = ast.unparse(setting.value.node)
                yield Assumption(problem, "value-same", setting.node, expression=expression)

    def _is_readable(self, place: Place) -> bool:
        """Tell whether a run can be asked which value a setting has each time."""
        setting = place.outcome.setting
        return is_readable(setting.value.node) and self._order.is_watchable(setting.node)

    def _in_between(self, decision: Draft, acts: list[Place]) -> Iterator[Problem | Assumption]:
        """Find a session that may be made while settings wait for theirs."""
        sinks = decision.config.sinks
        for sink, other in self._cluster.sessions:
            if other is decision or self._cluster.is_same(decision, other):
                continue
            for place in acts:
                if self._cluster.may_follow(place.node, sink):
                    problem = self._cluster.mixed(sink, other, decision, place)
                    if len(sinks) == 1 and self._is_doubtful(place.node, sink):
                        yield self._unless_session(sinks[0], problem)
                        return
                    yield from self._cluster.unless_made(sink, place.node, problem)

    def _unless_session(self, sink: Made, problem: Problem) -> Problem | Assumption:
        """Return a problem that there is if a session is made before another one."""
        others = (made.made for made, _ in self._cluster.sessions if made.made is not sink.made)
        if any(
            self._order.before(made, sink.made) is When.ALWAYS or self._goes_on(made, sink.made)
            for made in others
        ):
            return problem
        kind = "no-session-before"
        return Assumption(problem, kind, sink.made, sessions=calls_of(sink))

    def _goes_on(self, made: ast.AST, session: ast.AST) -> bool:
        """Tell whether a run that makes a session goes on to make another one, outside of that."""
        around = {call for chain in self._order.chains(made) or () for _, call in chain}
        return session not in around and self._order.follows(made, session)

    def _is_doubtful(self, node: ast.AST, session: Made) -> bool:
        """Tell whether the program may end, or leave the function, before it makes the session."""
        return self._order.before(node, session.made) is not When.ALWAYS

    def _behind_cuda(self, decision: Draft, acts: list[Place]) -> Iterator[Problem | Assumption]:
        """Find what CUDA must not have been initialised for when it runs.

        Listing the physical GPUs initialises CUDA (measured: cuInit): it reads its environment
        variables then, and cannot be used any more in processes that are forked later. A run that
        makes no session of this config may make another one, or ask for the GPUs.
        """
        sessions: list[ast.AST] = [sink.made for sink in decision.config.sinks]
        sessions += [session.made for session, _ in self._cluster.sessions]
        forks = self._effects.forks
        others = self._effects.uses_of_cuda(self._graph_mode) if forks else []
        uses = [*sessions, *(effect.node for effect in others)]
        tied = is_tied(decision, self._analysis)
        for place in acts:
            if not emits(place).lists_gpus:
                continue
            if (
                first := self._first_between(place, self._effects.environment, sessions)
            ) is not None:
                write, made = first
                problem = reasons.LateEnvironment(write.node, write.name, place.node)
                kind = "no-environment-write-between"
                yield self._unless_between(place, write, made, problem, kind)
                return
            first = self._first_between(place, forks, uses)
            if first is not None:
                fork, made = first
                held = reasons.Fork(place.node, fork.name)
                yield self._unless_between(place, fork, made, held, "no-fork-between")
                return
            for write in () if tied else self._effects.environment:
                if self._order.may_precede(place.node, write.node) and all(
                    self._order.before(made, write.node) is not When.ALWAYS for made in sessions
                ):
                    problem = reasons.LateEnvironment(write.node, write.name, place.node)
                    yield from self._cluster.unless_later(write.node, place.node, problem)
                    return

    def _first_between(
        self, place: Place, effects: list[Effect], uses: Iterable[ast.AST]
    ) -> tuple[Effect, ast.AST] | None:
        """Return an effect that may come between a setting and a use of the GPUs, with the use.

        One that certainly does is preferred.
        """
        precedes = self._order.may_precede
        # A call that comes to settings in its function may do more before them.
        begins = dict.fromkeys((place.node, self._acts_at(place)))
        behind = [
            effect for effect in effects if all(precedes(node, effect.node) for node in begins)
        ]
        # A program may have thousands of uses.
        sure = [effect for effect in behind if self._surely_leads_to(place, effect)]
        uses = list(dict.fromkeys(uses)) if behind else []
        pairs = itertools.chain(
            (
                (effect, made)
                for made, effect in itertools.product(uses, sure)
                if self._order.follows(effect.node, made)
            ),
            ((effect, made) for made, effect in itertools.product(uses, behind)),
        )
        return next(((one, made) for one, made in pairs if precedes(one.node, made)), None)

    def _surely_leads_to(self, place: Place, effect: Effect) -> bool:
        """Tell whether a run that makes a setting goes on to an effect."""
        return effect.certain and self._order.follows(place.node, effect.node)

    def _unless_between(
        self, place: Place, effect: Effect, made: ast.AST, problem: Problem, kind: str
    ) -> Problem | Assumption:
        """Return a problem that there is if an effect comes between a setting and a use."""
        if self._surely_leads_to(place, effect) and self._order.follows(effect.node, made):
            return problem
        found = (calls_of(sink) for sink, _ in self._cluster.sessions if sink.made is made)
        calls = tuple(dict.fromkeys(itertools.chain.from_iterable(found)))
        return Assumption(problem, kind, place.node, made, sessions=calls)

    def _acts_at(self, place: Place) -> ast.AST:
        """Return where the code of a setting stands, also one in a function that is called."""
        is_moved = isinstance(place.node, ast.stmt)
        return place.node if is_moved else place.outcome.setting.node

    def _before_unread(self, decision: Draft, acts: list[Place]) -> Iterator[Problem | Assumption]:
        """Find code that is not read between settings and their session.

        It may make a session of its own; where the GPUs have been listed it may do more harm.
        """
        acts = sorted(acts, key=lambda place: not emits(place).lists_gpus)
        for place, sink in itertools.product(acts, decision.config.sinks):
            for code in self._effects.unread(self._graph_mode):
                if self._order.between(place.node, code.node, sink.made) is When.NEVER:
                    continue
                problem = reasons.UnreadCode(code.node, code.name, place.node)
                yield self._unless_session(sink, problem)
                if emits(place).lists_gpus:
                    ends = (place.node, sink.made)
                    for kind in ("no-environment-write-between", "no-fork-between"):
                        yield Assumption(problem, kind, *ends, sessions=calls_of(sink))
                return

    def _without_effect(self, decision: Draft, acts: list[Place]) -> Iterator[Problem]:
        """Find sessions that make the eager context before they look at their config."""
        if any(needs_start(place.outcome) for place in acts):
            calls = {call for sink in decision.config.sinks for call in (sink.call, sink.made)}
            for start in self._effects.eager.before(self._graph_mode, acts[0].node):
                if start.node in calls:
                    yield reasons.RuntimeFirst(start.node, start.name, start.node)

    def _before_operations(
        self, decision: Draft, acts: list[Place]
    ) -> Iterator[Problem | Assumption]:
        """Find eager code between settings and their session.

        It made the GPUs and threads without the config, which then had no effect on them.
        """
        order = self._order
        sinks = decision.config.sinks
        sessions = [sink.made for sink in sinks]
        for place in (place for place in acts if needs_start(place.outcome)):
            for start in self._effects.eager.before(self._graph_mode, place.node):
                if (
                    start.in_session
                    or not order.may_precede(place.node, start.node)
                    or any(order.before(made, start.node) is When.ALWAYS for made in sessions)
                ):
                    continue
                problem = reasons.RuntimeFirst(sessions[0], start.name, start.node)
                sure = start.node in self._effects.eager.certain
                late = [sink for sink in sinks if order.may_precede(start.node, sink.made)]
                if sure and any(order.before(start.node, s.made) is When.ALWAYS for s in late):
                    yield problem
                elif is_tied(decision, self._analysis):
                    kind = "no-eager-context-before"
                    for sink in late:
                        yield Assumption(problem, kind, sink.made, sessions=calls_of(sink))
                else:
                    yield from self._cluster.unless_later(start.node, place.node, problem)
                return

    def _before_eager_code(self, acts: list[Place]) -> Iterator[Problem | Assumption]:
        """Find what is too late after settings of eager code, which initialises its GPUs later."""
        for place in acts:
            for write in self._effects.environment if emits(place).lists_gpus else ():
                if self._order.may_precede(place.node, write.node):
                    problem = reasons.LateEnvironment(write.node, write.name, place.node)
                    yield from self._cluster.unless_later(write.node, place.node, problem)
            for fork in self._forks_behind(place) if emits(place).lists_gpus else ():
                held = reasons.Fork(place.node, fork.name)
                if not fork.certain:
                    yield Assumption(held, "no-fork-behind", place.node)
                    break
                yield from self._cluster.unless_later(fork.node, place.node, held)

    def _is_closed(self, decision: Draft, acts: list[Place]) -> bool:
        """Tell whether a session of the config follows its settings, and nothing runs between.

        An exception between them could leave the settings to another session, so no call may stand
        there that is not known to be quiet.
        """
        sinks = decision.config.sinks
        if self._effects.threads and any(
            self._order.chains(sink.made) is None
            for sink, other in self._cluster.sessions
            if other is not decision and not self._cluster.is_same(decision, other)
        ):
            return False
        if _may_fail(decision) and any(
            other is not decision and self._cluster.shares(decision, sink.made)
            for sink, other in self._cluster.sessions
        ):
            return False
        if any(self._may_be_refused(sink, decision, acts) for sink in sinks):
            return False
        if (
            self._effects.threads
            and not all(place.constant for place in acts)
            and any(self._order.chains(sink.made) is None for sink in sinks)
        ):
            return False  # Threads that make sessions with other values at the same time.
        if decision.moved is not None:
            return all(self._tree.statement(sink.made) is decision.moved for sink in sinks)
        # Of several sessions the one that is always made has to be that before which nothing runs.
        return all(
            any(
                leads_to(place.node, sink.made, self._analysis) and self.quiet.between(place, sink)
                for sink in sinks
            )
            for place in acts
        )

    def _may_be_refused(self, sink: Sink, decision: Draft, acts: list[Place]) -> bool:
        """Tell whether another session may be made instead, as an exception comes before it.

        TensorFlow may refuse its other arguments, or what runs behind the settings may fail.
        """
        fails = not self.quiet.takes(sink) or any(
            self.quiet.may_fail(place, sink)
            for place in acts
            if is_after(sink.made, place.node, self._analysis)
        )
        own = fails and any(
            may_lack(place, decision, self._analysis, self._order) for place in acts
        )
        return fails and any(
            self._cluster.survives(call, decision, own)
            for call in {sink.call, sink.made, *(end.made for end in sink.ends())}
        )


def _may_fail(decision: Draft) -> bool:
    """Tell whether TensorFlow may refuse to make the session of a config: a list maps GPUs anew."""
    return any(outcome.rule.lists_gpus for outcome in decision.outcomes)
