"""`tfgpu audit`: what there is, without changing anything."""

from __future__ import annotations

import sys

import click

from migrate.cli.common import common_options, results, say, say_failure, say_summary, watched
from migrate.options import Options
from migrate.process import Job
from migrate.report.json import document
from migrate.report.summary import Summary
from migrate.report.text import finding_lines
from migrate.source.kinds import EVERY


@click.command()
@common_options
@click.option(
    "--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def audit(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    min_tf: tuple[int, int],
    jobs: int,
    per_file: bool,
    output: str,
) -> None:
    """Report every GPU setting of a TensorFlow 1 program, and what becomes of it.

    Exits with 0 where nothing was found, 1 with findings, 2 where a file failed.
    """
    options = Options(min_tf=min_tf, select=select, ignore=ignore)
    summary = Summary()
    kept = []
    job = Job(options, rewrite=False, per_file=per_file, kinds=EVERY)
    with watched(results(paths, job, jobs)) as found:
        for result in found:
            summary.add(result)
            say_failure(result)
            if output == "json":
                kept.append(result)
                continue
            for finding in result.findings:
                for line in finding_lines(result.path, finding):
                    say(line)
    if output == "json":
        say(document(kept, summary))
    say_summary(summary)
    sys.exit(summary.exit_code(bool(summary.findings)))
