"""The record of a leg: one JSON object a line, written at once, so that a crash loses nothing."""

from __future__ import annotations

import json
import os
from typing import Any


class Stream:
    """Writes lines to the record, from the process that made it only (not from its forks)."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self._process = os.getpid()

    def goes_on_here(self) -> None:
        """Let a fork of the process write from now on."""
        self._process = os.getpid()

    def write(self, kind: str, **data: Any) -> None:
        """Write one line."""
        if os.getpid() == self._process:
            data["kind"] = kind
            os.write(self._file, json.dumps(data).encode("utf-8") + b"\n")
