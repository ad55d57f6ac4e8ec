"""Before/after checks through the whole pipeline, as a user's file goes through it."""

from __future__ import annotations

import ast
from functools import cache
from textwrap import dedent

from migrate.engine import FileResult, analyse
from migrate.options import Options
from migrate.rulebook.book import Rulebook, load_rulebook

SAFE = Options()
UNSAFE = Options(unsafe_fixes=True)


@cache
def book() -> Rulebook:
    """Return the built-in rules, loaded once."""
    return load_rulebook()


def analysed(
    before: str, options: Options = SAFE, used_elsewhere: dict[str, str] | None = None
) -> FileResult:
    """Return what one program comes to."""
    return analyse(dedent(before).lstrip("\n"), book(), options, used_elsewhere)


def migrated(
    before: str, options: Options = SAFE, used_elsewhere: dict[str, str] | None = None
) -> str:
    """Return the migrated text of a program; the same text where nothing changes."""
    before = dedent(before).lstrip("\n")
    text = analysed(before, options, used_elsewhere).new_text()
    return before if text is None else text


def check_transformed(before: str, after: str, options: Options = SAFE) -> None:
    """Check that a program becomes exactly another one, which parses and stays as it is."""
    before, after = dedent(before).lstrip("\n"), dedent(after).lstrip("\n")
    ast.parse(before)
    ast.parse(after)
    assert migrated(before, options) == after
    assert migrated(after, options) == after


def check_noop(before: str, options: Options = SAFE) -> None:
    """Check that a program stays as it is."""
    before = dedent(before).lstrip("\n")
    assert migrated(before, options) == before


def check_kept(before: str, reason: str, options: Options = SAFE) -> FileResult:
    """Check that a program stays as it is, and that a finding of one rule says why."""
    check_noop(before, options)
    result = analysed(before, options)
    codes = {config.kept_by for config in result.configs}
    rule = book().find(reason)
    assert rule is not None
    assert rule.code in codes, [finding.message for finding in result.findings]
    return result


def names(result: FileResult) -> list[str]:
    """Return the readable names of the rules of all findings, in order."""
    return [finding.name for finding in result.findings]
