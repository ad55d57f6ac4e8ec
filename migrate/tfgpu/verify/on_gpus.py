"""Runs the two legs of each scenario on simulated or real GPUs and observes them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tfgpu.verify.compare.pairing import EAGER, fail_early
from tfgpu.verify.gpus import Machine
from tfgpu.verify.legs import Leg, Run, bookkeeping, for_books, room, run_leg, run_legs
from tfgpu.verify.lists import grouped
from tfgpu.verify.loaded import Loaded
from tfgpu.verify.nvml import Sampler
from tfgpu.verify.observation import Device, GpuMemory, Observation, Session
from tfgpu.verify.record import MIB, children_failed, observe
from tfgpu.verify.scenarios import Scenario
from tfgpu.verify.simgpu.events import Events, read_events
from tfgpu.verify.simgpu.gpus import Gpu

NAMES = ("before", "after")
_PORT_TAKEN = re.compile(rb"Address already in use|Could not start gRPC server")

# A set-up that nobody asked for may take so many times the seconds of the own one, and more.
_SLOWER = 10
_MORE_SECONDS = 30
# One that computes numbers is left out where it takes longer than this.
_SLOWER_WITH_NUMBERS = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """A scenario with its legs, before and after."""

    scenario: Scenario
    legs: tuple[Leg, Leg]


@dataclass(frozen=True, slots=True)
class Observed:
    """What both legs of a scenario showed."""

    scenario: Scenario
    before: Observation
    after: Observation


class Runner:
    """Runs the legs of a verification in a folder, each under a name of its own.

    They are forks of a process that has imported TensorFlow, one for each interpreter and Keras,
    unless `forks` is false; what cannot be a fork is a new process. It is closed when all have run.
    """

    def __init__(self, work: Path, forks: bool = True) -> None:
        self.work = work
        self._forks = forks
        self._loaded: dict[tuple[str, bool], Loaded] = {}
        self._stack = ExitStack()

    def close(self) -> None:
        """End the processes that legs are forks of."""
        self._stack.close()

    def run(self, legs: Sequence[tuple[Leg, str]], most: int) -> dict[str, Run]:
        """Run legs on simulated GPUs, so many at once, and return them by their names."""
        runs = self._forked(legs, most) if self._forks else {}
        missing = [(leg, f"{name}-alone") for leg, name in legs if name not in runs]
        runs.update(
            (run.name.removesuffix("-alone"), run) for run in run_legs(missing, self.work, most)
        )
        own = [runs[name] for _, name in legs]
        done = _again(legs, own, lambda more: run_legs(more, self.work, most))
        done = self._apart(legs, done)
        return {name: run for (_, name), run in zip(legs, done, strict=True)}

    def _apart(self, legs: Sequence[tuple[Leg, str]], runs: Sequence[Run]) -> list[Run]:
        """Return legs as they ran; those that found a port taken, maybe by others, run again."""
        found = list(runs)
        for number, (leg, name) in enumerate(legs):
            if len(legs) > 1 and _found_port_taken(found[number]):
                [found[number]] = run_legs([(leg, f"{name}-apart")], self.work, 1)
        return found

    def _forked(self, legs: Sequence[tuple[Leg, str]], most: int) -> dict[str, Run]:
        runs: dict[str, Run] = {}
        by_kind = grouped(legs, lambda one: (one[0][0].python, one[0][0].legacy_keras))
        for kind, own in by_kind.items():
            made = self._process(kind, own[0][0]).run(own, most)
            runs.update({name: run for (_, name), run in zip(own, made, strict=True) if run})
        return runs

    def _process(self, kind: tuple[str, bool], like: Leg) -> Loaded:
        if kind not in self._loaded:
            self._loaded[kind] = self._stack.enter_context(Loaded(like, self.work))
        return self._loaded[kind]


def run_pairs(pairs: Sequence[Pair], runner: Runner) -> list[Observed]:
    """Run all scenarios, the own one first, and return what they showed.

    Where the own one shows nothing, those that nobody asked for are left out. On real GPUs legs run
    one after the other, since beside another one each would find less memory. On simulated ones
    they run side by side where there is memory for that.
    """
    own, *others = pairs
    most = _at_once(*(one.scenario.machine.simulated or () for one in pairs))
    found = _observed([own], runner, min(most, len(NAMES)), 0)
    return found + _observed(_worth(others, found[0]), runner, most, 1)


def _at_once(*machines: Sequence[Gpu]) -> int:
    """Return how many legs may run at once, each on one of some sets of GPUs."""
    most = max(sum(card.total_mib for card in gpus) for gpus in machines)
    return min(room(most * MIB), max(len(NAMES), len(os.sched_getaffinity(0))))


def _worth(pairs: Sequence[Pair], own: Observed) -> list[Pair]:
    """Return the scenarios to go on with: where the own one failed early, those asked for."""
    legs = (own.before, own.after)
    failed = fail_early(*legs)
    seconds = max(leg.seconds for leg in legs)
    return [
        one if one.scenario.asked else _sooner(one, seconds)
        for one in pairs
        if one.scenario.asked or not failed
    ]


def _sooner(pair: Pair, seconds: float) -> Pair:
    """Return a scenario that ends sooner, where the own one took so many seconds."""
    around = pair.legs[0][1]
    times = _SLOWER_WITH_NUMBERS if around.numbers else _SLOWER
    return with_surroundings(pair, timeout=min(around.timeout, _MORE_SECONDS + seconds * times))


def with_surroundings(pair: Pair, **changes: Any) -> Pair:
    """Return a scenario whose legs have other surroundings in something."""
    first, second = ((program, replace(around, **changes)) for program, around in pair.legs)
    return Pair(pair.scenario, (first, second))


def _observed(pairs: Sequence[Pair], runner: Runner, most: int, first: int) -> list[Observed]:
    """Run scenarios, of which the first has a number, and return what they showed."""
    legs = [
        (pair.scenario.machine, leg, f"{name}-{number}" if number else name)
        for number, pair in enumerate(pairs, first)
        for leg, name in zip(pair.legs, NAMES, strict=True)
    ]
    shown = iter(_shown(legs, runner, most))
    return [Observed(pair.scenario, next(shown), next(shown)) for pair in pairs]


def _shown(
    legs: Sequence[tuple[Machine, Leg, str]], runner: Runner, most: int
) -> list[Observation]:
    """Run legs with their names, so many at once on simulated GPUs; return what they showed."""
    if any(machine.simulated is None for machine, _, _ in legs):
        return [_sampled(machine, leg, runner.work, name) for machine, leg, name in legs]
    runs = runner.run([(leg, name) for _, leg, name in legs], most)
    return [observe_simulated(machine, runs[name]) for machine, _, name in legs]


def _found_port_taken(run: Run) -> bool:
    """Tell whether a leg wrote that an address is in use: all share the machine's network."""
    texts = (path.read_bytes() for path in (run.stdout, run.stderr, run.record) if path.exists())
    return any(_PORT_TAKEN.search(text) for text in texts)


