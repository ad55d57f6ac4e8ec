"""`tfgpu audit`: what there is, without changing anything."""

from __future__ import annotations

import sys

import click

from migrate.cli.common import (
    common_options,
    output_option,
    results,
    say,
    say_failure,
    say_summary,
    watched,
    written,
)
from migrate.options import Options
from migrate.process import Job
from migrate.report.statistics import Statistics, statistics_lines
from migrate.report.summary import Summary
from migrate.report.writer import FORMATS, WITH_EDITS, WITHOUT_STATISTICS, make_writer
from migrate.rulebook.book import load_rulebook
from migrate.source.kinds import EVERY


@click.command()
@common_options
@click.option(
    "--format",
    "kind",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How the findings are written.",
)
@output_option
@click.option(
    "--statistics", "counted", is_flag=True,
    help="Also count findings by rule, and estimate the work that is left.",
)  # fmt: skip
def audit(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    min_tf: tuple[int, int],
    jobs: int,
    per_file: bool,
    kind: str,
    output: str,
    counted: bool,
) -> None:
    """Report every GPU setting of a TensorFlow 1 program, and what becomes of it.

    Exits with 0 where nothing was found, 1 with findings, 2 where a file failed.
    """
    options = Options(min_tf=min_tf, select=select, ignore=ignore)
    edits = kind in WITH_EDITS
    job = Job(options, rewrite=False, per_file=per_file, kinds=EVERY, edits=edits)
    book = load_rulebook()
    summary = Summary()
    statistics = Statistics(book)
    with watched(results(paths, job, jobs)) as found, written(output) as write:
        writer = make_writer(kind, write, book)
        for result in found:
            summary.add(result)
            statistics.add(result)
            say_failure(result)
            writer.result(result)
        writer.end(summary, statistics if counted else None)
    if counted and kind in WITHOUT_STATISTICS:
        for line in statistics_lines(statistics, summary):
            say(line, err=True)
    say_summary(summary)
    sys.exit(summary.exit_code(bool(summary.findings)))
