"""Puts the rules into a wheel as one file that loads at once; an editable install reads TOML."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent


class RulesHook(BuildHookInterface[Any]):
    """Compiles `rules/` when a wheel is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled rules to the files of a wheel."""
        if version == "editable":
            return
        sys.path.insert(0, str(ROOT / "migrate"))
        try:
            from tfgpu.rulebook.book import RULES, read_rulebook  # noqa: PLC0415
            from tfgpu.rulebook.compiled import pack  # noqa: PLC0415
        finally:
            sys.path.pop(0)
        self._folder = tempfile.TemporaryDirectory()
        packed = Path(self._folder.name, "rules.pickle")
        packed.write_bytes(pack(read_rulebook(RULES)))
        build_data["force_include"][str(packed)] = "tfgpu/rulebook/rules.pickle"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was made for the wheel."""
        if version != "editable":
            self._folder.cleanup()
