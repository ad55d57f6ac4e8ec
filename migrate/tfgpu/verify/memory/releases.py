"""TensorFlow's releases: their CUDA runtime, and the cards for which they have kernels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tfgpu.rulebook.table import parse_toml

# The releases that the tests run on simulated GPUs to check the formulas.
REPLAYED = ("1.15", "2.4", "2.21")


class UnknownRelease(ValueError):
    """There is no such release of TensorFlow, or none that is known here."""


@dataclass(frozen=True, order=True, slots=True)
class Version:
    """The first two numbers of a version."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@dataclass(frozen=True, slots=True)
class Release:
    """One release: `kernels` as in `releases.toml`."""

    version: Version
    cuda: Version
    kernels: tuple[str, ...]

    @property
    def replayed(self) -> bool:
        """Whether the tests run this release itself."""
        return str(self.version) in REPLAYED

    def kernels_for(self, compute_capability: str) -> str:
        """Return how this release has kernels for a card: "compiled", "PTX", or ""."""
        card = version_of(compute_capability)
        codes = [version_of(code.removesuffix("+")) for code in self.kernels]
        if any(code.major == card.major and code <= card for code in codes):
            return "compiled"
        texts = (version_of(code[:-1]) for code in self.kernels if code.endswith("+"))
        return "PTX" if any(text <= card for text in texts) else ""


def version_of(text: str) -> Version:
    """Return the first two numbers of a text.

    Raises:
        ValueError: it does not begin with two numbers.
    """
    found = re.match(r"(\d+)\.(\d+)", text)
    if not found:
        raise ValueError(f"{text!r} is no version such as 2.10")
    return Version(int(found[1]), int(found[2]))


@cache
def tables() -> dict[str, Any]:
    """Return `releases.toml`."""
    text = Path(__file__).with_name("releases.toml").read_text("utf-8")
    return parse_toml(text)


@cache
def releases() -> tuple[Release, ...]:
    """Return all releases that are known, the oldest first."""
    found = []
    for row in tables()["releases"]:
        first, last = version_of(row["first"]), version_of(row["last"])
        for minor in range(first.minor, last.minor + 1):
            version = Version(first.major, minor)
            found.append(Release(version, version_of(row["cuda"]), tuple(row["kernels"])))
    return tuple(found)


def find_release(text: str) -> Release:
    """Return a release by its version, of which the first two numbers count.

    Raises:
        UnknownRelease: there is none; the message says which there are.
    """
    known = releases()
    whole = re.fullmatch(r"\s*v?(\d+)\.(\d+)([.\-+a-z0-9]*)\s*", text)
    if whole:
        asked = Version(int(whole[1]), int(whole[2]))
        for release in known:
            if release.version == asked:
                return release
    first = ", ".join(
        f"{min(same)} to {max(same)}"
        for major in sorted({release.version.major for release in known})
        for same in [[one.version for one in known if one.version.major == major]]
    )
    raise UnknownRelease(f"TensorFlow {text!r} is not known; known releases: {first}")
