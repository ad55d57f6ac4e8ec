"""Decides for each config of a program: convert it, or keep it with a reason.

All settings of a config are converted or none, and all configs that can be in one process or none:
a Session that keeps an explicit config beside converted ones ignores what tf.config has set, or
fails with AlreadyExistsError (measured on TensorFlow 2.21).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from operator import attrgetter

from tfgpu.code.order import Order
from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.dataclass import replace
from tfgpu.decide.assumptions import Assumption, unless_together
from tfgpu.decide.cluster import is_for_keras
from tfgpu.decide.decision import Decision, Draft
from tfgpu.decide.effects import Effects
from tfgpu.decide.interference import Together, Way
from tfgpu.decide.obstacles import config_problems
from tfgpu.decide.places import is_tied, places, share_a_call
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Sink
from tfgpu.flow.reasons import NotConverted, Problem
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Rule
from tfgpu.selection import Selection


def decide(
    analysis: Analysis,
    book: Rulebook,
    selection: Selection,
    effects: Effects,
    unreadable: Mapping[str, str],
    graph_mode: Mapping[str, When],
) -> list[Decision]:
    """Decide on every config of a file, or of several that are analysed as one.

    `unreadable` has, for files whose programs hold one that cannot be read, the path of that;
    `graph_mode` tells of files whether their programs build graphs only, where that is known.
    """
    present = frozenset(
        setting.field
        for config in analysis.facts.configs
        for setting in config.settings
        if setting.value.known is None or setting.value.known
    )
    decisions = [Draft(config) for config in analysis.facts.configs]
    for decision in decisions:
        problems = chain(
            config_problems(decision, present, analysis, book, effects, selection.gpu_memory),
            _outside_problems(decision, analysis.tree, selection),
            _unreadable(decision, analysis, unreadable),
        )
        decision.problem = next(problems, None)
    trusting = [item.untouched(item.problem) for item in decisions]
    makers = (analysis, book, selection, effects, graph_mode)
    _decide_drafts(decisions, *makers, trusts=False)
    if not selection.assume and any(item.problem is not None for item in decisions):
        _decide_drafts(trusting, *makers, trusts=True)
        for item, other in zip(decisions, trusting, strict=True):
            item.assumable = item.problem is not None and other.problem is None
            item.needs_unsafe = item.assumable and bool(other.unsafe)
    return [item.decided() for item in decisions]


def _decide_drafts(
    decisions: list[Draft],
    analysis: Analysis,
    book: Rulebook,
    selection: Selection,
    effects: Effects,
    graph_mode: Mapping[str, When],
    *,
    trusts: bool,
) -> None:
    """Decide on drafts whose own problems are known; `trusts` is as if all options did so."""
    unsafe_fixes, assume = selection.unsafe_fixes or trusts, selection.assume or trusts
    way = Way(False, unsafe_fixes, assume, refuted=selection.refuted)
    waiting = list(_clusters(decisions, effects))
    while waiting:
        for part in _parts(waiting.pop(0), effects.order, way, analysis.tree):
            kept = [item for item in part if item.problem is not None]
            fresh = {item: item.untouched() for item in part}
            _decide_cluster(part, analysis, book, selection, effects, graph_mode, way)
            left = [item for item in part if item.problem is None]
            if assume and left and len(part) - len(left) > len(kept):
                # Those that are left may go their own way beside what is kept now.
                for item in left:
                    item.become(fresh[item])
                waiting.append(part)
            else:
                _spread(part, analysis.tree)


def keep_all(decisions: list[Decision], problem: Problem, tree: Tree) -> list[Decision]:
    """Return decisions that keep the first config for a problem, and so those beside it."""
    drafts = [Draft(item.config, problem=item.problem, final=item.final) for item in decisions]
    drafts[0].problem = problem
    _spread(drafts, tree)
    return [
        replace(item, problem=draft.problem, final=draft.final)
        for item, draft in zip(decisions, drafts, strict=True)
    ]


def _parts(cluster: list[Draft], order: Order, way: Way, tree: Tree) -> Iterator[list[Draft]]:
    """Yield the configs that are decided on as one.

    Those that share nothing but a process with one that is kept go their own way, if that is never
    built, if both have sessions of their own settings only, or if it may be assumed that no run
    makes the sessions of both.
    """

    def is_assumed(item: Problem | Assumption) -> bool:
        return isinstance(item, Assumption) and item.key(tree) not in way.refuted

    kept = [item for item in cluster if item.problem is not None and not _is_unused(item)]
    if not kept:
        yield cluster
        return
    beside: dict[Draft, list[Assumption]] = {}
    for decision in cluster:
        if decision not in kept and not _is_unused(decision):
            found = list(_beside(decision, kept, order))
            if not found or (way.assume and all(map(is_assumed, found))):
                beside[decision] = [item for item in found if isinstance(item, Assumption)]
    together = [item for item in cluster if item not in beside]
    while bound := [item for item in beside if _shares_a_call(item, together)]:
        together += bound
        beside = {item: found for item, found in beside.items() if item not in bound}
    yield sorted(together, key=cluster.index)
    if beside:
        for decision, assumptions in beside.items():
            decision.assumptions += assumptions
        yield list(beside)


def _beside(decision: Draft, kept: list[Draft], order: Order) -> Iterator[Problem | Assumption]:
    """Yield what keeps a config beside kept ones whose sessions the same run makes."""
    for other in kept:
        assert other.problem is not None
        first = decision.config.built[0]
        problem = reasons.BesideKept(first, other.problem)
        if _is_never_built(other, order) and order.is_reached(first):
            continue
        if _is_per_session(decision) and _has_own_sessions(other):
            continue
        sessions = [sink.made for sink in other.config.sinks]
        for node in other.config.built if other.config.leaves else sessions:
            yield from unless_together(node, first, problem, order)


def _is_never_built(decision: Draft, order: Order) -> bool:
    return not any(map(order.is_reached, decision.config.built))


def _is_per_session(decision: Draft) -> bool:
    """Tell whether a config sets nothing but what each session has for itself, and no devices."""
    emits = [
        outcome.case.emit
        for outcome in decision.outcomes
        if outcome.case is not None and outcome.case.drop is None
    ]
    return all(map(attrgetter("is_per_session"), decision.outcomes)) and all(
        emit is not None and not (emit.needs_unmade_devices or emit.lists_gpus or emit.environment)
        for emit in emits
    )


def _has_own_sessions(decision: Draft) -> bool:
    """Tell whether a config is kept for one of its fields, and sessions are always given it."""
    config, problem = decision.config, decision.problem
    return (
        problem is not None
        and bool(config.sinks)
        and all(sink.name is not None for sink in config.sinks)
        and not config.nones
        and any(
            outcome.setting.node is problem.node
            and outcome.case is not None
            and outcome.case.keep is not None
            for outcome in decision.outcomes
        )
    )


def _shares_a_call(decision: Draft, others: list[Draft]) -> bool:
    """Tell whether a call that takes a config cannot go without it, for the sake of others.

    A function that takes configs can have its parameter for some of its calls, but for one that
    has to be told of all configs.
    """
    sinks = decision.config.sinks
    bound = [sink for sink in sinks if decision.config.fills or not _is_optional(sink)]
    return any(share_a_call(bound, other.config.sinks) for other in others)


def _is_optional(sink: Sink) -> bool:
    """Tell whether a call may leave its config out, and so may all that hand it on."""
    through = sink.through
    return (
        through is not None
        and through.default is not None
        and not through.flag
        and all(inner.through is None or _is_optional(inner) for inner in through.sinks)
    )


def _decide_cluster(
    cluster: list[Draft],
    analysis: Analysis,
    book: Rulebook,
    selection: Selection,
    effects: Effects,
    modes: Mapping[str, When],
    way: Way,
) -> None:
    """Decide on configs that can be in one process."""
    live = [item for item in cluster if not _is_unused(item)]
    if not live or any(decision.problem for decision in live):
        return
    paths = [analysis.tree.file(decision.config.built[0]).path for decision in live]
    modes_of = [modes.get(path, When.MAYBE) for path in paths]
    if When.NEVER in modes_of:
        # What TensorFlow 2 runs drops such a config.
        for decision in live:
            decision.problem = next(_of_eager_code(decision), None)
        if any(decision.problem for decision in live):
            return
    graph_mode = all(mode is When.ALWAYS for mode in modes_of)

    def decided(way: Way) -> list[Draft]:
        fresh = [decision.untouched() for decision in live]
        _decide_together(fresh, analysis, effects, way)
        return fresh

    way = replace(way, graph_mode=graph_mode)
    chosen = decided(way)
    doubtful = not graph_mode and When.NEVER not in modes_of
    if doubtful and any(decision.problem or decision.assumptions for decision in chosen):
        sure = replace(way, assume=False)
        chosen = _with_keras_session(live, decided, analysis, effects, sure) or chosen
    if doubtful and way.assume and any(decision.problem for decision in chosen):
        in_graphs = _with_keras_session(live, decided, analysis, effects, way)
        # Without Keras's session the migrated program may run eagerly, whatever a run before shows.
        if in_graphs is None and not any(is_for_keras(item, analysis, effects) for item in live):
            in_graphs = decided(replace(way, graph_mode=True, assumes_graphs=True))
        if in_graphs and not any(decision.problem for decision in in_graphs):
            chosen = in_graphs
    for decision, other in zip(live, chosen, strict=True):
        decision.become(other)
    # Last, so that a comment changes nothing about the reasons that there are without it.
    if not any(decision.problem for decision in live):
        for decision in live:
            decision.problem = next(_ignored(decision, analysis, book, selection), None)


def _with_keras_session(
    live: list[Draft],
    decided: Callable[[Way], list[Draft]],
    analysis: Analysis,
    effects: Effects,
    way: Way,
) -> list[Draft] | None:
    """Decide on configs for Keras of TensorFlow 1 whose session stays, so that graphs are built."""
    if effects.eager.turns_on or not all(is_for_keras(item, analysis, effects) for item in live):
        return None
    found = decided(replace(way, graph_mode=True))
    for decision in found:
        decision.in_graphs = True
    return None if any(decision.problem for decision in found) else found


def _of_eager_code(decision: Draft) -> Iterator[Problem]:
    for sink in decision.config.sinks:
        if sink.rule.converts == "eager":
            yield NotConverted(sink.call, sink.rule.name, sink.rule.reason, sink.rule.todo)


def _decide_together(live: list[Draft], analysis: Analysis, effects: Effects, way: Way) -> None:
    Together(live, analysis, effects, way).decide()
    if not way.graph_mode and not any(decision.problem for decision in live):
        for decision in live:
            decision.problem = _import_effect(decision, analysis)


def _is_unused(decision: Draft) -> bool:
    return isinstance(decision.problem, reasons.UnusedConfig)


def _clusters(decisions: list[Draft], effects: Effects) -> Iterator[list[Draft]]:
    """Yield the sets of configs of which some share a process, or the call that takes them."""
    left = list(decisions)
    while left:
        cluster, waiting = [], [left.pop(0)]
        while waiting:
            one = waiting.pop()
            cluster.append(one)
            near = [
                other
                for other in left
                if effects.order.share_process(one.config.built[0], other.config.built[0])
                or share_a_call(one.config.sinks, other.config.sinks)
            ]
            waiting += near
            left = [other for other in left if other not in near]
        yield sorted(cluster, key=decisions.index)


def _import_effect(decision: Draft, analysis: Analysis) -> Problem | None:
    """Find settings that the import of a module would apply to eager code of other files."""
    tree = analysis.tree
    if len(tree.files) == 1 or is_tied(decision, analysis):
        return None
    for place in places(decision, analysis):
        home = tree.file(place.node)
        if tree.function(place.node).kind != "module":
            continue
        for statement, other in tree.imported_modules():
            if other is home and tree.file(statement) is not home:
                return reasons.ImportEffect(decision.config.built[0], tree.file(statement).path)
    return None


def _unreadable(
    decision: Draft, analysis: Analysis, unreadable: Mapping[str, str]
) -> Iterator[Problem]:
    """Find a file of the program that cannot be read: what it does is not known."""
    first = decision.config.built[0]
    path = unreadable.get(analysis.tree.file(first).path)
    if path is not None:
        yield reasons.UnreadableModule(first, path)


def _outside_problems(decision: Draft, tree: Tree, selection: Selection) -> Iterator[Problem]:
    """Find what the user, or who imports all names of a file, has against a conversion."""
    for outcome in decision.outcomes:
        if not selection.selects(outcome.rule, outcome.setting.node):
            yield reasons.NotSelected(outcome.setting.node, outcome.rule.name)
    for module, name in decision.config.exports:
        if name.isidentifier() and tree.may_export(module, name):
            yield reasons.UsedElsewhere(decision.config.built[0], name, "__all__")


def _ignored(
    decision: Draft, analysis: Analysis, book: Rulebook, selection: Selection
) -> Iterator[Problem]:
    """Find what a comment ignores about a config that could be converted: it is to stay."""
    said: list[tuple[Rule | None, ast.AST]] = [
        (outcome.rule, outcome.setting.node) for outcome in decision.outcomes
    ]
    ends = [end for sink in decision.config.sinks for end in (sink, *sink.ends())]
    calls = {end.call for end in ends}
    uses = [use for use in analysis.facts.session_uses if use.session in calls]
    said += [(end.rule, end.call) for end in ends]
    said += [(use.rule, use.call) for use in uses]
    if decision.moved is not None:
        said.append((book.find("runtime-first"), decision.moved))
    for rule, node in said:
        if rule is not None and selection.ignores(rule, node):
            yield reasons.Ignored(node)


def _spread(decisions: list[Draft], tree: Tree) -> None:
    """Keep every config of a process where one is kept."""
    live = [item for item in decisions if not _is_unused(item)]
    stopper = next((item for item in live if item.problem is not None), None)
    if stopper is None or stopper.problem is None:
        return
    for decision in live:
        if decision.problem is None:
            first = decision.config.built[0]
            here = tree.file(stopper.problem.node) is tree.file(first)
            consequence = reasons.BesideKept if here else reasons.ProgramKept
            decision.problem = consequence(first, stopper.problem)
            decision.final = True
    if not all(decision.final for decision in live):
        for decision in live:
            decision.final = False
