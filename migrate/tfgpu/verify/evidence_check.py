"""Checks evidence: against its schema, and against the files of the program as they are now."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfgpu.verify.assumptions import HELD
from tfgpu.verify.evidence import AFTER, BEFORE, behind, digest
from tfgpu.verify.evidence_runs import may_be_silent, other_set_ups, unproven
from tfgpu.verify.imported import program_files
from tfgpu.verify.isolation.mechanism import MECHANISMS
from tfgpu.verify.scratch import versions_of
from tfgpu.verify.verdict import ASPECTS, Outcome, bound_of, gravest

SCHEMA = Path(__file__).with_name("evidence.schema.json")
_BEHIND = behind("x")[0].removesuffix("x")


class NoEvidence(ValueError):
    """A file is no evidence; the message says why."""


def read_evidence(path: Path) -> dict[str, Any]:
    """Return the statement in a file.

    Raises:
        NoEvidence: it is none, by its schema; or jsonschema, which tells, is not installed.
    """
    try:
        from jsonschema import Draft202012Validator  # noqa: PLC0415 - one of the extras
        from jsonschema.exceptions import best_match  # noqa: PLC0415
    except ImportError:
        raise NoEvidence("jsonschema is not installed (pip install 'tfgpu[verify]')") from None
    try:
        found = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise NoEvidence(f"{path} is no JSON: {error}") from None
    validator = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    wrong = best_match(validator.iter_errors(found))
    if wrong is not None:
        raise NoEvidence(f"{path}: {wrong.json_path}: {wrong.message}")
    predicate = found["predicate"]
    counted = [Outcome(one["outcome"]) for one in predicate["set_ups"] if one["counts"]]
    if gravest(counted).value != predicate["outcome"]:
        raise NoEvidence(f"{path}: $.predicate.outcome: its set-ups come to another one")
    for words in _missing_subjects(found):
        raise NoEvidence(f"{path}: $.subject: {words}")
    for place, words in _contradictions(predicate):
        raise NoEvidence(f"{path}: $.predicate.{place}: {words}")
    return dict(found)


def _missing_subjects(statement: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the files that a statement is about: each version has its script."""
    names = [row["name"] for row in statement["subject"]]
    program = statement["predicate"]["program"]
    for one in (BEFORE + program["before"], AFTER + program["after"]):
        if one not in names:
            yield f"{one} is not in it"
    if len({*names}) < len(names):
        yield "a file is in it twice"


