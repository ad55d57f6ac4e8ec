"""From decisions to a plan: which statements go, what is in their place, what calls change."""

from __future__ import annotations

import ast
from collections.abc import Container

from tfgpu.code.index import Binding
from tfgpu.dataclass import replace
from tfgpu.decide.decision import Decision
from tfgpu.decide.retired import RetiredCall
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Conditions, Filled, Parameter
from tfgpu.program.raw import uses_tensorflow1
from tfgpu.program.switches import Stay, Switch, Switches, Why, spot
from tfgpu.rewrite import imports, inplace
from tfgpu.rewrite.changes import Plan
from tfgpu.rewrite.compose import CannotPlanError, Contribution, from_outcome
from tfgpu.rewrite.layout import Layout
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Emit
from tfgpu.selection import Selection

# The bridge: names of the last TensorFlow 1, which are those of TensorFlow 2, too.
_BRIDGE = (1, 15)


def make_plan(
    analysis: Analysis,
    decisions: list[Decision],
    retired: list[RetiredCall],
    book: Rulebook,
    selection: Selection,
    switches: Switches,
    starred: bool,
    asked: Container[str],
    tensorflow1: Container[str],
) -> Plan:
    """Plan the migration of one file; an empty plan where nothing is to be done.

    `decisions` may be on configs that only pass through the file; `switches` say what becomes of
    its imports; `starred` tells that another file imports all of its names, `asked` are names of
    it in files that are not analysed, `tensorflow1` has it where it is part of a program of
    TensorFlow 1.

    Raises:
        CannotPlanError: the code for a config cannot be laid out.
    """
    planner = _Planner(analysis, decisions, book, selection, switches, starred, asked, tensorflow1)
    return planner.plan(retired)


def _reached(decisions: list[Decision]) -> list[Parameter]:
    """Return the parameters that take configs on."""
    waiting = [sink for decision in decisions for sink in decision.config.sinks]
    found: dict[Parameter, None] = {}
    while waiting:
        through = waiting.pop(0).through
        if through is not None and through not in found:
            found[through] = None
            waiting += through.sinks
    return list(found)


def _parameters(
    decisions: list[Decision], kept: list[Decision], every: list[Parameter]
) -> list[Parameter]:
    """Return the parameters that go with configs: those that take them on, and what is given those.

    A parameter may pass on what it never gets. One that a kept config needs stays.
    """
    found = dict.fromkeys(_reached(decisions))
    for parameter in _reached(kept):
        found.pop(parameter, None)
    while more := [
        item
        for item in every
        if item not in found and any(sink.through in found for sink in item.sinks)
    ]:
        found.update(dict.fromkeys(more))
    return list(found)


