"""Verdicts made by hand, as the legs and the comparison will make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tfgpu.verify.gpus import Machine
from tfgpu.verify.observation import (
    Device,
    Failure,
    GpuMemory,
    Observation,
    Operation,
    Placement,
    Session,
)
from tfgpu.verify.scenarios import Scenario
from tfgpu.verify.simgpu.gpus import Gpu
from tfgpu.verify.verdict import ASPECTS, Aspect, Comparison, Entry, Outcome, Verdict, decisive

GIB = 2**30
MIB = 2**20
BUSES = tuple(f"0000:00:0{4 + place}.0" for place in range(4))
MATCH, IGNORED = Outcome.MATCH, Outcome.IGNORED
INCONCLUSIVE, MISMATCH = Outcome.INCONCLUSIVE, Outcome.MISMATCH
S1 = "session 1"


def entry(subject: str, outcome: Outcome = MATCH, before: str = "x", after: str = "x") -> Entry:
    return Entry(subject, outcome, before, after)


def devices(cards: Sequence[int], limits: Sequence[int]) -> list[Device]:
    gpus = [
        Device(f"GPU:{number}", limit, BUSES[card])
        for number, (card, limit) in enumerate(zip(cards, limits, strict=True))
    ]
    return [Device("CPU:0", 256 * MIB), *gpus]


def operations() -> list[Operation]:
    return [
        Operation("x", "Placeholder", "CPU:0", "", "train.py:8"),
        Operation("dense/kernel", "VarHandleOp", "GPU:0", "/device:GPU:0", "train.py:12"),
        Operation("dense/MatMul", "MatMul", "GPU:0", "/device:GPU:0", "train.py:14"),
        Operation("tower_1/MatMul", "MatMul", "GPU:1", "/device:GPU:1", "train.py:18"),
        Operation("tower_1/Relu", "Relu", "GPU:1", "/device:GPU:1", "train.py:19"),
        Operation("loss", "Mean", "GPU:0", "", "train.py:22"),
    ]


def memory(card: int, limit: int, steps: int = 9) -> GpuMemory:
    """A curve that grows as TensorFlow's allocator does: twice as much each time."""
    calls: list[tuple[str, int]] = []
    used: list[int] = []
    total, block = 0, 32 * MIB
    while len(used) < steps and total < limit:
        take = min(block, limit - total)
        calls.append(("alloc", take))
        total, block = total + take, block * 2
        used.append(total)
        if len(used) == 4:
            total -= 32 * MIB
            used.append(total)
    return GpuMemory(
        card, BUSES[card], 16 * GIB, 16 * GIB - 300 * MIB, calls, used, max(used, default=0)
    )


def leg(cards: Sequence[int] = (2, 0), limits: Sequence[int] = (8 * GIB, 4 * GIB)) -> Observation:
    """A program that takes two of four cards, in its own order."""
    config = {"allow_soft_placement": "true", "inter_op_parallelism_threads": "4"}
    session = Session("session 1", "train.py:25", "", config, devices(cards, limits))
    curves = {card: memory(card, limit) for card, limit in zip(cards, limits, strict=True)}
    return Observation(
        program="train.py",
        tensorflow="2.15.1",
        python="3.11.7",
        stands_in=True,
        ended="end",
        steps=10,
        seconds=4.2,
        peak_rss=900 * MIB,
        physical=[Device(f"GPU:{place}", 16 * GIB, bus) for place, bus in enumerate(BUSES)],
        sessions=[session],
        placements=[Placement(S1, False, operations())],
        memory=[curves.get(card, memory(card, 0)) for card in range(4)],
        threads={"tf_Compute": 4},
        environment={"CUDA_DEVICE_ORDER": "PCI_BUS_ID"},
        stdout="step 0 loss 0.0\nstep 1 loss 0.0\n",
        stderr="I tensorflow/core: created device GPU:0\n",
    )


def aspects(**entries: Sequence[Entry]) -> list[Aspect]:
    """All aspects; those that are not named hold one entry that matches."""
    return [Aspect(name, entries.get(name, [entry(name)])) for name in ASPECTS]


