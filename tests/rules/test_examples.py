"""Every example of every rule: exact bytes, idempotent, and reported by its own rule."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.tools import book
from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.results import Result
from tfgpu.rulebook.model import Example, Rule
from tfgpu.rulebook.table import version
from tfgpu.run import run

EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.code}-{number}")
    for rule in book().rules
    for number, example in enumerate(rule.examples)
]


def _options(example: Example) -> Options:
    return Options(
        version(example.min_tf),
        example.unsafe,
        keep_imports=example.keep_imports,
        imports=example.imports,
        ignore=example.ignore,
        gpu_memory=example.gpu_memory,
    )


def _result(text: str, example: Example, folder: Path) -> Result:
    """Return what comes of a text, with the file that the example has beside it."""
    this, other = folder / example.path, folder / "other.py"
    this.parent.mkdir(parents=True, exist_ok=True)
    this.write_text(text)
    other.write_text(example.imported_by)
    job = Job(_options(example), rewrite=True, kinds=EVERY)
    return next(run([str(this)] if example.alone else [str(this), str(other)], job, jobs=1))


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_before_gives_exactly_after(rule: Rule, example: Example, tmp_path: Path) -> None:
    if example.path.endswith(".py") and "py2" not in example.needs:
        ast.parse(example.before)
        ast.parse(example.after)
    result = _result(example.before, example, tmp_path)
    assert result.reason is None
    written = example.before if result.new is None else result.new.decode()
    assert written == example.after


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_after_gives_itself(rule: Rule, example: Example, tmp_path: Path) -> None:
    result = _result(example.after, example, tmp_path)
    assert result.reason is None
    assert result.new_text is None


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_the_rule_itself_reports_what_its_example_says(
    rule: Rule, example: Example, tmp_path: Path
) -> None:
    result = _result(example.before, example, tmp_path)
    codes = {finding.code for finding in result.findings}
    assert (rule.code in codes) == example.reported
    assert [finding.code for finding in result.findings if not finding.todo] == []
