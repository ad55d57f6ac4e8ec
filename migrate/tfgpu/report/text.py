"""Results as lines for people."""

from __future__ import annotations

import difflib
import io
from collections.abc import Iterator
from itertools import islice

from click import style

from tfgpu.findings import Finding
from tfgpu.place import place
from tfgpu.process import Result
from tfgpu.report.printable import printable
from tfgpu.report.summary import Summary, count
from tfgpu.rulebook.book import Rulebook

_COLOURS = {"safe": "green", "unsafe": "yellow", "none": "red"}
_FIXES = {"safe": "", "unsafe": " [unsafe fix]", "none": " [by hand]"}


def finding_lines(path: str, finding: Finding) -> Iterator[str]:
    """Yield the lines of one finding: where and what, then the way out."""
    where = place(path, finding.line, finding.column, finding.cell)
    code = style(finding.code, fg=fix_colour(finding))
    head = style(f"{printable(where)}:", bold=True)
    yield f"{head} {code} {finding.name}{_FIXES[finding.fix]}: {printable(finding.message)}"
    yield f"    {printable(finding.todo)}"


def fix_colour(finding: Finding) -> str:
    """Return the colour that tells the kind of fix."""
    return _COLOURS[finding.fix]


def failure_line(result: Result) -> str:
    """Return the line of a file that failed."""
    where = place(result.path, result.line, cell=result.cell)
    return f"{style('error', fg='red')}: {printable(where)}: {printable(result.reason or '')}"


def diff(result: Result) -> Iterator[str]:
    """Yield the lines of the unified diff of a migrated file, as `git apply -p0` takes them.

    Only the line feed at the end of each is left off: a carriage return belongs to the file.
    """
    assert result.source is not None
    assert result.new_text is not None
    mark = "\ufeff" if result.source.bom else ""
    # A StringIO breaks lines at line feeds only.
    old = list(io.StringIO(mark + result.source.shown(result.source.text)))
    new = list(io.StringIO(mark + result.source.shown(result.new_text)))
    name = printable(result.path) + ("\t" if " " in result.path else "")
    lines = difflib.unified_diff(old, new, name, name)
    for header in islice(lines, 2):
        yield style(header.removesuffix("\n"), bold=True)
    for line in lines:
        colour = {"@": "cyan", "+": "green", "-": "red"}.get(line[0])
        yield style(line.removesuffix("\n"), fg=colour)
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def summary_lines(summary: Summary, book: Rulebook) -> Iterator[str]:
    """Yield the lines of the summary."""
    yield (
        f"{count(summary.files_read, 'file')} read, {summary.files_parsed} parsed "
        f"(the others name no GPU setting), {summary.files_failed} failed; "
        f"{count(summary.findings, 'finding')}"
        + (f", {count(summary.notes, 'note')} among them" if summary.notes else "")
    )
    yield (
        f"{count(summary.configs_found, 'config')} found, "
        f"{summary.configs_convertible} convertible, {summary.configs_kept} kept"
    )
    for code, number in summary.kept_by_reason.most_common():
        rule = book.find(code)
        assert rule is not None
        yield f"  {number:4} kept: {code} {rule.name}: {rule.summary}"
    for (keeper, cause), programs in summary.kept_programs.items():
        first, *others = sorted(programs)
        more = f" and {len(others)} more" if others else ""
        yield printable(f"program kept: {first}{more}, because of {keeper}: {cause}")
