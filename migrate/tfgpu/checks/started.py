"""Modules that initialise the GPUs when they are imported, before another file's settings."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from tfgpu.checks.building import WORDS, building
from tfgpu.checks.usual_order import UsualOrder
from tfgpu.code.parse import parse
from tfgpu.code.tree import Tree
from tfgpu.decide.starts import called, starts
from tfgpu.files.pyfile import SourceError, decode
from tfgpu.flow.collect import collect
from tfgpu.flow.named_gpus import Devices
from tfgpu.program.modules import Modules
from tfgpu.rulebook.book import Rulebook

# A call that initialises the GPUs, as text, and its place.
Start = tuple[str, str]
_GRAPH_MODE = (b"disable_v2_behavior", b"disable_eager_execution")


class Started:
    """What the import of each module of a run certainly starts."""

    def __init__(self, modules: Modules, book: Rulebook) -> None:
        self._modules = modules
        self._book = book
        names = {name.rpartition(".")[2].encode() for name in book.starts_eager}
        self._last_names = names | WORDS
        self._known: dict[str, Start | None] = {}

    def by(self, path: str, imports: Iterable[str]) -> dict[tuple[str, str], Start]:
        """Return those imports of a file that start the GPUs, with what does it."""
        found: dict[tuple[str, str], Start] = {}
        for dotted in imports:
            module = self._modules.find(path, dotted)
            start = self._of(module[0]) if module is not None and module[0] != path else None
            if start is not None:
                found[path, dotted] = start
        return {} if found and self._may_build_graphs(path) else found

    def _of(self, path: str) -> Start | None:
        """Return what the import of a module starts, directly or by its own imports."""
        if path not in self._known:
            # Modules that import each other in a circle start nothing by that.
            self._known[path] = None
            self._known[path] = self._find(path)
        return self._known[path]

    def _find(self, path: str) -> Start | None:
        words = self._modules.words(path)
        imported = [other for other in self._modules.imports(path) if other != path]
        names_one = b"tensorflow" in words and not self._last_names.isdisjoint(words)
        if not names_one and not imported:
            return None
        try:
            text = decode(self._modules.read(path)).text
            tree = Tree(parse(text, path), text, path)
        except (SourceError, SyntaxError, RecursionError):
            return None
        analysis = collect(tree, self._book)
        order = UsualOrder(analysis, Devices(analysis))
        every = chain(starts(analysis, self._book), building(analysis, self._book))
        for start in every if names_one else ():
            if not start.silent and order.runs_with_module(start.call):
                line, _ = tree.position(start.call)
                return called(start.call), f"{path}:{line}"
        for item in tree.imports:
            module = self._modules.find(path, item.path)
            if module is not None and order.runs_with_module(item.statement):
                start_there = self._of(module[0])
                if start_there is not None:
                    return start_there
        return None

    def _may_build_graphs(self, path: str) -> bool:
        """Tell whether a program with a file may turn eager execution off."""
        files = {
            other for top in self._modules.programs(path) for other in self._modules.closure(top)
        }
        data = map(self._modules.read, sorted(files))
        return any(sign in text for text in data for sign in _GRAPH_MODE)
