"""The memory of each physical GPU over a run: both legs in one chart, as inline SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from tfgpu.report.page.markup import Markup, absent, code, details, el, join, row, table
from tfgpu.report.summary import count
from tfgpu.report.verdict_words import mib, size
from tfgpu.verify.observation import GpuMemory, Observation
from tfgpu.verify.verdict import Verdict

_UNITS = 10_000  # the coordinates of the plot, stretched to whatever room there is
_BUCKETS = 400
_ROWS = 12
# A limit far above the curve would press the curve flat; then it is named in words only.
_HIGHEST_LIMIT = 3


def memory_charts(verdict: Verdict) -> Markup:
    """Return a chart with its table for each GPU that a leg used; the others by name."""
    buses = sorted({gpu.bus for leg in (verdict.before, verdict.after) for gpu in leg.memory})
    figures, idle = [], []
    for place, bus in enumerate(buses):
        before, after = (_of(leg, bus) for leg in (verdict.before, verdict.after))
        if not any(gpu and (gpu.calls or gpu.used) for gpu in (before, after)):
            idle.append(bus)
            continue
        limits = [_limit(leg, bus) for leg in (verdict.before, verdict.after)]
        figure = _figure(place, bus, (before, after), limits, verdict.simulated)
        figures.append(el("figure", figure, *_use(bus, verdict)))
    parts = [el("div", *figures, class_="charts")] if figures else []
    if idle:
        names = join((code(bus) for bus in idle), ", ")
        parts.append(el("p", "Not used by either program: ", names, "."))
    return join(parts) if parts else el("p", "The memory of no GPU was seen.")


def _of(leg: Observation, bus: str) -> GpuMemory | None:
    return next((gpu for gpu in leg.memory if gpu.bus == bus), None)


def _limit(leg: Observation, bus: str) -> int:
    """Return what the logical devices on a card may take together; 0 if there are none."""
    for session in leg.sessions:
        found = [device.limit for device in session.devices if device.bus == bus]
        if found:
            return sum(found)
    return 0


def _figure(
    place: int,
    bus: str,
    legs: Sequence[GpuMemory | None],
    limits: Sequence[int],
    simulated: bool,
) -> Markup:
    curves = [list(gpu.used) if gpu else [] for gpu in legs]
    total = max(gpu.total for gpu in legs if gpu)
    highest = max((max(curve, default=0) for curve in curves), default=0)
    drawn = [limit if limit <= _HIGHEST_LIMIT * max(highest, 1) else 0 for limit in limits]
    step, top = _scale(max(highest, *drawn))
    length = max(map(len, curves))
    unit = "the driver's memory calls, in order" if simulated else "samples, in order"
    chart = el(
        "svg",
        el("title", f"Memory used on {bus}, before and after", id=f"chart{place}-title"),
        el("desc", _description(legs, limits, unit), id=f"chart{place}-desc"),
        *_axes(step, top, length),
        el(
            "svg",
            *_curves(curves, length, top),
            *_limit_lines(drawn, top),
            viewBox=f"0 0 {_UNITS} {_UNITS}",
            preserveAspectRatio="none",
            width="100%",
            height="100%",
        ),
        class_="chart",
        role="img",
        aria_labelledby=f"chart{place}-title chart{place}-desc",
    )
    caption = el(
        "figcaption",
        el("h3", code(bus), f" {size(total)}"),
        el("ul", *_legend(legs, limits, drawn), class_="legend"),
    )
    return join(
        [
            caption,
            el("p", "MiB used", class_="y-title", aria_hidden="true"),
            el("div", chart, class_="frame"),
            el("p", unit, class_="x-title", aria_hidden="true"),
            _allocations(bus, legs),
        ]
    )


def _scale(highest: float) -> tuple[float, float]:
    """Return a round distance between ticks and the top of the axis, in bytes."""
    rough = max(highest / 2**20, 1) / 4
    unit = 2.0 ** math.floor(math.log2(rough))
    step = next(unit * factor for factor in (1, 1.5, 2) if unit * factor >= rough)
    return step * 2**20, math.ceil(max(highest / 2**20, 1) / step) * step * 2**20


def _axes(step: float, top: float, length: int) -> Iterator[Markup]:
    for tick in range(round(top / step) + 1):
        height = f"{100 - 100 * tick * step / top:.2f}%"
        yield el("line", x1=0, x2="100%", y1=height, y2=height, class_="grid")
        value = mib(tick * step).removesuffix(" MiB")
        yield el("text", value, x=-8, y=height, dy="0.32em", class_="y")
    every = _round_up(max(length, 1) / 5)
    for number in range(0, length + 1, every):
        across = f"{100 * number / (length + 1):.2f}%"
        yield el("text", f"{number:,}", x=across, y="100%", dy="1.4em", class_="x")


def _round_up(number: float) -> int:
    """Return the next of 1, 2, 5, 10, 20, 50, …"""
    power = int(10 ** math.floor(math.log10(max(number, 1))))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= number)


def _curves(curves: Sequence[Sequence[int]], length: int, top: float) -> Iterator[Markup]:
    # The second, dashed and thinner, lies on the first: where they agree both can be seen.
    for leg, curve in zip(("before", "after"), curves, strict=True):
        if curve:
            yield el("path", d=_steps(curve, length, top), class_=f"curve {leg}")


def _steps(curve: Sequence[int], length: int, top: float) -> str:
    """Return a curve as steps: what is used stays until the next call."""
    parts = [f"M0 {_UNITS}"]
    for place, used in _thinned(curve):
        across = round(_UNITS * (place + 1) / (length + 1))
        parts.append(f"H{across}V{round(_UNITS * (1 - used / top))}")
    parts.append(f"H{round(_UNITS * (len(curve) + 1) / (length + 1))}")
    return "".join(parts)


def _thinned(curve: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the points of a curve; of a long one the lowest and highest of each stretch."""
    stretch = math.ceil(len(curve) / _BUCKETS)
    for start in range(0, len(curve), stretch):
        places = range(start, min(start + stretch, len(curve)))
        ends = {min(places, key=curve.__getitem__), max(places, key=curve.__getitem__)}
        for place in sorted(ends):
            yield place, curve[place]


