"""Compares devices, with card and limit of each, and what the driver saw of each card's memory."""

from __future__ import annotations

from collections.abc import Iterator

from tfgpu.verify.compare.pairing import (
    EAGER,
    FUNCTION,
    NO_SESSION,
    NOTHING_RAN,
    asked_elsewhere,
    ended_early,
    has_idle_context,
    nothing_to_compare,
    same_form,
    same_runtime,
    session_pairs,
)
from tfgpu.verify.compare.settings import GROWTH, LIMIT, MAPPING, differing, settings_behind
from tfgpu.verify.lists import first_of
from tfgpu.verify.observation import Device, GpuMemory, Observation, Session
from tfgpu.verify.threads import functions_of_threads
from tfgpu.verify.verdict import Entry, Outcome

MIB = 2**20

# A first allocation of this share of a device's limit is all that it will take.
_PREALLOCATED = 0.8

_GROWING = "growing"

# Two runtimes need not take the same: this much more or less (bytes, share) says nothing.
_PEAK_BYTES = 256 * MIB
_PEAK_SHARE = 0.25


# What two runs of one program may differ in (bytes, share of the larger): the measured spread of
# the programs in tests/verify/programs is 1.2 %.
_USE_BYTES = 64 * 1024
_USE_SHARE = 0.04
# Branches of one function that run side by side hold more at once, or less, as chance has it; what
# all of them put out is known of sessions only.
_BRANCHES_SHARE = 0.25
# A limit in a ConfigProto is a fraction, in tf.config whole MiB.
_WHOLE_MIB = "less than 1 MiB apart: limits are whole MiB in tf.config"


def compare_memory(before: Observation, after: Observation) -> list[Entry]:
    """Return what becomes of the memory of every card that a leg touched."""
    left = {memory.bus: memory for memory in before.memory}
    right = {memory.bus: memory for memory in after.memory}
    entries: list[Entry] = []
    for bus in sorted({*left, *right}):
        entries.extend(_card(bus, left.get(bus), right.get(bus), before, after))
    entries.extend(_use(before, after))
    if entries:
        return entries
    if before.sessions or after.sessions:
        return [Entry("GPU memory", Outcome.MATCH, "none taken", "none taken")]
    return [nothing_to_compare("GPU memory", NO_SESSION, before, after)]


def _card(
    bus: str,
    mine: GpuMemory | None,
    theirs: GpuMemory | None,
    before: Observation,
    after: Observation,
) -> Iterator[Entry]:
    pairs = session_pairs(before, after)
    pair = pairs[0] if pairs else (None, None)
    behind = settings_behind(GROWTH, before, after, pair)
    alike = not (differing(GROWTH, before, after, pair) or ended_early(before, after))
    if alike and asked_elsewhere(before, after):
        behind = "the two programs ask for other devices: see placement"
    modes = _mode(mine, before), _mode(theirs, after)
    same_mode = modes[0] == modes[1]
    if same_mode and alike and not asked_elsewhere(before, after):
        behind = "no setting that decides differs, nor the mode: the two sides ran something else"
    if not (mine and theirs):
        behind = _untouched(bus, before, after) or behind
    yield Entry(
        "mode",
        Outcome.MATCH if same_mode else Outcome.MISMATCH,
        *modes,
        "" if same_mode else behind,
        graph=bus,
    )
    if not mine or not theirs:
        return
    if not mine.calls and not theirs.calls:
        yield _peaks(bus, mine, theirs, behind, "sampled on real GPUs")
    elif same_runtime(before, after) and same_form(before, after):
        by_chance = (
            same_mode
            and _same_limits(bus, before, after)
            and _by_order(mine, theirs, modes[0] == _GROWING, _same_use(bus, before, after))
        )
        yield _sequences(bus, mine, theirs, by_chance, behind)
    else:
        reason = "graphs and eager code" if same_runtime(before, after) else "two runtimes"
        yield _peaks(bus, mine, theirs, behind, f"{reason} allocate in another order")


def _untouched(bus: str, before: Observation, after: Observation) -> str:
    """Return in words that only one side has operations on a card that is the same device to both.

    "" where that is not why the other side left it alone.
    """
    legs = (before, after)
    ran = [_ran_on(bus, leg) for leg in legs]
    if ran[0] == ran[1] or ended_early(*legs) or _devices(bus, before) != _devices(bus, after):
        return ""
    return f"operations ran on this card {'before' if ran[0] else 'after'} only: see placement"


