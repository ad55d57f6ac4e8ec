"""Which set-ups there are, and what their outcomes come to together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tfgpu.verify.gpus import Machine
from tfgpu.verify.observation import Failure, Observation, Operation, Placement
from tfgpu.verify.scenarios import Scenario, scenarios
from tfgpu.verify.simgpu.gpus import parse_gpus, text_of
from tfgpu.verify.verdict import (
    ASPECTS,
    HOW_IT_ENDED,
    Aspect,
    Comparison,
    Entry,
    Outcome,
    Verdict,
    decisive,
)

MATCH, INCONCLUSIVE, MISMATCH = Outcome.MATCH, Outcome.INCONCLUSIVE, Outcome.MISMATCH
HOROVOD = {"HOROVOD_RANK", "HOROVOD_LOCAL_RANK"}


def names(gpus: str, **other: object) -> list[str]:
    arguments = {"arguments": [()], **other}
    found = scenarios(Machine(parse_gpus(gpus), ()), **arguments)  # type: ignore[arg-type]
    return [one.name for one in found]


@pytest.mark.parametrize(
    ("gpus", "others"),
    [
        ("sim:4x16GiB", ["sim:1x16GiB", "sim:12GiB,8GiB,10GiB,14GiB,11GiB", "no GPU"]),
        ("sim:1x16GiB", ["sim:12GiB,8GiB", "no GPU"]),
        ("sim:0", ["sim:1x16GiB", "sim:12GiB,8GiB"]),
        ("sim:2x1GiB(used=900MiB)", ["no GPU"]),
    ],
)
def test_other_sets_of_gpus(gpus: str, others: list[str]) -> None:
    assert names(gpus)[1:] == others
    assert names(gpus, quick=True) == names(gpus)[:1]


@pytest.mark.parametrize(
    "text", ["sim:4x16GiB", "sim:16GiB,8GiB", "sim:2xT4", "sim:T4(used=4GiB),2x900MiB(cc=8.0)"]
)
def test_a_name_can_be_given_as_gpus(text: str) -> None:
    cards = parse_gpus(text)
    assert parse_gpus(text_of(cards)) == cards
    for one in scenarios(Machine(cards, ()), [()])[1:-1]:
        assert parse_gpus(one.name) == list(one.machine.simulated or ())


def test_each_list_of_arguments_is_asked_for() -> None:
    found = scenarios(Machine(parse_gpus("sim:2"), ()), [["--train"], ["--frac", "0.5"]])
    assert [(one.asked, list(one.argv)) for one in found[:2]] == [
        (True, ["--train"]),
        (True, ["--frac", "0.5"]),
    ]
    assert not any(one.asked for one in found[2:])
    assert all(one.argv == ("--train",) for one in found[2:])


def test_ranks_of_one_host_and_of_a_second_one() -> None:
    found = scenarios(Machine(parse_gpus("sim:2"), ()), [()], HOROVOD)
    ranks = [tuple(one.variables[name] for name in sorted(HOROVOD)) for one in found]
    assert ranks[:3] == [("0", "0"), ("1", "1"), ("1", "3")]  # local, then of all
    assert set(ranks[3:]) == {("0", "0")}
    assert found[0].asked
    assert not found[1].asked


def test_an_installed_horovod_runs_alone_without_a_stand_in() -> None:
    found = scenarios(Machine(parse_gpus("sim:2"), ()), [()], HOROVOD, horovod=True)
    assert [one.horovod_stands_in for one in found[:3]] == [False, True, True]
    assert not any(one.variables for one in found[3:])


def test_a_rank_that_the_user_gives_stays() -> None:
    found = scenarios(Machine(parse_gpus("sim:2"), ()), [()], HOROVOD, {"HOROVOD_RANK": "1"})
    assert not any(one.variables for one in found)


def test_real_gpus_are_run_as_they_are() -> None:
    assert len(scenarios(Machine(None, ()), [(), ("--eval",)])) == 2


# --- together ---


def leg(ended: str = "end", ran: bool = True, kind: str = "", trouble: str = "") -> Observation:
    operations = [Operation("a", "MatMul", "GPU:0")] if ran else []
    return Observation(
        program="train.py",
        tensorflow="2.21.0",
        python="3.12.3",
        stands_in=False,
        ended=ended,
        failure=Failure(kind, "", "", "", True) if kind else None,
        trouble=[trouble] if trouble else [],
        placements=[Placement("session 1", False, operations)],
    )


def comparison(
    outcome: Outcome, asked: bool = False, subject: str = "x", legs: tuple[Observation, ...] = ()
) -> Comparison:
    before, after = legs or (leg(), leg())
    entry = Entry(subject, outcome, "", "")
    found = [Aspect(name, [replace(entry, outcome=MATCH)]) for name in ASPECTS[:-1]]
    scenario = Scenario("sim:1", Machine((), ()), asked=asked)
    return Comparison(scenario, before, after, [*found, Aspect(ASPECTS[-1], [entry])])


def together(*found: Comparison) -> Verdict:
    own = comparison(MATCH, asked=True)
    return Verdict("", True, own.before, own.after, own.aspects, scenarios=[own, *found])


@pytest.mark.parametrize(
    ("outcomes", "wanted"),
    [
        ([MATCH, MATCH], MATCH),
        ([MATCH, MISMATCH], MISMATCH),
        ([INCONCLUSIVE, MISMATCH], MISMATCH),
        ([INCONCLUSIVE, MATCH], MATCH),  # both legs ended alike
    ],
)
def test_one_mismatch_is_a_mismatch(outcomes: list[Outcome], wanted: Outcome) -> None:
    verdict = together(*(comparison(outcome) for outcome in outcomes))
    assert verdict.outcome is wanted
    assert decisive(verdict.scenarios).outcome is wanted


def test_what_was_asked_for_must_show_something() -> None:
    assert together(comparison(INCONCLUSIVE, asked=True)).outcome is INCONCLUSIVE


ENDS = [(leg("timeout"), leg()), (leg(trouble="no model"), leg()), (leg("exception"), leg("exit"))]


@pytest.mark.parametrize("legs", ENDS)
def test_without_evidence_both_sides_must_end_alike(legs: tuple[Observation, ...]) -> None:
    assert together(comparison(INCONCLUSIVE, legs=legs)).outcome is INCONCLUSIVE


@pytest.mark.parametrize(
    ("ran", "subject", "wanted"),
    [
        (False, HOW_IT_ENDED, MATCH),  # the session refuses, the list of GPUs is too short
        (True, HOW_IT_ENDED, MISMATCH),
        (False, "gpu_options", MISMATCH),
    ],
)
def test_both_may_refuse_a_set_up_in_their_own_ways(
    ran: bool, subject: str, wanted: Outcome
) -> None:
    legs = (leg("exception", ran, "InvalidArgumentError"), leg("exception", ran, "IndexError"))
    assert together(comparison(MISMATCH, subject=subject, legs=legs)).outcome is wanted
    own = comparison(MISMATCH, asked=True, subject=subject, legs=legs)
    assert together(own).outcome is MISMATCH
