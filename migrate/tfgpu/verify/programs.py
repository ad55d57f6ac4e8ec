"""Which two programs a verification runs: two files, a file and its migration, or two commits."""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.files.patch import unified
from tfgpu.files.pyfile import SourceError
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.program.projects import by_project
from tfgpu.program.raw import uses_tensorflow1
from tfgpu.results import Result
from tfgpu.rulebook.book import load_rulebook
from tfgpu.run import run
from tfgpu.verify.arguments import takes_arguments
from tfgpu.verify.changed import Statement, changed_statements
from tfgpu.verify.imported import local_files, parsed_file, program_files
from tfgpu.verify.inputs import NEVER, hidden_defaults, is_given, lost_inputs, untaken_options
from tfgpu.verify.legs import Version
from tfgpu.verify.lists import first_of
from tfgpu.verify.looked_up import read_by_name
from tfgpu.verify.new_constants import changed_constants
from tfgpu.verify.notebooks import acts, is_notebook, runnable
from tfgpu.verify.scenarios import asked_ranks
from tfgpu.verify.scratch import ScratchError, changes_since, exists_at, repository_of
from tfgpu.verify.uses import uses_of, uses_of_values

# Keras, or tf.layers, whose home is Keras 2 since TensorFlow 2.16.
_KERAS = re.compile(r"keras|\blayers\b")
_GRAPHS = re.compile(
    r"\b(disable_v2_behavior|disable_eager_execution|[sg]et_session|(Interactive)?Session)\b"
)

_READ_AT_IMPORT = re.compile(
    "TF_USE_LEGACY_KERAS|KERAS_BACKEND|TF2_BEHAVIOR|KERAS_HOME|TF_ENABLE_ONEDNN_OPTS|keras\\.json"
)

# What the Keras of compat.v1 has, which is Keras 2, and Keras 3 has not.
_OF_KERAS_2 = re.compile(r"tensorflow\.compat\.v1\.(keras\.backend\.[sg]et_session|layers\.\w+)$")
_INSIDE_KERAS_2 = re.compile(r"tensorflow\.compat\.v1\.(keras|layers)\.")

# So many reasons for which a migration changes nothing are named.
_MOST_CODES = 3


class NothingToVerify(Exception):
    """There is nothing to compare; the message says why."""


@dataclass(frozen=True, slots=True)
class Prepared(Version):
    """A version as a leg is to run it.

    `tensorflow1` tells that it uses names that only TensorFlow 1 has; `keras` that it uses Keras,
    `keras2` that it takes what only Keras 2 has from `tensorflow.compat.v1`, `graphs` that it names
    what graphs and sessions take.
    `ranks` are the variables with which it asks for its rank, of `scenarios.RANK_VARIABLES`;
    `early` tells that it mentions what TensorFlow reads when it is imported, `bridge`
    that it is for TensorFlow 1 after its migration, too, `own_keras` that it has code with Keras
    that the other version does not have. `left_out` are the lines of IPython's that are not run,
    with their numbers; `same` says why the other version is the same text, "" where it is not.
    """

    tensorflow1: bool
    keras: bool
    keras2: bool = False
    graphs: bool = False
    ranks: frozenset[str] = frozenset()
    early: bool = False
    bridge: bool = False
    own_keras: bool = False
    left_out: Sequence[tuple[int, str]] = ()
    same: str = ""


def two_files(before: Path, after: Path) -> tuple[Prepared, Prepared]:
    """Return two programs that are two files."""
    first, second = (
        _prepared(str(path), path.resolve(), _root(path), {}) for path in (before, after)
    )
    if first.script == second.script:
        return _alike(first, second, "one file")
    return _compared(first, second, _pairs(first, second))


def module_file(module: str) -> Path:
    """Return the file that `python -m` would run from the working directory, or from `src` in it.

    Raises:
        NothingToVerify: there is none.
    """
    names = module.split(".")
    for folder in (Path.cwd(), Path.cwd() / "src"):
        base = folder.joinpath(*names)
        for file in (base.with_name(base.name + ".py"), base / "__main__.py"):
            if file.is_file():
                return file
    raise NothingToVerify(f"there is no module {module} here that could be run")


def as_module(pair: tuple[Prepared, Prepared], module: str) -> tuple[Prepared, Prepared]:
    """Return programs that are run as `python -m` runs a module."""
    before, after = (
        replace(one, module=module, name=one.name.replace(str(one.script), f"-m {module}"))
        for one in pair
    )
    return before, after


