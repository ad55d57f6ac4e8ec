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

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.dotted import whole_of
from tfgpu.code.tree import Import, Tree
from tfgpu.code.when import When
from tfgpu.dataclass import replace
from tfgpu.options import Options
from tfgpu.program.disabling import Disabling
from tfgpu.program.eager_keras import names_metrics
from tfgpu.program.grades import Grade
from tfgpu.program.judge import Judge, Judged, at
from tfgpu.program.losses import NO_LOSSES, Losses
from tfgpu.program.raw import RAW, is_raw, raw_imports
from tfgpu.program.switches import (
    Cause,
    Disable,
    FileSwitch,
    Obstacle,
    Program,
    ProgramSwitch,
    Spot,
    Stay,
    Switch,
    Switched,
    Switches,
    Why,
    spot,
)
from tfgpu.program.uses import FileUses, Use, Uses
from tfgpu.program.version import Version

# The rule of what is decided here.
IMPORTS = "compat-v1-imports"
# A method that optimizers of Keras in TensorFlow 2 do not have.
_UPDATES = "get_updates"
# What a switched file needs tensorflow.compat.v1 for.
_NEEDS = (Grade.V1_ONLY, Grade.DIFFERS, Grade.PASSED)
# What is another thing in tensorflow.compat.v1 than in TensorFlow 2, or is not there at all.
_HARMS = (Grade.DIFFERS, Grade.PASSED, Grade.V2_ONLY, Grade.KERAS, Grade.MISSING)


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
        self._disabling = Disabling(uses.modules, uses.parsed)
        self._uses = uses
        self._options = options
        self._converted = frozenset(converted)
        # What is switched for another program: those that it is part of go with that.
        self._carried: frozenset[str] = frozenset()
        self._losses = losses
        # The files with sessions for Keras, and those of them where these stay.
        self._with_sessions = frozenset(path for path, item in losses.items() if item.sessions)
        self._stays: frozenset[str] = frozenset()
        self._judge = Judge(uses)

    def plan(self) -> Switches:
        keeping = [item.files for item in self._programs if not self._drops_sessions(item)]
        self._stays = self._with_sessions & frozenset().union(*keeping)
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

    # One program.

    def _drops_sessions(self, program: Program) -> bool:
        """Tell whether a program runs eagerly once the sessions that Keras is given are gone.

        Else they stay, without a config: the one that Keras would make places softly.
        """
        if self._with_sessions.isdisjoint(program.files):
            return False
        judged = self._judge.judged(program)
        if judged.obstacle is not None or self._options.bridge:
            return False
        if judged.version is Version.TF2:
            return self._judge.mode(program, judged) is not When.ALWAYS
        return not (
            self._options.keep_imports
            or self._needs_graphs(program)
            or any(True for _ in self._left_of_keras_1(program))
            or not self._is_plain(program)
        )

    def _is_plain(self, program: Program) -> bool:
        """Tell whether all code of Keras is known to do the same eagerly as in graphs."""
        files = self._judge.files(program)
        for path in program.files:
            if files.get(path) is None:
                if names_metrics(self._modules.read(path)):
                    return False
                continue
            gone = self._left_out(path)
            if any(spot(node) not in gone for node in self._uses.needs_graphs(path)):
                return False
        return True

    def _plan(self, program: Program) -> ProgramSwitch:
        judged = self._judge.judged(program)
        missing = tuple(self._judge.missing(program))
        own = self._options.imports or bool(self._converted & program.files)
        if not (own or self._is_carried(program, judged)):
            return self._left(program, judged, Why.NOTHING_CONVERTED, missing)
        if self._options.keep_imports:
            return self._left(program, judged, Why.LEFT_ALONE, missing)
        obstacle = judged.obstacle
        if self._options.bridge and obstacle is None and judged.version is not Version.TF2:
            obstacle = Obstacle(Cause.REQUESTED, program.entries[0])
        if judged.version is Version.TF2 and obstacle is None:
            return self._left(program, judged, Why.NOT_TENSORFLOW1, missing)
        if obstacle is None and not self._needs_graphs(program):
            return self._left(program, judged, Why.NOT_NEEDED, missing)
        if obstacle is None:
            obstacle = self._block(program)
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
        for path in self._switched_files(program):
            files[path] = self._file(program, path)
        for path, disable in self._disables(program):
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
            and self._block(program) is None
        )

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

    # Whether it can be switched.

    def _block(self, program: Program) -> Obstacle | None:
        """Find what keeps a program of TensorFlow 1 from being switched as a whole."""
        missing = next(self._judge.missing(program), None)
        if missing is not None:
            return missing
        lost = next(self._left_of_keras_1(program), None)
        if lost is not None:
            return lost
        for path in sorted(program.files & self._losses.keys()):
            for losing in self._losses[path].obstacles:
                if losing.path in program.files:
                    return losing
        for path, uses in self._judge.files(program).items():
            if uses is None:
                if self._imports_tensorflow(path):
                    return Obstacle(Cause.UNREADABLE, path)
                continue
            if uses.keras is not None:
                for call in uses.tree.attributes.get(_UPDATES, []):
                    return at(Cause.MISSING_NAME, path, call, f"Optimizer.{_UPDATES}")
            for node in (*uses.dynamic, *uses.optimizers):
                return at(Cause.IMPORT_FORM, path, node, ast.unparse(node))
            gone = self._lost(path).gone
            for node in filter(uses.is_keras_session, uses.graph_only):
                if spot(node) not in gone and not (
                    isinstance(node, ast.alias) and _all_gone(node, uses, gone)
                ):
                    return at(Cause.IMPORT_FORM, path, node, ast.unparse(node))
        needing = set(self._switched_files(program))
        for path in sorted(needing):
            obstacle = self._import_form(path) or self._shared(program, path)
            if obstacle is not None:
                return obstacle
        disabled = {path for path, _ in self._disables(program)}
        for path in sorted(disabled):
            other = self._other_user(program, path)
            if other is not None:
                return Obstacle(Cause.SHARED, path, 0, other)
        beside = sorted(self._modules.beside & (needing | disabled))
        if beside:
            named = min(program.files - self._modules.beside, default=beside[0])
            return Obstacle(Cause.NOT_NAMED, named, 0, beside[0])
        return None

    def _left_of_keras_1(self, program: Program) -> Iterator[Obstacle]:
        """Yield what is left of a module that the package keras for TensorFlow 2 does not have."""
        for path, uses in self._judge.files(program).items():
            gone = self._lost(path).gone
            for node in uses.keras_1 if uses is not None else ():
                assert uses is not None
                if isinstance(node, ast.alias):
                    left, name = not _all_gone(node, uses, gone), node.name
                else:
                    left, name = spot(node) not in gone, _dotted(node)
                if left:
                    yield at(Cause.MISSING_NAME, path, node, name)

    def _imports_tensorflow(self, path: str) -> bool:
        return any(name.partition(".")[0] == RAW for name in self._modules.dotted(path))

    def _import_form(self, path: str) -> Obstacle | None:
        """Find an import of a file that cannot be switched, though others of it must be."""
        uses = self._uses.of(path)
        assert uses is not None
        tree = uses.tree
        chosen = {item.alias for item in self._imports(path)}
        for item in tree.imports:
            whole = item.alias.name if isinstance(item.statement, ast.Import) else ""
            if whole.startswith(f"{RAW}.") and item.alias.asname is None:
                # It binds `tensorflow` to the raw module again.
                binds = [other for other in tree.imports if other.name == RAW and other is not item]
                needs = binds or any(use.name.startswith("tf") for use in self._needed(path))
                if needs and self._uses_name(tree, RAW):
                    return at(Cause.IMPORT_FORM, path, item.statement, whole)
            if isinstance(item.statement, ast.ImportFrom) and item.alias not in chosen:
                same = [alias for alias in item.statement.names if alias in chosen]
                if same:
                    name = f"from {item.statement.module} import {item.alias.name}"
                    return at(Cause.IMPORT_FORM, path, item.statement, name)
        for item in self._imports(path):
            others = [binding for binding in tree.bound(item) if binding.kind == "import"]
            for binding in others:
                if binding.path is not None and not f"{binding.path}.".startswith(f"{RAW}."):
                    return at(Cause.IMPORT_FORM, path, item.statement, f"{item.name}")
        return None

    @staticmethod
    def _uses_name(tree: Tree, name: str) -> bool:
        """Tell whether a file reads a name of the raw module other than for an internal module."""
        for node in tree.names.get(name, []):
            parent = tree.parent[node]
            inner = isinstance(parent, ast.Attribute) and parent.attr in ("python", "core")
            if not inner:
                return True
        return False

    def _shared(self, program: Program, path: str) -> Obstacle | None:
        """Find another program that a switched import of a file would change."""
        harmed = self._harmed.get(path, [])
        return next((obstacle for other, obstacle in harmed if other is not program), None)

    @cached_property
    def _harmed(self) -> Mapping[str, list[tuple[Program, Obstacle]]]:
        """By file, the programs that its switch would change, each with where that shows first."""
        found: dict[str, list[tuple[Program, Obstacle]]] = {}
        for program in self._programs:
            judged = self._judge.judged(program)
            kind: tuple[Grade, ...] = _HARMS
            if judged.version is Version.TF1 and judged.obstacle is None:
                kind = (Grade.MISSING,)
            elif judged.version is Version.TF1:
                kind = (Grade.MISSING, Grade.V2_ONLY)
            first: dict[str, Obstacle] = {}
            for user, used in self._judge.files(program).items():
                for use in used.of(*kind) if used is not None else ():
                    if use.home not in first and not isinstance(use.node, ast.alias):
                        first[use.home] = at(Cause.SHARED, user, use.node, program.entries[0])
            for home in first.keys() & program.files:
                found.setdefault(home, []).append((program, first[home]))
        return found

    def _other_user(self, program: Program, path: str) -> str | None:
        """Return the entry of a program with this file that must not run in graph mode."""
        for other in self._not_in_graphs:
            if other is not program and path in other.files:
                mentions = self._judge.files(other)
                if set(mentions) - {path} or other.entries[0] in mentions:
                    return other.entries[0]
        return None

    @cached_property
    def _not_in_graphs(self) -> list[Program]:
        """The programs that must not run in graph mode."""
        return [
            program
            for program in self._programs
            if (judged := self._judge.judged(program)).version is not Version.TF1 or judged.eager
        ]

    # What is switched.

    def _left_out(self, path: str) -> frozenset[Spot]:
        """Return the places of the code that the migration deletes from a file."""
        lost = self._lost(path)
        return lost.gone - lost.sessions if path in self._stays else lost.gone

    def _lost(self, path: str) -> Losses:
        return self._losses.get(path, NO_LOSSES)

    def _needed(self, path: str) -> Iterator[Use]:
        """Yield the uses for which a file needs tensorflow.compat.v1 once it is migrated."""
        uses = self._uses.of(path)
        if uses is None:
            return
        gone = self._left_out(path)
        for use in uses.of(*_NEEDS):
            if spot(use.node) not in gone:
                if isinstance(use.node, ast.alias) and _all_gone(use.node, uses, gone):
                    continue
                yield use

    def _needs_graphs(self, program: Program) -> bool:
        """Tell whether anything of a migrated program still builds graphs."""
        for path, uses in self._judge.files(program).items():
            gone = self._left_out(path)
            if uses is not None and (
                any(True for _ in self._needed(path))
                or any(spot(node) not in gone for node in uses.graph_only if not _is_import(node))
                or any(
                    canonical(_dotted(node)).startswith("tf.") and spot(node) not in gone
                    for node in uses.compat
                    if isinstance(node, ast.Attribute)
                )
            ):
                return True
        return False

    def _switched_files(self, program: Program) -> list[str]:
        """Return the files whose raw imports some use of the program needs switched."""
        homes = {
            use.home
            for path, uses in self._judge.files(program).items()
            if uses is not None
            for use in self._needed(path)
        }
        return [path for path in sorted(homes) if path in program.files and self._has_raw(path)]

    def _has_raw(self, path: str) -> bool:
        uses = self._uses.of(path)
        return uses is not None and bool(raw_imports(uses.tree) or _stars(uses.tree))

    def _imports(self, path: str) -> list[Import]:
        """Return what is switched of the imports of a file."""
        uses = self._uses.of(path)
        assert uses is not None
        found = []
        for item in raw_imports(uses.tree):
            whole = isinstance(item.statement, ast.Import) and item.alias.name == RAW
            inside = isinstance(item.statement, ast.Import) and item.alias.asname is not None
            if whole or inside or isinstance(item.statement, ast.ImportFrom):
                found.append(item)
        needed = {id(item.statement) for item in found if self._is_needed(item, path)}
        return [
            item
            for item in found
            if isinstance(item.statement, ast.Import) or id(item.statement) in needed
        ]

    def _is_needed(self, item: Import, path: str) -> bool:
        uses = self._uses.of(path)
        assert uses is not None
        if isinstance(item.statement, ast.ImportFrom) and item.alias.name == "keras":
            return False
        names = {id(use.node) for use in self._needed(path)}
        if id(item.alias) in names:
            return True
        return any(
            id(whole_of(name, uses.tree)) in names for name in uses.tree.names.get(item.name, [])
        )

    def _disables(self, program: Program) -> Iterator[tuple[str, tuple[Disable, ...]]]:
        """Yield where graph mode is turned on in the files of a program."""
        files = {
            path: uses for path, uses in self._judge.files(program).items() if uses is not None
        }
        return self._disabling.places(program.entries, files)

    def _file(self, program: Program, path: str) -> Switch:
        uses = self._uses.of(path)
        assert uses is not None
        return Switch(
            tuple(Switched(spot(item.alias), item.path) for item in self._imports(path)),
            tuple(Switched(spot(node), f"{node.module}.*") for node in _stars(uses.tree)),
        )


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


def _all_gone(alias: ast.alias, uses: FileUses, gone: Collection[Spot]) -> bool:
    names = uses.tree.names.get(alias.asname or alias.name, [])
    return bool(names) and all(spot(name) in gone for name in names)


def _dotted(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, ast.expr) else ""


def _is_import(node: ast.AST) -> bool:
    return isinstance(node, ast.alias)


def _stars(tree: Tree) -> Iterator[ast.ImportFrom]:
    return (
        node
        for node, module in tree.star_imports.items()
        if is_raw(ast.alias("*"), node) and not node.level
    )
