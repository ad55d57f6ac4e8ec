"""What one leg showed: all that a verdict compares and a report shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tfgpu.verify.assumptions import Checked

AS_PLACED = "graph as placed"
"""The title of what the placer put somewhere, whether it ran or not."""


@dataclass(frozen=True, slots=True)
class Device:
    """One logical device, such as `GPU:0` or `CPU:0`.

    `limit` is its memory limit in bytes; `bus` the PCI bus id of the card behind it, "" for a CPU
    or where TensorFlow does not say.
    """

    name: str
    limit: int
    bus: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """One session, or the eager context.

    `title` tells them apart in reports ("session 1", "eager context"); `source` is the place in the
    program that made it, `path:line`; `config` the effective ConfigProto, field path to text,
    without the fields at their default; `apart` tells that another thread than the first made it.
    """

    title: str
    source: str
    target: str
    config: Mapping[str, str]
    devices: Sequence[Device]
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation as it ran: where it was asked to be ("" for anywhere) and where it was.

    `source` is the place in the program that made it, `path:line`, "" where it is not known.
    """

    name: str
    kind: str
    device: str
    requested: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Placement:
    """The operations of one graph that ran (a session's, a tf.function's), or of eager code."""

    title: str
    eager: bool
    operations: Sequence[Operation]


@dataclass(frozen=True, slots=True)
class Item:
    """Operations of one step that are alike: their number, and what they are.

    `shapes` are types and shapes, inputs before ">" and outputs behind it, or those of a variable.
    `role` is "" for the program's own work, or that of `recorder/structure.py`.
    """

    kind: str
    shapes: str
    role: str
    device: str
    source: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Runs:
    """How often a step ran; `more` tells that it may have been more often, `fed` with what shapes.

    `label` tells the step from others of its program: a session's title with what it fetches, or a
    function's title.
    """

    label: str
    count: int
    more: bool
    fed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Step:
    """What one run of a session, one function, or all eager code consists of.

    `order` are positions in `items`, as eager code executed them; `runs` is not known of all.
    """

    title: str
    eager: bool
    items: Sequence[Item]
    order: Sequence[int] = ()
    runs: Runs | None = None


@dataclass(frozen=True, slots=True)
class GpuMemory:
    """What happened to the memory of one physical GPU; sizes in bytes.

    `calls` are the driver's allocations in order: the kind of call ("alloc", "managed", "async",
    "create", each also with " failed") and its size. `used` is the curve: bytes taken by this leg
    after each allocation and each release. On a real GPU `calls` is empty and `used` is sampled.
    """

    gpu: int
    bus: str
    total: int
    free_at_start: int
    calls: Sequence[tuple[str, int]]
    used: Sequence[int]
    peak: int


@dataclass(frozen=True, slots=True)
class Values:
    """What a variable or a result of the program was, one row of numbers after another.

    `kind` is "variable", "result" or "saved"; `shape` also says whether it has whole numbers. Of a
    large one a row has some numbers.
    """

    kind: str
    name: str
    shape: str
    rows: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Saved:
    """Something that a program saved: its name as of `files`, and how far the program was.

    `behind` are the steps with gradients and all steps done before, None where that is left to
    chance; `variables` are types and shapes of what a checkpoint holds.
    """

    name: str
    behind: tuple[int, int] | None
    variables: Sequence[str]


