"""Fields that a program sets twice: which of the settings stay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tfgpu.code.ends import may_fail, may_leave
from tfgpu.code.order import Order
from tfgpu.code.when import When
from tfgpu.decide.decision import Draft, Outcome
from tfgpu.decide.places import is_built_again
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Setting, opposed
from tfgpu.flow.locations import GROWTH, VIRTUAL_DEVICES
from tfgpu.flow.reasons import Problem


def set_twice(decision: Draft, analysis: Analysis, order: Order) -> Iterator[Problem]:
    """Find fields that are set twice on one path, and drop what is overwritten right away."""
    tree = analysis.tree
    for (number, one), (_, other) in combinations(enumerate(decision.outcomes), 2):
        if one.setting.field != other.setting.field or one.setting.field == VIRTUAL_DEVICES:
            continue
        a, b = one.setting, other.setting
        if tree.exclusive(a.node, b.node) or opposed(a.conditions, b.conditions):
            continue
        if is_built_again(decision, a.node, b.node, analysis):
            continue
        straight = (
            tree.block(a.statement) is tree.block(b.statement)
            and not b.conditions
            and len(decision.config.roots) == 1
        )
        used = any(
            order.between(a.node, sink.made, b.node) is not When.NEVER
            for sink in decision.config.sinks
        )
        certain = straight and _is_always_reached(a, b, decision, analysis, order)
        if certain and not used and analysis.values.quiet(a.value.node):
            decision.outcomes[number] = Outcome(a, one.rule, None, one.variables)
        elif not (_is_setter(one) and _is_setter(other)):
            yield reasons.SetTwice(b.node, b.field, a.node)


def _is_always_reached(
    one: Setting, other: Setting, decision: Draft, analysis: Analysis, order: Order
) -> bool:
    """Tell whether the later of two settings of one block is made wherever the first one is.

    No statement between them leads elsewhere, and none fails where the program may go on behind it.
    """
    from tfgpu.decide.survival import survives  # noqa: PLC0415 - few need it

    block = analysis.tree.block(one.statement)
    at, end = block.index(one.statement) + 1, block.index(other.statement)
    return not any(map(may_leave, block[at:end])) and not any(
        may_fail(statement, decision.config.built) and survives(statement, analysis, order)
        for statement in block[at : end + 1]
    )


def _is_setter(outcome: Outcome) -> bool:
    """Tell whether the later of two such pieces of code overrides the earlier one."""
    emit = outcome.case.emit if outcome.case is not None else None
    if emit is None:
        return False
    return bool(
        emit.statements or emit.options or (outcome.setting.field == GROWTH and emit.each_gpu)
    )
