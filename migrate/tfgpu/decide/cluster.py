"""The configs of a process and its sessions: what those who decide on them ask about both."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.dataclass import replace
from tfgpu.decide.assumptions import Assumption, unless_behind, unless_together
from tfgpu.decide.decision import Draft, Place
from tfgpu.decide.effects import Effects
from tfgpu.decide.places import in_other_cell, is_after, leads_to, places
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Made, PossibleSession, SessionUse, Sink
from tfgpu.flow.match import constant
from tfgpu.flow.reasons import Problem
from tfgpu.rulebook.model import Emit

# A session, and the config that it takes where it is one of the cluster.
_Session = tuple[Made, "Draft | None"]

# What takes its session from Keras, and what it makes another session for.
_LOSES = ("clear_session", "reset_default_graph", "as_default")


class Cluster:
    """Configs that can be in one process with each other, and all sessions of that."""

    def __init__(
        self, decisions: list[Draft], analysis: Analysis, effects: Effects, graph_mode: bool
    ) -> None:
        self.decisions = decisions
        self.analysis = analysis
        self.tree = analysis.tree
        self.effects = effects
        self.order = effects.order
        self.graph_mode = graph_mode
        # Sessions that begin where their configs do, with what makes them.
        self._ends: dict[Made, Sink] = {}
        self.sessions = self._all_sessions()

    def _all_sessions(self) -> list[_Session]:
        """Return all sessions of the program that take tf.config, each with its config."""
        found: list[_Session] = [
            (sink, decision)
            for decision in self.decisions
            for made in decision.config.sinks
            for sink in self._begun(made, decision)
        ]
        # An InteractiveSession without a config brings one of its own.
        found += [
            (sink, None)
            for sink in self.analysis.facts.plain_sinks
            if sink.rule.converts != "growth-only" and self.order.is_reached(sink.made)
        ]
        # Keras makes a session of its own where it is given none.
        uses = self.analysis.facts.session_uses
        given = [use.call for use in uses] if all(map(self._gives_session, uses)) else []
        found += [
            (item, None)
            for item in self.analysis.facts.possible_sessions
            if (item.takes_settings or (item.kind == "keras" and not self._is_of(given, item)))
            and self.order.is_reached(item.made)
        ]
        # A text that is run may make one, too.
        found += [
            (PossibleSession(call, "exec", "call"), None)
            for call in self.order.texts
            if self.order.is_reached(call)
        ]
        return found

    def _begun(self, sink: Sink, decision: Draft) -> list[Sink]:
        """Return a session as one that begins where its config does, if a call may give another.

        The statement that makes it is reached for configs of callers, too.
        """
        config = decision.config
        inside = {node for item in config.fills if item.fill for node in item.fill.inside}
        made = [*config.roots, *(call for call, _ in config.calls if isinstance(call, ast.Call))]
        begun = [replace(sink, session=call) for call in made if call in inside]
        self._ends.update(dict.fromkeys(begun, sink))
        return begun or [sink]

    def may_follow(self, place: ast.AST, session: Made) -> bool:
        """Tell whether a session may be made after a place."""
        anywhere = isinstance(session, PossibleSession) and session.anywhere
        if self._is_given(place, session):
            return False
        # Settings come before the whole statement, whatever it does before it builds the config.
        start = self.tree.statement(place)
        return (
            anywhere
            or any(self.order.may_precede(node, session.made) for node in (place, start))
            or self._comes_between(place, session)
        )

    def may_reach(self, place: ast.AST, session: Made) -> bool:
        """Tell whether a session may be made after a place, also where a cell is run again."""
        files = map(self.tree.file, (place, session.made))
        in_cells = any(file.cells.starts for file in files)
        return self.may_follow(place, session) or (
            in_cells and self.order.share_process(place, session.made)
        )

    def is_apart(self, place: ast.AST, session: Made) -> bool:
        """Tell whether the cell of a session may be run again without a place, in another cell."""
        return in_other_cell(place, session.made, self.analysis)

    def _comes_between(self, place: ast.AST, session: Made) -> bool:
        """Tell whether a place may be reached between the begin of a session and its end."""
        end = self._ends.get(session)
        return end is not None and (
            self.order.between(session.made, place, end.made) is not When.NEVER
        )

    def _is_given(self, place: ast.AST, session: Made) -> bool:
        """Tell whether Keras has been given a session, and not lost it, where settings act.

        Its sessions belong to a thread and to a graph, so all is in one function.
        """
        if not isinstance(session, PossibleSession) or session.kind != "keras":
            return False
        tree, order, node = self.tree, self.order, session.node
        home = tree.function(place)
        if tree.function(node) is not home or _mixes_keras(tree.file(node)):
            return False
        from tfgpu.decide.survival import may_survive  # noqa: PLC0415 - few need it

        given = [
            use.call
            for use in self.analysis.facts.session_uses
            if tree.function(use.call) is home and self._gives_session(use)
        ]
        losses = self._losses(node) if given else None
        return losses is not None and any(
            leads_to(place, call, self.analysis)
            and not may_survive(call, self.analysis)
            and is_after(node, call, self.analysis)
            and tree.statement(node) is not tree.statement(call)
            and not any(order.between(call, lost, node) is not When.NEVER for lost in losses)
            for call in given
        )

    def _is_of(self, given: list[ast.Call], session: PossibleSession) -> bool:
        """Tell whether Keras has a session of calls that give it one, and nothing takes that."""
        return (
            any(self.order.always_after(session.node, call) for call in given)
            and not any(self.order.may_precede(session.node, call) for call in given)
            and self._losses(session.node) == []
        )

    def is_for_keras(self, decision: Draft) -> bool:
        """Tell whether a config is for the session that Keras of TensorFlow 1 runs all its code in.

        Where the program runs eagerly then, it is for that code.
        """
        return is_for_keras(decision, self.analysis, self.effects)

    def _gives_session(self, use: SessionUse) -> bool:
        """Tell whether what a call hands to Keras is a session, and never None."""
        if use.session is not None or not use.call.args:
            return use.session is not None
        origins = self.analysis.callees.finders.origins
        return origins.of(use.call.args[0]) == {"tf.Session()"}

    def _losses(self, session: ast.expr) -> list[ast.expr] | None:
        """Return what takes its session from Keras; None if it, or another graph, is anywhere."""
        if self._calls_keras_by_name:
            return None
        calls = (use.call for use in self.analysis.facts.session_uses)
        found: list[ast.expr] = [
            call for call in calls if not call.args or self.analysis.values.is_none(call.args[0])
        ]
        for tree in self._losing:
            if self.order.share_process(tree.module, session):
                for word in _LOSES:
                    nodes = [*tree.attributes.get(word, ()), *tree.names.get(word, ())]
                    imported = [item for item in tree.imports if item.name == word]
                    others = tree.text.count(word) - len(nodes) - len(imported)
                    if others > 0 or (nodes and word == "as_default"):
                        return None
                    found += nodes
        return [node for node in found if self.order.is_reached(node)]

    @cached_property
    def _calls_keras_by_name(self) -> bool:
        """Whether a function of Keras's backend is called by a name that no file has."""
        names, tree = self.analysis.callees.names, self.tree
        calls = (
            tree.parent[node]
            for node, path in names.found
            if canonical(path) == "keras.backend" and names.is_whole(node)
        )
        return any(
            isinstance(call, ast.Call)
            and tree.builtin(call.func) == "getattr"
            and not all(isinstance(name, ast.Constant) for name in call.args[1:2])
            for call in calls
        )

    @cached_property
    def _losing(self) -> list[Tree]:
        """The files that name what takes its session from Keras."""
        return [tree for tree in self.tree.files if any(word in tree.text for word in _LOSES)]

    def shares(self, decision: Draft, node: ast.AST) -> bool:
        """Tell whether a config can be in one process with a place."""
        return self.order.share_process(decision.config.built[0], node)

    def survives(self, node: ast.AST, decision: Draft, own: bool = False) -> bool:
        """Tell whether a session that is not of a config may be made after an exception at a node.

        The program goes on, or makes it while it ends. With `own` one that is of the config counts:
        it may be given another one then, or None.
        """
        from tfgpu.decide.survival import has_callbacks, runs_after, survives  # noqa: PLC0415 - few need it

        others = (
            sink.made
            for sink, other in self.sessions
            if (own or other is not decision) and self.shares(decision, sink.made)
        )
        goes_on = survives(node, self.analysis, self.order) or (
            self.order.chains(node) is None and (self.effects.threads or has_callbacks(self.tree))
        )
        return any(goes_on or runs_after(made, node, self.analysis, self.order) for made in others)

    def is_same(self, decision: Draft, other: Draft | None) -> bool:
        """Tell whether sessions of two configs are always set up in the same way."""
        mine = self._always(decision)
        if other is None:
            return mine == frozenset()
        theirs = self._always(other)
        return mine is not None and mine == theirs

    def _always(self, decision: Draft) -> frozenset[str] | None:
        """Return the settings of a config that are the same each time; None if not all are."""
        acts = places(decision, self.analysis)
        if not all(place.always and place.constant for place in acts):
            return None
        outcomes = [place.outcome for place in acts]
        return frozenset(
            f"{item.setting.field}={constant(item.setting.value, item.rule)}" for item in outcomes
        )

    def mixed(self, sink: Made, other: Draft | None, decision: Draft, place: Place) -> Problem:
        """Return the problem of a session that would get a setting it did not have."""
        field = place.outcome.setting.field
        if other is None:
            of_keras = isinstance(sink, PossibleSession) and sink.kind == "keras"
            words = "the session that Keras may make here" if of_keras else "this session"
            return reasons.SessionWithoutConfig(sink.made, field, words)
        return self.differ(decision, other, field)

    def differ(self, decision: Draft, other: Draft, field: str) -> Problem:
        """Return the problem of two configs that set a field, or others, differently."""
        first, behind = decision.config.built[0], other.config.built[0]
        fields = ", ".join(_differing(decision, other)) or field
        return reasons.DifferentConfigs(first, behind, fields)

    def unless_behind(
        self, late: ast.AST, early: ast.AST, problem: Problem
    ) -> Problem | Assumption:
        """Return a problem that there is if one place is reached after another one."""
        return unless_behind(late, early, problem, self.order)

    def unless_again(self, node: ast.AST, problem: Problem) -> Iterator[Problem | Assumption]:
        """Yield a problem that there is if settings act again, in eager code of the new program.

        Where only the migrated program runs eagerly, no run before that shows its eager context.
        """
        eager = self.effects.eager
        turns_eager = not (self.graph_mode or eager.turns_on) and eager.is_of_tensorflow1(node)
        if turns_eager and not self.order.runs_once(node):
            yield self.unless_behind(node, node, problem)

    def unless_made(
        self, session: Made, early: ast.AST, problem: Problem
    ) -> Iterator[Problem | Assumption]:
        """Yield a problem that there is if a session is made after a place is reached.

        Where a class of sessions goes any way, no later place is known.
        """
        anywhere = isinstance(session, PossibleSession) and session.anywhere
        if anywhere or self._comes_between(early, session):
            yield from unless_together(session.made, early, problem, self.order)
        else:
            yield from self.unless_later(session.made, early, problem)

    def unless_later(
        self, late: ast.AST, early: ast.AST, problem: Problem
    ) -> Iterator[Problem | Assumption]:
        """Yield a problem that there is if one place is reached after another one.

        A lambda is not watched; without the statement that it is in, it does not exist.
        """
        if self.order.is_watchable(late):
            yield self.unless_behind(late, early, problem)
        else:
            yield from unless_together(self.tree.statement(late), early, problem, self.order)


def is_for_keras(decision: Draft, analysis: Analysis, effects: Effects) -> bool:
    """Tell whether Keras of TensorFlow 1 is given all sessions of a config."""
    given = {use.session for use in analysis.facts.session_uses}
    return all(
        sink.call in given and effects.eager.is_of_tensorflow1(sink.call)
        for sink in decision.config.sinks
    )


def emits(place: Place) -> Emit:
    """Return what a setting that acts at a place emits."""
    assert place.outcome.case is not None
    assert place.outcome.case.emit is not None
    return place.outcome.case.emit


def _differing(one: Draft, other: Draft) -> list[str]:
    """Return the fields that two configs set differently."""
    return sorted(
        {
            entry.partition("=")[0]
            for scope in ("session", "process")
            for entry in one.signature(scope) ^ other.signature(scope)
        }
    )


def _mixes_keras(tree: Tree) -> bool:
    """Tell whether a file uses Keras and TensorFlow's own one: each has a session."""
    paths = [item.path for item in tree.imports]
    own = "keras" in tree.attributes or any(
        path.startswith("tensorflow.") and ".keras" in path for path in paths
    )
    return own and any(path.partition(".")[0] == "keras" for path in paths)
