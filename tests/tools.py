"""Before/after checks through the whole pipeline, as a user's file goes through it."""

from __future__ import annotations

import io
import tokenize
from functools import cache
from textwrap import dedent

from tfgpu.engine import FileResult, analyse
from tfgpu.options import Options
from tfgpu.rulebook.book import Rulebook, load_rulebook

SAFE = Options()
UNSAFE = Options(unsafe_fixes=True)

# The first lines of most programs, before and after.
RAW = "import tensorflow as tf\n\n"
V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n\n"


@cache
def book() -> Rulebook:
    """Return the built-in rules, loaded once."""
    return load_rulebook()


def source(text: str) -> str:
    """Return the text of a program that a test writes indented."""
    return dedent(text).lstrip("\n")


def comments(text: str) -> list[str]:
    """Return the comments of a program, sorted."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sorted(token.string for token in tokens if token.type == tokenize.COMMENT)


def analysed(before: str, options: Options = SAFE) -> FileResult:
    """Return what one program comes to."""
    return analyse(source(before), book(), options)


def migrated(before: str, options: Options = SAFE) -> str:
    """Return the migrated text of a program; the same text where nothing changes."""
    before = source(before)
    text = analysed(before, options).new_text()
    return before if text is None else text


def check_transformed(before: str, after: str, options: Options = SAFE) -> None:
    """Check that a program becomes exactly another one, which compiles and stays as it is."""
    before, after = source(before), source(after)
    compile(before, "before", "exec")
    compile(after, "after", "exec")
    assert migrated(before, options) == after
    assert migrated(after, options) == after


def check_noop(before: str, options: Options = SAFE) -> None:
    """Check that a program stays as it is."""
    before = source(before)
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


def check_body(before: str, after: str, options: Options = SAFE) -> None:
    """Check what becomes of raw TensorFlow 1 code below its import of TensorFlow."""
    check_transformed(RAW + source(before), V1 + source(after), options)


def check_body_kept(before: str, reason: str, options: Options = SAFE) -> FileResult:
    """Check that raw TensorFlow 1 code stays as it is, and which rule says why."""
    return check_kept(RAW + source(before), reason, options)


def check_not_converted(before: str, options: Options = SAFE) -> None:
    """Check that all configs of a program are kept, whatever the reason."""
    check_noop(before, options)
    kept = [config.kept_by for config in analysed(before, options).configs]
    assert kept
    assert None not in kept


def names(result: FileResult) -> list[str]:
    """Return the readable names of the rules of all findings, in order."""
    return [finding.name for finding in result.findings]
