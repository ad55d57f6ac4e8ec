"""`tfgpu verify`: run two versions of a program on the same GPUs and compare them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from migrate.cli.common import say
from migrate.cli.program import ProgramCommand, program_arguments
from migrate.options import Options
from migrate.verify.gpus import choose
from migrate.verify.programs import NothingToVerify, Prepared, migration, since_ref, two_files
from migrate.verify.verdict import EXIT_CODES, Outcome, Verdict
from migrate.verify.verification import CANNOT_RUN, Settings
from migrate.verify.verification import verify as run_both

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(cls=ProgramCommand)
@click.argument("scripts", nargs=-1, required=True, type=_FILE, metavar="SCRIPT | BEFORE AFTER")
@click.option("--from-ref", metavar="REF", help="Compare with the script at this git ref.")
@click.option(
    "--gpus",
    default="auto",
    show_default=True,
    metavar="GPUS",
    help="auto, real, or simulated ones: sim:2, sim:4x16GiB, sim:2xT4, sim:T4(used=4GiB).",
)
@click.option(
    "--python",
    default=sys.executable,
    metavar="PATH",
    help="The interpreter with the program's TensorFlow.  [default: that of tfgpu]",
)
@click.option(
    "--before-python",
    metavar="PATH",
    help="Another interpreter for before, such as one with TensorFlow 1.15.",
)
@click.option(
    "--steps",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    metavar="N",
    help="Stop after N runs of the same step; 0 runs to the end.",
)
@click.option(
    "--timeout",
    type=click.IntRange(1),
    default=300,
    show_default=True,
    metavar="SECONDS",
    help="End a run that takes longer.",
)
@click.option(
    "--format", "kind", type=click.Choice(["text", "json", "html"]), default="text",
    show_default=True, help="How to report.",
)  # fmt: skip
@click.pass_context
def verify(
    ctx: click.Context,
    scripts: tuple[Path, ...],
    from_ref: str | None,
    gpus: str,
    python: str,
    before_python: str | None,
    steps: int,
    timeout: int,
    kind: str,
) -> None:
    """Run a program before and after on the same GPUs, real or simulated, and compare.

    With one SCRIPT, after is its migration, made in a temporary copy; with --from-ref, before is
    the script at that ref. What stands after -- goes to the program.

    Exits with 0 for a match, 1 for a mismatch, 2 for an error, 3 where the runs prove nothing.
    """
    if len(scripts) > 2 or (from_ref and len(scripts) == 2):
        raise click.UsageError("give one script, or two without --from-ref")

    def lay_out(work: Path) -> tuple[Prepared, Prepared]:
        if from_ref:
            return since_ref(scripts[0], from_ref, work)
        if len(scripts) == 2:
            return two_files(scripts[0], scripts[1], work)
        return migration(scripts[0], work, Options())

    argv = program_arguments(ctx)
    try:
        settings = Settings(choose(gpus), python, before_python or python, steps, timeout, argv)
        verdict = run_both(lay_out, settings)
    except NothingToVerify as error:
        say(f"{Outcome.INCONCLUSIVE.value}: {error}", err=True)
        sys.exit(EXIT_CODES[Outcome.INCONCLUSIVE])
    except CANNOT_RUN as error:
        raise click.UsageError(str(error)) from None
    show(verdict, kind)
    sys.exit(verdict.exit_code)


def show(verdict: Verdict, kind: str) -> None:
    """Print a verdict as `text`, `json` or `html`."""
    if kind == "json":
        from migrate.report.verdict_json import verdict_json  # noqa: PLC0415 - one of three

        click.echo(verdict_json(verdict))
    elif kind == "html":
        from migrate.report.verdict_html import verdict_html  # noqa: PLC0415 - one of three

        click.echo(verdict_html(verdict))
    else:
        from migrate.report.verdict_text import verdict_lines  # noqa: PLC0415 - one of three

        for line in verdict_lines(verdict):
            say(line)
