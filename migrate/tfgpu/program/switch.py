"""The switch of imports to tensorflow.compat.v1, decided for whole programs.

The one call that answers is `plan_switches`:

    plan_switches(programs_of(modules), modules, files, book, options, converted, gone, sessions)

`files(path)` gives `(Tree, Symbols)` of a file, or None where it cannot be parsed; always the same
objects. It is asked for files that mention TensorFlow or Keras, or have them from another file.
`converted` are the files with configs that are converted (or kept for good, so that the program
goes to TensorFlow 2 with them), `gone` the places (line and column) of nodes that a migrated file
does not have any more, by its path, and `sessions` those of them that stay where graphs are built:
sessions for Keras. The answer has a `ProgramSwitch` for each program
(`of(path)`: those of a file), what becomes of each file (`file(path)`: `Switch` or `Stay`), and how
settings are spelled in it (`bridge(path)`: with the names that TensorFlow 1.15 has, too).
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping

from tfgpu.code.symbols import canonical
from tfgpu.code.tree import Import, Tree
from tfgpu.code.when import When
from tfgpu.dataclass import dataclass, replace
from tfgpu.files.pattern import Pattern
from tfgpu.options import Options
from tfgpu.program.disabling import Disabling
from tfgpu.program.modules import Modules
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
from tfgpu.program.uses import (
    RAW,
    Files,
    FileUses,
    Grade,
    Use,
    Uses,
    is_raw,
    raw_imports,
)
from tfgpu.program.version import Version
from tfgpu.rulebook.book import Rulebook

# The rule of what is decided here.
IMPORTS = "compat-v1-imports"
# What a file has to have to matter here.
_MENTIONS = Pattern((b"tensorflow", b"keras"))
# A method that optimizers of Keras in TensorFlow 2 do not have.
_UPDATES = "get_updates"
# What a switched file needs tensorflow.compat.v1 for.
_NEEDS = (Grade.V1_ONLY, Grade.DIFFERS, Grade.PASSED)
# What is another thing in tensorflow.compat.v1 than in TensorFlow 2, or is not there at all.
_HARMS = (Grade.DIFFERS, Grade.PASSED, Grade.V2_ONLY, Grade.KERAS, Grade.MISSING)


def plan_switches(
    programs: Iterable[Program],
    modules: Modules,
    files: Files,
    book: Rulebook,
    options: Options,
    converted: Collection[str],
    gone: Mapping[str, Collection[Spot]] | None = None,
    sessions: Mapping[str, Collection[Spot]] | None = None,
) -> Switches:
    """Decide on the imports of all programs of a run; see the top of this module."""
    rule = book.find(IMPORTS)
    if rule is not None and options.ignores(rule):
        options = replace(options, keep_imports=True)
    uses = Uses(modules, files, book)
    planner = _Planner(programs, modules, uses, options, converted, gone or {}, sessions or {})
    return planner.plan()


@dataclass(frozen=True, slots=True)
class _Judged:
    """What a program is for, as its files show it."""

    version: Version
    obstacle: Obstacle | None
    eager: bool = False


class _Planner:
    def __init__(
        self,
        programs: Iterable[Program],
        modules: Modules,
        uses: Uses,
        options: Options,
        converted: Collection[str],
        gone: Mapping[str, Collection[Spot]],
        sessions: Mapping[str, Collection[Spot]],
    ) -> None:
        self._programs = tuple(programs)
        self._modules = modules
        self._disabling = Disabling(modules)
        self._uses = uses
        self._options = options
        self._converted = frozenset(converted)
        # What is switched for another program: those that it is part of go with that.
        self._carried: frozenset[str] = frozenset()
        self._gone = {path: frozenset(spots) for path, spots in gone.items()}
        # Where sessions are that Keras is given, and what goes of files where those stay.
        self._sessions = {path: frozenset(spots) for path, spots in sessions.items() if spots}
        self._stays: frozenset[str] = frozenset()
        self._known: dict[Program, _Judged] = {}
        self._reading: dict[Program, dict[str, FileUses | None]] = {}
        self._concerned: dict[str, bool] = {}

    def plan(self) -> Switches:
        dropping = [item for item in self._programs if self._drops_sessions(item)]
        self._stays = frozenset(self._sessions).difference(*(item.files for item in dropping))
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
        if self._sessions.keys().isdisjoint(program.files):
            return False
        judged = self._judged(program)
        if judged.obstacle is not None or self._options.bridge:
            return False
        if judged.version is Version.TF2:
            return self._mode(program, judged, switched=False) is not When.ALWAYS
        return not (self._options.keep_imports or self._needs_graphs(program))

    def _plan(self, program: Program) -> ProgramSwitch:
        judged = self._judged(program)
        missing = tuple(self._missing(program))
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
            return ProgramSwitch(
                program,
                judged.version,
                self._mode(program, judged, switched=False),
                self._all(program, Why.PROGRAM_STAYS),
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

    def _is_carried(self, program: Program, judged: _Judged) -> bool:
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
        self, program: Program, judged: _Judged, why: Why, missing: tuple[Obstacle, ...]
    ) -> ProgramSwitch:
        switched = why is Why.LEFT_ALONE
        mode = self._mode(program, judged, switched=switched)
        if why is Why.NOT_NEEDED:
            mode = When.NEVER
        return ProgramSwitch(
            program, judged.version, mode, self._all(program, why), missing=missing
        )

    def _all(self, program: Program, why: Why) -> Mapping[str, FileSwitch]:
        found = self._files(program)
        return {
            path: Stay(why if uses is not None else Why.NO_TENSORFLOW)
            for path, uses in found.items()
        }

    def _files(self, program: Program) -> dict[str, FileUses | None]:
        """Return the files of a program that have to do with TensorFlow or Keras, in order."""
        if program not in self._reading:
            chosen = filter(self._concerns, sorted(program.files))
            self._reading[program] = {path: self._uses.of(path) for path in chosen}
        return self._reading[program]

    def _concerns(self, path: str) -> bool:
        """Tell whether a file has to do with TensorFlow or Keras, by itself or through another."""
        if path not in self._concerned:
            self._concerned[path] = self._modules.holds(_MENTIONS, path) or any(
                self._takes(path, other) for other in self._modules.imports(path)
            )
        return self._concerned[path]

    def _takes(self, path: str, other: str) -> bool:
        """Tell whether a file may have its TensorFlow from another one, by a name of that."""
        names = self._uses.handed_on(other)
        return bool(names) and (
            self._modules.has_star(path) or not names.isdisjoint(self._modules.words(path))
        )

    # What a program is for.

    def _judged(self, program: Program) -> _Judged:
        if program not in self._known:
            self._known[program] = self._judge(program)
        return self._known[program]

    def _judge(self, program: Program) -> _Judged:
        """Say which TensorFlow a program is for, and what about it rules a switch out."""
        files = {path: uses for path, uses in self._files(program).items() if uses is not None}
        first = next(_all_of(files, Grade.V1_ONLY, Grade.MISSING), None)
        second = next(_all_of(files, Grade.V2_ONLY), None)
        eager = next(
            ((path, node) for path, uses in files.items() for node in (*uses.eager, *uses.modern)),
            None,
        )
        compat = any(uses.compat for uses in files.values())
        for path, uses in files.items():
            if uses.asks:
                return _Judged(Version.BOTH, _at(Cause.VERSION_QUESTION, path, uses.asks[0]))
        if first is None:
            for2 = second is not None or eager is not None or compat
            if for2:
                runs_eagerly = any(uses.eager for uses in files.values())
                return _Judged(Version.TF2, None, eager=runs_eagerly)
            if not self._files(program):
                # Its TensorFlow is in a library: what is written is for the versions asked for.
                return _Judged(Version.UNKNOWN, None)
            where = Obstacle(Cause.UNKNOWN_VERSION, program.entries[0])
            return _Judged(Version.UNKNOWN, where)
        if second is not None or eager is not None:
            path, node = eager if eager is not None else (second[0], second[1].node)  # type: ignore[index]
            entries = [files[entry] for entry in program.entries if entry in files]
            if not any(_has(uses, Grade.V1_ONLY, Grade.MISSING) for uses in entries):
                return _Judged(Version.TF2, None, eager=True)
            name = ast.unparse(node) if isinstance(node, ast.expr) else ""
            cause = Cause.EAGER if eager is not None else Cause.MIXED
            version = Version.TF1 if _turns_on(node, files[path]) else Version.UNKNOWN
            return _Judged(version, _at(cause, path, node, name), eager=True)
        unclear = self._unclear(program, files)
        if unclear is not None:
            return _Judged(Version.UNKNOWN, unclear)
        return _Judged(Version.TF1, None)

    def _unclear(self, program: Program, files: Mapping[str, FileUses]) -> Obstacle | None:
        """Find an entry script that may be for TensorFlow 2 though a file it imports is for 1.

        It computes with TensorFlow or Keras itself, has no name of TensorFlow 1, and what it
        imports has them in functions that it may never call.
        """
        for entry in program.entries:
            uses = files.get(entry)
            if uses is None or _has(uses, Grade.V1_ONLY, Grade.MISSING):
                continue
            if not (uses.keras or _has(uses, Grade.SAME, Grade.DIFFERS, Grade.KERAS)):
                continue
            if uses.turns_off or uses.graph_only or self._certain(entry, files):
                continue
            return Obstacle(Cause.UNKNOWN_VERSION, entry)
        return None

    def _certain(self, entry: str, files: Mapping[str, FileUses]) -> bool:
        """Tell whether an entry script runs names of TensorFlow 1 in what it imports."""
        closure = self._modules.closure(entry)
        for path in closure & set(files):
            uses = files[path]
            for use in uses.of(Grade.V1_ONLY, Grade.MISSING):
                if not isinstance(use.node, ast.alias) and uses.runs_at_import(use.node):
                    return True
                if isinstance(use.node, ast.alias) and uses.runs_at_import(use.node):
                    return True
                if self._uses.names(entry, path, _outermost(use.node, uses.tree)):
                    return True
        return False

    def _missing(self, program: Program) -> Iterator[Obstacle]:
        for path, uses in self._files(program).items():
            names = list(uses.of(Grade.MISSING)) if uses is not None else []
            if names:
                listed = ", ".join(sorted({_short(use) for use in names}))
                yield _at(Cause.MISSING_NAME, path, names[0].node, listed)

    def _mode(self, program: Program, judged: _Judged, *, switched: bool) -> When:
        files = [uses for uses in self._files(program).values() if uses is not None]
        if any(uses.turns_off or uses.graphs for uses in files):
            always = any(
                uses.graphs or any(map(uses.runs_at_import, uses.turns_off)) for uses in files
            )
            eager = judged.eager or any(uses.eager for uses in files)
            return When.ALWAYS if always and not eager else When.MAYBE
        if judged.version is Version.TF1 and not judged.eager:
            return When.ALWAYS
        if judged.version is Version.TF2:
            return When.NEVER
        return When.MAYBE

    # Whether it can be switched.

    def _block(self, program: Program) -> Obstacle | None:
        """Find what keeps a program of TensorFlow 1 from being switched as a whole."""
        missing = next(self._missing(program), None)
        if missing is not None:
            return missing
        for path, uses in self._files(program).items():
            if uses is None:
                if self._imports_tensorflow(path):
                    return Obstacle(Cause.UNREADABLE, path)
                continue
            if uses.keras is not None:
                for call in uses.tree.attributes.get(_UPDATES, []):
                    return _at(Cause.MISSING_NAME, path, call, f"Optimizer.{_UPDATES}")
            for node in uses.dynamic:
                return _at(Cause.IMPORT_FORM, path, node, ast.unparse(node))
            gone = self._gone.get(path, frozenset())
            for node in filter(uses.is_keras_session, uses.graph_only):
                if spot(node) not in gone and not (
                    isinstance(node, ast.alias) and _all_gone(node, uses, gone)
                ):
                    return _at(Cause.IMPORT_FORM, path, node, ast.unparse(node))
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
        return None

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
                    return _at(Cause.IMPORT_FORM, path, item.statement, whole)
            if isinstance(item.statement, ast.ImportFrom) and item.alias not in chosen:
                same = [alias for alias in item.statement.names if alias in chosen]
                if same:
                    name = f"from {item.statement.module} import {item.alias.name}"
                    return _at(Cause.IMPORT_FORM, path, item.statement, name)
        for item in self._imports(path):
            others = [binding for binding in tree.bound(item) if binding.kind == "import"]
            for binding in others:
                if binding.path is not None and not f"{binding.path}.".startswith(f"{RAW}."):
                    return _at(Cause.IMPORT_FORM, path, item.statement, f"{item.name}")
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
        for other in self._programs:
            if other is program or path not in other.files:
                continue
            judged = self._judged(other)
            kind: tuple[Grade, ...] = _HARMS
            if judged.version is Version.TF1 and judged.obstacle is None:
                kind = (Grade.MISSING,)
            elif judged.version is Version.TF1:
                kind = (Grade.MISSING, Grade.V2_ONLY)
            for user, used in self._files(other).items():
                for use in used.of(*kind) if used is not None else ():
                    if use.home == path and not isinstance(use.node, ast.alias):
                        return _at(Cause.SHARED, user, use.node, other.entries[0])
        return None

    def _other_user(self, program: Program, path: str) -> str | None:
        """Return the entry of a program that graph mode would be turned on behind."""
        for other in self._programs:
            if other is not program and path in other.files:
                judged = self._judged(other)
                if judged.version is not Version.TF1 or judged.eager:
                    mentions = self._files(other)
                    if set(mentions) - {path} or other.entries[0] in mentions:
                        return other.entries[0]
        return None

    # What is switched.

    def _left_out(self, path: str) -> frozenset[Spot]:
        """Return the places of what a file does not have any more."""
        gone = self._gone.get(path, frozenset())
        return gone - self._sessions[path] if path in self._stays else gone

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
        for path, uses in self._files(program).items():
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
            for path, uses in self._files(program).items()
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
            id(_whole(name, uses.tree)) in names for name in uses.tree.names.get(item.name, [])
        )

    def _disables(self, program: Program) -> Iterator[tuple[str, tuple[Disable, ...]]]:
        """Yield where graph mode is turned on in the files of a program."""
        files = {path: uses for path, uses in self._files(program).items() if uses is not None}
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
    """Return a call that goes through the raw module, where its import is not switched."""
    if disable.statement is None or disable.through_v1:
        return disable
    return replace(disable, name=f"{disable.name}.compat.v1")


def _joined(one: FileSwitch, other: FileSwitch) -> FileSwitch:
    """Return what becomes of a file of two programs."""
    if isinstance(one, Stay):
        return other if isinstance(other, Switch) or one.why is Why.NOTHING_CONVERTED else one
    if isinstance(other, Stay):
        return one
    imports = dict.fromkeys((*one.imports, *other.imports))
    stars = dict.fromkeys((*one.stars, *other.stars))
    disable = dict.fromkeys((*one.disable, *other.disable))
    return Switch(tuple(imports), tuple(stars), tuple(disable))


def _at(cause: Cause, path: str, node: ast.AST, name: str = "") -> Obstacle:
    return Obstacle(cause, path, getattr(node, "lineno", 0), name)


def _all_of(files: Mapping[str, FileUses], *grades: Grade) -> Iterator[tuple[str, Use]]:
    return ((path, use) for path, uses in files.items() for use in uses.of(*grades))


def _has(uses: FileUses, *grades: Grade) -> bool:
    return any(True for _ in uses.of(*grades))


def _turns_on(node: ast.AST, uses: FileUses) -> bool:
    """Tell whether a program of TensorFlow 1 turns eager execution on."""
    return isinstance(node, ast.Attribute) and node.attr.startswith("enable_")


def _short(use: Use) -> str:
    return ".".join(use.name.split(".")[:3])


def _outermost(node: ast.AST, tree: Tree) -> str:
    """Return the name of the outermost function or class around a node."""
    name = ""
    for around in tree.within(node):
        if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = around.name
    return name


def _all_gone(alias: ast.alias, uses: FileUses, gone: Collection[Spot]) -> bool:
    names = uses.tree.names.get(alias.asname or alias.name, [])
    return bool(names) and all(spot(name) in gone for name in names)


def _dotted(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, ast.expr) else ""


def _is_import(node: ast.AST) -> bool:
    return isinstance(node, ast.alias)


def _whole(name: ast.Name, tree: Tree) -> ast.expr:
    node: ast.expr = name
    while isinstance(parent := tree.parent[node], ast.Attribute):
        node = parent
    return node


def _stars(tree: Tree) -> Iterator[ast.ImportFrom]:
    return (
        node
        for node, module in tree.star_imports.items()
        if is_raw(ast.alias("*"), node) and not node.level
    )
