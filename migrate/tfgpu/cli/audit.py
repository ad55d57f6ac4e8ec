"""`tfgpu audit`: what there is, without changing anything."""

from __future__ import annotations

import sys
from typing import Any

import click

from tfgpu.cli.common import (
    Common,
    common_options,
    format_option,
    output_option,
    results,
    say,
    say_failure,
    watched,
    written,
)
from tfgpu.cli.narrow import Narrowing, narrowing_options
from tfgpu.dataclass import replace
from tfgpu.files.kinds import EVERY
from tfgpu.options import Options
from tfgpu.report.next import after_audit
from tfgpu.report.statistics import Statistics, statistics_lines
from tfgpu.report.summary import Summary
from tfgpu.report.writer import FORMATS, WITH_EDITS, WITHOUT_STATISTICS, make_writer


@click.command()
@common_options
@narrowing_options
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
