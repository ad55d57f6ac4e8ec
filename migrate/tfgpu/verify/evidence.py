"""A verdict as evidence: an in-toto statement about the files of both versions of a program.

The statement (https://in-toto.io/Statement/v1) has the digests of the files as its subject and the
verdict as its predicate. Two runs of the same verification write the same bytes: nothing in it
comes from the clock, from where the runs kept their files, or from the numbers of processes.
`evidence.schema.json` is its schema, and says what its parts mean.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfgpu import __version__
from tfgpu.verify.compare.result import gpus_of
from tfgpu.verify.gpus import Machine
from tfgpu.verify.observation import Observation
from tfgpu.verify.programs import Prepared
from tfgpu.verify.scenarios import given_ranks
from tfgpu.verify.verdict import Aspect, Comparison, Entry, Outcome, Verdict
from tfgpu.verify.verification import Settings

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:tfgpu:verification:v1"
BEFORE, AFTER = "before/", "after/"

# More differences than this of one aspect say no more.
_MOST_DIFFERENCES = 100

# Only these have a text for each side that does not depend on the order in which operations run.
_STEADY = ("devices", "configuration")

_NEVER_COMPARED = (
    "files that the program reads and that it does not import",
    "memory: single allocations, where operations that run side by side may ask in any order",
    "numbers as GPUs compute them; what the programs print",
)


@dataclass(frozen=True, slots=True)
class Versions:
    """The two versions of a program, with the digests of their files when they were laid out.

    `compared` tells which they are: "migration", "files", or "ref", then of the commit `ref`.
    """

    before: Prepared
    after: Prepared
    compared: str
    ref: str
    digests: Mapping[str, str]


def versions(before: Prepared, after: Prepared, compared: str, ref: str = "") -> Versions:
    """Return two versions of a program with the digests of their files, as they are now."""
    digests = {**_digests(before, BEFORE), **_digests(after, AFTER)}
    return Versions(before, after, compared, ref, digests)


def _digests(version: Prepared, prefix: str) -> dict[str, str]:
    found = {}
    for path in version.files:
        data = version.changes[path] if path in version.changes else path.read_bytes()
        if data is not None:
            found[prefix + relative(path, version.root)] = digest(data)
    return found


def relative(path: Path, root: Path) -> str:
    """Return a path as the statement has it, from the folder that the program lies in."""
    return path.relative_to(root).as_posix()


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes."""
    return hashlib.sha256(data).hexdigest()


def text_of(statement: Mapping[str, Any]) -> str:
    """Return a statement as the text of its file."""
    return json.dumps(statement, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def statement(program: Versions, verdict: Verdict, settings: Settings) -> dict[str, Any]:
    """Return the statement about two versions of a program."""
    names = sorted(program.digests)
    return {
        "_type": STATEMENT,
        "subject": [{"name": one, "digest": {"sha256": program.digests[one]}} for one in names],
        "predicateType": PREDICATE,
        "predicate": _predicate(program, verdict, settings),
    }


def _predicate(program: Versions, verdict: Verdict, settings: Settings) -> dict[str, Any]:
    root = program.after.root
    return {
        "tool": {"name": "tfgpu", "version": __version__},
        "program": {
            "compared": program.compared,
            "ref": program.ref,
            "before": relative(program.before.script, root),
            "after": relative(program.after.script, root),
            "folder": relative(program.after.folder, root),
            "bridge": program.after.bridge,
        },
        "options": {
            "gpus": gpus_option(settings.machine),
            "steps": settings.steps,
            "timeout": settings.timeout,
            "arguments": [list(one) for one in (settings.argv, *settings.others)],
            "quick": settings.quick,
            "ranks": given_ranks(program.before.ranks | program.after.ranks, os.environ),
        },
        "outcome": verdict.outcome.value,
        "isolation": verdict.isolation,
        "set_ups": [_set_up(one) for one in verdict.scenarios],
        "assumptions": [
            {
                "kind": one.assumption.kind,
                "place": one.assumption.place,
                "until": one.assumption.until,
                "text": one.assumption.text,
                "status": one.status,
                "detail": one.detail,
            }
            for leg in (verdict.before, verdict.after)
            for one in leg.assumptions
        ],
        "not_compared": [
            *behind(verdict.bound),
            *_NEVER_COMPARED,
        ],
        "notes": list(verdict.notes),
    }


def behind(bound: str) -> list[str]:
    """Return that what comes behind the bound of a verdict was not compared, where it has one."""
    return [f"what comes behind {bound}"] if bound else []


def gpus_option(machine: Machine) -> str:
    """Return what gives a machine again, as the option `--gpus`."""
    if machine.simulated is None:
        return "real"
    return machine.name if machine.simulated else "sim:0"


def _set_up(one: Comparison) -> dict[str, Any]:
    scenario, gpus = one.scenario, gpus_of(one.before, one.after)
    return {
        "name": scenario.name,
        "gpus": scenario.machine.description,
        "simulated": scenario.machine.simulated is not None,
        "arguments": list(scenario.argv),
        "variables": dict(scenario.variables),
        "outcome": one.outcome.value,
        "counts": not one.is_silent,
        "before": _run(one.before, gpus[0]),
        "after": _run(one.after, gpus[1]),
        "aspects": [_aspect(aspect) for aspect in one.aspects],
    }


def _run(leg: Observation, gpus: int) -> dict[str, Any]:
    return {
        "tensorflow": leg.tensorflow,
        "python": leg.python,
        "stands_in": leg.stands_in,
        "ended": leg.ended,
        "sessions": len(leg.sessions),
        "gpus": gpus,
        "operations_on_gpus": leg.on_gpus,
        # Not how many: which worker of a pool does what is chance.
        "processes": {
            "sessions": any(one.sessions for one in leg.children),
            "operations_on_gpus": any(one.on_gpus for one in leg.children),
        },
        "changed_statements": {
            "all": len(leg.changed),
            "ran": len(leg.changed) - len(leg.not_run),
            "did_not_run": list(leg.not_run),
        },
        "trouble": list(leg.trouble),
    }


def _aspect(aspect: Aspect) -> dict[str, Any]:
    differences = [entry for entry in aspect.entries if entry.differs]
    # What there is to say of memory can depend on the order in which operations ran.
    chance = aspect.name == "memory"
    ignored = [] if chance else aspect.entries
    left_out = {
        (entry.subject, entry.reason, entry.rule): None
        for entry in ignored
        if entry.outcome is Outcome.IGNORED
    }
    return {
        "name": aspect.name,
        "outcome": _outcome(aspect).value,
        "compared": len({one.graph for one in aspect.entries} if chance else aspect.entries),
        "differing": len(differences),
        "differences": [
            _difference(one, aspect.name in _STEADY) for one in differences[:_MOST_DIFFERENCES]
        ],
        "left_out": [
            {"subject": subject, "reason": reason, "rule": rule}
            for subject, reason, rule in left_out
        ],
    }


def _outcome(aspect: Aspect) -> Outcome:
    """Return the outcome of an aspect; whether all of memory was left out is chance."""
    found = aspect.outcome
    return Outcome.MATCH if found is Outcome.IGNORED else found


def _difference(entry: Entry, steady: bool) -> dict[str, Any]:
    return {
        "subject": entry.subject,
        "of": entry.graph,
        "outcome": entry.outcome.value,
        "reason": entry.reason,
        "rule": entry.rule,
        "source": entry.source,
        "before": entry.before if steady else "",
        "after": entry.after if steady else "",
    }
