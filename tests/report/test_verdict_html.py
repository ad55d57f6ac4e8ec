"""The page of a verdict as text: well-formed, closed to the outside, escaped."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tests.report.verdicts import (
    BUSES,
    GIB,
    IGNORED,
    INCONCLUSIVE,
    MIB,
    MISMATCH,
    aspects,
    devices,
    differing,
    entry,
    hostile,
    in_set_ups,
    inconclusive,
    large,
    leg,
    matching,
    memory,
    with_children,
)
from tfgpu.report.page.chart import memory_charts
from tfgpu.report.page.markup import el, html, join
from tfgpu.report.page.placement import paired
from tfgpu.report.page.runs import outputs
from tfgpu.report.verdict_html import verdict_html
from tfgpu.verify.assumptions import HELD, NOT_REACHED, Assumption, Checked
from tfgpu.verify.observation import GpuMemory, Operation, Placement
from tfgpu.verify.verdict import Aspect, Entry, Verdict

ALL = {
    "match": matching(),
    "mismatch": differing(),
    "inconclusive": inconclusive(),
    "set-ups": in_set_ups(),
    "children": with_children(),
    "hostile": hostile("<b onclick=x>'\"&amp;</b>"),
    "large": large(300),
}


class Page(HTMLParser):
    """Reads a page and checks that every element is closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.texts: list[str] = []
        self.headings: list[int] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        assert len(dict(attrs)) == len(attrs), attrs
        if tag not in {"meta", "input"}:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in {"line", "rect", "path"}
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"style", "script"}:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


@pytest.fixture(params=ALL)
def page(request: pytest.FixtureRequest) -> Page:
    return Page(verdict_html(ALL[request.param]))


class TestForm:
    def test_ids_are_unique_and_links_lead_to_one(self, page: Page) -> None:
        ids = Counter(value for _, name, value in page.attributes if name == "id")
        assert set(ids.values()) == {1}
        for _, name, value in page.attributes:
            if name in {"href", "aria-labelledby", "for"} and value:
                assert {each.removeprefix("#") for each in value.split()} <= ids.keys()

    def test_headings_in_order(self, page: Page) -> None:
        assert page.headings[0] == 1
        assert page.headings.count(1) == 1
        steps = zip(page.headings, page.headings[1:], strict=False)
        assert all(after - before <= 1 for before, after in steps)

    def test_language_scopes_and_charts(self, page: Page) -> None:
        assert ("html", "lang", "en") in page.attributes
        scopes = [value for tag, name, value in page.attributes if (tag, name) == ("th", "scope")]
        assert len(scopes) == page.tags["th"]
        assert set(scopes) == {"row", "col"}
        charts = page.attributes.count(("svg", "role", "img"))
        # The title of the page is one more.
        assert (page.tags["title"], page.tags["desc"]) == (charts + 1, charts)


class TestClosed:
    def test_no_address_outside(self, page: Page) -> None:
        for tag, name, value in page.attributes:
            if name == "href":
                assert (tag, (value or "")[:1]) == ("a", "#")
            assert name not in {"src", "srcset", "data", "action", "style", "xlink:href"}
            assert not name.startswith("on")
        assert not page.tags.keys() & {"link", "img", "iframe", "object", "embed", "base"}

    def test_style_and_script_name_none_either(self) -> None:
        text = verdict_html(matching())
        assert not re.search(r"https?:|//\w|@import|url\s*\(|fetch|XMLHttp|import\(", text)

    def test_a_policy_closes_it(self) -> None:
        text = verdict_html(matching())
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
        assert policy
        assert policy[1].startswith("default-src &#x27;none&#x27;; ")
        assert "unsafe" not in policy[1]


class TestEscaping:
    @pytest.mark.parametrize(
        "text",
        [
            "<script>alert(1)</script>",
            '"><img src=x onerror=alert(1)>',
            "</pre></title>&lt;",
            "'x'",
        ],
    )
    def test_every_field_shows_as_text(self, text: str) -> None:
        made = Page(verdict_html(hostile(text)))
        plain = Page(verdict_html(hostile("plain")))
        assert made.tags == plain.tags
        assert [each[:2] for each in made.attributes] == [each[:2] for each in plain.attributes]
        assert "".join(made.texts).count(text) == "".join(plain.texts).count("plain")

    def test_control_characters_show(self) -> None:
        text = verdict_html(hostile("a\x1b[1m\0\u202e\udcff\x85"))
        assert "a\\x1b[1m\\x00\\u202e\\udcff\\x85" in text
        text.encode("utf-8")

    def test_markup_is_not_escaped_twice_and_text_always(self) -> None:
        inner = el("b", "<", title='"&')
        assert inner == '<b title="&quot;&amp;">&lt;</b>'
        assert el("p", inner, "&") == f"<p>{inner}&amp;</p>"
        assert join(["<", inner], "<") == f"&lt;&lt;{inner}"
        assert html("a\n\tb\r") == "a\n\tb\\r"


