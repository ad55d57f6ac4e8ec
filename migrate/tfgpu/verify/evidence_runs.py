"""What the runs in evidence come to, by the functions that a verdict itself comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tfgpu.verify.compare.memory import compare_devices
from tfgpu.verify.compare.pairing import fail_early
from tfgpu.verify.compare.result import ending, proof
from tfgpu.verify.gpus import choose
from tfgpu.verify.observation import Device, Failure, Observation, Operation, Placement, Session
from tfgpu.verify.scenarios import scenarios
from tfgpu.verify.simgpu.gpus import SpecError
from tfgpu.verify.verdict import Outcome

_CONFIDENCE = re.compile(r" \([a-z ]+\)")  # of a card: another version of tfgpu may know it better


def unproven(set_up: Mapping[str, Any]) -> Iterator[str]:
    """Yield why the runs of a set-up are no match, whatever its aspects say."""
    before, after = _legs(set_up)
    found = proof(before, after)
    # Whether one side stops in its steps is no difference between two forms of a program.
    if {before.ended, after.ended} != {"end", "steps"}:
        found.append(ending(before, after))
    if not any(one.sessions or one.children for one in (before, after)):
        found += compare_devices(before, after)
    return (entry.reason for entry in found if entry.differs)


def may_be_silent(set_up: Mapping[str, Any]) -> bool:
    """Tell whether a set-up that nobody asked for may be left out of the verdict."""
    before, after = set_up["before"], set_up["after"]
    alike = all(before[one] == after[one] for one in ("ended", "trouble"))
    # TensorFlow 1 aborts where there are no GPUs that a config names.
    aborted = before["ended"] == "signal" and before["tensorflow"].startswith("1.")
    aborted = aborted and not before["gpus"] and not before["sessions"]
    return set_up["outcome"] == Outcome.INCONCLUSIVE.value and (alike or aborted)


def other_set_ups(predicate: Mapping[str, Any]) -> str:
    """Return what is wrong with the set-ups for the options that they were made of, or ""."""
    options, rows = predicate["options"], predicate["set_ups"]
    simulated = options["gpus"] != "real"
    if any(one["simulated"] is not simulated for one in rows):
        return "they are not on the GPUs of options.gpus"
    if not simulated:  # which cards there were is not known here
        return ""
    ranks = {name for one in rows for name in one["variables"]} | {*options["ranks"]}
    if not ranks and rows[0]["name"].endswith("rank 0 of 1"):
        ranks = {"HOROVOD_RANK"}  # which Horovod itself tells
    try:
        machine = choose(options["gpus"])
    except SpecError as error:
        return f"options.gpus: {error}"
    alone = {*ranks} - {*rows[0]["variables"]}
    horovod = any(name.startswith("HOROVOD_") for name in alone)
    found = scenarios(
        machine, options["arguments"], ranks, options["ranks"], options["quick"], horovod
    )
    if fail_early(*_legs(rows[0])):
        found = [one for one in found if one.asked]
    wanted = [
        [one.name, _CONFIDENCE.sub("", one.machine.description), list(one.argv), {**one.variables}]
        for one in found
    ]
    given = [
        [one["name"], _CONFIDENCE.sub("", one["gpus"]), one["arguments"], one["variables"]]
        for one in rows
    ]
    return "" if given == wanted else "they are not those that come of the options"


def _legs(set_up: Mapping[str, Any]) -> tuple[Observation, Observation]:
    """Return what the runs of a set-up showed, as far as evidence tells."""
    there = int(set_up["gpus"] != "none")
    return _leg(set_up["before"], there), _leg(set_up["after"], there)


def _leg(run: Mapping[str, Any], there: int) -> Observation:
    ended, statements = run["ended"], run["changed_statements"]
    gpus, processes = run.get("gpus", there), run.get("processes", {})
    devices = [Device("GPU:0", 0)] if gpus else []

    def shown(sessions: object, operations: object) -> dict[str, Any]:
        on_gpu = Placement("session 1", eager=False, operations=[Operation("", "", "GPU:0")])
        return {
            "sessions": [Session("session 1", "", "", {}, devices)] if sessions else [],
            "placements": [on_gpu] if operations else [],
        }

    about = ("", run["tensorflow"], run["python"], run["stands_in"])
    child = Observation(
        *about, "end", **shown(processes.get("sessions"), processes.get("operations_on_gpus"))
    )
    return Observation(
        *about,
        ended,
        status=int(ended in ("exit", "exception")),
        failure=Failure("", "", "", "", from_tensorflow=False) if ended == "exception" else None,
        trouble=run["trouble"],
        changed=[*statements["did_not_run"], ""],
        not_run=statements["did_not_run"],
        children=[child] if child.sessions else [],
        **shown(run["sessions"], run["operations_on_gpus"]),
    )
