"""Where settings act once they are converted, and whether a session follows.

In TensorFlow 1 a ConfigProto had no effect until a session was made with it. tf.config acts where
it stands, and what it sets waits for the next session, whichever that is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfgpu.code.evaluation import earlier_in_statement, later_in_statement
from tfgpu.code.order import Order
from tfgpu.code.tree import LOOPS, assigns_one, last_name
from tfgpu.code.when import When
from tfgpu.decide.decision import Draft, Outcome, Place
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Conditions, Parameter, Sink

_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
# Functions that end a program: sys.exit, os._exit, parser.error.
_ENDS = frozenset(["exit", "quit", "_exit", "abort", "error"])


def needs_start(outcome: Outcome) -> bool:
    """Tell whether a setting can only be made before TensorFlow 2's eager context is."""
    emit = outcome.case.emit if outcome.case is not None else None
    return emit is not None and emit.needs_unmade_devices


def places(decision: Draft, analysis: Analysis) -> list[Place]:
    """Return where the settings of a config act once it is converted."""
    state = (decision.moved, *decision.outcomes, *decision.resets)
    if decision.placed is None or decision.placed[0] != state:
        decision.placed = (state, _places(decision, analysis))
    return decision.placed[1]


def _places(decision: Draft, analysis: Analysis) -> list[Place]:
    tree = analysis.tree
    found: list[Place] = []
    for outcome in (*decision.outcomes, *decision.resets):
        if outcome.case is None or outcome.case.emit is None:
            continue
        setting = outcome.setting
        if decision.moved is not None:
            found.append(Place(decision.moved, outcome, True, setting.value.constant is not None))
            continue
        statement = tree.statement(setting.node)
        always = only_fills(decision, setting.conditions) and _is_reached_from_origin(
            statement, decision, analysis
        )
        constant = setting.value.constant is not None
        calls = list(_calls_of(tree.function(setting.node).node, decision, analysis))
        reached = always and _is_reached(statement, None, analysis)
        for call, plain in calls:
            found.append(Place(call, outcome, reached and plain, constant))
        if not calls:
            found.append(Place(setting.node, outcome, always, constant))
    return found


def _is_reached_from_origin(node: ast.AST, decision: Draft, analysis: Analysis) -> bool:
    """Tell whether a node is reached whenever the config is built, as far as functions take it."""
    config, before = decision.config, origins(decision, node, analysis)
    # A part that is copied into a config goes with that.
    whole = [item for item in before if item in config.roots or item not in config.built]
    origin = next(reversed(whole or before), None)
    passed = next((item for item in config.passed if item.argument is origin), None)
    return _is_reached(node, origin, analysis) and (
        passed is None or _is_reached_from_origin(passed.call, decision, analysis)
    )


def _is_reached(node: ast.AST, origin: ast.AST | None, analysis: Analysis) -> bool:
    """Tell whether a node is reached from another one of its function, or from its beginning.

    A `return` in between may leave it out, and so may a jump in a loop around it.
    """
    tree, position = analysis.tree, analysis.tree.position
    start = origin and tree.statement(origin)
    end = position(tree.statement(node))
    loops = {around for around in tree.within(node) if isinstance(around, LOOPS)}
    return tree.guards(node) == (tree.guards(start) if start else ()) and not any(
        isinstance(item, ast.Return)
        or next((one for one in tree.within(item) if isinstance(one, LOOPS)), None) in loops
        for item in ast.walk(tree.function(node).node)
        if isinstance(item, ast.Return | ast.Break | ast.Continue)
        and tree.function(item) is tree.function(node)
        and not _calls_itself(item, analysis)
        and (start is None or position(start) < position(item))
        and position(item) < end
    )


