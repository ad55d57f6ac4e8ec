"""What differs between two legs of a program, field by field, without tolerance but for rounding.

`tfgpu.verify.compare` forgives what a user need not see (allocations in another order, a session
that answers to another). Here whatever can be observed must be the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tests.differential.forks import PROBE
from tfgpu.verify.compare.placement import in_order
from tfgpu.verify.observation import GpuMemory, Observation, Session

MIB = 2**20
EAGER = "eager context"

# Fields of ConfigProto whose effect is compared itself (devices, limits, allocations, threads).
_BY_EFFECT = (
    "gpu_options.allow_growth",
    "gpu_options.per_process_gpu_memory_fraction",
    "gpu_options.visible_device_list",
    "gpu_options.experimental.virtual_devices",
    "pluggable_device_options",
    "device_count",
    "inter_op_parallelism_threads",
    "intra_op_parallelism_threads",
)
# Fields that TensorFlow reads nowhere, or that tf.config writes beside another.
_WITHOUT_EFFECT = (
    "gpu_options.allocator_type",
    "gpu_options.deferred_deletion_bytes",
    "gpu_options.polling_",
    "placement_period",
    "experimental.mlir_bridge_rollout",
    "graph_options.enable_recv_scheduling",
)
# A value that means the same as none.
_AS_UNSET = {"graph_options.optimizer_options.global_jit_level": "OFF"}
_DRIVER = "tf_cuda_driver"
_OPERATIONS = "tf_Compute"
_ADDRESS = re.compile(r"0x[0-9a-f]+|(\.py:|line )\d+")


def why_not_comparable(before: Observation, stands_in: bool) -> str:
    """Return why the leg before is no judge of the leg after, "" where it is one.

    Where compat.v1 of TensorFlow 2 stands in for TensorFlow 1, it makes an eager context where that
    has none; it makes GPUs, and what a later session wants of those counts no more.
    """
    for reason in before.trouble:
        if "without asking the simulated driver" not in reason:
            return reason
    if before.ended in ("timeout", "signal"):
        return f"before: {_ending(before)}"
    if _is_eager(before):
        return ""
    shown: set[str] = set()
    for index, session in enumerate(before.sessions if stands_in else ()):
        names = {one.name for one in session.devices if one.name.startswith("GPU")}
        later = [one for one in before.sessions[index + 1 :] if one.title != EAGER]
        if session.title == EAGER and later and (not shown or names - shown):
            return "compat.v1 makes an eager context, and GPUs with it, before a session"
        shown |= names
    if stands_in and any(error.who == "eager context" for error in before.errors):
        return "compat.v1 fails to make an eager context behind a session"
    return f"fails before: {before.failure.kind}" if before.failure else ""


def _is_eager(leg: Observation) -> bool:
    """Tell whether a program runs eagerly, as TensorFlow 2 does: its eager context is its own."""
    return any(one.title == "eager operations" for one in leg.placements)


def grave(before: Observation, after: Observation) -> Iterator[str]:
    """Yield what differs even where the leg before is no judge.

    That is an exception where there was none, or none where there was one that is not of
    TensorFlow, and, in a program that fails before, other sessions up to there: what follows only
    TensorFlow knows.
    """
    failed = before.failure is not None and not before.failure.from_tensorflow
    if (before.failure is None and after.failure is not None) or (failed and not after.failure):
        yield f"end: {_ending(before)} -> {_ending(after)}"
    if before.failure is not None and not _makes_eager_context(before):
        if len(_sessions(after)) < len(_sessions(before)):
            yield f"sessions: {len(_sessions(before))} -> {len(_sessions(after))}"
        yield from _pairs(before, after)


def _makes_eager_context(leg: Observation) -> bool:
    """Tell whether a program of graphs made an eager context, or failed to."""
    failed = leg.failure is not None and "ensure_initialized" in leg.failure.traceback
    return not _is_eager(leg) and (failed or any(one.title == EAGER for one in leg.sessions))


def differences(before: Observation, after: Observation) -> Iterator[str]:
    """Yield in words whatever the two legs do not show alike."""
    if _ending(before) != _ending(after):
        yield f"end: {_ending(before)} -> {_ending(after)}"
    if len(_sessions(before)) != len(_sessions(after)):
        yield f"sessions: {len(_sessions(before))} -> {len(_sessions(after))}"
    yield from _pairs(before, after)
    yield from _eager_contexts(before, after)
    yield from _memory(before, after)
    yield from _threads(before, after)
    yield from _placements(before, after)
    yield from _children(before, after)
    if before.stdout != after.stdout:
        yield f"stdout: {_tail(before.stdout)} -> {_tail(after.stdout)}"


def _children(before: Observation, after: Observation) -> Iterator[str]:
    """Compare the processes that made sessions; which of several made which is chance."""
    left, right = list(before.children), list(after.children)
    for one in before.children:
        other = next((item for item in right if not any(_of_child(one, item))), None)
        if other is not None:
            left.remove(one)
            right.remove(other)
    if len(left) != len(right):
        yield f"children: {len(before.children)} -> {len(after.children)}"
    for one, other in zip(left, right, strict=False):
        for text in _of_child(one, other):
            yield f"child {one.program}: {text}"


def _of_child(before: Observation, after: Observation) -> Iterator[str]:
    if len(_sessions(before)) != len(_sessions(after)):
        yield f"sessions: {len(_sessions(before))} -> {len(_sessions(after))}"
    yield from _pairs(before, after)
    yield from _memory(before, after)


def _pairs(before: Observation, after: Observation) -> Iterator[str]:
    """Compare the sessions in the order of their making."""
    for left, right in zip(_sessions(before), _sessions(after), strict=False):
        for text in _session(left, right):
            yield f"{left.title}: {text}"


def _ending(leg: Observation) -> str:
    if leg.failure is not None:
        return f"{leg.failure.kind} ({_ADDRESS.sub('', leg.failure.message)[:120]})"
    return leg.ended + (f" {leg.status}" if leg.status else "")


def _sessions(leg: Observation) -> list[Session]:
    return [session for session in leg.sessions if session.title != EAGER]


def _session(left: Session, right: Session) -> Iterator[str]:
    """Yield what differs in devices, their cards and limits, and in the effective config."""
    yield from _devices(left, right)
    old, new = _config(left.config), _config(right.config)
    for field in sorted({*old, *new}):
        if old.get(field) != new.get(field):
            yield f"{field}: {old.get(field, 'unset')} -> {new.get(field, 'unset')}"
    if left.target != right.target:
        yield f"target: {left.target!r} -> {right.target!r}"


def _devices(left: Session, right: Session) -> Iterator[str]:
    old, new = ({one.name: one for one in session.devices} for session in (left, right))
    if list(old) != list(new):
        yield f"devices: {' '.join(old)} -> {' '.join(new)}"
    for name in old.keys() & new.keys():
        if old[name].bus != new[name].bus:
            yield f"{name} card: {old[name].bus} -> {new[name].bus}"
        if abs(old[name].limit - new[name].limit) >= MIB:
            yield f"{name} limit: {old[name].limit / MIB:.0f} -> {new[name].limit / MIB:.0f} MiB"


def _config(config: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a session that count for it alone.

    A negative number of threads does: the session then runs in the thread of its caller.
    """
    found = {
        path: value
        for path, value in config.items()
        if not path.startswith((*_BY_EFFECT, *_WITHOUT_EFFECT)) and _AS_UNSET.get(path) != value
    }
    threads = config.get("inter_op_parallelism_threads", "")
    if threads.startswith("-"):
        found["inter_op_parallelism_threads"] = threads
    return found


