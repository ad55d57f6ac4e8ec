"""`tfgpu verify --self-test`: what the verification catches, of this program's migration."""

from __future__ import annotations

from dataclasses import replace

from click import style

from tfgpu.cli.common import say
from tfgpu.report.verdict_text import verdict_lines
from tfgpu.verify.programs import Prepared
from tfgpu.verify.selftest import Trial, exit_code, try_mutants, unlike
from tfgpu.verify.verdict import Outcome
from tfgpu.verify.verification import Settings, verify

_NOTHING = "nothing differs; with other arguments or GPUs something may"


def self_test(before: Prepared, after: Prepared, settings: Settings, any_gpus: bool) -> int:
    """Verify a migration, then mutants of it, and print which are caught; return the exit status.

    `any_gpus` tells that nobody asked for certain GPUs.

    Raises:
        What `verify` raises.
    """
    if any_gpus:
        settings = replace(settings, machine=unlike(settings.machine))
    verdict = verify(lambda: (before, after), settings)
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
        return f"{style('no fault  ', fg='cyan')} {what}\n           {trial.same}"
    if trial.is_caught:
        where = f" (in {trial.set_up})" if trial.set_up else ""
        found = f"{', '.join(trial.aspects)}: {trial.reason}{where}"
        return f"{style('caught    ', fg='green')} {what}\n           {found}"
    found = f"{trial.outcome.value}: {trial.reason or _NOTHING}"
    return f"{style('not caught', fg='red')} {what}\n           {found}"


def _summary(trials: list[Trial]) -> str:
    tried = [one for one in trials if not one.same]
    caught = sum(one.is_caught for one in tried)
    same = len(trials) - len(tried)
    if not tried:
        return "\nself-test: nothing was tried: the migration has no setting that can be mutated"
    rest = f"; {same} more do what the migration does" if same else ""
    return f"\nself-test: {caught} of {len(tried)} mutants caught{rest}"
