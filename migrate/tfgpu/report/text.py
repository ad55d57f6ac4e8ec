"""Results as lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from click import style

from tfgpu.place import place, printable
from tfgpu.report.summary import Summary, count
from tfgpu.results import Finding, Result
from tfgpu.rulebook.book import Rulebook

_COLOURS = {"safe": "green", "unsafe": "yellow", "none": "red"}
_FIXES = {"safe": "", "unsafe": " [unsafe fix]", "none": " [by hand]"}


def finding_lines(path: str, finding: Finding, source: bool = True) -> Iterator[str]:
    """Yield the lines of one finding: where and what, with its source line, then the way out."""
    from tfgpu.report.excerpt import excerpt  # noqa: PLC0415 - few need it

    where = place(path, finding.line, finding.column, finding.cell)
    code = style(finding.code, fg=fix_colour(finding))
    head = style(f"{printable(where)}:", bold=True)
    yield f"{head} {code} {finding.name}{_mark(finding)}: {printable(finding.message)}"
    for number, (gutter, text) in enumerate(excerpt(finding) if source else ()):
        marked = style(text, fg=fix_colour(finding)) if number else text
        yield style(gutter, fg="blue") + marked
    if finding.todo:
        yield f"    {printable(finding.todo)}"


def _mark(finding: Finding) -> str:
    """Say how a finding is settled; a note, and what only stays as it is, ask for no hand."""
    return _FIXES[finding.fix] if finding.fix != "none" or finding.by_hand else ""


def fix_colour(finding: Finding) -> str:
    """Return the colour that tells the kind of fix."""
    return _COLOURS[finding.fix]


def failure_line(result: Result) -> str:
    """Return the line of a file that failed."""
    where = place(result.path, result.line, cell=result.cell)
    return f"{style('error', fg='red')}: {printable(where)}: {printable(result.reason or '')}"


def diff(result: Result) -> list[bytes]:
    """Return the lines of the diff of a migrated file, as the bytes that `git apply` takes."""
    from tfgpu.files.patch import patch_name, unified  # noqa: PLC0415 - few need it

    assert result.new is not None
    name = patch_name(result.path)
    return unified(result.old, result.new, name, name)


def shown_diff(result: Result) -> Iterator[str]:
    """Yield the lines of the diff of a migrated file for people to read, without line feeds."""
    assert result.source is not None
    for number, line in enumerate(diff(result)):
        text = line.decode("utf-8" if number < 2 else result.source.encoding, "replace")
        colour = {"@": "cyan", "+": "green", "-": "red"}.get(text[0])
        yield style(text.removesuffix("\n"), **({"bold": True} if number < 2 else {"fg": colour}))


# Causes that are named; the others are only counted.
_CAUSES = 5


def summary_lines(summary: Summary, book: Rulebook) -> Iterator[str]:
    """Yield the lines of the summary: what was read, what converts, what keeps the others."""
    failed = f", {summary.files_failed:,} failed" if summary.files_failed else ""
    kinds = [
        count(number, noun)
        for number, noun in ((summary.errors, "error"), (summary.notes, "note"))
        if number
    ]
    where = f" in {count(summary.files_found, 'file')}" if summary.findings else ""
    among = f" ({', '.join(kinds)})" if kinds else ""
    yield (
        f"Scanned {count(summary.files_read, 'file')}{failed}: "
        f"{count(summary.findings, 'finding')}{among}{where}"
    )
    if summary.unread:
        total, names = sum(summary.unread.values()), ", ".join(sorted(summary.unread))
        yield (
            f"{count(total, 'file')} in {names} with a ConfigProto not read: "
            "install tfgpu[languages]"
        )
    if summary.configs_found:
        yield (
            f"{summary.configs_convertible:,} of {count(summary.configs_found, 'config')} "
            f"{'converts' if summary.configs_found == 1 else 'convert'}"
        )
    causes = summary.ordered_causes()
    for cause, configs in causes[:_CAUSES]:
        where, _, code = cause.rpartition(" ")
        rule = book.find(code)
        name = f" {rule.name}" if rule is not None else ""
        yield printable(f"{len(configs):6,} kept by {code}{name}, {where}")
    if len(causes) > _CAUSES:
        yield f"       and {count(len(causes) - _CAUSES, 'more cause')}: --statistics, or JSON"
