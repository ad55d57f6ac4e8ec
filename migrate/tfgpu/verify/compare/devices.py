"""Compares devices: their number, the card of each, and its memory limit."""

from __future__ import annotations

from collections.abc import Iterator

from tfgpu.verify.compare.pairing import (
    NO_SESSION,
    ended_early,
    nothing_to_compare,
    same_runtime,
    session_pairs,
)
from tfgpu.verify.compare.settings import LIMIT, MAPPING, settings_behind
from tfgpu.verify.observation import Device, Observation, Session
from tfgpu.verify.verdict import Entry, Outcome

MIB = 2**20

# A limit in a ConfigProto is a fraction, in tf.config whole MiB.
_WHOLE_MIB = "limits are whole MiB in tf.config"


def compare_devices(before: Observation, after: Observation) -> list[Entry]:
    """Return what becomes of the devices of every session."""
    entries: list[Entry] = []
    for pair in session_pairs(before, after):
        entries.extend(_pair(before, after, pair))
    if not entries:
        entries.append(nothing_to_compare("devices", NO_SESSION, before, after))
    return entries


def _pair(
    before: Observation, after: Observation, pair: tuple[Session | None, Session | None]
) -> Iterator[Entry]:
    left, right = pair
    if left is None or right is None:
        there = left or right
        assert there is not None
        yield Entry(
            there.title,
            Outcome.MISMATCH,
            "made" if left else "",
            "made" if right else "",
            ended_early(before, after) or "only one side makes this session",
            source=there.source,
        )
        return
    old, new = ({device.name: device for device in one.devices} for one in (left, right))
    for name in sorted({*old, *new}):
        yield _device(name, old.get(name), new.get(name), before, after, pair)


def _device(
    name: str,
    old: Device | None,
    new: Device | None,
    before: Observation,
    after: Observation,
    pair: tuple[Session | None, Session | None],
) -> Entry:
    assert pair[0] is not None
    graph = pair[0].title
    source = pair[1].source if pair[1] else ""
    texts = (_text(old), _text(new))

    def entry(outcome: Outcome, reason: str = "", rule: str = "") -> Entry:
        return Entry(name, outcome, *texts, reason, rule, source, graph)

    if (old is None or new is None) and name.startswith("XLA_") and not same_runtime(before, after):
        return entry(Outcome.IGNORED, "TensorFlow 1.15 lists XLA's view of each device as well")
    if old is None or new is None or old.bus != new.bus:
        return entry(Outcome.MISMATCH, settings_behind(MAPPING, before, after, pair))
    if not name.startswith("GPU") or old.limit == new.limit:
        return entry(Outcome.MATCH)
    gap = abs(old.limit - new.limit)
    if gap < MIB:
        return entry(Outcome.IGNORED, f"less than 1 MiB apart: {_WHOLE_MIB}", "TFG102")
    if not same_runtime(before, after) and not _limited(pair):
        reason = (
            "without a limit, TensorFlow 1 takes 95 % of the free memory and TensorFlow 2 all but "
            "a reserve: this comes with the runtime, not with the settings"
        )
        return entry(Outcome.IGNORED, reason)
    return entry(Outcome.MISMATCH, settings_behind(LIMIT, before, after, pair))


def _limited(pair: tuple[Session | None, Session | None]) -> bool:
    """Tell whether a memory limit is set on either side."""
    limits = (
        "gpu_options.per_process_gpu_memory_fraction",
        "gpu_options.experimental.virtual_devices",
    )
    return any(field.startswith(limits) for one in pair if one for field in one.config)


def _text(device: Device | None) -> str:
    if device is None:
        return "no such device"
    if not device.bus:
        return device.name
    return f"{device.limit / MIB:.6g} MiB on {device.bus}"
