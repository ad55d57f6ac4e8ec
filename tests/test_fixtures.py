"""The programs under `fixtures/`: what the tool makes of a `before.py` is its `after.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import book
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.results import Result

PROGRAMS = sorted(Path(__file__).parent.parent.glob("fixtures/*/before.py"))


def _processed(path: Path) -> Result:
    # A fraction of the command line is assumed to be from 0 to 1.
    job = Job(Options(unsafe_fixes=path.parent.name == "guarded"), rewrite=True)
    return process({str(path): _text(path)}, job, book())[0]


def _text(path: Path) -> bytes:
    """Return a program, with Horovod instead of the file beside it that stands for that."""
    return path.read_bytes().replace(b"import hvd_stub as", b"import horovod.tensorflow as")


@pytest.mark.parametrize("before", PROGRAMS, ids=lambda path: path.parent.name)
def test_before_gives_after(before: Path) -> None:
    after = _text(before.with_name("after.py"))
    result = _processed(before)
    assert result.reason is None
    assert (result.new or result.old) == after


@pytest.mark.parametrize("before", PROGRAMS, ids=lambda path: path.parent.name)
def test_after_gives_itself(before: Path) -> None:
    result = _processed(before.with_name("after.py"))
    assert result.new is None
    assert not result.configs


def test_programs_of_the_tensorflow_2_guide_stay_as_they_are() -> None:
    guide = [path for path in PROGRAMS if path.parent.name.startswith("tf2_")]
    assert len(guide) == 5
    for path in guide:
        assert path.read_bytes() == path.with_name("after.py").read_bytes()
