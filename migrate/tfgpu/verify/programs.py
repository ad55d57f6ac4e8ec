"""Which two programs a verification runs: two files, a file and its migration, or two commits."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.engine import parse
from tfgpu.files.pyfile import SourceError, decode
from tfgpu.options import Options
from tfgpu.process import Job, save
from tfgpu.program.uses import uses_tensorflow1
from tfgpu.rulebook.book import load_rulebook
from tfgpu.run import run
from tfgpu.verify.scratch import ScratchError, checkout, copy_tree, repository_of


class NothingToVerify(Exception):
    """There is nothing to compare; the message says why."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program laid out for a leg: its script in a scratch tree, and what it is written for.

    `tensorflow1` tells that it uses names that only TensorFlow 1 has; `keras` that it uses Keras.
    """

    name: str
    script: Path
    root: Path
    folder: Path
    tensorflow1: bool
    keras: bool


def two_files(before: Path, after: Path, work: Path) -> tuple[Prepared, Prepared]:
    """Lay out two programs.

    Raises:
        ScratchError: the folder of one cannot be copied.
    """
    made = []
    for path, name in ((before, "before"), (after, "after")):
        root = _root(path)
        tree = work / name
        copy_tree(root, tree)
        made.append(_prepared(str(path), tree / path.resolve().relative_to(root), tree))
    return made[0], made[1]


def migration(
    script: Path, work: Path, options: Options, changed: Mapping[Path, bytes] | None = None
) -> tuple[Prepared, Prepared]:
    """Lay out a program, and the same with its migration.

    All files of the program are migrated: the script, and what it imports from its own folder. Or,
    where they are given, `changed` are the new bytes of the files to change.

    Raises:
        ScratchError: the folder cannot be copied.
        NothingToVerify: the migration changes no file of the program.
    """
    root = _root(script)
    inside = script.resolve().relative_to(root)
    for name in ("before", "after"):
        copy_tree(root, work / name)
    before = _prepared(str(script), work / "before" / inside, work / "before")
    tree = work / "after"
    if changed is None:
        _migrate(list(local_files(tree / inside, tree)), options)
    else:
        for path, data in changed.items():
            if root not in path.resolve().parents:
                raise ScratchError(f"{path} is not below {root}, which is copied for each leg")
            (tree / path.resolve().relative_to(root)).write_bytes(data)
    return before, _prepared(str(script), tree / inside, tree)


def _migrate(paths: Sequence[Path], options: Options) -> None:
    changes = 0
    kept: list[str] = []
    failed: list[str] = []
    for result in run([str(path) for path in paths], Job(options, rewrite=True), jobs=1):
        if result.reason is None and result.new is not None:
            save(result)
            changes += 1
        if result.reason is not None:
            place = Path(result.path).name + (f":{result.line}" if result.line else "")
            failed.append(f"{place}: {result.reason}")
        kept += [f"{finding.code} {finding.name}" for finding in result.findings]
    if not changes and failed:
        raise NothingToVerify(f"the migration is not possible: {'; '.join(failed)}")
    if not changes:
        rules = ", ".join(dict.fromkeys(kept)) or "it has no GPU settings"
        raise NothingToVerify(f"the migration changes nothing: {rules} (see `tfgpu audit`)")


def since_ref(script: Path, ref: str, work: Path) -> tuple[Prepared, Prepared]:
    """Lay out a program as it was at a git ref, and as it is.

    Raises:
        ScratchError: there is no such ref, or the script was not there.
    """
    top = repository_of(script.resolve())
    inside = script.resolve().relative_to(top)
    checkout(top, ref, work / "before")
    copy_tree(top, work / "after")
    if not (work / "before" / inside).is_file():
        raise ScratchError(f"{script} did not exist at {ref}")
    here = Path.cwd()
    folder = here.relative_to(top) if top in here.parents else Path()
    (work / "before" / folder).mkdir(parents=True, exist_ok=True)
    return (
        _prepared(f"{script} at {ref}", work / "before" / inside, work / "before", folder),
        _prepared(str(script), work / "after" / inside, work / "after", folder),
    )


def _root(script: Path) -> Path:
    """Return the folder that is copied: the working directory, or the script's own folder.

    A program is mostly run from the top of its project, and reads and imports from there.
    """
    whole = script.resolve()
    here = Path.cwd()
    usable = here in whole.parents and here not in (Path.home(), Path(here.anchor))
    return here if usable else whole.parent


def _prepared(name: str, script: Path, tree: Path, folder: Path = Path()) -> Prepared:
    """Describe a program in a scratch tree that is run in a folder of it."""
    book = load_rulebook()
    tensorflow1 = keras = False
    for path in local_files(script, tree):
        parsed = _parsed(path)
        if parsed is not None:
            text, module = parsed
            names = Tree(module, text)
            tensorflow1 = tensorflow1 or uses_tensorflow1(names, Symbols(names), book)
            keras = keras or "keras" in text
    return Prepared(name, script, tree, tree / folder, tensorflow1, keras)


def local_files(script: Path, root: Path) -> Iterator[Path]:
    """Yield a script and the modules below its root that it imports, directly or not."""
    waiting = [script]
    seen = {script}
    while waiting:
        path = waiting.pop()
        yield path
        parsed = _parsed(path)
        if parsed is None:
            continue
        for found in _imported(parsed[1], path, [script.parent, root]):
            if found not in seen:
                seen.add(found)
                waiting.append(found)


def _parsed(path: Path) -> tuple[str, ast.Module] | None:
    try:
        text = decode(path.read_bytes()).text
        return text, parse(text)
    except (OSError, SourceError, SyntaxError):
        return None


def _imported(module: ast.Module, path: Path, folders: Sequence[Path]) -> Iterator[Path]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files(alias.name.split("."), folders)
        elif isinstance(node, ast.ImportFrom):
            names = node.module.split(".") if node.module else []
            above = [path.parents[node.level - 1]] if node.level else folders
            for alias in node.names:
                yield from _files([*names, alias.name], above)


def _files(names: Sequence[str], folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files of a dotted name: its packages, and the module if it is one."""
    for folder in folders:
        for end in range(1, len(names) + 1):
            base = folder.joinpath(*names[:end])
            for file in (base / "__init__.py", base.with_name(base.name + ".py")):
                if file.is_file():
                    yield file
