"""Random programs do the same before and after their migration.

`python -m benchmarks.differential` runs as many more as one likes, and reduces one that differs.
"""

from __future__ import annotations

import ast

import pytest

from tests.differential.generate import program
from tests.differential.runner import Runner, code

SEEDS = range(200)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_program_does_the_same(runner: Runner, seed: int) -> None:
    report = runner.compare(program(seed))
    assert not report.differences, f"seed {seed}: {report}"


def test_random_programs_can_be_parsed_and_are_the_same_again() -> None:
    for seed in SEEDS:
        made = program(seed)
        assert made == program(seed)
        assert {entry.script for entry in made.entries} <= set(made.files)
        for path, text in made.files.items():
            ast.parse(code(path, text))
