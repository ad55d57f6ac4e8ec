"""The programs under `fixtures/`, and what runs of two of them are to show."""

from __future__ import annotations

from pathlib import Path

from tests.verify.server import describe
from tfgpu.verify.verdict import Outcome, Verdict

FIXTURES = Path(__file__).parents[2] / "fixtures"
# All is alike and proves too little: its operations are folded on the CPU, or are refused.
_PROVES_NOTHING = {"cuda_two_towers", "gpu_out_of_range"}


def check_alike(verdict: Verdict, fixture: str) -> None:
    """Check that all aspects match; the result does where the runs prove something."""
    for aspect in verdict.aspects:
        enough = aspect.name != "result" or fixture not in _PROVES_NOTHING
        # Nothing of the result is left to compare where one side ends at its steps.
        expected = {Outcome.MATCH, Outcome.IGNORED} if enough else {Outcome.INCONCLUSIVE}
        assert aspect.outcome in expected, describe(verdict)
