"""Names of variables that are nearly one that counts."""

from __future__ import annotations

import re
from collections.abc import Collection

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
# Words that a name is made of; other names of the same families are nobody's misspelling.
_NEAR = 0.88
_VISIBLE = re.compile(r"(?:CUDA|NVIDIA)_?VIS\w*|VISIBLE_CUDA_DEVICES?")


def nearest(name: str, names: Collection[str], real: Collection[str]) -> str | None:
    """Return the variable that a name looks like, None where it is one, or is like none.

    `names` are the variables that count, `real` others that exist.
    """
    if name in names or name in real:
        return None
    plain = _INVISIBLE.sub("", name)
    if plain in names:
        return plain
    if "_" not in plain or len(plain) < 8:
        return None
    upper = plain.upper()
    if upper in names:
        return upper
    if plain != upper or upper in real:
        return None
    if len(plain) < 12:
        # One letter makes another word of a short name.
        return None
    import difflib  # noqa: PLC0415 - few files have names that are not known

    found = difflib.get_close_matches(plain, [item for item in names if "_" in item], 1, _NEAR)
    if found and _differs_by_letters(plain, found[0]):
        return found[0]
    if _VISIBLE.fullmatch(plain):
        family = "NVIDIA" if plain.startswith("NVIDIA") else "CUDA"
        return f"{family}_VISIBLE_DEVICES"
    return None


def _differs_by_letters(one: str, other: str) -> bool:
    """Tell whether two names differ by letters, and not by a number or a word of their own."""
    digits = re.sub(r"\D", "", one), re.sub(r"\D", "", other)
    families = one.partition("_")[0], other.partition("_")[0]
    import difflib  # noqa: PLC0415 - as above

    first = difflib.SequenceMatcher(None, *families).ratio()
    return digits[0] == digits[1] and first >= 0.75 and abs(one.count("_") - other.count("_")) <= 1