def _eager_contexts(before: Observation, after: Observation) -> Iterator[str]:
    """Compare the eager contexts of programs that run eagerly; others had none in TensorFlow 1."""
    mine, theirs = (
        next((one for one in leg.sessions if one.title == EAGER), None) for leg in (before, after)
    )
    if mine and theirs and _is_eager(before):
        for text in _session(mine, theirs):
            yield f"eager context: {text}"


def _memory(before: Observation, after: Observation) -> Iterator[str]:
    left = {one.bus: one for one in before.memory}
    right = {one.bus: one for one in after.memory}
    for bus in sorted({*left, *right}):
        mine, theirs = left.get(bus), right.get(bus)
        calls = _calls(mine), _calls(theirs)
        if not _same_calls(*calls):
            yield f"allocations on {bus}: {_words(calls[0])} -> {_words(calls[1])}"


def _calls(memory: GpuMemory | None) -> list[tuple[str, int]]:
    return [(call, size) for call, size in memory.calls] if memory else []


def _same_calls(mine: Sequence[tuple[str, int]], theirs: Sequence[tuple[str, int]]) -> bool:
    return len(mine) == len(theirs) and all(
        left[0] == right[0] and abs(left[1] - right[1]) < MIB
        for left, right in zip(mine, theirs, strict=True)
    )


def _words(calls: Sequence[tuple[str, int]]) -> str:
    words = [f"{'' if call == 'alloc' else call + ' '}{size / MIB:.6g}" for call, size in calls[:6]]
    return (", ".join(words) or "none") + (" ..." if len(calls) > 6 else "") + " MiB"


def _threads(before: Observation, after: Observation) -> Iterator[str]:
    """Compare the thread pools; an eager context that one side alone has brings its own.

    One that nothing runs in, as a sharded Saver makes it in a graph program, has idle threads. The
    driver's thread is none: listing the cards starts it, as a session with GPUs does.
    """
    if not before.threads or not after.threads:
        return
    has_pool = [any(one.title == EAGER for one in leg.sessions) for leg in (before, after)]
    idle = {_OPERATIONS} if all(has_pool) and not (_is_eager(before) or _is_eager(after)) else set()
    if has_pool[0] != has_pool[1]:
        return
    for name in sorted({*before.threads, *after.threads} - {_DRIVER} - idle):
        mine, theirs = before.threads.get(name, 0), after.threads.get(name, 0)
        if mine != theirs:
            yield f"threads {name}: {mine} -> {theirs}"


def _placements(before: Observation, after: Observation) -> Iterator[str]:
    """Compare where operations were put, those of each session and as the placer logged them."""
    mine, theirs = _placed(before), _placed(after)
    for title in sorted({*mine, *theirs}):
        left, right = mine.get(title, Counter()), theirs.get(title, Counter())
        if left != right:
            gone = ", ".join(f"{name} on {device}" for name, device in sorted(left - right)[:2])
            new = ", ".join(f"{name} on {device}" for name, device in sorted(right - left)[:2])
            yield f"placement, {title}: {gone or 'nothing'} -> {new or 'nothing'}"


def _placed(leg: Observation) -> dict[str, Counter[tuple[str, str]]]:
    return {
        graph.title: Counter(
            (one.name, one.device)
            for one in in_order(graph.operations)
            if not one.name.startswith(PROBE)
        )
        for graph in leg.placements
        if graph.title != PROBE
    }


def _tail(text: str) -> str:
    return repr(text[-200:])
