"""Paths as services that show a repository want them, and where the documentation can be read."""

from __future__ import annotations

import os
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from urllib.parse import quote

from tfgpu.rulebook.model import Rule


class Repository:
    """The repository that a folder (the current one) lies in; without one, the folder itself."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path.cwd()

    @cached_property
    def _root(self) -> Path:
        for folder in (self._folder, *self._folder.parents):
            if (folder / ".git").exists():
                return folder
        return self._folder

    def relative(self, path: str) -> str | None:
        """Return a path from the root; None for one that lies elsewhere."""
        # Links stay: the repository has a file by the name that was given.
        absolute = Path(os.path.normpath(self._folder / path))
        if not absolute.is_relative_to(self._root):
            return None
        return absolute.relative_to(self._root).as_posix()

    def uri(self, path: str) -> tuple[str, bool]:
        """Return the URI of a file, and whether it is relative to the root."""
        relative = self.relative(path)
        if relative is None:
            absolute = Path(os.path.normpath(self._folder / path)).as_posix()
            return f"file://{'' if absolute.startswith('/') else '/'}{_quoted(absolute)}", False
        return _quoted(relative), True


def _quoted(path: str) -> str:
    return quote(os.fsencode(path))


@cache
def _documentation() -> str | None:
    """Return the address of `docs/` as the package's metadata (`[project.urls]`) has it."""
    try:
        urls = metadata("tfgpu").get_all("Project-URL") or []
    except PackageNotFoundError:
        return None
    named = (url.partition(",") for url in urls)
    return next(
        (url.strip().rstrip("/") for name, _, url in named if name.lower() == "documentation"), None
    )


def page_link(name: str, heading: str) -> str | None:
    """Return the address of a section of a page of the documentation."""
    base = _documentation()
    return f"{base}/{name}#{heading.lower().replace(' ', '-')}" if base else None


def rule_link(rule: Rule) -> str | None:
    """Return the address of the page of a rule."""
    base = _documentation()
    return f"{base}/rules/{rule.code}.md" if base else None
