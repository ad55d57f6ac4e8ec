"""What would let a program run further that stopped for what is missing here."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterator

from tfgpu.verify.imported import local_files, parsed_file
from tfgpu.verify.observation import Observation
from tfgpu.verify.programs import Prepared

_NO_MODULE = re.compile(r"No module named '?([\w.]+)")
_REQUIRED = re.compile(r"error: the following arguments are required: (.+)")
_FLAG = re.compile(r"[Ff]lag --(\w+)(?:=\S+)?:? (?:must|is required|Flag --)")
_NO_DATA = ("FileNotFoundError", "NotFoundError", "URLError", "OSError", "NotADirectoryError")
# Stand-ins for these would compare something else.
_NEVER = ("tensorflow", "numpy")

_FIND = """
import importlib.util, json, sys
def found(name):
    try:
        return importlib.util.find_spec(name) is not None
    except Exception:
        return False
print(json.dumps([name for name in sys.argv[1:] if not found(name)]))
"""


def missing_modules(program: Prepared, leg: Observation, python: str) -> list[str]:
    """Return the modules that a program imports and an interpreter has not, where it needs one."""
    failure = leg.failure
    found = _NO_MODULE.search(failure.message) if failure else None
    if found is None or found[1].split(".")[0] in _NEVER:
        return []
    named = found[1]
    names = dict.fromkeys(_imported(program))
    done = subprocess.run(
        [python, "-c", _FIND, *names], capture_output=True, text=True, check=False
    )
    missing = json.loads(done.stdout) if done.returncode == 0 else []
    return [named, *(name for name in missing if name != named.split(".")[0])]


def _imported(program: Prepared) -> Iterator[str]:
    """Yield the modules of others that a program imports by statements that no `try` is around."""
    files = list(local_files(program.script, program.root, program.changes))
    own = {part for path in files for part in path.relative_to(program.root).with_suffix("").parts}
    own |= {path.name for file in files for path in file.parent.iterdir() if path.is_dir()}
    for path in files:
        parsed = parsed_file(path, program.changes)
        for node in _untried(parsed[1]) if parsed else ():
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module]
            first = [name.split(".")[0] for name in names]
            yield from (name for name in first if name not in own and name not in _NEVER)


def _untried(module: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.Try):
            yield node
            waiting += ast.iter_child_nodes(node)


def lacks_data(leg: Observation) -> bool:
    """Tell whether a program stopped because a file was not there, or could not be fetched."""
    return leg.failure is not None and leg.failure.kind in _NO_DATA


def needed_arguments(leg: Observation) -> str:
    """Return the option that gives a program the arguments that it asks for, or ""."""
    if found := _REQUIRED.search(leg.stderr):
        return f"--args '{found[1].replace(',', ' ...')} ...'"
    said = leg.failure.message if leg.failure else ""
    if found := _FLAG.search(said) or _FLAG.search(leg.stderr):
        return f"--args '--{found[1]} ...'"
    if leg.failure and leg.failure.kind == "IndexError" and "argv" in leg.failure.traceback:
        return "--args '...'"
    return ""
