"""Migrates a program as a user would, runs it before and after on simulated GPUs, and compares.

    with Runner(folder) as runner:
        report = runner.compare(Program({"main.py": "..."}, [Entry("main.py")]))
        assert not report.differences, report

A program is a folder of files and the scripts of it that are run (`Entry`). `migrate --write` runs
once over a copy of the whole folder, in this process; every script then runs before and after, each
time in a fork of a process that has TensorFlow. TensorFlow 1 code runs with compat.v1 standing for
`tensorflow`. By hand: `python -m tests.differential.runner FOLDER --entry main.py`.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

from click.testing import CliRunner

from tests.differential.compare import differences, grave, why_not_comparable
from tfgpu.cli import main as tfgpu
from tfgpu.verify import legs
from tfgpu.verify.gpus import Machine
from tfgpu.verify.legs import RECORDER, Surroundings, job_of, run_of
from tfgpu.verify.observation import Observation
from tfgpu.verify.on_gpus import observe_simulated
from tfgpu.verify.simgpu.build import build
from tfgpu.verify.simgpu.gpus import environment, parse_gpus
from tfgpu.verify.simgpu.launch import simulated_environment
from tfgpu.verify.simgpu.target import find_target

# Small ones: what TensorFlow notes of memory that it takes at once is a 32nd of it, in the host.
GPUS = "sim:1GiB,768MiB"
TIMEOUT = 20.0  # seconds a leg
STUBS = Path(__file__).parents[1] / "verify" / "stubs"

SAME = "same"
DIFFERENT = "different"
NOT_COMPARABLE = "not comparable"
UNCHANGED = "unchanged"  # the migration changed nothing, so nothing was run

# Names that only TensorFlow 1 has under `tensorflow`.
_ONLY_1 = (
    r"Session|InteractiveSession|ConfigProto|GPUOptions|OptimizerOptions|GraphOptions|placeholder|"
    r"global_variables_initializer|get_default_session|get_variable|variable_scope|"
    r"get_default_graph|reset_default_graph|Print|app|flags|logging|set_random_seed|contrib|layers|"
    r"enable_eager_execution|global_variables|trainable_variables|log|div|to_float|to_int32|"
    r"train\.(?:MonitoredTrainingSession|MonitoredSession|Supervisor|Scaffold|ChiefSessionCreator|"
    r"SingularMonitoredSession|SessionManager|Saver|SessionRunHook|get_or_create_global_step)"
)
_BARE = re.compile(
    r"^\s*(?:import tensorflow(?: as \w+)?\s*(?:$|#|;|,)"
    r"|from tensorflow import (?!compat|__version__))",
    re.M,
)
_USE_1 = re.compile(rf"(?<![.\w])(?:tf|tensorflow)\.(?:{_ONLY_1})\b")
_FROM_1 = re.compile(rf"^\s*from tensorflow import [^\n]*\b(?:{_ONLY_1})\b", re.M)
# Gives Keras a session.
_GIVES = "set_session"
_MAGIC_ENV = re.compile(r"^%(?:set_)?env (\w+)[= ](.*)$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to run a program: a script or notebook, its arguments and environment variables.

    `tensorflow1` says whether it is written for TensorFlow 1; None looks at its text.
    """

    script: str
    argv: Sequence[str] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    tensorflow1: bool | None = None

    def __str__(self) -> str:
        before = [f"{name}={value}" for name, value in self.variables.items()]
        return " ".join([*before, self.script, *self.argv])


@dataclass(frozen=True, slots=True)
class Program:
    """Files (path inside the folder to text), the ways to run them, and the GPUs (see simgpu)."""

    files: Mapping[str, str]
    entries: Sequence[Entry]
    gpus: str = GPUS


@dataclass(frozen=True, slots=True)
class Config:
    """What became of one config: `kept_by` is the rule that kept it, None where it is converted."""

    path: str
    line: int
    cell: int
    kept_by: str | None


