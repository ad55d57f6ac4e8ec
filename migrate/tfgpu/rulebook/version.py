"""Versions of TensorFlow, as rules, options and configurations name them."""

from __future__ import annotations


def version(text: str) -> tuple[int, int]:
    """Return "2.4" as (2, 4).

    Raises:
        ValueError: the text is not two numbers with a dot between them.
    """
    major, minor = text.split(".")
    return int(major), int(minor)
