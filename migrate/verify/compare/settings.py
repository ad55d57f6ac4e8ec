"""Names the settings behind a difference, so that a message says where to look."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.verify.observation import Observation, Session

# What decides each aspect: fields of ConfigProto (a path stands for all below it), variables.
MAPPING = (
    "gpu_options.visible_device_list",
    "device_count",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",
)
LIMIT = (
    "gpu_options.per_process_gpu_memory_fraction",
    "gpu_options.experimental.virtual_devices",
    "gpu_options.experimental.gpu_system_memory_size_in_mb",
    "TF_DEVICE_MIN_SYS_MEMORY_IN_MB",
    *MAPPING,
)
GROWTH = (
    "gpu_options.allow_growth",
    "TF_FORCE_GPU_ALLOW_GROWTH",
    "gpu_options.experimental.use_cuda_malloc_async",
    "TF_GPU_ALLOCATOR",
    *LIMIT,
)
PLACEMENT = ("allow_soft_placement", *MAPPING)


def settings_behind(
    candidates: Sequence[str],
    before: Observation,
    after: Observation,
    pair: tuple[Session | None, Session | None],
) -> str:
    """Return those of some settings that differ, with both values; where none does, all of them."""
    left, right = (_settings(leg, one) for leg, one in zip((before, after), pair, strict=True))
    if _mapped(pair[0]) == _mapped(pair[1]):
        # tf.config always writes them; where the devices are the same, they mean the same.
        candidates = [name for name in candidates if name not in MAPPING]
    found = []
    for candidate in candidates:
        mine, theirs = _below(left, candidate), _below(right, candidate)
        if mine != theirs:
            found.append(f"{candidate}: {_text(mine)} before, {_text(theirs)} after")
    if found:
        return "; ".join(found)
    names = ", ".join(candidates)
    return f"decided by {names}, which are set alike: set too late, or in another place?"


def _mapped(session: Session | None) -> set[tuple[str, str]]:
    return {(device.name, device.bus) for device in session.devices} if session else set()


def _settings(leg: Observation, session: Session | None) -> dict[str, str]:
    return {**leg.environment, **(session.config if session else {})}


def _below(settings: dict[str, str], name: str) -> dict[str, str]:
    return {
        path: value
        for path, value in settings.items()
        if path == name or path.startswith((f"{name}.", f"{name}["))
    }


def _text(values: dict[str, str]) -> str:
    if not values:
        return "not set"
    if len(values) == 1:
        return next(iter(values.values()))
    return ", ".join(f"{path.rpartition('.')[2]} {value}" for path, value in values.items())
