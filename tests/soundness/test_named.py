"""A file that is named alone is decided on with its program: never less carefully than the folder.

Every file with a config of the programs in `programs/` that have several files is named alone, with
and without the other files of its folder.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tools import write
from tests.soundness.programs import Case, cases
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.run import run

CASES = [case for case in cases() if len(case.program.files) > 1]


def converted(*named: Path) -> set[tuple[str, int, int]]:
    """Return the configs that safe fixes convert."""
    results = run(list(map(str, named)), Job(Options(), rewrite=False), jobs=1)
    return {
        (result.path, config.cell, config.line)
        for result in results
        for config in result.configs
        if config.kept_by is None
    }


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_file_by_name_converts_nothing_that_the_folder_keeps(case: Case, tmp_path: Path) -> None:
    write(tmp_path / ".git" / "HEAD", "")
    for path, text in case.program.files.items():
        write(tmp_path / path, text)
    whole = converted(tmp_path)
    for path, text in case.program.files.items():
        if "ConfigProto" in text:
            alone = converted(tmp_path / path)
            assert alone <= whole, f"{case.name}: {path} by itself"
