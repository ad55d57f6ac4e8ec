"""Which files of a program's own a run of it may import or start: read from its code alone."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from tfgpu.code.parse import parse
from tfgpu.code.tree import last_name
from tfgpu.files.pyfile import SourceError
from tfgpu.files.read import read
from tfgpu.verify.notebooks import is_notebook, runnable

# A longer text is no name of a module.
_LONGEST = 200
_BY_NAME = ("import_module", "__import__", "spec_from_file_location", "load_source", "run_path")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
# A name that a run completes: "models.%s", "models.{}", f"models.{name}", "models." + name.
_BEGINNING = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\.(?:[%{].*)?")
# What starts other programs, and what of `os` does. Of a command the script is what an interpreter
# is given (Python by its name, or what the run puts there), or the command itself.
_STARTERS = ("subprocess", "pexpect", "sh")
_OF_OS = re.compile(r"(system|popen|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?)")
_SCRIPT = re.compile(
    r"(?:^\s*|(?:python\S*|%s|\{\S*\})(?:\s+-\S+)*\s+|\./)([^\s;&|]+\.py)(?=$|[\s;&|])"
)
_OPTION = "-m"


def local_files(
    script: Path, root: Path, changes: Mapping[Path, bytes | None] = MappingProxyType({})
) -> dict[Path, bool]:
    """Return a script and the modules below its root that it imports, directly or not.

    Of each it tells whether import statements lead there: the others are modules whose names stand
    in a file that imports by names of a run. `changes` are files that are to be read otherwise than
    they are (see `Prepared`).
    """
    found = {script: True}
    added: dict[Path, None] = {}
    waiting = [script]
    while waiting:
        path = waiting.pop()
        parsed = parsed_file(path, changes)
        if parsed is None:
            continue
        new = [folder for folder in _added(parsed[1], path, root) if folder not in added]
        if new:  # it is searched for what all files import
            added.update(dict.fromkeys(new))
            waiting += [one for one in found if one != path]
        folders = list(dict.fromkeys([*_folders(script, root), *added]))
        for sure, other in _imported(parsed[1], path, folders):
            certain = sure and found[path]
            if other not in found or (certain and not found[other]):
                found[other] = certain
                waiting.append(other)
    return found


def program_files(
    script: Path, root: Path, changes: Mapping[Path, bytes | None] = MappingProxyType({})
) -> dict[Path, bool]:
    """Return the files of `local_files`, and the scripts and modules that they start.

    With what those import: a program is the processes that it consists of.
    """
    found = local_files(script, root, changes)
    waiting = list(found)
    while waiting:
        path = waiting.pop()
        parsed = parsed_file(path, changes)
        if parsed is None or not _starts_programs(parsed[1]):
            continue
        folders = list(dict.fromkeys([path.parent, *_folders(script, root)]))
        for other in _started(parsed[1], folders):
            if other not in found and root in other.parents:
                new = local_files(other, root, changes)
                waiting += [one for one in new if one not in found]
                found = {**new, **found}
    return found


def _starts_programs(module: ast.Module) -> bool:
    """Tell whether a file has what starts other programs."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import) and any(one.name in _STARTERS for one in node.names):
            return True
        if isinstance(node, ast.ImportFrom):
            is_os = node.module == "os" and any(_OF_OS.fullmatch(one.name) for one in node.names)
            if node.module in _STARTERS or is_os:
                return True
        if isinstance(node, ast.Attribute) and (
            node.attr.startswith("create_subprocess_")
            or (last_name(node.value) == "os" and _OF_OS.fullmatch(node.attr))
        ):
            return True
    return False


