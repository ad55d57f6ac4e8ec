"""What launchers start and servers read: findings of different files that are one matter.

A shell script, a job or a Dockerfile says how many processes of a program there are, which GPUs
each is shown, or which file TensorFlow Serving takes its sessions from.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from string import Template

from tfgpu.dataclass import dataclass, replace
from tfgpu.files.kinds import REWRITTEN, Kind, kind_of
from tfgpu.job import Job
from tfgpu.place import place
from tfgpu.results import Finding, Result
from tfgpu.rulebook.model import CheckRule

_FILE = re.compile(r"(?:session|platform)_config_file[=\s\"',]+([^\s\"',]+)")
_SCRIPT = re.compile(r"(?<![\w./-])([\w./-]+\.py)\b")
# What shows each process one GPU: `srun --gpus-per-task=1`, and the local rank as a list of GPUs.
_ONE_EACH = re.compile(
    r"--gpus-per-task[= ]1\b|CUDA_VISIBLE_DEVICES=[\"']?\$\{?(?:SLURM_LOCALID|\w*LOCAL_RANK)\b"
)
_ONE_TASK = re.compile(r"--ntasks-per-node[= ]1\b")
# What takes a GPU by the local rank of its process.
_TAKEN = re.compile(
    r"(?:visible_device_list\s*=\s*str\(\s*[\w.]*|\b\w*(?:gpu|device)\w*\[\s*)"
    r"local_rank(?:\(\))?\s*[\])]|\b\w*(?:gpu|device)\w*\[\s*\w+\.local_rank\(\)\s*\]",
    re.IGNORECASE,
)
_RANK = re.compile(rb"local_?rank|LOCAL_?(?:RANK|ID)|local_process|resources\(\)", re.IGNORECASE)
# Launchers that are common without TensorFlow.
_OTHERS = ("torchrun", "srun")
_BY_SERVING = "nothing to do while TensorFlow Serving reads it ($where names it)"

# Tells the files of a program by its entry script.
Files = Callable[[str], Collection[str]]


@dataclass(frozen=True, slots=True)
class _Start:
    """A finding of a launcher, the command around it, the program that it starts, if it is here."""

    path: str
    finding: Finding
    command: str
    program: str | None


def link(results: Mapping[str, Result], paths: Collection[str], files: Files, job: Job) -> None:
    """Put together the findings of launchers with those of what they start and name."""
    for result in list(results.values()):
        for finding in list(result.findings):
            if finding.name == "process-count":
                _count(result, _started(result, finding, paths), files)
            elif kind_of(result.path) in (None, *REWRITTEN):
                continue
            elif finding.name == "serving-files":
                _serving(result, finding, results)
            elif finding.name in ("gpu-request", "cuda-visible-devices"):
                start = _started(result, finding, paths)
                if start.program is not None and _shows_one(start, result):
                    _by_rank(result, start, results, files, job)


def _serving(result: Result, finding: Finding, results: Mapping[str, Result]) -> None:
    """Tell that Serving reads the fields of the file that a flag names."""
    named = _FILE.search(_command(result, finding.line))
    found = _resolved(named[1] if named is not None else "", result.path, _configs(results))
    if found is None:
        return
    where = place(result.path, finding.line)
    todo = Template(_BY_SERVING).substitute(where=where)
    cause = finding.key(result.path)
    results[found].findings = [
        item
        if item.severity == "error"
        else replace(item, todo=todo, severity="note", caused_by=cause)
        for item in results[found].findings
    ]


def _configs(results: Mapping[str, Result]) -> list[str]:
    return [path for path, result in results.items() if kind_of(path) is Kind.CONFIG and result.old]


def _count(result: Result, start: _Start, files: Files) -> None:
    """Say of a number of processes whether the program that is started tells them apart.

    Where it does, or has nothing of TensorFlow, nothing is to be done.
    """
    finding = start.finding
    launcher = finding.message.partition(" ")[0]
    is_spark = launcher.startswith("spark.")
    program = start.program
    if program is None and is_spark and kind_of(result.path) in (None, *REWRITTEN):
        program = result.path
    if program is None:
        if launcher in _OTHERS:
            result.findings.remove(finding)
        return
    texts = [_bytes(path) for path in files(program)]
    if any(map(_RANK.search, texts)) or not any(b"tensorflow" in text for text in texts):
        result.findings.remove(finding)
    elif not is_spark:  # which gives its tasks addresses, and no ranks
        name = os.path.basename(program)  # noqa: PTH119
        message = f"{finding.message}; {name} knows no local rank, so that each takes all GPUs"
        _replace(result, finding, replace(finding, message=message, severity="warning"))


def _shows_one(start: _Start, result: Result) -> bool:
    """Tell whether each of several processes of a machine is shown a GPU of its own."""
    text = result.old.decode("utf-8", "replace")
    return (
        _ONE_EACH.search(start.command) is not None
        and _ONE_TASK.search(text) is None
        and not re.search(r"--gpu-bind[= ]none", text)
    )


def _by_rank(
    result: Result, start: _Start, results: Mapping[str, Result], files: Files, job: Job
) -> None:
    """Report where a program takes a GPU by its rank of the one that its launcher shows it."""
    assert start.program is not None
    for path in files(start.program):
        target = results.get(path)
        if target is None or not target.parsed:
            continue
        rule = job.book([path]).find("one-gpu-by-rank")
        assert isinstance(rule, CheckRule)
        for number, line in enumerate(target.old.decode("utf-8", "replace").split("\n"), 1):
            found = None if line.lstrip().startswith("#") else _TAKEN.search(line)
            if found is None or "tfgpu: ignore" in line:
                continue
            where = place(start.path, start.finding.line)
            message = Template(rule.message).substitute(text=found[0], where=where)
            made = Finding(
                rule.code, rule.name, number, found.start() + 1, message, rule.todo, "none",
                rule.severity, number, found.end() + 1, snippet=line,
            )  # fmt: skip
            known = {(item.code, item.line) for item in target.findings}
            if job.options_for(path).selects(made) and (made.code, number) not in known:
                target.findings = sorted([*target.findings, made], key=lambda item: item.line)
                cause = made.key(path)
                _replace(result, start.finding, replace(start.finding, caused_by=cause))
            return


def _replace(result: Result, old: Finding, new: Finding) -> None:
    result.findings = [new if item is old else item for item in result.findings]


def _started(result: Result, finding: Finding, paths: Collection[str]) -> _Start:
    """Return what starts where a finding is; of a comment to a scheduler, the first program."""
    command = _command(result, finding.line)
    texts = [command]
    if command.lstrip().startswith("#"):
        text = result.old.decode("utf-8", "replace").replace("\\\n", " ")
        texts = [line for line in text.split("\n") if re.match(r"\s*srun\b", line)]
    for text in texts:
        for name in _SCRIPT.findall(text):
            program = _resolved(name, result.path, paths)
            if program is not None:
                return _Start(result.path, finding, command, program)
    return _Start(result.path, finding, command, None)


def _command(result: Result, number: int) -> str:
    """Return the line of a file with those that it is continued in, or continues."""
    lines = result.old.decode("utf-8", "replace").split("\n")
    first = last = number - 1
    while first > 0 and lines[first - 1].endswith("\\"):
        first -= 1
    while last < len(lines) - 1 and lines[last].endswith("\\"):
        last += 1
    return " ".join(line.rstrip("\\") for line in lines[first : last + 1])


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


def _bytes(path: str) -> bytes:
    """Return the bytes of a file, none where it cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""
