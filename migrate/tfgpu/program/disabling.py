"""Where `disable_v2_behavior()` is called in a switched program: once, before anything acts."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from tfgpu.code.canonical import canonical
from tfgpu.code.classes import Classes
from tfgpu.code.index import Import
from tfgpu.code.origins import Origins
from tfgpu.code.tree import Tree
from tfgpu.program.handed import Files
from tfgpu.program.modules import Modules
from tfgpu.program.raw import (
    RAW,
    V1,
    first_of_tensorflow,
    first_part,
    imports_any,
    raw_imports,
    runs_at_import,
)
from tfgpu.program.switches import Disable, spot
from tfgpu.program.uses import (
    WITH_KERAS,
    FileUses,
    harmless_at_import,
)


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
            runs_at_import(node, uses.tree) and "disable_v2" in ast.unparse(node)
            for uses in files.values()
            for node in uses.turns_off
            if isinstance(node, ast.expr)
        ):
            return
        found: dict[str, tuple[Disable, ...]] = {}
        scripts = (path for path in sorted(files) if self._is_script(path, files))
        for entry in dict.fromkeys((*entries, *scripts)):
            for path, disable in self._disabled_for(entry, files):
                found.setdefault(path, disable)
        yield from found.items()

    def _disabled_for(
        self, entry: str, files: Mapping[str, FileUses]
    ) -> Iterator[tuple[str, tuple[Disable, ...]]]:
        """Yield the places for an entry script: there, in the file that is run first, or in all.

        Above all of the script would be above what its modules write for TensorFlow, too.
        """
        closure = self._modules.closure(entry) & set(files)
        places = sorted(path for path in closure if _names_any(files[path]))
        calls = self._always(entry, files) if entry in places else ()
        if calls:
            yield entry, calls
        elif len(places) > 1 and (first := self._first(entry, files)):
            yield first, self._behind(first, files, closure)
        else:
            for path in places:
                if calls := self._behind(path, files, closure):
                    yield path, calls

    def _behind(
        self, path: str, files: Mapping[str, FileUses], closure: Collection[str]
    ) -> tuple[Disable, ...]:
        """Return the calls behind imports of TensorFlow; one at the top where that is too late.

        The import that always runs has it, or all have, those in functions and conditions, too.
        Other files of the `closure` turn the behaviour off for themselves, or run later.
        """
        if calls := self._always(path, files, {*closure} - {path}):
            return calls
        places = list(_all(files[path].tree))
        if places and not any(self._acts_before(path, one, files, closure) for one, _ in places):
            return tuple(disable for _, disable in places)
        dotted = (name for name, _ in self._imported(path, inside=True))
        return (Disable(None, "tf"),) if any(map(_is_tensorflow, dotted)) else ()

    def _always(
        self, path: str, files: Mapping[str, FileUses], others: Collection[str] = ()
    ) -> tuple[Disable, ...]:
        """Return the call behind an import that runs whatever else happens; none if too late.

        To the first import of TensorFlow, or of a Keras, one of the module is added.
        """
        tree = files[path].tree
        modules = [item for item in _whole_modules(tree) if runs_at_import(item.alias, tree)]
        places: list[tuple[ast.stmt, Disable]] = []
        if modules:
            places.append((modules[0].statement, _behind(modules[0])))
        for packages in ((RAW,), WITH_KERAS):
            if first := first_of_tensorflow(tree, packages):
                added = Disable(spot(first), "tf", through_v1=True, is_added=True)
                places.append((first, added))
        for statement, disable in places:
            if not self._acts_before(path, statement, files, others):
                return (disable,)
        return ()

    def _first(self, entry: str, files: Mapping[str, FileUses]) -> str | None:
        """Return what other file is run before anything with TensorFlow, None if that varies."""
        way: list[tuple[str, ast.stmt | None]] = []
        seen = {entry}

        def found(path: str) -> str | None:
            for dotted, statement in self._imported(path):
                if statement is not None and dotted.partition(".")[0] == RAW:
                    return path
                way.append((path, statement))
                for other in self._modules.along(path, dotted):
                    if other not in seen:
                        seen.add(other)
                        if (first := found(other)) is not None:
                            return first
                way.pop()
            return path if path in files and _names_any(files[path]) else None

        try:
            first = found(entry)
        except RecursionError:
            return None
        sure = (
            first is not None
            and first != entry
            and first in files
            and first_of_tensorflow(files[first].tree) is not None
            and all(
                statement is not None
                and not self._is_guarded(path, statement)
                and not self._acts_before(path, statement, files)
                for path, statement in way
            )
        )
        return first if sure else None

    def _is_guarded(self, path: str, statement: ast.stmt) -> bool:
        tree = self._tree(path)
        return tree is None or bool(tree.guards(statement))

    def _tree(self, path: str) -> Tree | None:
        parsed = self._parsed(path)
        return None if parsed is None else parsed[0]

    def _imported(
        self, path: str, *, inside: bool = False
    ) -> Iterator[tuple[str, ast.stmt | None]]:
        """Yield what a file imports when it is run, in order; with `inside` in functions, too."""
        tree = self._tree(path)
        if tree is None:
            for dotted in self._modules.dotted(path):
                yield dotted, None
            return
        stars = [(f"{module}", node) for node, module in tree.star_imports.items()]
        items: list[tuple[str, ast.stmt]] = [
            (
                item.alias.name if isinstance(item.statement, ast.Import) else item.path,
                item.statement,
            )
            for item in tree.imports
        ]
        for dotted, statement in sorted([*items, *stars], key=lambda pair: pair[1].lineno):
            if inside or tree.function(statement) is tree.root:
                yield dotted, statement

    def _acts_before(
        self,
        path: str,
        place: ast.stmt,
        files: Mapping[str, FileUses],
        others: Collection[str] = (),
    ) -> bool:
        """Tell whether what a file does before a statement may run TensorFlow at once.

        What `others` do by their imports of TensorFlow is no matter.
        """
        # What is imported by a name in a text may be imported at any time.
        first: set[str] = set()
        later: set[str] = set()
        for dotted, statement in self._imported(path, inside=True):
            is_later = statement is not None and statement.lineno >= place.lineno
            (later if is_later else first).update(self._modules.along(path, dotted))
        first |= set(self._modules.runs(path)) - later
        first.update(self._modules.packages(path))
        reached = set().union(*map(self._modules.closure, first))
        reached.discard(path)
        known = [other for other in reached if other in files and other not in others]
        if any(self._acts(other, files) for other in known):
            return True
        computes = any(_computes(files[other]) for other in known)
        if computes and any(map(self._runs_functions, sorted(reached))):
            return True
        return self._acts_itself(path, place, files, path in others) or (
            computes and self._runs_before(path, place)
        )

    def _acts_itself(
        self, path: str, place: ast.stmt, files: Mapping[str, FileUses], is_covered: bool
    ) -> bool:
        """Tell whether TensorFlow may run before a statement by names of other imports of a file.

        With `is_covered` no import of TensorFlow itself counts. When a function runs that imports
        something is not known: all of the file may have.
        """
        tree = self._tree(path)
        if tree is None:
            return True
        others = [
            statement
            for dotted, statement in self._imported(path, inside=True)
            if statement is not None
            and _is_tensorflow(dotted)
            and not (is_covered and _imports_it(statement))
        ]
        if tree.function(place) is not tree.root:
            return bool(others)
        end = tree.position(place)
        return any(statement.lineno < place.lineno for statement in others) and (
            self._acts(path, files, lambda node: tree.position(node) < end)
            or self._runs_before(path, place)
        )

    def _acts(
        self,
        path: str,
        files: Mapping[str, FileUses],
        counts: Callable[[ast.AST], bool] = bool,
    ) -> bool:
        """Tell whether the import of a file calls something of TensorFlow, or of a Keras."""
        parsed = self._parsed(path)
        if parsed is None:
            return True
        tree, symbols = parsed
        handed_on = _handed_on(files[path]) if path in files else ()
        imported = (
            (call, canonical(name))
            for call in tree.calls
            for name in symbols.paths(call.func)
            if _is_tensorflow(name)
        )
        return any(
            tree.function(call) is tree.root and counts(call) and not harmless_at_import(name)
            for call, name in (*imported, *handed_on)
        )

    def _runs_before(self, path: str, place: ast.stmt) -> bool:
        """Tell whether a file may run functions, of any file, before a statement of it."""
        tree = self._tree(path)
        if tree is None:
            return True
        end = tree.position(place)
        return self._runs(path, lambda node: tree.position(node) < end, as_script=True)

    def _runs_functions(self, path: str) -> bool:
        """Tell whether the import of a file may run functions, of any file; so if it is unread."""
        if path not in self._running:
            self._running[path] = True
            self._running[path] = self._runs(path)
        return self._running[path]

    def _runs(
        self, path: str, counts: Callable[[ast.AST], bool] = bool, as_script: bool = False
    ) -> bool:
        """Tell whether statements of a file that count may run functions when it is imported."""
        from tfgpu.code.importing import Importing  # noqa: PLC0415 - few need it

        parsed = self._parsed(path)
        if parsed is None:
            return True
        tree, symbols = parsed
        origins = Origins(tree, symbols, Classes(tree, symbols))
        importing = Importing(
            tree,
            symbols,
            origins,
            lambda name: self._modules.find(path, name) is not None,
            counts,
            as_script,
        )
        return importing.runs_functions()

    def _is_script(self, path: str, files: Mapping[str, FileUses]) -> bool:
        """Tell whether a file has a session of its own, or runs TensorFlow by calls of its own."""
        uses = files[path]
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
            called and (self._acts(path, files) or (_computes(uses) and self._runs_functions(path)))
        )


def _is_tensorflow(dotted: str) -> bool:
    """Tell whether a module, or a name in it, is TensorFlow's, or that of a package of Keras."""
    return first_part(dotted) in WITH_KERAS


