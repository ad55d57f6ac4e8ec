"""Compares two legs, aspect by aspect."""

from __future__ import annotations

from tfgpu.verify.compare.configuration import compare_configuration
from tfgpu.verify.compare.devices import compare_devices
from tfgpu.verify.compare.memory import compare_memory
from tfgpu.verify.compare.placement import compare_placement
from tfgpu.verify.compare.result import compare_result
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Aspect, Entry, Outcome

_COMPARED = {
    "devices": compare_devices,
    "configuration": compare_configuration,
    "placement": compare_placement,
    "memory": compare_memory,
    "result": compare_result,
}


def compare(before: Observation, after: Observation, simulated: bool) -> list[Aspect]:
    """Return all aspects of two legs; `simulated` GPUs compute no numbers."""
    blocked = [
        f"{name} could not be run"
        for name, leg in (("before", before), ("after", after))
        if leg.ended == "blocked"
    ]
    if blocked:
        why = Entry("everything", Outcome.INCONCLUSIVE, "", "", " and ".join(blocked))
        return [
            Aspect(name, compare_result(before, after, simulated) if name == "result" else [why])
            for name in _COMPARED
        ]
    return [
        Aspect(name, compared(before, after, simulated)) for name, compared in _COMPARED.items()
    ]
