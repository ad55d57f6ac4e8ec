"""Every example of every rule: exact bytes, idempotent, and reported by its own rule."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from migrate.importers import imported_names
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


def _used_elsewhere(example: Example) -> dict[str, str]:
    names = imported_names(example.imported_by.encode(), "other.py", Path("example").resolve())
    return dict.fromkeys(names, "other.py")


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_before_gives_exactly_after(rule: Rule, example: Example) -> None:
    ast.parse(example.before)
    ast.parse(example.after)
    after = migrated(example.before, _options(example), _used_elsewhere(example))
    assert after == example.after


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_after_gives_itself(rule: Rule, example: Example) -> None:
    assert migrated(example.after, _options(example), _used_elsewhere(example)) == example.after


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_the_rule_itself_reports_its_example(rule: Rule, example: Example) -> None:
    result = analysed(example.before, _options(example), _used_elsewhere(example))
    assert rule.code in {finding.code for finding in result.findings}
