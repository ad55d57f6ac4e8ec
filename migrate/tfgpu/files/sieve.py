"""Tells fast whether bytes hold one of many words, as most files hold none.

Each search for a word reads all bytes. So words are searched for by what they have in common:
`evice` is part of ten words: a file without it has none of them. A part with capitals is searched
for in the capitals of the file first, which are a twentieth of it.
"""

from __future__ import annotations

from collections.abc import Iterable

_SHORTEST = 4
# Parts that most files hold tell nothing of the words that share them.
_IN_MOST = frozenset([b"tion", b"sion", b"ount", b"sess", b"essi", b"ssio"])
# A sieve is made for more bytes than this: it costs as much as searching them for every word.
FEW_BYTES = 50_000

# What most of a file is. Without it, bytes hold what words are without it; for more words than this
# it is taken away.
_COMMON = b"abcdefghijklmnopqrstuvwxyz0123456789 \t\r\n()[]{}=,.#'\"-+*/<>"
_MANY_WORDS = 20
# Parts of words, each with the words that contain it, and before it what is rare of it.
Sieve = list[tuple[bytes, bytes, tuple[bytes, ...]]]
# The sieves for words that were searched for, or how many bytes were so far.
_known: dict[tuple[bytes, ...], Sieve | int] = {}


def holds_any(data: bytes, words: tuple[bytes, ...]) -> bool:
    """Tell whether bytes hold one of some words."""
    sieve = _known.get(words)
    if not isinstance(sieve, list):
        looked = (sieve or 0) + len(data)
        if looked < FEW_BYTES:
            _known[words] = looked
            return any(word in data for word in words)
        sieve = _known[words] = _sieve(words)
    rare = _rare(data, words)
    return any(
        rarely in rare and part in data and any(word in data for word in found)
        for rarely, part, found in sieve
    )


def _rare(data: bytes, words: tuple[bytes, ...]) -> bytes:
    """Return what is rare of bytes, or all of them where few words are searched for."""
    return data.translate(None, _COMMON) if len(words) > _MANY_WORDS else data


def _sieve(words: tuple[bytes, ...]) -> Sieve:
    """Group words by a part that they share, the largest groups first."""
    left = sorted(
        {word for word in words if not any(other in word for other in words if other != word)}
    )
    made: list[tuple[bytes, tuple[bytes, ...]]] = []
    while True:
        groups: dict[bytes, list[bytes]] = {}
        for word in left:
            for start in range(len(word) - _SHORTEST + 1):
                part = word[start : start + _SHORTEST]
                found = groups.setdefault(part, [])
                if part not in _IN_MOST and (not found or found[-1] != word):
                    found.append(word)
        part = max(groups, key=lambda part: (len(groups[part]), part), default=b"")
        found = groups.get(part, [])
        if len(found) < 2:
            made += [(word, (word,)) for word in left]
            return [(_rare(part, words), part, found) for part, found in made]
        made.append((_grown(part, found), tuple(found)))
        left = [word for word in left if word not in found]


def _grown(part: bytes, words: Iterable[bytes]) -> bytes:
    """Return the longest part around a part that all words share where they have it first."""
    while True:
        length = len(part)
        before = {word[max(word.index(part) - 1, 0) : word.index(part) + length] for word in words}
        behind = {word[word.index(part) :][: length + 1] for word in words}
        longer = next(
            (found for found in (before, behind) if len(found) == 1 and part not in found), None
        )
        if longer is None:
            return part
        (part,) = longer
