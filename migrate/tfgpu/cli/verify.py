"""`tfgpu verify`: run two versions of a program on the same GPUs and compare them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from tfgpu.cli.common import format_option, say
from tfgpu.cli.evidence import described, write_evidence
from tfgpu.cli.program import ProgramCommand, program_arguments, run_options, run_settings
from tfgpu.cli.self_test import self_test as try_mutants
from tfgpu.cli.words import OutputFile
from tfgpu.options import Options
from tfgpu.verify.programs import (
    NothingToVerify,
    Prepared,
    as_module,
    migration,
    module_file,
    since_ref,
    two_files,
)
from tfgpu.verify.verdict import EXIT_CODES, Outcome, Verdict
from tfgpu.verify.verification import CANNOT_RUN
from tfgpu.verify.verification import verify as run_both

_FAILED = 2

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(cls=ProgramCommand)
@click.argument("scripts", nargs=-1, type=_FILE, metavar="SCRIPT | BEFORE AFTER")
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does.")
@click.option("--from-ref", metavar="REF", help="Compare with the script at this git ref.")
@run_options
@format_option(["text", "json", "html"], "text", "The format of the verdict.")
@click.option(
    "--evidence", type=OutputFile(dir_okay=False, path_type=Path), metavar="FILE",
    help="Write the verdict as an in-toto statement.",
)  # fmt: skip
@click.option("--self-test", is_flag=True, help="Also verify mutants of the migration.")
@click.pass_context
def verify(
    ctx: click.Context,
    /,
    scripts: tuple[Path, ...],
    module: str | None,
    from_ref: str | None,
    kind: str,
    evidence: Path | None,
    self_test: bool,
    **chosen: Any,
) -> None:
    """Run a program before and after on the same GPUs, real or simulated, and compare.

    With one SCRIPT (or notebook), the version after is its migration, which is written nowhere;
    with --from-ref, the version before is the script at that ref. Arguments after -- are passed to
    the program. In addition to its own set-up it runs on one GPU, on GPUs of other sizes, on none,
    and with other ranks if it asks for its rank.

    Exit status: 0 match, 1 mismatch, 2 error, 3 inconclusive.
    """
    if bool(module) == bool(scripts):
        raise click.UsageError("give a script, or a module with -m")
    if len(scripts) > 2 or (from_ref and len(scripts) == 2):
        raise click.UsageError("give one script, or two without --from-ref")
    if self_test and (evidence or kind != "text"):
        raise click.UsageError("--self-test reports as text, without --evidence")
    if evidence and (module or chosen["until"] or chosen["stubs"] or chosen["synthetic"]):
        raise click.UsageError("--evidence excludes -m, --until, --stub and --synthetic-data")

    def prepare() -> tuple[Prepared, Prepared]:
        if len(scripts) == 2:
            return two_files(scripts[0], scripts[1])
        script = module_file(module) if module else scripts[0]
        pair = since_ref(script, from_ref) if from_ref else migration(script, Options())
        return as_module(pair, module) if module else pair

    try:
        settings = run_settings(program_arguments(ctx), **chosen)
        if self_test:
            sys.exit(try_mutants(*prepare(), settings, any_gpus=chosen["gpus"] == "auto"))
        pair = prepare()
        program = described(pair, from_ref) if evidence else None
        verdict = run_both(lambda: pair, settings)
        if evidence and program:
            write_evidence(evidence, program, verdict, settings)
    except NothingToVerify as error:
        say(f"{Outcome.INCONCLUSIVE.value}: {error}", err=True)
        sys.exit(EXIT_CODES[Outcome.INCONCLUSIVE])
    except CANNOT_RUN as error:
        raise click.UsageError(str(error)) from None
    try:
        show(verdict, kind)
        if sys.stdout is not None:  # it was closed from the start
            sys.stdout.flush()
    except OSError:  # nobody reads on
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - to its end
        sys.exit(_FAILED)
    sys.exit(verdict.exit_code)


def show(verdict: Verdict, kind: str) -> None:
    """Print a verdict as `text`, `json` or `html`."""
    if kind == "json":
        from tfgpu.report.verdict_json import verdict_json  # noqa: PLC0415 - one of three

        click.echo(verdict_json(verdict))
    elif kind == "html":
        from tfgpu.report.verdict_html import verdict_html  # noqa: PLC0415 - one of three

        click.echo(verdict_html(verdict))
    else:
        from tfgpu.report.verdict_text import verdict_lines  # noqa: PLC0415 - one of three

        for line in verdict_lines(verdict):
            say(line)
