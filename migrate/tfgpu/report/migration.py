"""The report of a migration, for the people who go on with it: what is done, what is in the way."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

from tfgpu.files.scripts import is_python
from tfgpu.program.entries import programs_of
from tfgpu.program.modules import Modules
from tfgpu.program.projects import by_project
from tfgpu.report.folded import Group, fold
from tfgpu.report.markdown import code, plain
from tfgpu.report.next import SCRIPT, Step
from tfgpu.report.summary import Summary, count, stopping
from tfgpu.results import Result
from tfgpu.rulebook.book import Rulebook

_LISTED = 50
_WITH_THE_CHANGE = "with the change, as far as is known here"


def migration_report(
    results: Sequence[Result],
    paths: Sequence[str],
    summary: Summary,
    book: Rulebook,
    written: bool,
    after: Sequence[Step],
) -> str:
    """Return the report in Markdown: done, blocked, names by hand, programs, and what to do next.

    `written` tells that the files that change were written, `after` is what to do next.
    """
    groups = fold(results)
    changed = [result.path for result in results if result.new is not None and not result.reason]
    lines = ["# Migration to tf.config", ""]
    lines += _done(changed, summary, written)
    lines += _blocked([group for group in groups if group.configs and not group.converts], summary)
    lines += _by_hand(results, book)
    programs = sorted(_programs(results, paths))
    lines += _table(programs)
    lines += ["## Next", ""]
    lines += _next(after, programs) or ["Nothing is left to do."]
    return "\n".join(lines).rstrip("\n") + "\n"


def _done(changed: Sequence[str], summary: Summary, written: bool) -> Iterator[str]:
    convertible, found = summary.configs_convertible, summary.configs_found
    yield f"## {'Done' if written else 'Would be done'}"
    yield ""
    yield f"{convertible} of {count(found, 'config')} in {count(len(changed), 'changed file')}."
    yield ""
    yield from (f"- {code(path)}" for path in changed[:_LISTED])
    if len(changed) > _LISTED:
        yield f"- and {count(len(changed) - _LISTED, 'more file')}"
    yield ""


def _blocked(groups: Sequence[Group], summary: Summary) -> Iterator[str]:
    if not groups:
        return
    yield "## Blocked"
    yield ""
    works = "They work on TensorFlow 2 as `tf.compat.v1.ConfigProto`"
    but = [
        f"{count(number, 'config')} that {what}"
        for number, what in (
            (summary.configs_losing, "TFG807 is about"),
            (summary.configs_failing, "TensorFlow refuses in every version"),
        )
        if number
    ]
    yield f"These configs stay. {works}{', but for ' if but else ''}{' and '.join(but)}."
    yield ""
    yield "| configs | because of | where | what to do |"
    yield "|--:|---|---|---|"
    for group in sorted(groups, key=lambda group: -len(group.configs)):
        head = group.head
        message = plain(f"{head.code} {head.name}: {head.message.removeprefix('config kept: ')}")
        where = code(group.key.rpartition(" ")[0])
        yield f"| {len(group.configs)} | {message} | {where} | {plain(head.todo)} |"
    yield ""


def _by_hand(results: Iterable[Result], book: Rulebook) -> Iterator[str]:
    """Yield the names that stop a program, each with its answer."""
    # The first place in each file.
    places: dict[str, dict[str, str]] = {}
    for result in results:
        for finding in result.findings:
            where = finding.key(result.path).rpartition(" ")[0]
            for name in stopping(finding):
                places.setdefault(name, {}).setdefault(result.path, where)
    if not places:
        return
    yield "## By hand: names that TensorFlow 2 does not have"
    yield ""
    yield "A program with one of them does not start there, whatever its GPU settings are."
    yield ""
    yield "| name | files | first in | what to do |"
    yield "|---|--:|---|---|"
    for name, found in sorted(places.items(), key=lambda item: -len(item[1])):
        answer = book.answer(name) or "no answer is known here; see TensorFlow's release notes"
        first = next(iter(found.values()))
        yield f"| {plain(name)} | {len(found)} | {code(first)} | {plain(answer)} |"
    yield ""


def _programs(results: Sequence[Result], paths: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    """Yield entry scripts, how many more their program has, and whether TensorFlow 2 starts it."""
    stops: dict[str, list[str]] = {}
    for result in results:
        for finding in result.findings:
            if gone := stopping(finding):
                stops.setdefault(result.path, []).extend(gone)
        if result.reason is not None:
            stops.setdefault(result.path, []).append(result.reason)
    changed = {result.path for result in results if result.new is not None}
    told = {result.path for result in results if result.configs} | set(stops) | changed
    python = [item.path for item in results if is_python(item.path)]
    for members in by_project(python, paths or (".",)).values():
        modules = Modules(dict.fromkeys(members, b""))
        for program in programs_of(modules):
            if told & program.files:
                names = dict.fromkeys(
                    name for path in sorted(program.files) for name in stops.get(path, ())
                )
                answer = _WITH_THE_CHANGE
                if names:
                    listed = list(names)
                    answer = f"no: {', '.join(listed[:5])}{', ...' if len(listed) > 5 else ''}"
                elif not changed & program.files:
                    answer = "with --imports, as far as is known here"
                yield program.entries[0], len(program.entries) - 1, answer


def _table(rows: Sequence[tuple[str, int, str]]) -> Iterator[str]:
    """Yield which entry scripts can start on TensorFlow 2, and what stops the others."""
    if not rows:
        return
    yield "## Programs"
    yield ""
    yield "| entry script | starts on TensorFlow 2? |"
    yield "|---|---|"
    for entry, others, answer in rows[:_LISTED]:
        more = f" and {others} more" if others else ""
        yield f"| {code(entry)}{more} | {plain(answer)} |"
    if len(rows) > _LISTED:
        yield f"| and {len(rows) - _LISTED} more | |"
    yield ""


def _next(after: Sequence[Step], programs: Sequence[tuple[str, int, str]]) -> list[str]:
    """Return what to do next, with commands to copy, for a program that starts where one does."""
    entries = sorted(programs, key=lambda row: row[2] != _WITH_THE_CHANGE)
    script = shlex.quote(entries[0][0]) if entries else SCRIPT
    lines = []
    for step in after:
        if step.said != "Next":
            lines += [f"{plain(step.said)}.", ""]
        for command, does in step.commands:
            made = re.sub(rf" {SCRIPT}(?= |$)", lambda _: f" {script}", command, count=1)
            lines += [f"{does[0].upper()}{does[1:]}:", "", "```sh", made, "```", ""]
    return lines
