"""`tfgpu audit`: what there is, without changing anything."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tfgpu.cli.common import (
    Common,
    Refusal,
    common_options,
    format_option,
    output_option,
    results,
    say,
    say_failure,
    watched,
    written,
)
from tfgpu.cli.words import OutputFile
from tfgpu.dataclass import replace
from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.place import printable
from tfgpu.report.next import after_audit
from tfgpu.report.output import replaced
from tfgpu.report.summary import Statistics, Summary, statistics_lines
from tfgpu.report.writer import FORMATS, WITH_EDITS, WITHOUT_STATISTICS, make_writer
from tfgpu.results import Result

if TYPE_CHECKING:
    from tfgpu.baseline import Baseline
    from tfgpu.git import Changes

_REASON = "TODO: say why"


@click.command()
@common_options
@click.option(
    "--baseline", type=click.Path(path_type=Path), metavar="FILE",
    help="Only findings that are not in this baseline.",
)  # fmt: skip
@click.option(
    "--write-baseline", type=OutputFile(path_type=Path), metavar="FILE",
    help="Write all findings to this baseline, and exit with 0.",
)  # fmt: skip
@click.option(
    "--diff-base", metavar="COMMIT",
    help="Only findings on lines that changed since the branch left this commit.",
)  # fmt: skip
@click.option("--add-ignores", is_flag=True, help="Write an ignore comment for every finding.")
@click.option(
    "--reason", metavar="TEXT",
    help=f"With --add-ignores: the reason to write.  [default: {_REASON}]",
)  # fmt: skip
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@format_option(FORMATS, "text", "The format of the findings.")
@output_option
@click.option(
    "--statistics", "counted", is_flag=True,
    help="Also count findings by rule, and estimate the remaining work.",
)  # fmt: skip
def audit(
    common: Common,
    exit_zero: bool,
    kind: str,
    output: str,
    counted: bool,
    **narrowing: Any,
) -> None:
    """Report every GPU setting of a TensorFlow 1 program, and how it converts.

    Exit status: 0 no findings except notes, 1 findings, 2 a file failed, 3 both.
    Configuration: [tool.tfgpu] in pyproject.toml, or tfgpu.toml. In code: # tfgpu: ignore[RULE]
    reason.
    """
    job = replace(common.job(Options(), kinds=EVERY), edits=kind in WITH_EDITS)
    if narrowing["add_ignores"] and "-" in common.paths:
        raise click.UsageError("--add-ignores writes files; - is standard input")
    narrow = Narrowing(job, common.paths, **narrowing)
    book = job.whole_book()
    summary = Summary()
    statistics = Statistics(book)
    with watched(common) as watch, written(output) as write:
        writer = make_writer(kind, write, book, common.verbose)
        for result in narrow.narrowed(lambda: results(common, job, watch)):
            summary.add(result)
            statistics.add(result)
            say_failure(result)
            writer.result(result)
        writer.end(summary, statistics if counted else None)
    if counted and kind in WITHOUT_STATISTICS:
        for line in statistics_lines(statistics, summary):
            say(line, err=True)
    accepted = narrow.end() or exit_zero
    after = map(str, after_audit(summary, common.words()))
    common.say_summary(summary, job.whole_book(), after)
    sys.exit(summary.exit_code(summary.findings > summary.notes and not accepted))


class Narrowing:
    """Which findings of a run count, and what is done with the others.

    Raises:
        click.ClickException: options exclude each other, or git or a baseline cannot be asked.
    """

    def __init__(
        self,
        job: Job,
        paths: tuple[str, ...],
        baseline: Path | None,
        write_baseline: Path | None,
        diff_base: str | None,
        add_ignores: bool,
        reason: str | None,
    ) -> None:
        if write_baseline is not None and (baseline or diff_base or add_ignores):
            raise click.UsageError(
                "--write-baseline takes all findings: no --baseline, --diff-base, --add-ignores"
            )
        if reason is not None and not add_ignores:
            raise click.UsageError("--reason needs --add-ignores")
        if reason is not None and not (reason.strip() and reason.isprintable()):
            raise click.UsageError("--reason is one line of text")
        self._job = job
        self._file = baseline
        self._written = write_baseline
        self._reason = (reason or _REASON) if add_ignores else None
        self._read: dict[Path, Baseline] = {}
        self._changes = None if diff_base is None else _changes(diff_base, paths)
        if baseline is not None:
            self._baseline(baseline)
        if write_baseline is not None and write_baseline.exists():
            self._baseline(write_baseline)

    def narrowed(self, audit: Callable[[], Iterable[Result]]) -> Iterator[Result]:
        """Yield the results of an audit with the findings that count.

        With `--add-ignores`, the audit is made again until no comment is left to write: what stays
        by a comment keeps other configs, which then have something else to say.
        """
        found: Iterable[Result] = map(self._narrow, audit())
        if self._reason is not None:
            from tfgpu.ignores.files import Adding  # noqa: PLC0415 - for this option only

            adding = Adding(self._reason)
            while adding.add(found := list(found)):
                found = map(self._narrow, audit())
            say(f"{len(adding.paths)} file(s) changed", err=True)
        yield from found

    def _narrow(self, result: Result) -> Result:
        if self._written is not None:
            if result.reason is None:
                self._baseline(self._written).take(result.path, result.findings)
            return result
        file = self._baseline_of(result.path)
        if file is not None and result.reason is None:
            options = self._job.options_for(result.path)
            known = self._baseline(file)
            result.findings = known.new(result.path, result.findings, options)
        if self._changes is not None and result.findings:
            self._take_changed(result, self._changes)
        return result

    def _take_changed(self, result: Result, known: list[Changes]) -> None:
        changes = next((one for one in known if one.holds(result.path)), None)
        if changes is None:
            result.reason = "outside of the repositories that --diff-base applies to"
        elif any(finding.cell for finding in result.findings):
            # The lines of a cell are others than those of the file.
            if not changes.any_in(result.path):
                result.findings = []
        else:
            result.findings = [
                item
                for item in result.findings
                if changes.touch(result.path, item.line, max(item.line, item.end_line))
            ]

    def end(self) -> bool:
        """Write the baseline, or tell what is stale in it; tell whether one was written."""
        if self._written is not None:
            found = self._baseline(self._written)
            try:
                with replaced(str(self._written)) as file:
                    file.write(found.document())
            except OSError as error:
                raise Refusal(f"{self._written}: {error.strerror or error}") from error
            return True
        for known in self._read.values():
            for entry in known.stale():
                text = f"{entry.path}: {entry.code} {entry.name}: {entry.snippet}"
                say(f"stale in {printable(str(known.file))}: {printable(text)}", err=True)
        return False

    def _baseline_of(self, path: str) -> Path | None:
        if self._file is not None or self._job.config is None:
            return self._file
        found = self._job.config.of(path)
        return None if found is None else found.baseline

    def _baseline(self, file: Path) -> Baseline:
        from tfgpu.baseline import Baseline, BaselineError, read_baseline  # noqa: PLC0415

        if file not in self._read:
            try:
                is_new = self._written is not None and not file.exists()
                self._read[file] = Baseline(file) if is_new else read_baseline(file)
            except BaselineError as error:
                raise Refusal(printable(str(error))) from None
        return self._read[file]


def _changes(ref: str, paths: Iterable[str]) -> list[Changes]:
    """Return what changed in the repositories of paths; the deepest repository comes first."""
    from tfgpu.git import GitError, changes_since  # noqa: PLC0415 - for one option only

    found: dict[Path, Changes] = {}
    for path in paths or (".",):
        folder = Path(path) if Path(path).is_dir() else Path(path).parent
        if any(changes.holds(str(folder)) for changes in found.values()) or not folder.is_dir():
            continue
        try:
            changes = changes_since(ref, folder)
        except GitError as error:
            raise Refusal(printable(f"--diff-base: {error}")) from None
        found[changes.top] = changes
    return sorted(found.values(), key=lambda changes: -len(changes.top.parts))
