"""The command `tfgpu`. Each command is imported when it is called, so that starting is cheap."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from typing import Any

import click

from tfgpu import __version__

# The commands, each in a module of its name.
_COMMANDS = {
    "audit": "Report every GPU setting of a TensorFlow 1 program.",
    "completion": "Print the completion script of a shell.",
    "doctor": "Check the installation, and measure real GPUs.",
    "evidence": "Check what `tfgpu verify --evidence` wrote.",
    "fleet": "Audit many repositories into one dataset.",
    "inventory": "Write every GPU setting as a table.",
    "lsp": "Serve an editor: findings, rules, safe edits.",
    "migrate": "Rewrite GPU settings into tf.config calls.",
    "predict": "Predict how much memory of a card TensorFlow takes.",
    "rule": "Show one rule with its examples.",
    "rules": "List all rules.",
    "simulate": "Run a command on simulated GPUs.",
    "verify": "Run a program before and after on GPUs, real or simulated, and compare.",
}
_MODULES = {"rule": "rules"}
# The status of a program that SIGPIPE ended, as shells tell it; 1 would mean findings.
_CLOSED_PIPE = 128 + 13
# The exit status of a command that is interrupted.
INTERRUPTED = 128 + 2
_FAILED = 2
# Why a terminal, a pipe or a full disk takes no more output.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"tfgpu.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; the error for another word names the nearest one."""
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from tfgpu.cli.words import hint  # noqa: PLC0415 - for what is misspelt

            ctx.fail(f"No such command {args[0]!r}{hint(args[0], _COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; end as other programs do where nobody reads what it writes any more.

        So they do where they are interrupted. A failure of tfgpu itself ends with 2 as an error.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # What is left in a buffer is not written when the interpreter ends, either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(_CLOSED_PIPE)
        except OSError as error:
            if error.filename is not None or error.errno not in _FULL:
                _say_trace()
            else:
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                click.echo(f"Error: standard output: {error.strerror}", err=True)
            sys.exit(_FAILED)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception:
            _say_trace()
            sys.exit(_FAILED)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _say_trace() -> None:
    import traceback  # noqa: PLC0415 - only for failures of tfgpu itself

    traceback.print_exc()


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="tfgpu")
def main() -> None:
    """Move GPU and device configuration from TensorFlow 1 to TensorFlow 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file or its name may hold what the terminal, or a pipe on Windows, has no bytes for.
        sys.stdout.reconfigure(errors="backslashreplace")
