"""Results of units of an earlier run: found again where nothing that decides on one has changed.

A unit is known by its own files, and by the answers to what its analysis asked about those around.
"""

from __future__ import annotations

from collections.abc import Mapping

from tfgpu.digest import SIZE, blake2b
from tfgpu.program.asked import Question, answers
from tfgpu.program.modules import Modules

# The questions of an analysis, a digest of the answers, and what came of it.
Entry = tuple[tuple[Question, ...], bytes, bytes]


class Memory:
    """The results of an earlier run, and of this one.

    `salt` is a digest of what decides on all of it alike.
    """

    def __init__(self, salt: str, known: Mapping[bytes, Entry]) -> None:
        self._salt = salt
        self._known = known
        self.entries: dict[bytes, Entry] = {}

    @property
    def is_new(self) -> bool:
        """Whether anything was analysed that the earlier run does not know."""
        return any(self._known.get(key) is not entry for key, entry in self.entries.items())

    def key(self, files: Mapping[str, bytes], *facts: object) -> bytes:
        """Return what a unit is known by: its files, and facts that decide on it."""
        digest = blake2b(repr((self._salt, facts)).encode(), digest_size=SIZE)
        for path, data in files.items():
            digest.update(repr((path, len(data))).encode("utf-8", "surrogatepass"))
            digest.update(data)
        return digest.digest()

    def recall(self, key: bytes, modules: Modules) -> bytes | None:
        """Return what came of a unit, if every answer is still the same."""
        entry = self._known.get(key)
        if entry is None or answers(entry[0], modules) != entry[1]:
            return None
        self.entries[key] = entry
        return entry[2]

    def keep(self, key: bytes, entry: Entry) -> None:
        """Remember what came of a unit."""
        self.entries[key] = entry
