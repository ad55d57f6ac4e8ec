"""Run tfgpu over real TF1-era code and count what it converts, keeps, breaks and crashes on.

Usage, from the repository root: ``python -m benchmarks.corpus benchmarks/corpus.txt``, or with
folders in place of the list. The packages come through pip, so from whatever index pip is
configured with; none of their code is run. With ``--count`` nothing is written but diffs: it counts
which configs convert by safe fixes, and which on assumptions.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tfgpu.files.patch import unified
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.report.text import diff
from tfgpu.results import ConfigResult
from tfgpu.rulebook.book import load_rulebook
from tfgpu.run import run as analysed

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = (".py", ".ipynb")
TIMEOUT = 1800  # seconds, for one run of pip or tfgpu
COLUMNS = (
    "packages",
    ".py files",
    "configs",
    "no equivalent",
    "converted",
    "kept",
    "failed files",
    "changed files",
    "broken files",
    "unstable",
    "crashes",
)

# pip asks an sdist for its metadata, and old setup.py files fail at that. This build backend takes
# setuptools' place and answers from the PKG-INFO that every sdist holds, without running setup.py.
BACKEND = """
import email, os, shutil, sys

def get_requires_for_build_wheel(config_settings=None):
    return []

def prepare_metadata_for_build_wheel(folder, config_settings=None):
    with open("PKG-INFO", encoding="utf-8") as file:
        info = email.message_from_file(file)
    name = info["Name"].replace("-", "_") + "-" + info["Version"] + ".dist-info"
    os.mkdir(os.path.join(folder, name))
    shutil.copy("PKG-INFO", os.path.join(folder, name, "METADATA"))
    return name

