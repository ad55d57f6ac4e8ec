"""No file crashes tfgpu, and none comes out broken: mutations, and programs from Python's grammar.

`benchmarks/fuzz.py` does the same with many more, and with real code.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.tools import GROWTH
from tests.fuzzing import check, mutated, options, sources
from tfgpu.options import Options

hypothesmith = pytest.importorskip("hypothesmith")
# Reading the grammar takes seconds: whoever runs the test does it, once, and not who collects it.
PROGRAMS: st.SearchStrategy[str] = st.deferred(hypothesmith.from_grammar)


@pytest.mark.parametrize("seed", range(6))
def test_mutated_files(seed: int) -> None:
    chance = random.Random(seed)
    known = sources()
    seen = set()
    for number in range(200):
        data = mutated(chance.choice(known), chance.choice(known), chance)
        chosen = options(chance)
        try:
            seen.add(check(data, chosen))
        except Exception as error:
            raise AssertionError(f"file {number}: {data!r} with {chosen}") from error
    assert seen == {"failed", "kept", "changed"}


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(PROGRAMS, PROGRAMS, st.booleans())
def test_any_program_around_a_config(above: str, below: str, unsafe: bool) -> None:
    check(f"{above}\n{GROWTH}\n{below}\n".encode(), Options(unsafe_fixes=unsafe))
