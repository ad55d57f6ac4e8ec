"""Wrong migrations are caught, in the aspect that they change and by the setting's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.verify.server import Server, describe
from tests.verify.wrong_migrations import CASES, Case, Wrong
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import ASPECTS, Outcome, Verdict

Leg = Callable[[Case, Wrong | None], Verdict]


@pytest.fixture(scope="module")
def verdict(server: Server) -> Leg:
    """Runs a case's program, once, and one of its migrations, and compares."""
    known: dict[str, Observation] = {}

    def run(case: Case, wrong: Wrong | None) -> Verdict:
        if case.name not in known:
            known[case.name] = server.leg(case.before_program, case.gpus, True)
        before, after = known[case.name], server.leg(case.after_program(wrong), case.gpus, False)
        return Verdict(case.gpus, True, before, after, compare(before, after, simulated=True))

    return run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_right_migration_matches(verdict: Leg, case: Case) -> None:
    found = verdict(case, None)
    expected = Outcome.MATCH if case.proves else Outcome.INCONCLUSIVE
    assert found.outcome is expected, describe(found)
    others = [aspect for aspect in found.aspects if case.proves or aspect.name != "result"]
    assert all(aspect.outcome is Outcome.MATCH for aspect in others), describe(found)


@pytest.mark.parametrize(
    ("case", "wrong"),
    [
        pytest.param(case, wrong, id=f"{case.name}: {wrong.name}")
        for case in CASES
        for wrong in case.wrong
    ],
)
def test_a_wrong_migration_is_caught(verdict: Leg, case: Case, wrong: Wrong) -> None:
    found = verdict(case, wrong)
    assert (found.outcome, found.exit_code) == (Outcome.MISMATCH, 1), describe(found)
    for aspect in found.aspects:
        caught = [entry for entry in aspect.entries if entry.outcome is Outcome.MISMATCH]
        said = "\n".join(f"{one.title}: {one.before} | {one.after} {one.reason}" for one in caught)
        for words in wrong.caught.get(aspect.name, ()):
            assert words in said, describe(found)


def test_each_aspect_catches_some() -> None:
    counts = Counter(aspect for case in CASES for wrong in case.wrong for aspect in wrong.caught)
    assert {name for name in ASPECTS if counts[name] >= 3} == set(ASPECTS)
    assert all(words for case in CASES for one in case.wrong for words in one.caught.values())