__legacy__ = sys.modules[__name__]
"""


class Crash(Exception):
    """A run of tfgpu that ended in a traceback, an undocumented exit code or unreadable output."""


def sources(archive: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the path and the bytes of each .py file and notebook in a wheel or an sdist."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                if name.endswith(SUFFIXES):
                    yield PurePosixPath(name), wheel.read(name)
        return
    with tarfile.open(archive) as sdist:
        for member in sdist:
            file = sdist.extractfile(member) if member.isfile() else None
            if file is not None and member.name.endswith(SUFFIXES):
                yield PurePosixPath(member.name), file.read()


def fetch(requirement: str, tree: Path) -> str:
    """Put the sources of a pinned package into a folder, unless they are there already.

    Args:
        requirement: `name==version`, then options for `pip download`.
        tree: the folder; a stamp beside it says which requirement it holds.

    Returns:
        An empty string, or why the package cannot be had.
    """
    stamp = tree.with_name(f"{tree.name}.requirement")
    if tree.is_dir() and stamp.is_file() and stamp.read_text(encoding="utf-8") == requirement:
        return ""
    tree.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=tree.parent) as folder:
        temporary = Path(folder)
        backend = temporary / "path" / "setuptools"
        backend.mkdir(parents=True)
        (backend / "__init__.py").touch()
        (backend / "build_meta.py").write_text(BACKEND, encoding="utf-8")
        got = temporary / "got"
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--use-pep517"]
        pip += ["--no-build-isolation", "--ignore-requires-python", "--dest", f"{got}"]
        try:
            run = subprocess.run(
                [*pip, *shlex.split(requirement)],
                env={**os.environ, "PYTHONPATH": f"{backend.parent}"},
                capture_output=True,
                text=True,
                timeout=TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"pip took more than {TIMEOUT} s"
        if run.returncode:
            errors = [line for line in run.stderr.splitlines() if line.startswith("ERROR:")]
            return errors[-1] if errors else f"pip ended with {run.returncode}"
        new = temporary / "new"
        try:
            for path, data in sources(next(got.iterdir())):
                if path.is_absolute() or ".." in path.parts:
                    return f"the archive holds the unsafe path {path}"
                target = new / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
        except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
            return f"cannot unpack: {error}"
        if not new.is_dir():
            return "the archive holds no Python file"
        shutil.rmtree(tree, ignore_errors=True)
        new.rename(tree)
    stamp.write_text(requirement, encoding="utf-8")
    return ""


def tfgpu(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the tfgpu of this repository.

    Raises:
        Crash: it ended in a traceback, in an exit code other than 0, 1 and 2, or not in time.
    """
    command = [sys.executable, "-m", "tfgpu", *arguments]
    try:
        run = subprocess.run(
            command,
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Crash(f"{shlex.join(command)}: more than {TIMEOUT} s") from error
    if run.returncode not in (0, 1, 2) or "Traceback (most recent call last)" in run.stderr:
        raise Crash(f"{shlex.join(command)}: exit code {run.returncode}\n{run.stderr[-2000:]}")
    return run


def audit(tree: Path) -> tuple[Counter[str], list[dict[str, str | None]]]:
    """Return the numbers of an audit's summary, and what it says about each config.

    Raises:
        Crash: the audit crashed or printed no summary.
    """
    run = tfgpu("audit", f"{tree}", "--format", "json")
    try:
        document = json.loads(run.stdout)
        summary = {key: value for key, value in document["summary"].items() if type(value) is int}
        configs = [config for file in document["files"] for config in file["configs"]]
    except (ValueError, KeyError, TypeError) as error:
        raise Crash(f"audit of {tree.name}: no JSON summary ({error!r})\n{run.stderr}") from error
    return Counter(summary), configs


def code_of(path: Path, data: bytes) -> list[str | bytes]:
    """Return the pieces of code in a file: all of a .py file, or each code cell of a notebook."""
    if path.suffix == ".py":
        return [data]
    cells = json.loads(data).get("cells", [])
    return ["".join(cell.get("source", "")) for cell in cells if cell.get("cell_type") == "code"]


def broken(path: Path, before: bytes, after: bytes) -> bool:
    """Tell whether a piece of code that this Python compiled before no longer compiles."""
    try:
        old = code_of(path, before)
    except ValueError:
        return False
    try:
        new = code_of(path, after)
    except ValueError:
        return True
    for was, now in zip(old, new, strict=False):
        try:
            ast.parse(was)
        except (SyntaxError, ValueError):
            continue
        try:
            compile(now, path.name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return True
    return len(new) < len(old)


def check(
    tree: Path, flags: list[str], diffs: Path | None
) -> tuple[Counter[str], list[dict[str, str | None]]]:
    """Migrate a copy of a package and count what happened.

    Args:
        tree: the package's sources, which stay as they are.
        flags: options for every run of `tfgpu migrate`.
        diffs: folder that receives the unified diff of each changed file.

    Returns:
        Counts by column, and what the audit says about the configs that are left.
    """
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    counts = Counter({"packages": 1, ".py files": sum(path.suffix == ".py" for path in files)})
    kept: list[dict[str, str | None]] = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / tree.name
        shutil.copytree(tree, copy)
        try:
            found, _ = audit(copy)
            counts["configs"] = found["configs_found"]
            counts["failed files"] = found["files_failed"]
            tfgpu("migrate", f"{copy}", "--write", *flags)
            left, kept = audit(copy)
            counts["kept"] = left["configs_found"]
            counts["no equivalent"] = sum(config["none_by"] is not None for config in kept)
            counts["converted"] = found["configs_found"] - left["configs_found"]
            once = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
            again = tfgpu("migrate", "--check", f"{copy}", *flags).returncode == 1
            tfgpu("migrate", f"{copy}", "--write", *flags)
            again = again or any(path.read_bytes() != data for path, data in once.items())
            counts["unstable"] = int(again)
        except Crash as crash:
            counts["crashes"] += 1
            print(crash, file=sys.stderr)
        for path in files:
            name = path.relative_to(tree)
            before, after = path.read_bytes(), (copy / name).read_bytes()
            if before == after:
                continue
            counts["changed files"] += 1
            if broken(path, before, after):
                counts["broken files"] += 1
                print(f"{tree.name}/{name}: no longer compiles", file=sys.stderr)
            if diffs is not None:
                target = diffs / tree.name / f"{name}.diff"
                target.parent.mkdir(parents=True, exist_ok=True)
                label = name.as_posix()
                target.write_bytes(b"".join(unified(before, after, label, label)))
    return counts, kept


def decided(tree: Path, options: Options, diffs: Path | None) -> list[ConfigResult]:
    """Return what is decided on each config of a tree; write diffs where a folder for them is."""
    found: list[ConfigResult] = []
    for result in analysed([f"{tree}"], Job(options, rewrite=diffs is not None), jobs=1):
        found += result.configs
        if diffs is not None and result.new_text is not None:
            target = diffs / tree.name / f"{Path(result.path).relative_to(tree)}.diff"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(b"".join(diff(result)))
    return found


def count_decisions(trees: list[Path], diffs: Path | None) -> None:
    """Print how many configs of each tree convert, and what keeps the others."""
    ways = {"safe": Options(), "assumed": Options(unsafe_fixes=True)}
    totals: Counter[str] = Counter()
    reasons: Counter[tuple[str, str]] = Counter()
    print("| tree | configs | no equivalent | safe | assumed | kept |")
    print("|---|--:|--:|--:|--:|--:|")
    for tree in trees:
        row: Counter[str] = Counter()
        for way, options in ways.items():
            found = decided(tree, options, diffs and diffs / way)
            row[way] = sum(config.kept_by is None for config in found)
            kept = [config for config in found if config.kept_by is not None]
            reasons.update((way, f"{config.kept_by}") for config in kept)
            row["configs"], row["kept"] = len(found), len(kept)
            row["none"] = sum(config.none_by is not None for config in kept)
        totals.update(row)
        cells = (row[key] for key in ("configs", "none", "safe", "assumed", "kept"))
        print(f"| {tree.name} |", " | ".join(map(str, cells)), "|", flush=True)
    cells = (totals[key] for key in ("configs", "none", "safe", "assumed", "kept"))
    print("| **all** |", " | ".join(f"**{cell}**" for cell in cells), "|")
    print("\n| kept by | with safe fixes | with assumptions |\n|---|--:|--:|")
    codes = {code: reasons["safe", code] for _, code in reasons}
    for code in sorted(codes, key=lambda code: (-codes[code], code)):
        print(f"| {code} {name_of(code)} | {codes[code]} | {reasons['assumed', code]} |")


def name_of(code: str) -> str:
    """Return the readable name of a rule."""
    rule = load_rulebook().find(code)
    return rule.name if rule is not None else ""


def inputs(paths: list[Path], cache: Path) -> Iterator[tuple[str, Path, str]]:
    """Yield the label of each package, the folder of its sources, and why there are none."""
    for path in paths:
        if path.is_dir():
            yield path.name, path.resolve(), ""
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            requirement = line.partition("#")[0].strip()
            if requirement:
                pin = requirement.split()[0]
                tree = cache.resolve() / "src" / pin.partition("==")[0]
                yield pin, tree, fetch(requirement, tree)


def main() -> int:
    """Check every package of a list and print Markdown tables.

    Returns:
        1 when a package cannot be had, crashes tfgpu, breaks, or changes again in a second run.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "paths", type=Path, nargs="+", help="name==version [pip options], one a line; or folders"
    )
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    cache = Path(home) / "tfgpu-corpus"
    parser.add_argument("--cache", type=Path, default=cache, help="folder for the sources")
    parser.add_argument("--diffs", type=Path, help="write each changed file's diff below here")
    parser.add_argument("--unsafe-fixes", action="store_true", help="passed to tfgpu migrate")
    parser.add_argument("--count", action="store_true", help="count decisions, by folder")
    options = parser.parse_args()
    if options.count:
        count_decisions([path.resolve() for path in options.paths], options.diffs)
        return 0
    warnings.simplefilter("ignore", SyntaxWarning)
    warnings.simplefilter("ignore", DeprecationWarning)
    flags = ["--unsafe-fixes"] if options.unsafe_fixes else []
    totals: Counter[str] = Counter()
    kept: list[dict[str, str | None]] = []
    print("| package |", " | ".join(COLUMNS[1:]), "|")
    print("|---|" + "--:|" * (len(COLUMNS) - 1))
    for label, tree, problem in inputs(options.paths, options.cache):
        if problem:
            totals["missing"] += 1
            cells = " |" * (len(COLUMNS) - 2)
            print(f"| {label} | cannot be had: {problem} |{cells}", flush=True)
            continue
        counts, left = check(tree, flags, options.diffs)
        totals.update(counts)
        kept += left
        print(f"| {label} |", " | ".join(f"{counts[key]}" for key in COLUMNS[1:]), "|", flush=True)
    row = " | ".join(f"**{totals[key]}**" for key in COLUMNS[1:])
    print(f"| **{totals['packages']} packages** | {row} |")
    print("\n| kept by reason | configs | no equivalent |\n|---|--:|--:|")
    for reason, count in Counter(f"{config['kept_by']}" for config in kept).most_common():
        none = sum(config["none_by"] is not None for config in kept if config["kept_by"] == reason)
        print(f"| {reason} {name_of(reason)} | {count} | {none} |")
    possible = totals["configs"] - totals["no equivalent"]
    share = totals["converted"] / max(possible, 1)
    print(f"\n{possible} configs may have an equivalent in tf.config, {share:.0%} are converted.")
    return int(any(totals[key] for key in ("missing", "crashes", "broken files", "unstable")))


if __name__ == "__main__":
    sys.exit(main())
