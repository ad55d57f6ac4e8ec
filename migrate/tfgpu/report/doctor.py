"""What `tfgpu doctor` found, as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from click import style

from tfgpu.place import printable
from tfgpu.verify.doctor.checks import Check, Figure, Measured
from tfgpu.verify.memory.limits import MIB


def doctor_lines(checks: Sequence[Check], gpus: Sequence[Measured], remark: str) -> Iterator[str]:
    """Yield the checks, then each GPU with its figures, then the lines to contribute."""
    for check in checks:
        word = style("ok     ", fg="green") if check.good else style("problem", fg="red")
        yield f"{word} {check.name}: {printable(check.found)}"
        if not check.good and check.advice:
            yield f"        {printable(check.advice)}"
    for one in gpus:
        yield ""
        yield from _gpu(one)
    if remark:
        yield ""
        yield remark
    for one in gpus:
        if one.line:
            yield ""
            yield 'To contribute this card, open an issue with the template "A real GPU":'
            yield one.line


def _gpu(one: Measured) -> Iterator[str]:
    gpu = one.gpu
    yield f"{printable(gpu.name)}, compute capability {gpu.compute_capability}: {one.confidence}"
    if one.others is None:
        yield "  what other programs hold is not known (NVML cannot be asked): it counts as context"
    elif one.others:
        yield f"  other programs hold {_mib(one.others)}"
    yield f"  {'MB of 1,048,576 bytes':<32} {'predicted':>11} {'measured':>11} {'difference':>11}"
    for figure in one.figures:
        yield f"  {figure.name:<32} {_figures(figure)}"


def _figures(figure: Figure) -> str:
    difference = figure.difference
    by = "-" if difference is None else "0" if not difference else f"{difference / MIB:+,.2f}"
    return f"{_mib(figure.predicted):>11} {_mib(figure.measured):>11} {by:>11}"


def _mib(size: int | None) -> str:
    return "-" if size is None else f"{size / MIB:,.2f}"


def doctor_json(checks: Sequence[Check], gpus: Sequence[Measured], remark: str) -> dict[str, Any]:
    """Return the same as JSON; sizes in bytes."""
    return {
        "checks": list(map(asdict, checks)),
        "gpus": [
            {
                "name": one.gpu.name,
                "compute_capability": one.gpu.compute_capability,
                "driver": one.driver,
                "confidence": one.confidence,
                "used_by_others": one.others,
                "figures": [
                    {**asdict(figure), "difference": figure.difference} for figure in one.figures
                ],
                "line": one.line,
            }
            for one in gpus
        ],
        "remark": remark,
    }