def matching() -> Verdict:
    after = replace(leg(), stands_in=False, seconds=3.9)
    return Verdict(
        "4 x 16 GiB",
        True,
        leg(),
        after,
        aspects(
            devices=[
                entry("GPU:0", MATCH, f"{BUSES[2]}, 8,192 MiB", f"{BUSES[2]}, 8,192 MiB"),
                entry("GPU:1", MATCH, f"{BUSES[0]}, 4,096 MiB", f"{BUSES[0]}, 4,096 MiB"),
            ],
            configuration=[
                entry("allow_soft_placement", MATCH, "true", "true"),
                entry("inter_op_parallelism_threads", MATCH, "4", "4"),
                Entry(
                    "gpu_options.experimental.collective_ring_order",
                    IGNORED,
                    "2,0",
                    "",
                    "NCCL chooses the ring itself since TensorFlow 2.0",
                    "TFG162",
                ),
            ],
        ),
        ["Each program ran once, with the same data."],
    )


def with_children() -> Verdict:
    """A child with another limit, and one that only the first leg starts."""
    child = replace(leg(), program="python eval.py --long-option=" + "x" * 60, children=())
    other = replace(child, program="fork train()", ended="unseen")
    found = matching()
    return replace(
        found,
        before=replace(found.before, children=[child, other]),
        after=replace(found.after, children=[replace(leg((1,), (GIB,)), program=child.program)]),
        aspects=aspects(
            devices=[
                replace(
                    entry("GPU:0", MISMATCH, "8,192 MiB", "1,024 MiB"),
                    graph=f"child {child.program}: session 1",
                )
            ]
        ),
    )


def differing() -> Verdict:
    """The visible list was swapped, a limit and a placement got lost, the program fails."""
    before = leg()
    after = leg((0, 2), (8 * GIB, 12 * GIB))
    moved = operations()
    moved[3] = replace(moved[3], device="GPU:0", requested="", source="train.py:17")
    moved[4] = replace(moved[4], device="CPU:0", source="train.py:18")
    del moved[5]
    after = replace(
        after,
        stands_in=False,
        ended="exception",
        failure=Failure(
            "InvalidArgumentError",
            "Cannot assign a device for operation loss",
            "train.py:22",
            'Traceback (most recent call last):\n  File "train.py", line 22, in <module>\n',
            True,
        ),
        placements=[Placement(S1, False, moved)],
        stdout="step 0 loss 0.0\n",
    )
    visible = "GPUOptions.visible_device_list"
    return Verdict(
        "4 x 16 GiB",
        True,
        before,
        after,
        aspects(
            devices=[
                Entry(
                    "GPU:0 physical card",
                    MISMATCH,
                    BUSES[2],
                    BUSES[0],
                    visible,
                    "TFG110",
                    "train.py:4",
                ),
                Entry(
                    "GPU:1 physical card",
                    MISMATCH,
                    BUSES[0],
                    BUSES[2],
                    visible,
                    "TFG110",
                    "train.py:4",
                ),
                entry("CPU:0", MATCH, "there", "there"),
            ],
            configuration=[
                entry("allow_soft_placement", MATCH, "true", "true"),
                Entry(
                    "inter_op_parallelism_threads",
                    MISMATCH,
                    "4",
                    "",
                    "ConfigProto.inter_op_parallelism_threads",
                    "TFG131",
                    "train.py:5",
                ),
                Entry(
                    "experimental.xla_fusion_autotuner_thresh",
                    INCONCLUSIVE,
                    "3",
                    "",
                    "this TensorFlow does not know the field",
                ),
            ],
            placement=[
                Entry("tower_1/MatMul", MISMATCH, "GPU:1", "GPU:0", "", "", "train.py:17", S1),
                Entry("tower_1/Relu", MISMATCH, "GPU:1", "CPU:0", "", "", "train.py:18", S1),
                Entry("loss", MISMATCH, "GPU:0", "", "", "", "train.py:22", S1),
                entry("dense/MatMul", MATCH, "GPU:0", "GPU:0"),
            ],
            memory=[
                Entry(
                    f"peak on {BUSES[0]}",
                    MISMATCH,
                    "4,096 MiB",
                    "8,160 MiB",
                    "GPUOptions.per_process_gpu_memory_fraction",
                    "TFG102",
                    "train.py:6",
                ),
            ],
            result=[
                Entry(
                    "how it ended",
                    MISMATCH,
                    "ran to its end",
                    "InvalidArgumentError: Cannot assign a device for operation loss",
                    "",
                    "",
                    "train.py:22",
                )
            ],
        ),
        ["Each program ran once, with the same data."],
    )


