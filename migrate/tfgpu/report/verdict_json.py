"""A verdict as one JSON document, with everything that both legs showed.

The schema, version 1. Sizes are bytes, times seconds, places `path:line`, of a notebook
`path:cell 3:line`; "" and [] mean nothing. A reader must allow for more keys; a key that changes
its meaning or goes raises the version.

    version       1
    outcome       "match" | "mismatch" | "inconclusive"
    exit_code     0 | 1 | 3, in the same order
    gpus          which GPUs the set-up has that is shown, in words
    caveats       [what must not be overlooked: how far or on what it was run, ...]
    add           options to add to the command where a module or data is missing, else ""
    bound         how far the programs were run, in words, "" for to their ends
    simulated     whether those were simulated
    isolation     what kept the programs from the user's files: "namespaces" or "landlock"
    notes         [how the comparison was made, in sentences]
    limits        where to read what no verdict is about
    change        the diff of the two programs
    scenarios     [{name, gpus, arguments, variables, asked, outcome, silent, differences, before,
                  after}], the set-ups that were run, the own one first; asked is whether it must
                  show something, silent whether it shows nothing and need not, variables are those
                  of the environment beside the user's; differences are aspects as below with the
                  entries that do not match
      before, after  {ended, status, failure, trouble, steps, seconds}, as below
    shown         the name of the set-up that all below is about
    aspects       [{name, outcome, entries}]; the names are "devices", "configuration",
                  "placement", "memory", "result"; outcome is as above or "ignored"
      entries     [{subject, outcome, before, after, reason, rule, source, graph, form}]; before
                  and after are text for people, rule is the code of a rule, graph the session or
                  graph that the subject belongs to, form whether a graph and eager code of one text
                  may differ so
    before, after what each leg showed:
      program, tensorflow, python
      migrated    whether tfgpu made it of the other one and changed its settings only
      legacy_keras  whether it was given Keras 2 in place of its TensorFlow's Keras
      stands_in   whether TensorFlow 2 ran it in place of TensorFlow 1
      ended       "end" | "steps" | "session" | "exit" | "exception" | "timeout" | "signal" |
                  "blocked"; of a child also "unseen"
      status      of "exit" the exit status, of "signal" the signal
      failure     null or {kind, message, source, traceback, from_tensorflow, modules}
      trouble     [why this leg proves nothing]
      reached     whether its sessions were looked at where it was to stop at the first of them
      values      [{kind, name, shape, rows}], what a leg that computes numbers showed
      whole       whether it came to its end with all steps
      apart       whether variables of one shape began with other numbers: done, late, "" for none
      drawn       whether random tensors of one shape were drawn at several places
      graphs      {session: bytes of all that its graph would put out}, where it was not run
      stubs       [module that was stood in for]
      synthetic   [what got data that was made for it]
      tried       [[begin, end]], when it was run as it is, in vain: of the clock of the machine
      steps, seconds, peak_rss
      physical    [{name, limit, bus}], the GPUs that TensorFlow lists
      sessions    [{title, source, target, config, devices, apart}]; config maps a field of the
                  ConfigProto to its text, devices are [{name, limit, bus}], limit being the
                  memory limit, apart whether another thread than the first made it
      placements  [{title, eager, operations}]; an operation is {name, kind, device, requested,
                  source}
      work        [{title, eager, items, order}], what each run of a session, function, or all eager
                  code consists of before it is optimised; order are places in items, as eager code
                  executed them
      memory      [{gpu, bus, total, free_at_start, calls, used, peak}] for each physical GPU;
                  calls are the driver's allocations [{call, size}], used is the memory taken
                  after each allocation and release (on real GPUs: at each sample)
      launches    {bus of a simulated GPU: {kernel, or calculation of a library: [how often it was
                  given that, a sum over their sizes]}}
      allocator   {device: {"current", "peak": bytes in use, now and at most; "results": bytes that
                  the operations of the first run of each step put out}}
      threads     {name of a pool: threads}
      turned_eager whether graph code turned to eager code, or that is not known
      fills_queues whether threads beside the first put something into queues
      environment {variable: value}
      process     its process id
      order       of a child: which of the processes that the first thread started it is, behind
                  the same of those that started its parents; 0 where another thread did
      changed     [place of a statement that the other leg does not have]
      not_run     [those of them that did not run, with the conditions above them]
      takes_arguments whether it may be told something when it is started
      unread      [flag or environment variable that the other leg reads, and this one does not]
      new_constants [file, line, and a constant of the other leg's program and of this one]
      assumptions [{assumption, status, detail}], what the migration takes for granted; an
                  assumption is {id, kind, place, text, until, expression, callers, field,
                  within, sessions, in_front}, status "held", "failed", "not reached" or "unknown"
      settings    {setting that no config holds: its values, in order}
      told        [{what, name, kind, values}], callbacks, hooks and optimizers that training was
                  given, with their plain attributes; name and kind are the class and its module
      constants   {graph or function: [number in it]}
      children    [processes that it started and that made sessions, with these same keys; program
                  is what such a one runs]
      commands    [command that it or a child started and that no record tells of, with variables of
                  its own; of another one those variables only that decide on its libraries]
      own_commands [words of a command that the program's own code starts]
      errors      [{how, who, failure, chance, process}], errors that did not end it: of threads,
                  pools, tasks, callbacks, of processes without a session, and what TensorFlow
                  refused; who is the function or call, process what a child runs, chance
                  whether it depends on time
      idle        [process id of a child with TensorFlow and without a session]
      read        {file of its own that it read and had not written, as seen from the script,
                  without Python: what tells its contents from others}
      files       [name of a file that it wrote or removed, without what differs from run to run]
      saves       [{name, behind, variables}], what it saved, in order: behind are the steps with
                  gradients and all steps done before, null where that is left to chance, variables
                  types and shapes of what a checkpoint holds
      progress    the same two numbers at its end
      written     [[path, removed]], the files that it made, changed or removed in its own view
      read_only   [folder that it could not write to]
      stdout, stderr
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum

from tfgpu.report.verdict_words import limits
from tfgpu.verify.observation import GpuMemory
from tfgpu.verify.verdict import Aspect, Comparison, Outcome, Verdict

VERSION = 1

# What is told of a leg of each set-up.
_LEG = ("ended", "status", "failure", "trouble", "steps", "seconds")


def verdict_json(verdict: Verdict) -> str:
    """Return the document; the module says what is in it."""
    return json.dumps(
        {
            "version": VERSION,
            "outcome": verdict.outcome.value,
            "exit_code": verdict.exit_code,
            "gpus": verdict.gpus,
            "simulated": verdict.simulated,
            "isolation": verdict.isolation,
            "caveats": _plain(verdict.caveats),
            "add": verdict.add,
            "bound": verdict.bound,
            "notes": _plain(verdict.notes),
            "limits": limits(),
            "change": verdict.change,
            "scenarios": [_scenario(one) for one in verdict.scenarios],
            "shown": _shown(verdict),
            "aspects": [_aspect(aspect) for aspect in verdict.aspects],
            "before": _plain(verdict.before),
            "after": _plain(verdict.after),
        },
        indent=2,
    )


def _shown(verdict: Verdict) -> str:
    names = (one.scenario.name for one in verdict.scenarios if one.aspects is verdict.aspects)
    return next(names, "")


def _scenario(one: Comparison) -> dict[str, object]:
    scenario = one.scenario
    return {
        "name": scenario.name,
        "gpus": scenario.machine.description,
        "arguments": _plain(scenario.argv),
        "variables": _plain(scenario.variables),
        "asked": scenario.asked,
        "outcome": one.outcome.value,
        "silent": one.is_silent,
        "differences": [
            {**_aspect(aspect), "entries": _plain(found)}
            for aspect in one.aspects
            if (found := [each for each in aspect.entries if each.outcome is not Outcome.MATCH])
        ],
        **{
            name: {key: _plain(getattr(leg, key)) for key in _LEG}
            for name, leg in (("before", one.before), ("after", one.after))
        },
    }


def _aspect(aspect: Aspect) -> dict[str, object]:
    return {
        "name": aspect.name,
        "outcome": aspect.outcome.value,
        "entries": _plain(aspect.entries),
    }


def _plain(value: object) -> object:
    """Return a value as JSON has it (`asdict` would copy most values deeply)."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        plain = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        if isinstance(value, GpuMemory):
            plain["calls"] = [{"call": call, "size": size} for call, size in value.calls]
        return plain
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value
