"""The page of a verdict in a real browser: layout, contrast, the filter, no way out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.report.browser import CONTRAST, Browser, find_browser
from tests.report.verdicts import (
    differing,
    hostile,
    in_set_ups,
    inconclusive,
    large,
    matching,
    with_children,
)
from tfgpu.report.verdict_html import verdict_html

PROGRAM = find_browser()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no browser (Debian package: chromium)")
VERDICTS = {
    "match": matching(),
    "mismatch": differing(),
    "inconclusive": inconclusive(),
    "set-ups": in_set_ups(),
    "children": with_children(),
    "hostile": hostile("<script>document.title='out'</script>" + "unbroken" * 30),
    "large": large(20_000),
}
WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAM
    made = Browser(PROGRAM)
    yield made
    made.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    made = {name: folder / f"{name}.html" for name in VERDICTS}
    for name, path in made.items():
        path.write_text(verdict_html(VERDICTS[name]), encoding="utf-8")
    return made


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", VERDICTS)
def test_layout(
    browser: Browser, pages: dict[str, Path], name: str, width: int, scheme: str
) -> None:
    browser.open(pages[name], width, dark=scheme == "dark")
    for opened in (False, True):
        browser.ask(f"document.querySelectorAll('details').forEach((d) => d.open = {int(opened)})")
        assert browser.ask("document.documentElement.scrollWidth") <= width
    # One request, for the page itself; nothing refused, no error.
    assert browser.requests() == [pages[name].as_uri()]
    assert browser.complaints() == []
    assert browser.ask("document.title") != "out"
    # A screen at least is drawn in the colours of the scheme.
    back = browser.ask("getComputedStyle(document.body).backgroundColor")
    assert back == {"light": "rgb(246, 247, 249)", "dark": "rgb(17, 21, 27)"}[scheme]
    assert browser.screenshot().startswith(b"\x89PNG")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["match", "mismatch", "inconclusive", "set-ups"])
def test_contrast(browser: Browser, pages: dict[str, Path], name: str, scheme: str) -> None:
    browser.open(pages[name], dark=scheme == "dark")
    assert browser.ask(CONTRAST) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_charts_stay_in_their_panel(browser: Browser, pages: dict[str, Path], width: int) -> None:
    browser.open(pages["mismatch"], width)
    boxes: list[dict[str, Any]] = browser.ask(
        """[...document.querySelectorAll("#memory figure")].map((figure) => {
          const [outer, ...inner] = [figure, ...figure.querySelectorAll("svg text, svg path")]
            .map((element) => element.getBoundingClientRect());
          return {
            left: Math.min(...inner.map((box) => box.left)) - outer.left,
            right: outer.right - Math.max(...inner.map((box) => box.right)),
            text: Math.min(...[...figure.querySelectorAll("text")].map((text) =>
              parseFloat(getComputedStyle(text).fontSize))),
            height: figure.querySelector("path.curve.before").getBoundingClientRect().height,
          };
        })"""
    )
    assert len(boxes) == 2
    for box in boxes:
        assert box["left"] >= 0
        assert box["right"] >= 0
        assert box["text"] >= 12  # however narrow: the letters do not shrink with the chart
        assert box["height"] >= 90


def test_dark_and_light_lines_differ_in_colour_and_dash(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.open(pages["mismatch"])
    lines = browser.ask(
        """["before", "after"].map((leg) => {
          const style = getComputedStyle(document.querySelector(`path.curve.${leg}`));
          return [style.stroke, style.strokeDasharray];
        })"""
    )
    assert lines[0][0] != lines[1][0]
    assert [lines[0][1], lines[1][1]] == ["none", "7px, 4px"]


def test_a_swap_is_seen(browser: Browser, pages: dict[str, Path]) -> None:
    """The same device has the same colour in both legs, on cards that stand side by side."""
    browser.open(pages["mismatch"], 390)
    chips = browser.ask(
        """[...document.querySelectorAll(".map .chip:not(.host)")].map((chip) => {
          const box = chip.getBoundingClientRect();
          return [chip.querySelector("strong").textContent,
                  getComputedStyle(chip).borderColor, box.top, box.left];
        })"""
    )
    assert [chip[0] for chip in chips] == ["GPU:1", "GPU:0", "GPU:0", "GPU:1"]
    assert chips[0][1] == chips[3][1] != chips[1][1] == chips[2][1]
    assert chips[0][2] == chips[1][2]
    assert chips[0][3] < chips[1][3]


def _rows(browser: Browser) -> list[int]:
    """Return how many rows of the moved and of the other operations can be seen."""
    found: list[int] = browser.ask(
        """[".moved", ".same"].map((kind) =>
          [...document.querySelectorAll(`${kind} tbody tr`)].filter((row) =>
            row.checkVisibility()).length)"""
    )
    return found


def _wait_for_filter(browser: Browser, wanted: str) -> None:
    end = time.monotonic() + 10
    while wanted not in browser.ask("document.getElementById('found').textContent"):
        assert time.monotonic() < end, wanted
        time.sleep(0.05)


def test_the_filter(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["mismatch"])
    assert _rows(browser) == [3, 0]
    browser.ask("document.getElementById('filter').focus()")
    browser.type("matmul gpu:0")
    _wait_for_filter(browser, "2 of the 6 on this page")
    assert _rows(browser) == [1, 1]
    browser.ask("document.getElementById('filter').select()")
    browser.type("TOWER")
    _wait_for_filter(browser, "2 of the 6")
    assert _rows(browser) == [2, 0]
    browser.ask("document.getElementById('filter').select()")
    browser.ask("document.execCommand('delete')")
    browser.ask("new Promise((done) => setTimeout(done, 50))")
    assert _rows(browser) == [3, 0]
    assert browser.ask("document.getElementById('found').textContent") == ""


def test_many_operations_do_not_freeze_the_page(browser: Browser, pages: dict[str, Path]) -> None:
    start = time.monotonic()
    browser.open(pages["large"])
    browser.ask("document.getElementById('filter').focus()")
    browser.type("conv2d_19")
    _wait_for_filter(browser, " of the 2,030 on this page")
    assert time.monotonic() - start < 5
    assert _rows(browser) == [1, 110]


def test_without_javascript(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["mismatch"], script=False)
    assert browser.ask("document.querySelector('.filter').checkVisibility()") is False
    assert _rows(browser) == [3, 0]
    browser.ask("document.querySelector('details.rest').open = true")
    assert _rows(browser) == [3, 3]
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def test_headings_and_names_as_a_screen_reader_has_them(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.open(pages["mismatch"], 390)
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    seen = [
        (node["role"]["value"], node.get("name", {}).get("value", "").strip())
        for node in nodes
        if not node["ignored"]
    ]
    assert ("heading", "train.py before and after its migration") in seen
    for title in ("Devices", "Configuration", "Placement", "Memory", "Result"):
        assert ("heading", title) in seen
    images = [name for role, name in seen if role in {"image", "img", "graphics-document"}]
    assert sum("peak 4,096 MiB" in name for name in images) == 1
    # Where rows are laid out as blocks they are rows of a table still.
    assert sum(role == "row" for role, _ in seen) > 10
    assert ("rowheader", "tower_1/MatMul") in seen
    assert ("searchbox", "Filter operations") in seen
