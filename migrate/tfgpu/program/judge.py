"""What programs are for, TensorFlow 1, 2 or both, as their files show it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.dataclass import dataclass
from tfgpu.files.pattern import Pattern
from tfgpu.program.grades import Grade
from tfgpu.program.handed import ANY
from tfgpu.program.raw import runs_at_import
from tfgpu.program.switches import (
    Cause,
    Obstacle,
    Program,
)
from tfgpu.program.uses import FileUses, Use, Uses
from tfgpu.program.version import Version

# What a file has to have to matter here.
_MENTIONS = Pattern((b"tensorflow", b"keras"))


@dataclass(frozen=True, slots=True)
class Judged:
    """What a program is for, as its files show it."""

    version: Version
    obstacle: Obstacle | None
    eager: bool = False


class Judge:
    """Says of programs which TensorFlow they are for, and whether they build graphs only."""

    def __init__(self, uses: Uses) -> None:
        self._modules = uses.modules
        self._uses = uses
        self._known: dict[Program, Judged] = {}
        self._reading: dict[Program, dict[str, FileUses | None]] = {}
        self._concerned: dict[str, bool] = {}

    def files(self, program: Program) -> dict[str, FileUses | None]:
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
        names = self._uses.handed.names(other)
        return bool(names) and (
            ANY in names
            or self._modules.has_star(path)
            or not names.isdisjoint(self._modules.words(path))
        )

    def _asks_for_numbers(self, program: Program) -> bool:
        """Tell whether files without TensorFlow ask for what only eager tensors have."""
        return any(
            b".numpy()" in self._modules.read(path)
            for path in program.files - self.files(program).keys()
        )

    def is_of_tensorflow1(self, entry: str) -> bool:
        """Tell whether an entry script has a name of TensorFlow 1 only.

        Its program is not one for TensorFlow 2 alone, whatever its other files have.
        """
        uses = self._uses.of(entry) if self._concerns(entry) else None
        return uses is not None and _has(uses, Grade.V1_ONLY, Grade.MISSING)

    def judged(self, program: Program) -> Judged:
        """Return what a program is for."""
        if program not in self._known:
            self._known[program] = self._judge(program)
        return self._known[program]

    def _judge(self, program: Program) -> Judged:
        """Decide which TensorFlow a program is for, and what prevents a switch of its imports."""
        files = {path: uses for path, uses in self.files(program).items() if uses is not None}
        first = next(_all_of(files, Grade.V1_ONLY, Grade.MISSING), None)
        second = next(_all_of(files, Grade.V2_ONLY), None)
        eager = next(
            ((path, node) for path, uses in files.items() for node in (*uses.eager, *uses.modern)),
            None,
        )
        compat = any(uses.compat for uses in files.values())
        for path, uses in files.items():
            if uses.asks:
                return Judged(Version.BOTH, at(Cause.VERSION_QUESTION, path, uses.asks[0]))
        if first is None:
            numbers = bool(files) and self._asks_for_numbers(program)
            if second is not None or eager is not None or compat or numbers:
                runs_eagerly = numbers or any(uses.eager for uses in files.values())
                return Judged(Version.TF2, None, eager=runs_eagerly)
            if not self.files(program):
                # Its TensorFlow is in a library: what is written is for the versions asked for.
                return Judged(Version.UNKNOWN, None)
            where = Obstacle(Cause.NO_NAME, program.entries[0])
            return Judged(Version.UNKNOWN, where)
        of_2 = second is not None or not all(uses.only_asks for uses in files.values())
        if of_2:
            of_1 = {path for path in files if _has(files[path], Grade.V1_ONLY, Grade.MISSING)}
            # An entry script without TensorFlow may still run what it imports.
            if not any(entry in of_1 or self._certain(entry, files) for entry in program.entries):
                return Judged(Version.TF2, None, eager=True)
        if of_2:
            path, node = eager if eager is not None else (second[0], second[1].node)  # type: ignore[index]
            name = ast.unparse(node) if isinstance(node, ast.expr) else ""
            if _turns_on(node):
                return Judged(Version.TF1, at(Cause.TURNS_EAGER, path, node, name), eager=True)
            cause = Cause.EAGER if eager is not None else Cause.MIXED
            return Judged(Version.UNKNOWN, at(cause, path, node, name), eager=True)
        unclear = self._unclear(program, files)
        if unclear is not None:
            return Judged(Version.UNKNOWN, unclear)
        return Judged(Version.TF1, None)

    def _unclear(self, program: Program, files: Mapping[str, FileUses]) -> Obstacle | None:
        """Find an entry script that may be for TensorFlow 2 though a file it imports is for 1.

        It has no name of TensorFlow 1, and nothing shows that it runs one in what it imports. It
        may compute with TensorFlow or Keras, itself or in functions without such names.
        """
        for entry in program.entries:
            uses = files.get(entry)
            if uses is not None and (
                _has(uses, Grade.V1_ONLY, Grade.MISSING) or uses.turns_off or uses.graph_only
            ):
                continue
            imported = [files[path] for path in self._modules.imported(entry) & set(files)]
            if any(map(_may_compute, imported)) and not self._certain(entry, files):
                return Obstacle(Cause.UNKNOWN_VERSION, entry)
        return None

    def _certain(self, entry: str, files: Mapping[str, FileUses]) -> bool:
        """Tell whether an entry script runs names of TensorFlow 1 in what it imports.

        It names a function that has one, or that names such a function in turn: a file in between
        need not have TensorFlow itself.
        """
        imported = self._modules.imported(entry)
        waiting: list[tuple[str, str]] = []
        for path in imported & set(files):
            tree = files[path].tree
            for use in files[path].of(Grade.V1_ONLY, Grade.MISSING):
                if runs_at_import(use.node, tree):
                    return True
                waiting.append((path, _outermost(use.node, tree)))
        seen: set[tuple[str, str]] = set()
        while waiting:
            path, name = waiting.pop()
            if not name or (path, name) in seen:
                continue
            seen.add((path, name))
            if path != entry and self._uses.names(entry, name):
                return True
            for other in imported - {entry}:
                named = self._tree(other, name)
                if named is None or not (other == path or self._uses.names(other, name)):
                    continue
                nodes = (*named.names.get(name, ()), *named.attributes.get(name, ()))
                if any(_runs_at_import(node, named) for node in nodes):
                    return True
                waiting += [(other, _outermost(node, named)) for node in nodes]
        return False

    def _tree(self, path: str, name: str) -> Tree | None:
        """Return the tree of a file that has a name; None where it has not, or is not read."""
        if name.encode() not in self._modules.words(path):
            return None
        parsed = self._uses.parsed(path)
        return parsed[0] if parsed is not None else None

    def missing(self, program: Program) -> Iterator[Obstacle]:
        """Yield the files with names that no TensorFlow 2 has."""
        for path, uses in self.files(program).items():
            names = list(uses.of(Grade.MISSING)) if uses is not None else []
            if names:
                listed = ", ".join(sorted({_short(use) for use in names}))
                yield at(Cause.MISSING_NAME, path, names[0].node, listed)

    def mode(self, program: Program, judged: Judged) -> When:
        """Tell whether a program builds graphs only where its imports stay."""
        files = [uses for uses in self.files(program).values() if uses is not None]
        if any(uses.turns_off or uses.graphs for uses in files):
            always = any(
                uses.graphs or any(runs_at_import(node, uses.tree) for node in uses.turns_off)
                for uses in files
            )
            eager = judged.eager or any(uses.eager for uses in files)
            return When.ALWAYS if always and not eager else When.MAYBE
        if judged.version is Version.TF1 and not judged.eager:
            return When.ALWAYS
        if judged.version is Version.TF2:
            return When.NEVER
        return When.MAYBE


def _all_of(files: Mapping[str, FileUses], *grades: Grade) -> Iterator[tuple[str, Use]]:
    return ((path, use) for path, uses in files.items() for use in uses.of(*grades))


def _has(uses: FileUses, *grades: Grade) -> bool:
    return any(True for _ in uses.of(*grades))


def _turns_on(node: ast.AST) -> bool:
    """Tell whether a program of TensorFlow 1 turns eager execution on."""
    return isinstance(node, ast.Attribute) and node.attr.startswith("enable_")


def _short(use: Use) -> str:
    return ".".join(use.name.split(".")[:3])


def _may_compute(uses: FileUses) -> bool:
    """Tell whether a file computes with TensorFlow in code that has no name of TensorFlow 1."""
    tree = uses.tree
    names = {_outermost(use.node, tree) for use in uses.of(Grade.V1_ONLY, Grade.MISSING)}
    same = uses.of(Grade.SAME, Grade.DIFFERS, Grade.KERAS, Grade.OTHER_KERAS)
    nodes = [*(use.node for use in (*same, *uses.compat)), *filter(None, [uses.keras])]
    return any(
        not isinstance(node, ast.alias) and _outermost(node, tree) not in names - {""}
        for node in nodes
    )


def _runs_at_import(node: ast.AST, tree: Tree) -> bool:
    """Tell whether a function is called by its name whenever a file is imported."""
    call = tree.parent[node]
    return isinstance(call, ast.Call) and call.func is node and runs_at_import(node, tree)


def _outermost(node: ast.AST, tree: Tree) -> str:
    """Return the name of the outermost function or class around a node."""
    name = ""
    for around in tree.within(node):
        if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = around.name
    return name


def at(cause: Cause, path: str, node: ast.AST, name: str = "") -> Obstacle:
    """Return what keeps a program from being switched, at the line of a node."""
    return Obstacle(cause, path, getattr(node, "lineno", 0), name)
