"""From the results of single files to those of programs.

Files between which configs pass are analysed as one, and files that run in one program end up with
tf.config in all of them or in none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass, replace
from tfgpu.decide.outside import Differing, Outside, Stop
from tfgpu.engine import ConfigResult, parse
from tfgpu.files.kinds import REWRITTEN, kind_of
from tfgpu.files.pyfile import SourceError, decode
from tfgpu.findings import Finding
from tfgpu.place import place
from tfgpu.process import Job, KeptFor, Result, process
from tfgpu.program.groups import Groups
from tfgpu.program.modules import Modules
from tfgpu.program.started import Started
from tfgpu.program.versions import Versions
from tfgpu.rewrite.imports import stays_tensorflow1
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Rule

# Analysing files together can show that more of them belong to them.
_ROUNDS = 5
# Reasons to keep a config that have no part in what a program does with its GPUs.
_WITHOUT_SESSION = "unused-config"
_UNRESOLVED = "unresolved-name"
# `module.name = ...` in a file, and ways to get a module's TensorFlow.
_ASSIGNED = re.compile(rb"\.(\w+)[ \t]*=(?!=)")
_STAR = re.compile(rb"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+\*", re.MULTILINE)
_CONSTANT = re.compile(rb"^(\w+)[ \t]*=(?!=)", re.MULTILINE)
# A use of tf.data, however TensorFlow is called.
_DATA = re.compile(rb"\b(?:tf\w*|tensorflow)\.(?:[\w.]+\.)?data\b|\bimport[ \t]+Dataset\b")
_FROM_MODULE = re.compile(rb"([\w.]*\w)\.(tf\w{0,3})\b")


@dataclass(slots=True)
class Settled:
    """The results of a run, decided, and what it takes to make new texts from them.

    `paths` are all files in the order of the run, `known` has the results of those that hold
    anything of interest.
    """

    paths: list[str]
    known: dict[str, Result]
    groups: Groups
    modules: Modules
    outside: Outside

    def results(self) -> Iterator[Result]:
        """Yield the result of every file, in the order of the run."""
        for path in self.paths:
            yield self.known.get(path) or Result(path)

    def process(self, path: str, job: Job) -> list[Result]:
        """Analyse a file once more, with those that it is analysed with."""
        found = _process(self.groups.of(path), self.modules, job, self.outside)
        for result in found:
            if result.path in self.known:
                result.kept_for = self.known[result.path].kept_for
        return found

    def may_change(self, result: Result) -> bool:
        """Tell whether a file may get a new text."""
        return result.reason is None and (result.changes or result.path in self.outside.switched)

    def alone(self) -> frozenset[str]:
        """Return the files that change where no other file of their programs does."""
        changing = [result.path for result in self.results() if self.may_change(result)]
        programs = {path: self.modules.programs(path) for path in changing}
        seen = Counter(top for tops in programs.values() for top in tops)
        return frozenset(
            path
            for path in changing
            if len(self.groups.of(path)) == 1 and all(seen[top] == 1 for top in programs[path])
        )


def settle(paths: Iterable[str], results: Iterable[Result], job: Job, book: Rulebook) -> Settled:
    """Decide on programs, given all files and what those of interest came to by themselves.

    `book` has the rules of all files.
    """
    return _Settler(paths, results, job, book).settle()


def _process(paths: list[str], modules: Modules, job: Job, outside: Outside) -> list[Result]:
    files = {path: modules.read(path) for path in paths}
    return process(files, job, job.book(paths), outside, modules.find if len(paths) > 1 else None)


class _Settler:
    def __init__(
        self, paths: Iterable[str], results: Iterable[Result], job: Job, book: Rulebook
    ) -> None:
        self._paths = list(paths)
        self._results = {result.path: result for result in results}
        self._job = replace(job, rewrite=False)
        self._rewrite = job.rewrite
        self._book = book
        read = {path: result.old for path, result in self._results.items()}
        files = {**dict.fromkeys(self._paths, b""), **read}
        self._modules = Modules(
            {path: data for path, data in files.items() if kind_of(path) in (None, *REWRITTEN)}
        )
        self._groups = Groups(self._modules)
        self._outside = Outside()

    def settle(self) -> Settled:
        if not self._job.per_file:
            self._follow()
        self._look_outside()
        self._find_starts()
        self._find_started()
        self._find_rebound()
        if not self._job.per_file:
            self._decide_programs()
        self._name_stops()
        switched = self._switched() if self._rewrite else frozenset()
        handed_on = frozenset(item for path in switched for item in self._handed_on(path))
        self._outside = replace(self._outside, switched=switched, handed_on=handed_on)
        return Settled(self._paths, self._results, self._groups, self._modules, self._outside)

    # Files that are analysed as one.

    def _follow(self) -> None:
        """Join files until the analysis asks for no more of them."""
        waiting = [path for path, result in self._results.items() if _asks(result)]
        for _ in range(_ROUNDS):
            changed: set[str] = set()
            seen = set(waiting)
            while waiting:
                path = waiting.pop()
                result = self._results[path]
                asked = self._groups.asked_for(path, result.wanted, result.exports)
                others = [other for other in dict.fromkeys(asked) if self._is_readable(other)]
                if self._groups.join(path, others):
                    changed.add(path)
                waiting += [other for other in others if other not in seen]
                seen.update(others)
            if not changed:
                return
            waiting = self._again(changed)

    def _is_readable(self, path: str) -> bool:
        """Analyse a file that did not matter by itself; tell whether that is possible."""
        result = self._results.get(path) or Result(path)
        if not result.parsed and result.reason is None:
            found = _process([path], self._modules, self._job, self._outside)
            self._results[path] = result = found[0]
        return result.reason is None

    def _again(self, paths: Iterable[str]) -> list[str]:
        """Analyse files again, with all that they are analysed with; return those."""
        done: dict[str, None] = {}
        for path in sorted(paths):
            if path not in done:
                members = self._groups.of(path)
                found = _process(members, self._modules, self._job, self._outside)
                self._results.update((result.path, result) for result in found)
                done.update(dict.fromkeys(members))
        return list(done)

    # What other files have against a conversion.

    def _look_outside(self) -> None:
        """Find importers of files that act when they are imported, and users not analysed."""
        users: dict[tuple[str, str], str] = {}
        for path, result in self._results.items():
            members = self._groups.of(path)
            if "" in result.exports:
                for other in self._modules.importers(path)[:1]:
                    users[path, ""] = other
            for name, other in self._groups.users(path, result.exports):
                if other not in members:
                    users.setdefault((path, name), other)
        if users:
            self._outside = replace(self._outside, users=users)
            self._again(path for path, _ in users)

    def _find_starts(self) -> None:
        """Find imports of modules whose code may initialise the runtime of TensorFlow 2."""
        found: dict[str, set[str]] = {}
        for path, result in self._results.items():
            for dotted in self._modules.dotted(path) if result.configs else ():
                module = self._modules.find(path, dotted)
                if module is not None and module[0] != path and self._may_start(module[0]):
                    found.setdefault(path, set()).add(dotted)
        if found:
            starting = frozenset(dotted for names in found.values() for dotted in names)
            self._outside = replace(self._outside, starting=starting)
            self._again(found)

    def _find_started(self) -> None:
        """Find imports in front of settings whose modules certainly initialise the runtime."""
        started = Started(self._modules, self._book)
        found: dict[tuple[str, str], tuple[str, str]] = {}
        for path, result in self._results.items():
            found |= started.by(path, result.early)
        if found:
            self._outside = replace(self._outside, started=found)
            self._again({path for path, _ in found})

    def _find_rebound(self) -> None:
        """Find names of modules that hold configs to which other files assign."""
        found: set[tuple[str, str]] = set()
        for path, result in self._results.items():
            for other in self._modules.importers(path) if result.configs else ():
                names = set(_ASSIGNED.findall(self._modules.code(other)))
                names &= set(_CONSTANT.findall(self._modules.code(path)))
                found.update((path, name.decode()) for name in names)
        if found:
            self._outside = replace(self._outside, rebound=frozenset(found))
            self._again({path for path, _ in found})

    def _handed_on(self, path: str) -> Iterator[tuple[str, str]]:
        """Yield the names by which other files have their TensorFlow from a file."""
        for other in self._modules.importers(path):
            data = self._modules.code(other)
            for name in _STAR.findall(data):
                found = self._modules.find(other, name.decode())
                if found is not None and found[0] == path:
                    yield path, "*"
            for owner, name in _FROM_MODULE.findall(data):
                found = self._modules.find(other, f"{owner.decode()}.{name.decode()}")
                if found is None or found[1]:  # Else it is a module of its own: `project.tf`.
                    yield path, name.decode()
            for dotted in self._modules.dotted(other):
                found = self._modules.find(other, dotted)
                if found is not None and found[0] == path:
                    yield path, found[1]

    def _may_start(self, path: str) -> bool:
        """Tell whether a module, or one that it imports, names what initialises the runtime."""
        return any(self._names_a_start(other) for other in (path, *self._modules.imports(path)))

    def _names_a_start(self, path: str) -> bool:
        words = self._modules.words(path)
        names = self._book.starts_runtime
        if any(_word(name) in words for name in names if name[0] != "."):
            return True
        data = self._modules.code(path)
        return bool(
            _DATA.search(data)
            and any(f"{name}(".encode() in data for name in names if name[0] == ".")
        )

    # Programs.

    def _decide_programs(self) -> None:
        """Keep what shares a program with a config that is kept, until nothing changes."""
        self._compare()
        stops: dict[str, Stop] = {}
        while True:
            found = {path: stop for path, stop in self._stops() if path not in stops}
            if not found:
                return
            stops |= found
            self._outside = replace(self._outside, stopped=stops)
            self._again(found)

    def _stops(self) -> Iterator[tuple[str, Stop]]:
        keepers = {path: stop for path, stop in self._keepers() if stop is not None}
        for path, result in self._results.items() if keepers else ():
            if any(config.kept_by is None for config in result.configs):
                programs = self._modules.programs(path)
                for keeper, stop in keepers.items():
                    if not programs.isdisjoint(self._modules.programs(keeper)):
                        yield path, stop
                        break

    def _compare(self) -> None:
        """Find configs whose sessions had settings of their own that sessions elsewhere had not."""
        converted = {
            path: result.configs
            for path, result in self._results.items()
            if result.configs and all(config.kept_by is None for config in result.configs)
        }
        found: dict[str, Differing] = {}
        for (one, its), (other, theirs) in permutations(converted.items(), 2):
            if other in self._groups.of(one):
                continue
            fields = {
                item.partition("=")[0]
                for config in its
                for them in theirs
                for item in config.session ^ them.session
            }
            if fields and self._are_together(one, other):
                known = found.get(one)
                first = theirs[0]
                where = known.place if known else place(other, first.line, cell=first.cell)
                found[one] = Differing(where, fields.union(known.fields if known else ()))
        if found:
            graph_mode = frozenset(filter(self._builds_graphs, found))
            self._outside = replace(self._outside, differing=found, graph_mode=graph_mode)
            self._again(found)

    def _builds_graphs(self, path: str) -> bool:
        """Tell whether a file imports one that turns eager execution off, or will once migrated."""
        imported = self._modules.closure(path) - {path}
        return any(map(self._turns_eager_off, sorted(imported)))

    def _turns_eager_off(self, path: str) -> bool:
        data = self._modules.code(path)
        if b"disable_v2_behavior" in data or b"disable_eager_execution" in data:
            return True
        if self._job.options.keep_imports or b"tensorflow" not in data:
            return False
        try:
            text = decode(data).text
            tree = Tree(parse(text), text, path)
        except (SourceError, SyntaxError, RecursionError):
            return False
        return stays_tensorflow1(tree, Symbols(tree), self._book)

    def _are_together(self, one: str, other: str) -> bool:
        """Tell whether two files run in one program."""
        return not self._modules.programs(one).isdisjoint(self._modules.programs(other))

    def _name_stops(self) -> None:
        """Tell each file whose program was kept which config elsewhere kept it."""
        none_by = {
            f"{path}:{config.line}": config.none_by
            for path, result in self._results.items()
            for config in result.configs
        }
        for path, stop in self._outside.stopped.items():
            kept_for = KeptFor(stop.place, stop.rule, self._entries(path), none_by.get(stop.place))
            self._results[path].kept_for = kept_for

    def _entries(self, path: str) -> tuple[str, ...]:
        """Return where the programs of a file start: the files that no other one imports."""
        programs = sorted(self._modules.programs(path))
        return tuple(top for top in programs if not self._modules.importers(top)) or (path,)

    def _keepers(self) -> Iterator[tuple[str, Stop | None]]:
        """Yield the files that keep a config, with the first one that they keep."""
        for path, result in self._results.items():
            known = self._outside.stopped.get(path)
            if known is not None:
                yield path, known
                continue
            kept: list[tuple[ConfigResult | Finding, Rule | None, bool]] = [
                (config, self._book.find(config.kept_by), config.final)
                for config in result.configs
                if config.kept_by is not None
            ]
            kept += [
                (finding, self._book.find(finding.code), False)
                for finding in result.findings
                if finding.name == _UNRESOLVED
            ]
            for it, rule, final in kept:
                if rule is not None and rule.name != _WITHOUT_SESSION:
                    where = place(path, it.line, cell=it.cell)
                    yield path, Stop(where, f"{rule.code} {rule.name}", final)
                    break

    def _switched(self) -> frozenset[str]:
        """Return the files of programs that are made to run on TensorFlow 2."""
        if self._job.options.keep_imports:
            return frozenset()
        started = [path for path, result in self._results.items() if _is_switched(result)]
        if self._job.per_file:
            return frozenset()
        tops = {top for path in started for top in self._modules.programs(path)}
        found = {path for top in tops for path in self._modules.closure(top)}
        versions = Versions(self._modules)
        return frozenset(
            path
            for path in found
            if self._uses_tensorflow(path) and not versions.runs_eagerly(path)
        )

    def _uses_tensorflow(self, path: str) -> bool:
        return b"tensorflow" in self._modules.code(path)


def _word(name: str) -> bytes:
    """Return the word that a file has where it uses a name, or the argument that matters."""
    return re.split(r"[.(]", name.partition("=")[0])[-1].encode()


def _asks(result: Result) -> bool:
    return bool(result.wanted or any(result.exports))


def _is_switched(result: Result) -> bool:
    """Tell whether a file's configs are converted, or written so that they run on TensorFlow 2."""
    kept = [config for config in result.configs if config.kept_by is not None]
    return bool(result.configs) and (not kept or all(config.final for config in kept))
