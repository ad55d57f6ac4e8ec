"""`tfgpu lsp`: the language server, for editors."""

from __future__ import annotations

from importlib.util import find_spec

import click


@click.command()
def lsp() -> None:
    """Serve an editor on standard input and output, by the Language Server Protocol."""
    if find_spec("pygls") is None:
        raise click.UsageError("tfgpu lsp needs pygls: pip install 'tfgpu[lsp]'")
    from tfgpu.lsp.server import server  # noqa: PLC0415 - an extra

    server.start_io()
