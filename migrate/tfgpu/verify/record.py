"""From the files that a leg leaves to its observation."""

from __future__ import annotations

import itertools
import re
import shutil
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tfgpu.verify.assumptions import Checked, checked
from tfgpu.verify.changed import Statement
from tfgpu.verify.commands import commands, own_commands
from tfgpu.verify.files import name_of, names_of
from tfgpu.verify.legs import Program, Run
from tfgpu.verify.lists import grouped
from tfgpu.verify.notebooks import in_cells
from tfgpu.verify.observation import (
    AS_PLACED,
    Device,
    Failure,
    Item,
    Observation,
    Operation,
    Placement,
    Runs,
    Saved,
    Session,
    SideError,
    Step,
    Told,
    Values,
)
from tfgpu.verify.recorded import Kinds, kinds_of, last
from tfgpu.verify.threads import functions_in_order
from tfgpu.verify.unseen import unseen

MIB = 2**20

_NO_LIBRARY = re.compile(r"Cannot dlopen some GPU libraries")


# What the placer logs of each operation (the recorder turns that on), and prints as well; where
# sessions are looked at, each but the first is named before.
_PLACED = re.compile(r"^tfgpu: (session \d+)$|placer\.cc:\d+\] (\S+): \((\w+)\): (/job:\S+)", re.M)
_SESSION_LINE = re.compile(r"^tfgpu: session \d+\n", re.M)
_PLACED_LINE = re.compile(r"^.*placer\.cc:\d+\] \S+: \(\w+\): /job:\S+\n", re.M)
_PRINTED = re.compile(r"(?<!\S)\S+: \(\w+\): /job:\w+/replica:\d+/task:\d+/device:\w+:\d+\n")


def observe(run: Run) -> Observation:
    """Return what a leg showed, but for what is seen of its GPUs from outside."""
    kinds = kinds_of(run.record)
    parts = {path: kinds_of(path) for path in sorted(run.record.parent.glob("parts/*.jsonl"))}

    def told_by_all(kind: str) -> list[dict[str, Any]]:
        return [line for each in (kinds, *parts.values()) for line in each.get(kind, [])]

    log = _text(run.stderr)
    kinds = _with_end(kinds, parts.values())
    ended, status = _ending(run, last(kinds, "end"))
    seen = _seen(kinds, log, ended, status)
    told = told_by_all("trouble")
    statements = _loaded(run, told_by_all("loaded"))
    troubles = [line["reason"] for line in told]
    if not kinds:
        troubles.append(f"the interpreter could not start the program: {_last_line(log)}")
    troubles += unseen(run, kinds, [*parts.values()], ended)
    troubles += _stubbed(run, told_by_all("stub value"))
    troubles += _cut_short(run, ended)
    troubles += _without_libraries(seen, log)
    shown = replace(
        seen,
        program=run.program.name,
        stands_in=any("stands in" in one for one in (kinds, *parts.values())),
        migrated=run.program.migrated,
        legacy_keras=run.program.legacy_keras,
        ended="blocked" if any(line.get("gone") for line in told) else ended,
        trouble=troubles,
        synthetic=sorted({line["what"] for line in told_by_all("synthetic")}),
        stubs=sorted({line["module"] for line in told_by_all("stub")}),
        tried=[(begun, end) for begun, end in (one["tried"] for one in told_by_all("stands in"))],
        seconds=run.seconds,
        peak_rss=run.peak_rss,
        changed=[_place(run, one) for one in statements],
        not_run=_not_run(run, statements, told_by_all("ran")),
        takes_arguments=run.program.takes_arguments,
        unread=run.program.unread,
        new_constants=run.program.new_constants,
        assumptions=_assumptions(
            run.program, told_by_all("assumption"), told_by_all("session"), ended
        ),
        children=_children(parts),
        commands=commands([kinds, *parts.values()]),
        own_commands=own_commands([kinds, *parts.values()]),
        errors=[*_errors(kinds, ""), *_of_children(parts.values())],
        idle=[_process(one) for one in parts.values() if _is_idle(one)],
        read={line["path"]: line["content"] for line in told_by_all("read")},
        files=names_of(run.written, run.program, seen.process),
        saves=_saves(run, kinds),
        written=run.written if run.view else (),
        read_only=run.read_only,
        stdout=_PRINTED.sub("", _text(run.stdout)),
        stderr=_SESSION_LINE.sub("", _PLACED_LINE.sub("", log)),
    )
    return shown if run.program.source is None else _by_cells(shown, run.program)