class TestContent:
    def test_the_outcome_in_words_with_gpus(self) -> None:
        shown = Page(verdict_html(matching())).text
        assert "✓ match train.py before and after its migration simulated GPUs 4 x 16 GiB" in shown
        assert "One thing was left out; its reason is given." in shown
        assert "the numbers that the programs print are zeros" in shown
        assert "What differs" not in shown
        shown = Page(verdict_html(inconclusive())).text
        assert "? inconclusive" in shown
        assert "real GPUs 2 x NVIDIA H100 80GB HBM3" in shown
        assert "zeros" not in shown
        assert "after: the module horovod is not installed" in shown

    def test_two_files_and_cards_of_unknown_size(self) -> None:
        ignored = [entry(name, IGNORED) for name in ("a", "b")]
        legs = [
            replace(leg(), program=program, memory=[], physical=[])
            for program in ("old.py", "new.py")
        ]
        verdict = replace(
            matching(), before=legs[0], after=legs[1], aspects=aspects(configuration=ignored)
        )
        shown = Page(verdict_html(verdict)).text
        assert "✓ match old.py and new.py simulated GPUs" in shown
        assert "2 things were left out; the reason of each is given." in shown
        assert f"{BUSES[0]} GPU:1 4,096 MiB GPU:1 4,096 MiB" in shown

    def test_nothing_left_out(self) -> None:
        shown = Page(verdict_html(replace(matching(), aspects=aspects()))).text
        assert "All that was compared is the same before and after. 1 session" in shown

    def test_the_bound_and_the_evidence_in_the_banner(self) -> None:
        one = Assumption("0", "no-session-before", "train.py:3", "no session before")
        before = replace(leg(), changed=["train.py:1", "train.py:2"], not_run=["train.py:2"])
        before = replace(before, assumptions=[Checked(one, HELD), Checked(one, NOT_REACHED)])
        bound = "the first 5 runs of each step"
        banner = verdict_html(replace(matching(), before=before, bound=bound)).split("</header>")[0]
        shown = Page(f"{banner}</header></body></html>").text
        for fact in (
            bound, "1 session", "5 operations on GPUs", "1 of 2 changed statements ran",
            "1 of 2 assumptions held",
        ):  # fmt: skip
            assert fact in shown

    def test_the_change(self) -> None:
        verdict = replace(
            matching(), change="--- a/train.py\n+++ b/train.py\n@@ -1 +1 @@\n-a<b\n+c"
        )
        text = verdict_html(verdict)
        assert '<span class="removed">-a&lt;b</span>\n<span class="added">+c</span>' in text
        assert "The change" not in Page(verdict_html(matching())).text

    def test_what_differs_for_one_reason_is_one_finding(self) -> None:
        entries = [Entry(f"GPU:{n}", MISMATCH, "a", "b", "visible_device_list") for n in range(20)]
        verdict = replace(matching(), aspects=aspects(devices=entries[:1], memory=entries[1:]))
        shown = Page(verdict_html(verdict)).text
        differs = shown.split("What differs")[1].split("The two runs")[0]
        assert differs.count("visible_device_list") == 1
        assert "19 more with the same cause" in differs
        assert "7 more in memory" in differs

    def test_use_inside_a_limit(self) -> None:
        used = replace(leg(), allocator={"GPU:0": {"peak": 96 * MIB, "current": 0}})
        shown = Page(verdict_html(replace(matching(), before=used))).text
        assert "Most in use at once, of the limit" in shown
        assert "GPU:0 96 MiB of 8,192 MiB not seen" in shown

    def test_the_two_runs(self) -> None:
        shown = Page(verdict_html(differing())).text
        assert "TensorFlow 2.15.1, standing in for TensorFlow 1 2.15.1 Python" in shown
        assert "raised InvalidArgumentError: Cannot assign a device for operation loss" in shown
        assert "variable CUDA_DEVICE_ORDER PCI_BUS_ID PCI_BUS_ID" in shown
        assert "sessions session 1 at train.py:25" in shown

    def test_a_swap_is_marked_on_both_cards(self) -> None:
        shown = Page(verdict_html(differing())).text
        assert f"{BUSES[0]} 16 GiB differs GPU:1 4,096 MiB GPU:0 8,192 MiB" in shown
        assert f"{BUSES[1]} 16 GiB no device no device" in shown
        assert f"{BUSES[2]} 16 GiB differs GPU:0 8,192 MiB GPU:1 12,288 MiB" in shown
        assert "host CPU:0 CPU:0" in shown

    def test_nothing_is_marked_that_the_verdict_does_not_call_different(self) -> None:
        swapped = replace(differing(), aspects=aspects())
        shown = Page(verdict_html(swapped)).text
        assert f"{BUSES[0]} 16 GiB GPU:1 4,096 MiB GPU:0 8,192 MiB" in shown
        assert "tower_1/MatMul MatMul GPU:1 GPU:0 GPU:1 → any" in shown
        assert "mismatch" not in shown

    def test_a_leg_without_sessions_is_not_seen(self) -> None:
        shown = Page(verdict_html(inconclusive())).text
        assert f"{BUSES[0]} 16 GiB GPU:1 4,096 MiB not seen" in shown
        blank = replace(inconclusive(), before=inconclusive().after)
        shown = Page(verdict_html(blank)).text
        for words in (
            "No session was seen, so no devices were.",
            "No operations were seen.",
            "The memory of no GPU was seen.",
            "before: standard output: nothing",
        ):
            assert words in shown

    def test_sessions_with_other_devices_have_their_own_map(self) -> None:
        one = leg()
        other = replace(one.sessions[0], title="session 2", devices=devices((1,), (GIB,)))
        third = replace(one.sessions[0], title="session 3")
        both = replace(one, sessions=[*one.sessions, other, third])
        shown = Page(verdict_html(replace(matching(), before=both, after=both))).text
        assert "Devices on each card, before and after (session 1 and session 3)" in shown
        assert "Devices on each card, before and after (session 2)" in shown

    def test_the_gravest_comes_first(self) -> None:
        shown = Page(verdict_html(differing())).text
        table = shown[shown.index("Configuration: what was compared") :]
        order = [table.index(f"{word} ") for word in ("✗ mismatch", "? inconclusive", "✓ match")]
        assert order == sorted(order)

    def test_many_matches_are_folded(self) -> None:
        fields = [entry(f"field_{number}") for number in range(600)]
        fields.append(entry("other", MISMATCH, "1", "2"))
        text = verdict_html(replace(matching(), aspects=aspects(configuration=fields)))
        shown = Page(text).text
        assert "600 that match" in shown
        assert "100 more are left out here; the JSON report has all." in shown
        assert shown.index("Configuration: what does not match") < shown.index("600 that match")
        assert (
            "what does not match"
            not in Page(
                verdict_html(replace(matching(), aspects=aspects(configuration=fields[:-1])))
            ).text
        )