def _alike(before: Prepared, after: Prepared, reason: str) -> tuple[Prepared, Prepared]:
    """Note that two programs are one, which is run the same way on both sides."""
    return before, replace(after, same=reason, bridge=True)


def migration(
    script: Path, options: Options, results: Sequence[Result] | None = None
) -> tuple[Prepared, Prepared]:
    """Return a program, and the same with its migration.

    All files of the program are migrated: the script, and what it imports from its own folder. Or,
    where they are given, `results` are the files to change.

    Raises:
        ScratchError: a changed file is not the program's.
        NothingToVerify: the migration of the program is not possible.
    """
    root = _root(script)
    whole = script.resolve()
    before = _prepared(str(script), whole, root, {})
    if results is None:
        results, kept = _migrated(list(local_files(whole, root)), options)
        if not results:
            after = _prepared(str(script), whole, root, {})
            return _alike(before, after, f"the migration changes nothing: {kept}")
    changes = {
        Path(result.path).resolve(): result.new for result in results if result.new is not None
    }
    for path in changes:
        if root not in path.parents:
            raise ScratchError(f"{path} is not below {root}, the program's folder")
    after = _prepared(str(script), whole, root, changes)
    after = replace(after, bridge=any(result.bridge for result in results), migrated=True)
    return _compared(before, after, [(path, path) for path in changes])


def imports_of(script: Path) -> set[Path]:
    """Return a script and the files that a run of it may import, with their whole paths."""
    return {path.resolve() for path in local_files(script.resolve(), _root(script))}


def programs_among(files: Iterable[Path]) -> list[tuple[list[Path], list[Path]]]:
    """Return files in groups that are changed together, each with the scripts among them.

    A script is a file that no other one imports; those that import the same file share it.
    """
    imported = {path: imports_of(path) for path in files}
    found: list[tuple[list[Path], list[Path]]] = []
    for path, own in imported.items():
        if any(path in other and one not in own for one, other in imported.items()):
            continue
        mine = [one for one in imported if one in own]
        shared = [one for one in found if not own.isdisjoint(one[1])]
        scripts = [one for group in shared for one in group[0]] + [path]
        whole = [one for group in shared for one in group[1]] + mine
        found = [one for one in found if one not in shared]
        found.append((scripts, list(dict.fromkeys(whole))))
    return found


def users_of(script: Path, files: Iterable[Path]) -> list[Path]:
    """Return the files that import one and that no other of them imports, the likeliest first."""
    word = re.compile(rb"\b%s\b" % re.escape(script.stem).encode())
    # Most files of a large repository do not name it: the others alone are parsed.
    naming = (path for path in files if path.suffix == ".py" and word.search(path.read_bytes()))
    known = {path: imports_of(path) for path in naming if path.resolve() != script.resolve()}
    found = {path: own for path, own in known.items() if script.resolve() in own}
    inner = {one for path, own in found.items() for one in own - {path.resolve()}}
    tops = (path for path in found if path.resolve() not in inner)
    return sorted(tops, key=lambda path: ("test" in str(path), len(path.parts), str(path)))


def taken_back(script: Path, old: Mapping[Path, bytes], bridge: bool) -> tuple[Prepared, Prepared]:
    """Return a program as it was with the `old` bytes of some files, and as it is."""
    root = _root(script)
    before, after = (
        _prepared(str(script), script.resolve(), root, changes) for changes in (old, {})
    )
    return _compared(
        before, replace(after, bridge=bridge, migrated=True), [(path, path) for path in old]
    )


def with_uses(program: Prepared) -> Prepared:
    """Return a program with the statements that use what its changed statements set, as changed.

    They matter where a run stops early: what was changed may act in one that is not reached.
    """
    return replace(program, statements=uses_of(program.statements, _modules(program)))


