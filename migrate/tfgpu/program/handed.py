"""What of TensorFlow files hand on to those that import them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.program.modules import Modules
from tfgpu.program.raw import RAW, first_part

# Any name of a module, among those that it hands on.
ANY = b"*"

# Parses a file: `files(path)` is a tree with its symbols, or None; the same objects each time.
Files = Callable[[str], tuple[Tree, Symbols] | None]


class Handed:
    """Finds what files have of TensorFlow by names of others."""

    def __init__(self, modules: Modules, files: Files) -> None:
        self._modules = modules
        self._parsed = files
        self._names: dict[str, frozenset[bytes]] = {}
        self._found: dict[tuple[str, str], list[tuple[str, str]]] = {}

    def names(self, path: str) -> frozenset[bytes]:
        """Return the names of a module by which other files may have TensorFlow from it.

        `*` is any name.
        """
        if path not in self._names:
            self._names[path] = frozenset()  # Of files that import each other.
            parsed = self._parsed(path)
            if parsed is None:
                return self._names[path]
            tree, found = parsed[0], set[bytes]()
            for item in tree.imports:
                ours = first_part(item.path) == RAW or bool(self.find(path, item.path))
                if ours and item.name in tree.root.bindings:
                    found.add(item.name.encode())
            for name in tree.functions:
                if self.returned(path, name) is not None:
                    found.add(name.encode())
            for module in tree.star_imports.values():
                other = self._modules.find(path, module)
                if other is not None:
                    found |= self.names(other[0])
                elif first_part(module) == RAW:
                    found.add(ANY)
            self._names[path] = frozenset(found)
        return self._names[path]

    def of_module(self, path: str, dotted: str) -> Iterator[tuple[str, str]]:
        """Yield all that a module hands on, where a path names one, and not a name of it.

        A package hands on what its modules do that the file imports.
        """
        module = dotted.removesuffix(".__dict__")
        found = self._modules.find(path, module) if module.strip(".") else None
        parsed = self._parsed(path)
        if found is None or found[1] or parsed is None:
            return
        inside = (item.alias.name for item in parsed[0].imports)
        for each in (module, *(name for name in inside if name.startswith(f"{module}."))):
            other = self._modules.find(path, each)
            for name in sorted(self.names(other[0])) if other is not None else ():
                yield from self.find(path, f"{each}.{name.decode()}")

    def all_of(self, path: str, dotted: str) -> Iterator[tuple[str, str]]:
        """Yield what a name or a module hands on."""
        yield from self.find(path, dotted)
        yield from self.of_module(path, dotted)

    def find(self, path: str, dotted: str) -> list[tuple[str, str]]:
        """Return what of TensorFlow a name of another file may be, and whose imports it uses.

        They are several where star imports hand it on: `import tensorflow as tf` in each file.
        """
        key = (path, dotted)
        if key not in self._found:
            self._found[key] = list(self._find(path, dotted, set()))
        return self._found[key]

    def _find(
        self, path: str, dotted: str, seen: set[tuple[str, str]]
    ) -> Iterator[tuple[str, str]]:
        if first_part(dotted) in (RAW, "keras", "tf_keras"):
            yield dotted, path
            return
        found = self._modules.find(path, dotted) if dotted.strip(".") else None
        parsed = self._parsed(found[0]) if found is not None else None
        if found is None or parsed is None or not found[1] or found in seen:
            return
        seen.add(found)
        (other, inner), (tree, symbols) = found, parsed
        first, dot, rest = inner.partition(".")
        if first in tree.root.bindings:
            for known in sorted(symbols.assigned(tree.root, first)):
                yield from self._find(other, known + dot + rest, seen)
        for module in tree.star_imports.values():
            yield from self._find(other, f"{module}.{inner}", seen)

    def returned(self, path: str, name: str) -> str | None:
        """Return the module of TensorFlow that a function of a file returns, by its own import."""
        parsed = self._parsed(path)
        bindings = parsed[0].root.bindings.get(name, []) if parsed is not None else []
        function = bindings[0].node if len(bindings) == 1 else None
        if parsed is None or not isinstance(function, ast.FunctionDef):
            return None
        known = parsed[1].returned(function) or frozenset()
        return next(iter(known)) if len(known) == 1 and first_part(min(known)) == RAW else None