def _assumptions(
    program: Program, told: list[dict[str, Any]], sessions: list[dict[str, Any]], ended: str
) -> list[Checked]:
    """Return what became of the assumptions, with places as seen from the program's folder."""

    def seen(place: str) -> str:
        return place.replace(f"{program.root.as_posix()}/", "")

    configs = [line["config"] for line in sessions]
    return [
        replace(
            one,
            assumption=replace(
                one.assumption, place=seen(one.assumption.place), until=seen(one.assumption.until)
            ),
            detail=seen(one.detail),
        )
        for one in checked(program.assumptions, told, configs, ended)
    ]


def _children(parts: Mapping[Path, Kinds]) -> list[Observation]:
    """Return what the child processes showed that made a session."""
    return [
        _child(lines, _text(path.with_name(path.name + ".log")))
        for path, lines in parts.items()
        if "session" in lines
    ]


def _without_libraries(seen: Observation, log: str) -> Iterator[str]:
    """Say where TensorFlow went without the GPUs for want of their libraries."""
    made = any(one.bus for each in seen.sessions for one in each.devices)
    if _NO_LIBRARY.search(log) and not made:
        yield "TensorFlow could not open all GPU libraries and ran on the CPU"


def _by_cells(shown: Observation, program: Program) -> Observation:
    """Return what a run of a notebook showed, with places that people find in it."""
    data = program.changes.get(program.script) or program.script.read_bytes()
    return in_cells(shown, str(program.script.relative_to(program.root)), data)


def _seen(kinds: Kinds, log: str, ended: str, status: int) -> Observation:
    """Return what the record of one process shows, of a leg or of a child."""
    kinds = functions_in_order(kinds)
    end, finish = last(kinds, "end"), last(kinds, "finish")
    numbers = kinds.get("numbers", [])
    return Observation(
        program="",
        tensorflow=kinds["tensorflow"][0]["version"] if "tensorflow" in kinds else "",
        python=kinds["start"][0]["python"] if "start" in kinds else "",
        stands_in="stands in" in kinds,
        process=_process(kinds),
        order=tuple(last(kinds, "start").get("order", ())),
        ended=ended,
        status=status,
        failure=_failure(end.get("failure")),
        behind=end.get("behind", ""),
        reached="reached" in kinds,
        graphs={line["title"]: line["size"] for line in kinds.get("graph", [])},
        values=_values(kinds),
        whole=ended == "end" and any(line["whole"] for line in numbers),
        apart=next((line["apart"] for line in numbers), ""),
        drawn=any(line["drawn"] for line in numbers),
        steps=finish.get("steps", 0),
        runs=_runs(kinds),
        sessions=[_session(line) for line in kinds.get("session", [])],
        placements=_placements(kinds, log),
        work=_work(kinds),
        allocator=last(kinds, "allocator").get("devices", {}),
        threads=finish.get("threads", {}),
        turned_eager=finish.get("turned_eager", True),
        fills_queues=finish.get("fills_queues", False),
        settings=finish.get("settings", {}),
        constants=_constants(kinds),
        told=[
            Told(one["what"], one["name"], one["type"], one["values"])
            for one in kinds.get("told", [])
        ],
        environment=kinds["environment"][0]["variables"] if "environment" in kinds else {},
        progress=tuple(finish.get("progress", (0, 0))),
    )


def _cut_short(run: Run, ended: str) -> Iterator[str]:
    """Say what kept a leg from its end, or its record from being whole."""
    if run.status == -signal.SIGKILL:
        yield "it was killed, by the system for want of memory or by somebody"
    if shutil.disk_usage(run.record.parent).free < MIB:
        yield f"the disk is full that has what it showed ({run.record.parent.parent})"
    if ended == "timeout":
        yield "it did not end in time: give --timeout more seconds, or fewer --steps"


def children_failed(run: Run) -> bool:
    """Tell whether a leg failed, or a child of it, where a child ran on TensorFlow as it is.

    It fails, too, where it takes a name of TensorFlow 1 for granted (see `recorder/trial.py`).
    """
    if (run.record.parent / "parts" / "version1").exists():
        return True
    own, *parts = map(kinds_of, [run.record, *run.record.parent.glob("parts/*.jsonl")])
    as_it_is = [one for one in parts if "tensorflow" in one and "stands in" not in one]
    ends = [one["end"][-1]["status"] for one in (own, *as_it_is) if "end" in one]
    return bool(as_it_is) and any(ends)


