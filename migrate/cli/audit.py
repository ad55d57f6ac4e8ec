"""`tfgpu audit`: what there is, without changing anything."""

from __future__ import annotations

import sys
from typing import Any

import click

from migrate.cli.common import (
    common_options,
    make_job,
    results,
    say,
    say_failure,
    say_summary,
    watched,
)
from migrate.cli.narrow import Narrowing, narrowing_options
from migrate.options import Options
from migrate.report.json import document
from migrate.report.summary import Summary
from migrate.report.text import finding_lines


@click.command()
@common_options
@narrowing_options
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also where there are findings.")
@click.option(
    "--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def audit(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    min_tf: tuple[int, int] | None,
    jobs: int,
    per_file: bool,
    stdin_filename: str | None,
    exit_zero: bool,
    output: str,
    **narrowing: Any,
) -> None:
    """Report every GPU setting of a TensorFlow 1 program, and what becomes of it.

    Exits with 0 where nothing was found, 1 with findings, 2 where a file failed. Configuration:
    [tool.tfgpu] in pyproject.toml, or tfgpu.toml. In code: # tfgpu: ignore[RULE] reason.
    """
    job = make_job(Options(select=select, ignore=ignore), min_tf, False, per_file)
    if narrowing["add_ignores"] and "-" in paths:
        raise click.UsageError("--add-ignores writes files, and - is none")
    narrow = Narrowing(job, **narrowing)
    audited = narrow.narrowed(lambda: results(paths, job, jobs, stdin_filename))
    summary = Summary()
    kept = []
    with watched(audited) as found:
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
    accepted = narrow.end() or exit_zero
    say_summary(summary, job.whole_book())
    sys.exit(summary.exit_code(bool(summary.findings) and not accepted))
