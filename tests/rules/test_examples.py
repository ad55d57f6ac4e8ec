"""Every example of every rule: exact bytes, idempotent, and reported by its own rule."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from migrate.importers import Importers
from migrate.options import Options
from migrate.rulebook.load import version
from migrate.rulebook.model import Example, Rule
from tests.tools import analysed, book, migrated

EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.code}-{number}")
    for rule in book().rules
    for number, example in enumerate(rule.examples)
]


def _options(example: Example) -> Options:
    return Options(
        version(example.min_tf), example.unsafe, example.keep_imports, ignore=example.ignore
    )


def _used_elsewhere(example: Example, folder: Path) -> dict[str, str]:
    """Return what the file beside the example takes from it."""
    this, other = folder / "example.py", folder / "other.py"
    this.write_text(example.before)
    other.write_text(example.imported_by)
    names = analysed(example.before, _options(example)).exports
    return Importers([str(this), str(other)]).of(str(this), names)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_before_gives_exactly_after(rule: Rule, example: Example, tmp_path: Path) -> None:
    ast.parse(example.before)
    ast.parse(example.after)
    after = migrated(example.before, _options(example), _used_elsewhere(example, tmp_path))
    assert after == example.after


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_after_gives_itself(rule: Rule, example: Example, tmp_path: Path) -> None:
    assert (
        migrated(example.after, _options(example), _used_elsewhere(example, tmp_path))
        == example.after
    )


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_the_rule_itself_reports_its_example(rule: Rule, example: Example, tmp_path: Path) -> None:
    result = analysed(example.before, _options(example), _used_elsewhere(example, tmp_path))
    assert rule.code in {finding.code for finding in result.findings}
