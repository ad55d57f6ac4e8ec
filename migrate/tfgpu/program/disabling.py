"""Where `disable_v2_behavior()` is called in a switched program: once, before anything acts."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from tfgpu.code.tree import Import, Tree
from tfgpu.program.modules import Modules
from tfgpu.program.switches import Disable, spot
from tfgpu.program.uses import RAW, V1, FileUses, harmless_at_import, raw_imports


class Disabling:
    """Finds the places for `disable_v2_behavior()` in the files of programs."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    def places(
        self, entries: Iterable[str], files: Mapping[str, FileUses]
    ) -> Iterator[tuple[str, tuple[Disable, ...]]]:
        """Yield where `disable_v2_behavior()` is called: once for each entry script.

        A script that others import may be run by itself, too.
        """
        if any(
            uses.runs_at_import(node) and "disable_v2" in ast.unparse(node)
            for uses in files.values()
            for node in uses.turns_off
            if isinstance(node, ast.expr)
        ):
            return
        found: dict[str, tuple[Disable, ...]] = {}
        scripts = (path for path in sorted(files) if _is_script(files[path]))
        for entry in dict.fromkeys((*entries, *scripts)):
            for path, disable in self._disabled_for(entry, files):
                found.setdefault(path, disable)
        yield from found.items()

    def _disabled_for(
        self, entry: str, files: Mapping[str, FileUses]
    ) -> Iterator[tuple[str, tuple[Disable, ...]]]:
        own = files.get(entry)
        modules = _whole_modules(own.tree) if own is not None else []
        always = [item for item in modules if own is not None and own.runs_at_import(item.alias)]
        first = self._first(entry, files, set())
        if own is not None and always:
            if not self._acts_before(entry, always[0], files):
                yield entry, (_behind(always[0]),)
            else:
                yield entry, (Disable(None, "tf"),)
        elif own is not None and modules and first in (None, entry):
            yield entry, tuple(_behind(item) for item in modules)
        elif own is not None and (raw_imports(own.tree) or own.keras or own.compat):
            yield entry, (Disable(None, "tf"),)
        elif first is not None and first in files:
            tree = files[first].tree
            places = [
                item for item in _whole_modules(tree) if files[first].runs_at_import(item.alias)
            ]
            if places:
                yield first, (_behind(places[0]),)
            else:
                yield first, (Disable(None, "tf"),)
        elif any(raw_imports(uses.tree) or uses.keras for uses in files.values()):
            for path in sorted(self._modules.closure(entry) & set(files)):
                inner = _whole_modules(files[path].tree)
                if inner:
                    yield path, tuple(_behind(item) for item in inner)

    def _first(self, path: str, files: Mapping[str, FileUses], seen: set[str]) -> str | None:
        """Return the file whose import of TensorFlow runs first when a file is run."""
        seen.add(path)
        uses = files.get(path)
        for dotted, statement in self._imported(path, uses):
            if statement is not None and dotted.partition(".")[0] == RAW:
                return path
            found = self._modules.find(path, dotted)
            if found is not None and found[0] not in seen:
                inner = self._first(found[0], files, seen)
                if inner is not None:
                    return inner
        return None

    def _imported(self, path: str, uses: FileUses | None) -> Iterator[tuple[str, ast.stmt | None]]:
        """Yield what a file imports when it is run, in order."""
        if uses is None:
            for dotted in self._modules.dotted(path):
                yield dotted, None
            return
        stars = [(f"{module}", node) for node, module in uses.tree.star_imports.items()]
        items: list[tuple[str, ast.stmt]] = [
            (
                item.alias.name if isinstance(item.statement, ast.Import) else item.path,
                item.statement,
            )
            for item in uses.tree.imports
        ]
        for dotted, statement in sorted([*items, *stars], key=lambda pair: pair[1].lineno):
            if uses.tree.function(statement) is uses.tree.root:
                yield dotted, statement

    def _acts_before(self, entry: str, item: Import, files: Mapping[str, FileUses]) -> bool:
        """Tell whether files that are imported before a statement run TensorFlow at once."""
        uses = files[entry]
        reached: set[str] = set()
        for dotted, statement in self._imported(entry, uses):
            if statement is not None and statement.lineno >= item.statement.lineno:
                break
            found = self._modules.find(entry, dotted)
            if found is not None:
                reached |= self._modules.closure(found[0])
        return any(_acts(files[path]) for path in reached & set(files) if path != entry)


def _acts(uses: FileUses) -> bool:
    """Tell whether a file calls something of TensorFlow while it is imported."""
    for use in uses.uses:
        node = use.node
        if (
            not isinstance(node, ast.alias)
            and uses.tree.function(node) is uses.tree.root
            and isinstance(uses.tree.parent[node], ast.Call)
            and not harmless_at_import(use.name)
        ):
            return True
    if uses.uses and any(_calls_own_code(call, uses) for call in uses.tree.calls):
        return True
    return bool(uses.keras) and any(
        uses.tree.function(call) is uses.tree.root and "keras" in ast.unparse(call.func)
        for call in uses.tree.calls
    )


def _calls_own_code(call: ast.Call, uses: FileUses) -> bool:
    """Tell whether an import of a file runs a call of its own functions or classes."""
    tree = uses.tree
    return (
        isinstance(call.func, ast.Name)
        and tree.function(call) is tree.root
        and uses.runs_at_import(call)
        and any(binding.kind in ("def", "class") for binding in tree.bindings(call.func))
    )


def _is_script(uses: FileUses) -> bool:
    """Tell whether a file has a session of its own, or calls TensorFlow and something else."""
    tree = uses.tree
    session = any(
        use.name.endswith("Session") and tree.function(use.node) is tree.root
        for use in uses.uses
        if not isinstance(use.node, ast.alias)
    )
    called = any(
        isinstance(tree.parent[call], ast.Expr) and isinstance(call.func, ast.Name)
        for call in tree.calls
        if tree.function(call) is tree.root
    )
    return session or (called and _acts(uses))


def _behind(item: Import) -> Disable:
    return Disable(spot(item.statement), item.name, item.alias.name == V1)


def _whole_modules(tree: Tree) -> list[Import]:
    """Return the imports of TensorFlow as one module, by whichever path."""
    return [
        item
        for item in tree.imports
        if isinstance(item.statement, ast.Import)
        and (item.alias.name == RAW or (item.alias.name == V1 and item.alias.asname))
    ]
