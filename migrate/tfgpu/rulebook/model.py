"""What a rule says, as data: the objects that the loader makes from `rules/**/*.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tfgpu.dataclass import dataclass, field

# How much a finding matters; the words are those of SARIF.
SEVERITIES = ("error", "warning", "note")

Literal = bool | int | float | str

# What the values of a variable of the environment are.
READS = ("devices", "number", "text")
READ_WITH = ("start", "devices")

# What TensorFlow 1 applied a setting to: each session; each GPU, by the first session that shows it
# (TensorFlow's id, GPU:0 and so on); the process, by its first session.
SCOPES = ("session", "gpu", "process")

# What can be said about a default in place of the code that puts it back.
PUT_BACK = ("impossible", "none needed")

# Where the other setting of a conflict stands: in any place of the program, or after this one.
ORDERS = ("any", "after")

# When a call that takes a config makes its session: in the call itself; when its result is entered
# by `with`; when another call takes the object that it makes; once more, after an error.
MAKES = ("now", "on enter", "later", "again")

# Forms of a value that a case can ask for; `tfgpu.flow.match` recognises them.
SHAPES = (
    "literal", "count.nonnegative", "count.named", "virtual-devices", "virtual-devices.whole",
    "gpu-list.all", "gpu-list.none", "gpu-list.prefix", "gpu-list.ascending", "gpu-list.reordered",
    "gpu-list.duplicate", "gpu-list.invalid", "gpu-list.one", "gpu-list.number",
    "gpu-list.counted",
)  # fmt: skip


# Parts of names of tf.config whose calls initialise CUDA.
_LIST_GPUS = ("physical_devices", "visible_devices", "logical_device", "memory_growth")


@dataclass(frozen=True, slots=True)
class Emit:
    """What a setting contributes to the migrated code. Texts are templates over `$value`.

    `statements` act on the process, `environment` statements set `os.environ`, `each_gpu`
    statements act on one physical GPU (`gpu`, numbered `index`), `indexed` statements on single
    elements of `gpus`, `visible` is an expression over `gpus` that gives the GPUs to keep,
    `visible_count` how many of them, `options` are entries for
    `tf.config.optimizer.set_experimental_options`. `helpers` names functions that the code calls.
    """

    statements: str = ""
    environment: str = ""
    each_gpu: str = ""
    indexed: str = ""
    visible: str = ""
    visible_count: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    helpers: tuple[str, ...] = ()

    @property
    def asks_for_gpus(self) -> bool:
        """Whether the code lists the physical GPUs, which initialises CUDA."""
        return bool(self.each_gpu or self.numbers_gpus)

    @property
    def numbers_gpus(self) -> bool:
        """Whether it chooses among the GPUs, or acts on single ones: all such go together."""
        return bool(self.indexed or self.visible or self.visible_count)

    @property
    def lists_gpus(self) -> bool:
        """Whether the code initialises CUDA: listing the CPUs does, and whatever acts on a device.

        CUDA_VISIBLE_DEVICES is read then, and a process that forks after it cannot use its GPUs.
        """
        return self.asks_for_gpus or any(name in self.statements for name in _LIST_GPUS)

    @property
    def needs_unmade_devices(self) -> bool:
        """Whether the code has an effect only before TensorFlow's GPUs and pools are made."""
        return self.lists_gpus or bool(self.environment) or ".threading." in self.statements

    def texts(self) -> Iterator[str]:
        """Yield every template of this contribution."""
        yield from (self.statements, self.environment, self.each_gpu, self.indexed)
        yield from (self.visible, self.visible_count)
        yield from self.options.values()


