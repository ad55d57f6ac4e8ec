"""Settings that differ from one session to the next, though the same code makes the sessions.

TensorFlow 1 gave each session what its config said. In tf.config the last value stays, so a session
whose config leaves a field alone would find what an earlier one had. Where the default can be put
back first, each session gets exactly what it had.
"""

from __future__ import annotations

import ast

from tfgpu.code.order import Order
from tfgpu.code.values import Value
from tfgpu.code.when import When
from tfgpu.decide.decision import Draft, Outcome, Place
from tfgpu.decide.effects import Effects
from tfgpu.decide.places import (
    covers,
    is_after,
    is_built_again,
    is_tied,
    leads_to,
    needs_start,
    own_guards,
    places,
    root_of,
)
from tfgpu.decide.unreturned import failing
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Conditions, Config, Setting, Sink, conditions
from tfgpu.rulebook.model import Case, Emit, SettingRule

_VISIBLE = frozenset(["gpu_options.visible_device_list", "device_count.GPU"])
_LEAVES = (ast.Return, ast.Raise)
# The compound statements around a setting, and the conditional expressions.
Guards = tuple[tuple[ast.AST, str], ...]
Way = tuple[Guards, Conditions]


def setter(field: str) -> str:
    """Return what settings that become one call of tf.config have in common."""
    return "visible devices" if field in _VISIBLE else field


def put_defaults_first(
    decision: Draft, analysis: Analysis, effects: Effects, graph_mode: bool
) -> None:
    """Let a config set defaults where it is built, if its sessions could find leftovers else.

    Not beside eager code, which the defaults would reach too. Visible devices cannot change any
    more where something makes the eager context between two sessions.
    """
    config = decision.config
    if config.nones or not graph_mode:
        return
    if any(conditions(root, analysis.tree) for root in config.roots):
        return
    acts = [place for place in places(decision, analysis) if place.outcome.is_per_session]
    lingering = {
        setter(place.outcome.setting.field): place.outcome
        for place in acts
        if any(
            lingers(place, sink, decision, analysis, effects.order) is not When.NEVER
            for sink in config.sinks
        )
    }
    tied = is_tied(decision, analysis)
    starts = bool(effects.eager.starts(graph_mode))
    decision.resets = [
        reset
        for name, outcome in lingering.items()
        for root in config.roots
        if not always_sets(name, root, acts, analysis)
        for reset in resets_of(outcome.setting.field, outcome.rule, root, config, analysis)
        if not (starts and needs_start(reset))
    ]
    if tied and not is_tied(decision, analysis):
        decision.resets = []


def always_sets(name: str, root: ast.Call, acts: list[Place], analysis: Analysis) -> bool:
    """Tell whether a config sets a field itself whenever it is built at one place."""
    tree = analysis.tree
    return any(
        setter(place.outcome.setting.field) == name
        and place.always
        and tree.function(place.outcome.setting.node) is tree.function(root)
        and tree.guards(place.outcome.setting.node) == tree.guards(root)
        for place in acts
    )


def _default(rule: SettingRule) -> Emit | None:
    """Return what writes the default of a field, where no other setting is in its way."""
    return None if rule.conflicts else rule.tf1_default or rule.put_back.emit


def resets_of(
    field: str, rule: SettingRule, root: ast.Call, config: Config, analysis: Analysis
) -> list[Outcome]:
    """Return what puts the default of a field back where a config is built, if anything does.

    That is in front of all that the config says of the field: dictionaries and parts of a config
    are filled before it is built.
    """
    emit = _default(rule)
    home = _in_front(field, root, config, analysis)
    if emit is None or home is None:
        return []
    fills = [item.fill for item in analysis.facts.parameters if item.fill]
    tests = tuple(
        (fill.asked, fill.missing)
        for fill in fills
        if root in fill.inside and not isinstance(fill.test, ast.If)
    )
    node = root if home is analysis.tree.statement(root) else home
    setting = Setting(field, Value(root.func, "", None), node, home, tests)
    return [Outcome(setting, rule, Case(emit=emit), {"field": field.rpartition(".")[2]})]