def _child(kinds: Kinds, log: str) -> Observation:
    """Return what a process that a leg has started showed, as far as it has sessions."""
    end = {"ended": "unseen", "status": 0, **last(kinds, "end")}
    seen = _seen(kinds, log, end["ended"], end["status"])
    return replace(seen, program=kinds["child"][-1]["what"])


def _place(run: Run, statement: Statement) -> str:
    place = f"{statement.path.relative_to(run.program.root)}:{statement.line}"
    return f"a part of {place}" if statement.part else place


def _stubbed(run: Run, told: list[dict[str, Any]]) -> Iterator[str]:
    """Say where a value of a stand-in decides in what was changed."""
    places = {line["place"] for line in told}
    for statement in run.program.statements:
        if _place(run, statement) in places:
            yield f"{_place(run, statement)}: a stand-in gives a value to what was changed"


def _loaded(run: Run, loaded: list[dict[str, Any]]) -> list[Statement]:
    """Return the statements of a change but for those in files that no import led to."""
    files = {line["path"] for line in loaded}
    return [
        one
        for one in run.program.statements
        if not one.by_name or one.path.relative_to(run.program.root).as_posix() in files
    ]


def _not_run(run: Run, statements: Sequence[Statement], ran: list[dict[str, Any]]) -> list[str]:
    """Return the places of statements that did not run, with the conditions above each."""
    found = {(one["path"], one["line"], one["column"], one["part"]) for one in ran}
    root = run.program.root
    return [
        " ".join([_place(run, one), *(["under", ", ".join(one.guards)] if one.guards else [])])
        for one in statements
        if (str(one.path.relative_to(root)), one.line, one.column, one.part) not in found
    ]


def _text(path: Path) -> str:
    return path.read_text("utf-8", "replace") if path.is_file() else ""


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it said nothing"


def _ending(run: Run, end: Mapping[str, Any]) -> tuple[str, int]:
    """Return how a leg ended, and its status."""
    if run.status is None:
        return "timeout", 0
    if run.status < 0:
        return "signal", -run.status
    if end:
        return end["ended"], end["status"]
    return "exit", run.status  # os._exit, or the end of a process that the record missed


def _with_end(kinds: Kinds, parts: Iterable[Kinds]) -> Kinds:
    """Return a record that ends as what its process has become (`os.execv`), if it has.

    Such a part has the number of the process, which no other has while the leg is there. What was
    done before that in a session is not whole in the record, and has no end.
    """
    became = [one for one in parts if kinds and _process(one) == _process(kinds)]
    if "end" in kinds or "session" in kinds or not became or "end" not in became[-1]:
        return kinds
    steps = last(became[-1], "finish").get("steps", 0)
    return {**kinds, "end": became[-1]["end"], "finish": [{"steps": steps}]}


def _failure(data: Mapping[str, Any] | None) -> Failure | None:
    if data is None:
        return None
    names = ("kind", "message", "source", "traceback", "tensorflow", "modules")
    return Failure(*(data[name] for name in names))


def _errors(kinds: Kinds, process: str) -> Iterator[SideError]:
    for line in kinds.get("error", []):
        failure = _failure(line["failure"])
        if failure is not None:
            told = (line["how"], line["who"], failure, line["chance"], line["stale"])
            yield SideError(*told, process=process)


def _of_children(parts: Iterable[Kinds]) -> Iterator[SideError]:
    """Yield the errors of children, and those that ended one without a session."""
    for kinds in parts:
        what = last(kinds, "child").get("what", "")
        yield from _errors(kinds, what)
        end = last(kinds, "end")
        if end.get("status") and "session" not in kinds:
            status = Failure(f"exit status {end['status']}", "", "", "", False)
            failure = _failure(end["failure"]) or status
            yield SideError("ends the process", "", failure, process=what)


def _is_idle(kinds: Kinds) -> bool:
    return "tensorflow" in kinds and "session" not in kinds


def _session(line: Mapping[str, Any]) -> Session:
    devices = [Device(*device) for device in line["devices"]]
    title, source, target, config = (line[key] for key in ("title", "source", "target", "config"))
    return Session(title, source, target, config, devices, line.get("apart", False))


