"""Runs the two legs on simulated or real GPUs and observes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tfgpu.verify.gpus import Machine
from tfgpu.verify.legs import Program, Run, Surroundings, room_for_two, run_leg, run_together
from tfgpu.verify.nvml import Sampler
from tfgpu.verify.observation import Device, GpuMemory, Observation
from tfgpu.verify.record import MIB, observe
from tfgpu.verify.simgpu.events import Events, read_events

Leg = tuple[Program, Surroundings]


def run_on_simulated(
    machine: Machine, before: Leg, after: Leg, work: Path
) -> tuple[Observation, Observation]:
    """Run both legs, side by side where there is memory for two, and return what they showed."""
    if room_for_two(sum(card.total_mib for card in machine.simulated or ()) * MIB):
        runs = run_together(before, after, work)
    else:
        runs = run_leg(*before, work, "before"), run_leg(*after, work, "after")
    return observe_simulated(machine, runs[0]), observe_simulated(machine, runs[1])


def run_on_real(
    machine: Machine, before: Leg, after: Leg, work: Path
) -> tuple[Observation, Observation]:
    """Run one leg after the other, since beside another one each would find less memory."""
    return _on_real(machine, before, work, "before"), _on_real(machine, after, work, "after")


def _on_real(machine: Machine, leg: Leg, work: Path, name: str) -> Observation:
    with Sampler(machine.real) as sampler:
        run = run_leg(*leg, work, name)
    memory = sampler.memory()
    observation = observe(run, memory, [])
    trouble = list(observation.trouble)
    made = any(device.bus for session in observation.sessions for device in session.devices)
    if made and not memory:
        trouble.append("NVML shows no memory taken, although TensorFlow made devices on GPUs")
    cards = [Device(f"GPU {gpu.index}", gpu.total, gpu.bus) for gpu in machine.real]
    return replace(observation, trouble=trouble, physical=cards)


def observe_simulated(machine: Machine, run: Run) -> Observation:
    """Return what a leg showed on simulated GPUs, with what makes it worthless."""
    events = read_events(run.events)
    observation = observe(run, _memory(machine, events), [])
    trouble = [*observation.trouble, *_trouble(machine, events, observation)]
    return replace(observation, trouble=trouble, physical=_physical(events))


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


def _trouble(machine: Machine, events: Events, observation: Observation) -> Iterator[str]:
    """Say why a run on simulated GPUs proves nothing."""
    for name in sorted(events.unmodelled):
        yield f"it called {name}, for which the simulated driver has no model"
    if events.visible.keys() - {observation.process}:
        yield "a child process used the GPUs, and what it did was not compared"
    for session in observation.sessions:
        for device in session.devices:
            if device.name.startswith("GPU:") and not device.bus:
                yield f"TensorFlow did not say which card is behind {device.name}"
    # Without GPUs in device_count TensorFlow does not look for any.
    looked = [one for one in observation.sessions if one.config.get("device_count.GPU") != "0"]
    if looked and machine.simulated and not events.visible:
        yield "TensorFlow made a session without asking the simulated driver for its GPUs"
