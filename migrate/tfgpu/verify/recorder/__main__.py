"""`python recorder JOB.json` runs one leg; with --forks it runs many, each in a fork."""

import importlib.util
import json
import os
import sys

NAME = "tfgpu_recorder"


def load() -> None:
    """Make this folder a package under a name that no program has, and leave sys.path alone."""
    folder = os.path.dirname(os.path.abspath(__file__))
    if sys.path and os.path.abspath(sys.path[0]) == folder:
        del sys.path[0]
    spec = importlib.util.spec_from_file_location(
        NAME, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    assert spec and spec.loader
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    load()
    if sys.argv[1] == "--forks":
        importlib.import_module(NAME + ".forks").fork_legs(*sys.argv[2:])
    else:
        with open(sys.argv[1], encoding="utf-8") as file:
            job = json.load(file)
        importlib.import_module(NAME + ".leg").run(job)
