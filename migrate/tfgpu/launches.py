"""What launchers start and servers read: findings of different files that are one matter.

A shell script, a job or a Dockerfile says how many processes of a program there are, which GPUs
each is shown, or which file TensorFlow Serving takes its sessions from.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from string import Template

from tfgpu.dataclass import replace
from tfgpu.engine import tree_of
from tfgpu.files.kinds import Kind, kind_of
from tfgpu.files.pattern import Pattern, expression
from tfgpu.files.scripts import is_python
from tfgpu.flow.strings import HOLE
from tfgpu.job import Job
from tfgpu.place import place
from tfgpu.process import text_of
from tfgpu.program.modules import Modules
from tfgpu.results import Finding, Result, fault

_BY_SERVING = "nothing to do while TensorFlow Serving reads it ($where names it)"
# What tells the processes of a machine apart, and what else decides which GPUs a process has.
_RANK = expression(
    r"local_?rank|local_?id\b|slurm_localid|local_process|SlurmClusterResolver|\.resources\b",
    re.IGNORECASE,
)
_MAY_RANK = Pattern((), rb"(?i)local_?(?:rank|id|process)|SlurmClusterResolver|resources\(\)")
_CHOOSES = Pattern(
    (b"CUDA_VISIBLE_DEVICES", b"visible_device_list", b"set_visible_devices", b"device_count")
)
_LIBRARIES = ("tensorflow", "keras")
# Launchers that are common without TensorFlow.
_OTHERS = ("torchrun", "srun")

_RUN_TELLS = expression(f"[${HOLE}]|\\{{\\{{")

# Tells the modules of the project of a Python file.
ModulesOf = Callable[[str], Modules]


def link(
    results: Mapping[str, Result], paths: Collection[str], modules_of: ModulesOf, job: Job
) -> None:
    """Put together the findings of launchers with those of what they start and name."""
    for result in list(results.values()):
        try:
            _link(result, results, paths, modules_of, job)
        except Exception as error:  # the other files are done
            result.reason, result.changes = fault(error), False


def _link(
    result: Result,
    results: Mapping[str, Result],
    paths: Collection[str],
    modules_of: ModulesOf,
    job: Job,
) -> None:
    for finding in list(result.findings):
        launch = finding.launch
        if finding.name == "serving-files" and launch is not None:
            _serving(result, finding, results)
        elif finding.name in ("process-count", "spark-gpus"):
            _count(result, finding, paths, modules_of, job)
        elif launch is not None and launch.one_gpu:
            program = _program(launch.file, result.path, paths)
            if program is not None:
                _by_rank(result, finding, modules_of(program).closure(program), results)


def _serving(result: Result, finding: Finding, results: Mapping[str, Result]) -> None:
    """Tell that Serving reads the fields of the file that a flag names, or of text put there."""
    assert finding.launch is not None
    name = finding.launch.file
    configs = [path for path, item in results.items() if kind_of(path) is Kind.CONFIG and item.old]
    found = _resolved(name, result.path, configs)
    todo = Template(_BY_SERVING).substitute(where=place(result.path, finding.line))
    cause = finding.key(result.path)
    for path, other in results.items():
        other.findings = [
            replace(item, todo=todo, severity="note", caused_by=cause)
            if item.severity != "error"
            and item.name != finding.name
            and (path == found or _is_put(item, name, is_beside=other is result))
            else item
            for item in other.findings
        ]


def _is_put(item: Finding, name: str, is_beside: bool) -> bool:
    """Tell whether a text is put into a file of this name.

    Beside the flag that names it, it is where the run alone tells one of the names.
    """
    if item.launch is None or not item.code.startswith("TFG"):
        return False
    put, wanted = (text.strip("\"'").rpartition("/")[2] for text in (item.launch.file, name))
    if put == wanted:
        return True
    return is_beside and any(_RUN_TELLS.search(text) for text in (put, wanted))


def _count(
    result: Result, finding: Finding, paths: Collection[str], modules_of: ModulesOf, job: Job
) -> None:
    """Say of a number of processes whether the program that is started tells them apart.

    Where it does, or has nothing of TensorFlow, or each is shown a GPU, nothing is to be done.
    """
    launch, launcher = finding.launch, finding.message.partition(" ")[0]
    is_spark = finding.name == "spark-gpus"
    program = None if launch is None else _program(launch.file, result.path, paths)
    if program is None and is_spark and is_python(result.path):
        program = result.path
    if launch is not None and launch.one_gpu and not is_spark:
        result.findings.remove(finding)
    elif program is None:
        if launcher in _OTHERS:
            result.findings.remove(finding)
    else:
        modules = modules_of(program)
        files = modules.closure(program)
        if not _has_tensorflow(files, modules) or _knows_rank(files, modules, job):
            result.findings.remove(finding)
        elif not is_spark and not any(modules.holds(_CHOOSES, path) for path in files):
            name = os.path.basename(program)  # noqa: PTH119
            message = f"{finding.message}; {name} knows no local rank: each takes all GPUs it sees"
            _replace(result, finding, replace(finding, message=message, severity="warning"))


def _has_tensorflow(files: Collection[str], modules: Modules) -> bool:
    names = (dotted.partition(".")[0] for path in files for dotted in modules.dotted(path))
    return any(name in _LIBRARIES for name in names)


def _knows_rank(files: Collection[str], modules: Modules, job: Job) -> bool:
    """Tell whether code of a program, and not only a comment, names a local rank."""
    for path in files:
        if modules.holds(_MAY_RANK, path):
            text = text_of(path, modules.read(path), job)
            if text is None or any(map(_names_rank, ast.walk(tree_of(text, path).module))):
                return True
    return False


def _names_rank(node: ast.AST) -> bool:
    texts = [getattr(node, name, None) for name in ("id", "attr", "arg", "name")]
    texts += [node.value] if isinstance(node, ast.Constant) else []
    words = (text for text in texts if isinstance(text, str) and " " not in text)
    return any(_RANK.search(f".{word}") for word in words)


def _by_rank(
    result: Result, finding: Finding, files: Collection[str], results: Mapping[str, Result]
) -> None:
    """Report where a program takes a GPU by its rank of the one that its launcher shows it."""
    where = place(result.path, finding.line)
    for path in sorted(files):
        target = results.get(path)
        if target is None or not target.pending:
            continue
        made = [
            replace(item, message=Template(item.message).substitute(where=where), pending=False)
            for item in target.pending
        ]
        target.pending = []
        target.findings = sorted([*target.findings, *made], key=lambda item: item.line)
        _replace(result, finding, replace(finding, caused_by=made[0].key(path)))
        return


def _replace(result: Result, old: Finding, new: Finding) -> None:
    result.findings = [new if item is old else item for item in result.findings]


def _program(name: str, launcher: str, paths: Collection[str]) -> str | None:
    """Return the file of a program that a launcher names: a path, or a module after `-m`."""
    if not name.startswith("-m "):
        return _resolved(name, launcher, paths)
    path = name.removeprefix("-m ").replace(".", "/")
    found = _resolved(f"{path}.py", launcher, paths)
    return found or _resolved(f"{path}/__main__.py", launcher, paths)


def _resolved(name: str, launcher: str, paths: Collection[str]) -> str | None:
    """Return the one file that a name in a launcher means: beside it, or below a folder above."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    if not parts or "$" in name:
        return None
    for tail in (parts, parts[-1:]) if name.startswith("/") else (parts,):
        for folder in _above(launcher):
            direct = os.path.join(folder, *tail)  # noqa: PTH118
            if direct in paths:
                return direct
        end = "/".join(["", *tail])
        found = [path for path in paths if path.replace(os.sep, "/").endswith(end)]
        if len(found) == 1:
            return found[0]
    return None


def _above(path: str) -> Iterator[str]:
    folder = os.path.dirname(path)  # noqa: PTH120
    while True:
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder:
            return
        folder = above
