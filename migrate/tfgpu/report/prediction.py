"""Predictions of `tfgpu predict` as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfgpu.verify.memory.limits import MIB
from tfgpu.verify.memory.predict import Prediction

KERNELS = {
    "compiled": "compiled for this card",
    "PTX": "as PTX only: the driver compiles them at the first start, which takes minutes",
    "": "none for this card: it is listed, and the first operation on it fails",
}


def basis(prediction: Prediction) -> str:
    """Say how a prediction was made."""
    if prediction.release.replayed:
        return (
            f"formula; TensorFlow {prediction.release.version} itself gives the same on the "
            "simulated driver (tests)"
        )
    return f"formula only: TensorFlow {prediction.release.version} itself was not run"


def prediction_lines(prediction: Prediction) -> Iterator[str]:
    """Yield a prediction as text."""
    gpu, one = prediction.gpu, prediction
    yield (
        f"{gpu.name} (compute capability {gpu.compute_capability}), "
        f"TensorFlow {one.release.version}, {one.setting.words}"
    )
    yield f"  card           {one.confidence}"
    yield f"  basis          {basis(one)}"
    yield f"  kernels        {KERNELS[one.kernels]}"
    yield _size("total", one.total)
    if one.others:
        yield _size("other programs", one.others)
    yield _size("CUDA context", one.context, f"CUDA {one.release.cuda}")
    yield _size("free", one.free)
    yield _size("memory limit", one.limit, "what TensorFlow prints" if not one.unified else "")
    for number, size in enumerate(one.asked):
        refused = not one.unified and size > one.free
        name = "driver gives" if not refused else "driver refuses"
        last = number == len(one.asked) - 1
        yield _size(name, size, _first(one) if last else "asked again for nine tenths")
    if one.most != one.taken:
        yield _size("at most", one.most)
    yield _size("left for others", one.left, "" if one.setting.growth else "for any process")
    yield _size("", one.left_for_tensorflow, "for a second TensorFlow, after its own context")


def _first(one: Prediction) -> str:
    if one.setting.growth:
        return "first piece at least, then twice as much each time"
    return "unified memory: as used" if one.unified else "at the first operation, in one piece"


def _size(name: str, size: int, note: str = "") -> str:
    text = f"  {name:<14} {size // MIB:>7} MB  {size:>13} bytes"
    return f"{text}  {note}" if note else text


def prediction_json(prediction: Prediction) -> dict[str, Any]:
    """Return a prediction as JSON; sizes in bytes."""
    gpu, setting = prediction.gpu, prediction.setting
    return {
        "card": gpu.name,
        "compute_capability": gpu.compute_capability,
        "confidence": prediction.confidence,
        "tensorflow": str(prediction.release.version),
        "cuda": str(prediction.release.cuda),
        "kernels": prediction.kernels or "none",
        "setting": {
            "fraction": setting.fraction,
            "memory_limit_mib": setting.limit_mib,
            "growth": setting.growth,
        },
        "by_formula_only": not prediction.release.replayed,
        "total": prediction.total,
        "used_by_others": prediction.others,
        "context": prediction.context,
        "free": prediction.free,
        "memory_limit": prediction.limit,
        "asked": list(prediction.asked),
        "first_taken": prediction.taken,
        "taken_at_most": prediction.most,
        "unified_memory": prediction.unified,
        "left_for_others": prediction.left,
        "left_for_another_tensorflow": prediction.left_for_tensorflow,
    }
