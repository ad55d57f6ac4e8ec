"""`tfgpu inventory`: every GPU setting as a table, for those who have many repositories."""

from __future__ import annotations

import sys

import click

from tfgpu.cli.common import (
    jobs_option,
    make_job,
    output_option,
    paths_argument,
    results,
    say,
    say_failure,
    watched,
    written,
)
from tfgpu.dataclass import replace
from tfgpu.files.kinds import EVERY
from tfgpu.options import Options
from tfgpu.report.summary import Summary, count
from tfgpu.report.tables import TABLES


@click.command()
@paths_argument
@click.option(
    "--format",
    "kind",
    type=click.Choice(list(TABLES)),
    default="csv",
    show_default=True,
    help="How the table is written; jsonl has one row on each line, with the same types in all.",
)
@output_option
@jobs_option
def inventory(paths: tuple[str, ...], kind: str, output: str, jobs: int) -> None:
    """Write every GPU setting as a table: place, value, guard, sink, and whether it converts.

    Exits with 0, with 2 where a file failed.
    """
    job = replace(make_job(Options(), None, False, False, EVERY), inventory=True)
    summary = Summary()
    rows = 0
    with watched(results(paths, job, jobs)) as found, written(output) as write:
        table = TABLES[kind](write)
        for result in found:
            summary.add(result)
            say_failure(result)
            rows += len(result.inventory)
            table.result(result)
        table.end()
    failed = f", {summary.files_failed:,} failed" if summary.files_failed else ""
    files = count(summary.files_read, "file")
    say(f"{files} read{failed}; {count(rows, 'setting')}", err=True)
    sys.exit(summary.exit_code(False))