def _on(bus: str, leg: Observation) -> list[Device]:
    return [device for one in leg.sessions for device in one.devices if device.bus == bus]


def _devices(bus: str, leg: Observation) -> set[str]:
    """Return the names of a leg's devices on a card."""
    return {device.name for device in _on(bus, leg)}


def _ran_on(bus: str, leg: Observation) -> bool:
    names = _devices(bus, leg)
    return any(one.device in names for graph in leg.placements for one in graph.operations)


def _mode(memory: GpuMemory | None, leg: Observation) -> str:
    """Return how a leg takes memory: at once up to its limit, as it needs it, or not at all."""
    if memory is None:
        return "untouched"
    if not memory.calls:  # sampled
        share = memory.peak / memory.free_at_start if memory.free_at_start else 0
        return "preallocated" if share >= _PREALLOCATED else "growing or limited"
    taken = [size for call, size in memory.calls if not call.endswith("failed")]
    if not taken:
        return "untouched" if not memory.calls else "out of memory"
    limits = [device.limit for device in _on(memory.bus, leg) if device.limit]
    limit = min(limits, default=memory.total)
    return "preallocated" if taken[0] >= _PREALLOCATED * limit else _GROWING


def _same_limits(bus: str, before: Observation, after: Observation) -> bool:
    """Tell whether a card is the same devices with the same limits on both sides."""
    left, right = ({(one.name, one.limit) for one in _on(bus, leg)} for leg in (before, after))
    return len(left) == len(right) and all(
        mine[0] == theirs[0] and abs(mine[1] - theirs[1]) < MIB
        for mine, theirs in zip(sorted(left), sorted(right), strict=True)
    )


def _sequences(bus: str, mine: GpuMemory, theirs: GpuMemory, by_chance: bool, behind: str) -> Entry:
    """Compare allocations; `by_chance` where the order of operations can decide them."""
    subject = "allocations in order (MiB)"
    texts = (_short(mine), _short(theirs))
    if list(mine.calls) == list(theirs.calls):
        return Entry(subject, Outcome.MATCH, *texts, graph=bus)
    close = len(mine.calls) == len(theirs.calls) and all(
        left[0] == right[0] and abs(left[1] - right[1]) < MIB
        for left, right in zip(mine.calls, theirs.calls, strict=True)
    )
    if close:
        return Entry(subject, Outcome.IGNORED, *texts, _WHOLE_MIB, "TFG102", graph=bus)
    if by_chance:
        reason = "operations that run side by side ask for memory in any order"
        return Entry(subject, Outcome.IGNORED, *texts, reason, graph=bus)
    return Entry(subject, Outcome.MISMATCH, *texts, behind, graph=bus)


def _by_order(mine: GpuMemory, theirs: GpuMemory, growing: bool, same_use: bool | None) -> bool:
    """Tell whether two sequences can come of the same operations in another order.

    What grows grows by doubling, so that one side may have taken twice as much as the other where
    the same use of it is known (`same_use`), or where no use is.
    """
    if sorted(mine.calls) == sorted(theirs.calls):
        return True
    if not growing or {call for call, _ in mine.calls} != {call for call, _ in theirs.calls}:
        return False
    least, most = sorted((mine.peak, theirs.peak))
    return same_use is not False and most <= 2 * least + _PEAK_BYTES


def _same_use(bus: str, before: Observation, after: Observation) -> bool | None:
    """Tell whether both legs use a card alike; None where one does not tell."""
    names = _devices(bus, before) | _devices(bus, after)
    if any(name not in leg.allocator for leg in (before, after) for name in names):
        return None
    return all(
        entry.outcome is not Outcome.MISMATCH
        for name in names
        for entry in _of_device(name, before, after)
    )


def _near(mine: int, theirs: int, share: float = _USE_SHARE) -> bool:
    return abs(mine - theirs) <= max(_USE_BYTES, share * max(mine, theirs))


def _use(before: Observation, after: Observation) -> Iterator[Entry]:
    """Compare how much of its memory each device used, whoever took it from the driver."""
    for name in sorted(before.allocator.keys() & after.allocator.keys()):
        yield from _of_device(name, before, after)


