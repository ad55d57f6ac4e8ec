"""Reasons to keep a config that do not depend on the rest of the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from tfgpu.code.ends import is_unreachable
from tfgpu.code.order import Order
from tfgpu.code.tree import Tree
from tfgpu.code.values import Value
from tfgpu.decide.apart import apart
from tfgpu.decide.assumptions import is_readable
from tfgpu.decide.copied import left_out
from tfgpu.decide.decision import Draft, Outcome
from tfgpu.decide.discarded import discards
from tfgpu.decide.effects import Effects
from tfgpu.decide.loaded_twice import loaded_twice
from tfgpu.decide.objects import own_objects
from tfgpu.decide.places import origins, outer_calls
from tfgpu.decide.set_twice import set_twice
from tfgpu.decide.unreturned import unreturned
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Config, Setting, Sink, conditions
from tfgpu.flow.locations import GROWTH, VIRTUAL_DEVICES
from tfgpu.flow.match import has_shape, match, wrong_type
from tfgpu.flow.python2 import division_problems
from tfgpu.flow.reasons import NotConverted, Problem
from tfgpu.flow.virtual import virtual_statements
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Case, SettingRule

VISIBLE_LIST = "gpu_options.visible_device_list"
_SHOWN = "the config is still built, for what prints it, and no session takes it any more"
_ENTERED = (
    "InteractiveSession becomes Session().__enter__(), which does not prune graphs before it "
    "places them, and is still the default session when it is closed"
)

# Expressions that run later than, or not as often as, the statement that they stand in.
_LAZY = (ast.Lambda, ast.comprehension, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def config_problems(
    decision: Draft,
    present: frozenset[str],
    analysis: Analysis,
    book: Rulebook,
    effects: Effects,
    gpu_memory: int = 0,
) -> Iterator[Problem]:
    """Yield the reasons to keep a config; `present` are all fields that the files set.

    `gpu_memory` is as in `Options`.
    """
    config = decision.config
    order = effects.order
    virtual = [setting for setting in config.settings if setting.field == VIRTUAL_DEVICES]
    visible = next((item for item in config.settings if item.field == VISIBLE_LIST), None)
    statements = virtual_statements(virtual, visible, analysis.tree, analysis.values)
    kept: list[Problem] = []
    for setting in config.settings:
        rule = book.rule_for(setting.field, present)
        if rule is None:
            nearest = book.nearest_field(setting.field)
            hint = f"; the nearest field is {nearest}" if nearest else ""
            decision.wrong.append(reasons.UnknownField(setting.node, setting.field, hint))
            continue
        if expected := wrong_type(setting.value, rule, setting.field):
            wrong = reasons.WrongType(setting.node, setting.field, setting.value.text, expected)
            decision.wrong.append(wrong)
            continue
        found = match(rule, setting.value, analysis.values, statements, gpu_memory)
        case, variables = found if found is not None else (None, {})
        variables = {**variables, "field": setting.field.rpartition(".")[2]}
        if case is not None and setting.field == VIRTUAL_DEVICES and setting is not virtual[-1]:
            case = None
        decision.outcomes.append(Outcome(setting, rule, case, variables))
        if case is not None and case.keep is not None:
            kept.append(NotConverted(setting.node, rule.name, case.keep, case.todo or ""))
        if case is not None and case.unsafe and not _is_sure(case, setting.value, analysis):
            decision.unsafe.append(reasons.NeedsUnsafe(setting.node, case.unsafe))
        kept += _overruled(setting, rule, analysis)
    # Whatever else is mended, such a call keeps its config, and such a value beside it.
    if never := [_not_converted(item) for item in config.sinks if item.rule.converts == "never"]:
        decision.final = bool(kept)
        yield from (*kept, *never)
    yield from config.problems
    yield from decision.wrong
    yield from division_problems(config.settings, analysis)
    yield from own_objects(decision, analysis, effects.eager.origins)
    yield from _shown(decision, analysis)
    if not config.sinks:
        yield reasons.UnusedConfig(config.built[0])
    yield from _late_problems(decision, analysis, order)
    yield from apart(decision, analysis)
    yield from loaded_twice(decision, analysis, order)
    yield from _place_problems(config, analysis, effects)
    decision.final = bool(kept)
    yield from kept
    yield from set_twice(decision, analysis, order)
    yield from _sink_problems(decision, analysis, order)


def _is_sure(case: Case, value: Value, analysis: Analysis) -> bool:
    """Tell whether all values that an expression may have are of shapes that make a case safe."""
    found = analysis.possible.values(value.node) if case.sure else None
    return found is not None and all(
        has_shape(known, case.sure, value, analysis.values) for known in found
    )


def _overruled(setting: Setting, rule: SettingRule, analysis: Analysis) -> Iterator[Problem]:
    """Find a variable of the environment, named in the files, that takes the place of a field."""
    tree = analysis.tree
    for name in rule.overruled_by:
        keywords = (item.arg for item in tree.nodes(ast.keyword))
        if not (name in keywords or any(name in text for text in tree.texts)):
            continue
        why = f"`{name}` in the environment takes its place, and not that of a limit of tf.config"
        todo = f"leave the config as it is, or set the limit without `{name}`"
        yield NotConverted(setting.node, rule.name, why, todo)


def _shown(decision: Draft, analysis: Analysis) -> Iterator[Problem]:
    """Find a config that is printed and cannot be built beside the settings that replace it."""
    config = decision.config
    again = (setting.value.node for setting in config.settings)
    if config.shown:
        if (
            not config.sinks
            or config.calls
            or config.dictionaries
            or not all(map(analysis.values.quiet, again))
        ):
            around = analysis.tree.within(config.shown[0])
            call = next(item for item in around if isinstance(item, ast.Call))
            yield reasons.PassedOn(call, call.func)
        decision.unsafe.append(reasons.NeedsUnsafe(config.shown[0], _SHOWN))


def _place_problems(config: Config, analysis: Analysis, effects: Effects) -> Iterator[Problem]:
    """Find configs and sinks at places where no statement can be put before them."""
    calls = [call for call, _ in config.calls]
    # Of a call that takes a config nothing else moves: `tf.Session(graph=graph, config=config)`.
    sinks = (sink for sink in config.sinks if not _is_listed(sink, analysis))
    moved = [(node, node) for node in (*config.built, *config.dictionaries)]
    moved += [(sink.call, sink.argument or sink.call) for sink in sinks]
    moved += [(call, call) for call in calls]
    for node, part in moved:
        problem = _no_place(node, part, analysis) or _shown_as_code(node, analysis.tree)
        if problem is not None:
            yield problem
    # Values, and calls of functions that return the config, move in front of their statement.
    for call in (*config.built, *calls):
        for test, _ in conditions(call, analysis.tree):
            if not analysis.values.quiet(test):
                yield reasons.EvaluationOrder(test, test)
    for value in (*(item.value.node for item in config.settings), *calls):
        statement = analysis.tree.statement(value)
        moves = statement not in config.statements
        if (
            moves
            and not (value not in calls and analysis.values.known(value) is not None)
            and _has_call_before(value, statement, config, analysis)
        ):
            from tfgpu.decide.moves import is_same_at  # noqa: PLC0415 - few need it

            if not is_same_at(value, statement, analysis, effects):
                yield reasons.EvaluationOrder(value, value)


def _shown_as_code(node: ast.AST, tree: Tree) -> Problem | None:
    """Find an f-string that shows the code in it: `f"{tf.Session(config=config)=}"`."""
    for part, text in pairwise([node, *tree.within(node)]):
        if isinstance(part, ast.FormattedValue) and isinstance(text, ast.JoinedStr):
            # Python puts the code, with its `=`, into the text in front of the value.
            place = text.values.index(part)
            before = text.values[place - 1] if place else None
            told = before.value if isinstance(before, ast.Constant) else None
            if isinstance(told, str) and told.rstrip().endswith("="):
                return reasons.ConfigRead(text, text)
    return None


def _is_listed(sink: Sink, analysis: Analysis) -> bool:
    """Tell whether a list or the like of sessions takes a variable: nothing is put before them."""
    tree = analysis.tree
    return (
        isinstance(sink.argument, ast.Name)
        and sink.made is sink.call
        and isinstance(tree.function(sink.call).node, ast.ListComp | ast.SetComp | ast.DictComp)
        and tree.function(sink.argument) is tree.function(sink.call)
        and _bound_outside(sink.argument, analysis)
    )


def _bound_outside(name: ast.Name, analysis: Analysis) -> bool:
    """Tell whether a variable of a comprehension comes from around it."""
    variable = analysis.symbols.variable(name)
    return variable is not None and variable[0] is not analysis.tree.function(name)


def _has_call_before(
    value: ast.expr, statement: ast.stmt, config: Config, analysis: Analysis
) -> bool:
    """Tell whether a statement calls something else before it evaluates a value."""
    tree = analysis.tree
    around = {value, *tree.within(value)}
    return any(
        call not in around
        and call not in config.built
        and tree.statement(call) is statement
        and tree.position(call) < tree.position(value)
        and not analysis.values.quiet(call)
        for call in tree.calls
    )


def _known_tests(setting: Setting) -> set[tuple[ast.expr, bool]]:
    """Return the tests of conditional expressions that decide on a setting, with both outcomes."""
    return {(test, outcome) for test, _ in setting.conditions for outcome in (True, False)}


def _late_problems(decision: Draft, analysis: Analysis, order: Order) -> Iterator[Problem]:
    """Find settings, and values None, whose moment relative to the config is not certain."""
    tree = analysis.tree
    config = decision.config
    for root in config.roots:
        # A part that is built before stays unconditional, though the config around it is not.
        tests = set(conditions(root, tree))
        for outcome in decision.outcomes if tests else ():
            here = tree.function(outcome.setting.node) is tree.function(root)
            if here and outcome.setting.through and not tests & _known_tests(outcome.setting):
                yield reasons.GivenUp(root)
    for outcome in decision.outcomes:
        setting = outcome.setting
        if (
            not origins(decision, setting.node, analysis)
            or not any(order.may_precede(setting.node, sink.made) for sink in config.sinks)
            or is_unreachable(setting.statement, tree)
        ):
            yield reasons.SetLate(setting.node, setting.field)
        elif setting.field == VIRTUAL_DEVICES:
            origin = origins(decision, setting.node, analysis)[-1]
            looped = tree.in_loop(setting.node) and not tree.in_loop(origin)
            first = next(item for item in config.settings if item.field == VIRTUAL_DEVICES)
            if looped or tree.guards(setting.node) != tree.guards(first.node):
                yield reasons.Apart(setting.node, origin)
    for node in (*discards(decision, analysis, order), *left_out(decision, analysis, order)):
        yield reasons.GivenUp(node)
    yield from unreturned(decision, analysis, order)
    calls = outer_calls(decision, analysis)
    helpers = {analysis.callees.runs(call) for call, _ in config.calls}
    makes = any(tree.function(sink.call).node in helpers for sink in config.sinks)
    if len(calls) > 1 and (makes or (len(helpers) > 1 and len(config.sinks) > 1)):
        yield reasons.SharedHelper(config.calls[0][0])


def _no_place(node: ast.AST, part: ast.AST, analysis: Analysis) -> Problem | None:
    """Find what keeps a node from having statements put before its own one, made of a part."""
    tree = analysis.tree
    child = node
    while not isinstance(child, ast.stmt):
        parent = tree.parent[child]
        late = (
            isinstance(parent, ast.BoolOp)
            and child is not parent.values[0]
            and parent not in tree.opened
        )
        if late or isinstance(parent, _LAZY):
            return reasons.NoPlace(node)
        child = parent
    repeated = isinstance(child, ast.While | ast.FunctionDef | ast.AsyncFunctionDef)
    elif_test = isinstance(child, ast.If) and _is_elif(child, analysis)
    header = isinstance(child, ast.With | ast.AsyncWith) and _uses_header(part, child)
    if repeated or elif_test or header or isinstance(child, ast.ClassDef | ast.Assert):
        return reasons.NoPlace(node)
    return None


def _is_elif(statement: ast.If, analysis: Analysis) -> bool:
    around = analysis.tree.parent[statement]
    return (
        isinstance(around, ast.If)
        and around.orelse == [statement]
        and around.col_offset == statement.col_offset
    )


def _uses_header(node: ast.AST, statement: ast.With | ast.AsyncWith) -> bool:
    """Tell whether an expression in a `with` header uses what the header binds.

    `as self.sess` binds an attribute, and not `self`.
    """
    bound = {
        ast.unparse(target)
        for item in statement.items
        if item.optional_vars is not None
        for target in ast.walk(item.optional_vars)
        if isinstance(getattr(target, "ctx", None), ast.Store)
    }
    return any(
        isinstance(inner, ast.expr) and ast.unparse(inner) in bound for inner in ast.walk(node)
    )


def _sink_problems(decision: Draft, analysis: Analysis, order: Order) -> Iterator[Problem]:
    for sink in decision.config.sinks:
        rule = sink.rule
        if rule.converts == "growth-only" and _can_be_entered(sink, decision, analysis):
            if not _sets_growth_only(decision, analysis):
                ends = (end for end in sink.ends() if end.rule.converts == "growth-only")
                decision.entered.extend(ends)
                decision.unsafe.append(reasons.NeedsUnsafe(sink.call, _ENTERED))
        elif (rule.converts == "eager" and not _is_of_tensorflow1(sink, analysis)) or (
            rule.converts == "growth-only" and not _sets_growth_only(decision, analysis)
        ):
            yield _not_converted(sink)
        if rule.converts == "eager":
            yield from _behind_eager_execution(sink, analysis, order)
            yield from _ignored_by_eager_code(decision)
        for end in sink.ends():
            yield from _end_problems(end)


def _not_converted(sink: Sink) -> NotConverted:
    return NotConverted(sink.call, sink.rule.name, sink.rule.reason, sink.rule.todo)


def _behind_eager_execution(sink: Sink, analysis: Analysis, order: Order) -> Iterator[Problem]:
    """Find what turns eager execution on first: TensorFlow 1 then drops the config of a call."""
    for end in sink.ends():
        for call, name in analysis.symbols.calls(analysis.tree):
            is_other = name in end.rule.blockers and call is not end.call
            if is_other and order.may_precede(call, end.call):
                where = analysis.tree.where_from(call, end.call)
                why = f"TensorFlow 1 drops it where eager execution is on already: {where}"
                yield NotConverted(end.call, end.rule.name, why, end.rule.todo)
                return


def _ignored_by_eager_code(decision: Draft) -> Iterator[Problem]:
    """Find settings that eager code ignores in a config, but not in tf.config.

    Eager code places softly whatever its config says (measured), unless tf.config says otherwise.
    """
    for outcome in decision.outcomes:
        harmless = outcome.rule.harmless
        if harmless is not None and outcome.setting.value.known not in harmless.values:
            yield reasons.EagerCode(outcome.setting.node, outcome.setting.field)


def _is_of_tensorflow1(sink: Sink, analysis: Analysis) -> bool:
    """Tell whether a call has a name that no TensorFlow 2 has, and so runs on version 1 only.

    With other arguments it raises where tf.config has made the eager context before.
    """
    call = sink.call
    paths = analysis.symbols.paths(call.func) if sink.through is None else frozenset[str]()
    is_old = bool(paths) and not any(path.startswith("tensorflow.compat.") for path in paths)
    return is_old and len(call.args) + len(call.keywords) == 1


def _can_be_entered(sink: Sink, decision: Draft, analysis: Analysis) -> bool:
    """Tell whether a plain session that is entered can stand where a call makes one.

    A session that is entered makes its graph the default one, which nothing can reset then.
    """
    tree = analysis.tree
    ends = [end.call for end in sink.ends() if end.rule.converts == "growth-only"]
    return (
        (sink.through is None or _always_has_config(sink))
        and all(isinstance(end.func, ast.Attribute) for end in ends)
        and not any(isinstance(tree.parent[end], ast.withitem) for end in ends)
        and not decision.config.nones
        and not tree.attributes.get("reset_default_graph")
        and not tree.names.get("reset_default_graph")
    )


def _always_has_config(sink: Sink) -> bool:
    """Tell whether what a call hands on is a config for each session: the call's, or a default."""
    through = sink.through
    return through is not None and (
        through.fill is not None or all(map(_always_has_config, through.sinks))
    )


