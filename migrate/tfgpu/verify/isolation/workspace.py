"""The folder of one verification."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
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