class TestPlacement:
    def test_moved_on_top_with_what_was_requested(self) -> None:
        shown = Page(verdict_html(differing())).text
        table = shown[shown.index("Operations that ran on different devices") :]
        assert (
            "tower_1/MatMul MatMul GPU:1 GPU:0 GPU:1 → any train.py:18 → train.py:17 ✗ mismatch"
        ) in table
        assert "loss Mean GPU:0 not there any train.py:22 ✗ mismatch" in table
        assert table.index("loss Mean") < table.index("session 1: 3 operations on the same device")

    def test_an_operation_only_after(self) -> None:
        verdict = differing()
        turned = replace(verdict, before=verdict.after, after=verdict.before)
        assert "loss Mean not there GPU:0 any" in Page(verdict_html(turned)).text

    def test_entries_about_no_operation_are_shown(self) -> None:
        found = [entry("eager code", INCONCLUSIVE)]
        shown = Page(verdict_html(replace(matching(), aspects=aspects(placement=found)))).text
        assert "Placement: what was compared operation before after outcome eager code" in shown

    def test_pairs(self) -> None:
        def graph(title: str, *names: str) -> Placement:
            return Placement(title, False, [Operation(name, "Add", "GPU:0") for name in names])

        before = [graph("a", "x", "x", "y"), graph("old name", "z"), graph("b", "w")]
        after = [graph("b", "w"), graph("new name", "z"), graph("a", "x", "y", "x", "v")]
        graphs = paired(before, after)
        assert [made.title for made in graphs] == ["a", "b", "old name"]
        assert [(pair.name, pair.same) for made in graphs for pair in made.pairs] == [
            ("x", True), ("x", True), ("y", True), ("v", False), ("w", True), ("z", True),
        ]  # fmt: skip

    def test_full_device_names_are_shortened(self) -> None:
        full = "/job:localhost/replica:0/task:0/device:GPU:0"
        one = Placement("a", True, [Operation("x", "Add", full)])
        other = Placement("a", True, [Operation("x", "Add", "GPU:0")])
        assert paired([one], [other])[0].pairs[0].same
        assert paired([], [other])[0].title == "a"

    def test_twenty_thousand(self) -> None:
        text = verdict_html(large(20_000))
        assert len(text.encode()) < 2_000_000
        shown = Page(text).text
        assert "17,970 more operations left out here; the JSON report has all." in shown
        assert "17 more in placement" in shown

    def test_twenty_thousand_that_moved(self) -> None:
        text = verdict_html(large(20_000, 20_000))
        assert len(text.encode()) < 2_000_000
        assert "19,500 more operations left out here" in Page(text).text

    def test_two_graphs_share_the_room(self) -> None:
        one = large(1500).before.placements[0]
        graphs = [one, replace(one, title="session 2"), replace(one, title="session 3")]
        same = replace(leg(), placements=graphs)
        shown = Page(verdict_html(replace(matching(), before=same, after=same))).text
        assert "1,000 more operations left out here" in shown
        assert "session 3: 1,500 operations on the same device" in shown
        assert "1,500 more operations left out here" in shown


