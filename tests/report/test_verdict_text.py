"""A verdict as lines for a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click import unstyle

from tests.report.verdicts import (
    aspects,
    differing,
    entry,
    hostile,
    in_set_ups,
    inconclusive,
    large,
    leg,
    matching,
)
from tfgpu.report.verdict_text import verdict_lines
from tfgpu.verify.verdict import Entry, Outcome, Verdict


def lines(verdict: Verdict) -> list[str]:
    return [unstyle(line) for line in verdict_lines(verdict)]


def test_a_match() -> None:
    assert lines(matching()) == [
        "match: train.py before and after its migration, on simulated GPUs: 4 x 16 GiB",
        "  devices        match        2 GPUs, 1 CPU",
        "  configuration  match        3 fields; 1 ignored",
        "  placement      match        6 operations",
        "  memory         match        2 GPUs, 16 allocations",
        "  result         match        ran to its end",
        "  evidence       1 session; 5 operations on GPUs",
        "",
        "ignored configuration: gpu_options.experimental.collective_ring_order (TFG162):",
        "        NCCL chooses the ring itself since TensorFlow 2.0",
        "",
        "note: Each program ran once, with the same data.",
        "note: Simulated GPUs compute nothing: the numbers that the programs print are",
        "      zeros and were not compared.",
        'note: What no verification sees is listed in docs/verify.md of tfgpu, "What',
        '      verify cannot see".',
    ]


def test_two_files_and_real_gpus() -> None:
    verdict = replace(
        matching(), simulated=False, gpus="2 x T4", after=replace(leg(), program="train2.py")
    )
    shown = lines(verdict)
    assert shown[0] == "match: train.py and train2.py, on real GPUs: 2 x T4"
    assert not any("zeros" in line for line in shown)


def test_a_mismatch_says_what_where_and_which_setting() -> None:
    shown = lines(differing())
    assert shown[0].startswith("mismatch: train.py before and after its migration")
    place = shown.index("mismatch configuration: inter_op_parallelism_threads")
    assert shown[place : place + 5] == [
        "mismatch configuration: inter_op_parallelism_threads",
        "    before  4",
        "    after   nothing",
        "    reason  ConfigProto.inter_op_parallelism_threads (TFG131)",
        "    source  train.py:5",
    ]
    place = shown.index("inconclusive configuration: experimental.xla_fusion_autotuner_thresh")
    assert shown[place + 3] == "    reason  this TensorFlow does not know the field"
    place = shown.index("  result         mismatch     before: ran to its end; after: raised")
    assert shown[place + 1] == " " * 30 + "InvalidArgumentError; 1 mismatch"


def test_mismatches_come_before_what_could_not_be_compared_and_what_was_ignored() -> None:
    entries = [
        Entry(outcome.value, outcome, "1", "2", "why", "TFG101", "a.py:1") for outcome in Outcome
    ]
    verdict = replace(matching(), aspects=aspects(devices=entries, memory=entries))
    firsts = [line.split()[0] for line in lines(verdict)[6:] if line and line[0] != " "]
    assert firsts == ["mismatch"] * 2 + ["inconclusive"] * 2 + ["ignored"] * 2 + ["note:"] * 3


def test_set_ups_are_folded() -> None:
    shown = lines(in_set_ups())
    assert shown[0] == (
        "mismatch: train.py before and after its migration, in 2 of 4 set-ups (simulated GPUs): "
        "sim:12GiB,8GiB; no GPU"
    )
    place = shown.index("  match        sim:2x16GiB")
    assert shown[place : place + 7] == [
        "  match        sim:2x16GiB",
        "  inconclusive sim:1x16GiB (shows nothing, and need not; before:",
        "               InvalidArgumentError: no such GPU; after: IndexError: no such",
        "               GPU)",
        "  mismatch     sim:12GiB,8GiB (shown in detail)",
        "  mismatch     no GPU",
        "",
    ]
    place = shown.index("mismatch configuration: inter_op_parallelism_threads")
    assert shown[place + 1] == "    in      sim:12GiB,8GiB; no GPU"
    place = shown.index("mismatch devices: GPU:0 physical card")
    assert shown[place + 1] == "    in      sim:12GiB,8GiB"
    assert sum(line.startswith("mismatch configuration") for line in shown) == 1
    assert not any("no operation was run" in line for line in shown)


def test_a_match_names_its_set_ups_and_its_bound() -> None:
    scenarios = [one for one in in_set_ups().scenarios if one.outcome is Outcome.MATCH] * 2
    verdict = replace(matching(), scenarios=scenarios, bound="the first 5 runs of each step")
    shown = lines(verdict)
    assert shown[0] == (
        "match: train.py before and after its migration, the first 5 runs of each step, in 2 of 2 "
        "set-ups (simulated GPUs): sim:2x16GiB; sim:2x16GiB"
    )
    assert shown[1:] == lines(matching())[1:]


def test_a_leg_that_proves_nothing() -> None:
    shown = lines(inconclusive())
    assert shown[0].endswith(", on real GPUs: 2 x NVIDIA H100 80GB HBM3")
    assert shown[1] == "  devices        inconclusive nothing was compared"
    assert "inconclusive after: the module horovod is not installed" in shown


@pytest.mark.parametrize(
    ("moved", "shown", "more"), [(20, 20, None), (21, 20, "1"), (1500, 20, "1,480")]
)
def test_at_most_twenty_placements(moved: int, shown: int, more: str | None) -> None:
    found = lines(large(2000, moved))
    assert sum(line.startswith("mismatch placement: ") for line in found) == shown
    assert [line for line in found if line.startswith("and ")] == (
        [f"and {more} more in placement"] if more else []
    )


@pytest.mark.parametrize(
    "verdict", [matching(), differing(), inconclusive(), large(50), in_set_ups()]
)
def test_eighty_columns(verdict: Verdict) -> None:
    # The line of the outcome stays one line.
    assert max(len(line) for line in lines(verdict)[1:]) <= 80


def test_a_long_value_is_cut() -> None:
    log = "\n".join(f"line {number}" for number in range(40))
    verdict = replace(
        matching(), aspects=aspects(result=[entry("output", Outcome.MISMATCH, log, "one\n\ntwo")])
    )
    shown = lines(verdict)
    place = shown.index("    before  line 0")
    assert shown[place + 5] == "            line 5"
    assert shown[place + 6] == "            (34 more lines; the JSON report has all)"
    assert shown[place + 7 : place + 10] == [
        "    after   one",
        "",
        "            two",
    ]


def test_nothing_steers_the_terminal() -> None:
    shown = lines(hostile("a\x1b[2Jb\n\u202ec\udcff"))
    assert all(line.isprintable() for line in shown)
    assert shown[0].startswith("inconclusive: before stopped at a\\x1b[2Jb\\n\\u202ec\\udcff: a")


def test_an_exit_status_is_told_with_its_last_words() -> None:
    said = "usage: a.py\na.py: error: give data\n2026-11-24 00:00:00.1: I tensorflow/core.cc:1] x\n"
    said += "Device mapping:\n/job:localhost/device:GPU:0 -> device: 0\n\n"
    leg = replace(inconclusive().after, ended="exit", status=2, stderr=said, trouble=[])
    shown = lines(replace(inconclusive(), before=leg, after=leg))
    assert shown[0].startswith(
        "inconclusive: before ended with exit status 2: a.py: error: give data; train.py"
    )


@pytest.mark.parametrize(
    ("ended", "status", "words"),
    [
        ("steps", 0, "stopped after 10 steps, as asked"),
        ("exit", 3, "exited with status 3"),
        ("exception", 0, "raised an exception"),
        ("timeout", 0, "did not end in time"),
        ("signal", 11, "died of signal 11"),
        ("blocked", 0, "could not be run"),
    ],
)
def test_how_both_ended(ended: str, status: int, words: str) -> None:
    one = replace(leg(), ended=ended, status=status)
    assert f"  result         match        {words}" in lines(
        replace(matching(), before=one, after=one)
    )


def test_colours() -> None:
    shown = list(verdict_lines(differing()))
    assert shown[0].startswith("\x1b[31m\x1b[1mmismatch\x1b[0m: ")
    assert any("\x1b[33minconclusive\x1b[0m" in line for line in shown)
