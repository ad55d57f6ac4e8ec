"""What the settings of a config leave to sessions that are made later, and how that is put back."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.dotted import base_of
from tfgpu.code.values import Value
from tfgpu.code.when import When
from tfgpu.dataclass import replace
from tfgpu.decide.assumptions import Assumption, calls_of
from tfgpu.decide.cluster import Cluster
from tfgpu.decide.decision import Draft, Outcome, Place
from tfgpu.decide.eager import EAGER
from tfgpu.decide.effect import Effect
from tfgpu.decide.per_session import always_sets, lingers, resets_of, setter
from tfgpu.decide.places import begins, is_tied, may_come_between, needs_start, places
from tfgpu.decide.window import Window
from tfgpu.flow import reasons
from tfgpu.flow.callees import argument
from tfgpu.flow.facts import Sink
from tfgpu.flow.match import constant
from tfgpu.flow.reasons import Problem
from tfgpu.rulebook.book import is_method
from tfgpu.rulebook.model import Case

_SOFT_PLACEMENT = "allow_soft_placement"
# Modules that TensorFlow 2 has, too.
_BOTH = ("tensorflow.compat.", "tensorflow.python.")


class Leaks:
    """Keeps what a config sets for its session from sessions that come later."""

    def __init__(self, cluster: Cluster, window: Window) -> None:
        self._cluster = cluster
        self._window = window
        self._analysis = cluster.analysis
        self._tree = cluster.tree
        self._order = cluster.order
        self._effects = cluster.effects
        self._graph_mode = cluster.graph_mode
        # Fields that configs were found to set themselves, whatever defaults are added to them.
        self._own: set[tuple[str, Draft]] = set()
        # Whether nothing runs between what a config sets and a session, for these settings.
        self._quiet: dict[tuple[Sink, Draft], tuple[list[Place], bool]] = {}

    def problems(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Keep what a config sets for its session from sessions that come later."""
        acts = [place for place in places(decision, self._analysis) if place.outcome.is_per_session]
        taken = list(self._free_threads(decision))
        for place in acts:
            if not (self._graph_mode or decision.is_eager or self._cluster.is_for_keras(decision)):
                yield from self._in_eager_code(decision, place)
            for sink, other in self._cluster.sessions:
                stale = (
                    isinstance(sink, Sink)
                    and other is not None
                    and self._is_behind(place, sink, other)
                )
                is_own = other is decision or (self._sets_itself(place, other) and not stale)
                if is_own or not self._cluster.may_reach(place.node, sink):
                    continue
                if other is None or stale:
                    is_kept_out = self._is_left_out(place, other) and self._put_back(
                        decision, place
                    )
                else:
                    is_kept_out = self._is_covered(place, other)
                if not is_kept_out:
                    problem = self._cluster.mixed(sink, other, decision, place)
                    yield from self._cluster.unless_made(sink, place.node, problem)
            yield from self._rerun(decision, place)
            yield from self._in_operations(decision, place)
        yield from self._soft_placement(decision)
        yield from taken
        yield from self._behind_unread(decision)

    def _behind_unread(self, decision: Draft) -> Iterator[Assumption]:
        """Find code that is not read before devices or threads are put back."""
        if any(map(needs_start, decision.put_back)):
            sink = decision.config.sinks[0]
            made = sink.made
            for code in self._effects.unread(self._graph_mode):
                if self._order.may_precede(code.node, made):
                    problem = reasons.UnreadFirst(made, code.name, code.node)
                    kind = "no-eager-context-before"
                    yield Assumption(problem, kind, made, sessions=calls_of(sink))
                    return

    def _soft_placement(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Find a session that would be made with soft placement, as TensorFlow 2's default is.

        TensorFlow 1's, set before it, would be that of the eager code after it, too.
        """
        if not self._missing(setter(_SOFT_PLACEMENT), decision):
            return
        for sink in decision.config.sinks:
            ends = list(filter(self._is_outside_of_graph, sink.ends()))
            problem = reasons.EagerCode(sink.call, _SOFT_PLACEMENT)
            if ends and not self._graph_mode:
                yield problem
            for call in (
                call for end in ends for call in self._effects.eager.graphs_behind(end.call)
            ):
                if self._graph_mode:
                    yield self._cluster.unless_behind(call, sink.made, problem)

    def _is_outside_of_graph(self, sink: Sink) -> bool:
        """Tell whether a session that runs something is made where no graph is the default one.

        While TensorFlow 2 behaviour is on, its default is `executing_eagerly()` there (TensorFlow
        2.21, context.py, `config`). An object whose methods make sessions took its graph when it
        was made.
        """
        call = sink.call
        assert sink.name is not None
        if self._is_of_tensorflow1(call):
            return False
        if is_method(sink.name):
            return True
        return not self._is_idle(sink) and not self._effects.eager.graphs.hold(call)

    def _is_of_tensorflow1(self, call: ast.Call) -> bool:
        """Tell whether only TensorFlow 1 has the name of a call, and it builds graphs there."""
        base = base_of(call.func)
        if not isinstance(base, ast.Name) or len(self._tree.bindings(base)) != 1:
            return False
        paths = self._analysis.symbols.paths(call.func)
        turned_on = any(self._tree.attributes.get(name) for name in EAGER)
        is_raw = bool(paths) and not any(path.startswith(_BOTH) for path in paths)
        return is_raw and not turned_on

    def _is_idle(self, sink: Sink) -> bool:
        """Tell whether a session of the graph that eager code adds nothing to is not used."""
        tree = self._tree
        # What is unpacked may be a graph.
        has_graph = any(item.arg is None for item in sink.call.keywords) or (
            argument(sink.call, "graph", sink.rule.calls[sink.name or ""]) is not None
        )
        names = (
            *tree.attributes.get("get_default_graph", []),
            *tree.names.get("get_default_graph", []),
        )
        if has_graph or names:
            return False
        if any(use.session is sink.call for use in self._analysis.facts.session_uses):
            return True  # It goes with the call that hands it to Keras.
        statement = tree.statement(sink.call)
        if isinstance(statement, ast.Expr):
            return statement.value is sink.call
        if not isinstance(statement, ast.Assign) or statement.value is not sink.call:
            return False
        variables = list(map(self._analysis.symbols.variable, statement.targets))
        return all(
            variable is not None
            and variable[0].kind != "class"  # Its objects have it, too.
            and all(map(self._is_closed, self._analysis.symbols.uses(variable)))
            for variable in variables
        )

    def _is_closed(self, session: ast.expr) -> bool:
        """Tell whether nothing is done with a session but to close it."""
        method = self._tree.parent[session]
        return isinstance(method, ast.Attribute) and method.attr == "close"

    def _in_eager_code(self, decision: Draft, place: Place) -> Iterator[Problem | Assumption]:
        """Keep a setting from the eager code of a program that is not to run with it."""
        setting, harmless = place.outcome.setting, place.outcome.rule.harmless
        problem = reasons.EagerCode(setting.node, setting.field)
        if harmless is None:
            yield problem
            return
        is_harmless = setting.value.known in harmless.values
        # Of several harmless values, no one is what eager code has by default.
        if is_harmless and len(harmless.values) == 1:
            return
        if not self._put_back(decision, place):
            yield problem
            return
        for start in self._effects.eager.code:
            if any(
                self._order.between(place.node, start.node, sink.made) is not When.NEVER
                for sink in decision.config.sinks
            ):
                yield from self._cluster.unless_later(start.node, place.node, problem)
                return

    def _in_operations(self, decision: Draft, place: Place) -> Iterator[Problem | Assumption]:
        """Keep a setting from the eager context of operations that call Python."""
        starts = [
            start
            for start in self._effects.eager.starts(self._graph_mode)
            if start.in_session and self._order.may_precede(place.node, start.node)
        ]
        if starts and not self._put_back(decision, place, behind_starts=False):
            setting = place.outcome.setting
            problem = reasons.EagerCode(setting.node, setting.field)
            yield self._cluster.unless_behind(starts[0].node, place.node, problem)

    def _free_threads(self, decision: Draft) -> Iterator[Problem | Assumption]:
        """Put back what a later eager context would take, and find those that take it."""
        if all(sink.rule.converts == "eager" for sink in decision.config.sinks):
            return  # Eager code is what they are for.
        for place in places(decision, self._analysis):
            starts = [
                start
                for start in self._effects.eager.starts(self._graph_mode)
                if place.outcome.rule.scope == "process"
                and self._order.may_precede(place.node, start.node)
            ]
            is_back = starts and self._put_back(decision, place, behind_starts=False)
            if not is_back and place.outcome.rule.eager_has_its_own:
                yield from self._eager_threads(decision, place, starts)

    def _eager_threads(
        self, decision: Draft, place: Place, starts: list[Effect]
    ) -> Iterator[Problem | Assumption]:
        """Find what makes an eager context that takes threads, or assume that there is none yet."""
        setting, made = place.outcome.setting, decision.config.sinks[0].made
        problem = reasons.EagerCode(setting.node, setting.field)
        found = [
            item
            for start in starts
            if not self._effects.eager.savers.may_shard(start.node)
            for item in self._cluster.unless_later(start.node, place.node, problem)
        ]
        behind = self._behind(made)
        if (
            behind is not None
            and any(isinstance(item, Problem) for item in found)
            and not any(self._order.follows(start.node, made) for start in starts)
            and self._put_back(decision, place, behind_starts=False, assumes=True)
        ):
            first = reasons.RuntimeFirst(made, starts[0].name, starts[0].node)
            yield Assumption(first, "no-eager-context-before", behind, in_front=True)
            yield Assumption(reasons.CaughtError(made), "session-behind", setting.node)
        else:
            yield from found

    def _behind(self, made: ast.Call) -> ast.stmt | None:
        """Return the statement that is reached right after a session is made, if one can tell."""
        statement = self._tree.statement(made)
        block = self._tree.block(statement)
        following = block[block.index(statement) + 1 :]
        behind = statement.body if isinstance(statement, ast.With) else following
        return behind[0] if behind and self._order.is_watchable(behind[0]) else None

    def _rerun(self, decision: Draft, place: Place) -> Iterator[Problem | Assumption]:
        """Find sessions of a config itself that would find what an earlier one had."""
        for sink in decision.config.sinks:
            found = lingers(place, sink, decision, self._analysis, self._order)
            setting = place.outcome.setting
            problem = reasons.Varies(setting.node, setting.field)
            if found is When.ALWAYS:
                yield problem
            elif found is When.MAYBE:
                yield self._cluster.unless_behind(place.node, place.node, problem)

    def _is_covered(self, place: Place, other: Draft) -> bool:
        """Let the sessions of another config not find a setting: by its own, or by the default."""
        field, rule = place.outcome.setting.field, place.outcome.rule
        missing = self._missing(setter(field), other)
        if not missing:
            return True
        if not self._graph_mode or other.config.nones:
            return False
        resets = [
            reset
            for root in missing
            for reset in resets_of(field, rule, root, other.config, self._analysis)
        ]
        if len(resets) < len(missing):
            return False
        before = other.resets
        known = {(item.setting.field, item.setting.node) for item in before}
        other.resets = before + [
            item for item in resets if (item.setting.field, item.setting.node) not in known
        ]
        allowed = {item.key(self._tree) for item in other.assumptions}
        is_fine = all(
            isinstance(item, Assumption) and item.key(self._tree) in allowed
            for item in self._window.problems(other)
        )
        if is_fine and is_tied(other, self._analysis) and not self._overrides(other, resets):
            return True
        other.resets = before
        return False

    def _overrides(self, decision: Draft, resets: list[Outcome]) -> bool:
        """Tell whether a default may reach a later session of a config that sets the field."""
        acts = [
            place
            for place in places(decision, self._analysis)
            if any(place.outcome is reset for reset in resets)
        ]
        return any(
            isinstance(sink, Sink)
            and other is not None
            and other is not decision
            and not self._is_left_out(place, other)
            and self._cluster.may_reach(place.node, sink)
            and self._is_behind(place, sink, other)
            for place in acts
            for sink, other in self._cluster.sessions
        )

    def _is_behind(self, place: Place, sink: Sink, other: Draft) -> bool:
        """Tell whether a setting may act between another config's settings and its session.

        One config may have several sessions. A config that always sets the same value is no matter.
        """
        starts = begins(other, self._analysis)
        is_apart = any(self._cluster.is_apart(start, sink) for start in starts)
        if not is_apart and self._is_quiet(sink, other):
            return False
        field, rule = place.outcome.setting.field, place.outcome.rule
        mine = constant(place.outcome.setting.value, rule) if place.constant else None
        acts = places(other, self._analysis)
        theirs = [
            constant(item.outcome.setting.value, rule) if item.always and item.constant else None
            for item in acts
            if item.outcome.setting.field == field
        ]
        if mine is not None and theirs and set(theirs) == {mine}:
            return False
        return any(
            may_come_between(begin, place.node, sink.made, self._analysis, self._order)
            for begin in starts
        )

    def _is_quiet(self, sink: Sink, decision: Draft) -> bool:
        """Tell whether nothing runs between the settings of a config and one of its sessions."""
        acts = places(decision, self._analysis)
        known = self._quiet.get((sink, decision))
        if known is None or known[0] is not acts:
            quiet = self._window.quiet
            known = acts, bool(acts) and all(quiet.between(place, sink) for place in acts)
            self._quiet[sink, decision] = known
        return known[1]

    def _is_left_out(self, place: Place, other: Draft | None) -> bool:
        """Tell whether a config says nothing of a field: its default is what it would have."""
        name = setter(place.outcome.setting.field)
        return other is None or all(setter(item.setting.field) != name for item in other.outcomes)

    def _sets_itself(self, place: Place, other: Draft | None) -> bool:
        """Tell whether a config always sets a field itself, whatever another one has set."""
        if other is None:
            return False
        name = setter(place.outcome.setting.field)
        if (name, other) not in self._own:
            if self._missing(name, other):
                return False
            self._own.add((name, other))
        return True

    def _missing(self, name: str, decision: Draft) -> list[ast.Call]:
        """Return where a config is built that does not always set a field then."""
        acts = places(decision, self._analysis)
        return [
            root
            for root in decision.config.roots
            if not always_sets(name, root, acts, self._analysis)
        ]

    def _put_back(
        self,
        decision: Draft,
        place: Place,
        behind_starts: bool = True,
        *,
        assumes: bool = False,
    ) -> bool:
        """Put the default of a field back after the session of a config, if that is exact.

        The session must be made by the statement itself, once. Visible devices cannot change any
        more where something has made the eager context (measured: RuntimeError). With `assumes` the
        caller assumes that nothing has, and that no exception keeps it from being put back.
        """
        sinks = decision.config.sinks
        rule = place.outcome.rule
        back = rule.put_back_of(place.outcome.case)
        if back.no_code == "none needed":
            return True
        # What sessions and eager code have by default is the same for harmless settings only.
        # A session that Keras is given goes in eager code: all of that is to have its settings.
        if not self._graph_mode and (rule.harmless is None or self._cluster.is_for_keras(decision)):
            return False
        if len(sinks) != 1 or back.emit is None or decision.config.fills:
            return False
        sink = sinks[0]
        statement = self._tree.statement(sink.made)
        if sink.made is not sink.call or not all(map(_is_made_now, sink.ends())):
            return False
        is_apart = self._cluster.is_apart(place.node, sink)
        if is_apart or (sink.through is not None and not assumes):
            return False
        if not self._ends_with(statement, sink.made):
            return False
        if not is_tied(decision, self._analysis, only_calls=assumes):
            return False
        if not assumes and self._survives(decision, place.node, sink.made):
            return False
        if back.emit.needs_unmade_devices and not assumes:
            starts = self._effects.eager.starts(self._graph_mode)
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

    def _ends_with(self, statement: ast.stmt, made: ast.Call) -> bool:
        """Tell whether code can stand right behind the session that a statement makes."""
        if isinstance(statement, ast.With):
            is_last = statement.items[-1].context_expr is made
            return is_last and statement.body[0].lineno > statement.lineno
        return (
            isinstance(statement, ast.Assign | ast.AnnAssign)
            and statement.value is made
            and self._window.quiet.binds(statement)
        )

    def _survives(self, decision: Draft, *nodes: ast.AST) -> bool:
        """Tell whether the program may go on after an exception at one of several places.

        Or makes another session, or an eager context, while it ends.
        """
        from tfgpu.decide.survival import runs_after, survives  # noqa: PLC0415 - few need it

        late = [start.node for start in self._effects.eager.starts(self._graph_mode)]
        return any(
            survives(node, self._analysis, self._order)
            or self._cluster.survives(node, decision)
            or any(runs_after(item, node, self._analysis, self._order) for item in late)
            for node in nodes
        )


def _is_made_now(sink: Sink) -> bool:
    """Tell whether a call makes its session at once, and once."""
    return sink.name is not None and sink.rule.makes.get(sink.name) == frozenset(["now"])
