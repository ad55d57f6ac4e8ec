"""Counts as horizontal bars, as inline SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tfgpu.report.page.markup import Markup, el, join
from tfgpu.report.summary import share

_ROW = 40  # pixels: a line of text with its bar below
_MOST = 25


def share_bar(part: int, whole: int) -> Markup:
    """Return one bar for the configs, divided into those that migrate and those that are kept."""
    text = f"{part:,} convert, {whole - part:,} are kept"
    width = f"{100 * part / whole:.2f}%"
    return el(
        "figure",
        el(
            "svg",
            el("title", f"Configs: {text}"),
            el("rect", x=0, y=0, width="100%", height="100%", class_="kept"),
            el("rect", x=0, y=0, width=width, height="100%", class_="migrates"),
            class_="share",
            role="img",
        ),
        el(
            "figcaption",
            el("ul", _legend("migrates", f"{part:,} convert"),
               _legend("kept", f"{whole - part:,} kept"), class_="legend"),
        ),
        class_="configs",
    )  # fmt: skip


def _legend(kind: str, text: str) -> Markup:
    box = el("rect", width=14, height=14, class_=kind)
    return el("li", el("svg", box, width=14, height=14, aria_hidden="true"), text)


def bars(title: str, counts: Sequence[tuple[str, int]]) -> Markup:
    """Return a bar for each name, as long as its count."""
    shown = counts[:_MOST]
    most = max(number for _, number in counts)
    height = _ROW * len(shown)
    chart = el(
        "svg",
        el("title", f"{title}: {', '.join(f'{name} {number:,}' for name, number in shown)}"),
        *(part for at, item in enumerate(shown) for part in _bar(at, *item, most)),
        class_="bars",
        role="img",
        height=height,
    )
    left = sum(number for _, number in counts[_MOST:])
    all_of_them = sum(number for _, number in counts)
    rest = el("p", f"{left:,} ({share(left, all_of_them)}) are of other rules.") if left else ""
    return el("figure", join([chart, rest]))


def _bar(at: int, name: str, number: int, most: int) -> Iterator[Markup]:
    yield el("text", f"{name}: {number:,}", x=0, y=_ROW * at + 16)
    width = f"{100 * number / most:.2f}%"
    yield el("rect", x=0, y=_ROW * at + 22, width="100%", height=10, rx=3, class_="track")
    yield el("rect", x=0, y=_ROW * at + 22, width=width, height=10, rx=3, class_="bar")
