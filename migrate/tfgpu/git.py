"""What git knows of files: lines that changed against a commit, changes that are not committed."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tfgpu.dataclass import dataclass

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
# Settings of the user's that would change the form of a diff.
_PLAIN = (
    "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/",
    "--ignore-submodules=all",
)  # fmt: skip
# A repository's own configuration can name commands, which reading it is not to run.
_QUIET = {
    "core.quotePath": "false",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "safe.bareRepository": "explicit",
}
_NO_FETCH = {"protocol.allow": "never"}
# What names a repository: git sets these for its hooks, which may ask for files of another one.
_OF_ONE_REPOSITORY = frozenset({
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE",
})  # fmt: skip


class GitError(Exception):
    """Git is not there, this is no repository, or git refuses; the text says which."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Lines that changed, by file (absolute, without links); None is all lines."""

    top: Path
    lines: Mapping[Path, list[range] | None]

    def holds(self, path: str) -> bool:
        """Tell whether a file belongs to the repository, so that its changes are known."""
        return Path(path).resolve().is_relative_to(self.top)

    def any_in(self, path: str) -> bool:
        """Tell whether anything changed in a file."""
        found = self.lines.get(Path(path).resolve(), [])
        return found is None or bool(found)

    def touch(self, path: str, first: int, last: int) -> bool:
        """Tell whether one of some lines of a file changed."""
        found = self.lines.get(Path(path).resolve(), [])
        return found is None or any(lines.start <= last and first < lines.stop for lines in found)


def changes_since(ref: str, folder: Path) -> Changes:
    """Return the lines that changed since a commit parted from the history of another, `ref`.

    What is not committed, and files that git does not know yet, belong to the changes.

    Raises:
        GitError: the folder is in no repository, or there is no such commit.
    """
    top = Path(os.fsdecode(run_git(folder, "rev-parse", "--show-toplevel").rstrip(b"\n"))).resolve()
    try:
        commit = run_git(top, "rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")
    except GitError as error:
        raise GitError(f"{ref!r} is no commit in the repository of {folder}") from error
    name = commit.decode().strip()
    diff = run_git(top, "diff", "-U0", "--merge-base", "--no-renames", *_PLAIN, name)
    lines: dict[Path, list[range] | None] = {}
    for path, changed in _changed(diff):
        lines[top / path] = changed
    new = run_git(top, "ls-files", "--others", "--exclude-standard", "-z")
    for untracked in new.split(b"\0")[:-1]:
        lines[top / os.fsdecode(untracked)] = None
    return Changes(top, lines)


def _changed(diff: bytes) -> Iterator[tuple[str, list[range]]]:
    """Yield the files of a diff with their new lines."""
    lines = iter(diff.split(b"\n"))
    found: list[range] = []
    for line in lines:
        if line.startswith(b"+++ "):
            found = []
            name = _unquoted(line[4:])
            if name != b"/dev/null":
                yield os.fsdecode(name.removeprefix(b"b/")), found
        hunk = _HUNK.match(line)
        if hunk is not None:
            old, start, new = (1 if part is None else int(part) for part in hunk.groups())
            if new:
                found.append(range(start, start + new))
            for _ in range(old + new):
                # Lines of the files, which may look like anything.
                if next(lines).startswith(b"\\"):
                    next(lines)


def _unquoted(name: bytes) -> bytes:
    """Return the name of a file as it is: git quotes odd ones as C does."""
    name = name.removesuffix(b"\t")
    if not name.startswith(b'"'):
        return name
    found: bytes = ast.literal_eval("b" + name.decode("ascii"))
    return found


def uncommitted(paths: Iterable[str]) -> list[str]:
    """Return the files with changes that git has not; files outside of repositories have none.

    Raises:
        GitError: a repository cannot be asked.
    """
    found = []
    for top, files in _by_top(paths).items():
        changed = _status(top) if top is not None else {}
        found += [path for resolved, path in files if resolved in changed]
    return found


def unstaged(paths: Iterable[str]) -> dict[str, bool]:
    """Return the files that git's index does not hold as they are, and whether it holds them.

    Raises:
        GitError: a repository cannot be asked.
    """
    found: dict[str, bool] = {}
    for top, files in _by_top(paths).items():
        changed, held = {}, set[Path]()
        if top is not None:
            changed = _status(top)
            held = {top / os.fsdecode(name) for name in run_git(top, "ls-files", "-z").split(b"\0")}
        for resolved, path in files:
            if resolved not in held or changed.get(resolved, b" ") != b" ":
                found[path] = resolved in held
    return found


