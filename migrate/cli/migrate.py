"""`tfgpu migrate`: the edits of what `audit` reports."""

from __future__ import annotations

import sys

import click

from migrate.cli.common import (
    common_options,
    results,
    say,
    say_failure,
    say_summary,
    watched,
)
from migrate.options import Options
from migrate.report.summary import Summary
from migrate.report.text import diff, finding_lines
from migrate.run import Result, save
from migrate.source.pyfile import SourceError


@click.command()
@common_options
@click.option("--write", is_flag=True, help="Write the files instead of showing a diff.")
@click.option("--check", is_flag=True, help="Say nothing; exit with 1 if a file would change.")
@click.option("--unsafe-fixes", is_flag=True, help="Also make changes whose meaning can differ.")
@click.option(
    "--keep-imports", is_flag=True,
    help="Leave `import tensorflow as tf` alone, for those who run tf_upgrade_v2 too.",
)  # fmt: skip
def migrate(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    min_tf: tuple[int, int],
    jobs: int,
    write: bool,
    check: bool,
    unsafe_fixes: bool,
    keep_imports: bool,
) -> None:
    """Rewrite GPU settings into tf.config calls; without --write, show the diff only.

    Exits with 0, with 2 where a file failed, and with --check with 1 where one would change.
    """
    if write and check:
        raise click.UsageError("--write and --check exclude each other")
    options = Options(min_tf, unsafe_fixes, keep_imports, select, ignore)
    summary = Summary()
    changes = 0
    with watched(results(paths, options, jobs, rewrite=not check)) as found:
        for result in found:
            if write:
                _write(result, to_stdout=paths == ("-",))
            elif not check and result.new_text is not None:
                for line in diff(result):
                    say(line)
            summary.add(result)
            changes += result.changes and result.reason is None
            say_failure(result)
            if not check:
                _show_left(result, unsafe_fixes)
    if not check:
        say_summary(summary)
        say(f"{changes} file(s) {'written' if write else 'would change'}", err=True)
    sys.exit(summary.exit_code(check and changes > 0))


def _write(result: Result, to_stdout: bool) -> None:
    """Write a file if it changes; to standard output, whether it changes or not."""
    if to_stdout:
        if result.reason is None:
            sys.stdout.buffer.write(result.old if result.new is None else result.new)
    elif result.new is not None:
        try:
            save(result)
        except SourceError as error:
            result.reason, result.line = str(error), error.line


def _show_left(result: Result, unsafe_fixes: bool) -> None:
    """Show what stays to be done by hand, or with other options."""
    made = {"safe", "unsafe"} if unsafe_fixes else {"safe"}
    for finding in result.findings:
        if finding.fix not in made or not result.changes:
            for line in finding_lines(result.path, finding):
                say(line, err=True)