def _started(module: ast.Module, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files that the commands in a file name: `worker.py`, `python -m package.worker`."""
    for text, before in _words(module):
        for name in [text] if before == _OPTION else _modules_in(text):
            if _DOTTED.fullmatch(name):
                yield from _files(name.split("."), folders)
        for match in _SCRIPT.finditer(text):
            for folder in folders:
                file = Path(os.path.normpath(folder / match[1].lstrip("/")))
                if file.is_file():
                    yield file


def _words(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the texts of a file but for those that are statements, with the one before it."""
    documents = {id(one.value) for one in ast.walk(module) if isinstance(one, ast.Expr)}
    before = ""
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and id(node) not in documents:
            text = node.value if isinstance(node.value, str) else ""
            if len(text) < _LONGEST and "\0" not in text:
                yield text, before
            before = text


def _modules_in(text: str) -> Iterator[str]:
    yield from (word for last, word in pairwise(text.split()) if last == _OPTION)


def parsed_file(path: Path, changes: Mapping[Path, bytes | None]) -> tuple[str, ast.Module] | None:
    """Return the text and the syntax tree of a file, of a notebook those of what is run of it."""
    try:
        data = (changes[path] if path in changes else path.read_bytes()) or b""
        text = runnable(data)[0] if is_notebook(path) else read(path.name, data).text
        return text, parse(text, str(path))
    except (OSError, SourceError, SyntaxError):
        return None


def _folders(script: Path, root: Path) -> Iterator[Path]:
    """Yield where modules are looked for: beside the script, above it, in `src`, in PYTHONPATH."""
    yield script.parent
    yield root
    yield root / "src"
    for folder in script.parents:
        if root in folder.parents:
            yield folder
    for name in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        folder = Path(name).absolute()
        if name and (folder == root or root in folder.parents):
            yield folder


def _added(module: ast.Module, path: Path, root: Path) -> Iterator[Path]:
    """Yield the folders that a file which changes sys.path names."""
    if not any(_is_path(node) for node in ast.walk(module)):
        return
    for text in _texts(module):
        for above in (path.parent, root):
            folder = Path(os.path.normpath(above / text))
            if (root == folder or root in folder.parents) and folder.is_dir():
                yield folder


def _is_path(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "path"
        and isinstance(node.value, ast.Name)
        and node.value.id == "sys"
    )


def _texts(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and 0 < len(text) < _LONGEST and "\0" not in text:
            yield text


def _imported(
    module: ast.Module, path: Path, folders: Sequence[Path]
) -> Iterator[tuple[bool, Path]]:
    """Yield the files that a file imports, and whether a statement says so."""
    by_name = False
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from ((True, file) for file in _files(alias.name.split("."), folders))
        elif isinstance(node, ast.ImportFrom):
            names = node.module.split(".") if node.module else []
            above = [path.parents[node.level - 1]] if node.level else folders
            for alias in node.names:
                yield from ((True, file) for file in _files([*names, alias.name], above))
        elif isinstance(node, ast.Call):
            by_name = by_name or last_name(node.func) in _BY_NAME
    if by_name:
        for text in _texts(module):
            yield from ((False, file) for file in _named(text, path, folders))


def _named(text: str, path: Path, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files that a text may name: a module, the beginning of one, or a path."""
    if text.endswith(".py"):
        for folder in (path.parent, *folders):
            if (folder / text).is_file():
                yield Path(os.path.normpath(folder / text))
    elif _DOTTED.fullmatch(text):
        found = list(_files(text.split("."), folders))
        # A word that happens to be the name of a folder is none.
        if any(
            file.stem == text.rpartition(".")[2] or file.name == "__init__.py" for file in found
        ):
            yield from found
    elif beginning := _BEGINNING.fullmatch(text):
        for folder in folders:
            yield from sorted(folder.joinpath(*beginning[1].split(".")).glob("*.py"))


def _files(names: Sequence[str], folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files of a dotted name: its packages, and the module if it is one."""
    for folder in folders:
        for end in range(1, len(names) + 1):
            base = folder.joinpath(*names[:end])
            for file in (base / "__init__.py", base.with_name(base.name + ".py")):
                if file.is_file():
                    yield file