@dataclass(frozen=True, slots=True)
class PutBack:
    """What puts a default back, in front of a session that does not set the field or after one.

    `emit` is the code, None where there is `no_code`, which is one of PUT_BACK: nothing can put the
    default back, or no session can tell that it did not come back.
    """

    emit: Emit | None = None
    no_code: str | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Fields that tf.config cannot have beside a setting, even from two sessions of one process.

    `order` is one of ORDERS, `effect` what happens otherwise, as the rest of a sentence.
    """

    fields: tuple[str, ...]
    order: str
    effect: str


@dataclass(frozen=True, slots=True)
class Harmless:
    """Values that a session which did not ask for them can take on in a program that ran.

    That holds unless the program catches one of the errors `unless_caught`, which it then would no
    longer see.
    """

    values: tuple[Literal, ...]
    unless_caught: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a setting rule: for which values, and what becomes of the setting.

    Exactly one of `drop` (TF2 does the same by itself), `keep` (the config stays, with this
    reason) and `emit` is given. `unsafe` says what can differ: such a case needs unsafe fixes, but
    where all values that the expression may have are of the shapes `sure`.
    `guard` is a condition, as a template, under which alone the emitted code may run. `within` are
    the least and the greatest value that the emitted code is right for, `outside` says what becomes
    of others: a value known only at run time is assumed to lie between. `scope` and
    `put_back` go before those of the rule. `no_bridge` says why the emitted code does not do on
    TensorFlow 1.15 what the config did there, in the names that it has for it. A case with
    `gpu_memory` holds where the user says how much the GPUs have; `$part` is the part of that which
    the value is, in MiB.
    """

    values: tuple[Literal, ...] | None = None
    above: float | None = None
    below: float | None = None
    shape: str | None = None
    drop: str | None = None
    keep: str | None = None
    emit: Emit | None = None
    unsafe: str | None = None
    sure: tuple[str, ...] = ()
    guard: str | None = None
    within: tuple[float, float] | None = None
    outside: str = ""
    todo: str | None = None
    scope: str | None = None
    put_back: PutBack | None = None
    no_bridge: str | None = None
    gpu_memory: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A program before and after, for the page of the rule, the tests and the simulated GPUs.

    `gpus` is what the program runs on, `needs` a module that it cannot run without beside
    TensorFlow, `imported_by` the text of another file beside it, which `alone` does not let tfgpu
    be given. `path` is the name of the file, and `reported` tells whether its rule says something
    about it: examples of what a rule leaves in peace belong to it, too. The rest are the options
    that it is migrated with.
    """

    before: str
    after: str
    gpus: str = "2x16GiB"
    unsafe: bool = False
    min_tf: str = "2.4"
    keep_imports: bool = False
    imports: bool = False
    ignore: tuple[str, ...] = ()
    gpu_memory: int = 0
    imported_by: str = ""
    alone: bool = False
    needs: str = ""
    path: str = "example.py"
    reported: bool = True


@dataclass(frozen=True, slots=True)
class Helper:
    """A small function that is written into a migrated file once, when its code is needed."""

    name: str
    code: str
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """What all rules have: identity, the reason after them, and examples.

    `severity` is one of SEVERITIES.
    """

    code: str
    name: str
    group: str
    summary: str
    why: str
    source: str
    equivalence: str
    severity: str
    examples: tuple[Example, ...]
    path: str


@dataclass(frozen=True, slots=True)
class SettingRule(Rule):
    """A rule for fields of ConfigProto, named by their path, as in `gpu_options.allow_growth`.

    A rule with `beside` holds only where one of those fields is set too, and then goes before rules
    without. `type` is what TF1 took: "bool", "int", "number", "string", "enum" (a name of `enum`)
    or "any"; whole numbers have 32 bits, 64 in the fields `int64`. `scope` (one of SCOPES) is what
    TF1 applied the setting to. `put_back` is what gives a session that does not set the field its
    default again; where that writes a default of TF2 that is another than TF1's, `tf1_default`
    writes TF1's. `raises_after_eager` tells whether the emitted code, and that of `put_back`,
    raises RuntimeError when it changes a value after TensorFlow 2's eager context is made.
    `hides_gpus` tells whether the field chooses among the
    GPUs: such fields become one call. `harmless` is given where other sessions can take the
    setting on. `eager_has_its_own` tells whether the eager context takes the emitted setting for
    something that it has beside the sessions. `overruled_by` are environment variables that take
    the place of the field, and not of the emitted setting.
    """

    settings: tuple[str, ...]
    beside: tuple[str, ...]
    scope: str
    type: str
    int64: tuple[str, ...]
    enum: Mapping[str, int]
    put_back: PutBack
    tf1_default: Emit | None
    raises_after_eager: bool
    hides_gpus: bool
    harmless: Harmless | None
    eager_has_its_own: bool
    overruled_by: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    cases: tuple[Case, ...]
    helpers: tuple[Helper, ...]

    @property
    def lists_gpus(self) -> bool:
        """Whether the field lists the GPUs by their numbers."""
        return self.hides_gpus and self.type == "string"

    def scope_of(self, case: Case | None) -> str:
        """Return what TF1 applied the setting to, for a value that this case is for."""
        return self.scope if case is None or case.scope is None else case.scope

    def put_back_of(self, case: Case | None) -> PutBack:
        """Return what puts the default back after a value that this case is for."""
        return self.put_back if case is None or case.put_back is None else case.put_back


@dataclass(frozen=True, slots=True)
class SinkRule(Rule):
    """A rule for calls that take a config.

    `calls` are canonical TensorFlow names, a method with the class of its object, each with its
    positional parameters as far as they matter. `argument` is the parameter that takes the config,
    `target` the one that takes the address of another process. Where the call only makes an object
    that makes the session later, `maker` is the call that takes that object, as its first argument
    or as `handed`, and makes the session at once.

    `converts` is "always", "never", "growth-only" (the call replaces a missing config by one of its
    own that only sets memory growth), "eager" (the call makes no session, but TensorFlow 1 run
    eagerly with the config) or "gone" (the call takes a session and disappears with it). A call of
    one of `blockers` in the same file, or before it, stops that. `reason` says why a call does not
    convert, `todo` the way out. With a `setting`, the argument is no config but the value of that
    field of one that the call makes for itself.

    `makes` tells for each call when it makes its session, in words of MAKES; a call that only takes
    a session makes none. `makes_eager_context` are those of the calls, and of `maker`, that make
    TensorFlow 2's eager context before their session, unless they are given a scaffold with a saver
    of its own.
    """

    calls: Mapping[str, tuple[str, ...]]
    argument: str
    setting: str | None
    target: str | None
    maker: str | None
    converts: str
    makes: Mapping[str, frozenset[str]]
    makes_eager_context: frozenset[str]
    handed: str = ""
    blockers: tuple[str, ...] = ()
    reason: str = ""
    todo: str = ""


@dataclass(frozen=True, slots=True)
class QueryRule(Rule):
    """A rule for calls that ask for devices and initialise the GPUs by doing so.

    `gives` is what the call returns: an "answer", "devices" or their "names". `forms` are the
    expressions for what programs make of it: its "value" itself, the "names" of devices of one
    type (templates over `$item`, the loop's variable, and `$kind`), their "count", and "any".
    `initialises` are those that initialise the GPUs, too; `idle` are parameters that change nothing
    in the answer, in order. A rewrite is always an unsafe fix, and
    `unsafe` says what can differ.
    """

    symbols: tuple[str, ...]
    forms: Mapping[str, str]
    todo: str
    gives: str = "answer"
    initialises: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    unsafe: str = ""


@dataclass(frozen=True, slots=True)
class ReasonRule(Rule):
    """A reason why a config was kept that lies in the program and not in one setting.

    `message` is a template for the finding, `todo` says what to do by hand.
    """

    message: str
    todo: str


@dataclass(frozen=True, slots=True)
class CheckRule(Rule):
    """Something to be reported wherever it stands, that no config is kept for.

    `message` is a template for the finding, `todo` says what to do by hand; `fix` tells whether
    `tfgpu migrate` corrects it: "safe", "unsafe" or "none".
    """

    message: str
    todo: str
    fix: str = "none"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What some values of a variable do; `values` is None for all others.

    `wrong` values do not do what they look like, and get a warning.
    """

    values: tuple[str, ...] | None
    says: str
    wrong: bool


@dataclass(frozen=True, slots=True)
class VariableRule(Rule):
    """A rule for variables of the environment, or requests such as `docker --gpus`.

    `reads` is what its values are: "devices" (a list as CUDA reads it), "number" or "text".
    `meanings` are templates over `$value`, tried in order. `read_with` is when it is read: at the
    "start" of the process (or of its container), or when the "devices" are made. `todo` says what
    to know about it.
    """

    variables: tuple[str, ...]
    meanings: tuple[Meaning, ...]
    todo: str
    reads: str = "text"
    read_with: str = "start"


@dataclass(frozen=True, slots=True)
class CallRule(Rule):
    """A rule for calls that no release of TensorFlow has any more, or that a library has.

    `setting` is the field of ConfigProto that such a call sets (None: it is only reported), by its
    `argument`.
    """

    symbols: tuple[str, ...]
    setting: str | None
    todo: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class NamesRule(Rule):
    """The rule for names that got a better one: the rows of `names/renames.toml`."""

    todo: str


@dataclass(frozen=True, slots=True)
class Rename:
    """A stable TensorFlow name, the version that brought it, and its spelling before that."""

    name: str
    since: tuple[int, int]
    before: str


@dataclass(frozen=True, slots=True)
class Removed:
    """A name that TensorFlow removed, with all below it: the version, and what there is instead."""

    name: str
    since: str
    instead: str