def _end_problems(sink: Sink) -> Iterator[Problem]:
    """Find why a call of TensorFlow cannot lose its config, where its kind could."""
    if sink.name is None:
        assert isinstance(sink.call.func, ast.Attribute)
        method = sink.call.func.attr
        name = next(name for name in sink.rule.calls if name.rpartition(".")[2] == method)
        yield reasons.UnknownObject(sink.call, name, sink.call.func)
    elif sink.session is None:
        yield reasons.SessionElsewhere(sink.call, sink.rule.maker or "")
    elif sink.target is not None and not (is_empty(sink.target) or may_be_empty(sink.target)):
        yield reasons.RemoteTarget(sink.call)
    elif any(isinstance(argument, ast.Starred) for argument in sink.call.args):
        yield reasons.Kwargs(sink.call, sink.call)


def _sets_growth_only(decision: Draft, analysis: Analysis) -> bool:
    effective = [item for item in decision.outcomes if item.case and item.case.drop is None]
    return (
        len(effective) == 1
        and effective[0].setting.field == GROWTH
        and effective[0].setting.value.known is True
        and not effective[0].setting.conditions
        and analysis.tree.guards(effective[0].setting.node)
        == analysis.tree.guards(decision.config.built[0])
        and not decision.config.calls
        and len(decision.config.sinks) == 1
    )


def is_empty(target: ast.expr) -> bool:
    """Tell whether the target of a session is the process itself."""
    return isinstance(target, ast.Constant) and not target.value


def may_be_empty(target: ast.expr) -> bool:
    """Tell whether a run can be asked for a target that may be empty: a server has its own."""
    is_of_server = isinstance(target, ast.Attribute) and target.attr == "target"
    return is_readable(target) and not (isinstance(target, ast.Constant) or is_of_server)
