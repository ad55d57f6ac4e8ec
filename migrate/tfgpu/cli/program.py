"""What commands share that run programs: options, and `--` before the program's arguments."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from tfgpu.cli.common import Decorator, with_options

if TYPE_CHECKING:
    from tfgpu.verify.verification import Settings

_KEY = "tfgpu.cli.program"


class ProgramCommand(click.Command):
    """A command that keeps the arguments after `--` apart from its own.

    click itself only takes `--` for the end of options.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Split the command line at the first `--`."""
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[_KEY] = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])


def program_arguments(ctx: click.Context) -> tuple[str, ...]:
    """Return the arguments after `--`."""
    found: tuple[str, ...] = ctx.meta[_KEY]
    return found


_OPTIONS: list[Decorator] = [
    click.option(
        "--gpus", default="auto", show_default=True, metavar="GPUS",
        help="auto, real, or simulated GPUs: sim:2, sim:4x16GiB, sim:2xT4, sim:T4(used=4GiB).",
    ),
    click.option(
        "--python", default=sys.executable, metavar="PATH",
        help="The Python interpreter with the program's TensorFlow.  [default: that of tfgpu]",
    ),
    click.option(
        "--before-python", metavar="PATH",
        help="The interpreter for the version before, such as one with TensorFlow 1.15.",
    ),
    click.option(
        "--steps", type=click.IntRange(0), default=5, show_default=True, metavar="N",
        help="Stop after N runs of the same training step; 0 runs to the end.",
    ),
    click.option(
        "--until", type=click.Choice(["session"]),
        help="Stop at the first step after a session is made, and use each device once.",
    ),
    click.option(
        "--stub", "stubs", multiple=True, metavar="MODULE",
        help="Replace a module that is not installed by a stand-in; repeatable.",
    ),
    click.option(
        "--synthetic-data", "synthetic", is_flag=True,
        help="Feed zeros of the right shape and type for missing data files.",
    ),
    click.option(
        "--timeout", type=click.IntRange(1), default=300, show_default=True, metavar="SECONDS",
        help="End a run that takes longer.",
    ),
    click.option(
        "--args", "lists", multiple=True, metavar="'ARGS'",
        help="Arguments of the program as one string; each further --args is one more set-up.",
    ),
    click.option(
        "--quick", is_flag=True,
        help="Run the program's own set-up only, not with other GPUs, ranks and arguments.",
    ),
]  # fmt: skip


def run_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say where and how long programs are run."""
    return with_options(command, _OPTIONS)


def is_given(ctx: click.Context, name: str) -> bool:
    """Tell whether an option is on the command line."""
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE


def run_settings(
    argv: Sequence[str],
    gpus: str,
    python: str,
    before_python: str | None,
    steps: int,
    timeout: int,
    lists: Sequence[str] = (),
    quick: bool = False,
    until: str | None = None,
    stubs: Sequence[str] = (),
    synthetic: bool = False,
) -> Settings:
    """Return how to run two programs, from the values of `run_options`.

    Raises:
        UsageError: `gpus` means nothing, or lists of arguments cannot be read or are too many.
    """
    from tfgpu.verify.gpus import choose  # noqa: PLC0415 - `migrate` mostly runs nothing
    from tfgpu.verify.simgpu.gpus import SpecError  # noqa: PLC0415
    from tfgpu.verify.verification import Settings  # noqa: PLC0415

    split = [_split(text) for text in lists]
    first = argv if argv or not split else split.pop(0)
    if quick and split:
        raise click.UsageError("--quick runs one set-up, and each list of arguments is one")
    try:
        machine = choose(gpus)
    except SpecError as error:
        raise click.UsageError(f"--gpus: {error}") from None
    return Settings(
        machine,
        python,
        before_python or python,
        steps,
        timeout,
        first,
        others=split,
        quick=quick,
        until=until == "session",
        stubs=tuple(stubs),
        synthetic=synthetic,
    )


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise click.UsageError(f"--args {text!r}: {error}") from None
