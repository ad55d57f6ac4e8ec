"""What is left of TensorFlow 1 in migrated files, and which imports that needs switched."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.dotted import base_of, whole_of
from tfgpu.code.index import Import
from tfgpu.code.tree import Tree
from tfgpu.program.disabling import Disabling
from tfgpu.program.grades import Grade
from tfgpu.program.judge import Judge, at
from tfgpu.program.losses import NO_LOSSES, Losses
from tfgpu.program.raw import RAW, is_raw, raw_imports
from tfgpu.program.switches import Cause, Disable, Obstacle, Program, Spot, Switch, Switched, spot
from tfgpu.program.uses import FileUses, Use, Uses

# What a switched file needs tensorflow.compat.v1 for.
_NEEDS = (Grade.V1_ONLY, Grade.DIFFERS, Grade.PASSED)
# The same where the program goes on building graphs.
_IN_GRAPHS = (*_NEEDS, Grade.OTHER_KERAS)


class Needs:
    """What migrated programs need tensorflow.compat.v1 for.

    `programs` are those that may share files, `stays` the files whose sessions for Keras stay.
    """

    def __init__(
        self,
        programs: Iterable[Program],
        uses: Uses,
        judge: Judge,
        losses: Mapping[str, Losses],
        stays: frozenset[str] = frozenset(),
    ) -> None:
        self._programs = programs
        self._uses = uses
        self._judge = judge
        self._losses = losses
        self._stays = stays
        self._disabling = Disabling(uses.modules, uses.parsed)
        # The files with sessions for Keras.
        self.with_sessions = frozenset(path for path, item in losses.items() if item.sessions)

    def needed(self, path: str, grades: Iterable[Grade] = _IN_GRAPHS) -> Iterator[Use]:
        """Yield the uses for which a file needs tensorflow.compat.v1 once it is migrated."""
        uses = self._uses.of(path)
        if uses is None:
            return
        gone = self._left_out(path)
        for use in uses.of(*grades):
            if spot(use.node) not in gone:
                if isinstance(use.node, ast.alias) and all_gone(use.node, uses, gone):
                    continue
                yield use

    def needs_graphs(self, program: Program) -> bool:
        """Tell whether anything of a migrated program still builds graphs.

        What no TensorFlow 2 has does so, too: the program goes on with TensorFlow 1.
        """
        for path, uses in self._judge.files(program).items():
            gone = self._left_out(path)
            if uses is not None and (
                any(True for _ in self.needed(path, (*_NEEDS, Grade.MISSING)))
                or any(spot(node) not in gone for node in uses.graph_only if not _is_import(node))
                or any(
                    use.name.startswith("tf.") and spot(use.node) not in gone
                    for use in (*uses.compat, *self._of_sessions(uses))
                    if isinstance(use.node, ast.expr)
                )
            ):
                return True
        return False

    def _of_sessions(self, uses: FileUses) -> Iterator[Use]:
        """Yield what a file has of TensorFlow 1 by an internal module: `session.Session`."""
        return (use for use in uses.of(Grade.INTERNAL) if self._uses.book.is_v1_only(use.name))

    def unlike_eagerly(self, program: Program) -> Obstacle | None:
        """Find what of a program is not known to do the same eagerly as in graphs."""
        from tfgpu.program.eager_keras import names_metrics  # noqa: PLC0415 - few need it

        files = self._judge.files(program)
        for path in sorted(program.files):
            # A file without TensorFlow may have models, histories and tensors from others.
            if files.get(path) is None and names_metrics(self._uses.modules.read(path)):
                return Obstacle(Cause.UNLIKE, path, 0, "a name of a metric")
            gone = self._left_out(path)
            for node in self._uses.needs_graphs(path):
                if spot(node) not in gone:
                    return at(Cause.UNLIKE, path, node, ast.unparse(node))
        return None

    def switched_files(self, program: Program) -> list[str]:
        """Return the files whose raw imports some use of the program needs switched."""
        homes = {
            use.home
            for path, uses in self._judge.files(program).items()
            if uses is not None
            for use in self.needed(path)
        }
        return [path for path in sorted(homes) if path in program.files and self._has_raw(path)]

    def _has_raw(self, path: str) -> bool:
        uses = self._uses.of(path)
        return uses is not None and bool(raw_imports(uses.tree) or _stars(uses.tree))

    def switch(self, path: str) -> Switch:
        """Return what is switched in a file."""
        uses = self._uses.of(path)
        assert uses is not None
        return Switch(
            tuple(Switched(spot(item.alias), item.path) for item in self.imports(path)),
            tuple(
                Switched(spot(node), f"{node.module}.*")
                for node in _stars(uses.tree)
                if not _is_keras(f"{node.module}") or self._takes_from(node, path)
            ),
        )

    def imports(self, path: str) -> list[Import]:
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
            if id(item.statement) in needed
            or (isinstance(item.statement, ast.Import) and not _is_keras(item.path))
        ]

    def _takes_from(self, star: ast.ImportFrom, path: str) -> bool:
        """Tell whether a file needs something that `from module import *` may bind."""
        inside = f"{canonical(f'{star.module}')}."
        return any(use.name.startswith(inside) for use in self.needed(path))

    def _is_needed(self, item: Import, path: str) -> bool:
        uses = self._uses.of(path)
        assert uses is not None
        needed = list(self.needed(path))
        names = {id(use.node) for use in needed}
        if id(item.alias) in names:
            return True
        inside = f"{canonical(item.path)}."
        if any(f"{use.name}.".startswith(inside) for use in self._elsewhere.get(path, ())):
            return True
        return any(
            f"{use.name}.".startswith(inside) and not _is_imported(use.node, uses.tree)
            for use in needed
        ) or any(
            id(whole_of(name, uses.tree)) in names for name in uses.tree.names.get(item.name, [])
        )

    @cached_property
    def _elsewhere(self) -> dict[str, list[Use]]:
        """What files need tensorflow.compat.v1 for in other files, by those."""
        found: dict[str, list[Use]] = {}
        for path in {path for program in self._programs for path in self._judge.files(program)}:
            for use in self.needed(path):
                if use.home != path:
                    found.setdefault(use.home, []).append(use)
        return found

    def left_of_keras_1(self, program: Program) -> Iterator[Obstacle]:
        """Yield what is left of a module that the package keras for TensorFlow 2 does not have."""
        for path, uses in self._judge.files(program).items():
            gone = self.lost(path).gone
            for node in uses.keras_1 if uses is not None else ():
                assert uses is not None
                if isinstance(node, ast.alias):
                    left, name = not all_gone(node, uses, gone), node.name
                else:
                    left, name = spot(node) not in gone, _dotted(node)
                if left:
                    yield at(Cause.MISSING_NAME, path, node, name)

    def _left_out(self, path: str) -> frozenset[Spot]:
        """Return the places of the code that the migration deletes from a file."""
        lost = self.lost(path)
        return lost.gone - lost.sessions if path in self._stays else lost.gone

    def lost(self, path: str) -> Losses:
        """Return what a file loses."""
        return self._losses.get(path, NO_LOSSES)

    def disables(self, program: Program) -> Iterator[tuple[str, tuple[Disable, ...]]]:
        """Yield where graph mode is turned on in the files of a program."""
        files = {
            path: uses for path, uses in self._judge.files(program).items() if uses is not None
        }
        return self._disabling.places(program.entries, files)


def all_gone(alias: ast.alias, uses: FileUses, gone: Collection[Spot]) -> bool:
    """Tell whether the migration takes away all that an import is used for."""
    names = uses.tree.names.get(alias.asname or alias.name, [])
    return bool(names) and all(spot(name) in gone for name in names)


def _is_imported(node: ast.AST, tree: Tree) -> bool:
    """Tell whether an expression starts with a name that an import binds, not an assignment."""
    base = base_of(node) if isinstance(node, ast.Attribute) else node
    return not isinstance(base, ast.Name) or any(
        binding.path is not None for binding in tree.bindings(base)
    )


def _is_import(node: ast.AST) -> bool:
    return isinstance(node, ast.alias)


def _stars(tree: Tree) -> Iterator[ast.ImportFrom]:
    return (
        node
        for node, module in tree.star_imports.items()
        if is_raw(ast.alias("*"), node) and not node.level
    )


def _is_keras(module: str) -> bool:
    """Tell whether a module is Keras: that of tensorflow.compat.v1 is only there for Keras 2."""
    return f"{module}.".startswith(f"{RAW}.keras.")


def _dotted(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, ast.expr) else ""
