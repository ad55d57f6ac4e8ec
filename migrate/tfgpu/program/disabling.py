"""Where `disable_v2_behavior()` is called in a switched program: once, before anything acts."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from tfgpu.code.classes import Classes
from tfgpu.code.importing import Importing
from tfgpu.code.origins import Origins
from tfgpu.code.tree import Import, Tree
from tfgpu.program.modules import Modules
from tfgpu.program.switches import Disable, spot
from tfgpu.program.uses import RAW, V1, Files, FileUses, harmless_at_import, raw_imports


class Disabling:
    """Finds the places for `disable_v2_behavior()` in the files of programs."""

    def __init__(self, modules: Modules, parsed: Files) -> None:
        self._modules = modules
        self._parsed = parsed
        self._running: dict[str, bool] = {}

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
        scripts = (path for path in sorted(files) if self._is_script(path, files[path]))
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
        first = self._first(entry, files)
        if own is not None and always:
            yield entry, self._behind(entry, always[:1], files)
        elif own is not None and modules and first in (None, entry):
            yield entry, self._behind(entry, modules, files)
        elif own is not None and (raw_imports(own.tree) or own.keras or own.compat):
            yield entry, (Disable(None, "tf"),)
        elif first is not None and first in files:
            places = [
                item
                for item in _whole_modules(files[first].tree)
                if files[first].runs_at_import(item.alias)
            ]
            yield first, self._behind(first, places[:1], files)
        elif any(raw_imports(uses.tree) or uses.keras for uses in files.values()):
            for path in sorted(self._modules.closure(entry) & set(files)):
                inner = _whole_modules(files[path].tree)
                if inner:
                    yield path, tuple(map(_behind, inner))

    def _behind(
        self, path: str, items: Iterable[Import], files: Mapping[str, FileUses]
    ) -> tuple[Disable, ...]:
        """Return the calls behind imports of TensorFlow; one at the top where that is too late."""
        places = tuple(items)
        late = any(self.acts_before(path, item.statement, files) for item in places)
        return (Disable(None, "tf"),) if late or not places else tuple(map(_behind, places))

    def _first(self, entry: str, files: Mapping[str, FileUses]) -> str | None:
        """Return the file whose import of TensorFlow runs first when a file is run."""
        seen = {entry}
        running = [(entry, self._imported(entry, files.get(entry)))]
        while running:
            path, imports = running[-1]
            for dotted, statement in imports:
                if statement is not None and dotted.partition(".")[0] == RAW:
                    return path
                found = self._modules.find(path, dotted)
                if found is not None and found[0] not in seen:
                    seen.add(found[0])
                    running.append((found[0], self._imported(found[0], files.get(found[0]))))
                    break
            else:
                running.pop()
        return None

    def _imported(
        self, path: str, uses: FileUses | None, *, inside: bool = False
    ) -> Iterator[tuple[str, ast.stmt | None]]:
        """Yield what a file imports when it is run, in order; with `inside` in functions, too."""
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
            if inside or uses.tree.function(statement) is uses.tree.root:
                yield dotted, statement

    def acts_before(self, path: str, place: ast.stmt, files: Mapping[str, FileUses]) -> bool:
        """Tell whether what a file imports before a statement may run TensorFlow at once."""
        # What is imported by a name in a text may be imported at any time.
        first: set[str] = set()
        later: set[str] = set()
        for dotted, statement in self._imported(path, files[path], inside=True):
            is_later = statement is not None and statement.lineno >= place.lineno
            (later if is_later else first).update(self._modules.along(path, dotted))
        first |= set(self._modules.imports(path)) - later
        reached = set().union(*map(self._modules.closure, first))
        reached.discard(path)
        known = [files[other] for other in reached & set(files)]
        if any(map(_acts, known)):
            return True
        return any(map(_computes, known)) and any(map(self._runs_functions, sorted(reached)))

    def _runs_functions(self, path: str) -> bool:
        """Tell whether the import of a file may run functions, of any file; so if it is unread."""
        if path not in self._running:
            self._running[path] = True
            parsed = self._parsed(path)
            if parsed is not None:
                tree, symbols = parsed
                origins = Origins(tree, symbols, Classes(tree, symbols))
                importing = Importing(
                    tree, symbols, origins, lambda name: self._modules.find(path, name) is not None
                )
                self._running[path] = importing.runs_functions()
        return self._running[path]

    def _is_script(self, path: str, uses: FileUses) -> bool:
        """Tell whether a file has a session of its own, or runs TensorFlow by calls of its own."""
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
        return session or (
            called and (_acts(uses) or (_computes(uses) and self._runs_functions(path)))
        )


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
    return bool(uses.keras) and any(
        uses.tree.function(call) is uses.tree.root and "keras" in ast.unparse(call.func)
        for call in uses.tree.calls
    )


def _computes(uses: FileUses) -> bool:
    """Tell whether a file has code that runs TensorFlow, wherever it stands."""
    return bool(uses.keras or uses.compat) or any(
        not isinstance(use.node, ast.alias) and not harmless_at_import(use.name)
        for use in uses.uses
    )


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
