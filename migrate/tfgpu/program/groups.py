"""Which files are analysed together: those that pass configs, or TensorFlow, to each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tfgpu.program.modules import Modules

_READ = rb"(?:\.|attr\([^'\"]*['\"])\s*%b\b"
# More files than this that pass one config around are not followed.
MOST_FILES = 60


class Groups:
    """Sets of files, joined as the analysis asks for them."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules
        self._of: dict[str, list[str]] = {}

    def of(self, path: str) -> list[str]:
        """Return the files that a file is analysed with, itself among them, sorted."""
        return sorted(self._of.get(path, [path]))

    def join(self, path: str, others: Iterable[str]) -> bool:
        """Analyse a file together with others from now on; tell whether that is new."""
        group = self._of.setdefault(path, [path])
        added = False
        for other in others:
            members = self._of.setdefault(other, [other])
            if members is not group and len(group) + len(members) <= MOST_FILES:
                group += members
                self._of.update(dict.fromkeys(members, group))
                added = True
        return added

    def asked_for(self, path: str, wanted: Iterable[str], exports: Iterable[str]) -> Iterator[str]:
        """Yield the files that a file's analysis needs.

        These are the ones behind the imports that it could not follow, and those that use what it
        exports.
        """
        for dotted in wanted:
            found = self._modules.find(path, dotted)
            if found is not None and found[0] != path:
                yield found[0]
        yield from (other for _, other in self.users(path, exports))

    def users(self, path: str, exports: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield the files that may use a name that a file exports, with the name.

        To use a name of a module, a file imports it. A member of a class, with a dot before its
        name, is read from an object, which any file of the program may be given.
        """
        for name in filter(None, exports):
            word = name.lstrip(".").encode()
            importers = self._modules.importers(path)
            for other in importers:
                if word in self._modules.words(other) or self._modules.has_star(other):
                    yield name, other
            if name[0] == ".":
                for other in sorted(self._modules.together(path).difference(importers, [path])):
                    if word in self._modules.words(other) and self._reads(other, word):
                        yield name, other

    def _reads(self, path: str, word: bytes) -> bool:
        """Tell whether a file reads an attribute of some name."""
        return re.search(_READ % word, self._modules.read(path)) is not None
