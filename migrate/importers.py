"""Which files of a run import a given one, and which of its names they use."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path


class Importers:
    """Finds files that import a name from another one, among the files of a run."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = list(paths)

    def of(self, path: str, names: list[str]) -> dict[str, str]:
        """Return the names that other files use of the module at `path`, each with such a file.

        The empty name stands for the import of the module itself.
        """
        target = _module_path(Path(path))
        found: dict[str, str] = {}
        for other in self._paths:
            if other == path:
                continue
            try:
                data = Path(other).read_bytes()
            except OSError:
                continue
            if target.name.encode() in data:
                for name in imported_names(data, other, target) & set(names):
                    found.setdefault(name, other)
        return found


def _module_path(path: Path) -> Path:
    """Return the path of a module without its suffix; a package stands for its `__init__.py`."""
    path = path.resolve()
    return path.parent if path.stem == "__init__" else path.with_suffix("")


def imported_names(data: bytes, importer: str, target: Path) -> set[str]:
    """Return the names that a file takes from the module at `target`, a path without suffix.

    The empty name among them tells that the module is imported at all.
    """
    try:
        nodes = list(ast.walk(ast.parse(data)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names: set[str] = set()
    aliases: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for module, name, alias in _imports(node):
                if _is_module(module, node, importer, target):
                    names.add("")
                    if name is None:
                        aliases.add(alias)
                    else:
                        names.add(name)
    for node in nodes:
        if isinstance(node, ast.Attribute):
            value = node.value
            base = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", None)
            if base in aliases:
                names.add(node.attr)
        elif isinstance(node, ast.Name) and "*" in names:
            names.add(node.id)
    return names


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[list[str], str | None, str]]:
    """Yield every module that a statement may import: its path, the name taken from it, alias.

    `from a import b` may import the module `a` and take `b` from it, or import `a.b`.
    """
    for alias in node.names:
        if isinstance(node, ast.Import):
            parts = alias.name.split(".")
            yield parts, None, alias.asname or parts[-1]
        else:
            parts = node.module.split(".") if node.module else []
            yield parts, alias.name, ""
            yield [*parts, alias.name], None, alias.asname or alias.name


def _is_module(
    parts: list[str], node: ast.Import | ast.ImportFrom, importer: str, target: Path
) -> bool:
    """Tell whether an import in a file can mean the module at `target`."""
    folder = Path(importer).resolve().parent
    if isinstance(node, ast.ImportFrom) and node.level:
        for _ in range(node.level - 1):
            folder = folder.parent
        return folder.joinpath(*parts) == target
    if not parts or list(target.parts[-len(parts) :]) != parts:
        return False
    # A module without a package stands beside its importer or above it.
    return len(parts) > 1 or target.parent == folder or target.parent in folder.parents
