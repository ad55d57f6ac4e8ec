"""Counts by rule, shares, and the estimate of the work that is left."""

from __future__ import annotations

import pytest

from tests.cli.tools import GROWTH, KEPT, QUERY
from tests.report.audits import FINDING, audited, failed, finding, result
from tests.tools import book
from tfgpu.report.summary import MINUTES, Statistics, Summary, duration, share, statistics_lines
from tfgpu.results import ConfigResult, Result


def counted(*results: Result) -> tuple[Statistics, Summary]:
    statistics, summary = Statistics(book()), Summary()
    for item in results:
        statistics.add(item)
        summary.add(item)
    return statistics, summary


def work(*results: Result) -> dict[str, int]:
    return {kind: number for kind, number in counted(*results)[0].work.items() if number}


def test_as_lines_and_as_json() -> None:
    results = [result(findings=[FINDING, FINDING, finding(code="TFG701", fix="unsafe")])]
    statistics, summary = counted(*results, failed(), *[Result("c.py")] * 1998)
    assert list(statistics_lines(statistics, summary)) == [
        "     2 TFG101 allow-growth",
        "     1 TFG701 is-gpu-available",
        "3 findings: 2 with a safe fix, 1 with an unsafe fix, 0 by hand",
        "99.9 % of 2,000 files read without failure, 1 with names of GPU settings",
        "work left, estimated: 30 minutes",
        "     1 x 10 min: unsafe fix, to be judged",
        "     1 x 20 min: file that failed, to be read by hand",
    ]
    assert statistics.as_dict() == {
        "findings_by_rule": {"TFG101": 2, "TFG701": 1},
        "findings_by_fix": {"safe": 2, "unsafe": 1, "none": 0},
        "work": [
            {"what": "unsafe fix, to be judged", "count": 1, "minutes_each": 10},
            {"what": "file that failed, to be read by hand", "count": 1, "minutes_each": 20},
        ],
        "minutes": 30,
    }


def test_a_rule_that_the_book_does_not_have_is_counted_by_its_code() -> None:
    lines = statistics_lines(*counted(result(findings=[finding(code="XYZ1")])))
    assert next(iter(lines)) == "     1 XYZ1"


class TestWork:
    def test_a_config_is_one_piece_whatever_is_found_in_it(self) -> None:
        assert work(audited(GROWTH)) == {"config that converts, to be read": 1}
        assert work(audited(KEPT)) == {"config kept for which TensorFlow 2 has nothing else": 1}

    @pytest.mark.parametrize(
        ("config", "kind"),
        [
            (ConfigResult(1, None), "config that converts, to be read"),
            (ConfigResult(1, "TFG904"), "config kept, to be moved by hand"),
            (ConfigResult(1, "TFG521", final=True),
             "config kept for which TensorFlow 2 has nothing else"),
            (ConfigResult(1, "TFG938"), "config kept because of another one"),
            (ConfigResult(1, "XYZ1"), "config kept, to be moved by hand"),
        ],
    )  # fmt: skip
    def test_kinds_of_configs(self, config: ConfigResult, kind: str) -> None:
        assert work(result(configs=[config])) == {kind: 1}

    def test_what_is_no_config(self) -> None:
        assert work(audited(QUERY)) == {"unsafe fix, to be judged": 1}
        by_hand = finding(code="TFG804", name="beta-memory-getters", fix="none")
        assert work(result(findings=[by_hand])) == {"other finding, to be settled by hand": 1}
        # The reason that keeps a config is the work of that config.
        config = ConfigResult(1, "TFG904")
        reason = finding(code="TFG904", name="config-read", fix="none")
        kinds = work(result(findings=[reason], configs=[config]))
        assert kinds == {"config kept, to be moved by hand": 1}

    def test_the_estimate_is_the_sum(self) -> None:
        statistics, _ = counted(audited(GROWTH), audited(KEPT), audited(QUERY), failed())
        assert statistics.minutes == 5 + 15 + 10 + 20
        assert all(minutes > 0 for minutes in MINUTES.values())


@pytest.mark.parametrize(
    ("minutes", "text"),
    [(0, "0 minutes"), (1, "1 minute"), (59, "59 minutes"), (60, "about 1.0 hours"),
     (950, "about 15.8 hours"), (960, "about 2.0 working days"),
     (9_600_000, "about 20,000.0 working days")],
)  # fmt: skip
def test_durations(minutes: int, text: str) -> None:
    assert duration(minutes) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 0, "100 %"), (3, 3, "100 %"), (9_999, 10_000, "99.9 %"), (0, 5, "0.0 %"),
     (1, 3, "33.3 %")],
)  # fmt: skip
def test_only_the_whole_is_100_percent(part: int, whole: int, text: str) -> None:
    assert share(part, whole) == text