class _Planner:
    def __init__(
        self,
        analysis: Analysis,
        decisions: list[Decision],
        book: Rulebook,
        selection: Selection,
        switches: Switches,
        starred: bool,
        asked: Container[str],
        tensorflow1: Container[str],
    ) -> None:
        self._asked = asked
        self._starred = starred
        self._tensorflow1 = tensorflow1
        self._analysis = analysis
        self._tree = analysis.tree
        path = analysis.tree.path
        self._switch = switches.file(path)
        self._graphs = path in switches.graphs
        self._decisions = [item for item in decisions if item.problem is None]
        self._kept = [item for item in decisions if item.problem is not None]
        self._book = book
        self._selection = selection
        self._options = selection.options_of(path)
        self._plan = Plan(bridge=switches.bridge(path), for_graphs=switches.graphs.get(path))
        # What is asked for holds for programs of which nothing is left to convert, too.
        if self._plan.bridge or self._options.bridge:
            self._options = replace(self._options, min_tf=_BRIDGE)
        self._layout = Layout(analysis, self._plan, book, self._options, starred)

    def plan(self, retired: list[RetiredCall]) -> Plan:
        converts, switch = bool(self._decisions), self._switch
        switches = isinstance(switch, Switch)
        if isinstance(switch, Switch):
            imports.switch(self._plan.imports, self._tree, switch, self._starred)
        else:
            self._plan.obstacle = switch.obstacle
        if converts:
            self._convert()
        facts = self._analysis.facts
        if (facts.queries or facts.old_names) and not (converts or switches):
            symbols = self._analysis.symbols
            self._plan.stays = uses_tensorflow1(self._tree, symbols, self._book) or (
                isinstance(switch, Stay)
                and switch.why is not Why.SAME_NAMES
                and self._tree.path in self._tensorflow1
            )
        self._convert_retired(retired)
        self._replace_queries(converts)
        if converts or switches or self._plan.replaced:
            self._drop_imports()
        self._plan.gone = frozenset(
            spot(node) for node in self._gone() if isinstance(node, ast.expr | ast.stmt)
        ).union(self._plan.sessions)
        inplace.rename(self._plan, self._analysis, self._book, self._options, self._gone())
        inplace.correct(self._plan, self._analysis, self._book, self._selection)
        return self._plan

    # Configs.

    def _convert(self) -> None:
        plan = self._plan
        contributions: list[Contribution] = []
        for decision in self._decisions:
            contributions += self._convert_config(decision)
        self._remove_cut()
        every = self._analysis.facts.parameters
        for parameter in _parameters(self._decisions, self._kept, every):
            self._convert_parameter(parameter)
        built = {call for decision in self._decisions for call in decision.config.built}
        for filled in self._analysis.facts.filled:
            if not built.isdisjoint(ast.walk(filled.test)):
                self._drop_filled(filled)
        stay = {
            sink.call
            for decision in self._decisions
            if decision.in_graphs
            for sink in decision.config.sinks
        }
        for use in self._analysis.facts.session_uses:
            if use.session in plan.dropped:
                stays = use.session in stay
                if not stays:
                    self._note_session(plan.dropped[use.session], use.statements)
                if not (stays or self._graphs or self._is_of_compat(use.call)):
                    contributions += self._drop_session(use.call, use.session, use.statements)
                elif self._tree.holds(use.call):
                    self._set_session(use.call)
        plan.returns.update(
            statement
            for statement in plan.removed
            if isinstance(statement, ast.Return) and not self._tree.is_last(statement)
        )
        self._layout.check_apart(contributions)
        contributions += self._resets()
        self._put_back()
        contributions.sort(key=lambda item: self._tree.position(item.node))
        self._layout.compose(contributions)
        self._drop_globals()

    def _convert_config(self, decision: Decision) -> list[Contribution]:
        """Remove the statements of one config from the file; return the code that replaces it."""
        plan, config, holds = self._plan, decision.config, self._tree.holds
        if not config.shown:
            plan.removed.update(filter(holds, config.statements))
            plan.cut.update(filter(holds, config.targets))
        found = [
            from_outcome(outcome, self._analysis.values)
            for outcome in decision.outcomes
            if holds(outcome.setting.node)
        ]
        made = [item for item in found if item is not None]
        if decision.moved is not None:
            made = [replace(item, statement=decision.moved) for item in made]
            plan.moved_to.add(decision.moved)
        for helper in {self._analysis.callees.runs(call) for call, _ in config.calls}:
            if helper is not None and holds(helper):
                if self._analysis.callees.is_property(helper):
                    plan.methods.add(helper)
                if helper.returns is not None:
                    plan.typeless.add(helper)
        for sink in config.sinks:
            self._take(sink.call, sink.argument, sink.through, "True")
        for item in config.passed:
            if holds(item.function):
                plan.parameters[item.function] = item.argument
            self._take(item.call, item.given, None, "True")
            plan.shortened.add(item.call)
        plan.dropped.update((item.made, item.value) for item in config.given if holds(item.made))
        plan.entered.update(sink.call for sink in decision.entered if holds(sink.call))
        given: dict[ast.expr, ast.expr] = {item.call: item.given for item in config.passed}
        calls = [
            self._kept_call(call, tests, given.get(call))
            for call, tests in config.calls
            if holds(call)
        ]
        return [*made, *calls]

    def _convert_retired(self, retired: list[RetiredCall]) -> None:
        """Replace calls of removed functions by the code for the field that they set."""
        outcomes = [
            item.outcome
            for item in retired
            if item.outcome is not None and self._tree.holds(item.call)
        ]
        if not outcomes:
            return
        self._plan.removed.update(outcome.setting.statement for outcome in outcomes)
        found = [from_outcome(outcome, self._analysis.values) for outcome in outcomes]
        self._layout.compose([item for item in found if item is not None])

    def _convert_parameter(self, parameter: Parameter) -> None:
        """Remove a parameter, its arguments in calls, and the arguments that it was passed as.

        One that some calls give, and is filled for others, becomes a flag.
        """
        plan, holds = self._plan, self._tree.holds
        if holds(parameter.function):
            if parameter.flag:
                plan.flags[parameter.function] = parameter.argument, parameter.flag
            else:
                plan.parameters[parameter.function] = parameter.argument
        handed = "True" if parameter.fill is not None else parameter.flag or "True"
        for sink in parameter.sinks:
            self._take(sink.call, sink.argument, sink.through, handed)
        for call, value in parameter.calls:
            is_none = value is not None and self._analysis.values.is_none(value)
            self._take(call, value, parameter, "False" if is_none else "True")
        if not parameter.flag:
            plan.shortened.update(call for call, _ in parameter.calls)
        fill = parameter.fill
        if fill is not None and isinstance(fill.test, ast.If) and holds(fill.test):
            plan.replaced[fill.asked] = f"{'not ' if fill.missing else ''}{parameter.flag}"

    def _take(
        self, call: ast.Call, value: ast.expr | None, through: Parameter | None, told: str
    ) -> None:
        """Remove a config from a call; one that has to tell a function of it tells that instead."""
        if value is None or not self._tree.holds(call):
            return
        if through is None or not through.flag:
            self._plan.dropped[call] = value
        elif call not in self._plan.told or told not in ("True", "False"):
            # What hands its own flag on says more than what it hands it on to.
            self._plan.told[call] = value, through.flag, told

    def _drop_filled(self, filled: Filled) -> None:
        """Remove a parameter that no call gives, and the test for that."""
        if self._tree.holds(filled.function):
            self._plan.parameters[filled.function] = filled.argument
            if isinstance(filled.test, ast.If):
                self._plan.opened.add(filled.test)
        for call, value in filled.calls:
            if value is not None and self._tree.holds(call):
                self._plan.dropped[call] = value
        self._plan.shortened.update(call for call, _ in filled.calls)

    def _kept_call(
        self, call: ast.expr, tests: Conditions, config: ast.expr | None = None
    ) -> Contribution:
        """Return a call as a statement of its own, without the config that it is given."""
        source = self._tree.source
        text = source(call)
        if not isinstance(call, ast.Call):
            # A property, which becomes a method.
            text += "()"
        elif config is not None:
            left = [source(item) for item in call.args if item is not config]
            left += [
                f"{item.arg}={source(item.value)}" if item.arg else f"**{source(item.value)}"
                for item in call.keywords
                if item.value is not config
            ]
            text = f"{source(call.func)}({', '.join(left)})"
        return Contribution(
            call, self._tree.statement(call), Emit(statements="$value"), {"value": text},
            call, conditions=tests,
        )  # fmt: skip

    def _note_session(self, argument: ast.expr, statements: tuple[ast.stmt, ...]) -> None:
        """Note where a session is that Keras is given: it goes where nothing else needs graphs."""
        config = set(ast.walk(argument))
        self._plan.sessions.update(
            spot(node)
            for statement in filter(self._tree.holds, statements)
            for node in ast.walk(statement)
            if isinstance(node, ast.expr) and node not in config
        )

    def _is_of_compat(self, call: ast.Call) -> bool:
        """Tell whether a program for TensorFlow 2 gives a session to the Keras of compat.v1."""
        given = (call.func, *(item.func for item in ast.walk(call) if isinstance(item, ast.Call)))
        paths = [path for item in given for path in self._analysis.symbols.paths(item)]
        return bool(paths) and all(path.startswith("tensorflow.compat.v1.") for path in paths)

    def _set_session(self, call: ast.Call) -> None:
        """Give a session to the Keras of tensorflow.compat.v1: the package keras takes none."""
        paths = self._analysis.symbols.paths(call.func)
        inside = any(path.startswith("keras.") for path in paths)
        if inside and isinstance(self._switch, Switch):
            name = self._layout.tensorflow(call)
            name = name or self._layout.add("tensorflow", "tf", call)
            whole = name if self._switch.imports else f"{name}.compat.v1"
            self._plan.called[call] = f"{whole}.keras.backend.set_session"

    def _drop_session(
        self, call: ast.Call, session: ast.Call, statements: tuple[ast.stmt, ...]
    ) -> list[Contribution]:
        """Remove a Keras session; a function of the file that made it is still called."""
        self._plan.removed.update(statements)
        del self._plan.dropped[session]
        function = self._tree.function(session)
        inner = call.args[0] if call.args else call.keywords[0].value
        if function is not self._tree.function(call) and isinstance(inner, ast.Call):
            return [self._kept_call(inner, ())]
        return []

    def _resets(self) -> list[Contribution]:
        """Put defaults back where configs are built, for what they set only sometimes."""
        found = []
        for decision in self._decisions:
            for outcome in decision.resets:
                item = from_outcome(outcome, self._analysis.values)
                if item is not None and self._tree.holds(outcome.setting.node):
                    place = decision.moved or item.statement
                    found.append(replace(item, statement=place))
        return found

    def _put_back(self) -> None:
        """Put defaults back after sessions, for those that other sessions must not find."""
        for decision in self._decisions:
            if not decision.put_back or not self._tree.holds(decision.config.sinks[0].made):
                continue
            session = decision.config.sinks[0].made
            statement = self._tree.statement(session)
            # The setting itself may stand in another file.
            members = [
                replace(made, node=session, statement=statement)
                for item in decision.put_back
                if (made := from_outcome(item, self._analysis.values)) is not None
            ]
            self._plan.behind[statement] = self._layout.pieces(members)

    def _remove_cut(self) -> None:
        """Remove the assignments that lose all their targets."""
        plan = self._plan
        for target in list(plan.cut):
            statement = self._tree.statement(target)
            if isinstance(statement, ast.Assign) and plan.cut.issuperset(statement.targets):
                plan.removed.add(statement)
        plan.cut = {item for item in plan.cut if self._tree.statement(item) not in plan.removed}

    def _drop_globals(self) -> None:
        """Remove names that nothing binds any more from `global` and `nonlocal` statements."""
        for node in self._tree.parent:
            if isinstance(node, ast.Global | ast.Nonlocal):
                for name in node.names:
                    owner = self._tree.owner(name, self._tree.scope(node))
                    bindings = owner.bindings.get(name, []) if owner is not None else []
                    if bindings and all(self._goes(item, name) for item in bindings):
                        self._plan.unbound.add((node, name))

    def _goes(self, binding: Binding, name: str) -> bool:
        """Tell whether a binding of a variable goes, with its statement or as one of its targets.

        Where the statement has the name among its targets, it is cut there.
        """
        return self._tree.statement(binding.node) in self._plan.removed or any(
            isinstance(target, ast.Name) and target.id == name and target in self._plan.cut
            for target in getattr(binding.node, "targets", ())
        )

    # Queries and imports.

    def _replace_queries(self, converts: bool) -> None:
        if not self._options.unsafe_fixes or (self._kept and not converts):
            return
        if self._plan.stays:
            return
        gone = self._gone()
        for query in self._analysis.facts.queries:
            form = query.form
            if form is None:
                continue
            try:
                name = self._layout.tensorflow(query.call)
                name = name or self._layout.add("tensorflow", "tf", query.call)
            except CannotPlanError:
                if converts:
                    raise
                continue
            spelling = self._layout.spelled(name)
            code = self._layout.composer.spell(form.code, spelling)
            inplace.replace_query(self._plan, form, code, gone, self._analysis)

    def _drop_imports(self) -> None:
        """Remove imports that only deleted code used."""
        code = "\n".join(
            [piece.code for pieces in self._plan.pieces.values() for piece in pieces]
            + self._plan.helpers
            + [*self._plan.replaced.values(), *self._plan.called.values()]
            + list(self._plan.imports.disable_after.values())
        )
        plan = self._plan.imports
        plan.removed = imports.unused(self._analysis, self._gone(), code, self._asked)
        lost = [item for decision in self._decisions for item in decision.config.imports]
        imports.lose(plan, [item for item in lost if self._tree.holds(item.statement)])

    def _gone(self) -> set[ast.AST]:
        """Return every node that the migration deletes."""
        roots: list[ast.AST] = [*self._plan.removed, *self._plan.cut]
        roots += self._plan.dropped.values()
        roots += [value for value, _, _ in self._plan.told.values()]
        roots += [argument for argument, _ in self._plan.flags.values()]
        roots += [*self._plan.replaced, *(call.func for call in self._plan.called)]
        roots += self._plan.parameters.values()
        roots += [item.returns for item in self._plan.typeless if item.returns is not None]
        roots += [item.test for item in self._plan.opened if isinstance(item, ast.If)]
        return {node for root in roots for node in ast.walk(root)}
