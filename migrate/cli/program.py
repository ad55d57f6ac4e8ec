"""Commands that run a program: what stands after `--` is the program's."""

from __future__ import annotations

import click

_KEY = "migrate.cli.program"


class ProgramCommand(click.Command):
    """A command that keeps what stands after `--` apart from its own arguments.

    click itself only takes `--` for the end of options.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Split the command line at the first `--`."""
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[_KEY] = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])


def program_arguments(ctx: click.Context) -> tuple[str, ...]:
    """Return what stands after `--`."""
    found: tuple[str, ...] = ctx.meta[_KEY]
    return found
