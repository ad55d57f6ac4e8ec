"""Which two programs a verification runs: two files, a file and its migration, or two commits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from types import MappingProxyType

from tfgpu.code.parse import parse
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.files.pyfile import SourceError, decode
from tfgpu.options import Options
from tfgpu.process import Job, Result
from tfgpu.program.uses import uses_tensorflow1
from tfgpu.rulebook.book import load_rulebook
from tfgpu.run import run
from tfgpu.verify.assumptions import Assumption
from tfgpu.verify.changed import Statement, changed_statements
from tfgpu.verify.scenarios import asked_ranks
from tfgpu.verify.scratch import ScratchError, changes_since, exists_at, repository_of

# Keras, or tf.layers, whose home is Keras 2 since TensorFlow 2.16.
_KERAS = re.compile(r"keras|\blayers\b")

_READ_AT_IMPORT = re.compile(r"TF_USE_LEGACY_KERAS|KERAS_BACKEND|TF2_BEHAVIOR|KERAS_HOME")


class NothingToVerify(Exception):
    """There is nothing to compare; the message says why."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program as a leg is to run it.

    `script` is run in `folder`; `root` holds what belongs to it. `changes` are the files that the
    leg sees otherwise than they are: new bytes, or None for one that it does not see. `statements`
    are those that the other program does not have, `assumptions` what is to be checked in its run.
    `tensorflow1` tells that it uses names that only TensorFlow 1 has; `keras` that it uses Keras.
    `ranks` are the variables with which it asks for its rank, of `scenarios.RANK_VARIABLES`;
    `early` tells that it mentions variables that TensorFlow reads when it is imported, `bridge`
    that it is for TensorFlow 1 after its migration, too.
    """

    name: str
    script: Path
    root: Path
    folder: Path
    changes: Mapping[Path, bytes | None]
    tensorflow1: bool
    keras: bool
    statements: Sequence[Statement] = ()
    assumptions: Sequence[Assumption] = ()
    ranks: frozenset[str] = frozenset()
    early: bool = False
    bridge: bool = False


def two_files(before: Path, after: Path) -> tuple[Prepared, Prepared]:
    """Return two programs that are two files."""
    first, second = (
        _prepared(str(path), path.resolve(), _root(path), {}) for path in (before, after)
    )
    if first.script == second.script:
        return first, second
    return _compared(first, second, {first.script: second.script})


def migration(
    script: Path, options: Options, results: Sequence[Result] | None = None
) -> tuple[Prepared, Prepared]:
    """Return a program, and the same with its migration.

    All files of the program are migrated: the script, and what it imports from its own folder. Or,
    where they are given, `results` are the files to change.

    Raises:
        ScratchError: a changed file is not the program's.
        NothingToVerify: the migration changes no file of the program.
    """
    root = _root(script)
    whole = script.resolve()
    before = _prepared(str(script), whole, root, {})
    if results is None:
        results = _migrated(list(local_files(whole, root)), options)
    changes = {
        Path(result.path).resolve(): result.new for result in results if result.new is not None
    }
    for path in changes:
        if root not in path.parents:
            raise ScratchError(f"{path} is not below {root}, the program's folder")
    after = _prepared(str(script), whole, root, changes)
    after = replace(after, bridge=any(result.bridge for result in results))
    return _compared(before, after, {path: path for path in changes})


def taken_back(script: Path, old: Mapping[Path, bytes]) -> tuple[Prepared, Prepared]:
    """Return a program as it was with the `old` bytes of some files, and as it is."""
    root = _root(script)
    before, after = (
        _prepared(str(script), script.resolve(), root, changes) for changes in (old, {})
    )
    return _compared(before, after, {path: path for path in old})


def change_of(before: Prepared, after: Prepared) -> str:
    """Return what is changed from one program to the other, as a diff of their files."""
    if before.script != after.script:
        pairs = [(before.script, after.script)]
    else:
        files = {*local_files(before.script, before.root, before.changes)}
        files |= {*local_files(after.script, after.root, after.changes)}
        pairs = [(path, path) for path in sorted(files)]
    lines: list[str] = []
    for mine, theirs in pairs:
        texts = (_parsed(mine, before.changes), _parsed(theirs, after.changes))
        old, new = (found[0].splitlines() if found else [] for found in texts)
        name = mine.relative_to(before.root).as_posix()
        lines += unified_diff(
            old, new, name, theirs.relative_to(after.root).as_posix(), lineterm=""
        )
    return "\n".join(lines)


def _migrated(paths: Sequence[Path], options: Options) -> list[Result]:
    """Return the files that a migration changes."""
    changes: list[Result] = []
    kept: list[str] = []
    failed: list[str] = []
    for result in run([str(path) for path in paths], Job(options, rewrite=True), jobs=1):
        if result.reason is None and result.new is not None:
            changes.append(result)
        if result.reason is not None:
            place = Path(result.path).name + (f":{result.line}" if result.line else "")
            failed.append(f"{place}: {result.reason}")
        kept += [f"{finding.code} {finding.name}" for finding in result.findings]
    if not changes and failed:
        raise NothingToVerify(f"the migration is not possible: {'; '.join(failed)}")
    if not changes:
        rules = ", ".join(dict.fromkeys(kept)) or "it has no GPU settings"
        raise NothingToVerify(f"the migration changes nothing: {rules} (see `tfgpu audit`)")
    return changes


def since_ref(script: Path, ref: str) -> tuple[Prepared, Prepared]:
    """Return a program as it was at a git ref, and as it is.

    Raises:
        ScratchError: there is no such ref, or the script was not there.
    """
    whole = script.resolve()
    top = repository_of(whole)
    changes = changes_since(top, ref)
    if not exists_at(top, ref, whole.relative_to(top).as_posix()):
        raise ScratchError(f"{script} did not exist at {ref}")
    here = Path.cwd()
    folder = here if here == top or top in here.parents else top
    before = _prepared(f"{script} at {ref}", whole, top, changes)
    after = _prepared(str(script), whole, top, {})
    imported = {*local_files(whole, top), *local_files(whole, top, changes)}
    return _compared(
        replace(before, folder=folder),
        replace(after, folder=folder),
        {path: path for path in changes if path in imported},
    )


def _compared(
    before: Prepared, after: Prepared, pairs: Mapping[Path, Path]
) -> tuple[Prepared, Prepared]:
    """Note the statements that only one of two programs has, in pairs of files."""
    helpers = [helper.code for helper in load_rulebook().helpers.values()]
    found: tuple[list[Statement], list[Statement]] = [], []
    for mine, theirs in pairs.items():
        left, right = _parsed(mine, before.changes), _parsed(theirs, after.changes)
        if left and right:
            found[0].extend(changed_statements(mine, *left, right[0], helpers))
            found[1].extend(changed_statements(theirs, *right, left[0], helpers))
    return replace(before, statements=found[0]), replace(after, statements=found[1])


def _root(script: Path) -> Path:
    """Return the folder that is copied: the working directory, or the script's own folder.

    A program is mostly run from the top of its project, and reads and imports from there.
    """
    whole = script.resolve()
    here = Path.cwd()
    usable = here in whole.parents and here not in (Path.home(), Path(here.anchor))
    return here if usable else whole.parent


def _prepared(
    name: str, script: Path, root: Path, changes: Mapping[Path, bytes | None]
) -> Prepared:
    """Describe a program that is run in its root."""
    book = load_rulebook()
    tensorflow1 = keras = early = False
    ranks: set[str] = set()
    for path in local_files(script, root, changes):
        parsed = _parsed(path, changes)
        if parsed is not None:
            text, module = parsed
            names = Tree(module, text)
            tensorflow1 = tensorflow1 or uses_tensorflow1(names, Symbols(names), book)
            keras = keras or _KERAS.search(text) is not None
            early = early or _READ_AT_IMPORT.search(text) is not None
            ranks |= asked_ranks(text)
    return Prepared(
        name,
        script,
        root,
        root,
        changes,
        tensorflow1,
        keras,
        ranks=frozenset(ranks),
        early=early,
    )


def local_files(
    script: Path, root: Path, changes: Mapping[Path, bytes | None] = MappingProxyType({})
) -> Iterator[Path]:
    """Yield a script and the modules below its root that it imports, directly or not.

    `changes` are files that are to be read otherwise than they are (see `Prepared`).
    """
    waiting = [script]
    seen = {script}
    while waiting:
        path = waiting.pop()
        yield path
        parsed = _parsed(path, changes)
        if parsed is None:
            continue
        for found in _imported(parsed[1], path, [script.parent, root]):
            if found not in seen:
                seen.add(found)
                waiting.append(found)


def _parsed(path: Path, changes: Mapping[Path, bytes | None]) -> tuple[str, ast.Module] | None:
    try:
        data = changes[path] if path in changes else path.read_bytes()
        text = decode(data or b"").text
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