@dataclass(frozen=True, slots=True)
class Told:
    """What training was told: `what` is "callback", "hook" or "optimizer".

    `name` is its class, the library's, with the methods that the program has written; `kind` that
    class with its module; `values` are the plain attributes of a library's class.
    """

    what: str
    name: str
    kind: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Failure:
    """The exception that ended a program: its type, its first line, where it was raised.

    `modules` are those of the program's own that it went through, the outermost first.
    """

    kind: str
    message: str
    source: str
    traceback: str
    from_tensorflow: bool
    modules: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SideError:
    """An error that did not end the program: of a thread, a pool, a process, a callback.

    `how` is what became of it: "ends a thread", "ends the process", "kept by a future" (a pool, a
    task) that nobody asked for it, "in atexit", "ignored by Python", or "refused": what TensorFlow
    did not do. `who` had it: a function of the program, or what was refused.
    `process` is what a child runs, "" for the program itself; `chance` tells that it depends on
    time, `stale` that runs of a step were left out before it, so that it may come of old results.
    """

    how: str
    who: str
    failure: Failure
    chance: bool = False
    stale: bool = False
    process: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one leg showed.

    `process` is its process id; `order` of a child tells which of the processes that the first
    thread of its parent started it is, behind the same of its parents, 0 for other threads.
    `migrated` tells that tfgpu made the program of the other one, and
    changed its settings only; `legacy_keras` that it was given Keras 2 (see `keras.py`).
    `ended` is "end" (the program ran to its end), "steps" (stopped after the wanted number of
    steps), "session" (stopped at its first session, as asked), "exit" (it ended itself with
    `status`), "exception", "timeout", "signal" (the process died; `status` is the signal) or
    "blocked" (it could not be run; `trouble` says why). `behind` is the error or exit status that
    ended it behind the wanted steps, where it may come of old results.
    `turned_eager` tells that graph code turned to eager code, or that it is not known, and
    `fills_queues` that threads beside the first put something into queues, as queue runners do.
    `settings` are those that no config holds, with all values that they had, in order; `told` is
    what training was told, `constants` the numbers in each graph and function.
    `changed` are the places of the statements that the other leg does not have, `not_run` those of
    them that did not run, with the conditions that they stand under; `takes_arguments` tells that
    other arguments may reach these; `unread` is what the other
    leg's program reads, and its own does not, `new_constants` those of its program that are others
    in the other leg's.
    `children` are the processes that it started and that made sessions; `program` says what such a
    one runs, and `ended` may be "unseen". `commands` are those that it and its children started, of
    which no record tells what they do; where one does, what they are told about libraries.
    `own_commands` are the words of those that the program's own code starts.
    `errors` are those that did not end it, its children's too, but for the ends of those with
    sessions; `idle` are the process ids of children with TensorFlow and without a session.
    `reached` tells that its sessions were looked at where it was to stop at the first of them.
    `launches` are, by the bus of a simulated GPU, the kernels and calculations that it was given,
    each with how often and a sum over their sizes (see `simgpu/csrc/launches.c`).
    `runs` are those of all steps that sessions and functions did.
    `values` are the numbers of a leg that computes them, `whole` tells that it left none out,
    `apart` whether variables of one shape began with other ones, `drawn` whether random tensors of
    one shape were drawn at several places (see `recorder/numbers.py`).
    `graphs` are the bytes of all that their graphs would put out, by session. `stubs` are the
    modules that were stood in for, `synthetic` what got data that was made for it.
    `read` are the files, without Python, that it read and had not written, as seen from the script,
    outside of the program's folder by their whole names; each with what tells its contents from
    others.
    `files` are the names of what it wrote and removed (see `files.py`), `saves` what it saved, in
    order, `progress` how far it was at its end, as `Saved.behind`.
    `tried` is when it, or a child, was run as it is, in vain (seconds of the monotonic clock).
    `trouble` holds reasons for which this leg proves nothing. `written` and `read_only` are those
    of `legs.Run`.
    """

    program: str
    tensorflow: str
    python: str
    stands_in: bool
    ended: str
    migrated: bool = False
    legacy_keras: bool = False
    process: int = 0
    order: tuple[int, ...] = ()
    status: int = 0
    failure: Failure | None = None
    trouble: Sequence[str] = ()
    behind: str = ""
    reached: bool = False
    stubs: Sequence[str] = ()
    synthetic: Sequence[str] = ()
    graphs: Mapping[str, int] = field(default_factory=dict)
    values: Sequence[Values] = ()
    whole: bool = False
    apart: str = ""
    drawn: bool = False
    steps: int = 0
    runs: Sequence[Runs] = ()
    tried: Sequence[tuple[float, float]] = ()
    seconds: float = 0.0
    peak_rss: int = 0
    physical: Sequence[Device] = ()
    sessions: Sequence[Session] = ()
    placements: Sequence[Placement] = ()
    work: Sequence[Step] = ()
    memory: Sequence[GpuMemory] = ()
    launches: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    allocator: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    threads: Mapping[str, int] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    turned_eager: bool = False
    fills_queues: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    told: Sequence[Told] = ()
    constants: Mapping[str, Sequence[str]] = field(default_factory=dict)
    changed: Sequence[str] = ()
    not_run: Sequence[str] = ()
    takes_arguments: bool = True
    unread: Sequence[str] = ()
    new_constants: Sequence[str] = ()
    assumptions: Sequence[Checked] = ()
    children: Sequence[Observation] = ()
    commands: Sequence[str] = ()
    own_commands: Sequence[str] = ()
    errors: Sequence[SideError] = ()
    idle: Sequence[int] = ()
    read: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[str] = ()
    saves: Sequence[Saved] = ()
    progress: tuple[int, int] = (0, 0)
    written: Sequence[tuple[str, bool]] = ()
    read_only: Sequence[str] = ()
    stdout: str = ""
    stderr: str = ""

    @property
    def on_gpus(self) -> int:
        """How many operations ran on GPUs."""
        return sum(
            operation.device.startswith("GPU:")
            for graph in self.placements
            if graph.title != AS_PLACED
            for operation in graph.operations
        )