def with_values(
    before: Prepared, after: Prepared, lists: Sequence[Sequence[str]]
) -> tuple[Prepared, Prepared]:
    """Return two programs with the statements that read plain values that were changed.

    What the second does not read any more is noted, unless some list of arguments gives it, and so
    are definitions of options that were changed where all lists give them, or none does.
    """
    modules = _modules(before), _modules(after)
    first, second = (
        replace(
            one,
            statements=[
                *uses_of_values(one.statements, found, other),
                *read_by_name(one.statements, found),
                *hidden_defaults(one.statements, found, lists),
                *untaken_options(one.statements, found, other, lists),
                *_changed_magics(one, theirs),
            ],
        )
        for one, theirs, found, other in zip(
            (before, after), (after, before), modules, modules[::-1], strict=True
        )
    )
    if after.migrated or after.same:
        return first, second
    lost = lost_inputs(before.statements, *modules)
    given = [word for words in lists for word in words]
    return first, replace(second, unread=[one for one in lost if not is_given(one, given)])


def _changed_magics(program: Prepared, other: Prepared) -> Iterator[Statement]:
    """Yield the lines of IPython's that another version does not have, and that are never run."""
    theirs = Counter(text for _, text in other.left_out)
    for line, text in program.left_out:
        theirs[text] -= 1
        if theirs[text] < 0 and acts(text):
            yield Statement(program.script, line, ("IPython, which does not run here",), part=NEVER)


def _modules(program: Prepared) -> dict[Path, ast.Module]:
    found = {path: parsed_file(path, program.changes) for path in program.files}
    return {path: parsed[1] for path, parsed in found.items() if parsed}


def change_of(before: Prepared, after: Prepared) -> str:
    """Return what is changed from one program to the other, as a diff of their files."""
    pairs: Sequence[tuple[Path | None, Path | None]]
    if before.script != after.script:
        pairs = _pairs(before, after)
    else:
        pairs = [(path, path) for path in sorted({*before.files, *after.files})]
    lines: list[bytes] = []
    for mine, theirs in pairs:
        texts = (_text_of(mine, before.changes), _text_of(theirs, after.changes))
        old, new = (found[0].encode() if found else b"" for found in texts)
        lines += unified(old, new, _name(mine, before.root), _name(theirs, after.root))
    return b"".join(lines).decode("utf-8", "replace").removesuffix("\n")


def _name(path: Path | None, root: Path) -> str | None:
    return path.relative_to(root).as_posix() if path else None


def _migrated(paths: Sequence[Path], options: Options) -> tuple[list[Result], str]:
    """Return the files that a migration changes, and what it leaves as it is."""
    changes: list[Result] = []
    kept: list[str] = []
    failed: list[str] = []
    for result in run([str(path) for path in paths], Job(options, rewrite=True), jobs=1):
        if result.reason is not None:
            place = Path(result.path).name + (f":{result.line}" if result.line else "")
            failed.append(f"{place}: {result.reason}")
        elif result.new is not None:
            changes.append(result)
        kept += [f"{finding.code} {finding.name}" for finding in result.findings]
    if not changes and failed:
        raise NothingToVerify(f"the migration is not possible: {'; '.join(failed)}")
    rules = first_of(list(dict.fromkeys(kept)), _MOST_CODES) or "it has no GPU settings"
    return changes, f"{rules} (see `tfgpu audit`)"


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
    before = _prepared(f"{script} at {ref}", whole, top, changes)
    after = _prepared(str(script), whole, top, {})
    own = {*before.files, *after.files}
    pairs = [(path, path) for path in changes if path in own]
    if not pairs:
        return _alike(before, after, f"no Python file of the program has changed since {ref}")
    return _compared(before, after, pairs)


def _compared(
    before: Prepared, after: Prepared, pairs: Sequence[tuple[Path | None, Path | None]]
) -> tuple[Prepared, Prepared]:
    """Note the statements that only one of two programs has, in pairs of files."""
    helpers = [helper.code for helper in load_rulebook().helpers.values()]
    found: tuple[list[Statement], list[Statement]] = [], []
    sure = {**before.files, **after.files}
    own_keras = False
    constants: list[str] = []
    for mine, theirs in pairs:
        left, right = _text_of(mine, before.changes), _text_of(theirs, after.changes)
        if not left or not right:
            continue
        if theirs and not after.migrated:
            found_here = changed_constants(left[1], right[1])
            constants += [f"{theirs.name}:{line}: {text}" for line, text in found_here]
        for number, (path, this, other) in enumerate(((mine, left, right), (theirs, right, left))):
            if path:
                changed = changed_statements(path, *this, other[0], helpers)
                by_name = not sure.get(path, True)
                found[number].extend(replace(one, by_name=by_name) for one in changed)
                own_keras = own_keras or (number == 1 and _name_keras(changed, *this))
    return (
        replace(before, statements=found[0]),
        replace(after, statements=found[1], own_keras=own_keras, new_constants=constants),
    )