class TestMemory:
    def verdict(self, before: GpuMemory, after: GpuMemory) -> Verdict:
        one = replace(leg(), memory=[before])
        return replace(matching(), before=one, after=replace(leg(), memory=[after]))

    def test_words_say_what_the_curve_shows(self) -> None:
        shown = Page(verdict_html(differing())).text
        assert (
            "MiB used over the driver's memory calls, in order. before: peak 4,096 MiB, limit "
            "4,096 MiB; after: peak 8,128 MiB, limit 8,192 MiB."
        ) in shown
        assert f"Not used by either program: {BUSES[1]} , {BUSES[3]} ." in shown
        assert "limit of both, 4,096 MiB" in Page(verdict_html(matching())).text

    def test_steps(self) -> None:
        one = GpuMemory(0, BUSES[1], 16 * GIB, 0, [], [MIB, 4 * MIB, 2 * MIB], 4 * MIB)
        text = memory_charts(self.verdict(one, replace(one, used=[MIB])))
        # Top 4 MiB; three calls and room behind the last.
        assert 'd="M0 10000H2500V7500H5000V0H7500V5000H10000"' in text
        assert 'd="M0 10000H2500V7500H5000"' in text

    def test_a_limit_far_above_is_said_not_drawn(self) -> None:
        low = replace(memory(2, GIB, 2), calls=[])
        text = memory_charts(self.verdict(low, low))
        assert "limit of both, 8,192 MiB, above the chart" in text
        assert text.count('class="limit before"') == 1  # the sample in the legend

    def test_a_long_curve_keeps_its_extremes(self) -> None:
        curve = [MIB] * 50_000
        curve[33_333] = 9 * MIB
        one = GpuMemory(0, BUSES[0], 16 * GIB, 0, [], curve, 9 * MIB)
        text = memory_charts(self.verdict(one, one))
        assert len(text) < 30_000
        assert "V0H" in text  # the highest point is the top of the axis

    def test_allocations_as_a_table(self) -> None:
        calls = [("alloc", number * MIB) for number in range(1, 20)]
        one = replace(memory(2, GIB), calls=calls)
        changed = [("create", MIB), ("alloc", 2 * MIB + 2**18), ("alloc", 2 * MIB), *calls[3:5]]
        shown = Page(memory_charts(self.verdict(one, replace(one, calls=changed)))).text
        assert "1 alloc 1 MiB create 1 MiB differs 2 alloc 2 MiB alloc 2.25 MiB 0.25 MiB more" in (
            shown
        )
        assert "3 alloc 3 MiB alloc 2 MiB 1 MiB less 4 alloc 4 MiB alloc 4 MiB same" in shown
        assert "6 alloc 6 MiB none differs" in shown
        assert "7 more allocations; the JSON report has all." in shown

    def test_real_gpus_are_sampled(self) -> None:
        text = memory_charts(replace(matching(), simulated=False))
        assert "samples, in order" in text
        assert "driver" not in text


def test_long_output_keeps_its_end() -> None:
    log = "x" * 100_000 + "\nlast line"
    shown = Page(outputs(replace(matching(), before=replace(leg(), stdout=log)))).text
    assert "before: standard output (2 lines)" in shown
    assert "(40,010 characters left out; the JSON report has all)" in shown
    assert shown.count("last line") == 1


def test_an_aspect_of_another_name() -> None:
    verdict = replace(matching(), aspects=[Aspect("speed", [entry("a"), entry("b")])])
    assert "speed ✓ match 2 comparisons" in Page(verdict_html(verdict)).text


def test_children_are_shown_with_what_they_did() -> None:
    page = Page(verdict_html(with_children()))
    said = " ".join(page.texts)
    assert "Child processes" in said
    assert "fork train()" in said
    assert "no such process" in said
    for one in ("8,192 MiB on", "1,024 MiB on", "3 operations on GPU:0", "at most, first"):
        assert one in said, one
    assert "Child processes" not in " ".join(Page(verdict_html(matching())).texts)
