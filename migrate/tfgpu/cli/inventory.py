"""`tfgpu inventory`: every GPU setting as a table, for those who have many repositories."""

from __future__ import annotations

import sys

import click

from tfgpu.cli.common import (
    Common,
    file_options,
    format_option,
    output_option,
    results,
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
@file_options
@format_option(
    list(TABLES),
    "csv",
    "The format of the table; jsonl has one row on each line, with the same types in all.",
)
@output_option
def inventory(common: Common, kind: str, output: str) -> None:
    """Write every GPU setting as a table: place, value, guard, sink, and whether it converts.

    Exit status: 0, or 2 if a file failed.
    """
    job = replace(common.job(Options(), kinds=EVERY), inventory=True)
    summary = Summary()
    rows = 0
    with watched(common) as watch, written(output) as write:
        table = TABLES[kind](write)
        for result in results(common, job, watch):
            summary.add(result)
            say_failure(result)
            rows += len(result.inventory)
            table.result(result)
        table.end()
    failed = f", {summary.files_failed:,} failed" if summary.files_failed else ""
    files = count(summary.files_read, "file")
    common.say(f"{files} read{failed}; {count(rows, 'setting')}")
    sys.exit(summary.exit_code(False))