def _again(
    legs: Sequence[tuple[Leg, str]],
    runs: Sequence[Run],
    run_more: Callable[[Sequence[tuple[Leg, str]]], Sequence[Run]],
) -> list[Run]:
    """Return legs as they ran; those whose children may be of TensorFlow 1 are run once more.

    What starts such a child need not be of TensorFlow 1 itself, and cannot tell. The run with the
    stand-in in all children counts where nothing failed in it.
    """
    found = {run.name: run for run in runs}
    more = [
        ((replace(program, children_stand_in=True), around), f"{run.name}-children")
        for ((program, around), _), run in zip(legs, runs, strict=True)
        if program.version1 and children_failed(run)
    ]
    for run in run_more(more) if more else ():
        if not children_failed(run) and run.status == 0:
            found[run.name.removesuffix("-children")] = run
    return list(found.values())


def run_each(
    scenario: Scenario, legs: Sequence[Leg], runner: Runner, title: str
) -> list[Observation]:
    """Run any number of legs in one scenario, as `run_pairs` does, and return what they showed.

    `title` is for the names of their folders, which no others have.
    """
    machine = scenario.machine
    named = [(machine, leg, f"leg-{title}-{number}") for number, leg in enumerate(legs)]
    return _shown(named, runner, _at_once(machine.simulated or ()))


