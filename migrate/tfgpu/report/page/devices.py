"""The physical cards, with the logical devices of each leg on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tfgpu.dataclass import dataclass
from tfgpu.report.page.markup import Markup, absent, el, join, table, tr
from tfgpu.report.verdict_words import mib, size
from tfgpu.verify.observation import Device, Observation
from tfgpu.verify.verdict import Aspect, Outcome, Verdict

_HUES = 6
_DIFFERS = el("strong", "differs", class_="differs")


def device_maps(verdict: Verdict, aspect: Aspect) -> Markup:
    """Return a map for each set of devices that sessions had: cards down, legs across.

    Cards are marked as different only where the verdict says that devices differ.
    """
    judge = aspect.outcome is Outcome.MISMATCH
    legs = (verdict.before, verdict.after)
    cards = _cards(legs)
    sets = list(zip_longest(*(_device_sets(leg) for leg in legs), fillvalue=([], [])))
    maps = []
    for before, after in sets:
        titles = " and ".join(dict.fromkeys([*before[0], *after[0]]))
        # Sessions that have the same devices share a map; nearly all programs have one set.
        if len(sets) > 1:
            maps.append(el("h3", titles))
        maps.append(_map(cards, (before[1], after[1]), titles, judge))
    return join(maps) if maps else el("p", "No session was seen, so no devices were.")


def _cards(legs: Sequence[Observation]) -> dict[str, float]:
    """Return all cards with their total memory, in the order of the bus.

    Both legs contribute: a variable may hide a card from one of them.
    """
    found: dict[str, float] = {}
    for leg in legs:
        found.update({gpu.bus: gpu.total for gpu in leg.memory})
    for leg in legs:
        for device in leg.physical:
            if _is_gpu(device):
                found.setdefault(device.bus, device.limit)
        for session in leg.sessions:
            for device in session.devices:
                if _is_gpu(device):
                    found.setdefault(device.bus, 0)
    return dict(sorted(found.items()))


def _device_sets(leg: Observation) -> list[tuple[list[str], Sequence[Device]]]:
    """Return the distinct sets of devices with the titles of the sessions that had them."""
    sets: list[tuple[list[str], Sequence[Device]]] = []
    for session in leg.sessions:
        for titles, devices in sets:
            if list(devices) == list(session.devices):
                titles.append(session.title)
                break
        else:
            sets.append(([session.title], session.devices))
    return sets


def _map(
    cards: dict[str, float], legs: Sequence[Sequence[Device]], titles: str, judge: bool
) -> Markup:
    rows = []
    for bus, total in cards.items():
        on_card = [_Cell(leg, [each for each in leg if _on(each, bus)], total) for leg in legs]
        rows.append(_row(_card(bus, total), on_card, judge))
    hosts = [_Cell(leg, [each for each in leg if not _is_gpu(each)], 0) for leg in legs]
    if any(cell.devices for cell in hosts):
        rows.append(_row(el("span", "host", class_="bus"), hosts, judge))
    caption = f"Devices on each card, before and after ({titles})"
    return table(("physical card", "before", "after"), rows, caption, "map")


@dataclass(frozen=True, slots=True)
class _Cell:
    """What one leg has on one card, among all its devices."""

    leg: Sequence[Device]
    devices: Sequence[Device]
    total: float


def _on(device: Device, bus: str) -> bool:
    return _is_gpu(device) and device.bus == bus


def _card(bus: str, total: float) -> Markup:
    name = el("code", bus, class_="bus") if bus else el("span", "card not known", class_="bus")
    return join([name, el("span", size(total), class_="total") if total else ""], " ")


def _row(head: Markup, cells: Sequence[_Cell], judge: bool) -> Markup:
    before, after = ([_words(device) for device in cell.devices] for cell in cells)
    differs = judge and before != after
    return tr(
        join([head, _DIFFERS if differs else ""]),
        {leg: join(_chips(cell)) for leg, cell in zip(("before", "after"), cells, strict=True)},
        class_="mismatch" if differs else None,
    )


def _words(device: Device) -> tuple[str, str]:
    """Return what a map shows of a device, so that no difference is claimed that none can see."""
    return device.name, mib(device.limit) if _is_gpu(device) else ""


def _chips(cell: _Cell) -> Iterator[Markup]:
    if not cell.devices:
        yield absent("no device" if cell.leg else "not seen")
    for device in cell.devices:
        if not _is_gpu(device):
            yield el("div", el("strong", device.name), class_="chip host")
            continue
        yield el(
            "div",
            el("strong", device.name),
            " ",
            el("span", mib(device.limit), class_="limit"),
            _bar(device.limit, cell.total),
            class_=f"chip hue{_number(device.name) % _HUES}",
        )


def _bar(limit: float, total: float) -> Markup:
    """Return how much of its card a device may take; the words beside it say the same."""
    if not total:
        return Markup("")
    share = min(100.0, 100 * limit / total)
    return el(
        "svg",
        el("rect", class_="card", width="100%", height="100%"),
        el("rect", class_="share", width=f"{share:.1f}%", height="100%"),
        class_="bar",
        aria_hidden="true",
    )


def _number(name: str) -> int:
    number = name.rpartition(":")[2]
    return int(number) if number.isascii() and number.isdigit() else 0


def _is_gpu(device: Device) -> bool:
    return bool(device.bus) or device.name.startswith("GPU")
