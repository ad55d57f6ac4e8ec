"""The page of an audit: all there is, and nothing that a text makes of it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.tools import GROWTH, KEPT
from tests.report.audits import FINDING, HOSTILE, audited, failed, finding, hostile, written
from tests.report.audits import result as result_of
from tests.tools import book
from tfgpu.dataclass import replace
from tfgpu.results import ConfigResult, KeptFor, Result


class Page(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.text = " ".join(" ".join(self.texts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        self.ids += [value for key, value in attrs if key == "id" and value]
        self.links += [named[key] or "" for key in ("href", "src") if key in named]
        assert not any(key.startswith("on") or key == "style" for key in named)

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] not in (["style"], ["script"]):
            self.texts.append(data)


def page(*results: Result) -> Page:
    return Page(written("html", results))


def test_everything_is_there() -> None:
    kept = audited(KEPT, "kept.py")
    made = page(audited(GROWTH, "a.py"), kept, failed())
    for text in (
        "4 findings in 2 files", "1 file failed", "66.6 % of 3 files read without failure",
        "50.0 % of 2 configs", "1 convert", "1 kept", "Why the others are kept",
        "TFG521 graph-options-v1-only: 1", "not valid Python 3: no", "bad.py:2", "a.py:5:5",
        "config.gpu_options.allow_growth = True", "safe fix", "by hand", "Findings by rule",
        "Work left, estimated", "40 minutes",
    ):  # fmt: skip
        assert text in made.text, text


def test_rules_have_their_reasons_and_examples() -> None:
    made = page(result_of(findings=[FINDING, finding(code="TFG904", name="config-read")]))
    rule = book().find("TFG101")
    assert rule is not None
    assert f"{rule.summary}." in made.text
    for example in rule.examples[:2]:
        for text in (example.before, example.after):
            assert " ".join(text.split()) in made.text
    assert "before" in made.texts
    assert "stays as it is" in made.texts


def test_a_rule_that_the_book_does_not_have_is_counted_only() -> None:
    made = page(
        result_of(findings=[finding(code="XYZ1", name="own")], configs=[ConfigResult(1, "XYZ1")])
    )
    assert "XYZ1: 1" in made.text
    assert "XYZ1" not in made.ids


def test_programs_that_are_kept_have_their_cause() -> None:
    kept = audited(KEPT, "kept.py")
    kept.kept_for = KeptFor("model.py:7", "TFG904", ("train.py", "evaluate.py"))
    text = page(kept).text
    assert "Programs that are not converted" in text
    assert "evaluate.py , train.py TFG904 config-read model.py:7" in text
    assert "findings, by hand 1" in text


def test_nothing_found() -> None:
    made = page(result_of())
    assert "0 findings" in made.text
    assert "Nothing was found." in made.text
    assert "input" not in made.tags


def test_links_lead_to_what_is_on_the_page() -> None:
    made = page(audited(GROWTH, "a.py"), audited(KEPT, "kept.py"), failed())
    assert all(link.startswith("#") and link[1:] in made.ids for link in made.links)
    assert len(set(made.ids)) == len(made.ids)


def test_findings_are_grouped_by_repository_and_config_notes_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
    note = finding(severity="note", message="a note", line=1)
    part = finding(config="one/a.py:7", message="a part", line=8)
    head = finding(config="one/a.py:7", message="the head", line=7, part="cause")
    other = finding(message="elsewhere", line=2)
    text = page(
        result_of("one/a.py", findings=[note, part, other, head]),
        result_of("two/b.py", findings=[finding(message="in two")]),
    ).text
    words = ("one: 4 findings", "the head", "a part", "elsewhere", "a note", "two: 1 finding")
    places = [text.index(word) for word in (*words, "in two")]
    assert places == sorted(places)


def test_folders_that_are_no_repositories_have_no_head(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = page(*(result_of(f"{name}/a.py", findings=[FINDING]) for name in ("one", "two"))).text
    assert 'class="group"' not in text


def test_many_findings_are_cut_and_counted() -> None:
    made = page(result_of(findings=[replace(FINDING) for _ in range(4000)]))
    assert made.text.count("a.py:5:5") == 3000
    assert "1,000 more are left out here" in made.text


def test_many_rules_are_drawn_and_the_rest_counted() -> None:
    findings = [finding(code=f"XYZ{number}") for number in range(30)]
    made = page(result_of(findings=findings))
    assert "5 (16.6 %) are of other rules." in made.text


def test_only_its_own_style_and_script_are_allowed() -> None:
    text = written("html", [result_of(findings=[FINDING])])
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src &#x27;none&#x27;; style-src &#x27;sha256-")
    assert text.count("<script>") == text.count("<style>") == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_shown_as_text(text: str) -> None:
    harmless = page(*hostile("x"))
    made = page(*hostile(text))
    # A line of source that is empty is left out.
    assert [tag for tag in made.tags if tag not in ("p", "code", "wbr")] == [
        tag for tag in harmless.tags if tag not in ("p", "code", "wbr")
    ]
    assert made.links == harmless.links
    assert {char for char in text if char.isprintable()} <= set("".join(made.texts)) | {" "}


def test_notes_come_last_and_causes_have_their_configs() -> None:
    note = finding(code="TFE001", name="cuda-visible-devices", severity="note", line=1)
    made = page(result_of("a.py", findings=[note, FINDING]), audited(KEPT, "kept.py"))
    findings = made.text.partition("Filter findings")[2]
    assert findings.index("allow-growth") < findings.index("cuda-visible-devices")
    causes = made.text.partition("What keeps configs")[2]
    assert causes.index("kept.py:6") < causes.index("kept.py:5")


def test_repositories_are_told_apart(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
    results = [
        result_of(str(tmp_path / name / "a.py"), findings=[FINDING]) for name in ("one", "two")
    ]
    assert "Repositories" in page(*results).text
    assert "Repositories" not in page(results[0]).text
