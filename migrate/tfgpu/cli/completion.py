"""`tfgpu completion`: the script with which a shell completes commands, options and rules."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from tfgpu.cli.common import say
from tfgpu.cli.words import Choice


@click.command()
@click.argument("shell", type=Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    For bash: eval "$(tfgpu completion bash)" in ~/.bashrc; for zsh the same in ~/.zshrc; for fish:
    tfgpu completion fish > ~/.config/fish/completions/tfgpu.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    say(kind(ctx.find_root().command, {}, "tfgpu", "_TFGPU_COMPLETE").source())
