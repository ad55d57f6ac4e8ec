"""The command as a process of its own: `tfgpu`, and `python -m tfgpu`."""

from __future__ import annotations

import atexit
import os
import sys
import threading

from tfgpu.garbage import collect_seldom


def run() -> None:
    """Run the command, and end the process at once.

    Python would take all modules and objects down first, a quarter of the time of a short run.
    """
    # Also while modules are imported, which makes nothing but what stays.
    collect_seldom()
    from tfgpu.cli import INTERRUPTED, main  # noqa: PLC0415 - see above

    try:
        main(prog_name="tfgpu")
    except SystemExit as end:
        if not isinstance(end.code, int):
            raise
        # What Python itself does before that, and in this order. Who interrupts waits for no
        # other process, which ends when this one has.
        if end.code != INTERRUPTED:
            threading._shutdown()  # type: ignore[attr-defined]
            atexit._run_exitfuncs()
        try:
            for stream in (sys.stdout, sys.stderr):
                # The language server closes standard output, which ends a session.
                if stream is not None and not stream.closed:
                    stream.flush()
        except OSError:
            raise end from None
        os._exit(end.code)


# `libcst.tool list` imports every module of a package.
if __name__ == "__main__":
    run()
