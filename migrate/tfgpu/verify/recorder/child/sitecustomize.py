"""Loads the recorder in a Python that a leg has started, before the program there begins.

Python imports a module of this name at its start; the folder is on its path for that only.
"""

import importlib
import importlib.util
import os
import sys

_NAME = "tfgpu_recorder"
_FOLDER = os.path.dirname(os.path.abspath(__file__))


def _load() -> None:
    recorder = os.path.dirname(_FOLDER)
    spec = importlib.util.spec_from_file_location(
        _NAME, os.path.join(recorder, "__init__.py"), submodule_search_locations=[recorder]
    )
    assert spec and spec.loader
    package = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = package
    spec.loader.exec_module(package)
    importlib.import_module(_NAME + ".children").begin()


def _give_way() -> None:
    """Let Python find the module of this name that the program's environment has, if any."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != _FOLDER]
    sys.path_importer_cache.pop(_FOLDER, None)
    this = sys.modules.pop(__name__)
    try:
        importlib.import_module(__name__)
    except ImportError:
        sys.modules[__name__] = this


_give_way()
try:
    _load()
except Exception:  # what it does on a GPU is seen in the driver's log
    sys.modules.pop(_NAME, None)