def _handed_on(uses: FileUses) -> Iterator[tuple[ast.Call, str]]:
    """Yield calls with what a file has of TensorFlow, also by way of other files, and its name."""
    tree = uses.tree
    for use in (*uses.uses, *uses.compat):
        if isinstance(call := tree.parent[use.node], ast.Call):
            yield call, use.name
    if uses.keras:
        for call in tree.calls:
            if "keras" in ast.unparse(call.func):
                yield call, "keras"


def _computes(uses: FileUses) -> bool:
    """Tell whether a file has code that runs TensorFlow, wherever it stands."""
    return bool(uses.keras or uses.compat) or any(
        not isinstance(use.node, ast.alias) and not harmless_at_import(use.name)
        for use in uses.uses
    )


def _names_any(uses: FileUses) -> bool:
    """Tell whether a file imports TensorFlow, or a Keras, anywhere."""
    stars = uses.tree.star_imports.values()
    return bool(raw_imports(uses.tree) or uses.keras or uses.compat) or any(
        module.partition(".")[0] == RAW for module in stars
    )


def _all(tree: Tree) -> Iterator[tuple[ast.stmt, Disable]]:
    """Yield the imports of TensorFlow, each with the call there, but for those behind another."""
    modules = {item.statement: item for item in reversed(_whole_modules(tree))}
    statements = {*(item.statement for item in tree.imports), *tree.star_imports}
    found: list[ast.stmt] = []
    for statement in sorted(filter(_imports_it, statements), key=tree.position):
        function, guards = tree.function(statement), set(tree.guards(statement))
        if any(
            tree.function(one) is function and guards.issuperset(tree.guards(one)) for one in found
        ):
            continue
        found.append(statement)
        item = modules.get(statement)
        own = Disable(spot(statement), "", through_v1=True)
        yield statement, own if item is None else _behind(item)


def _behind(item: Import) -> Disable:
    return Disable(spot(item.statement), item.name, item.alias.name == V1)


def _imports_it(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom) and imports_any(statement)


def _whole_modules(tree: Tree) -> list[Import]:
    """Return the imports of TensorFlow as one module, by whichever path."""
    return [
        item
        for item in tree.imports
        if isinstance(item.statement, ast.Import)
        and (item.alias.name == RAW or (item.alias.name == V1 and item.alias.asname))
    ]
