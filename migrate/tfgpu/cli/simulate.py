"""`tfgpu simulate`: run any command on simulated GPUs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tfgpu.cli.program import ProgramCommand, program_arguments
from tfgpu.verify.simgpu.launch import simulate as run_simulated
from tfgpu.verify.verification import CANNOT_RUN


@click.command(cls=ProgramCommand)
@click.option(
    "--gpus",
    default="sim:2",
    show_default=True,
    metavar="GPUS",
    help="sim:2, sim:4x16GiB, sim:16GiB,8GiB, sim:2xT4, sim:T4(used=4GiB).",
)
@click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Append the driver's memory calls to FILE, as JSON lines.",
)  # fmt: skip
@click.pass_context
def simulate(ctx: click.Context, gpus: str, log: Path | None) -> None:
    """Run the command that stands after -- on simulated GPUs.

    TensorFlow's GPU runtime is real, the numbers that it computes are zeros. Exits with the
    status of the command, with 2 where it could not be run.
    """
    command = program_arguments(ctx)
    if not command:
        raise click.UsageError("no command; write it after --, as in -- python train.py")
    try:
        status = run_simulated(gpus, command, log)
    except (*CANNOT_RUN, OSError) as error:
        raise click.UsageError(str(error)) from None
    sys.exit(status if status >= 0 else 128 - status)
