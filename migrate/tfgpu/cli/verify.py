"""`tfgpu verify`: run two versions of a program on the same GPUs and compare them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tfgpu.cli.common import format_option, say
from tfgpu.cli.evidence import described, write_evidence
from tfgpu.cli.program import ProgramCommand, program_arguments, run_options, run_settings
from tfgpu.cli.words import OutputFile
from tfgpu.options import Options
from tfgpu.report.verdict_text import verdict_lines
from tfgpu.verify.programs import (
    NothingToVerify,
    Prepared,
    as_module,
    migration,
    module_file,
    since_ref,
    two_files,
)
from tfgpu.verify.selftest import Trial, exit_code, try_mutants, unlike
from tfgpu.verify.verdict import EXIT_CODES, Outcome, Verdict
from tfgpu.verify.verification import CANNOT_RUN, Settings
from tfgpu.verify.verification import verify as run_both

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_NOTHING = "nothing differs; with other arguments or GPUs something may"


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
            sys.exit(_self_test(*prepare(), settings, any_gpus=chosen["gpus"] == "auto"))
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
    show(verdict, kind)
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
        for line in verdict_lines(verdict):
            say(line)


def _self_test(before: Prepared, after: Prepared, settings: Settings, any_gpus: bool) -> int:
    """Verify a migration, then mutants of it, and print which are caught; return the exit status.

    `any_gpus` tells that nobody asked for certain GPUs.

    Raises:
        What `verify` raises.
    """
    if any_gpus:
        settings = replace(settings, machine=unlike(settings.machine))
    verdict = run_both(lambda: (before, after), settings)
    for line in verdict_lines(verdict):
        say(line)
    if verdict.outcome is not Outcome.MATCH:
        say("\nself-test: nothing to try: the migration itself is no match", err=True)
        return verdict.exit_code
    say("")
    trials = try_mutants(before, after, verdict, settings)
    for trial in trials:
        say(_line(trial))
    say(_summary(trials))
    return exit_code(trials)


def _line(trial: Trial) -> str:
    mutant = trial.mutant
    detail = f" ({mutant.detail})" if mutant.detail else ""
    what = f"{mutant.fault}{detail}: {mutant.path.name}:{mutant.line}: {mutant.code}"
    if trial.same:
        return f"{click.style('no fault  ', fg='cyan')} {what}\n           {trial.same}"
    if trial.is_caught:
        where = f" (in {trial.set_up})" if trial.set_up else ""
        found = f"{', '.join(trial.aspects)}: {trial.reason}{where}"
        return f"{click.style('caught    ', fg='green')} {what}\n           {found}"
    found = f"{trial.outcome.value}: {trial.reason or _NOTHING}"
    return f"{click.style('not caught', fg='red')} {what}\n           {found}"


def _summary(trials: list[Trial]) -> str:
    tried = [one for one in trials if not one.same]
    caught = sum(one.is_caught for one in tried)
    same = len(trials) - len(tried)
    if not tried:
        return "\nself-test: nothing was tried: the migration has no setting that can be mutated"
    rest = f"; {same} more do what the migration does" if same else ""
    return f"\nself-test: {caught} of {len(tried)} mutants caught{rest}"
