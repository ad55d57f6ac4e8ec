"""What comes of a file: findings, configs, settings, and new text; plain data that loads fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgpu.dataclass import dataclass, field
from tfgpu.place import place
from tfgpu.program.losses import NO_LOSSES, Losses

if TYPE_CHECKING:
    from tfgpu.files.read import Module


@dataclass(frozen=True, slots=True)
class Launch:
    """What a command starts, or reads, that a finding is about.

    `file` is written as in the command, `-m` in front of a module; `one_gpu` tells that each of
    several processes of a machine is shown a GPU of its own.
    """

    file: str
    one_gpu: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: rule, place (line and column from 1), message, remedy.

    `fix` is "safe", "unsafe" or "none" (the code stays as it is), `severity` one of
    `rulebook.model.SEVERITIES`. `end_line` and `end_column` are where it ends (0: not known; the
    column is after the last character). Lines of a notebook count within the `cell`, which counts
    from 1; 0 is no cell. `snippet` is its first line as it is in the file, without line end.

    What is about a config names it in `config`, by the place where it is built, and is one of
    `PARTS`. `caused_by` is the `key` of the finding that says why this one is there: of a setting
    or a session, what keeps its config; of a config, what keeps the one for whose sake it is kept.
    `names` are those that TensorFlow 2 does not have, where it is about such names. `pending` tells
    that it holds only where a launcher shows each process one GPU: its message asks for `$where`.
    """

    code: str
    name: str
    line: int
    column: int
    message: str
    todo: str
    fix: str
    severity: str = "warning"
    end_line: int = 0
    end_column: int = 0
    cell: int = 0
    snippet: str = ""
    config: str = ""
    part: str = ""
    caused_by: str = ""
    names: tuple[str, ...] = ()
    launch: Launch | None = None
    pending: bool = False

    @property
    def by_hand(self) -> bool:
        """Whether a hand is needed: not for notes, nor for what only stays with its config."""
        stays = self.severity == "note" or self.part in (SETTING, SESSION)
        return self.fix == "none" and not stays

    def key(self, path: str) -> str:
        """Return what `caused_by` names this finding of a file by: file, line and code."""
        return key(place(path, self.line, cell=self.cell), self.code)


# Fields of a finding that no output shows: files are put together by them.
INNER = frozenset(["launch", "pending"])

# What a finding can be of a config: why it is kept, what its conversion rests on, what it consists
# of.
CAUSE, ASSUMPTION, SETTING, SESSION = PARTS = ("cause", "assumption", "setting", "session")


def key(where: str, code: str) -> str:
    """Return what `caused_by` names a finding by, given its file and line."""
    return f"{where} {code}"


@dataclass(frozen=True, slots=True)
class Row:
    """One setting: where it is made, what it sets, and what becomes of it. Texts may be empty.

    Lines count within the `cell` of a notebook (0: no notebook). `kind` is "config" for a field of
    ConfigProto, "tf.config" for a call of TensorFlow 2, "environment" for a variable, "device" for
    a GPU that `tf.device` names. `value` is as written, `constant` what is known of it without
    running it, `guard` the conditions and loops that it is in, `sink` the calls that take it
    (of a variable: for whom it is set).
    `convertible` is "yes", "no" (the rule `reason` says why), "unsafe", or "current" for what
    TensorFlow 2 takes as it is.
    """

    cell: int
    line: int
    column: int
    kind: str
    setting: str
    value: str
    constant: str
    guard: str
    sink: str
    rule: str
    convertible: str
    reason: str


@dataclass(frozen=True, slots=True)
class ConfigResult:
    """One config of a file: where it is built, and the code of the rule that kept it, if any.

    `line` counts within the `cell` of a notebook (0: no notebook). `none_by` is the rule that says
    that tf.config has nothing for a config that is kept, if there is one. `final` tells that
    TensorFlow 2 has it all the same, in compat.v1 only. `assumable` tells that a config which is
    kept would convert on assumptions, `needs_unsafe` that it takes an unsafe fix, too, `loses` that
    TensorFlow 2 would ignore settings of it, `fails` that every TensorFlow refuses what the program
    does with it.
    """

    line: int
    kept_by: str | None
    none_by: str | None = None
    final: bool = False
    assumable: bool = False
    needs_unsafe: bool = False
    loses: bool = False
    fails: bool = False
    cell: int = 0


