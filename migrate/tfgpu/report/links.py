"""Where the documentation of a rule can be read, if this release says where it has any."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

from tfgpu.rulebook.model import Rule


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
