"""Which files of a run import each other, read from their import statements, never by importing."""

from __future__ import annotations

import os
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import takewhile

from tfgpu.files.kinds import Kind, kind_of
from tfgpu.files.pattern import expression
from tfgpu.files.sieve import holds_any
from tfgpu.program.contents import Contents
from tfgpu.program.dotted_paths import lists_texts
from tfgpu.program.links import Parts, further_places, real_places
from tfgpu.program.search_path import SearchPath

# A module beside its importer that is named like one of these is it in folders of scripts only.
_LIBRARIES = frozenset(["tensorflow", "keras", "torch", "numpy"])
# Anything but comments.
_CODE = expression(rb"(?:^|\n)\s*[^#\s]")
# A folder on the search path is at most so many folders above that of the importer, and below that.
_FAR = 2


class Modules(Contents):
    """The files of a run as modules, by path, with their bytes where they are known already.

    Others are read once, at the first question. Those of `beside` were not named: they decide on
    the others, and are not changed.
    """

    def __init__(self, files: Mapping[str, bytes], beside: Collection[str] = ()) -> None:
        self.paths = list(files)
        self.beside = frozenset(beside)
        super().__init__(files)
        self._programs: dict[str, frozenset[str]] = {}
        self._above: dict[Parts, list[str]] = {}
        self._imports: dict[str, list[str]] = {}
        self._runs: dict[str, list[str]] = {}
        self._libraries: dict[str, frozenset[str]] = {}
        self._found: dict[tuple[Parts, str], tuple[list[str], str] | None] = {}

    def with_more(self, more: Mapping[str, bytes]) -> Modules:
        """Return these files with more: others, or code of commands by the places of that."""
        found = Modules({**self._bytes, **more}, self.beside) if more else self
        found._take(self)
        return found

    @cached_property
    def _at(self) -> dict[Parts, str]:
        """Every module by its whole path without suffix; a package is found by its folder.

        A notebook is none: it imports modules, and cannot be imported.
        """
        found: dict[Parts, str] = {}
        for place, path in (*((self._place[path], path) for path in self.paths), *self._links):
            if kind_of(path) is not Kind.PYTHON:
                continue
            *folder, name = place
            stem = name.rpartition(".")[0]
            at = tuple(folder) if stem == "__init__" else (*folder, stem)
            # A package comes before a module of its name, whichever of them was named first.
            if not found.get(at, "").endswith("__init__.py"):
                found[at] = path
        return found

    @cached_property
    def _links(self) -> list[tuple[Parts, str]]:
        """Where links lead to a file of the run, and to which."""
        return list(further_places(self._place))

    @cached_property
    def _folders(self) -> dict[str, list[Parts]]:
        """The folders that each file is in: its own, and those of the links to it."""
        found = {path: [place[:-1]] for path, place in self._place.items()}
        for place, path in self._links:
            found[path].append(place[:-1])
        return found

    @cached_property
    def _place(self) -> dict[str, Parts]:
        """The names of the real path of each file."""
        return real_places(self.paths)

    @cached_property
    def _by_name(self) -> dict[str, list[Parts]]:
        """Every module by its absolute name: from the topmost package that it is in."""
        packages = {at for at, path in self._at.items() if path.endswith("__init__.py")}
        found = defaultdict(list)
        for at in self._at:
            top = len(at) - 1
            while at[:top] in packages:
                top -= 1
            found[".".join(at[top:])].append(at)
        return found

    @cached_property
    def _first_names(self) -> frozenset[str]:
        """What an absolute import of a file of the run can start with."""
        # Folders need no __init__.py, and may hold nothing but folders.
        return frozenset(name for at in self._at for name in at)

    @cached_property
    def _by_end(self) -> dict[Parts, list[Parts]]:
        """Every module by the last name of its path, and by the last two."""
        found = defaultdict(list)
        for at in self._at:
            for count in (1, 2):
                found[at[-count:]].append(at)
        return found

    def _ending(self, names: Parts) -> list[Parts]:
        """Return every module whose path ends with some names."""
        count = len(names)
        return [at for at in self._by_end.get(names[-2:], []) if at[-count:] == names]

    def find(self, importer: str, dotted: str) -> tuple[str, str] | None:
        """Return the file that a dotted import path of a file means, and the names after it.

        `..compat.tf` in `project/train/loop.py` gives `project/compat.py` and `tf`, or
        `project/compat/tf.py` and nothing. None where no file of the run is meant, as from a file
        that is decided by itself, outside of these modules.
        """
        found = self._means(importer, dotted)
        return None if found is None else (found[0][0], found[1])

    def unsure(self, path: str) -> dict[str, list[str]]:
        """Return the imports of a file that may mean one of several, with those."""
        means = {dotted: self._means(path, dotted) for dotted in self.dotted(path)}
        return {dotted: item[0] for dotted, item in means.items() if item and len(item[0]) > 1}

    def _means(self, importer: str, dotted: str) -> tuple[list[str], str] | None:
        """Return the files that an import path may mean, the likeliest first, and names after it.

        There are several where files of the run put folders on the search path, or where links lead
        to the importer: it finds what is beside the one that it was imported by.
        """
        found: tuple[list[str], str] | None = None
        for folder in self._folders.get(importer, ()):
            key = (folder, dotted)
            if key not in self._found:
                self._found[key] = self._find(folder, dotted)
            means = self._found[key]
            if found is not None and means is not None:
                means = list(dict.fromkeys((*found[0], *means[0]))), found[1]
            found = means or found
        if found is not None and len(found[0]) > 1 and importer in found[0]:
            return [path for path in found[0] if path != importer], found[1]
        return found

    def _find(self, folder: Parts, dotted: str) -> tuple[list[str], str] | None:
        level = len(dotted) - len(dotted.lstrip("."))
        names = tuple(dotted[level:].split(".")) if dotted[level:] else ()
        if not level and names[0] not in self._first_names:
            return None
        for end in range(len(names), -1 if level else 0, -1):
            if level:
                found = [(*folder[: len(folder) + 1 - level], *names[:end])]
            else:
                found = self._absolute(folder, names[:end])
            if found and found[0] in self._at:
                files = list(dict.fromkeys(self._at[at] for at in found))
                if len(files) > 1:  # an empty package has nothing that its importer may use
                    files = [path for path in files if _CODE.search(self.code(path))] or files[:1]
                return files, ".".join(names[end:])
        return None

    def _absolute(self, folder: Parts, names: Parts) -> list[Parts]:
        """Return the modules that an absolute import may mean, the likeliest first.

        That is one in the importer's folder, in one that is put on the search path, in one above
        the importer's, or any. All count where a run names a folder of the search path.
        """
        count = len(names)
        near = [
            (*folder[:end], *names)
            for end in range(len(folder), 0, -1)
            if (*folder[:end], *names) in self._at
        ]
        if names[0] in _LIBRARIES and not self._stands_in(folder, names):
            near = []
        named = self._by_name.get(".".join(names), [])
        known = [
            at
            for at in named
            # A plain module is found from its own folder only, a package from anywhere, unless the
            # search path is changed.
            if count > 1 or self._at[at].endswith("__init__.py") or self._search_path.changes
        ]
        if not known and count > 1:  # in folders without __init__.py, from any of them
            known = self._ending(names)
        # The folder of a package may be there, too: its modules have no more names then.
        may_be_inside = self._search_path.changes and names[0] not in _LIBRARIES
        inside = self._ending(names) if may_be_inside else []
        if self._search_path.computed:
            return list(dict.fromkeys([*near[:1], *known, *inside]))
        put = [
            at
            for at in (*known, *inside)
            if at not in near and self._search_path.may_have(at[:-count])
        ]
        own = near[:1] if near and len(near[0]) == len(folder) + count else []
        # What is put first comes before what is nearer; of folders far away, other projects.
        far = _FAR if own and self._search_path.puts_first else 0
        least = _shared(near[0], folder) - far if near else 0
        put = [at for at in _nearest(put, folder) if _shared(at, folder) >= least]
        puts_first = self._search_path.puts_first
        # Only a script is sure to find what is beside it.
        sure = own and not puts_first and not (near[1:] and self._is_package(folder))
        found = [*(near[:1] if sure else near), *put]
        if not own or puts_first:
            found.reverse()
        if near and (not own or self._is_package(folder)):
            # PYTHONPATH and `python -m` choose the folder, and no file of the run tells.
            shared = folder[: len(near[0]) - count - bool(own)]
            others = self._ending(names) if count > 1 else named
            found += [at for at in others if at[: len(shared)] == shared]
        if names[0] in _LIBRARIES:  # only what tests put on the search path stands elsewhere
            known = [at for at in known if folder[: len(at) - count] == at[:-count]]
        return list(dict.fromkeys(found)) or _nearest(known, folder)

    def _stands_in(self, folder: Parts, names: Parts) -> bool:
        """Tell whether a script in a folder finds a file there instead of a library of its name.

        The backend of a library is named like that, too: it is in a package, or imports it.
        """
        path = self._at.get((*folder, *names))
        return (
            path is not None
            and len(names) == 1
            and not self._is_package(folder)
            and all(dotted.partition(".")[0] != names[0] for dotted in self.dotted(path))
        )

    def _is_package(self, folder: Parts) -> bool:
        """Tell whether files may import those in a folder as modules of a package.

        Then a script elsewhere is run, and its folder is searched, and not this one.
        """
        if folder in self._at or folder[-1] in self._packages:
            return True
        return any(
            dotted.startswith(".")
            for at in self._in_folder.get(folder, ())
            for dotted in self.dotted(self._at[at])
        )

    @cached_property
    def _packages(self) -> frozenset[str]:
        """Every name that stands in front of another one in an absolute import."""
        return frozenset(
            name
            for path in self.paths
            for dotted in self.dotted(path)
            if not dotted.startswith(".")
            for name in dotted.split(".")[:-1]
        )

    @cached_property
    def _search_path(self) -> SearchPath:
        return SearchPath.of(self._place, self.read, self.words)

    def part(self, paths: Iterable[str], beside: Collection[str]) -> Modules:
        """Return some of these files, among which an import means the same."""
        found = Modules({path: self._bytes[path] for path in paths}, beside)
        found.__dict__["_search_path"] = self._search_path
        found.__dict__["_links"] = [item for item in self._links if item[1] in found._bytes]
        found._take(self)
        return found

    def above(self, path: str) -> list[str]:
        """Return the files in the folder of a file, and in those above it."""
        folder = self._place[path][:-1]
        if folder not in self._above:
            places = ((other, self._place[other][:-1]) for other in self.paths)
            self._above[folder] = [
                other for other, around in places if folder[: len(around)] == around
            ]
        return self._above[folder]

    def packages(self, path: str) -> list[str]:
        """Return the packages that a file is in: `python -m` runs them before it."""
        at = self._place[path]
        found = (self._at.get(at[:count]) for count in range(1, len(at)))
        return [other for other in found if other is not None and other.endswith("__init__.py")]

    def holding(self, words: tuple[bytes, ...], others: tuple[bytes, ...]) -> list[str]:
        """Return the files whose code holds one of some words, and none of some others."""
        return [
            path
            for path in self.paths
            if holds_any(self.code(path), words) and not holds_any(self.code(path), others)
        ]

    def imports(self, path: str) -> list[str]:
        """Return the files that a file imports, with the packages that they stand in."""
        known = self._imports.get(path)
        if known is None:
            known = list(dict.fromkeys(self._imported(path)))
            self._imports[path] = known
        return known

    def runs(self, path: str) -> list[str]:
        """Return the files that a file imports, and those that its texts may have imported.

        Such a text brings a file into the programs; it is an entry script all the same.
        """
        known = self._runs.get(path)
        if known is None:
            known = list(dict.fromkeys((*self.imports(path), *self._loaded(path))))
            self._runs[path] = known
        return known

    def _loaded(self, path: str) -> Iterator[str]:
        for dotted in self.spelled(path):
            found = self.find(path, dotted)
            name = found[1].partition(".")[0].encode() if found is not None else b""
            if found is not None and (
                not name or name in self.words(found[0]) or self.has_star(found[0])
            ):
                yield from self.along(path, dotted)

    def _imported(self, path: str) -> Iterator[str]:
        for dotted in self.dotted(path):
            names = dotted.lstrip(".").split(".")
            if names[-1] == "*":
                yield from self._below(tuple(names[:-1]), path)
            else:
                yield from self.along(path, dotted)
                means = self._means(path, dotted)
                yield from (other for other in (means[0] if means else ()) if other != path)
        for package in self.stars(path):
            yield from self._listed(path, package)

    def _listed(self, importer: str, dotted: str) -> Iterator[str]:
        """Yield the modules that `from package import *` imports: those that `__all__` may name."""
        found = self.find(importer, dotted)
        is_plain = lists_texts(self.read(found[0])) if found and not found[1] else None
        if found is None or is_plain is None:
            return
        words = self.words(found[0])
        for at in self._in_folder.get(self._place[found[0]][:-1], ()):
            if not is_plain or os.fsencode(at[-1]) in words:
                yield self._at[at]

    @cached_property
    def _in_folder(self) -> dict[Parts, list[Parts]]:
        found = defaultdict(list)
        for at in self._at:
            found[at[:-1]].append(at)
        return found

    def along(self, importer: str, dotted: str) -> Iterator[str]:
        """Yield the files that an import runs: the packages along its path, and the module."""
        level = len(dotted) - len(dotted.lstrip("."))
        names = dotted[level:].split(".")
        for end in range(1, len(names) + 1):
            found = self.find(importer, dotted[:level] + ".".join(names[:end]))
            if found is not None and found[0] != importer:
                yield found[0]

    def _below(self, names: Parts, importer: str) -> Iterator[str]:
        """Yield the modules of the folders that an import by a computed name may mean."""
        for at, path in self._at.items():
            if at[: len(at) - 1][-len(names) :] == names and path != importer:
                yield path

    @cached_property
    def _importers(self) -> dict[str, list[str]]:
        found = defaultdict(list)
        for path in self.paths:
            for other in self.imports(path):
                found[other].append(path)
        return found

    def importers(self, path: str) -> list[str]:
        """Return the files that import a file."""
        return self._importers.get(path, [])

    @cached_property
    def _runners(self) -> dict[str, list[str]]:
        found = defaultdict(list)
        for path in self.paths:
            for other in self.runs(path):
                found[other].append(path)
        return found

    def runners(self, path: str) -> list[str]:
        """Return the files that import a file, or have texts that may."""
        return self._runners.get(path, [])

    def programs(self, path: str) -> frozenset[str]:
        """Return every file that imports a file, or may, directly or not, and the file itself.

        Two files that share one of these run in one program.
        """
        if path not in self._programs:
            self._programs[path] = self.reach([path], self.runners)
        return self._programs[path]

    def closure(self, path: str) -> frozenset[str]:
        """Return every file that a file imports, or may, directly or not, and the file itself."""
        return self.reach([path], self.runs)

    def imported(self, path: str) -> frozenset[str]:
        """Return every file that a file certainly names in imports, directly or not, and itself."""
        return self.reach([path], self.imports)

    def libraries(self, path: str) -> frozenset[str]:
        """Return the dotted paths of libraries that a file imports, directly or not."""
        return frozenset().union(*map(self._outside, self.closure(path)))

    def _outside(self, path: str) -> frozenset[str]:
        """Return the dotted paths of what a file imports that is no file of the run."""
        if path not in self._libraries:
            found = (item for item in self.dotted(path) if self.find(path, item) is None)
            self._libraries[path] = frozenset(found)
        return self._libraries[path]

    @classmethod
    def reach(cls, paths: Iterable[str], step: Callable[[str], list[str]]) -> frozenset[str]:
        """Return files with all those that a step leads to from them, directly or not."""
        return frozenset(cls.walk(paths, step))

    @staticmethod
    def walk(paths: Iterable[str], step: Callable[[str], list[str]]) -> Iterator[str]:
        """Yield files with all those that a step leads to from them, those after fewest first."""
        seen = set(paths)
        waiting = deque(seen)
        while waiting:
            path = waiting.popleft()
            yield path
            for other in step(path):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)


def _nearest(known: list[Parts], folder: Parts) -> list[Parts]:
    """Return those of some paths that share most folders with one."""
    most = max((_shared(at, folder) for at in known), default=0)
    return [at for at in known if _shared(at, folder) == most]


def _shared(one: Parts, other: Parts) -> int:
    """Return how many folders two paths share."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
