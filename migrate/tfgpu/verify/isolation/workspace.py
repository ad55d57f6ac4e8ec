"""The folder of one verification."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tfgpu.verify.scratch import ScratchError


@contextmanager
def workspace() -> Iterator[Path]:
    """Give a folder for what the legs see, write and show.

    Raises:
        ScratchError: there is no room for it.
    """
    made = Path(tempfile.mkdtemp(prefix="tfgpu-")).resolve()
    try:
        with _ended_in_order():
            yield made
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise ScratchError(f"{error}: the runs need room in {made.parent} (TMPDIR)") from None
    finally:
        # Overlays leave folders that nobody may open.
        for here, folders, _ in os.walk(made):
            for name in folders:
                path = Path(here, name)
                if not path.is_symlink():
                    with suppress(OSError):
                        path.chmod(stat.S_IRWXU)
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let what asks this process to end leave nothing behind: no folder, no leg."""

    def leave(number: int, _: object) -> None:
        sys.exit(128 + number)

    asked = [
        number
        for number in (signal.SIGTERM, signal.SIGHUP)
        if threading.current_thread() is threading.main_thread()
        and signal.getsignal(number) is signal.SIG_DFL
    ]
    for number in asked:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in asked:
            signal.signal(number, signal.SIG_DFL)