def _by_top(paths: Iterable[str]) -> dict[Path | None, list[tuple[Path, str]]]:
    """Return files without links, and as they are named, by the top of their repository."""
    found: dict[Path | None, list[tuple[Path, str]]] = {}
    for path in paths:
        resolved = Path(path).resolve()
        top = next((folder for folder in resolved.parents if (folder / ".git").exists()), None)
        found.setdefault(top, []).append((resolved, path))
    return found


def _status(top: Path) -> dict[Path, bytes]:
    """Return the files of a repository that differ from its last commit, or are not in it.

    Each with the letter that git has for it against the index: a blank where it is as it is there.
    """
    output = run_git(
        top, "status", "--porcelain", "-z", "--no-renames",
        "--untracked-files=all", "--ignore-submodules=all",
    )  # fmt: skip
    return {top / os.fsdecode(entry[3:]): entry[1:2] for entry in output.split(b"\0")[:-1]}


def run_git(folder: Path, *arguments: str, trusted: bool = False) -> bytes:
    """Run git in a folder, so that it changes no file and no index; return what it prints.

    In a `trusted` repository it runs filters (Git LFS), without which files that have one look
    changed, and fetches what a partial clone lacks.

    Raises:
        GitError: git cannot be run, or says no.
    """
    settings = _QUIET if trusted else {**_QUIET, **_NO_FETCH, **_no_filters(folder)}
    if arguments[0] != "diff":
        return _run(folder, settings, *arguments)
    # A diff writes an index anew in which the times of files are old. The copy keeps its own time:
    # git looks at the content of files that are not older than their index.
    place = _run(folder, settings, "rev-parse", "--git-path", "index")
    index = folder / os.fsdecode(place).rstrip("\n")
    with TemporaryDirectory(prefix="tfgpu-") as scratch:
        copy = Path(scratch, "index")
        if index.exists():
            shutil.copy2(index, copy)
        return _run(folder, settings, *arguments, index=copy)


def _no_filters(folder: Path) -> dict[str, str]:
    """Return the settings that switch off the filters of a repository's own configuration."""
    scopes = "local", "worktree"
    try:
        listed = _run(
            folder, _QUIET, "config", "--show-scope", "--name-only", "-z", "--get-regexp",
            r"^filter\..*\.(clean|smudge|process|required)$",
        )  # fmt: skip
    except GitError:  # there are none
        return {}
    words = map(os.fsdecode, listed.split(b"\0"))
    return {
        key: "false" if key.endswith(".required") else ""
        for scope, key in zip(words, words, strict=False)
        if scope in scopes
    }


def _run(
    folder: Path, settings: Mapping[str, str], *arguments: str, index: Path | None = None
) -> bytes:
    """Run git with settings that go before those of its files, and return what it prints."""
    environment = {**_environment(folder), "GIT_OPTIONAL_LOCKS": "0"}
    if index is not None:
        environment["GIT_INDEX_FILE"] = str(index)
    first = int(environment.get("GIT_CONFIG_COUNT") or 0)
    for number, (key, value) in enumerate(settings.items(), first):
        environment[f"GIT_CONFIG_KEY_{number}"] = key
        environment[f"GIT_CONFIG_VALUE_{number}"] = value
    environment["GIT_CONFIG_COUNT"] = str(first + len(settings))
    try:
        done = _process(folder, environment, *arguments)
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror or error}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(said[-1] if said else f"git {arguments[0]} failed")
    return done.stdout


def _environment(folder: Path) -> Mapping[str, str]:
    """Return the environment for git in a folder.

    Without what names another repository: in a hook of the repository around a submodule, git would
    look there for the files of the submodule, and find no changes.
    """
    if _OF_ONE_REPOSITORY.isdisjoint(os.environ):
        return os.environ
    alone = no_repository_named()
    own = _git_folder(folder, alone)
    return alone if own and own != _git_folder(Path(), os.environ) else os.environ


def no_repository_named() -> dict[str, str]:
    """Return the environment without what names a repository."""
    return {name: text for name, text in os.environ.items() if name not in _OF_ONE_REPOSITORY}


def _git_folder(folder: Path, environment: Mapping[str, str]) -> bytes:
    """Return where the repository of a folder keeps its own files; nothing where there is none."""
    try:
        return _process(folder, environment, "rev-parse", "--absolute-git-dir").stdout
    except OSError:
        return b""


def _process(
    folder: Path, environment: Mapping[str, str], *arguments: str
) -> subprocess.CompletedProcess[bytes]:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
