"""The page of an audit in a real browser: layout, contrast, the filter used as people use it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.tools import GROWTH, KEPT, QUERY
from tests.report.audits import FINDING, audited, failed, finding, hostile, result, written
from tests.report.browser import CONTRAST, Browser, find_browser
from tfgpu.results import ConfigResult

PROGRAM = find_browser()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no browser (Debian package: chromium)")
SCRIPT = "<script>document.title='out'</script>"
PAGES = {
    "usual": [
        audited(GROWTH, "models/train.py"), audited(KEPT, "models/kept.py"),
        audited(QUERY, "tools/query.py"), failed(),
    ],
    "clean": [result()],
    "hostile": [*hostile(SCRIPT + "unbroken" * 30), result(f"{SCRIPT}.py", findings=[FINDING])],
    "large": [
        result(f"{number:04}.py", findings=[finding(line=number + 1)] * 2,
               configs=[ConfigResult(1, "TFG904")])
        for number in range(1500)
    ],
}  # fmt: skip
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
    made = {name: folder / f"{name}.html" for name in PAGES}
    for name, path in made.items():
        path.write_text(written("html", PAGES[name]), encoding="utf-8")
    return made


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_layout(
    browser: Browser, pages: dict[str, Path], name: str, width: int, scheme: str
) -> None:
    browser.open(pages[name], width, dark=scheme == "dark")
    for opened in (False, True):
        browser.ask(f"document.querySelectorAll('details').forEach((d) => d.open = {int(opened)})")
        assert browser.ask("document.documentElement.scrollWidth") <= width
        # Nothing hides behind the edge of its own frame either, on a telephone.
        if width == 390:
            hidden = browser.ask(
                "[...document.querySelectorAll('.scroll')].filter((each) => "
                "each.scrollWidth > each.clientWidth).length"
            )
            assert hidden == 0
    # One request, for the page itself; nothing refused, no error.
    assert browser.requests() == [pages[name].as_uri()]
    assert browser.complaints() == []
    assert browser.ask("document.title").startswith("tfgpu audit: ")
    back = browser.ask("getComputedStyle(document.body).backgroundColor")
    assert back == {"light": "rgb(246, 247, 249)", "dark": "rgb(17, 21, 27)"}[scheme]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["usual", "clean"])
def test_contrast(browser: Browser, pages: dict[str, Path], name: str, scheme: str) -> None:
    browser.open(pages[name], dark=scheme == "dark")
    assert browser.ask(CONTRAST) == []


def test_a_file_name_with_a_script_in_it_is_text(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["hostile"])
    places = browser.ask(
        "[...document.querySelectorAll('.filtered tbody th')].map((cell) => cell.textContent)"
    )
    assert f"{SCRIPT}.py:5:5" in places
    assert browser.ask("document.title") != "out"
    assert browser.ask("document.querySelectorAll('script').length") == 1


def _places(browser: Browser) -> list[str]:
    """Return the places of the findings that can be seen."""
    found: list[str] = browser.ask(
        """[...document.querySelectorAll(".filtered tbody tr")]
          .filter((row) => row.checkVisibility())
          .map((row) => row.querySelector("th").textContent)"""
    )
    return found


def _click(browser: Browser, selector: str) -> None:
    """Press and release the mouse in the middle of an element."""
    x, y = browser.ask(
        f"""(() => {{
          const element = document.querySelector({selector!r});
          element.scrollIntoView({{block: "center"}});
          const box = element.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }})()"""
    )
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def _wait_for(browser: Browser, wanted: str) -> None:
    end = time.monotonic() + 10
    while wanted != browser.ask("document.getElementById('found').textContent"):
        assert time.monotonic() < end, wanted
        time.sleep(0.05)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_filter_by_clicking_and_typing(
    browser: Browser, pages: dict[str, Path], width: int
) -> None:
    browser.open(pages["usual"], width)
    everything = _places(browser)
    assert len(everything) == 5
    _click(browser, "button[data-fix=none]")
    _wait_for(browser, "1 of the 5 on this page")
    assert {place.partition(":")[0] for place in _places(browser)} == {"models/kept.py"}
    pressed = "[...document.querySelectorAll('[aria-pressed=true]')].map((b) => b.dataset.fix)"
    assert browser.ask(pressed) == ["none"]
    _click(browser, "button[data-fix='']")
    _click(browser, "#filter")
    browser.type("MODELS session")
    _wait_for(browser, "2 of the 5 on this page")
    assert {place.partition(":")[0] for place in _places(browser)} == {
        "models/kept.py", "models/train.py",
    }  # fmt: skip
    _click(browser, "button[data-fix=safe]")
    _wait_for(browser, "1 of the 5 on this page")
    browser.ask("document.getElementById('filter').select()")
    browser.ask("document.execCommand('delete')")
    _click(browser, "button[data-fix='']")
    _wait_for(browser, "")
    assert _places(browser) == everything


def test_the_filter_hides_repositories_without_a_row(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
    results = [result(f"{name}/a.py", findings=[FINDING]) for name in ("one", "two")]
    path = tmp_path / "page.html"
    path.write_text(written("html", results), encoding="utf-8")
    browser.open(path)
    heads = ["one: 1 finding", "two: 1 finding"]
    assert _places(browser) == [heads[0], "one/a.py:5:5", heads[1], "two/a.py:5:5"]
    _click(browser, "#filter")
    browser.type("two/")
    _wait_for(browser, "1 of the 2 on this page")
    assert _places(browser) == [heads[1], "two/a.py:5:5"]


def test_a_link_to_a_rule_opens_it(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["usual"])
    opened = "document.querySelector('#TFG101 details').open"
    assert browser.ask(opened) is False
    _click(browser, "a[href='#TFG101']")
    end = time.monotonic() + 10
    while not browser.ask(opened):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_many_findings_do_not_freeze_the_page(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["large"])
    _click(browser, "#filter")
    browser.type("0007.py")
    _wait_for(browser, "2 of the 3,000 on this page")
    assert _places(browser) == ["0007.py:8:5"] * 2


def test_without_javascript(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["usual"], script=False)
    assert browser.ask("document.querySelector('.filter').checkVisibility()") is False
    assert len(_places(browser)) == 5
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def test_as_a_screen_reader_has_it(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["usual"], 390)
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    seen = [
        (node["role"]["value"], node.get("name", {}).get("value", "").strip())
        for node in nodes
        if not node["ignored"]
    ]
    for title in ("Totals", "Configs", "Files that failed", "Findings", "Rules"):
        assert ("heading", title) in seen
    images = [name for role, name in seen if role in {"image", "img", "graphics-document"}]
    assert "Configs: 1 convert, 1 are kept" in images
    assert any(name.startswith("Findings by rule: ") for name in images)
    assert ("searchbox", "Filter findings") in seen
    assert ("group", "Kind of fix") in seen
    assert sum(role == "row" for role, _ in seen) >= 5
    assert any(
        role == "rowheader" and name.startswith("models/train.py:5:5") for role, name in seen
    )
