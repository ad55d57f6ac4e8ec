"""Names the settings that cause a difference, so that a message says where to look."""

from __future__ import annotations

from collections.abc import Sequence

from tfgpu.verify.compare.pairing import ended_early
from tfgpu.verify.observation import Observation, Session

Pair = tuple[Session | None, Session | None]

# What decides each aspect: fields of ConfigProto (a path stands for all below it), variables.
_VISIBLE = "gpu_options.visible_device_list"
SELECTION = (_VISIBLE, "device_count", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER")
MAPPING = (*SELECTION, "gpu_options.experimental.virtual_devices")
LIMIT = (
    "gpu_options.per_process_gpu_memory_fraction",
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
ALL = ("allow_soft_placement", *GROWTH)


def settings_behind(
    candidates: Sequence[str], before: Observation, after: Observation, pair: Pair
) -> str:
    """Return those of some settings that differ, with both values.

    Where none does: that one leg was cut short, or the settings that are the same on both sides.
    That comes first where TensorFlow raised nothing: what else may be behind it, the result says.
    """
    early = ended_early(before, after)
    if early and not any(leg.failure and leg.failure.from_tensorflow for leg in (before, after)):
        return early
    found = differing(candidates, before, after, pair)
    if found:
        return "; ".join(found)
    if early:
        return early
    settings = _settings(before, pair[0])
    alike = [
        f"{name}: {_text(values)}" for name in candidates if (values := _below(settings, name))
    ]
    if alike:
        same = "; ".join(alike)
        return f"{same} on both sides: set too late on one of them, or not what decides here"
    return f"decided by {', '.join(candidates)}, which neither side sets"


def differing(
    candidates: Sequence[str], before: Observation, after: Observation, pair: Pair
) -> list[str]:
    """Return those of some settings that differ, each with both values.

    Where one side has no session, only the environment is compared.
    """
    if pair[0] is None or pair[1] is None:
        pair = (None, None)
    elif _mapped(pair[0]) == _mapped(pair[1]):
        # Where the devices are the same, these mean the same.
        candidates = [name for name in candidates if name not in SELECTION]
    left, right = (_settings(leg, one) for leg, one in zip((before, after), pair, strict=True))
    found = []
    for candidate in candidates:
        mine, theirs = _below(left, candidate), _below(right, candidate)
        if mine != theirs:
            found.append(f"{candidate}: {_text(mine)} before, {_text(theirs)} after")
    return found


def _mapped(session: Session) -> set[tuple[str, str]]:
    return {(device.name, device.bus) for device in session.devices}


def _settings(leg: Observation, session: Session | None) -> dict[str, str]:
    config = dict(session.config) if session else {}
    if {_VISIBLE, "device_count.CPU", "device_count.GPU"} <= config.keys():
        # tf.config always writes which devices there are: these say nothing where they are all.
        del config["device_count.GPU"]
        if config["device_count.CPU"] == "1":
            del config["device_count.CPU"]
        if config[_VISIBLE] == ",".join(str(number) for number in range(len(leg.physical))):
            del config[_VISIBLE]
    return {**leg.environment, **config}


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