def _needs_keras_2(tree: Tree) -> bool:
    """Tell whether a file takes from `tensorflow.compat.v1` what Keras 3 has not."""
    if any(_INSIDE_KERAS_2.match(item.path) for item in tree.imports):
        return True
    symbols = Symbols(tree)
    return any(
        _OF_KERAS_2.match(path)
        for node in ast.walk(tree.module)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute)
        if node.attr in ("get_session", "set_session") or node.value.attr == "layers"
        for path in symbols.paths(node)
    )


def _name_keras(statements: Sequence[Statement], text: str, module: ast.Module) -> bool:
    """Tell whether statements of a file, without those inside of them, use Keras."""
    tree = Tree(module, text)
    symbols = Symbols(tree)
    places = {(one.line, one.column) for one in statements}
    waiting: list[ast.AST] = [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.stmt) and (node.lineno, node.col_offset) in places
    ]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom) and _KERAS.search(ast.unparse(node)):
            return True
        if isinstance(node, ast.Name | ast.Attribute) and any(
            _KERAS.search(path) for path in symbols.paths(node)
        ):
            return True
        waiting += [item for item in ast.iter_child_nodes(node) if not isinstance(item, ast.stmt)]
    return False


def _pairs(before: Prepared, after: Prepared) -> list[tuple[Path | None, Path | None]]:
    """Return the pairs of corresponding files of two programs; None for a missing one.

    They have the same place as seen from the scripts. What both programs import is the same.
    """
    mine = set(before.files) - {before.script}
    theirs = set(after.files) - {after.script}
    found: list[tuple[Path | None, Path | None]] = [(before.script, after.script)]
    for path in sorted(mine - theirs):
        other = Path(os.path.relpath(path, before.script.parent))
        other = Path(os.path.normpath(after.script.parent / other))  # links are kept
        found.append((path, other if other in theirs else None))
    known = {other for _, other in found} | mine
    return found + [(None, path) for path in sorted(theirs - known)]


def _text_of(
    path: Path | None, changes: Mapping[Path, bytes | None]
) -> tuple[str, ast.Module] | None:
    """Return the text of a file and what it is parsed to, nothing of no file."""
    return ("", ast.Module([], [])) if path is None else parsed_file(path, changes)


def _root(script: Path) -> Path:
    """Return the folder with a program's files: the working directory, or the script's own folder.

    A program is mostly run from the top of its project, and reads and imports from there. One that
    is run from another folder of its project has the files of the project.
    """
    whole = script.resolve()
    here = Path.cwd()
    if here in whole.parents and here not in (Path.home(), Path(here.anchor)):
        return here
    project = Path(next(iter(by_project([str(whole)], [str(whole)]))))
    return project if project in here.parents else whole.parent


def _folder(root: Path) -> Path:
    """Return the working directory of a program: that of the user, where its files are."""
    here = Path.cwd()
    return here if here == root or root in here.parents else root


def _prepared(
    name: str, script: Path, root: Path, changes: Mapping[Path, bytes | None]
) -> Prepared:
    """Describe a program."""
    book = load_rulebook()
    source: str | None = None
    left_out: list[tuple[int, str]] = []
    if is_notebook(script):
        try:
            source, left_out = runnable(changes.get(script) or script.read_bytes())
        except SourceError as error:
            raise NothingToVerify(f"{name} cannot be run: {error}") from None
    parsed = [parsed_file(path, changes) for path in local_files(script, root, changes)]
    texts = [one[0] for one in parsed if one]
    trees = [Tree(module, text) for text, module in filter(None, parsed)]
    return Prepared(
        name,
        script,
        root,
        _folder(root),
        tensorflow1=any(uses_tensorflow1(tree, Symbols(tree), book) for tree in trees),
        keras=any(map(_KERAS.search, texts)),
        keras2=any(_needs_keras_2(tree) for tree in trees),
        graphs=any(map(_GRAPHS.search, texts)),
        ranks=frozenset().union(*map(asked_ranks, texts)),
        takes_arguments=takes_arguments(texts),
        early=any(map(_READ_AT_IMPORT.search, texts)),
        changes=changes,
        files=program_files(script, root, changes),
        source=source,
        left_out=left_out,
    )
