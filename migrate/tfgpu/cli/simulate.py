"""`tfgpu simulate`: run any command on simulated GPUs."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from tfgpu.cli.common import say
from tfgpu.cli.program import ProgramCommand, program_arguments
from tfgpu.cli.words import OutputFile
from tfgpu.place import printable
from tfgpu.verify.memory.predict import confidence_of_card, without_kernels
from tfgpu.verify.simgpu.cards import catalogue
from tfgpu.verify.simgpu.gpus import parse_gpus
from tfgpu.verify.simgpu.launch import python_of
from tfgpu.verify.simgpu.launch import simulate as run_simulated
from tfgpu.verify.simgpu.target import find_target
from tfgpu.verify.verification import CANNOT_RUN


@click.command(cls=ProgramCommand)
@click.option(
    "--gpus", default="sim:2", show_default=True, metavar="GPUS",
    help="sim:2, sim:4x16GiB, sim:16GiB,8GiB, sim:2xT4, sim:T4(used=4GiB).",
)  # fmt: skip
@click.option(
    "--log", type=OutputFile(dir_okay=False, path_type=Path), metavar="FILE",
    help="Append the driver's memory calls to FILE, as JSON lines.",
)  # fmt: skip
@click.option("--cards", is_flag=True, help="List the names of known cards, and exit.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND...")
@click.pass_context
def simulate(
    ctx: click.Context, gpus: str, log: Path | None, cards: bool, words: tuple[str, ...]
) -> None:
    """Run the command after -- on simulated GPUs.

    TensorFlow's GPU runtime is real; the results of GPU kernels are zeros. The exit status is that
    of the command, or 2 if it could not be run.
    """
    if cards:
        for line in card_lines():
            click.echo(line)
        return
    command = program_arguments(ctx)
    if words:
        line = printable(shlex.join((*words, *command)))
        raise click.UsageError(f"the command comes after --: tfgpu simulate -- {line}")
    if not command:
        raise click.UsageError("no command; write it after --: tfgpu simulate -- python train.py")
    if shutil.which(command[0]) is None:
        raise click.UsageError(f"{printable(command[0])}: no such command")
    try:
        for problem in lacking(gpus, command):
            say(f"tfgpu: {problem}", err=True)
        status = run_simulated(gpus, command, log)
    except (*CANNOT_RUN, OSError) as error:
        raise click.UsageError(str(error)) from None
    sys.exit(status if status >= 0 else 128 - status)


def lacking(gpus: str, command: Sequence[str]) -> list[str]:
    """Say for which of the GPUs the TensorFlow of a command has no kernels."""
    return without_kernels(parse_gpus(gpus), find_target(python_of(command)).version)


def card_lines() -> Iterator[str]:
    """Yield the cards as a table: name, size, compute capability, how well each is known."""
    head = ("card", "name", "MiB", "cc", "confidence")
    rows = [
        (card.key, card.name, f"{card.total_mib:.0f}", card.compute_capability, known)
        for card in sorted(catalogue().values(), key=lambda card: card.key)
        for known in [confidence_of_card(card)]
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