def _calls_itself(node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a function returns what another call of it returns."""
    value = node.value if isinstance(node, ast.Return) else None
    home = analysis.tree.function(node).node
    return isinstance(value, ast.Call) and analysis.callees.runs(value) is home


def begins(decision: Draft, analysis: Analysis) -> list[ast.AST]:
    """Return where a config is built: where its settings act, or would."""
    if decision.moved is not None:
        return [decision.moved]
    found: list[ast.AST] = []
    for root in decision.config.roots:
        calls = _calls_of(analysis.tree.function(root).node, decision, analysis)
        found += [call for call, _ in calls] or [root]
    return found


def _calls_of(
    function: ast.AST, decision: Draft, analysis: Analysis, depth: int = 8
) -> Iterator[tuple[ast.expr, bool]]:
    """Yield the calls that come to a function which returns the config.

    A call in a function that returns the config itself counts as the calls of that one. With each
    comes whether nothing on the way depends on a condition.
    """
    tree = analysis.tree
    for call, tests in decision.config.calls:
        if analysis.callees.runs(call) is function and depth:
            filled = only_fills(decision, tests)
            around = tree.function(call).node
            recursive = around is function
            outer = [] if recursive else list(_calls_of(around, decision, analysis, depth - 1))
            for further, plain in outer:
                yield further, plain and filled and _is_reached(call, None, analysis)
            if not outer:
                yield call, filled


def outer_calls(decision: Draft, analysis: Analysis) -> list[ast.expr]:
    """Return the calls that get the config from a function, outside of functions that return it."""
    helpers = {analysis.callees.runs(call) for call, _ in decision.config.calls}
    calls = [call for call, _ in decision.config.calls]
    return [call for call in calls if analysis.tree.function(call).node not in helpers]


def origins(decision: Draft, node: ast.AST, analysis: Analysis) -> list[ast.AST]:
    """Return what builds a config, or a part of it, before a node of the same function."""
    tree = analysis.tree
    config = decision.config
    calls = (call for call, _ in config.calls)
    given = (item.argument for item in config.passed)
    built: list[ast.AST] = [*config.built, *config.dictionaries, *calls, *given]
    return sorted(
        (
            item
            for item in built
            if tree.function(item) is tree.function(node)
            and tree.position(tree.statement(item)) <= tree.position(tree.statement(node))
        ),
        key=tree.position,
    )


def root_of(decision: Draft, node: ast.AST, analysis: Analysis) -> ast.Call | None:
    """Return the last ConfigProto that is built before a node of the same function."""
    tree = analysis.tree
    before = [
        root
        for root in decision.config.roots
        if tree.function(root) is tree.function(node) and tree.position(root) <= tree.position(node)
    ]
    return max(before, key=tree.position, default=None)


def is_built_again(decision: Draft, one: ast.AST, other: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a new config is built between two nodes, whichever way the program goes."""
    first = root_of(decision, one, analysis)
    second = root_of(decision, other, analysis)
    if first is None or second is None or first is second:
        return False
    return not (analysis.tree.exclusive(first, second) or in_one_choice(first, second, analysis))


def in_one_choice(one: ast.AST, other: ast.AST, analysis: Analysis) -> bool:
    """Tell whether two expressions are the two sides of one conditional expression."""
    tree = analysis.tree
    return any(
        isinstance(around, ast.IfExp) and around in set(tree.within(other))
        for around in tree.within(one)
    )


def is_used_between(one: ast.Call, other: ast.Call, analysis: Analysis) -> bool:
    """Tell whether a message may do anything before another one takes its variable."""
    tree, symbols = analysis.tree, analysis.symbols
    early, late = tree.parent[one], tree.parent[other]
    if not (isinstance(early, ast.Assign) and isinstance(late, ast.Assign)):
        return True
    outer = next((item for item in tree.block(early) if item in set(tree.within(late))), late)
    first, second = (symbols.variable(item.targets[0]) for item in (early, late))
    is_one = assigns_one(early) and assigns_one(late) and first == second
    if first is None or not is_one or isinstance(outer, LOOPS) or outer not in tree.block(early):
        return True
    return any(
        tree.function(use) is not tree.function(one)
        or (
            tree.position(one) < tree.position(use) < tree.position(other)
            and not tree.exclusive(use, other)
        )
        for use in symbols.uses(first)
    )


def is_tied(decision: Draft, analysis: Analysis, *, only_calls: bool = False) -> bool:
    """Tell whether a session of the config is made wherever its settings are applied.

    Then its settings are in force when the first session is made, exactly as before; else they
    could reach a session that had nothing to do with the config. With `only_calls` a call of a
    function that takes the config is enough, whether it makes a session or not.
    """
    return all(
        any(
            _leads_to(place.node, sink.made, analysis, only_calls) for sink in decision.config.sinks
        )
        for place in places(decision, analysis)
    )


def may_end_between(decision: Draft, analysis: Analysis) -> bool:
    """Tell whether the program may end in front of a session for which settings were applied."""
    return any(
        isinstance(node, ast.Call) and last_name(node.func) in _ENDS
        for place in places(decision, analysis)
        for sink in decision.config.sinks
        if is_after(sink.made, place.node, analysis)
        for node in _between(place.node, sink.made, analysis)
    )


def share_a_call(some: Iterable[Sink], others: Iterable[Sink]) -> bool:
    """Tell whether one call makes sessions for two configs that functions pass on to it."""
    calls = {end.call for sink in some for end in sink.ends()}
    return any(end.call in calls for sink in others for end in sink.ends())


def leads_to(place: ast.AST, session: ast.Call, analysis: Analysis) -> bool:
    """Tell whether a session is always made after a place is reached."""
    return _leads_to(place, session, analysis, only_calls=False)


def _leads_to(place: ast.AST, session: ast.Call, analysis: Analysis, only_calls: bool) -> bool:
    tree = analysis.tree
    guards = _entered(session, analysis)
    through = analysis.facts.parameter(session)
    return (
        is_after(session, place, analysis)
        and (only_calls or through is None or _makes_session(through, analysis))
        and tree.guards(place)[: len(guards)] == guards
        and not any(
            isinstance(node, _JUMPS) and node is not tree.statement(session)
            for node in _between(place, session, analysis)
        )
    )


def _entered(session: ast.Call, analysis: Analysis) -> tuple[tuple[ast.AST, str], ...]:
    """Return the guards of a session, without a `try` that begins with it: that is always begun."""
    tree = analysis.tree
    guards = tree.guards(session)
    while guards:
        around, part = guards[-1]
        first = around.body[0] if isinstance(around, ast.Try) and part == "body" else None
        if first is None or session not in set(ast.walk(first)):
            return guards
        guards = guards[:-1]
    return guards


def _makes_session(through: Parameter, analysis: Analysis) -> bool:
    """Tell whether a function that takes a config always makes a session with it."""
    start = through.function.body[0]
    return any(leads_to(start, sink.made, analysis) for sink in through.sinks)


def is_after(node: ast.AST, place: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a node stands after a place, in the text of the same function."""
    tree = analysis.tree
    return tree.function(node) is tree.function(place) and (
        tree.position(tree.statement(node)) >= tree.position(tree.statement(place))
    )


def own_guards(
    decision: Draft, node: ast.AST, analysis: Analysis
) -> tuple[tuple[ast.AST, str], ...]:
    """Return the guards of a setting, as far as sessions of its config can be made without it.

    Where a config fills a parameter, its sessions are those of the calls that give none. The tests
    of conditional expressions around a setting are its `conditions`.
    """
    fills = {item.fill.test for item in decision.config.fills if item.fill}
    guards = analysis.tree.guards(analysis.tree.statement(node))
    return tuple(item for item in guards if item[0] not in fills)


def only_fills(decision: Draft, tests: Conditions) -> bool:
    """Tell whether conditions ask for nothing but whether a call gives what a config fills."""
    asked = {item.fill.asked for item in decision.config.fills if item.fill}
    return all(test in asked for test, _ in tests)


def covers(decision: Draft, place: Place, session: ast.expr, analysis: Analysis) -> bool:
    """Tell whether a setting always acts before a session of its config is made."""
    tree = analysis.tree
    guards = own_guards(decision, place.node, analysis)
    return (
        only_fills(decision, place.outcome.setting.conditions)
        and (place.always or tree.function(place.node) is tree.function(place.outcome.setting.node))
        and is_after(session, place.node, analysis)
        and tree.guards(session)[: len(guards)] == guards
    )


def in_other_cell(place: ast.AST, session: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a session is made in another cell, which may be run again without a place."""
    home = analysis.tree.file(session)
    if not home.cells.starts or analysis.tree.file(place) is not home:
        return False
    first, second = (home.cells.place(node.lineno)[0] for node in (place, session))  # type: ignore[attr-defined]
    return first != second


def is_left_in_cell(decision: Draft, analysis: Analysis) -> bool:
    """Tell whether a session is made in another cell than a setting that is a matter of each."""
    return any(
        place.outcome.is_per_session and in_other_cell(place.node, sink.made, analysis)
        for place in places(decision, analysis)
        for sink in decision.config.sinks
    )


def may_come_between(
    place: ast.AST, middle: ast.AST, session: ast.AST, analysis: Analysis, order: Order
) -> bool:
    """Tell whether a place may be reached between another one and a session behind that.

    Whatever reaches the other place once more, on its way to the session, begins anew.
    """
    if in_other_cell(place, session, analysis):
        return True
    if order.between(place, middle, session) is When.NEVER:
        return False
    tree = analysis.tree
    home = tree.function(place)
    ways = order.chains(middle)
    if home is not tree.function(session) or ways is None:
        return True
    loops = {around for around in tree.within(session) if isinstance(around, LOOPS)}
    loops -= set(tree.within(place))
    start, end = tree.position(tree.statement(place)), tree.position(session)
    for node in {node for way in ways for _, node in way}:
        if tree.function(node) is home:
            around = set(tree.within(node))
            is_between = start <= tree.position(node) < end and not tree.exclusive(node, session)
            if is_between or session in around or not loops.isdisjoint(around):
                return True
    return False


def _between(place: ast.AST, session: ast.AST, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield the jumps and calls of a function between two places in its text."""
    tree = analysis.tree
    scope = tree.function(place)
    first, last = tree.position(place), tree.position(session)
    if tree.statement(place) is tree.statement(session):
        # The settings come before the whole statement.
        first = tree.position(tree.statement(place))
    arguments = set(ast.walk(session)) - {session}
    turned = (*later_in_statement(place, tree), *earlier_in_statement(session, tree))
    for node in (*tree.code(scope, first, last), *turned):
        if isinstance(node, (*_JUMPS, ast.Call)) and node not in arguments:
            yield node
    for given in arguments:
        if isinstance(given, (*_JUMPS, ast.Call)) and tree.function(given) is scope:
            yield given


def class_around(node: ast.AST, analysis: Analysis) -> ast.ClassDef | None:
    """Return the outermost class in the body of which, and in no function of it, a node stands.

    A name that settings bind there would be an attribute of the class.
    """
    tree, found = analysis.tree, None
    home = tree.function(node).node
    for around in tree.within(node):
        if around is home:
            break
        found = around if isinstance(around, ast.ClassDef) else found
    return found
