"""Tells when a package has been imported, before its importer gets it."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any


class _Finder:
    """Finds the package as the others would, and loads it under watch."""

    def __init__(self, name: str, observer: Any) -> None:
        self._name = name
        self._observer = observer
        self._inside = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> Any:
        if name != self._name or self._inside:
            return None
        self._inside = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._inside = False
        if spec and spec.loader:
            watched: Any = _Loader(spec.loader, self._observer)
            spec.loader = watched
        return spec


class _Loader:
    """Loads a module, then hands it to the observer, which may put another in its place."""

    def __init__(self, loader: Any, observer: Any) -> None:
        self._loader = loader
        self._observer = observer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: Any) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._observer.before_import()
        self._loader.exec_module(module)
        sys.modules[module.__name__] = self._observer.imported(module)


def when_imported(name: str, observer: Any) -> None:
    """Call `observer.before_import()` and `observer.imported(module)` around a package's import.

    The module that `imported` returns is what the program gets. Where the package is there already
    (in the fork of a server), only the second call is made, at once.
    """
    if name in sys.modules:
        sys.modules[name] = observer.imported(sys.modules[name])
    else:
        sys.meta_path.insert(0, _Finder(name, observer))


def see_module(name: str, see: Callable[[Any], None]) -> None:
    """Let a function see a module, now or once it is imported."""
    when_imported(name, _Seen(see))


class _Seen:
    def __init__(self, see: Callable[[Any], None]) -> None:
        self._see = see

    def before_import(self) -> None:
        """Do nothing."""

    def imported(self, module: ModuleType) -> ModuleType:
        """Let the function see the module, which stays what it is."""
        with contextlib.suppress(AttributeError):  # a version that has other names
            self._see(module)
        return module
