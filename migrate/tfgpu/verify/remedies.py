"""What would let a program run further that stopped for what is missing here."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tfgpu.verify.imported import local_files, parsed_file
from tfgpu.verify.observation import Observation
from tfgpu.verify.programs import Prepared

if TYPE_CHECKING:
    from tfgpu.verify.verification import Settings

_NO_MODULE = re.compile(r"No module named '?([\w.]+)")
_REQUIRED = re.compile(r"error: the following arguments are required: (.+)")
_FLAG = re.compile(r"[Ff]lag --(\w+)(?:=\S+)?:? (?:must|is required|Flag --)")
_USAGE = re.compile(r"^usage: ", re.M)
_NO_DATA = ("FileNotFoundError", "NotFoundError", "URLError", "OSError", "NotADirectoryError")
_PYTHON = "--python PYTHON_WITH_TENSORFLOW_1.15"
# What a program of version 1 needs that is not for it after its migration.
_CONTRIB = "--stub tensorflow.contrib"
# The folders above a script that may have its package: of so many levels.
_ABOVE = 4
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


_Side = tuple[Prepared, Observation, str]


def what_to_add(before: _Side, after: _Side, tried: Settings) -> str:
    """Return all options at once with which two programs may get further, or "".

    Each comes with what it showed and the interpreter that it ran on; `tried` is what was given.
    """
    sides = (before, after)
    legs = [leg for _, leg, _ in sides]
    if all(leg.reached or leg.ended in ("end", "steps") for leg in legs):
        return ""
    for program, leg, _ in sides:
        if folder := _folder_to_search(program, leg):
            return f"PYTHONPATH={shlex.quote(str(folder))} in front of the command"
    blocked = [leg for leg in legs if leg.ended == "blocked" and not leg.reached]
    version1 = [_PYTHON if after[0].bridge else _CONTRIB] if blocked else []
    version1 = [option for option in version1 if option.split()[-1] not in tried.stubs]
    stubs = dict.fromkeys(
        name
        for program, leg, path in sides
        for name in missing_modules(program, leg, path)
        if name not in tried.stubs
    )
    arguments = next(filter(None, map(needed_arguments, legs)), "") if not tried.argv else ""
    needs_data = not tried.synthetic and (stubs or any(map(lacks_data, legs)))
    if not (version1 or stubs or arguments or needs_data) and tried.until:
        stubs = dict.fromkeys(
            name for program, leg, _ in sides for name in _own_modules(program, leg)
        )
        needs_data = not tried.synthetic and any(leg.failure for leg in legs)
    found = [
        *(["--until session"] if not tried.until else []),
        *(["--synthetic-data"] if needs_data else []),
        *(f"--stub {name}" for name in stubs),
        *([arguments] if arguments else []),
        *version1,
    ]
    return " ".join(found)


def _folder_to_search(program: Prepared, leg: Observation) -> Path | None:
    """Return the folder above a script that has the module which an import did not find.

    It lies in the project, or the script in the module: a folder of this name may be any data.
    """
    found = _NO_MODULE.search(leg.failure.message) if leg.failure else None
    if found is None or leg.failure is None or leg.failure.kind != "ModuleNotFoundError":
        return None
    first = found[1].split(".")[0]
    for above in program.script.parents[1:_ABOVE]:
        package = above / first
        own = package in program.script.parents or above.is_relative_to(program.root)
        if own and (package.is_dir() or package.with_suffix(".py").is_file()):
            return above
    return None


def _own_modules(program: Prepared, leg: Observation) -> Iterator[str]:
    """Yield the innermost module of the program's own that failed, and nothing of it is changed."""
    changed = {path.stem for path in program.changes} | {
        one.path.stem for one in program.statements
    }
    names = leg.failure.modules if leg.failure and not leg.reached else ()
    for name in reversed(names):
        if name != "__main__" and name.split(".")[-1] not in changed:
            yield name
            return


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
    return list(dict.fromkeys([*(name for name in missing if name != named), named]))


def _imported(program: Prepared) -> Iterator[str]:
    """Yield the modules that a program imports by statements that no `try` is around.

    They are those of others, and parts of its own packages that are not there: compiled ones.
    """
    files = list(local_files(program.script, program.root, program.changes))
    own = {part for path in files for part in path.relative_to(program.root).with_suffix("").parts}
    own |= {path.name for file in files for path in file.parent.iterdir() if path.is_dir()}
    folders = {
        parent for path in files for parent in path.parents if program.root in parent.parents
    }
    for path in files:
        parsed = parsed_file(path, program.changes)
        for node in _untried(parsed[1]) if parsed else ():
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module]
            for name in names:
                first = name.split(".")[0]
                if first not in own and first not in _NEVER:
                    yield first
                elif first in own and _lacks(name, [*folders, program.root]):
                    yield name


def _lacks(name: str, folders: Sequence[Path]) -> bool:
    """Tell whether a package is there, and the module in it is not."""
    *parents, last = name.split(".")
    packages = [folder.joinpath(*parents) for folder in folders] if parents else []
    there = [folder for folder in packages if folder.is_dir()]
    return bool(there) and not any(
        (folder / last).is_dir() or any(folder.glob(f"{last}.*")) for folder in there
    )


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
        return f"--args '{' '.join(map(_with_value, found[1].split(', ')))}'"
    said = leg.failure.message if leg.failure else ""
    if found := _FLAG.search(said) or _FLAG.search(leg.stderr):
        return f"--args '{_with_value('--' + found[1])}'"
    if leg.failure and leg.failure.kind == "IndexError" and "argv" in leg.failure.traceback:
        return "--args 'ARGUMENTS'"
    is_told = leg.ended == "exit" and _USAGE.search(leg.stdout + leg.stderr)
    return "--args 'ARGUMENTS'" if is_told else ""


def _with_value(argument: str) -> str:
    """Return an argument that a program asks for with a value, or a value alone."""
    option = argument.rsplit("/", maxsplit=1)[-1]
    value = option.strip("-").upper()
    return f"{option} {value}" if option.startswith("-") else value
