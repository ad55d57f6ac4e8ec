"""Digests of what decides on results, without OpenSSL, which `hashlib` loads for others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b
else:
    try:
        from _blake2 import blake2b
    except ImportError:  # another Python
        from hashlib import blake2b

__all__ = ["SIZE", "blake2b"]

# Bytes of a digest; nobody finds two texts with the same one.
SIZE = 24
