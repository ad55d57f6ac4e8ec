"""One program in several forms: a session, a function, eager code, a wrapped function, Keras.

Each program in `forms` runs once, and each wrong one; then all pairs are compared.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.verify.carry_over import GPUS, KERAS_3, NAMES, PAGE, PROGRAMS, Record, leg, page, text
from tests.verify.server import Server, describe
from tests.verify.wrong_forms import WRONG, Wrong
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Outcome, Verdict

PAIRS = [(program, *pair) for program in PROGRAMS for pair in permutations(NAMES, 2)]


@pytest.fixture(scope="module")
def record(server: Server) -> Record:
    """Runs a program, the same text once only."""
    known: dict[str, Observation] = {}

    def run(text: str) -> Observation:
        if text not in known:
            known[text] = leg(server, text)
        return known[text]

    return run


def wrong_text(wrong: Wrong) -> str:
    found = text(wrong.program, wrong.form)
    for old, new in wrong.texts:
        assert old in found, (wrong.name, old)
        found = found.replace(old, new)
    return found


def verdict(before: Observation, after: Observation) -> Verdict:
    return Verdict(GPUS, True, before, after, compare(before, after, simulated=True))


@pytest.mark.parametrize(("program", "before", "after"), PAIRS, ids=map("-".join, PAIRS))
def test_forms_of_one_program_match(record: Record, program: str, before: str, after: str) -> None:
    found = verdict(record(text(program, before)), record(text(program, after)))
    assert found.outcome is Outcome.MATCH, describe(found)


@pytest.mark.parametrize("program", ["matmul", "feed", "mlp", "towers"])
@pytest.mark.parametrize("form", NAMES)
def test_keras_3_matches_the_other_forms(record: Record, program: str, form: str) -> None:
    legs = record(text(program, form)), record(text(program, KERAS_3))
    for pair in (legs, legs[::-1]):
        assert verdict(*pair).outcome is Outcome.MATCH, describe(verdict(*pair))


@pytest.mark.parametrize("program", ["conv", "counter"])
def test_what_keras_3_spells_otherwise_is_no_match(record: Record, program: str) -> None:
    found = verdict(record(text(program, "session")), record(text(program, KERAS_3)))
    assert found.outcome is not Outcome.MATCH


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_a_wrong_form_is_no_match(record: Record, wrong: Wrong) -> None:
    after = record(wrong_text(wrong))
    for form in NAMES:
        found = verdict(record(text(wrong.program, form)), after)
        assert found.outcome is not Outcome.MATCH, form


def test_the_page_says_what_was_measured(record: Record) -> None:
    assert PAGE.read_text("utf-8") == page(record), "python -m tests.verify.carry_over"