def _placements(kinds: Kinds, log: str) -> list[Placement]:
    """Return all operations: as the placer put them, and as they ran."""
    asked = {
        name: (requested, source)
        for line in kinds.get("asked", [])
        for name, requested, source in line["operations"]
    }
    graphs: dict[str, tuple[bool, dict[Operation, None]]] = {}

    def add(
        title: str, eager: bool, name: str, kind: str, device: str, source: str = "", of: str = ""
    ) -> None:
        requested, place = asked.get(name, ("", source))
        whole = f"{of}: {name}" if of else name
        operation = Operation(whole, kind, short(device), short(requested), place)
        graphs.setdefault(title, (eager, {}))[1][operation] = None

    session = ""
    for new, name, kind, device in _PLACED.findall(log):
        if new:
            session = "" if new == "session 1" else new
        else:
            add(AS_PLACED, False, name, kind, device, of=session)
    for line in kinds.get("operations", []):
        if not line["eager"]:
            for name, kind, device in line["operations"]:
                add(line["title"], False, name, kind, device)
    counts: dict[str, int] = {}
    for title, kind, device, source in _thread_by_thread(kinds):
        # Eager operations have no names: they are numbered by type.
        counts[kind] = counts.get(kind, 0) + 1
        add(title, True, f"{kind} {counts[kind]}", kind, device, source)
    made = {name: index for index, name in enumerate(asked)}  # in the order of their making

    def in_order(operations: Iterable[Operation]) -> list[Operation]:
        return sorted(operations, key=lambda one: made.get(one.name, len(made)))

    return [Placement(title, eager, in_order(found)) for title, (eager, found) in graphs.items()]


def _thread_by_thread(kinds: Kinds) -> Iterator[tuple[str, str, str, str]]:
    """Yield title, type, device and source of eager operations, those of the first thread first.

    Chance mixes what threads do side by side. So each has its own order, and the others are in that
    of what they did.
    """
    found = [
        (line["title"], *operation)
        for line in kinds.get("operations", [])
        if line["eager"]
        for operation in line["operations"]
    ]
    threads = grouped(found, lambda one: one[1])
    first = threads.pop("", [])
    others = sorted(threads.values(), key=lambda side: [one[2:4] for one in side])
    for title, _, *operation in itertools.chain(first, *others):
        yield (title, *operation)


def _work(kinds: Kinds) -> list[Step]:
    """Return the steps of a leg, what eager code did last."""
    found, runs = [], _runs(kinds)
    for line in kinds.get("step", []):
        items, number = list(map(_item, line["items"])), line["number"]
        known = runs[number] if 0 <= number < len(runs) else None
        found.append(Step(line["title"], eager=False, items=items, runs=known))
    for line in kinds.get("eager work", []):
        rows = list(map(_item, line["items"]))
        found.append(Step("eager code", eager=True, items=rows, order=line["order"]))
    return found


def _runs(kinds: Kinds) -> list[Runs]:
    cut = last(kinds, "end").get("ended") == "steps"
    return [
        Runs(label, count, more or cut, frozenset(fed))
        for label, count, more, fed in last(kinds, "finish").get("runs", [])
    ]


def _process(kinds: Kinds) -> int:
    return int(last(kinds, "start").get("process", 0))


def _saves(run: Run, kinds: Kinds) -> list[Saved]:
    found = []
    for line in kinds.get("saved", []):
        name = name_of(line["path"], run.program, _process(kinds))
        behind = line["behind"] and (line["behind"][0], line["behind"][1])
        if name:
            found.append(Saved(name, behind, line["variables"]))
    return found


def _values(kinds: Kinds) -> list[Values]:
    rows: dict[tuple[str, str, str], list[list[float]]] = {}
    for line in kinds.get("value", []):
        key = line["what"], line["of"], line["shape"]
        rows.setdefault(key, []).append(line["numbers"])
    return [Values(*key, found) for key, found in rows.items()]


def _constants(kinds: Kinds) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in kinds.get("constants", []):
        found.setdefault(line["title"], []).extend(line["found"])
    return found


def _item(row: list[Any]) -> Item:
    kind, shapes, role, device, source, *count = row
    return Item(kind, shapes, role, short(device), source, *count)


def short(device: str) -> str:
    """Return a device without the parts that are the same for all of one process."""
    return re.sub(r"^/job:\w+/replica:0/task:0", "", device).replace("/device:", "").lstrip("/")
