"""Text from outside, made harmless to show."""

from __future__ import annotations


def printable(text: str, keep: str = "") -> str:
    """Escape what would break a line or steer a terminal or a page; a name may hold anything.

    `keep` are characters that stay although they do not print, such as line feeds.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep else repr(char)[1:-1] for char in text
    )