def _in_front(field: str, root: ast.Call, config: Config, analysis: Analysis) -> ast.stmt | None:
    """Return the statement in front of which a config says nothing of a field; None if not known.

    It runs as often as the config is built there.
    """
    tree = analysis.tree
    home = tree.statement(root)
    if not config.dictionaries and all(
        call in config.roots or root in tree.within(call) for call in config.built
    ):
        return home
    block = tree.block(home)
    for item in config.settings:
        if setter(item.field) != setter(field) or root in tree.within(item.node):
            continue
        around = [item.statement, *tree.within(item.statement)]
        above = next((one for one in around if one in block), None)
        if above is None:
            return None
        if block.index(above) < block.index(home):
            home = above
    return home


def _last_cover(field: str, sink: Sink, decision: Draft, analysis: Analysis) -> Place | None:
    """Return the last setting of a field that always acts before a session, for its own config."""
    found = [
        place
        for place in places(decision, analysis)
        if setter(place.outcome.setting.field) == setter(field)
        and covers(decision, place, sink.made, analysis)
        and not is_built_again(decision, place.node, sink.made, analysis)
    ]
    return max(found, key=lambda place: analysis.tree.position(place.node), default=None)


def lingers(place: Place, sink: Sink, decision: Draft, analysis: Analysis, order: Order) -> When:
    """Tell whether what a config sets at a place can reach a later session of the same config.

    MAYBE where it can only if the place is reached twice, which is not known.
    """
    if _last_cover(place.outcome.setting.field, sink, decision, analysis) is not None:
        return When.NEVER
    # A session that is given None may come after one that is given the config.
    again_with_none = may_be_none(decision, place.node, analysis, order)
    given_none = again_with_none and not order.runs_once(sink.made)
    if not given_none and _is_same_constant(place, sink, decision, analysis):
        return When.NEVER
    if not order.may_precede(place.node, sink.made):
        return When.NEVER
    again = is_built_again(decision, place.node, sink.made, analysis)
    if _set_on_all_ways(place.outcome.setting.field, sink, decision, analysis):
        return When.NEVER
    if again or given_none:
        return When.ALWAYS
    return When.NEVER if order.runs_once(place.node) else When.MAYBE


def may_be_none(decision: Draft, node: ast.AST, analysis: Analysis, order: Order) -> bool:
    """Tell whether sessions of a config may be given None after a place that builds it."""
    return any(
        analysis.tree.scope(none).kind == "class" or order.may_precede(node, none)
        for none in may_become_none(decision, node, analysis)
    )


def left_to_another(place: Place, decision: Draft, analysis: Analysis, order: Order) -> list[Sink]:
    """Return the sessions that may lack a setting when its place has been reached for another one.

    They are given None, or a config of another branch. There are none where each time that the
    place is reached a session is made that takes its config.
    """
    if not may_lack(place, decision, analysis, order):
        return []
    from tfgpu.decide.survival import survivors  # noqa: PLC0415 - few need it

    config, node = decision.config, place.node
    once = order.runs_once(node)
    found = [sink for sink in config.sinks if not (once and order.runs_once(sink.made))]
    for sink in found:
        fails = (
            caught
            for one in failing(node, [sink.statement], decision, analysis)
            for caught in survivors(one, analysis, order)
        )
        if leads_to(node, sink.made, analysis) and next(fails, None) is None:
            return []
    return found


def may_lack(place: Place, decision: Draft, analysis: Analysis, order: Order) -> bool:
    """Tell whether a config that its sessions may be given lacks a setting, or is None."""
    is_none = bool(decision.config.nones) and may_be_none(decision, place.node, analysis, order)
    return is_none or _is_of_some(place, decision, analysis)


def _is_of_some(place: Place, decision: Draft, analysis: Analysis) -> bool:
    """Tell whether some of several ConfigProtos may lack a setting that another one has."""
    field = place.outcome.setting.field
    settings = [item for item in decision.config.settings if item.field == field]
    having = {root_of(decision, item.node, analysis) for item in settings}
    return len(decision.config.roots) > 1 and not having.issuperset(decision.config.roots)


