"""`tfgpu lsp`: the language server, for editors."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import BinaryIO, cast

import click


@click.command()
def lsp() -> None:
    """Serve an editor on standard input and output, by the Language Server Protocol."""
    if find_spec("pygls") is None:
        raise click.UsageError("tfgpu lsp needs pygls: pip install 'tfgpu[lsp]'")
    from tfgpu.lsp.server import server  # noqa: PLC0415 - an extra
    from tfgpu.lsp.wire import Input  # noqa: PLC0415

    # Of its input, pygls asks for lines and bytes.
    server.start_io(cast("BinaryIO", Input(sys.stdin.buffer)))
    sys.exit(server.exit_code)
