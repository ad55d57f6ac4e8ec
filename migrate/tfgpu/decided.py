"""Decides on the configs and the imports of all files of a run, and makes their new texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from tfgpu.dataclass import dataclass, field, replace
from tfgpu.engine import kept_anyway
from tfgpu.files.files import load
from tfgpu.files.pattern import expression
from tfgpu.files.python2 import Python2
from tfgpu.files.scripts import is_python
from tfgpu.job import Job, Watch
from tfgpu.memory import Memory
from tfgpu.neighbours import NOTHING, Around
from tfgpu.process import process, text_of
from tfgpu.program.around import Arounds
from tfgpu.program.entries import programs_of, sharing
from tfgpu.program.modules import Modules
from tfgpu.program.projects import by_project
from tfgpu.program.switch import plan_switches
from tfgpu.program.switches import Stay, Switches, Why
from tfgpu.program.units import FEW_FILES, SEED, units
from tfgpu.results import Result, fault
from tfgpu.surroundings import Libraries, OfTensorFlow1, Parsed
from tfgpu.workers import Unit, analysed

_CONSTANT = expression(rb"^(\w+)[ \t]*=(?!=)", re.MULTILINE)


@dataclass(slots=True)
class Run:
    """All files of a run: their paths in order, the units, and the results so far."""

    job: Job
    paths: list[str]
    results: dict[str, Result] = field(default_factory=dict)
    unit_of: dict[str, Unit] = field(default_factory=dict)
    around: Around = NOTHING

    def ordered(self) -> Iterator[Result]:
        """Yield the result of every file, in the order of the run."""
        for path in self.paths:
            yield self.results.get(path) or Result(path)

    def take(self, found: Iterable[Result], beside: Collection[str] = ()) -> None:
        """Keep results of files that belong to the run."""
        self.results.update((item.path, item) for item in found if item.path not in beside)

    def fail(self, paths: Iterable[str], error: Exception) -> None:
        """Let files fail with an error that nobody has foreseen; the others are done."""
        for path in paths:
            if path in self.results:
                self.results[path].reason, self.results[path].changes = fault(error), False


def decided(
    state: Run,
    named: list[str],
    around: Arounds,
    job: Job,
    jobs: int,
    watch: Watch,
    memory: Memory | None,
) -> Iterator[Result]:
    """Yield the result of every file, in the order of the run; arguments as of `run`."""
    todo = _units(state, named, around)
    total, done = sum(len(unit.files) for unit in todo), 0
    for unit, results in analysed(todo, state.job, jobs, memory):
        done += len(unit.files)
        watch(done, total)
        state.take(results, unit.modules.beside)
        state.unit_of.update(dict.fromkeys(unit.files, unit))
    _follow_starts(state)
    if not job.per_file:
        _link_launches(state, named)
    if (job.rewrite or job.edits) and not job.per_file:
        state.around = Around(switches=_switches(state))
    if job.edits:
        yield from _edited(state, job)
    else:
        yield from _rewritten(state, job) if job.rewrite else _audited(state, job)


def _units(state: Run, named: list[str], around: Arounds) -> list[Unit]:
    """Return the files to analyse, each with those that it is analysed with."""
    gated = {path: result.old for path, result in state.results.items() if result.old}
    texts = {path: data for path, data in gated.items() if is_python(path)}
    found: list[Unit] = []
    none = Modules({})
    for path, data in gated.items():
        if path not in texts:
            found.append(Unit({path: data}, none))
    if not texts:
        return found
    if state.job.per_file:
        return found + [Unit({path: data}, none) for path, data in texts.items()]
    python = [path for path in state.paths if is_python(path)]
    for root, members in by_project(python, named).items():
        own = {path: texts[path] for path in members if path in texts}
        try:
            found += _units_of(members, own, around.get(root), state.job) if own else ()
        except Exception as error:  # the other projects are done
            state.fail(own, error)
    return found


def _units_of(
    members: list[str], own: Mapping[str, bytes], known: Modules | Exception | None, job: Job
) -> list[Unit]:
    """Return the files of a project to analyse; `own` are those with a word of interest.

    Raises:
        Exception: tfgpu itself failed, here or where the project was searched.
    """
    if isinstance(known, Exception):
        raise known
    modules = known or Modules({path: own.get(path, b"") for path in members})
    if len(members) > FEW_FILES and _are_kept(own, modules, job):
        return [Unit({path: data}, modules, kept=True) for path, data in own.items()]
    found: list[Unit] = []
    for paths in units(modules, own):
        files = {path: own.get(path) or modules.read(path) for path in paths}
        facts = replace(_around(files, modules), beside=modules.beside & files.keys())
        found.append(Unit(files, modules, facts))
    return found


def _are_kept(files: Mapping[str, bytes], modules: Modules, job: Job) -> bool:
    """Tell whether files keep all their configs, and no other file takes one of them."""
    offered: dict[str, frozenset[str]] = {}
    for path, data in files.items():
        if not SEED.search(data):
            continue
        text = text_of(path, data, job)
        if text is None:
            return False
        book, options = job.book([path]), job.options_for(path)

        def is_ours(dotted: str, path: str = path) -> bool:
            return modules.find(path, dotted) is not None

        try:
            names = kept_anyway(path, text, book, options, is_ours)
        except RecursionError:
            return False
        if names is None:
            return False
        offered[path] = names
    return bool(offered) and not any(
        name.lstrip(".").encode() in data
        for path, names in offered.items()
        for name in names
        for other, data in files.items()
        if other != path
    )


def _around(files: Mapping[str, bytes], modules: Modules) -> Around:
    """Return what other files do to the constants of those that are analysed."""
    if len(files) == 1 and not modules.importers(next(iter(files))):
        return NOTHING
    found: set[tuple[str, str]] = set()
    for path in files:
        constants = set(_CONSTANT.findall(modules.code(path)))
        for other in modules.importers(path) if constants else ():
            names = constants & modules.assigned(other)
            found.update((path, name.decode()) for name in names)
    starred = {
        target[0]
        for path in files
        for other in modules.importers(path)
        for name in modules.stars(other)
        if (target := modules.find(other, name)) is not None
    }
    asked = {
        path: frozenset(
            word.decode(errors="replace")
            for other in modules.importers(path)
            if other not in files
            for word in modules.words(other)
        )
        for path in files
    }
    return Around(rebound=frozenset(found), starred=frozenset(starred), asked=asked)


def _again(state: Run, path: str, job: Job, around: Around) -> list[Result]:
    """Analyse a file once more, with those that it is analysed with."""
    try:
        return _once_more(state, path, job, around)
    except Exception as error:  # the other files are done
        unit = state.unit_of.get(path)
        paths = [path] if unit is None else unit.files
        known = [state.results[one] for one in paths if one in state.results]
        return [replace(one, reason=fault(error), changes=False) for one in known]


def _once_more(state: Run, path: str, job: Job, around: Around) -> list[Result]:
    unit = state.unit_of.get(path)
    if unit is None:
        data = load(path)
        return process({path: data}, job, job.book([path]), around)
    more = replace(
        unit.around,
        switches=around.switches,
        started=around.started or unit.around.started,
        # A unit that was remembered, or came from another process, has no answers to new questions.
        tensorflow1=OfTensorFlow1(Parsed(unit.modules, job)),
        left_out=Libraries(unit.files, unit.modules),
    )
    unit.around = more
    return process(unit.files, job, job.book(unit.files), more, unit.modules.find)


def _follow_starts(state: Run) -> None:
    """Find imports in front of settings whose modules certainly initialise the runtime."""
    early = {path: result.early for path, result in state.results.items() if result.early}
    if not early or state.job.per_file:
        return
    from tfgpu.checks.started import Started  # noqa: PLC0415 - few runs need it

    known: dict[int, Started] = {}
    for unit in {id(unit): unit for unit in state.unit_of.values()}.values():
        modules, found = unit.modules, {}
        try:
            for path in filter(early.__contains__, unit.files):
                started = known.setdefault(id(modules), Started(modules, state.job.whole_book()))
                found.update(started.by(path, early[path]))
        except Exception as error:  # the other files are done
            state.fail(unit.files, error)
            continue
        if found:
            again = _again(state, next(iter(unit.files)), state.job, Around(started=found))
            state.take(again, unit.modules.beside)


def _link_launches(state: Run, named: list[str]) -> None:
    """Put together what launchers say, and what they start."""
    from tfgpu.launches import link  # noqa: PLC0415 - for whole runs only

    @cache
    def projects() -> dict[str, Modules]:
        """Return the modules of each Python file, by project, those of units where there are."""
        known = {path: unit.modules for path, unit in state.unit_of.items() if unit.modules.paths}
        python = [path for path in state.paths if is_python(path)]
        found: dict[str, Modules] = {}
        for members in by_project(python, named).values():
            of_unit = next((known[path] for path in members if path in known), None)
            found.update(dict.fromkeys(members, of_unit or Modules(dict.fromkeys(members, b""))))
        return found

    link(state.results, set(state.paths), lambda path: projects()[path], state.job)


def _may_change(state: Run, result: Result) -> bool:
    switches = state.around.switches
    switch = None if switches is None else switches.file(result.path)
    if isinstance(switch, Stay):
        # Names that stayed while nothing was known of the program may get their new spelling.
        renamed = result.stays and switch.why is Why.SAME_NAMES
        is_told = switch.obstacle is not None or renamed
    else:
        is_told = switch is not None
    return result.reason is None and (result.changes or is_told)


def _rewritten(state: Run, job: Job) -> Iterator[Result]:
    """Yield the results in order; those of files that change with their new text."""
    done: dict[str, Result] = {}
    for result in state.ordered():
        if result.path not in done and _may_change(state, result):
            for made in _again(state, result.path, job, state.around):
                made.programs = _programs(state, made.path) if made.changes else frozenset()
                done[made.path] = made
        yield done.pop(result.path, result) if result.path in done else result


def _audited(state: Run, job: Job) -> Iterator[Result]:
    """Yield the results in order; whether Python 2 can be changed shows where it is."""
    done: dict[str, Result] = {}
    for result in state.ordered():
        is_python2 = isinstance(result.source, Python2)
        if is_python2 and result.path not in done and _may_change(state, result):
            again = _again(state, result.path, replace(job, rewrite=True), state.around)
            done.update((made.path, made) for made in again)
        made = done.pop(result.path, None)
        if is_python2 and made is not None and made.reason is not None:
            result.reason, result.line, result.cell = made.reason, made.line, made.cell
            result.changes = False
        yield result


def _edited(state: Run, job: Job) -> Iterator[Result]:
    """Yield the results in order, those of files that change alone with their new text.

    Files of a program change together or not at all: the new text of one of them is no fix.
    """
    changing = [result.path for result in state.ordered() if _may_change(state, result)]
    programs = {path: _programs(state, path) for path in changing}
    seen = Counter(top for tops in programs.values() for top in tops)
    for result in state.ordered():
        path = result.path
        if path in programs and all(seen[top] == 1 for top in programs[path]):
            for made in _again(state, path, replace(job, rewrite=True), state.around):
                if made.path == path:
                    result.source, result.new_text = made.source, made.new_text
        yield result


def _programs(state: Run, path: str) -> frozenset[str]:
    unit = state.unit_of.get(path)
    if unit is None or path not in unit.modules.paths:
        return frozenset([path])
    return unit.modules.programs(path)


# The switch of imports.


def _switches(state: Run) -> Switches:
    """Decide on the imports of all programs, now that it is known which configs are converted."""
    found: list[Switches] = []
    for unit in {id(unit.modules): unit for unit in state.unit_of.values()}.values():
        modules = unit.modules
        own = [path for path in state.results if path in state.unit_of]
        own = [path for path in own if state.unit_of[path].modules is modules]
        try:
            found += _switches_of(state, modules, own)
        except Exception as error:  # the other projects are done
            state.fail(own, error)
    return Switches(
        tuple(program for switches in found for program in switches.programs),
        {path: file for switches in found for path, file in switches.files.items()},
        frozenset().union(*(switches.bridged for switches in found)),
        {path: why for switches in found for path, why in switches.graphs.items()},
    )


def _switches_of(state: Run, modules: Modules, own: list[str]) -> Iterator[Switches]:
    """Yield the decision on the programs of a project; `own` are its files with a result."""
    options = state.job.options
    converted = {path for path in own if _is_switched(state.results[path])}
    if not modules.paths or not (converted or options.imports):
        return
    losses = {path: state.results[path].losses for path in own}
    every = programs_of(modules)
    programs = list(sharing(every, set(modules.paths) if options.imports else converted))
    uses = Parsed(modules, state.job).uses(state.job.whole_book())
    yield plan_switches(programs, uses, options, converted, losses)


def _is_switched(result: Result) -> bool:
    """Tell whether any config of a file is converted; where none is, nothing is written."""
    return any(config.kept_by is None for config in result.configs)
