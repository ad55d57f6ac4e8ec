"""The programs under `fixtures/`: what the tool makes of a `before.py` is its `after.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.options import Options
from migrate.run import Job, process
from tests.tools import book

PROGRAMS = sorted(Path(__file__).parent.parent.glob("fixtures/*/before.py"))


@pytest.mark.parametrize("before", PROGRAMS, ids=lambda path: path.parent.name)
def test_before_gives_after(before: Path) -> None:
    data = before.read_bytes()
    after = before.with_name("after.py").read_bytes()
    result = process(str(before), data, Job(Options(), rewrite=True), book())
    assert result.reason is None
    assert (result.new or data) == after


@pytest.mark.parametrize("before", PROGRAMS, ids=lambda path: path.parent.name)
def test_after_gives_itself(before: Path) -> None:
    path = before.with_name("after.py")
    result = process(str(path), path.read_bytes(), Job(Options(), rewrite=True), book())
    assert result.new is None
    assert not result.configs


def test_programs_of_the_tensorflow_2_guide_stay_as_they_are() -> None:
    guide = [path for path in PROGRAMS if path.parent.name.startswith("tf2_")]
    assert len(guide) == 5
    for path in guide:
        assert path.read_bytes() == path.with_name("after.py").read_bytes()