def _limit_lines(limits: Sequence[int], top: float) -> Iterator[Markup]:
    # Two lines of dots on one another would look like a third kind of line.
    legs = ("before",) if limits[0] == limits[1] else ("before", "after")
    for leg, limit in zip(legs, limits, strict=False):
        if limit:
            height = round(_UNITS * (1 - limit / top))
            yield el("line", x1=0, x2=_UNITS, y1=height, y2=height, class_=f"limit {leg}")


def _legend(
    legs: Sequence[GpuMemory | None], limits: Sequence[int], drawn: Sequence[int]
) -> Iterator[Markup]:
    for leg, gpu in zip(("before", "after"), legs, strict=True):
        yield el("li", _sample(f"curve {leg}"), f"{leg}, {_peak(gpu)}")
    both = limits[0] == limits[1]
    for leg, limit, line in zip(("before", "after"), limits, drawn, strict=True):
        if limit and not (both and leg == "after"):
            whose = "of both" if both else leg
            above = "" if line else ", above the chart"
            yield el("li", _sample(f"limit {leg}"), f"limit {whose}, {mib(limit)}{above}")


def _sample(class_: str) -> Markup:
    line = el("line", x1=0, x2=28, y1=6, y2=6, class_=class_)
    return el("svg", line, class_="sample", width=28, height=12, aria_hidden="true")


def _peak(gpu: GpuMemory | None) -> str:
    if gpu is None:
        return "not seen"
    return f"peak {mib(gpu.peak)}" if gpu.calls or gpu.used else "not used"


def _description(legs: Sequence[GpuMemory | None], limits: Sequence[int], unit: str) -> str:
    parts = [
        f"{leg}: {_peak(gpu)}, limit {mib(limit) if limit else 'none seen'}"
        for leg, gpu, limit in zip(("before", "after"), legs, limits, strict=True)
    ]
    return f"MiB used over {unit}. {'; '.join(parts)}."


def _allocations(bus: str, legs: Sequence[GpuMemory | None]) -> Markup:
    """Return the first allocations side by side: what the chart shows, for those who cannot see."""
    before, after = (gpu.calls if gpu else () for gpu in legs)
    if not before and not after:
        return Markup("")
    pairs = list(zip_longest(before, after))
    title = f"First allocations on {bus}"
    rows = [
        row(str(number), *map(_call, pair), _compared(*pair))
        for number, pair in enumerate(pairs[:_ROWS], 1)
    ]
    made = table(("#", "before", "after", "difference"), rows, title, "calls")
    left = len(pairs) - len(rows)
    more = f"{count(left, 'more allocation')}; the JSON report has all." if left > 0 else ""
    return details(title, made, el("p", more) if more else "")


def _use(bus: str, verdict: Verdict) -> Iterator[Markup]:
    """Yield how much of its memory each device on a card used, whoever took it from the driver."""
    legs = (verdict.before, verdict.after)
    limits = [
        {one.name: one.limit for made in leg.sessions for one in made.devices if one.bus == bus}
        for leg in legs
    ]
    names = sorted({*limits[0], *limits[1]} & {*legs[0].allocator, *legs[1].allocator})
    rows = [
        row(
            code(name),
            *(
                _used(leg.allocator.get(name, {}), limit.get(name, 0))
                for leg, limit in zip(legs, limits, strict=True)
            ),
        )
        for name in names
    ]
    if rows:
        title = "Most in use at once, of the limit"
        yield el("p", title, class_="y-title")
        yield table(("device", "before", "after"), rows, f"{title}, on {bus}", "calls")


def _used(statistics: Mapping[str, int], limit: int) -> Markup:
    if "peak" not in statistics:
        return absent("not seen")
    of = f" of {mib(limit)}" if limit else ""
    return el("span", f"{mib(statistics['peak'])}{of}", class_="number")


def _compared(before: tuple[str, int] | None, after: tuple[str, int] | None) -> str:
    """Return how two calls differ, without a judgement: the verdict allows for a little."""
    if before == after:
        return "same"
    if before is None or after is None or before[0] != after[0]:
        return "differs"
    gap = after[1] - before[1]
    return f"{mib(abs(gap))} {'more' if gap > 0 else 'less'}"


def _call(call: tuple[str, int] | None) -> Markup:
    if call is None:
        return absent("none")
    return join([call[0], " ", el("span", mib(call[1]), class_="number")])
