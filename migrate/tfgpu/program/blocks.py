"""What keeps a program of TensorFlow 1 from being switched as a whole."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from tfgpu.code.tree import Tree
from tfgpu.program.grades import Grade
from tfgpu.program.judge import Judge, Judged, at
from tfgpu.program.needs import Needs, all_gone
from tfgpu.program.raw import RAW, raw_imports
from tfgpu.program.switches import Cause, Disable, Obstacle, Program, spot
from tfgpu.program.uses import Use, Uses
from tfgpu.program.version import Version

# A method that optimizers of Keras in TensorFlow 2 do not have.
_UPDATES = "get_updates"
# What turns behaviour of TensorFlow 2 on, which `disable_v2_behavior` turns off.
_ENABLES = "tf.enable_"
# What runs functions of the program eagerly, in graph mode, too.
_EAGER_FUNCTIONS = ("tf.py_function", "tf.contrib.eager.py_func")
# What a module says of itself: that of tensorflow.compat.v1 says something else.
_OF_MODULES = frozenset(
    f"tf.__{name}__" for name in ("file", "path", "name", "spec", "package", "loader")
)
# The same of any module, and builtins that show it.
_OF_ANY_MODULE = ("__name__", "__file__", "__spec__", "__path__", "__package__")
# What programs may be called for that have names of TensorFlow 1 and run without graphs.
_MIXED = (Cause.MIXED, Cause.EAGER, Cause.TURNS_EAGER)
_SHOWING = ("str", "repr", "print", "format", "dir", "vars")
# What is another thing in tensorflow.compat.v1 than in TensorFlow 2, or is not there at all.
_HARMS = (
    Grade.DIFFERS, Grade.PASSED, Grade.V2_ONLY, Grade.KERAS, Grade.OTHER_KERAS, Grade.MISSING,
)  # fmt: skip


class Blocks:
    """The obstacles of some programs, which may share files."""

    def __init__(self, programs: Iterable[Program], uses: Uses, judge: Judge, needs: Needs) -> None:
        self._programs = tuple(programs)
        self._modules = uses.modules
        self._uses = uses
        self._judge = judge
        self._needs = needs

    def of(self, program: Program) -> Obstacle | None:
        """Find what keeps a program of TensorFlow 1 from being switched as a whole.

        So does what keeps one that imports its script, or takes its session for Keras from the same
        file: that would be switched by half.
        """
        giving = program.files & self._needs.with_sessions
        for other in self._programs:
            half = program.files <= other.files or not giving.isdisjoint(other.files)
            if half and other is not program and self._judge.judged(other).version is Version.TF1:
                obstacle = self._of_itself(other)
                if obstacle is not None:
                    return obstacle
        return self._of_itself(program)

    def _of_itself(self, program: Program) -> Obstacle | None:
        missing = next(self._judge.missing(program), None)
        if missing is not None:
            return missing
        lost = next(self._needs.left_of_keras_1(program), None)
        if lost is not None:
            return lost
        for path in sorted(program.files):
            for losing in self._needs.lost(path).obstacles:
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
            gone = self._needs.lost(path).gone
            for node in filter(uses.is_keras_session, uses.graph_only):
                if spot(node) not in gone and not (
                    isinstance(node, ast.alias) and all_gone(node, uses, gone)
                ):
                    paths = (item.path for item in uses.tree.imports if item.alias is node)
                    return at(Cause.IMPORT_FORM, path, node, next(paths, ast.unparse(node)))
        needing = set(self._needs.switched_files(program))
        parted = self._parted(program, needing) if needing else None
        if parted is not None:
            return parted
        reads = bool(needing) and self._reads_names(program)
        for path in sorted(program.files) if needing else ():
            obstacle = self._of_module(path) or self._shown(path, reads)
            if obstacle is not None:
                return obstacle
        for path in sorted(needing):
            obstacle = self._import_form(path) or self._shared(program, path)
            if obstacle is not None:
                return obstacle
        calls = dict(self._needs.disables(program))
        undone = self._undone(program, calls)
        if undone is not None:
            return undone
        disabled = calls.keys()
        for path in sorted(disabled):
            other = self._other_user(program, path)
            if other is not None:
                return Obstacle(Cause.SHARED, path, 0, other)
        beside = sorted(self._modules.beside & (needing | disabled))
        if beside:
            named = min(program.files - self._modules.beside, default=beside[0])
            return Obstacle(Cause.NOT_NAMED, named, 0, beside[0])
        return None

    def _parted(self, program: Program, needing: Collection[str]) -> Obstacle | None:
        """Find what is set on the module, where a file that is not switched would not find it."""
        known = [uses for uses in self._judge.files(program).values() if uses is not None]
        used = [(use, uses) for uses in known for use in uses.uses]
        for use, uses in used:
            if _may_set(use, uses.tree):
                stays = (one for one, _ in used if not isinstance(one.node, ast.alias))
                if any(one.home not in needing for one in stays):
                    return at(Cause.SHOWN, uses.tree.path, use.node, ast.unparse(use.node))
        return None

    def _undone(
        self, program: Program, calls: Mapping[str, tuple[Disable, ...]]
    ) -> Obstacle | None:
        """Find what a program enables that a later `disable_v2_behavior()` would disable again.

        Eager execution is on in functions for `tf.py_function`, and in what they call.
        """
        once = sum(map(len, calls.values())) <= 1 and all(map(self._is_on_top, calls.items()))
        for path in () if once else sorted(program.files):
            uses = self._uses.of(path)
            for use in uses.uses if uses is not None else ():
                if use.name.startswith(_ENABLES):
                    return at(Cause.UNDONE, path, use.node, use.name)
                if use.name in _EAGER_FUNCTIONS:
                    return at(Cause.UNDONE, path, use.node, f"eager execution in {use.name}")
        return None

    def _is_on_top(self, call: tuple[str, tuple[Disable, ...]]) -> bool:
        """Tell whether calls of a file come once, behind imports in no function and no loop."""
        uses = self._uses.of(call[0])
        assert uses is not None
        tree = uses.tree
        statements = {one.statement for one in tree.imports}
        inside = (one for one in statements if tree.function(one) is not tree.root)
        looped = (one for one in statements if tree.in_loop(one))
        return {spot(one) for one in (*inside, *looped)}.isdisjoint(
            one.statement for one in call[1]
        )

    def _imports_tensorflow(self, path: str) -> bool:
        return any(name.partition(".")[0] == RAW for name in self._modules.dotted(path))

    def _of_module(self, path: str) -> Obstacle | None:
        """Find where a file asks the module for its own name, or for the file that it is in."""
        uses = self._uses.of(path)
        for use in uses.uses if uses is not None else ():
            if use.name in _OF_MODULES:
                return at(Cause.IMPORT_FORM, path, use.node, use.name)
        return None

    def _reads_names(self, program: Program) -> bool:
        """Tell whether a program asks something that it is given for its name, or file."""
        trees = (parsed[0] for path in program.files if (parsed := self._uses.parsed(path)))
        return any(name in tree.attributes for tree in trees for name in _OF_ANY_MODULE)

    def _shown(self, path: str, reads: bool) -> Obstacle | None:
        """Find where a file shows the module, or hands it to code that may ask for its name.

        `reads` tells that there is such code.
        """
        uses = self._uses.of(path)
        if uses is None:
            return None
        tree = uses.tree
        names = (item.name for item in raw_imports(tree) if isinstance(item.statement, ast.Import))
        for name in (use for known in names for use in tree.names.get(known, ())):
            parent = tree.parent[name]
            if _is_shown(name, parent, tree, reads):
                return at(Cause.SHOWN, path, parent, ast.unparse(parent))
        return None

    def _import_form(self, path: str) -> Obstacle | None:
        """Find an import of a file that cannot be switched, though others of it must be."""
        uses = self._uses.of(path)
        assert uses is not None
        tree = uses.tree
        chosen = {item.alias for item in self._needs.imports(path)}
        for item in tree.imports:
            whole = item.alias.name if isinstance(item.statement, ast.Import) else ""
            if whole.startswith(f"{RAW}.") and item.alias.asname is None:
                # It binds `tensorflow` to the raw module again.
                binds = [other for other in tree.imports if other.name == RAW and other is not item]
                needs = binds or any(True for _ in self._needs.needed(path))
                if needs and self._uses_name(tree, RAW):
                    return at(Cause.IMPORT_FORM, path, item.statement, whole)
            if isinstance(item.statement, ast.ImportFrom) and item.alias not in chosen:
                same = [alias for alias in item.statement.names if alias in chosen]
                if same:
                    name = f"from {item.statement.module} import {item.alias.name}"
                    return at(Cause.IMPORT_FORM, path, item.statement, name)
        for item in self._needs.imports(path):
            others = [binding for binding in tree.bound(item) if binding.kind == "import"]
            for binding in others:
                if binding.path is not None and not f"{binding.path}.".startswith(f"{RAW}."):
                    both = f"{item.name}, which is {binding.path} as well"
                    return at(Cause.TWO_LIBRARIES, path, item.statement, both)
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
            elif self._would_start(program, judged):
                kind = (*_HARMS, Grade.V1_ONLY)
            elif judged.version is Version.TF1:
                kind = (Grade.MISSING, Grade.V2_ONLY)
            first: dict[str, Obstacle] = {}
            for user, used in self._judge.files(program).items():
                for use in used.of(*kind) if used is not None else ():
                    is_import = isinstance(use.node, ast.alias) and use.grade is not Grade.DIFFERS
                    if use.home not in first and not is_import:
                        first[use.home] = at(Cause.SHARED, user, use.node, program.entries[0])
            for home in first.keys() & program.files:
                found.setdefault(home, []).append((program, first[home]))
        return found

    def _would_start(self, program: Program, judged: Judged) -> bool:
        """Tell whether a program that stays could run with TensorFlow 2, switched by half.

        It does not run there before: a file with names of TensorFlow 1 stands in its way.
        """
        mixed = judged.obstacle is not None and judged.obstacle.cause in _MIXED
        return mixed and next(self._judge.missing(program), None) is None

    def _other_user(self, program: Program, path: str) -> str | None:
        """Return the entry of a program with this file that must not run in graph mode."""
        for other in self._not_in_graphs:
            if other is not program and path in other.files:
                mentions = self._judge.files(other)
                judged = self._judge.judged(other)
                unclear = judged.obstacle is not None and (
                    judged.obstacle.cause is Cause.UNKNOWN_VERSION
                )
                if (
                    unclear
                    or judged.version is Version.TF2
                    or set(mentions) - {path}
                    or other.entries[0] in mentions
                ):
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


def _may_set(use: Use, tree: Tree) -> bool:
    """Tell whether a use sets a name on the module, deletes one, or hands it to what may."""
    if isinstance(getattr(use.node, "ctx", None), ast.Store | ast.Del):
        return True
    call = tree.parent[use.node]
    if use.grade is not Grade.PASSED or not isinstance(call, ast.Call | ast.keyword):
        return False
    function = call.func if isinstance(call, ast.Call) else None
    return function is None or tree.builtin(function) in (None, "setattr", "delattr")


def _is_shown(name: ast.Name, parent: ast.AST, tree: Tree, reads: bool) -> bool:
    """Tell whether what is around a module's name shows that, or hands it to code that `reads`."""
    if isinstance(parent, ast.Tuple | ast.List):
        return reads
    if not isinstance(parent, ast.Call) or name not in parent.args:
        return isinstance(parent, ast.FormattedValue)
    builtin = tree.builtin(parent.func)
    if builtin == "getattr":
        return not isinstance(parent.args[-1], ast.Constant)
    return builtin in _SHOWING or (reads and not builtin)