@dataclass(frozen=True, slots=True)
class KeptFor:
    """Why a program was kept: the place of the config, its rule, and the entry scripts."""

    place: str
    rule: str
    programs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Caller:
    """A call of a function: its statement as "path:line", its own lines, and what it names.

    `callee` is empty where it is no dotted name.
    """

    place: str
    first: int
    last: int
    callee: str


@dataclass(frozen=True, slots=True)
class Assumed:
    """What the conversion of a config rests on, for a run to check.

    `kind` is one of `verify.assumptions`; `place` and `until` are "path:line" in the old files, the
    second empty where the kind needs none, and `callers` are all calls of the function that begins
    at `place`; `field` is one of ConfigProto whose value lies `within` two others, and `expression`
    is read at `place`. `sessions` are the calls in which the session of the last place is made, and
    `in_front` tells that this place ends where its statement begins.
    """

    kind: str
    place: str
    until: str
    text: str
    callers: tuple[Caller, ...] = ()
    field: str = ""
    within: tuple[float, float] = (0, 0)
    expression: str = ""
    sessions: tuple[Caller, ...] = ()
    in_front: bool = False


# Why a file failed that may not fail the next time.
CRASHED = "the process that analysed it crashed, or was killed"
_FAULT = "tfgpu itself failed"
_CONFIGURATION = "a configuration of its project is wrong"


def fault(error: Exception) -> str:
    """Return why a file failed, for an error that ends its analysis.

    It is a wrong configuration of the project that the file belongs to, or an error that nobody
    has foreseen: what, and where in tfgpu.
    """
    from tfgpu.rulebook.table import RuleError  # noqa: PLC0415 - for what fails

    if isinstance(error, RuleError):
        return f"{_CONFIGURATION}: {error}"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    assert trace is not None
    frame, line = trace.tb_frame, trace.tb_lineno
    words = str(error).partition("\n")[0][:200]
    where = f"{frame.f_globals.get('__name__')}:{line}"
    return f"{_FAULT} ({type(error).__name__} in {where}: {words}); please report it"


def may_pass(reason: str | None) -> bool:
    """Tell whether a file that failed may not fail the next time: it is not remembered."""
    return reason is not None and reason.startswith((CRASHED, _FAULT, _CONFIGURATION))


@dataclass(slots=True)
class Result:
    """What came of one file.

    `reason` says why it failed (at `line` of `cell`, 0 for none); `parsed` is false also for the
    many files that hold no token of interest. `old` and `new` are its bytes, `new` only where they
    change and were asked for. `pending` are findings of which launchers decide. `inventory`
    has its settings, where the job asks for them. `early` is that of `engine.FileResult`;
    `bridge` and `stays` are those of its plan. `kept_for` is set where a config elsewhere in the
    program keeps the ones here. `unread` is the language of a file whose grammar is not installed.
    `unwritten` tells that it failed only where its new text was to be written. `programs` are the
    entry scripts and importers of a file that changes: files that share one change together.
    """

    path: str
    reason: str | None = None
    line: int = 0
    cell: int = 0
    parsed: bool = False
    changes: bool = False
    findings: list[Finding] = field(default_factory=list)
    pending: list[Finding] = field(default_factory=list)
    configs: list[ConfigResult] = field(default_factory=list)
    inventory: list[Row] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
    assumed: list[Assumed] = field(default_factory=list)
    kept_for: KeptFor | None = None
    unread: str = ""
    unwritten: bool = False
    programs: frozenset[str] = frozenset()
    losses: Losses = NO_LOSSES
    bridge: bool = False
    stays: bool = False
    source: Module | None = None
    old: bytes = b""
    new_text: str | None = None

    @property
    def new(self) -> bytes | None:
        """The new bytes of the file."""
        if self.new_text is None or self.source is None:
            return None
        return self.source.encode(self.new_text)