def _contradictions(predicate: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each part of a predicate that no verdict has, because other parts say otherwise."""
    set_ups = predicate["set_ups"]
    for number, one in enumerate(set_ups):
        place = f"set_ups[{number}]"
        yield from _contradictions_of(one, place)
        if not one["counts"] and (number == 0 or not may_be_silent(one)):
            yield f"{place}.counts", "its outcome is part of the verdict"
    arguments = predicate["options"]["arguments"]
    ran = [one["arguments"] for one in set_ups if one["counts"]]
    if set_ups[0]["arguments"] != arguments[0] or not all(one in ran for one in arguments):
        yield "set_ups", "they are not those of options.arguments"
    elif wrong := other_set_ups(predicate):
        yield "set_ups", wrong
    if any(
        one.words in predicate["notes"] for one in MECHANISMS if one.kind != predicate["isolation"]
    ):
        yield "isolation", "the notes tell of another one"
    bounds = [one for one in predicate["not_compared"] if one.startswith(_BEHIND)]
    if bounds != behind(bound_of(predicate["options"]["steps"])):
        yield "options.steps", "another bound is named in not_compared"
    if predicate["outcome"] == Outcome.MATCH.value:
        for number, row in enumerate(predicate["assumptions"]):
            if row["status"] != HELD:
                yield f"assumptions[{number}]", "without it there is no match"


def _contradictions_of(set_up: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
    """Yield the same of one set-up."""
    aspects = set_up["aspects"]
    if sorted(one["name"] for one in aspects) != sorted(ASPECTS):
        yield f"{place}.aspects", f"they are not {', '.join(ASPECTS)}"
    for number, one in enumerate(aspects):
        listed = [Outcome(row["outcome"]) for row in one["differences"]]
        outcome = Outcome(one["outcome"])
        differs = one["differing"] > 0
        if (
            one["differing"] < len(listed)
            or (differs and (outcome is Outcome.MATCH or not listed))
            or (outcome is Outcome.MATCH and not one["compared"])
            or (outcome is Outcome.MISMATCH and not differs)
            or (Outcome.MISMATCH in listed and outcome is not Outcome.MISMATCH)
        ):
            yield f"{place}.aspects[{number}]", "its outcome is not that of its differences"
    for leg in ("before", "after"):
        found = set_up[leg]["changed_statements"]
        if found["ran"] + len(found["did_not_run"]) != found["all"]:
            yield f"{place}.{leg}.changed_statements", "the numbers are not those of one run"
    if set_up["outcome"] == Outcome.MATCH.value:
        for reason in unproven(set_up):
            yield f"{place}.outcome", f"its runs are no match: {reason}"
    worst = gravest([Outcome(one["outcome"]) for one in aspects])
    trouble = any(set_up[leg]["trouble"] for leg in ("before", "after"))
    if set_up["outcome"] != Outcome.INCONCLUSIVE.value and (
        trouble or worst.value != set_up["outcome"]
    ):
        yield f"{place}.outcome", "its aspects and runs come to another one"


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a program beside what the evidence knows of them.

    `state` is "before" or "after", the version that they are, or "both" where that is the same for
    each; "" where they are neither. `changed` are the files that are no version, or not the one
    that others are, with what they are.
    """

    state: str
    changed: Sequence[tuple[str, str]] = ()


def files_now(statement: Mapping[str, Any], root: Path) -> Files:
    """Return which version the files below a folder are."""
    wanted: dict[str, dict[str, str]] = {}
    for version, name, known in _subjects(statement):
        wanted.setdefault(name, {})[version] = known
    program = statement["predicate"]["program"]
    two_files = program["compared"] == "files"
    kinds = {name: _kind(root / name, known, two_files) for name, known in wanted.items()}
    wrong = [(name, kind) for name, kind in kinds.items() if kind in ("changed", "missing")]
    wrong += [(name, "new") for name in _imported(statement, root) if name not in wanted]
    if wrong:
        return Files("", sorted(wrong))
    if two_files:  # each version has a file of its own
        return Files("both")
    versions = {kind for kind in kinds.values() if kind != "both"}
    if len(versions) > 1:
        return Files("", sorted((name, f"as {kind}") for name, kind in kinds.items()))
    return Files(versions.pop() if versions else "both")


def _subjects(statement: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the files that a statement is about: the version, the name, the digest."""
    for row in statement["subject"]:
        version, _, name = row["name"].partition("/")
        yield version, name, row["digest"]["sha256"]


def _kind(path: Path, known: Mapping[str, str], two_files: bool) -> str:
    """Return which version a file is; one that a version does not have is not there then."""
    if not path.is_file():
        without = [version for version in ("before", "after") if version not in known]
        return without[0] if without and not two_files else "missing"
    found = digest(path.read_bytes())
    same = [version for version in ("before", "after") if known.get(version) == found]
    return "both" if len(same) == 2 else same[0] if same else "changed"


def _imported(statement: Mapping[str, Any], root: Path) -> Iterator[str]:
    """Yield the files that the program imports, or starts, now."""
    program = statement["predicate"]["program"]
    for script in {program["before"], program["after"]}:
        for path in program_files(root / script, root):
            if path.is_file():
                yield path.relative_to(root).as_posix()


def differing_parts(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return what differs between two statements: names of files, and parts of the predicate."""
    differing = {*_subjects(old)} ^ {*_subjects(new)}
    names = sorted({f"{version}/{name}" for version, name, _ in differing})
    return [*names, *_parts(old["predicate"], new["predicate"], "predicate")]


def _parts(old: Any, new: Any, name: str) -> Iterator[str]:
    """Yield the innermost parts that differ; lists of other lengths as a whole."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted({*old, *new}):
            yield from _parts(old.get(key), new.get(key), f"{name}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (mine, theirs) in enumerate(zip(old, new, strict=True)):
            yield from _parts(mine, theirs, f"{name}[{number}]")
    elif old != new:
        yield name


def from_history(statement: Mapping[str, Any], root: Path) -> dict[Path, bytes]:
    """Return the files as they were before, where they are not so now, from the history of git.

    Raises:
        NoEvidence: git does not have one of them.
    """
    found = {}
    for version, name, wanted in _subjects(statement):
        path = root / name
        if version == "before" and digest(path.read_bytes()) != wanted:
            data = next((one for one in versions_of(path) if digest(one) == wanted), None)
            if data is None:
                raise NoEvidence(
                    f"{name} is as after, and git has no commit with it as before: check it out"
                )
            found[path] = data
    return found
