"""Results as lines for people."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from click import style

from migrate.engine import Finding
from migrate.report.summary import Summary
from migrate.rulebook.book import Rulebook
from migrate.run import Result

_COLOURS = {"safe": "green", "unsafe": "yellow", "none": "red"}
_FIXES = {"safe": "", "unsafe": " [unsafe fix]", "none": " [by hand]"}


def finding_lines(path: str, finding: Finding) -> Iterator[str]:
    """Yield the lines of one finding: where and what, then the way out."""
    place = style(f"{path}:{finding.line}:{finding.column}:", bold=True)
    code = style(finding.code, fg=_COLOURS[finding.fix])
    yield f"{place} {code} {finding.name}{_FIXES[finding.fix]}: {finding.message}"
    yield f"    {finding.todo}"


def failure_line(result: Result) -> str:
    """Return the line of a file that failed."""
    place = f"{result.path}:{result.line}" if result.line else result.path
    # A name may hold anything, a line break too.
    return f"{style('error', fg='red')}: {_printable(place)}: {result.reason}"


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def diff(result: Result) -> Iterator[str]:
    """Yield the unified diff of a migrated file, without line endings."""
    assert result.source is not None
    assert result.new_text is not None
    lines = difflib.unified_diff(
        _lines(result.source.text), _lines(result.new_text), result.path, result.path, lineterm=""
    )
    for line in lines:
        if line.startswith(("---", "+++")):
            yield style(line, bold=True)
        elif line.startswith("@@"):
            yield style(line, fg="cyan")
        else:
            yield style(line, fg={"+": "green", "-": "red"}.get(line[0]))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")


def summary_lines(summary: Summary, book: Rulebook) -> Iterator[str]:
    """Yield the lines of the summary."""
    yield (
        f"{_count(summary.files_read, 'file')} read, {summary.files_parsed} parsed "
        f"(the others name no GPU setting), {summary.files_failed} failed; "
        f"{_count(summary.findings, 'finding')}"
    )
    yield (
        f"{_count(summary.configs_found, 'config')} found, "
        f"{summary.configs_convertible} convertible, {summary.configs_kept} kept"
    )
    for code, count in summary.kept_by_reason.most_common():
        rule = book.find(code)
        assert rule is not None
        yield f"  {count:4} kept: {code} {rule.name}: {rule.summary}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
