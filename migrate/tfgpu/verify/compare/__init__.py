"""Compares two legs, aspect by aspect."""

from __future__ import annotations

from tfgpu.verify.compare.children import compare_children
from tfgpu.verify.compare.configuration import compare_configuration
from tfgpu.verify.compare.cut import without_consequences
from tfgpu.verify.compare.memory import compare_devices, compare_memory
from tfgpu.verify.compare.pairing import in_order_of
from tfgpu.verify.compare.placement import compare_placement
from tfgpu.verify.compare.result import compare_result
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Aspect, Entry, Outcome

_COMPARED = {
    "devices": compare_devices,
    "configuration": compare_configuration,
    "placement": compare_placement,
    "memory": compare_memory,
}


def compare(before: Observation, after: Observation, simulated: bool) -> list[Aspect]:
    """Return all aspects of two legs; `simulated` GPUs compute no numbers."""
    after = in_order_of(before, after)
    result = compare_result(before, after, simulated)
    blocked = [
        f"{name} could not be run"
        for name, leg in (("before", before), ("after", after))
        if leg.ended == "blocked"
    ]
    if blocked:
        why = Entry("everything", Outcome.INCONCLUSIVE, "", "", " and ".join(blocked))
        return [*(Aspect(name, [why]) for name in _COMPARED), Aspect("result", result)]
    found = {
        name: [] if _leaves_to_children(name, before, after) else compared(before, after)
        for name, compared in _COMPARED.items()
    }
    found["result"] = result
    for name, entry in compare_children(before, after, _COMPARED):
        found[name].append(entry)
    return [
        Aspect(name, without_consequences(name, entries, before, after))
        for name, entries in found.items()
    ]


def _leaves_to_children(aspect: str, before: Observation, after: Observation) -> bool:
    """Tell whether both programs only start others, which do the work; or all operations of it."""
    starts = all(leg.children and not leg.placements for leg in (before, after))
    if aspect == "placement" and starts:
        return all(any(child.placements for child in leg.children) for leg in (before, after))
    return starts and not before.sessions and not after.sessions