def _sampled(machine: Machine, leg: Leg, work: Path, name: str) -> Observation:
    samplers: dict[str, Sampler] = {}

    def sample(legs: Sequence[tuple[Leg, str]]) -> list[Run]:
        runs = []
        for one, title in legs:
            samplers[title] = Sampler(machine.real)
            with samplers[title]:
                runs.append(run_leg(one, work, title))
        return runs

    [run] = _again([(leg, name)], sample([(leg, name)]), sample)
    observation = observe(run)
    memory = samplers[run.name].memory(without=observation.tried)
    trouble = list(observation.trouble)
    made = any(device.bus for session in observation.sessions for device in session.devices)
    if made and not memory:
        trouble.append("NVML shows no memory taken, although TensorFlow made devices on GPUs")
    cards = [Device(f"GPU {gpu.index}", gpu.total, gpu.bus) for gpu in machine.real]
    return replace(observation, trouble=trouble, memory=memory, physical=cards)


def observe_simulated(machine: Machine, run: Run) -> Observation:
    """Return what a leg showed on simulated GPUs, with what makes it worthless."""
    events = read_events(run.events)
    observation = observe(run)

    def with_memory(leg: Observation, **more: Any) -> Observation:
        mine = events.of(leg.process)
        buses = {event.gpu: event.pci for event in mine.memory if event.pci}
        return replace(
            leg,
            memory=_memory(machine, mine),
            launches={buses[gpu]: work for gpu, work in mine.work().items() if gpu in buses},
            physical=_physical(mine),
            **more,
        )

    return with_memory(
        observation,
        trouble=[*observation.trouble, *_trouble(machine, events, observation)],
        children=[with_memory(child) for child in observation.children],
    )


def _physical(events: Events) -> list[Device]:
    """Return the cards that CUDA showed, with their total memory."""
    shown = {one.gpu: one for one in events.memory if one.operation == "visible"}
    return [Device(f"GPU {gpu}", one.size, one.pci) for gpu, one in sorted(shown.items())]


def _memory(machine: Machine, events: Events) -> list[GpuMemory]:
    """Return what the driver wrote down of each card that a leg touched."""
    used, peak, calls = events.used(), events.peak(), events.allocations()
    buses = {event.gpu: event.pci for event in events.memory if event.pci}
    return [
        GpuMemory(
            gpu,
            buses[gpu],
            int(card.total_mib * MIB),
            int((card.total_mib - card.used_mib) * MIB),
            calls.get(gpu, ()),
            used.get(gpu, ()),
            peak.get(gpu, 0),
        )
        for gpu, card in enumerate(machine.simulated or ())
        if gpu in calls
    ]


def _no_host_memory(machine: Machine, events: Events) -> Iterator[str]:
    """Say what a leg needed of this machine, and what to do."""
    gpus = machine.simulated or ()
    taken = sum(card.total_mib for card in gpus) * MIB
    # A quarter of what there is leaves room for both sides and for other set-ups.
    size = int(for_books() / bookkeeping(1) / 4 / max(len(gpus), 1) / 2**30)
    smaller = f"sim:{len(gpus)}x{max(size, 1)}GiB"
    yield (
        f"it takes GPUs in advance, for which TensorFlow's allocator keeps books in this machine's "
        f"memory: {events.host_memory / 1e9:.1f} GB by then, {bookkeeping(taken) / 1e9:.1f} GB for "
        f"all of these GPUs, and there are {for_books() / 1e9:.1f} GB: verify on fewer or smaller "
        f"ones, such as --gpus {smaller}"
    )


def _trouble(machine: Machine, events: Events, observation: Observation) -> Iterator[str]:
    """Say why a run on simulated GPUs proves nothing."""
    if events.host_memory:
        yield from _no_host_memory(machine, events)
    for name in sorted(events.unmodelled):
        yield f"it called {name}, for which the simulated driver has no model"
    legs = [observation, *observation.children]
    if events.visible.keys() - {leg.process for leg in legs} - {*observation.idle}:
        yield "a child process that could not be recorded used the GPUs"
    for leg in legs:
        for session in leg.sessions:
            for device in session.devices:
                if device.name.startswith("GPU:") and not device.bus:
                    yield f"TensorFlow did not say which card is behind {device.name}"
        looked = [one for one in leg.sessions if _looks_for_gpus(one, leg)]
        if looked and machine.simulated and leg.process not in events.visible:
            what = "TensorFlow made a session without asking the simulated driver for its GPUs"
            yield what if leg is observation else f"{leg.program}: {what}"


def _looks_for_gpus(session: Session, leg: Observation) -> bool:
    """Tell whether TensorFlow looked for GPUs: it does not for a session with none in device_count.

    The eager context of TensorFlow 2 always does, and has none there where it found none.
    """
    always = session.title == EAGER and not leg.tensorflow.startswith("1.")
    return always or session.config.get("device_count.GPU") != "0"