@dataclass(frozen=True, slots=True)
class Ran:
    """One entry that ran before and after. `outcome` is SAME, DIFFERENT or NOT_COMPARABLE."""

    entry: Entry
    before: Observation
    after: Observation
    outcome: str
    differences: Sequence[str]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a program: its configs, and how its entries ran before and after.

    `migrated` are the texts of the files after migration; `messages` is what `migrate` said.
    """

    program: Program
    migrated: Mapping[str, str]
    configs: Sequence[Config]
    messages: str
    ran: Sequence[Ran]

    @property
    def outcome(self) -> str:
        """DIFFERENT if any entry is, SAME if all that can be compared are."""
        found = {one.outcome for one in self.ran}
        for outcome in (DIFFERENT, SAME, NOT_COMPARABLE):
            if outcome in found:
                return outcome
        return UNCHANGED

    @property
    def differences(self) -> list[str]:
        """All differences in words, each with its entry."""
        return [f"{one.entry}: {text}" for one in self.ran for text in one.differences]

    @property
    def converted(self) -> list[Config]:
        """The configs that became tf.config calls."""
        return [one for one in self.configs if one.kept_by is None]

    @property
    def kept(self) -> list[Config]:
        """The configs that stayed."""
        return [one for one in self.configs if one.kept_by is not None]

    def diff(self) -> str:
        """Return the migration as a unified diff."""
        lines: list[str] = []
        for path, old in self.program.files.items():
            new = self.migrated[path]
            lines += difflib.unified_diff(old.split("\n"), new.split("\n"), path, path, lineterm="")
        return "\n".join(lines)

    def __str__(self) -> str:
        kept = [f"{one.path}:{one.line} {one.kept_by}" for one in self.kept]
        counts = f"{len(self.converted)} converted, {len(kept)} kept {' '.join(kept)}"
        reasons = [f"{one.entry}: {one.reason}" for one in self.ran if one.reason]
        return "\n".join([f"{self.outcome}: {counts}", *self.differences, *reasons, self.diff()])


class MigrationFailedError(Exception):
    """`tfgpu` ended with an error of its own."""


def migrate(folder: Path, *options: str) -> tuple[list[Config], str]:
    """Run `tfgpu migrate --write` over a folder; return its configs and what it said."""
    alike = ("--no-cache", "--jobs", "1")
    audit = CliRunner().invoke(tfgpu, ["audit", *alike, "--format", "json", str(folder)])
    _check(audit)
    configs = [
        Config(os.path.relpath(file["path"], folder), one["line"], one["cell"], one["kept_by"])
        for file in json.loads(audit.stdout)["files"]
        for one in file["configs"]
    ]
    command = ["migrate", "--write", "--force", *alike, *options, str(folder)]
    made = CliRunner().invoke(tfgpu, command)
    _check(made)
    return configs, made.output.replace(f"{folder}{os.sep}", "")


def _check(result: object) -> None:
    error = getattr(result, "exception", None)
    if error is not None and not isinstance(error, SystemExit):
        raise MigrationFailedError(repr(error)) from error


class Runner:
    """Runs programs before and after their migration, in forks of one process with TensorFlow."""

    def __init__(self, folder: Path, timeout: float = TIMEOUT) -> None:
        self._folder = folder.resolve()
        self.timeout = timeout
        self._libraries = build(find_target(sys.executable))
        self._process: subprocess.Popen[str] | None = None
        self._count = 0
        self.seconds = 0.0  # spent in legs

    def __enter__(self) -> Runner:
        self._folder.mkdir(parents=True, exist_ok=True)
        made = simulated_environment([], self._libraries)
        made.update(TF_CPP_MIN_LOG_LEVEL="0", TF_USE_LEGACY_KERAS="1", PYTHONDONTWRITEBYTECODE="1")
        for name in ("TFGPU_SIM_GPUS", "CUDA_VISIBLE_DEVICES"):
            made.pop(name, None)
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("forks.py")), str(RECORDER)],
            env=made,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=self._folder,
        )
        self._answer()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process and self._process.stdin:
            self._process.stdin.close()
            self._process.wait()

    def compare(self, program: Program, *options: str, rerun: bool = False) -> Report:
        """Migrate a program, run its entries before and after, and say what differs.

        `options` go to `tfgpu migrate`. `rerun` runs the unchanged program twice instead: whatever
        differs then is chance, and no fault of a migration.
        """
        self._count += 1
        folder = self._folder / f"program{self._count}"
        trees = {name: folder / name for name in ("before", "after")}
        try:
            for tree in trees.values():
                _write(program.files, tree)
            configs, messages = ([], "") if rerun else migrate(trees["after"], *options)
            migrated = {path: _read(trees["after"] / path) for path in program.files}
            ran: list[Ran] = []
            if rerun or migrated != program.files:
                entries = [_as_told(entry, messages) for entry in program.entries]
                ran = [self._entry(program, migrated, entry, trees) for entry in entries]
            return Report(program, migrated, configs, messages, ran)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def run(self, program: Program, entry: Entry) -> Observation:
        """Run one entry of a program as it is, and return what it showed."""
        self._count += 1
        tree = self._folder / f"program{self._count}" / "tree"
        try:
            _write(program.files, tree)
            reached = closure(program.files, entry.script)
            texts = [code(path, program.files[path]) for path in reached]
            return self._leg(program.gpus, entry, tree, _version(entry, texts), _keras(texts))
        finally:
            shutil.rmtree(tree.parent, ignore_errors=True)

    def _entry(
        self,
        program: Program,
        migrated: Mapping[str, str],
        entry: Entry,
        trees: Mapping[str, Path],
    ) -> Ran:
        reached = closure(program.files, entry.script)
        texts = [code(path, program.files[path]) for path in reached]
        first, keras = _version(entry, texts), _keras(texts)
        switched = any(
            migrated[path].count("compat.v1") > program.files[path].count("compat.v1")
            or migrated[path].count("disable_v2_") > program.files[path].count("disable_v2_")
            for path in reached
        )
        # A program that goes on with TensorFlow 1 may share a file with one that is switched; one
        # that has lost its session for Keras runs as TensorFlow 2 does.
        left = any(is_tensorflow1(code(path, migrated[path])) for path in reached)
        lost = switched or any(
            _GIVES in program.files[path] and _GIVES not in migrated[path] for path in reached
        )
        before = self._leg(program.gpus, entry, trees["before"], first, keras)
        after = self._leg(program.gpus, entry, trees["after"], first and (left or not lost), keras)
        reason = why_not_comparable(before, first)
        found = list((grave if reason else differences)(before, after))
        outcome = DIFFERENT if found else NOT_COMPARABLE if reason else SAME
        return Ran(entry, before, after, outcome, found, reason)

    def _leg(
        self, gpus: str, entry: Entry, tree: Path, tensorflow1: bool, keras: bool
    ) -> Observation:
        """Run one entry in a tree and return what it showed."""
        machine = Machine(parse_gpus(gpus), ())
        script = tree / entry.script
        if script.suffix == ".ipynb":
            script = script.with_name(f"{script.stem}_cells.py")
            _write({script.name: code(entry.script, _read(tree / entry.script))}, script.parent)
        work = Path(tempfile.mkdtemp(dir=tree.parent))
        program = legs.Program(
            entry.script, script, tree, tree, sys.executable, entry.argv, tensorflow1, keras
        )
        run = run_of(program, work, "leg")
        run.record.parent.mkdir()
        job = {
            **job_of(run, Surroundings({}, self._libraries, 0, self.timeout)),
            "work": False,
            "paths": [str(STUBS)],
            "folder": str(tree),
            "timeout": self.timeout,
            "stdout": str(run.stdout),
            "stderr": str(run.stderr),
            "environment": {
                "TFGPU_SIM_GPUS": environment(list(machine.simulated or ())),
                "TFGPU_SIM_LOG": str(run.events),
                "TMPDIR": str(work),
                **entry.variables,
            },
        }
        assert self._process and self._process.stdin
        started = time.monotonic()
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        run.seconds = time.monotonic() - started
        self.seconds += run.seconds
        if answer.startswith("signal"):
            run.status = -int(answer.split()[1])
        elif answer != "timeout":
            run.status = int(answer)
        found = observe_simulated(machine, run)
        # Children are compared by what they showed until then.
        trouble = [item for item in found.trouble if not item.startswith("a child process")]
        return replace(found, trouble=trouble)

    def _answer(self) -> str:
        assert self._process and self._process.stdout
        line = self._process.stdout.readline()
        assert line, "the process that runs legs ended"
        return line.strip()


def _write(files: Mapping[str, str], tree: Path) -> None:
    for path, text in files.items():
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _as_told(entry: Entry, messages: str) -> Entry:
    """Return an entry as one of TensorFlow 2 where the migration says that it runs as such."""
    told = rf"^(?:\./)?{re.escape(entry.script)}:\d+:\d+: TFG806 .*may be for TensorFlow 2"
    stays = re.search(told, messages, re.M)
    return entry if stays is None else replace(entry, tensorflow1=False)


def _version(entry: Entry, texts: Sequence[str]) -> bool:
    """Tell whether an entry is written for TensorFlow 1."""
    if entry.tensorflow1 is not None:
        return entry.tensorflow1
    return any(map(is_tensorflow1, texts))


def _keras(texts: Sequence[str]) -> bool:
    return any("keras" in text for text in texts)


def code(path: str, text: str) -> str:
    """Return the Python code of a file: of a notebook, its cells; `%env` sets the environment."""
    if not path.endswith(".ipynb"):
        return text
    lines: list[str] = []
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            source = cell["source"]
            lines += ("".join(source) if isinstance(source, list) else source).split("\n")
    return "\n".join(map(_without_magic, lines)) + "\n"


def _without_magic(line: str) -> str:
    found = _MAGIC_ENV.match(line)
    if found:
        return f"__import__('os').environ[{found[1]!r}] = {found[2].strip()!r}"
    return "" if line.startswith(("%", "!")) else line


def is_tensorflow1(text: str) -> bool:
    """Tell whether a file uses names of TensorFlow 1 that `tensorflow` has no more."""
    return bool(_BARE.search(text) and (_USE_1.search(text) or _FROM_1.search(text)))


def closure(files: Mapping[str, str], script: str) -> list[str]:
    """Return the files that a script imports, directly or not, itself first."""
    waiting, found = [script], [script]
    while waiting:
        path = waiting.pop()
        for name in _imported(code(path, files[path]), path):
            for end in (f"{name}.py", f"{name}/__init__.py"):
                top = Path(script).parent.as_posix()
                for target in {end, end if top == "." else f"{top}/{end}"}:
                    if target in files and target not in found:
                        found.append(target)
                        waiting.append(target)
    return found


def _imported(text: str, path: str) -> Iterator[str]:
    """Yield the names that a file imports, as paths."""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a notebook, or Python 2: by lines
        for found in re.findall(
            r"(?:^|\")\s*(?:import|from) ([\w.]+)(?: import (\w+))?", text, re.M
        ):
            yield from (found[0].replace(".", "/"), "/".join(found).replace(".", "/"))
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = Path(path).parents[node.level - 1].as_posix() if node.level else ""
            base = ".".join(filter(None, ["" if above == "." else above, node.module or ""]))
            names = [
                base,
                *(f"{base}.{alias.name}" if base else alias.name for alias in node.names),
            ]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = [node.value] if re.fullmatch(r"[\w.]+", node.value) else []
        else:
            continue
        for name in names:
            parts = name.replace("/", ".").split(".")
            for count in range(1, len(parts) + 1):
                yield "/".join(parts[:count])


def read_program(folder: Path, entries: Sequence[Entry], gpus: str = GPUS) -> Program:
    """Return the program that a folder holds."""
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in (".py", ".ipynb")]
    files = {path.relative_to(folder).as_posix(): _read(path) for path in paths}
    return Program(files, entries, gpus)


def main() -> None:
    """Run one program folder by hand, and print what became of it."""
    parser = argparse.ArgumentParser(description="compare a program before and after migration")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--entry", action="append", required=True, metavar="SCRIPT [ARGS]")
    parser.add_argument("--gpus", default=GPUS)
    parser.add_argument("--unsafe-fixes", action="store_true")
    parser.add_argument("--rerun", action="store_true", help="run the unchanged program twice")
    parser.add_argument("--verbose", action="store_true", help="print both legs' output")
    options = parser.parse_args()
    entries = [Entry(text.split()[0], text.split()[1:]) for text in options.entry]
    flags = ["--unsafe-fixes"] if options.unsafe_fixes else []
    with tempfile.TemporaryDirectory() as work, Runner(Path(work)) as runner:
        program = read_program(options.folder, entries, options.gpus)
        report = runner.compare(program, *flags, rerun=options.rerun)
    print(report)
    for ran in report.ran if options.verbose else ():
        for name, leg in (("before", ran.before), ("after", ran.after)):
            print(f"--- {ran.entry}, {name}: {leg.ended} {leg.status}, {leg.seconds:.1f} s")
            print(leg.stdout, leg.failure.traceback if leg.failure else "", leg.threads)
            for session in leg.sessions:
                print(session)
            for memory in leg.memory:
                print(memory)


if __name__ == "__main__":
    main()