def may_become_none(decision: Draft, node: ast.AST, analysis: Analysis) -> list[ast.AST]:
    """Return where what a node builds may become None, as nothing sets it anew for certain."""
    return [
        none
        for none in decision.config.nones
        if not (_is_overwritten(none, decision, analysis) or _is_above(none, node, analysis))
    ]


def _is_above(none: ast.AST, node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a module sets a variable above the function that a node is in."""
    tree = analysis.tree
    home = tree.function(node)
    return (
        tree.scope(none).kind == "module"
        and home.kind != "module"
        and tree.file(none) is tree.file(node)
        and tree.position(none) < tree.position(home.node)
    )


def _is_overwritten(none: ast.AST, decision: Draft, analysis: Analysis) -> bool:
    """Tell whether a None is certainly followed by the config: each object sets that anew."""
    tree = analysis.tree
    scope = tree.scope(none)
    for root in decision.config.roots:
        home = tree.function(root)
        leaves = any(
            isinstance(node, _LEAVES) and tree.position(node) < tree.position(root)
            for node in ast.walk(home.node)
        )
        if leaves or tree.guards(root) or conditions(root, tree):
            continue
        if scope.kind == "class":
            owner = tree.parent[home.node] if home.kind == "function" else None
            if (
                isinstance(owner, ast.ClassDef)
                and none in set(ast.walk(owner))
                and getattr(home.node, "name", "") == "__init__"
                and analysis.callees.classes.relatives(owner) <= {owner}
            ):
                return True
        elif (
            isinstance(tree.statement(none), ast.Assign | ast.AnnAssign)
            and tree.statement(none) is not tree.statement(root)
            and tree.function(none) is home
            and tree.position(none) < tree.position(root)
        ):
            return True
    return False


def _is_same_constant(place: Place, sink: Sink, decision: Draft, analysis: Analysis) -> bool:
    """Tell whether the config of a session sets the same as a setting elsewhere, always."""
    setting = place.outcome.setting
    return any(
        other.outcome.setting.field == setting.field
        and other.outcome.setting.value.constant == setting.value.constant
        and other.always
        and other.constant
        and place.constant
        and analysis.tree.function(other.node) is not analysis.tree.function(sink.made)
        for other in places(decision, analysis)
    )


def _set_on_all_ways(field: str, sink: Sink, decision: Draft, analysis: Analysis) -> bool:
    """Tell whether a config sets a field before a session whichever branches are taken."""
    tree = analysis.tree
    ways: set[Way] = {
        (own_guards(decision, place.node, analysis), place.outcome.setting.conditions)
        for place in places(decision, analysis)
        if setter(place.outcome.setting.field) == setter(field)
        and place.node is place.outcome.setting.node
        and is_after(sink.made, place.node, analysis)
        and not is_built_again(decision, place.node, sink.made, analysis)
    }
    return leads_through(ways, tree.guards(sink.made))


def leads_through(ways: set[Way], guards: Guards) -> bool:
    """Tell whether whoever comes to a place, by its guards, came through one of some others."""
    while not (joined := {way for one in ways for way in _joined(one, ways)}) <= ways:
        ways = ways | joined
    return any(not tests and guards[: len(around)] == around for around, tests in ways)


def _joined(way: Way, ways: set[Way]) -> list[Way]:
    """Return the way on which two branches lie, if the other one is among the ways too."""
    guards, tests = way
    if tests:
        test, outcome = tests[-1]
        opposite: Way = (guards, (*tests[:-1], (test, not outcome)))
        return [(guards, tests[:-1])] if opposite in ways else []
    if not guards or not isinstance(guards[-1][0], ast.If | ast.IfExp):
        return []
    node, part = guards[-1]
    opposite = ((*guards[:-1], (node, "orelse" if part == "body" else "body")), ())
    return [(guards[:-1], ())] if opposite in ways else []