def _of_device(name: str, before: Observation, after: Observation) -> Iterator[Entry]:
    results, peaks, held = (
        (before.allocator[name].get(key, 0), after.allocator[name].get(key, 0))
        for key in ("results", "peak", "current")
    )
    alike = same_form(before, after) and same_runtime(before, after)
    order = "which operations run side by side is chance"
    for subject, (mine, theirs) in (("results of operations", results), ("peak of use", peaks)):
        if not mine and not theirs:
            continue
        texts = (f"{mine / MIB:.6g} MiB", f"{theirs / MIB:.6g} MiB")
        outcome, reason = Outcome.MATCH, ""
        if not alike:
            reason = "graphs, eager code and other versions hold other copies"
            outcome = Outcome.IGNORED
        elif _near(mine, theirs):
            reason = "" if mine == theirs else f"within {_USE_SHARE:.0%}: {order}"
        elif subject == "peak of use" and all(results) and _near(*results) and not _near(*held):
            outcome = Outcome.INCONCLUSIVE
            reason = "the sides hold other sizes at their end, which may not come of any order"
        elif subject == "peak of use" and all(results) and _near(*results):
            outcome = Outcome.IGNORED
            reason = f"the results of all operations take the same: {order}"
        elif subject == "peak of use" and _by_threads(mine, theirs, before, after):
            outcome = Outcome.IGNORED
            reason = "which functions of threads run side by side is chance"
        elif _has_functions(before) and _near(mine, theirs, _BRANCHES_SHARE):
            outcome = Outcome.INCONCLUSIVE
            reason = f"within {_BRANCHES_SHARE:.0%}, which may come of functions: {order}"
        else:
            outcome = Outcome.MISMATCH
            reason = f"more than {_USE_SHARE:.0%} apart: the two sides do not hold the same"
        yield Entry(subject, outcome, *texts, reason, graph=name)


def _by_threads(mine: int, theirs: int, before: Observation, after: Observation) -> bool:
    """Tell whether two peaks can come of the same functions, more or less of them at a time."""
    number = len(functions_of_threads(before))
    if not number or functions_of_threads(after) != functions_of_threads(before):
        return False
    return max(mine, theirs) <= number * min(mine, theirs) + _USE_BYTES


def _has_functions(leg: Observation) -> bool:
    return any(placement.title.startswith(FUNCTION) for placement in leg.placements)


def _short(memory: GpuMemory, most: int = 12) -> str:
    words = [
        f"{'' if call == 'alloc' else call + ' '}{size / MIB:.6g}" for call, size in memory.calls
    ]
    return first_of(words, most)


def _peaks(bus: str, mine: GpuMemory, theirs: GpuMemory, behind: str, why: str) -> Entry:
    gap = abs(mine.peak - theirs.peak)
    allowed = max(_PEAK_BYTES, _PEAK_SHARE * mine.peak)
    same = gap <= allowed
    texts = (f"{mine.peak / MIB:.0f}", f"{theirs.peak / MIB:.0f}")
    tolerance = f"within {allowed / MIB:.0f} MiB, since {why}"
    return Entry(
        "peak (MiB)",
        Outcome.MATCH if same else Outcome.MISMATCH,
        *texts,
        tolerance if same else behind,
        graph=bus,
    )


def compare_devices(before: Observation, after: Observation) -> list[Entry]:
    """Return what becomes of the devices of every session."""
    pairs = session_pairs(before, after)
    entries = [entry for pair in pairs for entry in _pair(before, after, pair)]
    return entries or [nothing_to_compare("devices", NO_SESSION, before, after)]


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

    # XLA's views of 1.15 heed visible_device_list and not device_count; what is placed on one is
    # compared by itself.
    has_views = any(leg.tensorflow.startswith("1.") for leg in (before, after))
    if (old is None or new is None) and name.startswith("XLA_") and has_views:
        return entry(Outcome.IGNORED, "TensorFlow 1.15 lists XLA's view of each device as well")
    idle = graph == EAGER == (pair[1] and pair[1].title) and has_idle_context(before, after)
    if idle and old != new:
        return entry(Outcome.IGNORED, NOTHING_RAN)
    if old is None or new is None or old.bus != new.bus:
        return entry(Outcome.MISMATCH, settings_behind(MAPPING, before, after, pair))
    if not name.startswith("GPU") or old.limit == new.limit:
        return entry(Outcome.MATCH)
    if abs(old.limit - new.limit) < MIB:
        return entry(Outcome.IGNORED, _WHOLE_MIB, "TFG102")
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
