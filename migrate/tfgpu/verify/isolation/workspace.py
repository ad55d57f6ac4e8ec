"""The folder of one verification."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def workspace() -> Iterator[Path]:
    """Give a folder for what the legs see, write and show."""
    made = Path(tempfile.mkdtemp(prefix="tfgpu-")).resolve()
    try:
        yield made
    finally:
        # Overlays leave folders that nobody may open.
        for here, folders, _ in os.walk(made):
            for name in folders:
                path = Path(here, name)
                if not path.is_symlink():
                    with suppress(OSError):
                        path.chmod(stat.S_IRWXU)
        shutil.rmtree(made, ignore_errors=True)
