"""The switch of imports to tensorflow.compat.v1, decided for whole programs.

The one call that answers is `plan_switches`:

    plan_switches(programs_of(modules), uses, options, converted, losses)

`uses` is `Uses(modules, files, book)`, where `files(path)` gives `(Tree, Symbols)` of a file, or
None where it cannot be parsed; always the same objects. It is asked for files that mention
TensorFlow or Keras, or have them from another file.
`converted` are the files with configs that are converted (or kept for good, so that the program
goes to TensorFlow 2 with them), `losses` what migrated files do not have any more, by their paths.
The answer has a `ProgramSwitch` for each program (`of(path)`: those of a file), what becomes of
each file (`file(path)`: `Switch` or `Stay`), and how settings are spelled in it (`bridge(path)`:
with the names that TensorFlow 1.15 has, too).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from tfgpu.code.when import When
from tfgpu.dataclass import replace
from tfgpu.options import Options
from tfgpu.program.blocks import Blocks
from tfgpu.program.judge import Judge, Judged
from tfgpu.program.losses import Losses
from tfgpu.program.needs import Needs
from tfgpu.program.switches import (
    Cause,
    Disable,
    FileSwitch,
    Obstacle,
    Program,
    ProgramSwitch,
    Stay,
    Switch,
    Switches,
    Why,
)
from tfgpu.program.uses import Uses
from tfgpu.program.version import Version

# The rule of what is decided here.
IMPORTS = "compat-v1-imports"


def plan_switches(
    programs: Iterable[Program],
    uses: Uses,
    options: Options,
    converted: Collection[str],
    losses: Mapping[str, Losses],
) -> Switches:
    """Decide on the imports of all programs of a run; see the top of this module."""
    rule = uses.book.find(IMPORTS)
    if rule is not None and options.ignores(rule):
        options = replace(options, keep_imports=True)
    return _Planner(programs, uses, options, converted, losses).plan()


class _Planner:
    def __init__(
        self,
        programs: Iterable[Program],
        uses: Uses,
        options: Options,
        converted: Collection[str],
        losses: Mapping[str, Losses],
    ) -> None:
        self._programs = tuple(programs)
        self._modules = uses.modules
        self._options = options
        self._converted = frozenset(converted)
        # What is switched for another program: those that it is part of go with that.
        self._carried: frozenset[str] = frozenset()
        self._judge = Judge(uses)
        self._needs = Needs(self._programs, uses, self._judge, losses)
        # The files where sessions for Keras stay.
        self._stays: dict[str, Obstacle | None] = {}
        for program in self._programs:
            having = sorted(program.files & self._needs.with_sessions)
            if having and not self._drops_sessions(program):
                reason = self._needs.unlike_eagerly(program)
                for path in having:
                    self._stays[path] = self._stays.get(path) or reason
        self._needs = Needs(self._programs, uses, self._judge, losses, frozenset(self._stays))
        self._blocks = Blocks(self._programs, uses, self._judge, self._needs)

    def plan(self) -> Switches:
        found: tuple[ProgramSwitch, ...] = ()
        switched: frozenset[str] | None = None
        while switched != self._carried:
            self._carried = switched or frozenset()
            found = tuple(self._plan(program) for program in self._programs)
            switched = frozenset(path for item in found for path in _imports_switched(item))
        files: dict[str, FileSwitch] = {}
        for switch in found:
            for path, file in switch.files.items():
                files[path] = _joined(files[path], file) if path in files else file
        return Switches(found, files, frozenset(self._bridged(found)), self._stays)

    def _bridged(self, found: Iterable[ProgramSwitch]) -> Iterator[str]:
        """Yield the files of programs that go on with TensorFlow 1.

        A script that is switched is none of them where only a computed name could import it.
        """
        switched = {
            entry
            for item in found
            for entry in item.program.entries
            if isinstance(item.files.get(entry), Switch)
        }
        for item in found:
            if item.bridge:
                closures = map(self._modules.closure, item.program.entries)
                yield from item.program.files - (switched - frozenset().union(*closures))

    def _drops_sessions(self, program: Program) -> bool:
        """Tell whether a program runs eagerly once the sessions that Keras is given are gone.

        Else they stay, without a config: the one that Keras would make places softly.
        """
        judged = self._judge.judged(program)
        if judged.obstacle is not None or self._options.bridge:
            return False
        if judged.version is Version.TF2:
            return self._judge.mode(program, judged) is not When.ALWAYS
        return not (
            self._options.keep_imports
            or self._needs.needs_graphs(program)
            or any(True for _ in self._needs.left_of_keras_1(program))
            or self._needs.unlike_eagerly(program) is not None
        )

    def _plan(self, program: Program) -> ProgramSwitch:
        judged = self._judge.judged(program)
        missing = tuple(self._judge.missing(program))
        own = self._options.imports or bool(self._converted & program.files)
        if not (own or self._is_carried(program, judged)):
            left = self._left(program, judged, Why.NOTHING_CONVERTED, missing)
            beside = self._beside(program, judged)
            if beside is None:
                return left
            stay = Stay(Why.NOTHING_CONVERTED, beside)
            return replace(left, files={**left.files, beside.path: stay})
        if self._options.keep_imports:
            # What TensorFlow 1.15 goes on running has names of it, as without the option.
            bridge = bool(missing) or judged.obstacle is not None or self._options.bridge
            return replace(self._left(program, judged, Why.LEFT_ALONE, missing), bridge=bridge)
        obstacle = judged.obstacle
        if self._options.bridge and obstacle is None and judged.version is not Version.TF2:
            obstacle = Obstacle(Cause.REQUESTED, program.entries[0])
        if judged.version is Version.TF2 and obstacle is None:
            left = self._left(program, judged, Why.NOT_TENSORFLOW1, missing)
            # tensorflow.compat.v1 is in TensorFlow 1.15, too.
            return replace(left, bridge=self._options.bridge)
        if obstacle is None and not self._needs.needs_graphs(program):
            return self._left(program, judged, Why.NOT_NEEDED, missing)
        if obstacle is None:
            obstacle = self._blocks.of(program)
        if obstacle is not None:
            stays = dict(self._all(program, Why.PROGRAM_STAYS))
            stays[obstacle.path] = Stay(Why.PROGRAM_STAYS, obstacle)
            return ProgramSwitch(
                program,
                judged.version,
                self._judge.mode(program, judged),
                stays,
                bridge=True,
                obstacle=obstacle,
                missing=missing,
            )
        files = dict(self._all(program, Why.SAME_NAMES))
        for path in self._needs.switched_files(program):
            files[path] = self._needs.switch(path)
        for path, disable in self._needs.disables(program):
            file = files[path]
            if isinstance(file, Switch):
                files[path] = replace(file, disable=disable)
            else:
                # Its imports may stay: the call goes by a name that both versions have.
                files[path] = Switch(disable=tuple(map(_through_raw, disable)))
        return ProgramSwitch(program, judged.version, When.ALWAYS, files)

    def _is_carried(self, program: Program, judged: Judged) -> bool:
        """Tell whether a program where nothing is converted is switched with one that shares files.

        TensorFlow 1 runs it as it is, too; so it stays where it cannot be switched.
        """
        return (
            not self._carried.isdisjoint(program.files)
            and judged.version is Version.TF1
            and judged.obstacle is None
            and self._blocks.of(program) is None
        )

    def _beside(self, program: Program, judged: Judged) -> Obstacle | None:
        """Find what is to be said of a program that stays, of which another one takes a file.

        TensorFlow 2 runs it eagerly, as it did before: where it is of TensorFlow 1, that is wrong.
        """
        shared = sorted(self._carried & program.files)
        known = judged.obstacle is None or judged.obstacle.cause is not Cause.UNKNOWN_VERSION
        if known or not shared or judged.obstacle is None:
            return None
        return Obstacle(Cause.BESIDE, judged.obstacle.path, 0, shared[0])

    def _left(
        self, program: Program, judged: Judged, why: Why, missing: tuple[Obstacle, ...]
    ) -> ProgramSwitch:
        mode = self._judge.mode(program, judged)
        if why is Why.NOT_NEEDED:
            mode = When.NEVER
        return ProgramSwitch(
            program, judged.version, mode, self._all(program, why), missing=missing
        )

    def _all(self, program: Program, why: Why) -> Mapping[str, FileSwitch]:
        found = self._judge.files(program)
        return {
            path: Stay(why if uses is not None else Why.NO_TENSORFLOW)
            for path, uses in found.items()
        }


def _imports_switched(switch: ProgramSwitch) -> Iterator[str]:
    """Yield the files of a program whose imports are switched."""
    for path, file in switch.files.items():
        if isinstance(file, Switch) and (file.imports or file.stars):
            yield path


def _through_raw(disable: Disable) -> Disable:
    """Return a call by the raw module's name, where its import is not switched."""
    if disable.statement is None or disable.through_v1:
        return disable
    return replace(disable, name=f"{disable.name}.compat.v1")


def _joined(one: FileSwitch, other: FileSwitch) -> FileSwitch:
    """Return the decision on a file of two programs."""
    if isinstance(one, Stay):
        goes = isinstance(other, Switch) or one.why is Why.NOTHING_CONVERTED or other.obstacle
        return other if goes else one
    if isinstance(other, Stay):
        return one
    imports = dict.fromkeys((*one.imports, *other.imports))
    stars = dict.fromkeys((*one.stars, *other.stars))
    disable = dict.fromkeys((*one.disable, *other.disable))
    return Switch(tuple(imports), tuple(stars), tuple(disable))
