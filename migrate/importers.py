"""Which files of a run import a given one, and which of its names they use."""

from __future__ import annotations

import ast
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from migrate.engine import parse
from migrate.source.pyfile import SourceError, decode

# The names of an absolute path.
Parts = tuple[str, ...]

_WORD = re.compile(rb"[\w\x80-\xff]+")


class Importers:
    """Finds files that import a name from another one, among the files of a run.

    Nothing is read before the first question. Then each file is read once for the modules that it
    may name, and a second time, to be parsed, if it names one that is asked for.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = list(paths)
        self._parsed: dict[str, Imports] = {}

    def of(self, path: str, names: list[str]) -> dict[str, str]:
        """Return the names that other files use of the module at `path`, each with such a file.

        The empty name stands for the import of the module itself.
        """
        target = _module_path(path)
        found: dict[str, str] = {}
        for other in self._naming.get(os.fsencode(target[-1]), []):
            if other != path:
                if other not in self._parsed:
                    self._parsed[other] = _parse_imports(_read(other), other)
                for name in self._parsed[other].names_from(target) & set(names):
                    found.setdefault(name, other)
        return found

    @cached_property
    def _naming(self) -> dict[bytes, list[str]]:
        """The files in which the name of a module of the run stands, by that name."""
        modules = {os.fsencode(_module_path(path)[-1]) for path in self._paths}
        naming = defaultdict(list)
        for path in self._paths:
            for word in modules.intersection(_WORD.findall(_read(path))):
                naming[word].append(path)
        return naming


def _module_path(path: str) -> Parts:
    """Return the path of a module without its suffix; a package stands for its `__init__.py`."""
    whole = Path(path).resolve()
    return (whole.parent if whole.stem == "__init__" else whole.with_suffix("")).parts


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


@dataclass(frozen=True, slots=True)
class _Import:
    """One way to read an import: `name` is taken from a module, or the module bound to `alias`.

    `level` counts the dots of a relative import.
    """

    module: Parts
    level: int
    name: str | None
    alias: str


@dataclass(slots=True)
class Imports:
    """What a file imports, and what it uses of that."""

    folder: Parts
    imports: list[_Import] = field(default_factory=list)
    attributes: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    names: set[str] = field(default_factory=set)

    def names_from(self, target: Parts) -> set[str]:
        """Return the names that the file takes from the module at `target`, a path without suffix.

        The empty name among them tells that the module is imported at all.
        """
        names: set[str] = set()
        for item in self.imports:
            if self._is(item, target):
                names.add("")
                if item.name is None:
                    names |= self.attributes.get(item.alias, set())
                elif item.name == "*":
                    names |= self.names
                else:
                    names.add(item.name)
        return names

    def _is(self, item: _Import, target: Parts) -> bool:
        """Tell whether an import can mean the module at `target`."""
        if item.level:
            package = self.folder[: len(self.folder) + 1 - item.level]
            return (*package, *item.module) == target
        count = len(item.module)
        if target[-count:] != item.module:
            return False
        # A module without a package stands beside its importer or above it.
        return count > 1 or target[:-1] == self.folder[: len(target) - 1]


def _parse_imports(data: bytes, path: str) -> Imports:
    """Return the imports of a file; none where it cannot be parsed."""
    found = Imports(Path(path).resolve().parent.parts)
    try:
        nodes = list(ast.walk(parse(decode(data).text)))
    except (SourceError, SyntaxError):
        return found
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.imports += _imports(node)
    aliases = {item.alias for item in found.imports}
    has_star = any(item.name == "*" for item in found.imports)
    for node in nodes:
        if isinstance(node, ast.Attribute):
            value = node.value
            base = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", None)
            if base in aliases:
                found.attributes[base].add(node.attr)
        elif has_star and isinstance(node, ast.Name):
            found.names.add(node.id)
    return found


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[_Import]:
    """Yield every reading of a statement.

    `from a import b` may import the module `a` and take `b` from it, or import `a.b`.
    """
    for alias in node.names:
        if isinstance(node, ast.Import):
            module = tuple(alias.name.split("."))
            yield _Import(module, 0, None, alias.asname or module[-1])
        else:
            module = tuple(node.module.split(".")) if node.module else ()
            yield _Import(module, node.level, alias.name, "")
            yield _Import((*module, alias.name), node.level, None, alias.asname or alias.name)