def inconclusive() -> Verdict:
    """The second program never ran."""
    after = Observation(
        program="train.py",
        tensorflow="2.15.1",
        python="3.11.7",
        stands_in=False,
        ended="blocked",
        trouble=["the module horovod is not installed"],
    )
    return Verdict(
        "2 x NVIDIA H100 80GB HBM3", False, leg(), after, [Aspect(name, []) for name in ASPECTS]
    )


def hostile(text: str) -> Verdict:
    """A verdict that holds a text in every place that comes from outside."""
    card = Device(text, 8 * GIB, text)
    observed = Observation(
        program=text,
        tensorflow=text,
        python=text,
        stands_in=True,
        ended="exception",
        failure=Failure(text, text, text, text, False),
        trouble=[text],
        physical=[card],
        sessions=[Session(text, text, text, {text: text}, [card])],
        placements=[Placement(text, False, [Operation(text, text, text, text, text)])],
        memory=[GpuMemory(0, text, 16 * GIB, 16 * GIB, [(text, GIB)], [GIB, 2 * GIB], 2 * GIB)],
        allocator={text: {text: 1}},
        threads={text: 2},
        environment={text: text},
        stdout=text,
        stderr=text,
    )
    moved = [Operation(text, text, f"{text} moved", text, f"{text} moved")]
    after = replace(observed, placements=[Placement(text, True, moved)])
    found = [Entry(text, outcome, text, text, text, text, text, text) for outcome in Outcome]
    return Verdict(text, True, observed, after, [Aspect(n, found) for n in ASPECTS], [text])


def large(number: int, moved: int = 30) -> Verdict:
    """A verdict about many operations, some of which moved."""
    names = [f"tower_{place % 4}/block_{place // 40}/conv2d_{place}" for place in range(number)]
    before = [
        Operation(
            f"{name}/Conv2D", "Conv2D", f"GPU:{place % 4}", f"/device:GPU:{place % 4}",
            f"models/resnet/blocks.py:{place % 900}",
        )
        for place, name in enumerate(names)
    ]  # fmt: skip
    after = [replace(each, device="CPU:0") if n < moved else each for n, each in enumerate(before)]
    entries = [
        Entry(a.name, MATCH if a.device == b.device else MISMATCH, a.device, b.device, graph=S1)
        for a, b in zip(before, after, strict=True)
    ]
    made = matching()
    return replace(
        made,
        before=replace(made.before, placements=[Placement(S1, False, before)]),
        after=replace(made.after, placements=[Placement(S1, False, after)]),
        aspects=aspects(placement=entries),
    )


def in_set_ups() -> Verdict:
    """A match in the own set-up; one that shows nothing, and two that differ in the same field."""
    alike = matching()
    refused = [
        replace(
            alike.before,
            ended="exception",
            failure=Failure(kind, "no such GPU", "", "", True),
            placements=[],
        )
        for kind in ("InvalidArgumentError", "IndexError")
    ]
    nothing = aspects(placement=[Entry("operations", INCONCLUSIVE, "", "", "no operation was run")])
    differs = differing()
    other = aspects(configuration=differs.aspects[1].entries)

    def scenario(name: str, asked: bool = False) -> Scenario:
        return Scenario(name, Machine([Gpu()], ()), asked=asked)

    found = [
        Comparison(scenario("sim:2x16GiB", asked=True), alike.before, alike.after, alike.aspects),
        Comparison(scenario("sim:1x16GiB"), refused[0], refused[1], nothing),
        Comparison(scenario("sim:12GiB,8GiB"), differs.before, differs.after, differs.aspects),
        Comparison(scenario("no GPU"), alike.before, alike.after, other),
    ]
    shown = decisive(found)
    return replace(
        differs,
        before=shown.before,
        after=shown.after,
        aspects=shown.aspects,
        bound="the first 5 runs of each step",
        scenarios=found,
    )
